"""AGENT-HOOKS-0.1: its conformance kit, and Microsoft Agent Framework as a host, with the scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_framework import Agent, create_agent_hooks_middleware, tool
from agent_framework.openai import OpenAIChatCompletionClient
from agent_hooks import InterceptionBlocked, Verdict
from agent_hooks.ctk import RecordingInterceptor, load_vectors, run_vector
from agent_hooks.ctk.reference import ReferenceHarness
from suite import TOOLS, Suite

from unstuck.adapters.agent_hooks import LoopGuard


class TestAgentHooks(Suite):
    # The host asks an interceptor in a task of its own, so that a run does not know the call that it is in.
    delegates = False
    extra = 1
    halted = InterceptionBlocked
    example = "agent_hooks_interceptor.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        limits = {"max_consecutive_errors_per_request": 30}
        client = OpenAIChatCompletionClient(model="scripted", function_invocation_configuration=limits)
        hooks = create_agent_hooks_middleware([LoopGuard(loop_keys={"job_status": ["job"]}, **settings)])
        tools = [tool(function, approval_mode="never_require") for function in TOOLS]
        guarded = Agent(client, name="main", tools=tools, middleware=[hooks])
        if not stream:
            return (await guarded.run(prompt)).text
        streamed = guarded.run(prompt, stream=True)
        async for _ in streamed:
            pass
        return (await streamed.get_final_response()).text


VECTORS = load_vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_the_conformance_kit_passes_with_the_guard_before_its_interceptors(
    vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    guard, intercept = LoopGuard(), RecordingInterceptor.intercept

    def both(self: RecordingInterceptor, context: dict[str, Any]) -> Any:
        verdict = Verdict.from_wire(guard.intercept(context).to_wire())
        return intercept(self, context) if verdict == Verdict.allow() else verdict

    monkeypatch.setattr(RecordingInterceptor, "intercept", both)
    result = asyncio.run(run_vector(ReferenceHarness(), vector))
    if result.status == "skip":  # The kit's own host cannot do what the vector needs.
        pytest.skip(result.detail)
    assert result.status == "pass", (result.detail, result.failures)
    assert not [warning for warning in recwarn if warning.category is RuntimeWarning]
