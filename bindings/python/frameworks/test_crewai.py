"""CrewAI with the scripted model."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import MODEL
from crewai import LLM, Agent, Crew, Task
from crewai.hooks import HookAborted
from crewai.tools import tool
from suite import LOOP, RAN, TOOLS, Suite, in_a_thread

from unstuck.adapters.crewai import LoopGuard


@tool("research")
def research(input: str) -> str:
    """Asks a sub-agent."""
    return crew(input, False, [tool(function) for function in TOOLS], "worker").kickoff().raw


def crew(prompt: str, stream: bool, tools: list[Any], role: str) -> Crew:
    llm = LLM(model="openai/gpt-4o", stream=stream)
    agent = Agent(role=role, goal="work", backstory="none", llm=llm, tools=tools, max_iter=60, cache=False)
    return Crew(agents=[agent], tasks=[Task(description=prompt, expected_output="it", agent=agent)], cache=False)


class TestCrewai(Suite):
    # CrewAI itself ends a run at the fifth equal call with an equal result, and that cannot be turned off.
    settings = {"rules": {"exact-repeat": {"nudge": 2, "warning": "never", "critical": "never", "deny": 3, "halt": 4}}}
    ends_itself = True
    ran = 2
    nudged = 1
    denied = 1
    example = "crewai_crew.py"

    async def run(self, prompt: str, *, stream: bool = False, **settings: Any) -> str:
        guard = LoopGuard(loop_keys={"job_status": ["job"]}, **settings)
        made = crew(prompt, stream, [*(tool(function) for function in TOOLS), research], "main")
        return (await in_a_thread(guard.kickoff, made)).raw

    def test_a_crew_that_is_awaited_is_guarded(self) -> None:
        async def main() -> str:
            made = crew("scenario:loop", False, [tool(function) for function in TOOLS], "main")
            return (await LoopGuard(**self.settings).akickoff(made)).raw

        assert "LOOP_DETECTED" in LOOP.run_until_complete(main())
        assert (RAN["a"], len(MODEL.requests)) == (self.ran, self.ran + self.denied + 1)

    def test_a_flow_is_ended_by_the_exception_of_the_framework(self) -> None:
        made = crew("scenario:loop", False, [tool(function) for function in TOOLS], "main")
        with pytest.raises(HookAborted, match="LOOP_DETECTED"), LoopGuard(**self.settings).guarding():
            made.kickoff()
        assert RAN["a"] == self.ran
