"""A server of the official Python SDK with one of everything: `server.py stdio`, or `server.py http PORT`."""

import asyncio
import sys

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.types import (
    CallToolResult,
    Completion,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    SamplingMessage,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel

server = MCPServer("python-peer", version="1.0.0", instructions="One of everything.")


class Weather(BaseModel):
    city: str
    degrees: float
    wind: list[int]


class Choice(BaseModel):
    choice: str


@server.tool(annotations=ToolAnnotations(read_only_hint=True), structured_output=False)
def echo(text: str) -> str:
    """Says the same."""
    return text


@server.tool()
def add(a: float, b: float) -> float:
    """Adds two numbers."""
    return a + b


@server.tool()
def weather(city: str) -> Weather:
    """The weather of a city."""
    return Weather(city=city, degrees=21.5, wind=[3, 5])


@server.tool()
def picture() -> Image:
    """A picture."""
    return Image(data=bytes.fromhex("89504e470d0a1a0a"), format="png")


@server.tool()
async def work(steps: int, ctx: Context) -> str:
    """Takes its time."""
    for step in range(steps):
        await ctx.info(f"step {step}")
        await ctx.report_progress(step + 1, steps, f"{step + 1} of {steps}")
        await asyncio.sleep(0.05)
    return f"{steps} steps"


@server.tool()
async def ask_person(question: str, ctx: Context) -> str:
    """Asks whoever sits there."""
    answer = await ctx.elicit(question, Choice)
    return f"{answer.action}: {answer.data.choice if answer.action == 'accept' else None}"


@server.tool()
async def ask_model(prompt: str, ctx: Context) -> str:
    """Asks the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer = await ctx.session.create_message([message], max_tokens=20)
    return answer.model_dump_json()


@server.tool()
async def ask_roots(ctx: Context) -> list[str]:
    """Asks for the roots."""
    answer = await ctx.session.list_roots()
    return [str(root.uri) for root in answer.roots]


cancelled = 0


@server.tool()
async def wait(ctx: Context) -> str:
    """Waits until it is cancelled."""
    global cancelled
    await ctx.report_progress(1, 2, "waiting")
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        cancelled += 1
        raise
    return "waited"


@server.tool()
async def count_cancelled() -> int:
    """How many calls were cancelled; gives the first one time to be."""
    for _ in range(200):
        if cancelled:
            break
        await asyncio.sleep(0.05)
    return cancelled


@server.tool()
async def ask_in_rounds(question: str, ctx: Context) -> CallToolResult | InputRequiredResult:
    """Asks by asking for the same call again."""
    schema = {"type": "object", "properties": {"choice": {"type": "string"}}}
    if ctx.input_responses is None:
        params = ElicitRequestFormParams(message=question, requested_schema=schema)
        return InputRequiredResult(input_requests={"choice": ElicitRequest(params=params)})
    answer = ctx.input_responses["choice"]
    return CallToolResult(content=[TextContent(type="text", text=answer.model_dump_json())])


@server.tool()
def fail(reason: str) -> str:
    """Fails."""
    raise ValueError(reason)


@server.resource("note://one", mime_type="text/plain")
def note() -> str:
    """A note."""
    return "remember"


@server.resource("greeting://{name}")
def greeting(name: str) -> str:
    """A greeting."""
    return f"Hello, {name}!"


@server.prompt()
def review(code: str) -> str:
    """Asks for a review."""
    return f"Please review:\n{code}"


@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[argument.value + "1", argument.value + "2"], has_more=False)


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
