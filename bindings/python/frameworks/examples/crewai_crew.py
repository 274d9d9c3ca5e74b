from crewai import Agent, Crew, Task
from crewai.tools import tool

from unstuck.adapters.crewai import LoopGuard


@tool
def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = Agent(role="assistant", goal="answer", backstory="none", llm="openai/gpt-4o", tools=[look_up])
task = Task(description="Look up the key a.", expected_output="its value", agent=agent)
guard = LoopGuard(rules={"exact-repeat": {"nudge": 2, "warning": "never", "critical": "never", "deny": 3, "halt": 4}})
print(guard.kickoff(Crew(agents=[agent], tasks=[task])).raw)
