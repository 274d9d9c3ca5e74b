from agents import Agent, function_tool

from unstuck.adapters.openai_agents import LoopGuard


@function_tool
def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = Agent(name="assistant", tools=[look_up])
result = LoopGuard().run_sync(agent, "Look up the key a.")
print(result.final_output)
