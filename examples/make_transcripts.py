#!/usr/bin/env python3
"""Writes the transcripts in examples/transcripts: python3 examples/make_transcripts.py

Made-up sessions of several agents, in the formats these agents write. Some go well and some go in circles. The script
needs nothing but Python, and writes the same bytes every time.
"""

import json
import pathlib
from datetime import datetime, timedelta, timezone

HERE = pathlib.Path(__file__).parent / "transcripts"


class Clock:
    def __init__(self, start):
        self.now = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)

    def tick(self, seconds):
        self.now += timedelta(seconds=seconds)
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"


def write(name, lines):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


# --- Claude Code -----------------------------------------------------------------------------------------------------


class Claude:
    """A session; `agent` makes it the file of a sub-agent."""

    def __init__(self, session, start, cwd, model="claude-sonnet-4-5-20250929", agent=None):
        self.session, self.cwd, self.model, self.agent = session, cwd, model, agent
        self.clock, self.lines, self.count, self.context = Clock(start), [], 0, 14_000

    def line(self, kind, seconds=2, **rest):
        self.count += 1
        line = {
            "parentUuid": f"{self.session[:8]}-{self.count - 1:04d}" if self.count > 1 else None,
            "isSidechain": self.agent is not None,
            "type": kind,
            "uuid": f"{self.session[:8]}-{self.count:04d}",
            "timestamp": self.clock.tick(seconds),
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.300",
            "gitBranch": "main",
            **rest,
        }
        if self.agent:
            line["agentId"] = self.agent
        self.lines.append(line)

    def user(self, text):
        self.line("user", message={"role": "user", "content": text})

    def model_says(self, block, seconds):
        # What was read so far comes from the cache, what is new is written to it.
        new = 900
        usage = {
            "input_tokens": 6,
            "cache_creation_input_tokens": new,
            "cache_read_input_tokens": self.context,
            "output_tokens": 210,
        }
        self.context += new
        message = {
            "id": f"msg_{self.session[:4]}{self.count:05d}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block],
            "stop_reason": "tool_use",
            "usage": usage,
        }
        self.line("assistant", seconds, message=message)

    def say(self, text):
        self.model_says({"type": "text", "text": text}, 4)

    def call(self, tool, arguments, output, error=False):
        call = f"toolu_{self.session[:4]}{self.count:05d}"
        self.model_says({"type": "tool_use", "id": call, "name": tool, "input": arguments}, 6)
        result = {"type": "tool_result", "tool_use_id": call, "content": output}
        if error:
            result["is_error"] = True
        self.line("user", 3, message={"role": "user", "content": [result]}, toolUseResult=output)
        return call

    def bash(self, command, output, code=0):
        text = f"Exit code {code}\n{output}" if code else output
        return self.call("Bash", {"command": command, "description": command[:40]}, text, error=code != 0)

    def edit(self, path, old, new):
        answer = f"The file {path} has been updated."
        self.call("Edit", {"file_path": path, "old_string": old, "new_string": new}, answer)

    def write(self, name):
        write(name, self.lines)


