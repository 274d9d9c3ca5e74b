"""What all adapters share: the state of a run, texts for the model, the end of a run, sub-agents, identities of calls."""

from __future__ import annotations

import functools
import inspect
import itertools
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, TypeVar, cast

from ._guard import Guard, Halted
from ._native import Decision, canonical

#: What happens when a run is to end: the reason becomes its final answer, or ``Halted`` is raised.
OnHalt = Literal["answer", "raise"]

T = TypeVar("T")

#: Calls of one agent whose results are awaited, at most.
_OPEN = 4096
#: Runs that are found by a key, at most.
_RUNS = 1024
#: Attributes under which tools of frameworks keep the function.
_FUNCTIONS = ("func", "coroutine", "fn", "function", "_tool_func", "__wrapped__")

#: The run that goes on here, with the id of its call whose tool is running here. What begins inside that is a sub-agent.
_inside: ContextVar[tuple[Run, str | None] | None] = ContextVar("unstuck_run", default=None)


def loop_key(key: Any) -> Callable[[T], T]:
    """Declares what identifies a call of a tool, as a decorator of its function or of the framework's object.

    ``key`` is a function from the arguments, as a dictionary, to a string; or the names of the arguments that matter; or
    ``False`` for a tool whose calls are not to be judged.

    >>> @loop_key(["job"])
    ... def job_status(job: str, request_id: str) -> str: ...
    """

    def declare(tool: T) -> T:
        # Objects of pydantic refuse attributes that are not fields.
        object.__setattr__(tool, "loop_key", key)
        return tool

    return declare


class Runs:
    """The runs of one adapter. The arguments are those of :class:`unstuck.Guard`.

    Every run has a guard of its own. A run that begins inside a tool of another is an agent of that run's swarm, under the
    settings of that run. ``loop_keys`` maps names of tools to what :func:`loop_key` takes.
    """

    #: Exceptions by which a tool waits for something, such as an approval: the call is neither a success nor a failure.
    pauses: tuple[type[BaseException], ...] = ()

    def __init__(
        self,
        preset: str | None = None,
        *,
        on_halt: OnHalt = "answer",
        loop_keys: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        if on_halt not in ("answer", "raise"):
            raise ValueError(f"on_halt is 'answer' or 'raise', not {on_halt!r}")
        self.on_halt: OnHalt = on_halt
        self.loop_keys = dict(loop_keys or {})
        self._guard: Callable[[], Guard] = functools.partial(Guard, preset, **settings)
        self._guard()  # Mistakes in the settings are errors here, not in the first run.
        self._known: OrderedDict[str, Run] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, name: str | None = None) -> Run:
        """Begins a run, or a sub-agent where a tool of a run calls this."""
        outer, call = _inside.get() or (None, None)
        if outer is None or not outer.is_calling(call):
            return Run(self, self._guard(), "main", itertools.count(2), None)
        agent = f"{name or 'agent'}-{next(outer.numbers)}"
        return Run(self, outer.guard, agent, outer.numbers, _inside.get())

    def of(self, key: str, name: str | None = None) -> Run:
        """Returns the run with this key; it begins with the first use of the key."""
        with self._lock:
            run = self._known.get(key)
            if run is None:
                run = self._known[key] = self.begin(name)
            self._known.move_to_end(key)
            while len(self._known) > _RUNS:
                self._known.popitem(last=False)
            return run

    def end(self, key: str) -> None:
        """Forgets the run with this key."""
        with self._lock:
            self._known.pop(key, None)


def present_run() -> Run | None:
    """Returns the run of ``with Runs().begin():``, or of the sub-agent where one of its tools is running."""
    run, call = _inside.get() or (None, None)
    return run.sub_agent(call) if run is not None and call is not None and run.is_calling(call) else run


def run_of_call(id: str) -> Run | None:
    """Returns the run that made a call, where its tool has run; a call that was denied is one of the present run."""
    run, _ = _inside.get() or (None, None)
    return run if run is not None and run.is_calling(id) else present_run()


@dataclass
class CallOutcome:
    """A call inside ``Run.call``."""

    #: The text that the model gets in place of a result: the call must not run.
    denial: str | None
    output: Any = None
    status: str | None = None
    error: Any = None


