"""Literal implementations of the founding classes in plain Python, as their documents and vectors describe them.

Tests compare decisions with them, and `cargo xtask bench-bindings` compares times.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter, deque
from typing import Any


class ToolLoopDetector:
    """HackEurope26, as its document has it."""

    def __init__(self, repeat_threshold: int = 3, history_size: int = 20) -> None:
        self.repeat_threshold = repeat_threshold
        self.history: deque[str] = deque(maxlen=history_size)

    def record(self, tool_name: str, tool_args: Any) -> None:
        key = f"{tool_name}:{json.dumps(tool_args, sort_keys=True, default=str)}"
        self.history.append(hashlib.md5(key.encode()).hexdigest())

    def is_stuck(self) -> bool:
        if len(self.history) < self.repeat_threshold:
            return False
        return any(count >= self.repeat_threshold for count in Counter(self.history).values())

    def reset(self) -> None:
        self.history.clear()


def stable_stringify(value: Any) -> str:
    """IronCurtain's: recursive, with sorted keys."""
    if isinstance(value, dict):
        members = (f"{json.dumps(key)}:{stable_stringify(value[key])}" for key in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(stable_stringify(element) for element in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def compute_hash(value: Any) -> str:
    return hashlib.sha256(stable_stringify(value).encode()).hexdigest()


class StepLoopDetector:
    """IronCurtain's matrix of approaches and outcomes."""

    def __init__(self, stagnation: tuple[int, int] = (3, 5), stuck: tuple[int, int] = (5, 8)) -> None:
        self.thresholds = (stagnation, stuck)
        self.reset()

    def reset(self) -> None:
        self.approaches: set[str] = set()
        self.outcomes: set[str] = set()
        self.stagnation_streak = self.stuck_streak = 0
        self.blocked: str | None = None

    def analyze_step(self, code: Any, result: Any) -> str:
        approach, outcome = compute_hash(code), compute_hash(result)
        old_approach, old_outcome = approach in self.approaches, outcome in self.outcomes
        self.approaches.add(approach)
        self.outcomes.add(outcome)
        if not old_outcome:
            self.stagnation_streak = self.stuck_streak = 0
        elif old_approach:
            self.stagnation_streak, self.stuck_streak = self.stagnation_streak + 1, 0
        else:
            self.stagnation_streak, self.stuck_streak = 0, self.stuck_streak + 1
        (stagnation_warn, stagnation_block), (stuck_warn, stuck_block) = self.thresholds
        if self.stagnation_streak >= stagnation_block or self.stuck_streak >= stuck_block:
            self.blocked = "block"
            return "block"
        if self.stagnation_streak >= stagnation_warn or self.stuck_streak >= stuck_warn:
            return "warn"
        return "allow"


class CallCircuitBreaker:
    """IronCurtain's limit on identical calls."""

    def __init__(self, window_ms: int = 60_000, threshold: int = 20, worker_count: int = 1) -> None:
        self.window_ms, self.limit = window_ms, threshold * worker_count
        self.calls: dict[str, list[int]] = {}

    def check(self, tool: str, args: Any, now: int | None = None) -> bool:
        now = int(time.time() * 1000) if now is None else now
        times = self.calls.setdefault(f"{tool}:{compute_hash(args)}", [])
        while times and times[0] <= now - self.window_ms:
            times.pop(0)
        if len(times) >= self.limit:
            return False
        times.append(now)
        return True


PRIMARY = ("path", "file_path", "command", "pattern", "query", "url", "content", "filename", "offset", "limit")
FILE_READ = re.compile(
    r"^\s*(?:cat|head|tail|wc|less|more|file|stat|md5sum|sha256sum)(?:\s+-\S+)*\s+([\w.\-@/]+)\s*$"
)


def fingerprint(tool: str, args: dict[str, Any]) -> str:
    """attocode's: the tool with its primary arguments."""
    command = args.get("command")
    if tool == "bash" and isinstance(command, str) and not re.search(r"[|;&<>]", command):
        found = FILE_READ.match(command)
        if found:
            return f"bash:file_read:{found.group(1)}"
    primary = {key: args[key] for key in PRIMARY if key in args}
    return f"{tool}:{json.dumps(primary or args, sort_keys=True)}"


class LoopDetector:
    """attocode's doom loops: three equal calls, or four similar ones, among the last ten."""

    def __init__(self, threshold: int = 3, fuzzy_threshold: int | None = None) -> None:
        self.threshold = threshold
        self.fuzzy_threshold = threshold + 1 if fuzzy_threshold is None else fuzzy_threshold
        self.recent: deque[tuple[str, str, dict[str, Any]]] = deque(maxlen=10)
        self.doom_loop_detected = False
        self.consecutive_count = 0

    def record_tool_call(self, tool: str, args: dict[str, Any]) -> bool:
        self.recent.append((tool, json.dumps(args, sort_keys=True), args))
        exact = self.streak([(name, text) for name, text, _ in self.recent])
        count = exact
        if exact < self.threshold:
            similar = self.streak([fingerprint(name, args) for name, _, args in self.recent])
            if similar >= self.fuzzy_threshold:
                count = max(exact, similar)
        self.consecutive_count = count
        self.doom_loop_detected = count >= self.threshold
        return self.doom_loop_detected

    @staticmethod
    def streak(calls: list[Any]) -> int:
        count = 0
        for call in reversed(calls):
            if call != calls[-1]:
                break
            count += 1
        return count


class SharedEconomicsState:
    """attocode's counts across workers."""

    def __init__(self, threshold: int = 10, workers: int = 2) -> None:
        self.threshold, self.workers = threshold, workers
        self.calls: dict[str, tuple[int, set[str]]] = {}

    def record(self, worker: str, tool: str, args: dict[str, Any]) -> str:
        call = fingerprint(tool, args)
        count, workers = self.calls.get(call, (0, set()))
        workers.add(worker)
        self.calls[call] = (count + 1, workers)
        return call

    def is_global_doom_loop(self, call: str) -> bool:
        count, workers = self.calls.get(call, (0, set()))
        return count >= self.threshold and len(workers) >= self.workers


class CycleDetector:
    """attractor's document: cycles of one, two and three calls."""

    def __init__(self) -> None:
        self.signatures: list[str] = []

    def record(self, tool: str, args: dict[str, Any]) -> int | None:
        key = f"{tool}:{json.dumps(args, sort_keys=True)}"
        self.signatures.append(hashlib.sha256(key.encode()).hexdigest())
        self.signatures = self.signatures[-6:]
        for period in (1, 2, 3):
            last = self.signatures[-2 * period :]
            if len(last) == 2 * period and last[:period] == last[period:]:
                return period
        return None
