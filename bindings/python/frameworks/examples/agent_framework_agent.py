import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient

from unstuck.adapters.agent_framework import LoopGuard


def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = Agent(OpenAIChatClient(model="gpt-5"), tools=[look_up], middleware=LoopGuard().middleware)
print(asyncio.run(agent.run("Look up the key a.")).text)
