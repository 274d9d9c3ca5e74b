"""LangChain with the scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MODEL
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.tools import StructuredTool, tool
from langgraph.errors import GraphBubbleUp
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from suite import RAN, TOOLS, Suite, remarks, sound, text_of

from unstuck import Halted
from unstuck.adapters import Runs, guard_tool
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

    def test_arguments_that_are_no_json_are_seen(self) -> None:
        assert "LOOP_DETECTED" in self.go("scenario:malformed")
        assert "[unstuck]" in text_of(MODEL.requests[-1])
        sound(MODEL.requests)

    def test_an_interrupt_is_no_failure(self) -> None:
        run = LoopGuard().begin()
        for _ in range(12):
            with pytest.raises(GraphBubbleUp), run.call("ask", {"key": "a"}, "c1"):
                raise GraphBubbleUp
        assert (run.remarks(), run.halted) == (None, None)

    def test_sub_agents_of_deepagents_are_agents_of_the_swarm(self) -> None:
        guard = LoopGuard()
        worker: Any = {
            "name": "worker",
            "description": "Looks things up.",
            "system_prompt": "You look things up.",
            "tools": tools(),
            "middleware": [guard],
        }
        deep = create_deep_agent("openai:scripted", tools(), middleware=[guard], subagents=[worker])
        result = deep.invoke({"messages": [("user", "scenario:task")]})
        assert result["messages"][-1].text == "finished"
        assert RAN["a"] == 10
        assert len(MODEL.of("loop")) == 18
        answers = [item.text for item in MODEL.of("task")[-1] if item.kind == "result"]
        assert ["LOOP_DETECTED" in answer for answer in answers] == [True, True]

    def test_guard_tool_guards_the_tools_of_a_graph(self) -> None:
        guarded = [guard_tool(function) for function in TOOLS]
        model = init_chat_model("openai:scripted").bind_tools(guarded)
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
        graph.add_node("tools", ToolNode(guarded))
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", tools_condition)
        graph.add_edge("tools", "model")
        with Runs(on_halt="raise").begin(), pytest.raises(Halted):
            graph.compile().invoke({"messages": [("user", "scenario:loop")]}, {"recursion_limit": 60})
        assert RAN["a"] == 5
        assert [remarks(request) for request in MODEL.requests] == [0, 0, 0, 1, 2, 3, 3, 3, 3]
        sound(MODEL.requests)
