"""The OpenAI Agents SDK with the scripted model."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from conftest import MODEL
from openai import AsyncOpenAI
from pydantic import BaseModel
from scripted import LIMIT
from suite import LOOP, RAN, TOOLS, Suite, sound

from unstuck import Halted
from unstuck.adapters import loop_key
from unstuck.adapters._openai_models import GuardedModel
from unstuck.adapters.openai_agents import LoopGuard


def tools() -> list[Any]:
    made = [function_tool(function) for function in TOOLS]
    loop_key(["job"])(made[-1])
    return made


def agent(model: Any = "scripted") -> Agent[Any]:
    worker = Agent(name="worker", model=model, tools=tools())
    research = worker.as_tool("research", "Asks a sub-agent.")
    return Agent(name="main", model=model, tools=[*tools(), research])


class Answer(BaseModel):
    value: str


class TestOpenaiAgents(Suite):
    example = "openai_agents_sdk.py"
    model: Any = "scripted"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        guard = LoopGuard(**settings)
        config = RunConfig(tool_not_found_behavior="return_error_to_model", tracing_disabled=True)
        options = {"run_config": config, "max_turns": 70}
        if not stream:
            return (await guard.run(agent(self.model), prompt, **options)).final_output
        streamed = guard.run_streamed(agent(self.model), prompt, **options)
        async for _ in streamed.stream_events():
            pass
        return streamed.final_output

    def test_without_a_guard_the_tools_are_as_before(self) -> None:
        guarded = agent()
        LOOP.run_until_complete(LoopGuard().run(guarded, "scenario:loop"))
        RAN.clear()
        result = LOOP.run_until_complete(Runner.run(guarded, "scenario:loop", max_turns=70))
        assert (result.final_output, RAN["a"]) == ("gave up", LIMIT)

    def test_an_agent_that_must_give_a_type_raises(self) -> None:
        typed = Agent(name="main", model=self.model, tools=tools(), output_type=Answer)
        with pytest.raises(Halted, match="LOOP_DETECTED"):
            LOOP.run_until_complete(LoopGuard().run(typed, "scenario:loop"))
        assert len(MODEL.requests) == 9

    def test_an_agent_that_takes_over_is_guarded(self) -> None:
        worker = Agent(name="worker", model=self.model, tools=tools())
        first = Agent(name="main", model=self.model, handoffs=[worker])
        result = LOOP.run_until_complete(LoopGuard().run(first, "scenario:handoff", max_turns=30))
        assert "LOOP_DETECTED" in result.final_output
        assert (RAN["a"], len(MODEL.requests)) == (5, 10)
        sound(MODEL.requests)


class TestWithAModelThatIsAnObject(TestOpenaiAgents):
    """Chat Completions: no provider is asked for such a model."""

    @property
    def model(self) -> Any:  # type: ignore[override]
        return OpenAIChatCompletionsModel("scripted", AsyncOpenAI())

    def test_a_guarded_model_is_copied_and_has_what_the_model_has(self) -> None:
        guarded = copy.copy(GuardedModel(self.model))
        assert isinstance(guarded, GuardedModel)
        assert guarded._client is guarded.model._client
