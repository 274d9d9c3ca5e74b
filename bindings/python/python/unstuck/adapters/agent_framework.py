"""Microsoft Agent Framework: middleware of an agent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from agent_framework import (
    AgentContext,
    AgentMiddleware,
    ChatContext,
    ChatMiddleware,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationContext,
    FunctionMiddleware,
    Message,
    ResponseStream,
)

from .._runs import Run, Runs

_Next = Callable[[], Awaitable[None]]
#: The argument for tools under which middleware finds the run.
_KEY = "unstuck_run"


class LoopGuard(Runs):
    """Guards the agents that have its ``middleware``. The settings are those of :class:`unstuck.Guard`."""

    @property
    def middleware(self) -> list[Any]:
        """The middleware for an agent, of its runs, its requests to the model and its tools."""
        return [_Agents(self), _Requests(), _Tools()]


class _Agents(AgentMiddleware):
    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    async def process(self, context: AgentContext, call_next: _Next) -> None:
        run = self._runs.begin(context.agent.name)
        context.client_kwargs = {**(context.client_kwargs or {}), _KEY: run}
        context.function_invocation_kwargs = {**(context.function_invocation_kwargs or {}), _KEY: run}
        await call_next()


class _Requests(ChatMiddleware):
    async def process(self, context: ChatContext, call_next: _Next) -> None:
        run: Run | None = context.kwargs.pop(_KEY, None)  # The client does not know it.
        if run is None:
            await call_next()
            return
        if answer := run.step():
            context.result = _streamed(answer) if context.stream else ChatResponse(messages=_message(answer, "assistant"))
            return
        context.messages = _with_remarks(run, context.messages)
        tools = (context.options or {}).get("tools") or []
        known = {getattr(tool, "name", None) for tool in (tools if isinstance(tools, list) else [tools])}

        def read(response: ChatResponse) -> ChatResponse:
            run.text(response.text or "")
            for content in (content for message in response.messages for content in message.contents):
                if content.type == "function_call" and content.name not in known:
                    error = f'Requested function "{content.name}" not found.'
                    run.refused(content.name or "", content.parse_arguments(), error, content.call_id)
            return response

        context.stream_result_hooks.append(read)
        await call_next()
        if isinstance(context.result, ChatResponse):
            read(context.result)


class _Tools(FunctionMiddleware):
    async def process(self, context: FunctionInvocationContext, call_next: _Next) -> None:
        run: Run | None = context.kwargs.get(_KEY)
        if run is None:
            await call_next()
            return
        id, args = context.metadata.get("call_id"), dict(context.arguments)
        with run.call(context.function.name, args, id, context.function) as call:
            if call.denial is not None:
                context.result = call.denial
                return
            await call_next()
            result = context.result
            call.output = [part.to_dict() for part in result] if isinstance(result, list) else result
            if isinstance(result, list) and all(part.type == "text" for part in result):
                call.output = "\n".join(part.text or "" for part in result)


def _message(text: str, role: str) -> Message:
    return Message(role=role, contents=[Content.from_text(text)])


def _streamed(text: str) -> ResponseStream[ChatResponseUpdate, ChatResponse]:
    async def updates() -> AsyncIterator[ChatResponseUpdate]:
        yield ChatResponseUpdate(contents=[Content.from_text(text)], role="assistant", finish_reason="stop")

    return ResponseStream(updates(), finalizer=ChatResponse.from_updates)


def _with_remarks(run: Run, messages: Any) -> list[Message]:
    """The messages with the remarks of this step and of earlier ones, each where it stood first."""
    answered = [[part.call_id for part in message.contents if part.type == "function_result"] for message in messages]
    last = next((ids[-1] for ids in reversed(answered) if ids), None)
    if last is not None and (remarks := run.remarks()):
        run.placed[last] = remarks
    made: list[Message] = []
    for message, ids in zip(messages, answered, strict=True):
        made.append(message)
        made += [_message(text, "user") for id in ids if (text := run.placed.get(id))]
    return made
