"""Pydantic AI with the scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MODEL
from pydantic import BaseModel
from pydantic_ai import Agent, Tool
from suite import LOOP, TOOLS, Suite

from unstuck import Halted
from unstuck.adapters.pydantic_ai import LoopGuard


def tools() -> list[Any]:
    metadata: dict[str, Any] = {"job_status": {"loop_key": ["job"]}}
    return [Tool(function, metadata=metadata.get(function.__name__)) for function in TOOLS]


async def research(input: str) -> str:
    """Asks a sub-agent."""
    worker = Agent("openai:scripted", name="worker", tools=tools(), capabilities=[LoopGuard()])
    return (await worker.run(input)).output


def agent(guard: LoopGuard, **options: Any) -> Agent[None, Any]:
    return Agent("openai:scripted", tools=[*tools(), research], capabilities=[guard], retries=30, **options)


class TestPydanticAi(Suite):
    answers_exceptions = False
    example = "pydantic_ai_agent.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        guarded = agent(LoopGuard(**settings))
        if not stream:
            return (await guarded.run(prompt)).output
        async with guarded.run_stream(prompt) as streamed:
            return await streamed.get_output()

    def test_an_agent_that_must_give_a_type_raises(self) -> None:
        class Answer(BaseModel):
            value: str

        with pytest.raises(Halted, match="LOOP_DETECTED"):
            LOOP.run_until_complete(agent(LoopGuard(), output_type=Answer).run("scenario:loop"))
        assert len(MODEL.requests) == 9
