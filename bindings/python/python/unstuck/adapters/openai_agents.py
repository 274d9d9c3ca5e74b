"""OpenAI Agents SDK: a runner in the place of ``agents.Runner``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from agents import Agent, Model, RunConfig, Runner

from .._runs import Runs
from ._openai_models import GuardedModel, GuardedProvider, guard_models


class LoopGuard(Runs):
    """Runs agents as ``Runner`` does, guarded, with those they hand off to and those that are their tools.

    The settings are those of :class:`unstuck.Guard`.
    """

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return await Runner.run(agent, input, **options)

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return Runner.run_sync(agent, input, **options)

    def run_streamed(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        with self._begun(agent, options):
            return Runner.run_streamed(agent, input, **options)

    @contextmanager
    def _begun(self, agent: Agent[Any], options: dict[str, Any]) -> Iterator[None]:
        given = options.get("run_config") or RunConfig()
        config = RunConfig(**given) if isinstance(given, dict) else given
        model = GuardedModel(config.model) if isinstance(config.model, Model) else config.model
        provider = GuardedProvider(config.model_provider)
        options["run_config"] = dataclasses.replace(config, model=model, model_provider=provider)
        guard_models(agent, set())
        with self.begin(agent.name):
            yield
