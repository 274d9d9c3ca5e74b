"""Google ADK: a plugin of a runner or an app."""

from __future__ import annotations

from typing import Any

from google.adk.models import LlmResponse
from google.adk.plugins import BasePlugin
from google.genai import types

from .._runs import OnHalt, Run, Runs


class LoopGuard(Runs, BasePlugin):
    """Guards all agents of the runners that have this plugin. The settings are those of :class:`unstuck.Guard`."""

    def __init__(self, preset: str | None = None, *, on_halt: OnHalt = "answer", **settings: Any) -> None:
        Runs.__init__(self, preset, on_halt=on_halt, **settings)
        BasePlugin.__init__(self, name="unstuck")

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> LlmResponse | None:
        run = self._run(callback_context)
        if answer := run.step():
            return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=answer)]))
        steps = [content for content in llm_request.contents if any(part.function_response for part in content.parts or [])]
        if remarks := run.remarks():
            run.placed[str(len(steps))] = remarks
        for number, content in enumerate(steps, 1):
            if placed := run.placed.get(str(number)):
                # The history keeps the other parts: this request alone gets the text, as will those after it.
                content.parts = [*content.parts, types.Part(text=placed)]
        return None

    async def after_model_callback(self, *, callback_context: Any, llm_response: Any) -> None:
        if llm_response.content and not llm_response.partial:
            texts = [part.text for part in llm_response.content.parts or [] if part.text and not part.thought]
            self._run(callback_context).text("".join(texts))

    async def before_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any) -> dict[str, Any] | None:
        denial = self._run(tool_context).before(tool.name, tool_args, tool_context.function_call_id, tool)
        return {"error": denial} if denial else None

    async def after_tool_callback(self, *, tool: Any, tool_args: Any, tool_context: Any, result: Any) -> None:
        error = result.get("error") if isinstance(result, dict) else None
        self._run(tool_context).after(tool_context.function_call_id, result, error=error)

    async def on_tool_error_callback(self, *, tool: Any, tool_args: Any, tool_context: Any, error: Any) -> None:
        self._run(tool_context).after(tool_context.function_call_id, error=error)

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        self.end(invocation_context.invocation_id)

    def _run(self, context: Any) -> Run:
        return self.of(context.invocation_id).named(context.agent_name)
