"""Pydantic AI: a capability of an agent."""

from __future__ import annotations

import copy
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, SkipToolExecution
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

from .._guard import Halted
from .._runs import Run, Runs


class LoopGuard(Runs, AbstractCapability[Any]):
    """Guards the agents that have this capability. The settings are those of :class:`unstuck.Guard`."""

    pauses = (ApprovalRequired, CallDeferred)
    _run: Run

    async def for_run(self, ctx: Any) -> LoopGuard:
        guard = copy.copy(self)
        guard._run = self.begin(ctx.agent.name if ctx.agent else None)
        return guard

    async def wrap_model_request(self, ctx: Any, *, request_context: Any, handler: Any) -> ModelResponse:
        run, parameters = self._run, request_context.model_request_parameters
        if (answer := run.step()) is not None and run.halted is not None:
            if not parameters.allow_text_output or parameters.output_object is not None:
                raise Halted(run.halted)  # The agent has to give an answer of a type.
            return ModelResponse(parts=[TextPart(answer)], model_name="unstuck")
        last = ctx.messages[-1]
        if isinstance(last, ModelRequest) and (remarks := run.remarks()):
            last.parts = [*last.parts, UserPromptPart(remarks)]
        response: ModelResponse = await handler(request_context)
        run.text(response.text or "")
        for call in response.tool_calls:
            if call.tool_name not in parameters.tool_defs:
                run.refused(call.tool_name, call.args, f"Unknown tool name: {call.tool_name!r}", call.tool_call_id)
        return response

    async def wrap_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        try:
            return await handler(args)
        except Exception as error:
            self._run.refused(call.tool_name, args, f"Invalid arguments: {error}", call.tool_call_id)
            raise

    async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        with self._run.call(call.tool_name, args, call.tool_call_id, tool_def) as judged:
            if judged.denial is not None:
                raise SkipToolExecution(judged.denial)
            judged.output = await handler(args)
        return judged.output
