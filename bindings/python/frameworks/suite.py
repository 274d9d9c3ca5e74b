"""What every adapter must show, with its framework and the scripted model.

A framework's test file has a class that inherits :class:`Suite` and says how its framework runs an agent.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from conftest import MODEL
from scripted import Item

from unstuck import Halted
from unstuck.adapters import Run, loop_key

#: Clients of providers keep connections, which belong to one loop.
LOOP = asyncio.new_event_loop()

#: The page that shows the examples.
GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "adapters.md"

#: Calls that ran, by their arguments.
RAN: Counter[str] = Counter()


def look_up(key: str) -> str:
    """Looks a key up."""
    RAN[key] += 1
    return f"value of {key}"


def count(word: str) -> str:
    """Counts a word."""
    RAN[word] += 1
    return "3"


def fail(key: str) -> str:
    """Fails."""
    RAN[key] += 1
    raise RuntimeError(f"no entry {key}")


@loop_key(["job"])
def job_status(job: str, request_id: str) -> str:
    """Says how far a job is."""
    RAN[job] += 1
    return "no such job"


TOOLS = [look_up, count, fail, job_status]


class Suite:
    #: Whether the framework gives the model an exception of a tool, or raises it.
    answers_exceptions = True
    #: Whether the model reads of an unknown tool and goes on.
    answers_unknown = True
    #: Whether arguments that do not fit the tool are answered and the run goes on.
    answers_invalid = True
    #: Whether the tool `research` runs a sub-agent.
    delegates = True
    #: Whether the framework itself ends a run that loops.
    ends_itself = False
    #: Whether a run can be streamed.
    streams = True
    #: Settings of all guards here.
    settings: dict[str, Any] = {}
    #: Calls of a loop that run, of which the last ``nudged`` are nudged, and calls that are denied before one ends the run.
    ran = 5
    nudged = 3
    denied = 3
    #: Requests after the one whose call ends the run.
    extra = 0
    #: What ``on_halt="raise"`` raises, or has as its cause.
    halted: type[Exception] = Halted
    #: File of the example.
    example = ""

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        """Runs an agent with ``TOOLS`` and with these settings of the guard, and returns its final answer."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _fresh(self) -> None:
        MODEL.clear()
        RAN.clear()

    def go(self, prompt: str, **options: Any) -> str:
        return LOOP.run_until_complete(asyncio.wait_for(self.run(prompt, **self.settings, **options), 120))

    @pytest.mark.parametrize("stream", [False, True])
    def test_a_loop_is_nudged_then_denied_then_ended(self, stream: bool) -> None:
        if stream and not self.streams:
            pytest.skip("the framework does not stream")
        answer = self.go("scenario:loop", stream=stream)
        assert RAN["a"] == self.ran
        assert len(MODEL.requests) == self.ran + self.denied + 1 + self.extra
        loop = MODEL.requests[: self.ran + self.denied + 1]
        alone = [0] * (self.ran - self.nudged)
        nudges = list(range(self.nudged + 1))
        assert [remarks(request) for request in loop] == alone + nudges + [self.nudged] * self.denied
        assert [denials(request) for request in loop] == [0] * self.ran + list(range(self.denied + 1))
        assert f"returned the same result {len(alone) + 1} times: `value of a`" in text_of(loop[len(alone) + 1])
        assert "LOOP_DETECTED" in answer
        sound(MODEL.requests)

    @pytest.mark.parametrize("stream", [False, True])
    def test_forty_healthy_calls_are_untouched(self, stream: bool) -> None:
        if stream and not self.streams:
            pytest.skip("the framework does not stream")
        assert "finished" in self.go("scenario:healthy", stream=stream)
        assert sum(RAN.values()) == 40
        assert len(MODEL.requests) == 41
        assert "unstuck" not in text_of(MODEL.requests[-1])
        sound(MODEL.requests)

    def test_remarks_stand_behind_the_results_of_all_parallel_calls(self) -> None:
        answer = self.go("scenario:parallel")
        assert "LOOP_DETECTED" in answer
        assert 3 <= RAN["a"] + RAN["b"] + RAN["c"] <= 36
        assert max(map(remarks, MODEL.requests)) >= 1
        sound(MODEL.requests)

    def test_a_tool_that_raises_is_a_failed_call(self) -> None:
        if not self.answers_exceptions:
            with pytest.raises(Exception, match="no entry a"):
                self.go("scenario:failing")
            assert RAN["a"] == 1
            return
        assert "LOOP_DETECTED" in self.go("scenario:failing")
        assert max(map(remarks, MODEL.requests)) >= 1
        assert RAN["a"] < 9
        sound(MODEL.requests)

    def test_concurrent_runs_do_not_mix(self) -> None:
        async def all_at_once() -> list[str]:
            prompts = ["scenario:loop", "scenario:healthy", "scenario:loop", "scenario:healthy"]
            return list(await asyncio.gather(*(self.run(prompt, **self.settings) for prompt in prompts)))

        answers = LOOP.run_until_complete(asyncio.wait_for(all_at_once(), 240))
        assert ["LOOP_DETECTED" in answer for answer in answers] == [True, False, True, False]
        assert RAN["a"] == 2 * self.ran
        assert RAN["39"] == 2
        assert len(MODEL.of("loop")) == 2 * (self.ran + self.denied + 1 + self.extra)
        assert all("unstuck" not in text_of(request) for request in MODEL.of("healthy"))

    def test_runs_after_each_other_begin_afresh(self) -> None:
        assert "LOOP_DETECTED" in self.go("scenario:loop")
        assert "finished" in self.go("scenario:healthy")
        assert "unstuck" not in text_of(MODEL.requests[-1])
        assert "LOOP_DETECTED" in self.go("scenario:loop")
        assert RAN["a"] == 2 * self.ran

    def test_a_call_of_an_unknown_tool_is_seen(self) -> None:
        if not self.answers_unknown:
            with pytest.raises(Exception, match="no_such_tool"):
                self.go("scenario:unknown")
            return
        assert "LOOP_DETECTED" in self.go("scenario:unknown")
        assert max(map(remarks, MODEL.requests)) >= 1
        sound(MODEL.requests)

    def test_a_call_with_invalid_arguments_is_seen(self) -> None:
        if not self.answers_invalid:
            with pytest.raises(Exception, match="kye|key|retries"):
                self.go("scenario:invalid")
            return
        assert "LOOP_DETECTED" in self.go("scenario:invalid")
        assert not RAN
        assert max(map(remarks, MODEL.requests)) >= 1
        sound(MODEL.requests)

    def test_a_tool_declares_its_identity(self) -> None:
        # Without the declaration they would be "calls like" each other.
        assert f"{self.ran + self.denied + 1} equal calls of" in self.go("scenario:poll")
        assert RAN["7"] == self.ran

    def test_a_halt_raises_on_request(self) -> None:
        with pytest.raises(Exception) as raised:
            self.go("scenario:loop", on_halt="raise")
        error: BaseException | None = raised.value
        while error is not None and not isinstance(error, self.halted):
            error = error.__cause__ or error.__context__
        assert isinstance(error, self.halted)
        assert "LOOP_DETECTED" in f"{error} {vars(error)}"

    def test_observing_changes_nothing(self) -> None:
        with pytest.raises(Exception, match="not making progress") if self.ends_itself else nullcontext():
            assert self.go("scenario:loop", mode="observe", on_halt="raise")
        assert "unstuck" not in text_of(MODEL.requests[-1])

    def test_a_sub_agent_is_an_agent_of_the_swarm(self, monkeypatch: pytest.MonkeyPatch) -> None:
        if not self.delegates:
            pytest.skip("the framework has no sub-agents that run inside a tool")
        begun: list[Run] = []
        init = Run.__init__

        def recorded(run: Run, *args: Any) -> None:
            init(run, *args)
            begun.append(run)

        monkeypatch.setattr(Run, "__init__", recorded)
        assert "finished" in self.go("scenario:delegate")
        assert len(begun) == 3
        assert len({run.agent for run in begun}) == 3
        assert len({id(run.guard) for run in begun}) == 1
        assert begun[0].halted is None
        assert begun[1].halted is not None

    def test_the_example_runs_as_it_is(self) -> None:
        file = Path(__file__).parent / "examples" / self.example
        text = file.read_text()
        assert len([line for line in text.splitlines() if line.strip()]) <= 15
        assert f"```python\n{text}```" in GUIDE.read_text()
        done = subprocess.run(
            [sys.executable, str(file)], env=os.environ, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "LOOP_DETECTED" in done.stdout


def text_of(request: list[Item]) -> str:
    return "\n".join(item.text for item in request)


def remarks(request: list[Item]) -> int:
    """Number of nudges in what the model reads."""
    return text_of(request).count("[unstuck]") - denials(request)


def denials(request: list[Item]) -> int:
    return text_of(request).count("[unstuck] This call was not run")


def sound(requests: list[list[Item]]) -> None:
    """Every call has its result before anything else is said, and nudges stand behind all results of a step."""
    assert requests
    for request in requests:
        awaited: Counter[str] = Counter()
        for at, item in enumerate(request):
            if item.kind == "call":
                assert item.text
                awaited[item.id] += 1
            elif item.kind == "result":
                assert awaited[item.id] == 1, f"a result without its call: {item}"
                awaited[item.id] = 0
                behind = item.text.replace("[unstuck] This call was not run", "")
                last = at + 1 == len(request) or request[at + 1].kind != "result"
                assert last or "[unstuck]" not in behind, f"a nudge between results: {item}"
            else:
                assert not any(awaited.values()), f"{item} stands before results"
        assert not any(awaited.values()), f"calls without results: {awaited}"


def in_a_thread(function: Any, *args: Any) -> Any:
    """Runs a blocking function without blocking the loop of the test."""
    return asyncio.get_running_loop().run_in_executor(None, function, *args)


__all__ = ["RAN", "TOOLS", "Suite", "in_a_thread", "threading"]
