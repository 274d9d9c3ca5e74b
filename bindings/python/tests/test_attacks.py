"""What a hostile or careless program may do to a guard: nothing of it ends the interpreter or waits for ever."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from unstuck import Decision, Guard, canonical, classic


class Lies:
    """Says that it is a dictionary, and is none."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return dict

    def __str__(self) -> str:
        return "lies"


class Odd(dict[Any, Any]):
    """A dictionary whose methods do not work."""

    def refuse(self, *_: Any) -> Any:
        raise RuntimeError("refused")

    __getitem__ = __iter__ = __len__ = __contains__ = items = keys = values = refuse  # type: ignore[assignment]


class OddList(list[Any]):
    def refuse(self, *_: Any) -> Any:
        raise RuntimeError("refused")

    __getitem__ = __iter__ = __len__ = refuse  # type: ignore[assignment]


class OddText(str):
    def refuse(self, *_: Any) -> Any:
        raise RuntimeError("refused")

    __str__ = __len__ = encode = __hash__ = __getitem__ = refuse  # type: ignore[assignment]


class OddNumber(int):
    def refuse(self, *_: Any) -> Any:
        raise RuntimeError("refused")

    __repr__ = __str__ = __index__ = __int__ = __format__ = __abs__ = refuse  # type: ignore[assignment]


class OddFloat(float):
    def refuse(self, *_: Any) -> Any:
        raise RuntimeError("refused")

    __repr__ = __str__ = __float__ = __format__ = refuse  # type: ignore[assignment]


class OddSet(set[Any]):
    def __iter__(self) -> Any:
        raise RuntimeError("refused")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Lies(), '"lies"'),
        (Odd(b=1, a=2), '{"a":2,"b":1}'),
        (OddList([1, 2]), "[1,2]"),
        (OddText("text"), '"text"'),
        (OddText("\ud800"), '"\ufffd"'),
        (OddNumber(7), "7"),
        (OddNumber(10**30), "1e+30"),
        (OddFloat(0.5), "0.5"),
        ({"a": [Odd({"b": OddText("c")})]}, '{"a":[{"b":"c"}]}'),
    ],
    ids=["Lies", "Odd", "OddList", "OddText", "half", "OddNumber", "large", "OddFloat", "nested"],
)
def test_what_an_object_is_counts_and_not_what_it_says(value: Any, text: str) -> None:
    assert canonical(value) == text
    guard = Guard()
    assert guard.after_call(guard.before_call("t", value), value).permits


def test_an_iterator_of_the_caller_may_raise() -> None:
    with pytest.raises(RuntimeError, match="refused"):
        Guard().before_call("t", {"a": OddSet({1})})


def test_values_may_be_changed_by_other_threads_while_they_are_read() -> None:
    members: dict[Any, Any] = {str(at): at for at in range(50)}
    elements: list[Any] = [members, "x"]
    objects: set[Any] = {1, 2, 3}
    value = {"members": members, "elements": elements, "objects": objects, "long": "x" * 50_000}
    stop = threading.Event()

    class Yields:
        def __str__(self) -> str:
            time.sleep(0)
            return "y"

    members["yields"] = Yields()
    elements.append(Yields())

    def change() -> None:
        at = 0
        while not stop.is_set():
            at += 1
            members[str(at % 70)] = [at]
            members.pop(str((at + 35) % 70), None)
            elements.append(at)
            if len(elements) > 60:
                del elements[:]
            objects.add(at % 99)
            objects.discard((at + 50) % 99)

    threads = [threading.Thread(target=change) for _ in range(3)]
    for thread in threads:
        thread.start()
    guard = Guard()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        try:
            guard.after_call(guard.before_call("t", value), value)
        except RuntimeError as error:
            # Sets are read by their iterator, which notices a change.
            assert "changed size" in str(error)
    stop.set()
    for thread in threads:
        thread.join()