def claude_stuck_on_a_test():
    run = Claude("c1a0de01-7001-4a00-8000-000000000001", "2026-11-02T09:12:00", "/home/ada/shop")
    run.user("The checkout test is red since yesterday. Make it green, please.")
    run.say("I run the test first, and then look at what it tests.")
    failure = (
        "FAIL src/checkout.test.ts\n  ✕ adds the delivery fee once (12 ms)\n\n"
        "    expect(received).toBe(expected)\n\n    Expected: 1249\n    Received: 1748\n\n"
        "      at Object.toBe (src/checkout.test.ts:41:25)\n\nTests: 1 failed, 17 passed, 18 total\n"
    )
    run.bash("npm test -- checkout", failure, 1)
    source = "     1\timport { fee } from './fees'\n     2\t\n     3\texport function total(cart: Cart): number {\n     4\t  return cart.sum + fee(cart)\n     5\t}\n"
    run.call("Read", {"file_path": "/home/ada/shop/src/checkout.ts"}, source)
    guesses = [
        ("return cart.sum + fee(cart)", "return Math.round(cart.sum + fee(cart))"),
        ("return Math.round(cart.sum + fee(cart))", "const extra = fee(cart)\n  return cart.sum + extra"),
        ("const extra = fee(cart)\n  return cart.sum + extra", "return [cart.sum, fee(cart)].reduce((a, b) => a + b)"),
        ("return [cart.sum, fee(cart)].reduce((a, b) => a + b)", "let sum = cart.sum\n  sum += fee(cart)\n  return sum"),
        ("let sum = cart.sum\n  sum += fee(cart)\n  return sum", "return fee(cart) + cart.sum"),
        ("return fee(cart) + cart.sum", "return cart.sum + fee({ ...cart })"),
        ("return cart.sum + fee({ ...cart })", "return Number(cart.sum) + Number(fee(cart))"),
    ]
    for number, (old, new) in enumerate(guesses):
        run.edit("/home/ada/shop/src/checkout.ts", old, new)
        run.bash("npm test -- checkout", failure.replace("(12 ms)", f"({11 + number} ms)"), 1)
    run.say("The test still fails. I look at the fee itself.")
    missing = "File does not exist. Did you mean src/fees/index.ts?"
    for _ in range(9):
        run.call("Read", {"file_path": "/home/ada/shop/src/fees.ts"}, missing, error=True)
    run.user("It is in src/fees/index.ts. The cart adds the fee already.")
    run.call("Read", {"file_path": "/home/ada/shop/src/fees/index.ts"}, "     1\texport const fee = (cart: Cart) => cart.feeAdded ? 0 : 499\n")
    run.edit("/home/ada/shop/src/checkout.ts", "return Number(cart.sum) + Number(fee(cart))", "return cart.sum")
    run.bash("npm test -- checkout", "PASS src/checkout.test.ts\n\nTests: 18 passed, 18 total\n")
    run.say("Green. The cart had the fee in its sum already, so it was added twice.")
    run.write("claude-code/c1a0de01-7001-4a00-8000-000000000001.jsonl")


def claude_with_a_sub_agent():
    session = "c1a0de02-7002-4a00-8000-000000000002"
    run = Claude(session, "2026-11-04T14:03:00", "/home/ada/atlas", model="claude-opus-4-5-20251101")
    run.user("Where do we read the map tiles from, and can that be made faster?")
    run.say("I let an explorer find the places, and look at the cache meanwhile.")
    run.call("Read", {"file_path": "/home/ada/atlas/tiles/cache.go"}, "     1\tpackage tiles\n     2\t\n     3\tvar cache = lru.New(64)\n")
    run.call("Task", {"description": "Find tile reads", "subagent_type": "Explore", "prompt": "Find all places that read map tiles."}, "Tiles are read in tiles/store.go and tiles/disk.go.")
    run.call("Read", {"file_path": "/home/ada/atlas/tiles/store.go"}, "     1\tfunc (s *Store) Tile(k Key) ([]byte, error) {\n     2\t\treturn s.disk.Read(k)\n     3\t}\n")
    run.edit("/home/ada/atlas/tiles/store.go", "return s.disk.Read(k)", "return s.cache.GetOrRead(k, s.disk.Read)")
    run.bash("go test ./tiles/...", "ok  \tatlas/tiles\t0.412s\n")
    run.say("Tiles came from the disk every time. They go through the cache now.")
    run.write(f"claude-code/{session}.jsonl")

    scout = Claude(session, "2026-11-04T14:03:20", "/home/ada/atlas", model="claude-haiku-4-5-20251001", agent="a7e9")
    scout.user("Find all places that read map tiles.")
    for pattern in ["TileReader", "tile_reader", "tileReader", "ReadTile"]:
        scout.call("Grep", {"pattern": pattern, "path": "/home/ada/atlas"}, "No files found")
    for _ in range(4):
        scout.bash("grep -rn 'ReadTile' . | head", "", 1)
        scout.bash("find . -name '*reader*'", "")
        scout.bash("ls tiles", "cache.go\ndisk.go\nstore.go\n")
    scout.call("Read", {"file_path": "/home/ada/atlas/tiles/disk.go"}, "     1\tfunc (d *Disk) Read(k Key) ([]byte, error) {\n")
    scout.say("Tiles are read in tiles/store.go and tiles/disk.go.")
    scout.write(f"claude-code/{session}/subagents/agent-a7e9.jsonl")