class Run:
    """One agent in one run. May be shared by threads and tasks."""

    def __init__(self, runs: Runs, guard: Guard, agent: str, numbers: Iterator[int], outer: Any) -> None:
        self.guard = guard
        self.agent = agent
        #: Numbers of the agents of this swarm.
        self.numbers = numbers
        #: The decision that ends the run.
        self.halted: Decision | None = None
        #: Texts that an adapter has placed, by the id of the call whose result they stand behind.
        self.placed: dict[str, str] = {}
        #: Names of the tools that the model was offered last, for adapters whose framework tells them apart.
        self.known: set[Any] = set()
        self._runs = runs
        #: What ``_inside`` is outside of this run, and within it while no call is running.
        self._outer = outer
        self._base = outer
        self._open: OrderedDict[str, Decision] = OrderedDict()
        self._sub_agents: dict[str, Run] = {}
        self._named: OrderedDict[str, Run] = OrderedDict()
        self._remarks: list[str] = []
        self._begun = False
        self._lock = threading.Lock()

    def is_calling(self, call: str | None) -> bool:
        """Whether the tool of a call is running."""
        return call in self._open

    def sub_agent(self, call: str) -> Run:
        """The agent that runs inside a call."""
        with self._lock:
            if call not in self._sub_agents:
                self._sub_agents[call] = self._runs.begin()
            return self._sub_agents[call]

    def named(self, name: str) -> Run:
        """The agent of this run with a name, where agents hand over to each other. The first one is the run itself."""
        with self._lock:
            if not self._named:
                self._named[name] = self
            if name not in self._named:
                agent = f"{name}-{next(self.numbers)}"
                self._named[name] = Run(self._runs, self.guard, agent, self.numbers, self._outer)
                while len(self._named) > _RUNS:
                    self._named.popitem(last=False)
            return self._named[name]

    def before(self, tool: str, args: Any, id: str | None = None, declared_by: Any = None) -> str | None:
        """Asks whether a call may run. Returns the text that the model gets in its place, if it may not.

        ``declared_by`` is the framework's object of the tool, which may declare a :func:`loop_key`.
        """
        key = self._runs.loop_keys.get(tool, _declared_key(declared_by))
        if key is False:
            return None
        decision = self.guard.before_call(tool, args, id=id, key=_identity(key, args), agent=self.agent)
        self._note(decision)
        if not decision.permits:
            return decision.for_model()
        id = id or decision.call_id or ""
        with self._lock:
            self._open[id] = decision
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        _inside.set((self, id))
        return None

    def after(self, id: str, output: Any = None, *, status: str | None = None, error: Any = None) -> None:
        """Reports the result of a call. Ignored where the call was denied or is not judged."""
        with self._lock:
            decision = self._open.pop(id, None)
            self._sub_agents.pop(id, None)
        if decision is None:
            return
        _inside.set(self._base)
        if error is not None:
            self._note(self.guard.after_call(decision, error=error, agent=self.agent))
        else:
            self._note(self.guard.after_call(decision, output, status=status, agent=self.agent))

    @contextmanager
    def call(self, tool: str, args: Any, id: str | None = None, declared_by: Any = None) -> Generator[CallOutcome, None, None]:
        """Asks before its body and reports after it. An exception of the body is the call's error."""
        id = id or f"call-{next(self.numbers)}"
        call = CallOutcome(self.before(tool, args, id, declared_by))
        try:
            yield call
        except self._runs.pauses:
            self.after(id, status="pending")
            raise
        except Exception as error:
            self.after(id, error=error)
            raise
        except BaseException:
            self.after(id, status="cancelled")
            raise
        self.after(id, call.output, status=call.status, error=call.error)

    def refused(self, tool: str, args: Any, error: str, id: str | None = None) -> None:
        """Reports a call that the framework answers with an error of its own: the tool is unknown, or its arguments are invalid."""
        id = id or f"call-{next(self.numbers)}"
        denial = self.before(tool, args, id)
        if denial is None:
            self.after(id, error=error)
        else:
            self._remark(denial)

    def text(self, text: str) -> None:
        """Reports what the model wrote."""
        if text:
            self._note(self.guard.text(text, agent=self.agent))

    def step(self) -> str | None:
        """Begins a step, before the model is called; the calls of the step before it ran. Returns what ``answer`` returns."""
        with self._lock:
            first, self._begun = not self._begun, True
        if not first:
            self.turn()
        return self.answer()

    def turn(self) -> None:
        """Reports that a turn of the model ended and its calls ran, where no step begins after it."""
        self._note(self.guard.turn(agent=self.agent))

    def remarks(self) -> str | None:
        """Returns the nudges since the last time, which belong behind all results of the step, and forgets them."""
        with self._lock:
            taken, self._remarks = self._remarks, []
        return "\n\n".join(taken) or None

    def answer(self) -> str | None:
        """Returns the final answer of a run that is to end, or raises ``Halted`` where the settings ask for that."""
        if self.halted is None:
            return None
        if self._runs.on_halt == "raise":
            raise Halted(self.halted)
        return self.halted.for_model()

    def __enter__(self) -> Run:
        self._base = (self, None)
        _inside.set(self._base)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _inside.set(self._outer)

    def _note(self, decision: Decision) -> None:
        if decision.halts:
            self.halted = self.halted or decision
        elif decision.permits and decision.message is not None:
            self._remark(decision.message)

    def _remark(self, text: str) -> None:
        with self._lock:
            if text not in self._remarks:
                self._remarks.append(text)


