"""LangChain with the scripted model."""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool, tool
from suite import TOOLS, Suite, in_a_thread

from unstuck.adapters.langchain import LoopGuard


def tools() -> list[Any]:
    made = [StructuredTool.from_function(function, handle_tool_error=True) for function in TOOLS]
    return [*made, research]


@tool
def research(input: str) -> str:
    """Asks a sub-agent."""
    return agent(LoopGuard()).invoke({"messages": [("user", input)]})["messages"][-1].text


def agent(guard: LoopGuard) -> Any:
    return create_agent("openai:scripted", tools(), middleware=[guard])


class TestLangchain(Suite):
    answers_exceptions = False
    example = "langchain_agent.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        asked = {"messages": [("user", prompt)]}
        guarded = agent(LoopGuard(**settings))
        if not stream:
            return (await guarded.ainvoke(asked))["messages"][-1].text
        last = None
        async for kind, part in guarded.astream(asked, stream_mode=["messages", "values"]):
            if kind == "values":
                last = part
        return last["messages"][-1].text

    def test_the_synchronous_hooks_do_the_same(self) -> None:
        result = agent(LoopGuard()).invoke({"messages": [("user", "scenario:loop")]})
        assert "LOOP_DETECTED" in result["messages"][-1].text