def claude_healthy():
    run = Claude("c1a0de03-7003-4a00-8000-000000000003", "2026-11-05T10:40:00", "/home/ada/notes")
    run.user("Add a dark theme that follows the system.")
    run.call("Glob", {"pattern": "src/**/*.css"}, "src/base.css\nsrc/editor.css")
    run.call("Read", {"file_path": "/home/ada/notes/src/base.css"}, "     1\tbody { background: white; color: #222 }\n")
    run.call("Read", {"file_path": "/home/ada/notes/src/editor.css"}, "     1\t.page { border: 1px solid #ddd }\n")
    run.edit("/home/ada/notes/src/base.css", "body { background: white; color: #222 }", ":root { color-scheme: light dark }\nbody { background: Canvas; color: CanvasText }")
    run.bash("npm run lint:css", "src/editor.css\n  1:26  ✖  Unexpected hard-coded colour  color-named\n", 1)
    run.edit("/home/ada/notes/src/editor.css", "#ddd", "GrayText")
    run.bash("npm run lint:css", "")
    run.bash("npm test", "Tests: 52 passed, 52 total\n")
    run.say("The theme follows the system now, and no colour is hard-coded any more.")
    run.write("claude-code/c1a0de03-7003-4a00-8000-000000000003.jsonl")


# --- Codex -----------------------------------------------------------------------------------------------------------


