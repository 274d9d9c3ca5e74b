"""A scripted model on loopback, in the four wire forms: OpenAI Chat Completions and Responses, Anthropic Messages, Gemini.

The first message of a user that has ``scenario:NAME`` names the script, and the examples ask to look up a key; what a turn says follows from the number of turns
before it, so that any number of runs share one server. Every request is kept as a list of :class:`Item`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Turns after which an endless script ends all the same.
LIMIT = 20


@dataclass(frozen=True)
class Item:
    """A part of a conversation: ``system``, ``user``, ``assistant``, ``call`` or ``result``."""

    kind: str
    text: str
    id: str = ""
    #: Number of the message that holds the part.
    message: int = 0


@dataclass(frozen=True)
class Call:
    name: str
    args: Any


def turn(scenario: str, number: int, argument: str = "input") -> str | list[Call]:
    """What the model says in a turn: a text, or calls. ``argument`` is that of a tool which is an agent."""
    look_up = Call("look_up", {"key": "a"})
    if number >= LIMIT and scenario != "healthy":
        return "gave up"
    match scenario:
        case "loop":
            return [look_up]
        case "healthy":
            return [Call("look_up", {"key": str(number)})] if number < 40 else "finished"
        case "parallel":
            return [look_up, Call("look_up", {"key": "b"}), Call("count", {"word": "c"})]
        case "failing":
            return [Call("fail", {"key": "a"})]
        case "unknown":
            return [Call("no_such_tool", {"key": str(number)})]
        case "invalid":
            return [Call("look_up", {"kye": str(number)})]
        case "malformed":
            return [Call("look_up", '{"key": '), Call("look_up", {"key": str(number)})]
        case "task":
            args = {"description": f"scenario:loop {number}", "subagent_type": "worker"}
            return [Call("task", args)] if number < 2 else "finished"
        case "handoff":
            return [look_up] if number else [Call("transfer_to_worker", {})]
        case "poll":
            return [Call("job_status", {"job": "7", "request_id": str(number)})]
        case "delegate":
            return [Call("research", {argument: f"scenario:loop {number}"})] if number < 2 else "finished"
    return "hello"


class Model:
    """The server. ``requests`` has what came since ``clear``."""

    def __init__(self) -> None:
        self.requests: list[list[Item]] = []
        #: Conversations that clients continue by the id of a response.
        self._stored: dict[str, list[Item]] = {}
        self._lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])) or "{}")
                kind, payload = model.answer(self.path, body)
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def do_GET(self) -> None:
                self.send_error(404)

            do_HEAD = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def clear(self) -> None:
        self.requests = []
        self._stored = {}

    def of(self, scenario: str) -> list[list[Item]]:
        """The requests of the runs of a scenario."""
        return [request for request in self.requests if _scenario(request) == scenario]

    def answer(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        wire = next((one for one in (Chat, Responses, Messages, Gemini) if one.path in path), None)
        if wire is None:
            return "application/json", b"{}"
        before = self._stored.get(body.get("previous_response_id") or "", [])
        offset = before[-1].message + 1 if before else 0
        items = before + [replace(item, message=item.message + offset) for item in wire.read(body)]
        scenario = _scenario(items)
        number = len({item.message for item in items if item.kind == "call"})
        said = turn(scenario, number, "request" if wire is Gemini else "input")
        if isinstance(said, str) and any("final_answer" in json.dumps(tool) for tool in body.get("tools") or []):
            said = [Call("final_answer", {"answer": said})]
        if wire is Messages:
            if not body.get("tools"):
                scenario, said = "", "no tools"
            said = _as_offered(said, [tool["name"] for tool in body.get("tools", [])])
        if scenario:
            self.requests.append(items)
        response = ""
        if wire is Responses:
            end = items[-1].message + 1
            calls = said if isinstance(said, list) else []
            made = [Item("call", call.name, _id(number, place, call), end) for place, call in enumerate(calls)]
            with self._lock:
                response = f"resp_{len(self._stored)}"
                self._stored[response] = items + made
        if not (body.get("stream") or "stream" in path):
            whole = wire.whole(said, number)
            return "application/json", json.dumps(whole).replace(Responses.unnamed, response).encode()
        text = "".join(
            (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n"
            for event in wire.pieces(said, number)
        )
        text = text.replace(Responses.unnamed, response) + ("data: [DONE]\n\n" if wire is Chat else "")
        return "text/event-stream", text.encode()


def _scenario(items: list[Item]) -> str:
    for item in items:
        if item.kind == "user" and (found := re.search(r"scenario:(\w+)", item.text)):
            return found[1]
        if item.kind == "user" and "Look up the key" in item.text:
            return "loop"
    return ""


def _as_offered(said: str | list[Call], names: list[str]) -> str | list[Call]:
    """Calls under the names that Claude Code gives to tools of MCP servers, and to agents."""
    if isinstance(said, str):
        return said
    calls: list[Call] = []
    for call in said:
        name = next((name for name in names if name.endswith(f"__{call.name}")), call.name)
        args = call.args
        if call.name == "research" and name not in names:
            name = next(name for name in names if name in ("Agent", "Task"))
            args = {"description": "look up", "prompt": call.args["input"], "subagent_type": "research"}
        calls.append(Call(name, args))
    return calls


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(_text(part) for part in content)
    if isinstance(content, dict):
        return _text(content.get("text", content.get("output", content.get("content", json.dumps(content)))))
    return "" if content is None else str(content)


def _arguments(call: Call) -> str:
    """Arguments as JSON; a string stands for arguments that are not JSON."""
    return call.args if isinstance(call.args, str) else json.dumps(call.args)


def _id(number: int, place: int, call: Call) -> str:
    return f"call_{number}_{place}_{call.name}"


class Chat:
    path = "/chat/completions"

    @staticmethod
    def read(body: dict[str, Any]) -> Iterator[Item]:
        for at, message in enumerate(body["messages"]):
            role, text = message["role"], _text(message.get("content"))
            if role == "tool":
                yield Item("result", text, message["tool_call_id"], at)
                continue
            if role == "assistant" and text.startswith("Calling tools:"):
                # smolagents writes calls as text.
                yield Item("call", text, message=at)
            elif text:
                yield Item("system" if role == "developer" else role, text, message=at)
            for call in message.get("tool_calls") or []:
                yield Item("call", call["function"]["name"], call["id"], at)

    @staticmethod
    def message(said: str | list[Call], number: int) -> dict[str, Any]:
        if isinstance(said, str):
            return {"role": "assistant", "content": said}
        calls = [
            {
                "index": place,
                "id": _id(number, place, call),
                "type": "function",
                "function": {"name": call.name, "arguments": _arguments(call)},
            }
            for place, call in enumerate(said)
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    @classmethod
    def whole(cls, said: str | list[Call], number: int) -> dict[str, Any]:
        reason = "stop" if isinstance(said, str) else "tool_calls"
        choice = {"index": 0, "message": cls.message(said, number), "finish_reason": reason}
        return _CHAT | {"object": "chat.completion", "choices": [choice]}

    @classmethod
    def pieces(cls, said: str | list[Call], number: int) -> Iterator[dict[str, Any]]:
        chunk = _CHAT | {"object": "chat.completion.chunk"}
        reason = "stop" if isinstance(said, str) else "tool_calls"
        usage = chunk.pop("usage")
        yield chunk | {"choices": [{"index": 0, "delta": cls.message(said, number), "finish_reason": None}]}
        yield chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        yield chunk | {"choices": [], "usage": usage}


_CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "created": 1,
    "model": "scripted",
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


class Responses:
    path = "/responses"
    #: Stands for the id of a response.
    unnamed = "resp_unnamed"

    @staticmethod
    def read(body: dict[str, Any]) -> Iterator[Item]:
        given = body["input"]
        turns = 0
        last = ""
        for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
            kind = item.get("type", "message")
            if kind == "function_call":
                # Calls of one turn are items in a row.
                turns += last != kind
                yield Item("call", item["name"], item["call_id"], turns)
            elif kind == "function_call_output":
                yield Item("result", _text(item["output"]), item["call_id"], turns)
            elif kind == "message":
                yield Item(item["role"], _text(item["content"]), message=turns)
            last = kind

    @staticmethod
    def items(said: str | list[Call], number: int) -> list[dict[str, Any]]:
        if isinstance(said, str):
            part = {"type": "output_text", "text": said, "annotations": [], "logprobs": []}
            message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed"}
            return [message | {"content": [part]}]
        return [
            {
                "id": f"fc_{number}_{place}",
                "type": "function_call",
                "status": "completed",
                "call_id": _id(number, place, call),
                "name": call.name,
                "arguments": _arguments(call),
            }
            for place, call in enumerate(said)
        ]

    @classmethod
    def whole(cls, said: str | list[Call], number: int) -> dict[str, Any]:
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        return {
            "id": cls.unnamed,
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": "scripted",
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "output": cls.items(said, number),
            "usage": usage | details,
        }

    @classmethod
    def pieces(cls, said: str | list[Call], number: int) -> Iterator[dict[str, Any]]:
        whole = cls.whole(said, number)
        begun = whole | {"status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
        for at, item in enumerate(whole["output"]):
            place = {"output_index": at, "item_id": item["id"]}
            if item["type"] == "message":
                text = item["content"][0]["text"]
                inner = place | {"content_index": 0, "logprobs": []}
                empty = item["content"][0] | {"text": ""}
                events += [
                    {"type": "response.output_item.added", "item": item | {"content": []}, **place},
                    {"type": "response.content_part.added", "part": empty, **inner},
                    {"type": "response.output_text.delta", "delta": text, **inner},
                    {"type": "response.output_text.done", "text": text, **inner},
                    {"type": "response.content_part.done", "part": item["content"][0], **inner},
                ]
            else:
                args = item["arguments"]
                events += [
                    {"type": "response.output_item.added", "item": item | {"arguments": ""}, **place},
                    {"type": "response.function_call_arguments.delta", "delta": args, **place},
                    {"type": "response.function_call_arguments.done", "arguments": args, "name": item["name"], **place},
                ]
            events.append({"type": "response.output_item.done", "item": item, **place})
        events.append({"type": "response.completed", "response": whole})
        for order, event in enumerate(events):
            yield event | {"sequence_number": order}


class Messages:
    path = "/messages"

    @staticmethod
    def read(body: dict[str, Any]) -> Iterator[Item]:
        for at, message in enumerate(body["messages"]):
            content = message["content"]
            for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                if part["type"] == "tool_use":
                    yield Item("call", part["name"], part["id"], at)
                elif part["type"] == "tool_result":
                    yield Item("result", _text(part.get("content")), part["tool_use_id"], at)
                elif part["type"] == "text":
                    yield Item(message["role"], part["text"], message=at)

    @staticmethod
    def blocks(said: str | list[Call], number: int) -> list[dict[str, Any]]:
        if isinstance(said, str):
            return [{"type": "text", "text": said}]
        return [
            {"type": "tool_use", "id": "toolu_" + _id(number, place, call), "name": call.name, "input": call.args}
            for place, call in enumerate(said)
        ]

    @classmethod
    def whole(cls, said: str | list[Call], number: int) -> dict[str, Any]:
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": cls.blocks(said, number),
            "stop_reason": "end_turn" if isinstance(said, str) else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }

    @classmethod
    def pieces(cls, said: str | list[Call], number: int) -> Iterator[dict[str, Any]]:
        whole = cls.whole(said, number)
        yield {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}}
        for at, block in enumerate(whole["content"]):
            if block["type"] == "text":
                empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                empty, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield {"type": "content_block_start", "index": at, "content_block": block | empty}
            yield {"type": "content_block_delta", "index": at, "delta": delta}
            yield {"type": "content_block_stop", "index": at}
        ends = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield {"type": "message_delta", "delta": ends, "usage": {"output_tokens": 1}}
        yield {"type": "message_stop"}


class Gemini:
    path = "enerateContent"

    @staticmethod
    def read(body: dict[str, Any]) -> Iterator[Item]:
        for at, content in enumerate(body["contents"]):
            for part in content["parts"]:
                if call := part.get("functionCall"):
                    yield Item("call", call["name"], call.get("id") or call["name"], at)
                elif response := part.get("functionResponse"):
                    text = json.dumps(response["response"])
                    yield Item("result", text, response.get("id") or response["name"], at)
                elif "text" in part:
                    yield Item("assistant" if content["role"] == "model" else "user", part["text"], message=at)

    @staticmethod
    def whole(said: str | list[Call], number: int) -> dict[str, Any]:
        if isinstance(said, str):
            parts: list[dict[str, Any]] = [{"text": said}]
        else:
            parts = [
                {"functionCall": {"id": _id(number, place, call), "name": call.name, "args": call.args}}
                for place, call in enumerate(said)
            ]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

    @classmethod
    def pieces(cls, said: str | list[Call], number: int) -> Iterator[dict[str, Any]]:
        yield cls.whole(said, number)
