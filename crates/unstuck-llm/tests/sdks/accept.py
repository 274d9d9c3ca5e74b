"""Validates requests before and after repeats are left out, by the request types of the official SDKs.

Reads lines of `cargo run -p unstuck-llm --example leave_repeats_out -- histories` from standard input.
"""

import collections.abc
import json
import sys

from anthropic.types import MessageParam
from google.genai.types import Content
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

TYPES = {
    "anthropic-messages": ("messages", TypeAdapter(list[MessageParam])),
    "openai-chat": ("messages", TypeAdapter(list[ChatCompletionMessageParam])),
    "openai-responses": ("input", TypeAdapter(list[ResponseInputItemParam])),
    "gemini": ("contents", TypeAdapter(list[Content])),
}


def read(value):
    """Reads values to their ends: pydantic validates the elements of an `Iterable` when they are taken."""
    if isinstance(value, dict):
        for member in value.values():
            read(member)
    elif isinstance(value, collections.abc.Iterable) and not isinstance(value, (str, bytes)):
        for element in value:
            read(element)


def ids(form, history):
    """The ids of calls and of results, in their order."""
    calls, results = [], []
    for one in history:
        if form == "openai-chat":
            calls += [call["id"] for call in one.get("tool_calls") or []]
            if one["role"] == "tool":
                results.append(one["tool_call_id"])
        elif form == "openai-responses":
            if one.get("type") == "function_call":
                calls.append(one["call_id"])
            elif one.get("type") == "function_call_output":
                results.append(one["call_id"])
        else:
            parts = one.get("content", one.get("parts"))
            for part in parts if isinstance(parts, list) else []:
                if part.get("type") == "tool_use":
                    calls.append(part["id"])
                elif part.get("type") == "tool_result":
                    results.append(part["tool_use_id"])
                elif "functionCall" in part:
                    calls.append(part["functionCall"]["id"])
                elif "functionResponse" in part:
                    results.append(part["functionResponse"]["id"])
    return calls, results


def main():
    seen = set()
    for line in sys.stdin:
        found = json.loads(line)
        form = found["form"]
        member, adapter = TYPES[form]
        for which in ("before", "after"):
            history = found[which][member]
            read(adapter.validate_python(history))
            calls, results = ids(form, history)
            assert calls and calls == results, (form, which, calls, results)
        assert len(found["after"][member]) < len(found["before"][member]), form
        # A request with a wrong element is not accepted: the types are really looked at.
        broken = found["after"][member] + [{"role": 7, "parts": 7, "content": 7, "type": "no"}]
        try:
            read(adapter.validate_python(broken))
        except ValueError:
            pass
        else:
            raise AssertionError(f"{form}: the types accept anything")
        seen.add(form)
        print(f"{form}: accepted")
    assert seen == set(TYPES), seen


main()
