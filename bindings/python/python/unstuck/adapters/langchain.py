"""LangChain and LangGraph: a middleware for ``create_agent``, and for the agents and sub-agents of deepagents."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from typing_extensions import NotRequired

from .._runs import CallOutcome, Run, Runs


class _State(AgentState[Any]):
    unstuck_run: NotRequired[Annotated[str, PrivateStateAttr]]


class LoopGuard(Runs, AgentMiddleware[Any, Any, Any]):
    """Guards the agents that have this middleware. The settings are those of :class:`unstuck.Guard`."""

    state_schema = _State
    pauses = (GraphBubbleUp,)

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        key = uuid4().hex
        self.of(key)
        return {"unstuck_run": key}

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        run = self._run(state)
        if (answer := run.step()) is not None:
            return {"jump_to": "end", "messages": [AIMessage(answer)]}
        remarks = run.remarks()
        return {"messages": [HumanMessage(remarks, name="unstuck")]} if remarks else None

    def after_model(self, state: Any, runtime: Any) -> None:
        run = self._run(state)
        message = next((one for one in reversed(state["messages"]) if isinstance(one, AIMessage)), None)
        if message is None:
            return
        run.text(message.text)
        for call in message.invalid_tool_calls:
            error = f"Invalid arguments: {call['error'] or 'not JSON'}"
            run.refused(call["name"] or "", call["args"], error, call["id"])

    def after_agent(self, state: Any, runtime: Any) -> None:
        self.end(state["unstuck_run"])

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        asked = request.tool_call
        with self._run(request.state).call(asked["name"], asked["args"], asked["id"], request.tool) as call:
            return _denied(asked, call) or _ran(handler(request), call)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        asked = request.tool_call
        with self._run(request.state).call(asked["name"], asked["args"], asked["id"], request.tool) as call:
            return _denied(asked, call) or _ran(await handler(request), call)

    def _run(self, state: Any) -> Run:
        return self.of(state["unstuck_run"])


def _denied(asked: Any, call: CallOutcome) -> ToolMessage | None:
    if call.denial is None:
        return None
    return ToolMessage(call.denial, tool_call_id=asked["id"], name=asked["name"], status="error")


def _ran(result: Any, call: CallOutcome) -> Any:
    updates = getattr(result, "update", None)
    messages = [result] if updates is None else list(dict(updates or {}).get("messages", []))
    texts = [message for message in messages if isinstance(message, ToolMessage)]
    call.output = texts[0].content if len(texts) == 1 else [message.content for message in texts]
    if any(message.status == "error" for message in texts):
        call.error = call.output
    return result
