"""Strands Agents with the scripted model."""

from __future__ import annotations

from typing import Any

from strands import Agent, tool
from strands.models.openai import OpenAIModel
from suite import TOOLS, Suite

from unstuck.adapters.strands import LoopGuard


def tools() -> list[Any]:
    return [tool(function) for function in TOOLS]


@tool
def research(input: str) -> str:
    """Asks a sub-agent."""
    return str(agent(LoopGuard(), tools(), "worker")(input))


def agent(guard: LoopGuard, offered: list[Any], name: str = "main") -> Agent:
    return Agent(OpenAIModel(model_id="scripted"), tools=offered, hooks=[guard], name=name, callback_handler=None)


class TestStrands(Suite):
    example = "strands_agent.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        guarded = agent(LoopGuard(**settings), [*tools(), research])
        if not stream:
            return str(await guarded.invoke_async(prompt))
        result = None
        async for event in guarded.stream_async(prompt):
            result = event.get("result", result)
        return str(result)

    def test_a_tool_that_the_program_calls_runs(self) -> None:
        guarded = agent(LoopGuard(), tools())
        result = guarded.tool.look_up(key="a")
        assert result["content"] == [{"text": "value of a"}]