def test_a_hundred_threads_share_a_guard() -> None:
    guard = Guard()
    long = "x" * 100_000
    lines: list[int] = []
    errors: list[BaseException] = []

    def work(at: int) -> None:
        try:
            for turn in range(20):
                text = long if turn % 5 == 0 else "short"
                before = guard.before_call("t", {"at": at, "turn": turn, "text": text}, agent=f"agent-{at % 7}")
                after = guard.after_call(before, f"{at} {turn}")
                lines.extend([before.line, after.line])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert sorted(lines) == list(range(1, 4_001))


def run(program: str) -> str:
    """Runs a program with a new interpreter, and returns what it prints."""
    words = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this platform")
def test_a_guard_works_or_fails_in_a_forked_process_and_never_waits_for_ever() -> None:
    run(
        """
        import os, signal, threading, warnings
        from unstuck import Guard
        warnings.simplefilter("ignore")
        guard, quiet = Guard(fail="closed"), Guard()
        stop = threading.Event()
        def work():
            text = "x" * 5_000_000
            at = 0
            while not stop.is_set():
                at += 1
                guard.before_call("t", {"text": text, "at": at})
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads: thread.start()
        seen = set()
        for _ in range(30):
            child = os.fork()
            if child == 0:
                signal.alarm(30)
                assert quiet.before_call("t", {}).permits
                assert Guard().before_call("t", {"text": "x" * 100_000}).permits
                try:
                    guard.before_call("t", {})
                    os._exit(7)
                except Exception as error:
                    os._exit(8 if type(error).__name__ == "EngineError" and "fork" in str(error) else 9)
            _, status = os.waitpid(child, 0)
            assert os.WIFEXITED(status), status
            seen.add(os.WEXITSTATUS(status))
        stop.set()
        for thread in threads: thread.join()
        assert seen <= {7, 8}, seen
        assert guard.before_call("t", {}).permits
        """
    )


def test_a_second_interpreter_is_refused_or_works() -> None:
    pytest.importorskip("_xxsubinterpreters")
    printed = run(
        """
        import _xxsubinterpreters as interpreters
        import unstuck
        other = interpreters.create()
        try:
            interpreters.run_string(other, "import unstuck; unstuck.Guard().before_call('t', {})")
            print("works")
        except interpreters.RunFailedError as error:
            assert "ImportError" in str(error), error
            print("refused")
        interpreters.destroy(other)
        assert unstuck.Guard().before_call("t", {}).permits
        """
    )
    assert printed.strip() in ("works", "refused")


def test_guards_and_decisions_stay_in_their_process() -> None:
    guard = Guard()
    decision = guard.before_call("t", {})
    for thing in (guard, decision, classic.ToolLoopDetector()):
        for way in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError):
                way(thing)


def test_guards_that_are_thrown_away_while_they_work_leave_nothing_behind() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def work(times: int) -> None:
        for at in range(times):
            guard = Guard(clock=lambda: 0)
            before = guard.before_call("t", {"at": at, "text": "x" * 10_000})
            with pytest.raises(ValueError):
                guard.after_call(before, "x", status="unknown")
            assert isinstance(guard.snapshot(), bytes)

    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of this process cannot be read")
    work(200)
    before = resident()
    work(2_000)
    assert resident() - before < 8 << 20


class Interrupted(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers on this platform")
def test_a_signal_ends_a_scan(tmp_path: Path) -> None:
    line = '{"event":"call","id":"1","tool":"search","args":{"q":"salt"}}\n{"event":"result","id":"1","output":"no hits"}\n'
    place = tmp_path / "run.jsonl"
    place.write_text(line * 500_000)

    def interrupt(_: int, __: FrameType | None) -> None:
        raise Interrupted

    guard = Guard()
    started = time.monotonic()
    guard.scan_text(place)
    whole = time.monotonic() - started
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, whole / 20)
        started = time.monotonic()
        with pytest.raises(Interrupted):
            guard.scan_text(place)
        took = time.monotonic() - started
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # The whole scan takes about a second; signals are asked for ten times in each.
    assert took < max(whole / 2, 0.5), f"{took:.2f} s of {whole:.2f} s"
    assert isinstance(guard.before_call("t", {}), Decision)
