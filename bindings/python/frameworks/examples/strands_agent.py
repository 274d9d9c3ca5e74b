from strands import Agent, tool
from strands.models.openai import OpenAIModel

from unstuck.adapters.strands import LoopGuard


@tool
def look_up(key: str) -> str:
    """Looks a key up."""
    return f"value of {key}"


agent = Agent(OpenAIModel(model_id="gpt-5"), tools=[look_up], hooks=[LoopGuard()])
print(agent("Look up the key a."))
