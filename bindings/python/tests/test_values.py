"""Values of Python as arguments: what each stands for, and that none stops the guard."""

from __future__ import annotations

import enum
import gc
import json
import random
import sys
import time
import types
import weakref
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import pytest

from unstuck import Guard, canonical

Point = namedtuple("Point", "x y")


class Colour(enum.IntEnum):
    RED = 3


class Word(str):
    """A string of another type."""


@dataclass
class Data:
    a: int


class Broken:
    def __str__(self) -> str:
        raise LookupError("no text")

    __repr__ = __str__


class NotText:
    def __str__(self) -> str:
        return 7  # type: ignore[return-value]


class Deep:
    def __str__(self) -> str:
        return str(self)


class NoName(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError


class Nameless(metaclass=NoName):
    def __str__(self) -> str:
        raise ValueError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        ("é\n", '"é\\n"'),
        ({"b": 1, "a": [True, None, 0.5]}, '{"a":[true,null,0.5],"b":1}'),
        ((1, 2), "[1,2]"),
        (Point(1, 2), "[1,2]"),
        (OrderedDict(z=1, y=2), '{"y":2,"z":1}'),
        (types.MappingProxyType({"a": 1}), '"{\'a\': 1}"'),
        (Colour.RED, "3"),
        (Word("w"), '"w"'),
        (Data(1), '"Data(a=1)"'),
        (Decimal("1.50"), '"1.50"'),
        (PurePosixPath("a/b"), '"a/b"'),
        (b"\xff", '"b\'\\\\xff\'"'),
        (bytearray(b"a"), '"bytearray(b\'a\')"'),
        (range(3), '"range(0, 3)"'),
        (float("nan"), '"NaN"'),
        (float("inf"), '"Infinity"'),
        (-float("inf"), '"-Infinity"'),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
        (-0.0, "0"),
        (2**63, "9223372036854775808"),
        (-(2**63), "-9223372036854775808"),
        (10**400, '"1' + "0" * 400 + '"'),
        ({3, 1, 2}, "[1,2,3]"),
        (frozenset({"b", "a"}), '["a","b"]'),
        ({1: 2, None: 3, True: 4, 1.5: 5}, '{"1":4,"1.5":5,"null":3}'),
        ({(1, 2): 3}, '{"(1, 2)":3}'),
        ("\ud83d", '"\ufffd"'),
        ("\ud83d\ude00", '"\U0001f600"'),
        ({"\udc00": 1}, '{"\ufffd":1}'),
        (Broken(), '"<Broken: str() raised LookupError>"'),
        ({Broken(): 1}, '{"<Broken: str() raised LookupError>":1}'),
        (NotText(), '"<NotText: str() raised TypeError>"'),
        (Deep(), '"<Deep: str() raised RecursionError>"'),
        (Nameless(), '"<object: str() raised ValueError>"'),
    ],
    ids=lambda value: value[:20] if type(value) is str else "",
)
def test_every_value_has_a_text(value: Any, text: str) -> None:
    assert canonical(value) == text


def test_integers_beyond_the_digits_that_python_writes_are_told_apart() -> None:
    limit = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 4300
    one, other = 10 ** (limit + 1), 10 ** (limit + 1) + 1
    assert canonical(one) != canonical(other)
    assert canonical({one: 1}) != canonical({other: 1})
    if hasattr(sys, "get_int_max_str_digits"):
        assert canonical(one) == f'"{hex(one)}"'


def test_cycles_end() -> None:
    a: list[Any] = [1]
    a.append(a)
    assert canonical(a) == '[1,"<cycle>"]'
    b: dict[str, Any] = {}
    b["self"] = {"list": [b]}
    assert canonical(b) == '{"self":{"list":["<cycle>"]}}'
    shared = [1]
    assert canonical([shared, shared]) == "[[1],[1]]"


def test_deep_nesting_ends() -> None:
    value: Any = "x"
    for _ in range(100_000):
        value = [value]
    text = canonical(value)
    assert text == "[" * 127 + '"<nested too deeply>"' + "]" * 127
    assert Guard().before_call("t", value).permits
    assert Guard().before_call("t", {"a": value}).permits
    while isinstance(value, list):
        value = value.pop()


def test_values_that_multiply_are_cut_in_bounded_time() -> None:
    value: Any = "lol"
    for _ in range(60):
        value = [value, value]
    started = time.monotonic()
    text = canonical(value)
    assert '"<cut>"' in text and len(text) < 17 << 20
    assert Guard().before_call("t", {"value": value}).permits
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "value",
    [
        "x" * (40 << 20),
        ["x" * (1 << 20)] * 64,
        list(range(8_000_000)),
        {str(at): at for at in range(3_000_000)},
        set(range(3_000_000)),
        "\U0001f600" * (10 << 20),
        b"\x00" * (20 << 20),
    ],
    ids=["string", "strings", "list", "dict", "set", "astral", "bytes"],
)
def test_huge_values_are_cut_in_bounded_time(value: Any) -> None:
    started = time.monotonic()
    text = canonical(value)
    assert len(text.encode()) < 34 << 20
    assert "<cut>" in text
    assert time.monotonic() - started < 20
    guard = Guard()
    assert guard.after_call(guard.before_call("t", {"value": value}), value).permits


def test_what_is_cut_is_the_end() -> None:
    text = "x" * (16 << 20)
    assert canonical([text + "a"]) == canonical([text + "b"])
    assert canonical(["a" + text]) != canonical(["b" + text])


