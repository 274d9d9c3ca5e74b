import asyncio

from google.adk.agents import Agent
from google.adk.apps import App
from google.adk.runners import InMemoryRunner

from unstuck.adapters.google_adk import LoopGuard


def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = Agent(name="assistant", model="gemini-2.5-flash", tools=[look_up])
runner = InMemoryRunner(app=App(name="example", root_agent=agent, plugins=[LoopGuard()]))
asyncio.run(runner.run_debug("Look up the key a."))
