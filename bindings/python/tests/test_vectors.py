"""The vectors of every implementation, and the reported cases: decisions are those of the native command, byte for byte."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from unstuck import Guard

VECTORS = ROOT / "conformance"
PRESETS = ["standard", "ironcurtain", "attractor", "attocode", "tool-loop-detector"]


def cases(path: Path) -> list[dict[str, Any]]:
    """The rows of a file that have events."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return [row for row in rows if "events" in row]


FILES = [path for path in sorted(VECTORS.glob("*.jsonl")) if cases(path)]


def scoped(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a case in sessions of its own, so that one guard takes all cases."""
    return [{**event, "session": f"{case['id']}/{event.get('session', 'default')}"} for event in case["events"]]


def judged(command: str, preset: str, lines: list[str]) -> list[str]:
    """What the native command answers."""
    words = [command, "check", "--no-config", "--preset", preset]
    done = subprocess.run(words, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    return done.stdout.removesuffix("\n").split("\n")


def test_there_are_vectors() -> None:
    assert {path.stem for path in FILES} >= {"attocode", "attractor", "ironcurtain", "tool-loop-detector", "reported-cases"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_decisions_are_those_of_the_command(path: Path, command: str) -> None:
    by_preset: dict[str, list[dict[str, Any]]] = {}
    for case in cases(path):
        by_preset.setdefault(case.get("preset", "standard"), []).extend(scoped(case))
    for preset, events in by_preset.items():
        guard = Guard(preset)
        answers = [guard.observe(event).to_json() for event in events]
        assert answers == judged(command, preset, [json.dumps(event) for event in events])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_decisions_are_as_expected(path: Path) -> None:
    checked = 0
    for case in cases(path):
        guard = Guard(case.get("preset", "standard"))
        decisions = [guard.observe(event).to_dict() for event in case["events"]]
        expected = case["expect"]
        if isinstance(expected, dict):
            # Bounds on verdicts, as of reported cases.
            order = ["allow", "nudge", "deny", "halt"]
            strictest = max(order.index(decision["verdict"]) for decision in decisions)
            assert strictest <= order.index(expected.get("max", "halt")), case["id"]
            checked += 1
            continue
        for decision, wanted in zip(decisions, expected, strict=True):
            for member, value in wanted.items():
                found = decision.get(member)
                if isinstance(value, dict) and isinstance(found, dict):
                    found = {key: found.get(key) for key in value}
                if member == "message_has":
                    assert all(part in decision["message"] for part in value), case["id"]
                    continue
                assert found == value, (case["id"], member)
                checked += 1
    assert checked


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["stuck", "healthy"])
def test_streams_of_examples_are_judged_alike(preset: str, name: str, command: str) -> None:
    lines = (ROOT / "examples" / "events" / f"{name}.jsonl").read_text().splitlines()
    guard = Guard(preset)
    assert [guard.observe(line).to_json() for line in lines] == judged(command, preset, lines)


def test_methods_are_the_events_of_the_wire() -> None:
    """Calls through the methods are judged like the same events as lines."""
    for path in FILES:
        for case in cases(path):
            preset = case.get("preset", "standard")
            lines, methods = Guard(preset), Guard(preset, clock=False)
            for event in case["events"]:
                wanted = lines.observe(event)
                names = {name: event[name] for name in ("session", "agent", "swarm", "at") if name in event}
                found = send(methods, event, names)
                if found is not None:
                    assert found.to_json() == wanted.to_json(), case["id"]


def send(guard: Guard, event: dict[str, Any], names: dict[str, Any]) -> Any:
    kind = event["event"]
    if kind == "call" and event.get("args", {}) is not None:
        options = {name: event[name] for name in ("read_only",) if name in event}
        if event.get("key") is not None:
            options["key"] = str(event["key"])
        return guard.before_call(event["tool"], event.get("args", {}), id=str(event["id"]), **options, **names)
    if kind == "result":
        options = {name: event[name] for name in ("status", "exit_code") if name in event}
        if "output" not in event:
            return guard.observe(event)
        return guard.after_call(str(event["id"]), event["output"], **options, **names)
    if kind == "step":
        return guard.step(event["code"], *([event["output"]] if "output" in event else []), **names)
    if kind == "text":
        return guard.text(event["text"], role=event.get("role", "assistant"), **names)
    if kind == "turn":
        return guard.turn(tokens=event.get("tokens", 0), cost=event.get("cost", 0.0), **names)
    return guard.observe(event)