def guard_tool(function: Callable[..., Any], *, name: str | None = None) -> Callable[..., Any]:
    """Guards a function that is a tool of any framework, within ``with Runs().begin():``.

    A denied call returns the denial to the model. A nudge stands behind the next result that is a string. Such a function
    cannot end the run: with ``on_halt="raise"`` it raises ``Halted``.
    """
    signature = inspect.signature(function)
    tool = name or function.__name__

    def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Run | None, dict[str, Any]]:
        run = present_run()
        if run is None:
            warnings.warn(f"`{tool}` runs unguarded: no run has begun", RuntimeWarning, stacklevel=3)
        try:
            return run, dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:
            return run, {"args": list(args), **kwargs}

    def end(run: Run, call: CallOutcome) -> Any:
        run.answer()
        if call.denial is not None:
            return call.denial
        if not isinstance(call.output, str):
            return call.output
        return "\n\n".join(filter(None, (call.output, run.remarks())))

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def guarded_async(*args: Any, **kwargs: Any) -> Any:
            run, arguments = begin(args, kwargs)
            if run is None:
                return await function(*args, **kwargs)
            with run.call(tool, arguments, declared_by=function) as call:
                if call.denial is None:
                    call.output = await function(*args, **kwargs)
            return end(run, call)

        return guarded_async

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        run, arguments = begin(args, kwargs)
        if run is None:
            return function(*args, **kwargs)
        with run.call(tool, arguments, declared_by=function) as call:
            if call.denial is None:
                result = function(*args, **kwargs)
                if inspect.isgenerator(result) or inspect.isasyncgen(result):
                    # What it will yield is not known, and equal ones do not look equal.
                    call.status = "pending"
                    return result
                call.output = result
        return end(run, call)

    return guarded


def _declared_key(tool: Any) -> Any:
    """What a tool declares by :func:`loop_key`, on its object, on its function or in its metadata."""
    if tool is None:
        return None
    for holder in (tool, *(getattr(tool, name, None) for name in _FUNCTIONS)):
        key = getattr(holder, "loop_key", None)
        if key is not None:
            return key
    metadata: Any = getattr(tool, "metadata", None)
    return cast(Mapping[str, Any], metadata).get("loop_key") if isinstance(metadata, Mapping) else None


def _identity(key: Any, args: Any) -> str | None:
    if key is None:
        return None
    try:
        if callable(key):
            made = key(args)
            return None if made is None else str(made)
        names = [key] if isinstance(key, str) else list(key)
        return canonical({name: args.get(name) for name in names})
    except Exception as error:
        warnings.warn(f"loop_key failed, so all arguments count: {error!r}", RuntimeWarning, stacklevel=4)
        return None
