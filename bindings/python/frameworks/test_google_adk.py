"""Google ADK with the scripted model."""

from __future__ import annotations

from typing import Any

from google.adk.agents import Agent, RunConfig
from google.adk.agents.run_config import StreamingMode
from google.adk.apps import App
from google.adk.runners import InMemoryRunner
from google.adk.tools import AgentTool
from suite import TOOLS, Suite

from unstuck.adapters.google_adk import LoopGuard


def agent() -> Agent:
    research = Agent(name="research", model="gemini-2.5-flash", description="Looks things up.", tools=list(TOOLS))
    return Agent(name="main", model="gemini-2.5-flash", tools=[*TOOLS, AgentTool(research)])


class TestGoogleAdk(Suite):
    answers_exceptions = False
    example = "google_adk_agent.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        runner = InMemoryRunner(app=App(name="tests", root_agent=agent(), plugins=[LoopGuard(**settings)]))
        mode = StreamingMode.SSE if stream else StreamingMode.NONE
        events = await runner.run_debug(prompt, quiet=True, run_config=RunConfig(streaming_mode=mode))
        texts = [part.text for event in events for part in event.content.parts if part.text and not event.partial]
        return texts[-1]
