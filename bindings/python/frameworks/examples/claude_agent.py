import asyncio

from claude_agent_sdk import ResultMessage

from unstuck.adapters.claude_agent_sdk import LoopGuard


async def main() -> None:
    async for message in LoopGuard().query(prompt="Look up the key a."):
        if isinstance(message, ResultMessage):
            print(message.result)


asyncio.run(main())
