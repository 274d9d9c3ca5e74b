"""``guard_tool`` in a framework that has no adapter: smolagents, with the scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MODEL
from smolagents import OpenAIModel, ToolCallingAgent, tool
from suite import RAN, text_of

from unstuck.adapters import Run, Runs, guard_tool


@tool
def look_up(key: str) -> str:
    """Looks a key up.

    Args:
        key: The key.
    """
    RAN[key] += 1
    return f"value of {key}"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    MODEL.clear()
    RAN.clear()


class Guarded(type(look_up)):  # type: ignore[misc]
    """The tool, with a function that is guarded."""

    def __init__(self) -> None:
        self.__dict__.update(look_up.__dict__)
        self.forward = guard_tool(look_up.forward, name=look_up.name)


def agent(run: Run) -> ToolCallingAgent:
    def end(step: Any, agent: Any) -> None:
        if run.halted is not None:
            agent.interrupt()

    model = OpenAIModel("scripted")
    return ToolCallingAgent([Guarded()], model, max_steps=50, step_callbacks=[end], verbosity_level=0)


def test_a_loop_is_nudged_then_denied_then_ended() -> None:
    with Runs().begin() as run, pytest.raises(Exception, match="interrupted"):
        agent(run).run("scenario:loop")
    assert RAN["a"] == 5
    assert len(MODEL.requests) == 9
    last = text_of(MODEL.requests[-1])
    assert "returned the same result 3 times: `value of a`" in last
    assert last.count("[unstuck] This call was not run") == 3
    assert run.halted is not None


def test_forty_healthy_calls_are_untouched() -> None:
    with Runs().begin() as run:
        assert agent(run).run("scenario:healthy") == "finished"
    assert sum(RAN.values()) == 40
    assert "unstuck" not in text_of(MODEL.requests[-1])
