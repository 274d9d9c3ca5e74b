"""Guardrails for the function tools of the OpenAI Agents SDK. Outside of a guarded run they do nothing."""

from __future__ import annotations

import json
from typing import Any

from agents import FunctionTool, ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolOutputGuardrail

from .._runs import present_run, run_of_call


def guard_tool(tool: FunctionTool) -> None:
    """Adds the guardrails to a tool that has none of them."""
    if _BEFORE not in (tool.tool_input_guardrails or []):
        tool.tool_input_guardrails = [*(tool.tool_input_guardrails or []), _BEFORE]
        tool.tool_output_guardrails = [_AFTER, *(tool.tool_output_guardrails or [])]


def arguments(text: str) -> Any:
    """Arguments of a call; what is not JSON stays a text."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _before(data: Any) -> ToolGuardrailFunctionOutput:
    run, call = present_run(), data.context
    declared_by = next((tool for tool in data.agent.tools if tool.name == call.tool_name), None)
    denial = run and run.before(call.tool_name, arguments(call.tool_arguments), call.tool_call_id, declared_by)
    return ToolGuardrailFunctionOutput.reject_content(denial) if denial else ToolGuardrailFunctionOutput.allow()


def _after(data: Any) -> ToolGuardrailFunctionOutput:
    failed = str(data.output).startswith("An error occurred while")
    if run := run_of_call(data.context.tool_call_id):
        run.after(data.context.tool_call_id, data.output, error=data.output if failed else None)
    return ToolGuardrailFunctionOutput.allow()


_BEFORE = ToolInputGuardrail(guardrail_function=_before, name="unstuck")
_AFTER = ToolOutputGuardrail(guardrail_function=_after, name="unstuck")