def test_interrupts_are_not_swallowed() -> None:
    class Stop:
        def __str__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Guard().before_call("t", {"a": Stop()})
    with pytest.raises(KeyboardInterrupt):
        canonical([Stop()])


def test_values_may_change_while_they_are_read() -> None:
    members: dict[Any, Any] = {}
    elements: list[Any] = []
    objects: set[Any] = set()

    class Changes:
        def __str__(self) -> str:
            members.clear()
            members.update({str(at): at for at in range(100)})
            elements.clear()
            objects.clear()
            return "changed"

    members.update(a=Changes(), b=1)
    assert canonical(members) == '{"a":"changed","b":1}'
    elements.extend([Changes(), 1, 2])
    assert canonical(elements) == '["changed"]'
    objects.update([Changes(), 1])
    assert sorted(json.loads(canonical(objects)), key=str) == [1, "changed"]


def test_a_guard_can_be_called_while_it_reads_a_value() -> None:
    guard = Guard()

    class Calls:
        def __str__(self) -> str:
            return guard.before_call("inner", {}).verdict

    assert guard.before_call("outer", {"a": Calls()}).line == 2


def test_nothing_of_a_value_is_kept() -> None:
    class Value:
        pass

    value = Value()
    gone = weakref.ref(value)
    guard = Guard()
    before = guard.before_call("t", {"a": value})
    guard.after_call(before, [value])
    del value
    gc.collect()
    assert gone() is None


def odd_value(choose: random.Random, depth: int = 0) -> Any:
    makers = [
        lambda: choose.choice([None, True, 0, -1, 2**64, 1.5, float("nan"), "", "\ud800", b"\xff", Broken(), Deep, ...]),
        lambda: "".join(chr(choose.choice([0, 9, 34, 92, 233, 0x2028, 0xD800, 0xFFFF, 0x10FFFF])) for _ in range(3)),
        lambda: [odd_value(choose, depth + 1) for _ in range(choose.randrange(4))],
        lambda: {choose.choice([1, "1", None, (1,), b"k", 1.5]): odd_value(choose, depth + 1) for _ in range(3)},
        lambda: {choose.choice([1, "a", None, (1, 2), 2.5]) for _ in range(3)},
    ]
    return choose.choice(makers if depth < 5 else makers[:2])()


@pytest.mark.parametrize("seed", range(40))
def test_odd_values_are_json_and_the_same_each_time(seed: int) -> None:
    choose = random.Random(seed)
    guard = Guard()
    for _ in range(50):
        value = odd_value(choose)
        text = canonical(value)
        assert json.dumps(json.loads(text)) and text == canonical(value)
        before = guard.before_call("t", value)
        guard.after_call(before, value)


@pytest.mark.parametrize("seed", range(40))
def test_plain_values_are_what_json_dumps_writes(seed: int) -> None:
    choose = random.Random(seed)

    def plain(depth: int = 0) -> Any:
        kind = choose.randrange(7 if depth < 4 else 5)
        if kind < 5:
            return [None, choose.random() < 0.5, choose.randrange(-(2**63), 2**63), choose.random(), chr(choose.randrange(1, 0xD7FF)) * 3][kind]
        if kind == 5:
            return [plain(depth + 1) for _ in range(choose.randrange(4))]
        return {chr(choose.randrange(32, 0xD7FF)): plain(depth + 1) for _ in range(choose.randrange(4))}

    for _ in range(50):
        value = plain()
        text = canonical(value)
        assert json.loads(text) == value
        # Canonical already: the text of the text is the text.
        assert canonical(json.loads(text)) == text


@pytest.mark.parametrize("seed", range(40))
def test_flat_and_nested_arguments_have_one_form(seed: int) -> None:
    choose = random.Random(seed)
    names = ["a", "b", "ab", "A", "", "\n", '"', "é", "\ue000", "\U0001f600", Word("b"), Word("z")]
    for _ in range(50):
        values = [choose.choice([None, True, 1, -(2**63), 2**63, 0.5, "x", "\n\"\\", "\ud800", Word("w")]) for _ in names]
        members = dict(choose.sample(list(zip(names, values, strict=True)), choose.randrange(5)))
        # In a list it goes through the writer and the reader.
        assert f"[{canonical(members)}]" == canonical([members])


@pytest.mark.parametrize("tool", ["", "\ud800", "x" * 1_000_000, "a\x00b", "\u202e"])
def test_any_name_of_a_tool_is_taken(tool: str) -> None:
    guard = Guard()
    for _ in range(4):
        decision = guard.after_call(guard.before_call(tool, {}), "text")
    assert decision.message is None or len(decision.message) <= 1_000


def test_any_text_and_any_error_is_taken() -> None:
    guard = Guard()
    assert guard.text("\ud800" * 10).permits
    assert guard.step("\ud800", Broken()).permits
    before = guard.before_call("t", {})

    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert guard.after_call(before, error=Odd()).permits
    assert guard.after_call(before, error=OSError()).permits
    assert guard.after_call(before, error={"code": 1}).permits
    with pytest.raises(OverflowError):
        guard.after_call(before, "x", exit_code=2**64)
    with pytest.raises(UnicodeEncodeError):
        guard.observe("\ud800")


def test_objects_with_odd_attributes_are_refused_or_read() -> None:
    class Odd:
        @property
        def tool(self) -> str:
            raise RuntimeError("no tool here")

    with pytest.raises(RuntimeError, match="no tool here"):
        Guard().before_call(Odd())
    with pytest.raises(TypeError):
        Guard().before_call({"tool": None})
    assert Guard().before_call({"tool": 7, "arguments": "{not json"}).permits
