"""Strands Agents: hooks of an agent."""

from __future__ import annotations

from typing import Any

from strands.hooks import (
    AfterModelCallEvent,
    AfterToolCallEvent,
    AfterToolsEvent,
    BeforeInvocationEvent,
    BeforeModelCallEvent,
    BeforeToolCallEvent,
    HookProvider,
    HookRegistry,
)

from .._runs import Run, Runs


class LoopGuard(Runs, HookProvider):
    """Guards the agents that have these hooks. The settings are those of :class:`unstuck.Guard`."""

    def register_hooks(self, registry: HookRegistry, **kwargs: Any) -> None:
        registry.add_callback(BeforeInvocationEvent, self._begin)
        registry.add_callback(BeforeModelCallEvent, self._before_model)
        registry.add_callback(AfterModelCallEvent, self._after_model)
        registry.add_callback(BeforeToolCallEvent, self._before_tool)
        registry.add_callback(AfterToolCallEvent, self._after_tool)
        registry.add_callback(AfterToolsEvent, self._after_tools)

    def _begin(self, event: BeforeInvocationEvent) -> None:
        event.invocation_state[_key(event)] = self.begin(event.agent.name)

    def _before_model(self, event: BeforeModelCallEvent) -> None:
        if answer := self._run(event).step():
            event.cancel = answer

    def _after_model(self, event: AfterModelCallEvent) -> None:
        if event.stop_response is not None:
            self._run(event).text(_text(event.stop_response.message["content"]))

    def _before_tool(self, event: BeforeToolCallEvent) -> None:
        use = event.tool_use
        if denial := self._run(event).before(use["name"], use["input"], use["toolUseId"], event.selected_tool):
            event.cancel_tool = denial

    def _after_tool(self, event: AfterToolCallEvent) -> None:
        content = event.result["content"]
        output = _text(content) if all("text" in part for part in content) else content
        failed = event.result["status"] == "error"
        self._run(event).after(event.tool_use["toolUseId"], output, error=output if failed else None)

    def _after_tools(self, event: AfterToolsEvent) -> None:
        if remarks := self._run(event).remarks():
            event.message["content"].append({"text": remarks})

    def _run(self, event: Any) -> Run:
        run = event.invocation_state.get(_key(event))
        if run is None:  # A tool that the program itself calls is not in an invocation.
            run = event.invocation_state[_key(event)] = self.begin(event.agent.name)
        return run


def _key(event: Any) -> str:
    # Agents that run inside a tool may have the state of the outer one.
    return f"unstuck_run_{id(event.agent)}"


def _text(content: Any) -> str:
    return "\n".join(part["text"] for part in content if "text" in part)
