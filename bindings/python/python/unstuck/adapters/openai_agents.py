"""OpenAI Agents SDK: a runner in the place of ``agents.Runner``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    Model,
    ModelProvider,
    ModelResponse,
    RunConfig,
    Runner,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolOutputGuardrail,
    Usage,
)
from openai.types.responses import Response, ResponseCompletedEvent, ResponseOutputMessage, ResponseOutputText

from .._guard import Halted
from .._runs import Run, Runs, present_run, run_of_call


class LoopGuard(Runs):
    """Runs agents as ``Runner`` does, guarded, with those they hand off to and those that are their tools.

    The settings are those of :class:`unstuck.Guard`.
    """

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return await Runner.run(agent, input, **options)

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return Runner.run_sync(agent, input, **options)

    def run_streamed(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return Runner.run_streamed(agent, input, **options)

    @contextmanager
    def _begun(self, agent: Agent[Any], options: dict[str, Any]) -> Iterator[None]:
        given = options.get("run_config") or RunConfig()
        config = RunConfig(**given) if isinstance(given, dict) else given
        model = _Guarded(config.model) if isinstance(config.model, Model) else config.model
        provider = _Provider(config.model_provider)
        options["run_config"] = dataclasses.replace(config, model=model, model_provider=provider)
        _guard_models(agent, set())
        with self.begin(agent.name):
            yield


class _Provider(ModelProvider):
    def __init__(self, provider: ModelProvider) -> None:
        self.provider = provider
        self.aclose = provider.aclose

    def get_model(self, model_name: str | None) -> Model:
        return _Guarded(self.provider.get_model(model_name))


class _Guarded(Model):
    """A model that reads remarks, and answers in a run that is to end. Without a run it is the model itself."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.close = model.close
        self.get_retry_advice = model.get_retry_advice

    async def get_response(self, system_instructions: Any, input: Any, *rest: Any, **options: Any) -> ModelResponse:
        run = present_run()
        if answer := _answer(run, _option("output_schema", 2, rest, options)):
            return ModelResponse(output=[answer], usage=Usage(), response_id=None)
        response = await self.model.get_response(system_instructions, _with_remarks(run, input), *rest, **options)
        _read(run, response.output, rest, options)
        return response

    async def stream_response(
        self, system_instructions: Any, input: Any, *rest: Any, **options: Any
    ) -> AsyncIterator[Any]:
        run = present_run()
        if answer := _answer(run, _option("output_schema", 2, rest, options)):
            made = Response.model_construct(id="unstuck", output=[answer], usage=None)
            yield ResponseCompletedEvent.model_construct(type="response.completed", response=made, sequence_number=0)
            return
        async for event in self.model.stream_response(system_instructions, _with_remarks(run, input), *rest, **options):
            if isinstance(event, ResponseCompletedEvent):
                _read(run, event.response.output, rest, options)
            yield event


def _option(name: str, place: int, rest: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """An argument of a model, which one way of running passes by name and the other by place."""
    return options[name] if name in options else rest[place]


def _guard_models(agent: Any, known: set[int]) -> None:
    """Guards the models that agents have as objects: the provider never sees these."""
    if not isinstance(agent, Agent) or id(agent) in known:
        return
    known.add(id(agent))
    if isinstance(agent.model, Model) and not isinstance(agent.model, _Guarded):
        agent.model = _Guarded(agent.model)
    for handoff in agent.handoffs:
        reference = getattr(handoff, "_agent_ref", None)
        _guard_models(handoff if reference is None else reference(), known)
    for tool in agent.tools:
        _guard_models(getattr(tool, "_agent_instance", None), known)


def _answer(run: Run | None, output_schema: Any) -> ResponseOutputMessage | None:
    answer = run and run.step()
    if run is None or run.halted is None or not answer:
        return None
    if output_schema is not None and not output_schema.is_plain_text():
        raise Halted(run.halted)  # The agent has to give an answer of a type.
    text = ResponseOutputText(text=answer, type="output_text", annotations=[])
    return ResponseOutputMessage(id="unstuck", type="message", role="assistant", status="completed", content=[text])


def _with_remarks(run: Run | None, items: Any) -> Any:
    """The input with the remarks of this step and of earlier ones, each where it stood first."""
    if run is None or isinstance(items, str):
        return items
    answered = [id for item in items if (id := _answered(item))]
    if answered and (remarks := run.remarks()):
        run.placed[answered[-1]] = remarks
    made = []
    for item in items:
        made.append(item)
        if placed := run.placed.get(_answered(item) or "no call"):
            made.append({"role": "user", "content": placed})
    return made


def _answered(item: Any) -> str | None:
    """The id of the call whose result an item is."""
    is_result = isinstance(item, dict) and str(item.get("type")).endswith("_output")
    return item.get("call_id") if is_result else None


def _read(run: Run | None, output: Any, rest: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Sees calls of unknown tools, and guards the tools that the model was offered before they run."""
    if run is None:
        return
    tools, handoffs = _option("tools", 1, rest, options), _option("handoffs", 3, rest, options)
    for tool in tools:
        if isinstance(tool, FunctionTool) and _BEFORE not in (tool.tool_input_guardrails or []):
            tool.tool_input_guardrails = [*(tool.tool_input_guardrails or []), _BEFORE]
            tool.tool_output_guardrails = [_AFTER, *(tool.tool_output_guardrails or [])]
    known = {getattr(one, "name", None) for one in tools} | {one.tool_name for one in handoffs}
    for item in output:
        if item.type == "message":
            run.text("".join(getattr(part, "text", "") for part in item.content))
        elif item.type == "function_call" and item.name not in known:
            run.refused(item.name, _args(item.arguments), f"Tool '{item.name}' not found.", item.call_id)


def _args(arguments: str) -> Any:
    try:
        return json.loads(arguments or "{}")
    except ValueError:
        return arguments


def _before(data: Any) -> ToolGuardrailFunctionOutput:
    run, call = present_run(), data.context
    declared_by = next((tool for tool in data.agent.tools if tool.name == call.tool_name), None)
    denial = run and run.before(call.tool_name, _args(call.tool_arguments), call.tool_call_id, declared_by)
    return ToolGuardrailFunctionOutput.reject_content(denial) if denial else ToolGuardrailFunctionOutput.allow()


def _after(data: Any) -> ToolGuardrailFunctionOutput:
    failed = str(data.output).startswith("An error occurred while")
    if run := run_of_call(data.context.tool_call_id):
        run.after(data.context.tool_call_id, data.output, error=data.output if failed else None)
    return ToolGuardrailFunctionOutput.allow()


_BEFORE = ToolInputGuardrail(guardrail_function=_before, name="unstuck")
_AFTER = ToolOutputGuardrail(guardrail_function=_after, name="unstuck")
