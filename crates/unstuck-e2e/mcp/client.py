"""Runs the steps of a scenario with the official Python client and prints what came of each, one JSON object a line.

    client.py CLIENT SCENARIO URL
    client.py CLIENT SCENARIO -- COMMAND ARGS...

CLIENT is python (with the handshake), python-auto (asks first whether it may go without) or python-modern (without).
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp import types

KIND, SCENARIO, TARGET, *COMMAND = sys.argv[1:]
DIRECTORY = os.environ["PEERS_DIRECTORY"]
OVER_HTTP = TARGET != "--"
# Whether one of the two runs that are compared goes over HTTP.
COMPARED = os.environ["PEERS_TRANSPORT"] != "stdio"
MODES = {"python": "legacy", "python-auto": "auto", "python-modern": "2026-07-28"}

asked: list[str] = []
notes: list[str] = []
calls = 0


def plain(value):
    if value is None:
        return None
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def record(method, params):
    asked.append(json.dumps({"method": method, "params": plain(params)}, sort_keys=True))


async def sample(context, params):
    record("sampling/createMessage", params)
    text = types.TextContent(type="text", text="five, seven, five")
    return types.CreateMessageResult(role="assistant", content=text, model="none", stop_reason="endTurn")


async def elicit(context, params):
    record("elicitation/create", params)
    if getattr(params, "mode", "form") == "url":
        return types.ElicitResult(action="accept")
    return types.ElicitResult(action="accept", content={"name": "Ada", "check": True, "choice": "second"})


async def list_roots(context):
    record("roots/list", None)
    return types.ListRootsResult(roots=[types.Root(uri=Path(DIRECTORY).as_uri(), name="work")])


async def noted(message):
    # Progress is told by the call itself.
    if not isinstance(message, Exception) and message.method != "notifications/progress":
        notes.append(json.dumps(plain(message), sort_keys=True))


def filled(value, number):
    if isinstance(value, str):
        value = value.replace("$DIR", DIRECTORY).replace("$N", str(number))
        return value.replace("$LARGE", "0123456789abcdeé" * (1 << 16))
    if isinstance(value, list):
        return [filled(one, number) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, number) for key, one in value.items()}
    return value


async def perform(client, step, params, on_progress):
    global calls
    match step["method"]:
        case "ping":
            return await client.send_ping()
        case "tools/list":
            return await client.list_tools()
        case "tools/call":
            calls += step.get("rounds", 1)
            return await client.call_tool(
                params["name"], params.get("arguments"), progress_callback=on_progress, meta=params.get("_meta")
            )
        case "resources/list":
            return await client.list_resources()
        case "resources/templates/list":
            return await client.list_resource_templates()
        case "resources/read":
            return await client.read_resource(params["uri"])
        case "resources/subscribe":
            return await client.subscribe_resource(params["uri"])
        case "resources/unsubscribe":
            return await client.unsubscribe_resource(params["uri"])
        case "prompts/list":
            return await client.list_prompts()
        case "prompts/get":
            return await client.get_prompt(params["name"], params.get("arguments"))
        case "completion/complete":
            reference = types.PromptReference(type="ref/prompt", name=params["ref"]["name"])
            context = params.get("context", {}).get("arguments")
            return await client.complete(reference, params["argument"], context)
        case "logging/setLevel":
            return await client.set_logging_level(params["level"])
        case "notifications/roots/list_changed":
            return await client.send_roots_list_changed()
        case method:
            raise ValueError(method)


async def one(client, step, number, outcomes):
    progress = []
    with anyio.CancelScope() as scope:

        async def on_progress(done, total, message):
            if step.get("cancel"):
                scope.cancel()
            # The last one may come together with the result, and is then not told any more.
            elif done < total:
                progress.append([done, total, message])

        params = filled(step.get("params"), number)
        try:
            result = await perform(client, step, params, on_progress if step.get("progress") else None)
            outcomes[number] = {"result": plain(result), "progress": progress}
        except MCPError as error:
            outcomes[number] = {"error": error.error.model_dump(mode="json"), "progress": progress}
        except (RuntimeError, ValueError) as error:
            outcomes[number] = {"refused by the client": str(error)}
    if scope.cancelled_caught:
        outcomes[number] = {"cancelled": True}


def show(check, outcome):
    print(json.dumps({"check": check, "outcome": outcome}))


async def main():
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    notes_directory = Path(DIRECTORY) / "notes"
    notes_directory.mkdir(parents=True)
    (notes_directory / "dot.png").write_bytes(bytes.fromhex("89504e470d0a1a0a"))
    target = TARGET if OVER_HTTP else StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ))
    client = Client(
        target,
        mode=MODES[KIND],
        sampling_callback=sample,
        elicitation_callback=elicit,
        list_roots_callback=list_roots,
        message_handler=noted,
        log_level="info",
        cache=None,
    )
    async with client:
        era = "modern" if client.protocol_version >= "2026" else "legacy"
        about = [plain(client.server_info), plain(client.server_capabilities), client.instructions]
        show("connected", {"version": client.protocol_version, "about": about})
        for step in json.loads(Path(SCENARIO).read_text()):
            if step.get("era", era) != era or step.get("client", KIND) != KIND:
                continue
            if step.get("only") == "stdio" and OVER_HTTP:
                continue
            outcomes = {}
            async with anyio.create_task_group() as group:
                for number in range(step.get("times", 1)):
                    group.start_soon(one, client, step, number, outcomes)
            show(step["check"], [outcomes[number] for number in sorted(outcomes)])
        # What comes by itself comes when it likes: the order is not compared.
        await anyio.sleep(0.5)
        # Over HTTP it is lost before the client's stream is open, and how much that is depends on who is faster; and what
        # came already comes again where a client resumes a stream, which it does now and then, without a proxy as well.
        early = re.compile("list_changed|roots/list|Roots updated")
        for name, all_of_it in [("what the server asked", asked), ("notifications", notes)]:
            if COMPARED:
                all_of_it = {one for one in all_of_it if not early.search(one)}
            show(name, sorted(all_of_it))
        print(json.dumps({"calls": calls, "scenario": Path(SCENARIO).name}))


anyio.run(main)
