"""CrewAI: ``kickoff`` with hooks that hold for one run."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from crewai import CrewOutput
from crewai.hooks import HookAborted, InterceptionPoint
from crewai.hooks.dispatch import scoped_hooks

from .._guard import Halted
from .._runs import Run, Runs, present_run, run_of_call


class LoopGuard(Runs):
    """Runs crews as ``crew.kickoff`` does, guarded. The settings are those of :class:`unstuck.Guard`."""

    def kickoff(self, crew: Any, *args: Any, **options: Any) -> Any:
        try:
            with self.guarding():
                return crew.kickoff(*args, **options)
        except HookAborted as error:
            return self._answer(error)

    async def akickoff(self, crew: Any, *args: Any, **options: Any) -> Any:
        try:
            with self.guarding():
                return await crew.akickoff(*args, **options)
        except HookAborted as error:
            return self._answer(error)

    @contextmanager
    def guarding(self) -> Generator[None, None, None]:
        """Guards what its body runs: a flow, an agent. A run that is to end raises ``HookAborted`` there."""
        hooks: Any = {
            InterceptionPoint.PRE_MODEL_CALL: [_before_model],
            InterceptionPoint.PRE_TOOL_CALL: [_before_tool],
            InterceptionPoint.POST_TOOL_CALL: [_after_tool],
        }
        with scoped_hooks(hooks), self.begin():
            yield

    def _answer(self, error: HookAborted) -> CrewOutput:
        run = error.source
        if not isinstance(run, Run) or run.halted is None:
            raise error
        if self.on_halt == "raise":
            raise Halted(run.halted) from error
        return CrewOutput(raw=run.halted.for_model())


def _agent(run: Run | None, context: Any) -> Run | None:
    return run and run.named(getattr(context.agent, "role", None) or "agent")


def _before_model(context: Any) -> None:
    run = _agent(present_run(), context)
    if run is None or context.executor is None:
        return
    run.turn()
    if run.halted is not None:
        raise HookAborted(reason=run.halted.for_model(), source=run)
    if remarks := run.remarks():
        context.messages.append({"role": "user", "content": remarks})


def _before_tool(context: Any) -> None:
    if run := _agent(present_run(), context):
        id = _id(context)
        if denial := run.before(context.tool_name, dict(context.tool_input), id, context.tool):
            run.placed[id] = denial
            raise HookAborted(reason=denial, source=run)


def _after_tool(context: Any) -> str | None:
    id, result = _id(context), context.tool_result or ""
    if run := _agent(run_of_call(id), context):
        if denial := run.placed.pop(id, None):
            return denial
        if context.tool is None:
            result = f"Error: tool '{context.tool_name}' not found"
        run.after(id, result, error=result if result.startswith("Error") else None)
    return None


def _id(context: Any) -> str:
    # There is no id of a call: both hooks get the same dictionary of arguments.
    return f"{id(context.tool_input)}"
