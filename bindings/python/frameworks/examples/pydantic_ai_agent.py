from pydantic_ai import Agent

from unstuck.adapters.pydantic_ai import LoopGuard

agent = Agent("openai:gpt-5", capabilities=[LoopGuard()])


@agent.tool_plain
def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


print(agent.run_sync("Look up the key a.").output)
