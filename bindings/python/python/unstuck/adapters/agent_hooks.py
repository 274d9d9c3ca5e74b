"""AGENT-HOOKS-0.1: an interceptor for every host that implements the specification."""

from __future__ import annotations

import warnings
from typing import Any

from agent_hooks import Decision, Transform, Verdict

from .._runs import Run, Runs


class LoopGuard(Runs):
    """An interceptor for any number of sessions. The settings are those of :class:`unstuck.Guard`.

    A halt replaces the next answer of the model by the reason. With ``on_halt="raise"`` it denies the next call of the model
    instead, and the host ends the run with its own exception.
    """

    def intercept(self, context: dict[str, Any], /) -> Verdict:
        try:
            handle = getattr(self, f"_{context['interception_point']}", None)
            verdict = handle(self._run(context), context) if handle else None
        except Exception as error:
            # A host takes an exception for a denial.
            warnings.warn(f"unstuck did not judge this: {error!r}", RuntimeWarning, stacklevel=2)
            verdict = None
        return verdict or Verdict.allow()

    def _run(self, context: dict[str, Any]) -> Run:
        session, agent = context["session"]["id"], context["agent"]["id"]
        if context["interception_point"] == "input":
            self.end(session)
        return self.of(session, agent).named(agent)

    def _pre_model_call(self, run: Run, context: dict[str, Any]) -> Verdict | None:
        run.known = {tool.get("name") for tool in context.get("tools") or []}
        if self.on_halt == "raise" and run.halted is not None:
            return Verdict.deny(reason="unstuck:halt", message=run.halted.for_model())
        run.turn()
        messages = list(context["target"])
        if remarks := run.remarks():
            run.placed[str(len(messages) + len(run.placed))] = remarks
        for place, text in run.placed.items():
            messages.insert(int(place), {"role": "user", "content": text})
        return _replaced(messages) if run.placed else None

    def _post_model_call(self, run: Run, context: dict[str, Any]) -> Verdict | None:
        response = context["response"]
        if run.halted is not None:
            answer = {"content": run.halted.for_model(), "tool_calls": [], "finish_reason": "stop"}
            return _replaced({**response, **answer})
        if isinstance(response["content"], str):
            run.text(response["content"])
        for call in response["tool_calls"]:
            if run.known and call["name"] not in run.known:
                run.refused(call["name"], call.get("args"), f"Unknown tool: {call['name']}", call["id"])
        return None

    def _pre_tool_call(self, run: Run, context: dict[str, Any]) -> Verdict | None:
        call = context["tool_call"]
        denial = run.before(call["name"], context["target"], call["id"])
        return Verdict.deny(reason="unstuck:denied", message=denial) if denial else None

    def _post_tool_call(self, run: Run, context: dict[str, Any]) -> None:
        result = context["tool_result"]
        failed = result.get("is_error", False)
        run.after(context["tool_call"]["id"], result["value"], error=result["value"] if failed else None)

    def _agent_shutdown(self, run: Run, context: dict[str, Any]) -> None:
        self.end(context["session"]["id"])


def _replaced(value: Any) -> Verdict:
    return Verdict(Decision.TRANSFORM, transform=Transform("$target", value))
