"""Loop guards for published agent frameworks.

Each framework has a module with a class ``LoopGuard``, whose settings are those of :class:`unstuck.Guard`:
``unstuck.adapters.langchain``, ``openai_agents`` and so on. ``pip install unstuck[langchain]`` installs the framework with it.
For a framework without a module, :func:`guard_tool` guards the functions that are its tools.
"""

from .._runs import OnHalt, Run, Runs, guard_tool, loop_key

__all__ = ["OnHalt", "Run", "Runs", "guard_tool", "loop_key"]
