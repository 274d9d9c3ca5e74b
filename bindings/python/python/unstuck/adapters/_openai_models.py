"""Models of the OpenAI Agents SDK that read remarks, and answer in a run that is to end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, FunctionTool, Model, ModelProvider, ModelResponse, Usage
from openai.types.responses import Response, ResponseCompletedEvent, ResponseOutputMessage, ResponseOutputText

from .._guard import Halted
from .._runs import Run, present_run
from ._openai_tools import arguments, guard_tool


class GuardedProvider(ModelProvider):
    def __init__(self, provider: ModelProvider) -> None:
        self.provider = provider
        self.aclose = provider.aclose

    def get_model(self, model_name: str | None) -> Model:
        return GuardedModel(self.provider.get_model(model_name))


class GuardedModel(Model):
    """A model that reads remarks, and answers in a run that is to end. Without a run it is the model itself."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.close = model.close
        self.get_retry_advice = model.get_retry_advice
        self._cleanup_on_run_end = model._cleanup_on_run_end

    def __getattr__(self, name: str) -> Any:
        if name == "model":  # A copy that is being made has none yet.
            raise AttributeError(name)
        return getattr(self.model, name)

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


def guard_models(agent: Any, known: set[int]) -> None:
    """Guards the models that agents have as objects: the provider never sees these."""
    if not isinstance(agent, Agent) or id(agent) in known:
        return
    known.add(id(agent))
    if isinstance(agent.model, Model) and not isinstance(agent.model, GuardedModel):
        agent.model = GuardedModel(agent.model)
    for handoff in agent.handoffs:
        reference = getattr(handoff, "_agent_ref", None)
        guard_models(handoff if reference is None else reference(), known)
    for tool in agent.tools:
        guard_models(getattr(tool, "_agent_instance", None), known)


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
        if isinstance(tool, FunctionTool):
            guard_tool(tool)
    known = {getattr(one, "name", None) for one in tools} | {one.tool_name for one in handoffs}
    for item in output:
        if item.type == "message":
            run.text("".join(getattr(part, "text", "") for part in item.content))
        elif item.type == "function_call" and item.name not in known:
            run.refused(item.name, arguments(item.arguments), f"Tool '{item.name}' not found.", item.call_id)


def _option(name: str, place: int, rest: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """An argument of a model, which one way of running passes by name and the other by place."""
    return options[name] if name in options else rest[place]
