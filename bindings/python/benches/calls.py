"""Times of a guarded call beside literal implementations of the founding classes, in the same rounds.

`cargo xtask bench-bindings` runs it. Prints a table; the exit code is 1 where a bound is broken.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import literal  # noqa: E402

from unstuck import Guard, _native, classic  # noqa: E402

# Many short rounds: on a busy machine some of them run undisturbed.
ROUNDS = 45
CALLS = {100: 800, 1_000: 400, 20_000: 60}
SOURCE = Path(literal.__file__).read_text(encoding="utf-8") * 3
EVENTS = 1_000_000

Call = Callable[[str, dict[str, Any]], object]


def arguments(size: int, round_: int, count: int) -> list[dict[str, Any]]:
    """Calls that differ, with source code as their longest argument, of so many bytes in all."""
    made = []
    for at in range(count):
        path = f"src/module_{round_}_{at}.py"
        rest = size - len(path) - len('{"path":"","content":""}')
        made.append({"path": path, "content": SOURCE[at % 50 : at % 50 + max(rest, 0)]})
    return made


def contenders() -> Iterator[tuple[str, Call]]:
    """Ours first, then the literal ones; each is one call with its answer."""
    guard = Guard()

    def both(tool: str, args: dict[str, Any]) -> object:
        before = guard.before_call(tool, args)
        return before.permits and guard.after_call(before, "ok").permits

    def asked(tool: str, args: dict[str, Any]) -> object:
        return lone.before_call(tool, args).permits

    lone = Guard()
    yield "Guard: before_call and after_call", both
    yield "Guard: before_call", asked
    ours = classic.ToolLoopDetector()
    yield "ToolLoopDetector", lambda tool, args: (ours.record(tool, args), ours.is_stuck())
    tools = literal.ToolLoopDetector()
    yield "literal ToolLoopDetector", lambda tool, args: (tools.record(tool, args), tools.is_stuck())
    steps = literal.StepLoopDetector()
    yield "literal StepLoopDetector", lambda tool, args: steps.analyze_step(args, "ok")
    breaker = literal.CallCircuitBreaker()
    yield "literal CallCircuitBreaker", breaker.check
    loops = literal.LoopDetector()
    yield "literal LoopDetector", loops.record_tool_call
    shared = literal.SharedEconomicsState()
    yield "literal SharedEconomicsState", lambda tool, args: shared.is_global_doom_loop(shared.record("w", tool, args))
    cycles = literal.CycleDetector()
    yield "literal CycleDetector", cycles.record


def measured(size: int) -> dict[str, float]:
    """Microseconds of a call, the best of all rounds."""
    best: dict[str, float] = {}
    known = list(contenders())
    for round_ in range(ROUNDS):
        calls = arguments(size, round_, CALLS[size])
        for name, call in known:
            gc.collect()
            gc.disable()
            started = time.perf_counter()
            for args in calls:
                call("edit_file", args)
            took = (time.perf_counter() - started) / len(calls) * 1e6
            gc.enable()
            best[name] = min(took, best.get(name, took))
        alone = _native._engine_alone("edit_file", calls) / len(calls) * 1e6
        best["engine alone, one event"] = min(alone, best.get("engine alone, one event", alone))
    return best


def resident() -> int:
    """Bytes of memory of this process."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


def memory() -> tuple[int, int]:
    """Memory after a tenth of the events and after all of them."""
    guard = Guard()
    early = 0
    for at in range(EVENTS // 2):
        before = guard.before_call("read_file", {"path": f"src/module_{at}.py"})
        guard.after_call(before, f"content {at}")
        if at == EVENTS // 20:
            gc.collect()
            early = resident()
    gc.collect()
    return early, resident()


def main() -> int:
    broken: list[str] = []
    for size, factor in ((100, 0.0), (1_000, 1.0), (20_000, 5.0)):
        table = measured(size)
        print(f"\n{size} bytes of arguments                µs a call   times the guard")
        for name, took in table.items():
            # Only the detector of steps is told results; the others see what `before_call` sees.
            both = "Step" in name or "after_call" in name
            guard = table["Guard: before_call and after_call" if both else "Guard: before_call"]
            print(f"{name:36} {took:10.2f} {took / guard:10.1f}")
            if name.startswith("literal") and took < factor * guard:
                broken.append(f"{size} B: {name} takes {took:.2f} µs, the guard {guard:.2f} µs")
        more = table["Guard: before_call"] - table["engine alone, one event"]
        print(f"before_call over the engine alone    {more:10.2f}")
        if size == 100 and more > 2.0:
            broken.append(f"a call costs {more:.2f} µs more than the engine alone")
    if sys.platform == "linux":
        early, late = memory()
        print(f"\nmemory after {EVENTS // 10:,} events {early / 1e6:.1f} MB, after {EVENTS:,} {late / 1e6:.1f} MB")
        if late - early > 4_000_000:
            broken.append(f"memory grew by {(late - early) / 1e6:.1f} MB")
    for line in broken:
        print(f"BROKEN: {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
