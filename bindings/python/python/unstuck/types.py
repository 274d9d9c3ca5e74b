"""Types of what the guard and the classes take and return."""

from __future__ import annotations

from typing import Literal, TypedDict

Verdict = Literal["allow", "nudge", "deny", "halt"]
Preset = Literal["standard", "ironcurtain", "attractor", "attocode", "tool-loop-detector"]
Status = Literal["ok", "error", "denied", "cancelled", "pending"]


class _Action(TypedDict):
    action: Literal["allow", "warn", "block"]


class StepVerdict(_Action, total=False):
    """The answer of ``StepLoopDetector`` to a step. An ``allow`` has nothing else."""

    message: str
    category: Literal["full_stagnation", "stuck"]


class Thresholds(TypedDict, total=False):
    """Thresholds of one streak of ``StepLoopDetector``."""

    warn: int
    block: int


class _Allowed(TypedDict):
    allowed: bool


class CallVerdict(_Allowed, total=False):
    """The answer of ``CallCircuitBreaker`` to a call. Only a denial has a reason."""

    reason: str


class LoopDetectionState(TypedDict):
    """The state of a ``LoopDetector``."""

    doom_loop_detected: bool
    last_tool: str | None
    consecutive_count: int
    threshold: int
    fuzzy_threshold: int
    last_warning_time: int


class GlobalLoop(TypedDict):
    """How often a call was made, and by how many workers."""

    count: int
    worker_count: int


class SharedStats(TypedDict):
    """Numbers of the calls that a ``SharedEconomicsState`` knows."""

    fingerprints: int
    global_loops: int


class CycleWarning(TypedDict):
    """A pattern of calls that a ``CycleDetector`` has found again."""

    action: Literal["warn", "warn_strongly", "force_stop"]
    period: int
    pattern: list[str]
    occurrence: int
    count: int
    message: str
    status: Literal["LOOP_DETECTED"] | None
