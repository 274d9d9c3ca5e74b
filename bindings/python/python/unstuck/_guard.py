"""The guard, with what is shorter in Python: the context manager, the decorator and the scan."""

from __future__ import annotations

import functools
import inspect
import json
import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, overload

from ._native import Decision
from ._native import Guard as NativeGuard

P = ParamSpec("P")
R = TypeVar("R")

#: Nudges that are kept until ``Guard.messages`` takes them.
_KEPT = 16


@dataclass(frozen=True)
class Call:
    """A call of a tool, for ``Guard.before_call`` and ``Guard.check``."""

    tool: str
    args: Any = field(default_factory=dict[str, Any])
    id: str | None = None


class Denied(Exception):
    """A call must not run. Its text is the message for the model."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.for_model())
        #: The decision about the call.
        self.decision = decision

    def __reduce__(self) -> tuple[Any, ...]:
        # Decisions do not leave the process: what is left of them is the text.
        return (Exception, self.args)


class Halted(Denied):
    """A call must not run, and the run is to end."""


class GuardedCall:
    """One call as a context manager, made by ``Guard.call``.

    The body runs the tool and sets ``output``. A call that is denied raises :class:`Denied` before the body, or
    :class:`Halted` where the run is to end. An exception of the body is the call's error, and goes on.
    """

    def __init__(self, guard: Guard, call: Any, args: Any, options: dict[str, Any]) -> None:
        self._guard = guard
        self._call = call
        self._args = args
        self._options = options
        #: What the tool returned.
        self.output: Any = None
        #: How the call ended, where it is neither ``ok`` nor an exception.
        self.status: str | None = None
        #: Exit code of a command.
        self.exit_code: int | None = None
        #: The decision about the call, within the body and after it.
        self.before: Decision | None = None
        #: The decision about the result, after the body.
        self.after: Decision | None = None

    @property
    def messages(self) -> list[str]:
        """Texts for the model, about the call and about its result."""
        decisions = (self.before, self.after)
        texts = [decision.message for decision in decisions if decision is not None]
        return [text for text in texts if text is not None]

    def for_model(self, output: str | None = None) -> str:
        """Returns the output with the messages behind it."""
        text = str(self.output) if output is None else output
        return "\n\n".join([text, *self.messages])

    def __enter__(self) -> GuardedCall:
        self.before = _permitted(self._guard.before_call(self._call, self._args, **self._options))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.before is None:
            return
        if error is None:
            self.after = self._guard.after_call(
                self.before, self.output, status=self.status, exit_code=self.exit_code
            )
        elif isinstance(error, Exception):
            self.after = self._guard.after_call(self.before, error=error)
        else:
            # A cancelled task, an interrupt: nothing is known about the tool.
            self.after = self._guard.after_call(self.before, status="cancelled")

    async def __aenter__(self) -> GuardedCall:
        return self.__enter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.__exit__(kind, error, trace)


class Guard(NativeGuard):
    """Watches agents and answers every event with a :class:`Decision`.

    ``preset`` is ``standard``, ``ironcurtain``, ``attractor``, ``attocode`` or ``tool-loop-detector``. Further keyword
    arguments are the keys of ``unstuck.toml``: ``Guard(mode="observe", rules={"budget": {"steps": 200}})``; ``config`` is
    the path of such a file, which the keyword arguments are laid over. Settings with a mistake raise ``ValueError``.

    ``session``, ``agent`` and ``swarm`` name the agent of events that name none. ``clock`` returns the milliseconds of events
    that have no ``at``: the system's time unless given, ``False`` for events without time.

    ``fail="closed"`` raises :class:`EngineError` should the engine itself fail; without it, such a guard warns and answers
    ``allow`` with the reason in ``Decision.error``, until ``reset``.

    A guard may be shared by threads and tasks.
    """

    @functools.cached_property
    def _messages(self) -> deque[str]:
        return deque(maxlen=_KEPT)

    def call(self, call: Any, args: Any = None, **options: Any) -> GuardedCall:
        """Returns a context manager that asks before its body and reports after it.

        >>> guard = Guard()
        >>> with guard.call("add", {"a": 1, "b": 2}) as call:
        ...     call.output = 1 + 2
        >>> call.after.verdict
        'allow'
        """
        return GuardedCall(self, call, args, options)

    @overload
    def tool(self, function: Callable[P, R], /) -> Callable[P, R]: ...

    @overload
    def tool(
        self,
        /,
        *,
        name: str | None = None,
        key: Callable[..., str] | None = None,
        read_only: bool | None = None,
        on_message: Callable[[str], object] | None = None,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...

    def tool(
        self,
        function: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        key: Callable[..., str] | None = None,
        read_only: bool | None = None,
        on_message: Callable[[str], object] | None = None,
    ) -> Any:
        """Guards a function, plain or ``async``.

        A call that is denied raises :class:`Denied`, or :class:`Halted` where the run is to end. A message about a call that
        runs is appended to its result where that is a string; otherwise it is given to ``on_message``, or kept for
        ``messages``. ``key`` gets the arguments and returns the identity of the call in their place.
        """

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(function)
            tool_name = name or getattr(function, "__name__", type(function).__name__)

            def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> GuardedCall:
                options: dict[str, Any] = {"read_only": read_only}
                if key is not None:
                    options["key"] = key(*args, **kwargs)
                return self.call(tool_name, _arguments(signature, args, kwargs), **options)

            def end(call: GuardedCall) -> Any:
                if isinstance(call.output, str):
                    return call.for_model(call.output)
                for message in call.messages:
                    if on_message is None:
                        self._messages.append(message)
                    else:
                        on_message(message)
                return call.output

            if inspect.iscoroutinefunction(function):

                @functools.wraps(function)
                async def guarded_async(*args: Any, **kwargs: Any) -> Any:
                    async with begin(args, kwargs) as call:
                        call.output = await function(*args, **kwargs)
                    return end(call)

                return guarded_async

            @functools.wraps(function)
            def guarded(*args: Any, **kwargs: Any) -> Any:
                with begin(args, kwargs) as call:
                    result = function(*args, **kwargs)
                    if inspect.isgenerator(result) or inspect.isasyncgen(result):
                        # What it will yield is not known, and equal ones do not look equal.
                        call.status = "pending"
                    else:
                        call.output = result
                return result if call.status == "pending" else end(call)

            return guarded

        return decorate if function is None else decorate(function)

    def user(self, *, session: str | None = None, agent: str | None = None, at: int | None = None) -> Decision:
        """Reports a message of a person. It does not lift a halt."""
        return self.event("user", session=session, agent=agent, at=at)

    def retry(self, *, session: str | None = None, agent: str | None = None, at: int | None = None) -> Decision:
        """Reports that the provider replays the turn: the calls since the last turn are discarded."""
        return self.event("retry", session=session, agent=agent, at=at)

    def compaction(self, *, session: str | None = None, agent: str | None = None, at: int | None = None) -> Decision:
        """Reports that the context was compacted."""
        return self.event("compaction", session=session, agent=agent, at=at)

    def resume(self, *, session: str | None = None, agent: str | None = None, at: int | None = None) -> Decision:
        """Reports that the session goes on in a new process."""
        return self.event("resume", session=session, agent=agent, at=at)

    def reset(self, *, session: str | None = None, agent: str | None = None, at: int | None = None) -> Decision:
        """Forgets everything about the agent and lifts a halt. An engine that failed starts afresh."""
        return self.event("reset", session=session, agent=agent, at=at)

    def messages(self) -> list[str]:
        """Returns the messages that no result could carry, and forgets them. At most the last 16 are kept."""
        taken: list[str] = []
        while self._messages:
            taken.append(self._messages.popleft())
        return taken

    def scan(self, *paths: str | os.PathLike[str]) -> dict[str, Any]:
        """Reads recordings under the settings of this guard and returns the report of ``unstuck scan --format json``."""
        report: dict[str, Any] = json.loads(self.scan_text(*paths))
        return report


def scan(*paths: str | os.PathLike[str], preset: str | None = None, **settings: Any) -> dict[str, Any]:
    """Reads recordings, finds out which went in circles, and returns the report of ``unstuck scan --format json``."""
    return Guard(preset, **settings).scan(*paths)


def _permitted(decision: Decision) -> Decision:
    if decision.halts:
        raise Halted(decision)
    if not decision.permits:
        raise Denied(decision)
    return decision


def _arguments(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The arguments of a call by name, with defaults, and without the object that a method belongs to."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        # The call itself raises the better error.
        return {"args": list(args), "kwargs": kwargs}
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    first = next(iter(signature.parameters), None)
    if first in ("self", "cls"):
        arguments.pop(first, None)
    return arguments
