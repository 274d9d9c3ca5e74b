"""Keeps LLM agents from going in circles.

A :class:`Guard` reads an agent's calls and their results, decides whether the agent still makes progress, and answers each
event with a :class:`Decision`: allow, nudge, deny or halt.

>>> from unstuck import Guard
>>> guard = Guard()
>>> for turn in range(3):
...     before = guard.before_call("read_file", {"path": "src/auth.py"})
...     after = guard.after_call(before, "def login(): ...")
>>> after.verdict
'nudge'

``unstuck.classic`` has the small classes of the four founding systems. The command ``unstuck`` comes with this package.
"""

from ._guard import (
    Call,
    Denied,
    Guard,
    GuardedCall,
    Halted,
    scan,
)
from ._native import Decision, EngineError, Finding, __version__, canonical

__all__ = [
    "Call",
    "Decision",
    "Denied",
    "EngineError",
    "Finding",
    "Guard",
    "GuardedCall",
    "Halted",
    "__version__",
    "canonical",
    "scan",
]
