import asyncio

from agent_framework import Agent, create_agent_hooks_middleware
from agent_framework.openai import OpenAIChatClient

from unstuck.adapters.agent_hooks import LoopGuard


def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


hooks = create_agent_hooks_middleware([LoopGuard()])
agent = Agent(OpenAIChatClient(model="gpt-5"), tools=[look_up], middleware=[hooks])
print(asyncio.run(agent.run("Look up the key a.")).text)
