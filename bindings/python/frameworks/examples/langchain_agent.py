from langchain.agents import create_agent

from unstuck.adapters.langchain import LoopGuard


def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = create_agent("openai:gpt-5", [look_up], middleware=[LoopGuard()])
result = agent.invoke({"messages": [{"role": "user", "content": "Look up the key a."}]})
print(result["messages"][-1].text)
