"""The founding classes: their vectors, and the same answers as literal implementations on random calls."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
from dataclasses import dataclass
from typing import Any

import literal
import pytest

from unstuck import classic
from unstuck.classic import (
    CallCircuitBreaker,
    CycleDetector,
    LoopDetector,
    SharedEconomicsState,
    SpecWindow,
    StepLoopDetector,
    ToolLoopDetector,
)

logger = logging.getLogger(__name__)


@dataclass
class ToolCall:
    id: str
    name: str
    input: dict[str, Any]


class Llm:
    """A model that makes one call again and again."""

    async def complete_with_tools_messages(self) -> tuple[str, list[dict[str, Any]]]:
        return "", [{"id": "1", "name": "read_file", "input": {"path": "a.py"}}]


class Executor:
    def __init__(self) -> None:
        self.ran = 0

    async def execute(self, call: ToolCall) -> str:
        self.ran += 1
        return "text"


class Explorer:
    """The usage pattern of the document, with its own lines."""

    def __init__(self) -> None:
        self.llm, self.executor, self.max_turns = Llm(), Executor(), 15

    async def run(self) -> None:
        detector = ToolLoopDetector()

        for turn in range(self.max_turns):
            text, tool_calls_raw = await self.llm.complete_with_tools_messages()

            if not tool_calls_raw:
                break

            for tc in tool_calls_raw:
                call = ToolCall(id=tc["id"], name=tc["name"], input=tc["input"])
                detector.record(call.name, call.input)   # ← record before executing
                result = await self.executor.execute(call)

            if detector.is_stuck():
                logger.warning("Agent stuck in loop, breaking")
                break


def test_the_usage_pattern_of_the_document_runs_as_written(caplog: pytest.LogCaptureFixture) -> None:
    explorer = Explorer()
    asyncio.run(explorer.run())
    assert explorer.executor.ran == 3
    assert caplog.messages == ["Agent stuck in loop, breaking"]


def test_the_signature_is_that_of_the_document() -> None:
    signature = inspect.signature(ToolLoopDetector)
    assert {name: parameter.default for name, parameter in signature.parameters.items()} == {
        "repeat_threshold": 3,
        "history_size": 20,
    }
    assert list(inspect.signature(ToolLoopDetector.record).parameters) == ["self", "tool_name", "tool_args"]


@pytest.mark.parametrize(
    ("calls", "stuck"),
    [("AAA", "001"), ("ABABAB", "000011"), ("ABCABCABC", "000000111"), ("A123456789A12345678A", "0" * 19 + "1")],
)
def test_tool_loop_detector_follows_its_vectors(calls: str, stuck: str) -> None:
    detector = ToolLoopDetector()
    answers = ""
    for at, call in enumerate(calls):
        # Digits are calls that come once.
        detector.record("read", {"a": call if call.isalpha() else f"{call}-{at}", "b": 1})
        answers += str(int(detector.is_stuck()))
    assert answers == stuck
    detector.reset()
    assert not detector.is_stuck()


def some_value(choose: random.Random, depth: int = 0) -> Any:
    """A small value; few enough that equal ones come often."""
    kind = choose.randrange(9 if depth < 2 else 6)
    if kind == 0:
        return choose.choice([None, True, False])
    if kind == 1:
        return choose.choice([0, 1, -1, 2**70, 2**70 + 1])
    if kind == 2:
        return choose.choice([0.0, 1.0, -0.0, 0.5, float("inf"), float("nan")])
    if kind in (3, 4, 5):
        return choose.choice(["", "a", "1", "é", "\x00", "null", "\U0001f600"])
    if kind == 6:
        return [some_value(choose, depth + 1) for _ in range(choose.randrange(3))]
    if kind == 7:
        return tuple(some_value(choose, depth + 1) for _ in range(choose.randrange(3)))
    names = choose.sample(["a", "b", "\ue000", "\U0001f600"], choose.randrange(3))
    return {name: some_value(choose, depth + 1) for name in names}


@pytest.mark.parametrize("seed", range(60))
def test_tool_loop_detector_answers_as_its_document(seed: int) -> None:
    choose = random.Random(seed)
    threshold, size = choose.choice([(3, 20), (2, 5), (1, 3), (4, 4)])
    ours, theirs = ToolLoopDetector(threshold, size), literal.ToolLoopDetector(threshold, size)
    for _ in range(80):
        args = some_value(choose)
        ours.record("tool", args)
        theirs.record("tool", args)
        assert ours.is_stuck() == theirs.is_stuck(), args


def test_values_that_json_dumps_gives_to_str_are_compared_by_it() -> None:
    class Path:
        def __str__(self) -> str:
            return "a.py"

    ours, theirs = ToolLoopDetector(), literal.ToolLoopDetector()
    for value in (Path(), "a.py", Path(), b"x", b"x", complex(1, 2), complex(1, 2), b"x"):
        ours.record("read", {"path": value})
        theirs.record("read", {"path": value})
        assert ours.is_stuck() == theirs.is_stuck()
    assert ours.is_stuck()


@pytest.mark.parametrize("seed", range(30))
def test_step_loop_detector_answers_as_the_original(seed: int) -> None:
    choose = random.Random(seed)
    ours, theirs = StepLoopDetector(), literal.StepLoopDetector()
    for _ in range(60):
        code, result = f"c{choose.randrange(4)}", choose.choice(["r1", "r2", None, {"a": 1}, f"n{choose.random()}"])
        assert ours.analyze_step(code, result)["action"] == theirs.analyze_step(code, result)
        assert (ours.is_blocked() is None) == (theirs.blocked is None)
        if choose.random() < 0.02:
            ours.reset()
            theirs.reset()


def test_step_loop_detector_says_what_it_found() -> None:
    detector = StepLoopDetector()
    verdicts = [detector.analyze_step("c1", "r1") for _ in range(8)]
    assert [verdict["action"] for verdict in verdicts] == ["allow"] * 3 + ["warn"] * 2 + ["block"] * 3
    assert "fundamentally different approach" in verdicts[3]["message"]
    assert verdicts[5]["category"] == "full_stagnation" and "LOOP DETECTED" in verdicts[5]["message"]
    assert detector.is_blocked() == verdicts[7]
    # A missing result is an outcome of its own.
    detector.reset()
    assert [detector.analyze_step("c", *result)["action"] for result in ((), ("",), (None,))] == ["allow"] * 3
    strict = StepLoopDetector(stagnation={"warn": 1, "block": 2})
    assert [strict.analyze_step("c", "r")["action"] for _ in range(3)] == ["allow", "warn", "block"]
    with pytest.raises(TypeError, match="unknown threshold"):
        StepLoopDetector(stuck={"wran": 1})  # type: ignore[typeddict-unknown-key]


@pytest.mark.parametrize("seed", range(20))
def test_call_circuit_breaker_answers_as_the_original(seed: int) -> None:
    choose = random.Random(seed)
    options = {"window_ms": 10_000, "threshold": 3, "worker_count": choose.choice([1, 2])}
    ours, theirs = CallCircuitBreaker(**options), literal.CallCircuitBreaker(**options)
    now = 0
    for _ in range(200):
        now += choose.choice([0, 1, 999, 5_000])
        args = {"path": choose.choice("ab"), "n": 1}
        assert ours.check("fs__read", args, now)["allowed"] == theirs.check("fs__read", args, now)


def test_call_circuit_breaker_denies_the_twenty_first_call() -> None:
    breaker = CallCircuitBreaker()
    answers = [breaker.check("read", {"path": "q"}) for _ in range(21)]
    assert [answer["allowed"] for answer in answers] == [True] * 20 + [False]
    assert "CIRCUIT BREAKER" in answers[20]["reason"] and "20 times" in answers[20]["reason"]
    breaker.reset()
    assert breaker.check("read", {"path": "q"}) == {"allowed": True}


@pytest.mark.parametrize("seed", range(30))
def test_loop_detector_answers_as_the_original(seed: int) -> None:
    choose = random.Random(seed)
    ours, theirs = LoopDetector(), literal.LoopDetector()
    for _ in range(80):
        tool, args = choose.choice(
            [
                ("read_file", {"path": "a", "encoding": choose.choice(["x", "y"])}),
                ("bash", {"command": choose.choice(["cat a", "head -5 a", "ls | wc"])}),
            ]
        )
        status = ours.record_tool_call(tool, args)
        assert (status != "clear") == theirs.record_tool_call(tool, args)
        state = ours.state()
        assert (state["consecutive_count"], state["last_tool"]) == (theirs.consecutive_count, tool)
    assert LoopDetector.fingerprint("bash", {"command": "head -5 foo.ts"}) == "bash:file_read:foo.ts"


def test_loop_detector_has_its_prompts() -> None:
    detector = LoopDetector()
    assert detector.prompt() is None
    statuses = [detector.record_tool_call("read_file", {"path": "a"}) for _ in range(6)]
    assert statuses == ["clear", "clear", "detected", "ongoing", "ongoing", "ongoing"]
    prompt = detector.prompt()
    assert prompt is not None and "CRITICAL" in prompt
    detector.reset()
    for at in range(3):
        detector.record_tool_call("bash", {"command": f"make {at}"})
        prompt = detector.record_result("no rule to make target", status="error")
    assert prompt is not None and detector.bash_failures == 3 and detector.test_failures == 0
    assert [detector.record_text_only_turn() is None for _ in range(2)] == [True, False]
    assert detector.text_only_turns == 2


def test_shared_economics_counts_across_workers() -> None:
    ours, theirs = SharedEconomicsState(), literal.SharedEconomicsState()
    args = {"url": "https://api.example/dead"}
    for at in range(10):
        call = ours.record(f"worker-{at % 2}", "web_fetch", args)
        assert ours.is_global_doom_loop(call) == theirs.is_global_doom_loop(
            theirs.record(f"worker-{at % 2}", "web_fetch", args)
        )
    assert ours.get_global_loop_info(call) == {"count": 10, "worker_count": 2}
    assert ours.get_global_loops() == [call]
    assert ours.get_stats() == {"fingerprints": 1, "global_loops": 1}
    prompt = ours.prompt(call)
    assert prompt is not None and "GLOBAL DOOM LOOP" in prompt
    other = SharedEconomicsState()
    other.restore_from(ours.to_json())
    assert other.to_json() == ours.to_json()
    with pytest.raises(ValueError, match="checkpoint"):
        other.restore_from([1])
    other.clear()
    other.record_fingerprint("worker", "a:b")
    assert other.get_stats() == {"fingerprints": 1, "global_loops": 0}
    assert other.get_global_loop_info("c:d") is None


def test_cycle_detector_escalates() -> None:
    detector = CycleDetector()
    calls = [("edit_file", {"path": "src/auth.py"}), ("run_tests", {})] * 4
    answers = [detector.record(*call) for call in calls]
    assert answers[:3] == [None] * 3
    warning = answers[3]
    assert warning is not None
    assert (warning["period"], warning["count"], warning["action"]) == (2, 2, "warn")
    assert warning["pattern"] == ["edit_file src/auth.py", "run_tests"]
    last = answers[-1]
    assert last is not None and (last["action"], last["status"]) == ("force_stop", "LOOP_DETECTED")
    detector.reset()
    detector.user_message()
    assert detector.record("read", {}) is None


def test_spec_window_is_the_check_of_the_specification() -> None:
    window = SpecWindow(6)
    for tool in ["read", "edit", "test", "read", "edit", "test"]:
        assert not window.window_is_loop()
        window.record(tool, {})
    assert window.window_is_loop()
    window.reset()
    assert not window.window_is_loop()


def test_classes_can_be_inherited_from() -> None:
    for name in classic.__all__:
        kind = getattr(classic, name)
        assert kind.__module__ == "unstuck.classic"
        assert type("Mine", (kind,), {})() is not None
