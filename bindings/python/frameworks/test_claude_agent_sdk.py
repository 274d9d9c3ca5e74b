"""Claude Agent SDK with the scripted model."""

from __future__ import annotations

import inspect
import tempfile
from typing import Any

from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, tool
from suite import TOOLS, Suite

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
        options = ClaudeAgentOptions(
            mcp_servers={"tools": create_sdk_mcp_server("tools", tools=[served(function) for function in TOOLS])},
            allowed_tools=[f"mcp__tools__{function.__name__}" for function in TOOLS],
            agents={"research": AgentDefinition(description="Looks up", prompt="You look things up.")},
            setting_sources=[],
            include_partial_messages=stream,
            cwd=tempfile.mkdtemp(),
        )
        result = ""
        async for message in LoopGuard(loop_keys=keys, **settings).query(prompt=prompt, options=options):
            if isinstance(message, ResultMessage):
                result = message.result or ""
        return result