class Codex:
    def __init__(self, session, start, cwd, model="gpt-5.2-codex"):
        self.clock, self.lines, self.count, self.context = Clock(start), [], 0, 9_000
        self.add("session_meta", {"id": session, "session_id": session, "cwd": cwd, "originator": "codex_cli", "cli_version": "0.166.0", "source": "cli", "model_provider": "openai"})
        self.add("turn_context", {"turn_id": "t1", "cwd": cwd, "approval_policy": "on-request", "model": model})

    def add(self, kind, payload, seconds=1):
        self.lines.append({"timestamp": self.clock.tick(seconds), "ordinal": len(self.lines), "type": kind, "payload": payload})

    def message(self, role, text):
        kind = "input_text" if role == "user" else "output_text"
        self.add("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}, 4)

    def shell(self, command, output, code=0):
        self.count += 1
        call = f"call_{self.count:03d}"
        arguments = json.dumps({"cmd": command})
        self.add("response_item", {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": call}, 5)
        usage = {
            "input_tokens": self.context,
            "cached_input_tokens": self.context - 700,
            "cache_write_input_tokens": 0,
            "output_tokens": 160,
            "reasoning_output_tokens": 90,
            "total_tokens": self.context + 160,
        }
        self.context += 700
        self.add("token_usage_record", {"response_id": f"resp_{self.count}", "usage": usage}, 0)
        text = f"Chunk ID: {self.count:06x}\nWall time: 0.{self.count:04d} seconds\nProcess exited with code {code}\nOriginal token count: {len(output) // 4}\nOutput:\n{output}"
        self.add("response_item", {"type": "function_call_output", "call_id": call, "output": text}, 3)

    def write(self, name):
        write(name, self.lines)


def codex_waits_for_a_server():
    run = Codex("0199f001-0001-7000-8000-000000000001", "2026-11-06T16:20:00", "/home/ada/mailer")
    run.message("user", "Start the stack and send a test mail.")
    run.shell("docker compose up -d", " Container mailer-db-1  Started\n Container mailer-api-1  Started\n")
    error = "curl: (7) Failed to connect to localhost port 8025 after 0 ms: Couldn't connect to server\n"
    for number in range(11):
        run.shell("curl -s -o /dev/null -w '%{http_code}' http://localhost:8025/health", error.replace("0 ms", f"{number % 3} ms"), 7)
    run.message("assistant", "The port does not answer. I look at the log.")
    run.shell("docker compose logs api | tail -5", "api-1  | listening on 0.0.0.0:8052\n")
    run.shell("curl -s http://localhost:8052/health", "{\"ok\":true}\n")
    run.shell("curl -s -X POST http://localhost:8052/mails -d @test.json", "{\"queued\":1}\n")
    run.message("assistant", "The api listens on 8052, not on 8025. The test mail is queued.")
    run.write("codex/rollout-2026-11-06T16-20-00-0199f001.jsonl")


def codex_healthy():
    run = Codex("0199f002-0002-7000-8000-000000000002", "2026-11-07T08:05:00", "/home/ada/mailer")
    run.message("user", "The address parser panics on an empty line. Fix it.")
    run.shell("cargo test -q address", "test address::empty_line ... FAILED\n\npanicked at src/address.rs:12: index out of bounds\n", 101)
    run.shell("sed -n '1,40p' src/address.rs", "pub fn parse(line: &str) -> Address {\n    let first = line.split('@').nth(0).unwrap();\n}\n")
    run.shell("python3 - <<'EOF'\nimport re, pathlib\np = pathlib.Path('src/address.rs')\np.write_text(p.read_text().replace('-> Address', '-> Option<Address>'))\nEOF", "")
    run.shell("cargo test -q address", "error[E0308]: mismatched types\n  --> src/address.rs:14:5\n", 101)
    run.shell("sed -i 's/    Address { /    Some(Address { /' src/address.rs", "")
    run.shell("cargo test -q address", "running 9 tests\n.........\ntest result: ok. 9 passed; 0 failed\n")
    run.message("assistant", "An empty line is no address now, and no panic either.")
    run.write("codex/rollout-2026-11-07T08-05-00-0199f002.jsonl")


# --- Gemini CLI ------------------------------------------------------------------------------------------------------


def gemini_back_and_forth():
    clock, lines, context = Clock("2026-11-09T11:30:00"), [], 6_000
    lines.append({"sessionId": "9e000001-0000-4000-8000-000000000001", "projectHash": "5ea5", "startTime": clock.tick(0), "lastUpdated": clock.tick(0), "kind": "main"})
    lines.append({"id": "u1", "timestamp": clock.tick(1), "type": "user", "content": [{"text": "Move the legend of the chart to the left, but keep the axis labels readable."}]})
    left, right = "legend: { position: 'left', maxWidth: 120 }", "legend: { position: 'right', maxWidth: 160 }"
    for number in range(12):
        old, new = (right, left) if number % 2 == 0 else (left, right)
        call = f"replace_{number}"
        answer = "Successfully modified file: src/chart.js (1 replacements)."
        context += 800
        calls = [{
            "id": call,
            "name": "replace",
            "args": {"file_path": "src/chart.js", "old_string": old, "new_string": new},
            "result": [{"functionResponse": {"id": call, "name": "replace", "response": {"output": answer}}}],
            "status": "success",
            "timestamp": clock.tick(7),
        }]
        side = "left" if number % 2 == 0 else "right"
        lines.append({
            "id": f"g{number}",
            "timestamp": clock.tick(0),
            "type": "gemini",
            "content": f"On the {side} the labels {'overlap' if side == 'left' else 'are readable'}.",
            "thoughts": [],
            "tokens": {"input": context, "output": 120, "cached": context - 900, "thoughts": 60, "tool": 0, "total": context + 180},
            "model": "gemini-2.5-pro",
            "toolCalls": calls,
        })
        lines.append({"id": f"r{number}", "timestamp": clock.tick(1), "type": "user", "content": [{"functionResponse": {"id": call, "name": "replace", "response": {"output": answer}}}]})
    write("gemini-cli/session-2026-11-09T11-30-9e000001.jsonl", lines)


# --- mini-swe-agent --------------------------------------------------------------------------------------------------


def mini_swe_agent():
    messages = [
        {"role": "system", "content": "You are a helpful assistant that can interact with a computer."},
        {"role": "user", "content": "Please solve this issue: dates before 1970 are printed one day early."},
    ]

    def act(thought, command, output, code):
        messages.append({
            "role": "assistant",
            "content": f"THOUGHT: {thought}\n\n```mswea_bash_command\n{command}\n```",
            "extra": {
                "actions": [{"command": command}],
                "response": {"model": "gpt-5-mini", "usage": {"prompt_tokens": 4_000 + 350 * len(messages), "completion_tokens": 180}},
            },
        })
        messages.append({
            "role": "user",
            "content": f"<returncode>{code}</returncode>\n<output>\n{output}</output>",
            "extra": {"returncode": code, "raw_output": output, "timestamp": 1_794_300_000 + 20 * len(messages)},
        })

    act("Look around.", "ls && git log --oneline | head -3", "README.md\ndates\ntests\n3f2c1aa Print dates\n", 0)
    act("Reproduce it.", "python reproduce.py", "1969-12-30 (expected 1969-12-31)\n", 1)
    for number in range(8):
        act(
            "The rounding must be wrong. Floor it, and try again.",
            f"sed -i 's/int(seconds \\/ 86400)/int(seconds \\/ 86400) {'+ 0' if number % 2 else '- 0'}/' dates/show.py && python reproduce.py",
            "1969-12-30 (expected 1969-12-31)\n",
            1,
        )
    act("Submit what I have.", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n", 0)
    document = {
        "info": {"exit_status": "Submitted", "submission": "", "mini_version": "2.1.0", "model_stats": {"instance_cost": 0.42, "api_calls": 11}},
        "messages": messages,
        "trajectory_format": "mini-swe-agent-1.1",
    }
    path = HERE / "mini-swe-agent/dates-1970.traj.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- A body of the OpenAI Chat API -----------------------------------------------------------------------------------


def support_desk():
    messages = [
        {"role": "system", "content": "You answer questions about orders."},
        {"role": "user", "content": "Where is my order 7731?"},
    ]

    def call(tool, arguments, answer):
        number = f"call_{len(messages):03d}"
        messages.append({"role": "assistant", "content": None, "tool_calls": [{"id": number, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}]})
        messages.append({"role": "tool", "tool_call_id": number, "content": answer})

    call("find_order", {"order": "7731"}, '{"order":"7731","carrier":"Postbote","parcel":null}')
    for spelling in [{"parcel": ""}, {"parcel": "7731"}, {"parcel": "#7731"}, {"id": "7731"}, {"parcel_id": "7731"}, {"parcel": 7731}, {"order": "7731"}]:
        call("track_parcel", spelling, '{"error":"invalid arguments: `parcel` must be a tracking number such as PB123456789"}')
    messages.append({"role": "assistant", "content": "Your order has not been handed to the carrier yet. I will let you know."})
    path = HERE / "openai-chat/support-desk.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model": "gpt-5-mini", "messages": messages}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# --- Events as `unstuck check` reads them ----------------------------------------------------------------------------


def research_team():
    at, lines = 1_794_390_000_000, []

    def event(agent, kind, **rest):
        nonlocal at
        at += 2_500
        lines.append({"event": kind, "session": "research-17", "agent": agent, "at": at, **rest})

    event("lead", "user", text="How much steel did the bridge need?")
    number = 0
    queries = ["steel tonnes bridge", "bridge steel tonnes", "tonnes of steel bridge", "bridge: tonnes of steel", "steel for the bridge in tonnes", "tonnes steel the bridge"]
    for query in queries:
        number += 1
        event("searcher", "call", id=str(number), tool="web_search", args={"query": query})
        event("searcher", "result", id=str(number), output="1. Bridges of the world (encyclopedia)\n2. Steel prices today\n3. The bridge (film)")
        event("searcher", "turn", tokens=5_200)
    for topic in ["span", "year", "builder", "cables"]:
        number += 1
        event("reader", "call", id=str(number), tool="open_page", args={"page": f"bridge/{topic}"})
        event("reader", "result", id=str(number), output=f"The {topic} of the bridge, in some detail, with sources.")
        event("reader", "turn", tokens=3_100)
    event("lead", "text", text="The encyclopedia gives the span and the cables; from those the steel can be estimated.")
    event("lead", "turn", tokens=2_000)
    write("events/research-team.jsonl", lines)


if __name__ == "__main__":
    claude_stuck_on_a_test()
    claude_with_a_sub_agent()
    claude_healthy()
    codex_waits_for_a_server()
    codex_healthy()
    gemini_back_and_forth()
    mini_swe_agent()
    support_desk()
    research_team()
