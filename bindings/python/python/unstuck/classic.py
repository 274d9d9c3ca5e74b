"""The small classes of the four founding systems, on the same engine.

Names and defaults are those of the systems, in the spelling of Python: ``ToolLoopDetector`` of HackEurope26,
``StepLoopDetector`` and ``CallCircuitBreaker`` of IronCurtain, ``LoopDetector`` and ``SharedEconomicsState`` of attocode,
``CycleDetector`` and ``SpecWindow`` of attractor. Arguments and results may be any Python value.

>>> from unstuck.classic import ToolLoopDetector
>>> detector = ToolLoopDetector()
>>> for _ in range(3):
...     detector.record("read_file", {"path": "a.py"})
>>> detector.is_stuck()
True
"""

from ._native import (
    CallCircuitBreaker,
    CycleDetector,
    LoopDetector,
    SharedEconomicsState,
    SpecWindow,
    StepLoopDetector,
    ToolLoopDetector,
)

__all__ = [
    "CallCircuitBreaker",
    "CycleDetector",
    "LoopDetector",
    "SharedEconomicsState",
    "SpecWindow",
    "StepLoopDetector",
    "ToolLoopDetector",
]
