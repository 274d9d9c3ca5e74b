"""Microsoft Agent Framework with the scripted model."""

from __future__ import annotations

from typing import Any

from agent_framework import Agent, tool
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient
from suite import TOOLS, Suite

from unstuck.adapters import loop_key
from unstuck.adapters.agent_framework import LoopGuard


def agent(guard: LoopGuard, tools: list[Any], name: str, client: Any) -> Agent:
    return Agent(client, name=name, tools=tools, middleware=guard.middleware)


def tools() -> list[Any]:
    made = [tool(function, approval_mode="never_require") for function in TOOLS]
    loop_key(["job"])(made[-1])
    return made


class TestAgentFramework(Suite):
    example = "agent_framework_agent.py"
    client: Any = OpenAIChatCompletionClient

    def made(self) -> Any:
        # The framework ends a run after three errors in a row, before a guard would.
        limits = {"max_consecutive_errors_per_request": 30}
        return self.client(model="scripted", function_invocation_configuration=limits)

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        research = agent(LoopGuard(), tools(), "research", self.made()).as_tool(name="research", arg_name="input")
        guarded = agent(LoopGuard(**settings), [*tools(), research], "main", self.made())
        if not stream:
            return (await guarded.run(prompt)).text
        streamed = guarded.run(prompt, stream=True)
        async for _ in streamed:
            pass
        return (await streamed.get_final_response()).text


class TestWithHistoryAtTheProvider(TestAgentFramework):
    """Requests have what is new, and the id of the response before."""

    client = OpenAIChatClient
