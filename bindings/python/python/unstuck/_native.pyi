"""Types of the native module."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, final

__version__: str

Verdict = Literal["allow", "nudge", "deny", "halt"]
Preset = Literal["standard", "ironcurtain", "attractor", "attocode", "tool-loop-detector"]
Status = Literal["ok", "error", "denied", "cancelled", "pending"]

class EngineError(RuntimeError): ...

@final
class Finding:
    @property
    def rule(self) -> str: ...
    @property
    def repeats(self) -> int: ...
    @property
    def period(self) -> int: ...
    @property
    def first_line(self) -> int: ...
    @property
    def last_line(self) -> int: ...
    @property
    def pattern(self) -> list[str]: ...

@final
class Decision:
    @property
    def verdict(self) -> Verdict: ...
    @property
    def permits(self) -> bool: ...
    @property
    def halts(self) -> bool: ...
    @property
    def message(self) -> str | None: ...
    @property
    def would(self) -> Verdict | None: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def level(self) -> int | None: ...
    @property
    def repeats(self) -> int | None: ...
    @property
    def period(self) -> int | None: ...
    @property
    def pattern(self) -> tuple[str, ...]: ...
    @property
    def status(self) -> str | None: ...
    @property
    def wasted_calls(self) -> int: ...
    @property
    def retry_after(self) -> int | None: ...
    @property
    def advice(self) -> str | None: ...
    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def line(self) -> int: ...
    @property
    def session(self) -> str: ...
    @property
    def agent(self) -> str: ...
    @property
    def call_id(self) -> str | None: ...
    @property
    def error(self) -> str | None: ...
    def for_model(self, output: str = "") -> str: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...

class Guard:
    def __new__(
        cls,
        preset: Preset | str | None = None,
        *,
        config: str | os.PathLike[str] | None = None,
        session: str = "default",
        agent: str = "main",
        swarm: str | None = None,
        clock: Callable[[], int] | Literal[False] | None = None,
        **settings: Any,
    ) -> Guard: ...
    def before_call(
        self,
        call: object,
        args: object = None,
        *,
        id: str | None = None,
        key: str | None = None,
        read_only: bool | None = None,
        session: str | None = None,
        agent: str | None = None,
        swarm: str | None = None,
        at: int | None = None,
    ) -> Decision: ...
    def after_call(
        self,
        call: Decision | str,
        output: object = None,
        *,
        status: Status | str | None = None,
        error: object = None,
        exit_code: int | None = None,
        session: str | None = None,
        agent: str | None = None,
        swarm: str | None = None,
        at: int | None = None,
    ) -> Decision: ...
    def check(
        self,
        call: object,
        args: object = None,
        *,
        key: str | None = None,
        read_only: bool | None = None,
        session: str | None = None,
        agent: str | None = None,
    ) -> Decision: ...
    def step(
        self,
        code: str,
        *output: object,
        session: str | None = None,
        agent: str | None = None,
        swarm: str | None = None,
        at: int | None = None,
    ) -> Decision: ...
    def text(
        self,
        text: str,
        *,
        role: Literal["assistant", "thinking"] = "assistant",
        session: str | None = None,
        agent: str | None = None,
        swarm: str | None = None,
        at: int | None = None,
    ) -> Decision: ...
    def turn(
        self,
        *,
        tokens: int = 0,
        cost: float = 0.0,
        session: str | None = None,
        agent: str | None = None,
        swarm: str | None = None,
        at: int | None = None,
    ) -> Decision: ...
    def user(
        self, *, session: str | None = None, agent: str | None = None, at: int | None = None
    ) -> Decision: ...
    def retry(
        self, *, session: str | None = None, agent: str | None = None, at: int | None = None
    ) -> Decision: ...
    def compaction(
        self, *, session: str | None = None, agent: str | None = None, at: int | None = None
    ) -> Decision: ...
    def resume(
        self, *, session: str | None = None, agent: str | None = None, at: int | None = None
    ) -> Decision: ...
    def reset(
        self, *, session: str | None = None, agent: str | None = None, at: int | None = None
    ) -> Decision: ...
    def observe(self, event: Mapping[str, Any] | str | bytes) -> Decision: ...
    def snapshot(self, *, session: str | None = None, agent: str | None = None) -> bytes | None: ...
    def restore(
        self, snapshot: bytes, *, session: str | None = None, agent: str | None = None
    ) -> None: ...
    def scan_text(self, *paths: str | os.PathLike[str], format: str = "json") -> str: ...
    def agents(self) -> list[tuple[str, str]]: ...
    @property
    def preset(self) -> str: ...
    @property
    def mode(self) -> Literal["enforce", "observe", "off"]: ...
    @property
    def fail(self) -> Literal["open", "closed"]: ...
    @property
    def session(self) -> str: ...
    @property
    def agent(self) -> str: ...
    def _panic(self) -> Decision: ...

def canonical(value: object) -> str: ...
