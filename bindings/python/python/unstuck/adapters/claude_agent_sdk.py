"""Claude Agent SDK: hooks, and a ``query`` that gives a final answer."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import claude_agent_sdk as sdk

from .._runs import Run, Runs

_Hook = dict[str, Any]


class LoopGuard(Runs):
    """Guards ``query`` and clients. The settings are those of :class:`unstuck.Guard`."""

    async def query(self, *, prompt: Any, options: sdk.ClaudeAgentOptions | None = None, **rest: Any) -> AsyncIterator[Any]:
        """Does what ``claude_agent_sdk.query`` does. The result of a run that is to end is the reason."""
        options = options or sdk.ClaudeAgentOptions()
        hooks: dict[Any, Any] = dict(options.hooks or {})
        for event, matchers in self.hooks.items():
            hooks[event] = [*hooks.get(event, []), *matchers]
        async for message in sdk.query(prompt=prompt, options=dataclasses.replace(options, hooks=hooks), **rest):
            if isinstance(message, sdk.ResultMessage):
                message.result = self.of(message.session_id).answer() or message.result
            yield message

    @property
    def hooks(self) -> dict[Any, list[sdk.HookMatcher]]:
        """The hooks for ``ClaudeAgentOptions(hooks=…)``, for programs that have a client of their own."""
        hooks = {
            "UserPromptSubmit": self._begin,
            "PreToolUse": self._before,
            "PostToolUseFailure": self._failed,
            "PostToolBatch": self._after,
        }
        return {event: [sdk.HookMatcher(hooks=[hook])] for event, hook in hooks.items()}

    async def _begin(self, input: Any, tool_use_id: str | None, context: Any) -> _Hook:
        # The end of an agent in the background comes as a prompt too, and is not a new run.
        if not input["prompt"].lstrip().startswith("<task-notification>"):
            self.end(input["session_id"])
            self._run(input).step()
        return {}

    async def _before(self, input: Any, tool_use_id: str | None, context: Any) -> _Hook:
        run, id = self._run(input), input["tool_use_id"]
        run.placed[id] = input["tool_name"]
        denial = run.before(input["tool_name"], input["tool_input"], id)
        return _specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=denial) if denial else {}

    async def _failed(self, input: Any, tool_use_id: str | None, context: Any) -> _Hook:
        self._run(input).after(input["tool_use_id"], error=input["error"])
        return {}

    async def _after(self, input: Any, tool_use_id: str | None, context: Any) -> _Hook:
        run = self._run(input)
        for call in input["tool_calls"]:
            response = call.get("tool_response")
            if run.placed.pop(call["tool_use_id"], None) is not None:
                run.after(call["tool_use_id"], response)
            else:  # The tool is unknown, or its arguments are invalid: no other hook sees such a call.
                run.refused(call["tool_name"], call["tool_input"], str(response), call["tool_use_id"])
        run.turn()
        if run.halted is not None:
            return {"continue_": False, "stopReason": run.halted.for_model()}
        remarks = run.remarks()
        return _specific("PostToolBatch", additionalContext=remarks) if remarks else {}

    def _run(self, input: Any) -> Run:
        return self.of(input["session_id"]).named(input.get("agent_id") or "main")


def _specific(event: str, **fields: Any) -> _Hook:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}
