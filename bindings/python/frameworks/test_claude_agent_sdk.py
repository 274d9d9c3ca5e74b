"""Claude Agent SDK with the scripted model."""

from __future__ import annotations

import inspect
import tempfile
from typing import Any

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    ResultMessage,
    create_sdk_mcp_server,
    tool,
)
from conftest import MODEL
from suite import LOOP, RAN, TOOLS, Suite

from unstuck.adapters.claude_agent_sdk import LoopGuard


def served(function: Any) -> Any:
    async def call(args: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": function(**args)}]}

    schema = {name: str for name in inspect.signature(function).parameters}
    return tool(function.__name__, function.__doc__, schema)(call)


class TestClaudeAgentSdk(Suite):
    example = "claude_agent.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        keys = {"mcp__tools__job_status": ["job"]}
        guard, result = LoopGuard(loop_keys=keys, **settings), ""
        async for message in guard.query(prompt=prompt, options=options(include_partial_messages=stream)):
            if isinstance(message, ResultMessage):
                result = message.result or ""
        return result

    def test_a_client_with_the_hooks_is_ended_with_the_reason(self) -> None:
        async def main() -> list[str]:
            async with ClaudeSDKClient(options(hooks=LoopGuard().hooks)) as client:
                await client.query("scenario:loop")
                return [repr(message) async for message in client.receive_response()]

        messages = LOOP.run_until_complete(main())
        assert (RAN["a"], len(MODEL.requests)) == (5, 9)
        assert any("LOOP_DETECTED" in message for message in messages)


def options(**further: Any) -> ClaudeAgentOptions:
    return ClaudeAgentOptions(
        mcp_servers={"tools": create_sdk_mcp_server("tools", tools=[served(function) for function in TOOLS])},
        allowed_tools=[f"mcp__tools__{function.__name__}" for function in TOOLS],
        agents={"research": AgentDefinition(description="Looks up", prompt="You look things up.")},
        setting_sources=[],
        cwd=tempfile.mkdtemp(),
        **further,
    )
