"""What all adapters share, without a framework. `cargo xtask adapters` runs the adapters themselves."""

from __future__ import annotations

import asyncio
import contextvars
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import ROOT

from unstuck import Halted
from unstuck.adapters import Run, Runs, guard_tool, loop_key
from unstuck._runs import present_run, run_of_call


def test_what_the_guide_shows_without_a_framework_runs() -> None:
    text = (ROOT / "docs" / "guide" / "adapters.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    alone = [block for block in blocks if "from unstuck.adapters import" in block]
    assert len(alone) == 2
    for block in alone:
        exec(compile(block, "adapters.md", "exec"), {"__name__": "example"})


def call(run: Run, id: str, output: str = "same", **args: Any) -> str | None:
    denial = run.before("look_up", args or {"key": "a"}, id)
    if denial is None:
        run.after(id, output)
    return denial


def looped(run: Run, times: int = 9) -> list[str | None]:
    denials = []
    for at in range(times):
        run.step()
        denials.append(call(run, f"c{at}"))
    return denials


def test_a_loop_is_nudged_then_denied_then_ended() -> None:
    run = Runs().begin()
    seen: list[tuple[bool, bool, bool]] = []
    for at in range(9):
        assert run.step() is None
        denial = call(run, f"c{at}")
        seen.append((run.remarks() is not None, denial is not None, run.halted is not None))
    nudged, denied = (True, False, False), (False, True, False)
    assert seen == [(False, False, False)] * 2 + [nudged] * 3 + [denied] * 3 + [(False, True, True)]
    answer = run.step()
    assert answer is not None
    assert "LOOP_DETECTED" in answer


def test_a_halt_raises_where_the_settings_ask_for_it() -> None:
    run = Runs(on_halt="raise").begin()
    looped(run)
    with pytest.raises(Halted, match="LOOP_DETECTED"):
        run.step()


def test_settings_with_a_mistake_are_errors_at_once() -> None:
    with pytest.raises(ValueError, match="on_halt"):
        Runs(on_halt="stop")  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        Runs(rules={"no-such-rule": {}})
    assert Runs("ironcurtain").begin().guard.preset == "ironcurtain"


def test_remarks_of_parallel_calls_are_one_text() -> None:
    run = Runs().begin()
    for at in range(3):
        run.step()
        for tool in ("one", "two"):
            assert run.before(tool, {}, f"{tool}-{at}") is None
        for tool in ("one", "two"):
            run.after(f"{tool}-{at}", "same")
    remarks = run.remarks()
    assert remarks is not None
    assert (remarks.count("[unstuck]"), run.remarks()) == (1, None)
    assert present_run() is None


def test_the_result_of_a_denied_call_is_ignored() -> None:
    run = Runs().begin()
    looped(run, 6)
    run.after("c5", "same")
    run.after("never-called", "same")
    assert [run.before("look_up", {"key": "a"}, f"d{at}") is None for at in range(2)] == [False, False]
    assert run.halted is None


def test_runs_do_not_mix() -> None:
    runs = Runs()
    looped(runs.of("one"))
    assert runs.of("one").halted is not None
    assert runs.of("two").halted is None
    runs.end("one")
    assert runs.of("one").halted is None


def test_runs_that_never_end_are_forgotten() -> None:
    runs = Runs()
    first = runs.of("first")
    for at in range(1_100):
        runs.of(str(at))
    assert runs.of("first") is not first


def test_an_error_is_a_failed_call() -> None:
    run = Runs().begin()
    for _ in range(3):
        with pytest.raises(KeyError), run.call("look_up", {"key": "a"}):
            raise KeyError("a")
    assert "KeyError" in (run.remarks() or "")


def test_a_cancelled_call_is_no_failure() -> None:
    run = Runs().begin()
    for _ in range(12):
        with pytest.raises(KeyboardInterrupt), run.call("look_up", {"key": "a"}):
            raise KeyboardInterrupt
    assert (run.remarks(), run.halted) == (None, None)


def test_a_call_that_waits_is_no_failure() -> None:
    class Approval(Exception):
        pass

    class WithApproval(Runs):
        pauses = (Approval,)

    run = WithApproval().begin()
    for _ in range(12):
        with pytest.raises(Approval), run.call("look_up", {"key": "a"}, "c1"):
            raise Approval
    assert (run.remarks(), run.halted) == (None, None)


def test_calls_that_the_framework_refuses_count() -> None:
    run = Runs().begin()
    for at in range(20):
        run.step() if run.halted is None else None
        run.refused("hex", {"q": at}, "Tool 'hex' not found.")
    assert run.halted is not None
    assert "[unstuck]" in (run.remarks() or "")


def test_a_run_inside_a_tool_is_an_agent_of_the_same_swarm() -> None:
    runs, others = Runs(), Runs("attocode")
    run = runs.begin()
    assert run.before("delegate", {}, "c1") is None
    inner = others.begin("worker")
    assert (inner.guard, inner.agent) == (run.guard, "worker-2")
    looped(inner)
    run.after("c1", "done")
    assert (inner.halted is None, run.halted) == (False, None)
    assert others.begin("worker").guard is not run.guard


def test_a_run_that_was_left_open_gets_no_sub_agents() -> None:
    def leave() -> None:
        run = Runs().begin()
        run.before("delegate", {}, "c1")
        context.append(contextvars.copy_context())
        run.after("c1", "done")

    context: list[contextvars.Context] = []
    leave()
    assert context[0].run(Runs().begin).agent == "main"


def test_the_present_run_is_the_sub_agents_inside_a_tool() -> None:
    with Runs().begin() as run:
        assert present_run() is run
        run.before("delegate", {}, "c1")
        inner = present_run()
        assert inner is present_run()
        assert inner is not None
        assert (inner is run, run_of_call("c1") is run, run_of_call("c2") is inner) == (False, True, True)
        run.after("c1", "done")
        assert present_run() is run
    assert present_run() is None


def test_a_call_that_fails_in_several_sub_agents_is_nudged() -> None:
    runs = Runs()
    run = runs.begin()
    remarks: list[str] = []
    for number in range(6):
        assert run.before("delegate", {"part": number}, f"p{number}") is None
        worker = runs.begin("worker")
        for at in range(2):
            assert worker.before("fetch", {"url": "x"}, f"c{at}") is None
            worker.after(f"c{at}", error="connection refused")
        remarks.append(worker.remarks() or "")
        run.after(f"p{number}", f"done {number}")
    assert ["workers of this swarm" in text for text in remarks] == [False] * 4 + [True] * 2


def test_agents_that_hand_over_are_one_swarm() -> None:
    run = Runs().begin()
    assert run.named("first") is run
    second = run.named("second")
    assert second is run.named("second")
    assert (second.guard, second.agent) == (run.guard, "second-2")


def test_threads_share_a_run() -> None:
    run = Runs().begin()
    threads = [threading.Thread(target=call, args=(run, f"c{at}", str(at)), kwargs={"key": at}) for at in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (run.remarks(), run.halted) == (None, None)


IDENTITIES: list[Callable[[Any], str] | list[str] | str] = [
    lambda args: args["job"],
    ["job"],
    "job",
]


@pytest.mark.parametrize("key", IDENTITIES)
@pytest.mark.parametrize("declared", [True, False])
def test_a_tool_declares_its_identity(key: Any, declared: bool) -> None:
    def status(job: str, request: int) -> str:
        return "unknown job"

    tool = loop_key(key)(status) if declared else status
    identified = Runs(loop_keys=None if declared else {"status": key}).begin()
    for run in (identified, Runs(loop_keys={"status": lambda args: None}).begin()):
        for at in range(9):
            if run.before("status", {"job": "7", "request": at}, f"c{at}", tool) is None:
                run.after(f"c{at}", "unknown job")
    assert identified.halted is not None
    assert run.halted is None


def test_a_tool_is_not_judged_if_it_says_so() -> None:
    run = Runs(loop_keys={"wait": False}).begin()
    for at in range(30):
        assert run.before("wait", {}, f"c{at}") is None
        run.after(f"c{at}", "not yet")
    assert (run.remarks(), run.halted) == (None, None)


def test_a_loop_key_that_fails_is_left_out() -> None:
    run = Runs(loop_keys={"look_up": lambda args: args["missing"]}).begin()
    with pytest.warns(RuntimeWarning, match="loop_key failed"):
        assert call(run, "c1") is None


def test_observing_denies_nothing() -> None:
    run = Runs(mode="observe", on_halt="raise").begin()
    assert looped(run, 20) == [None] * 20
    assert (run.step(), run.remarks()) == (None, None)


class TestGuardTool:
    def test_a_result_carries_the_nudge_and_a_denial_replaces_it(self) -> None:
        tool = guard_tool(lambda key: f"value of {key}", name="look_up")
        with Runs().begin():
            results = [tool("a") for _ in range(9)]
        assert results[:2] == ["value of a"] * 2
        assert all(result.startswith("value of a\n\n[unstuck]") for result in results[2:5])
        assert all(result.startswith("[unstuck] This call was not run") for result in results[5:8])
        assert "LOOP_DETECTED" in results[8]

    def test_it_raises_on_request(self) -> None:
        tool = guard_tool(lambda: "same", name="look_up")
        with Runs(on_halt="raise").begin(), pytest.raises(Halted):
            for _ in range(9):
                tool()

    def test_a_result_that_is_no_string_is_as_it_was(self) -> None:
        numbers = guard_tool(lambda: [1, 2], name="numbers")
        words = guard_tool(lambda: "word", name="words")
        with Runs().begin():
            assert [numbers() for _ in range(3)] == [[1, 2]] * 3
            assert words().startswith("word\n\n[unstuck] `numbers")

    def test_coroutines_and_their_names_stay(self) -> None:
        @guard_tool
        async def search(query: str) -> str:
            """Searches."""
            return "nothing"

        async def main() -> list[str]:
            with Runs().begin():
                return [await search("x") for _ in range(3)]

        assert asyncio.run(main())[2].startswith("nothing\n\n[unstuck]")
        assert (search.__name__, search.__doc__) == ("search", "Searches.")

    def test_a_generator_stays_one(self) -> None:
        @guard_tool
        def lines() -> Iterator[int]:
            yield 1

        with Runs().begin():
            assert [list(lines()) for _ in range(12)] == [[1]] * 12

    def test_without_a_run_it_warns_and_runs(self) -> None:
        tool = guard_tool(lambda: "same", name="look_up")
        with pytest.warns(RuntimeWarning, match="`look_up` runs unguarded"):
            assert tool() == "same"

    def test_wrong_arguments_are_the_functions_error(self) -> None:
        def add(a: int, b: int) -> int:
            return a + b

        with Runs().begin(), pytest.raises(TypeError, match="missing"):
            guard_tool(add)(1)

    def test_nothing_is_warned_of_in_a_run(self) -> None:
        with warnings.catch_warnings(), Runs().begin():
            warnings.simplefilter("error")
            assert guard_tool(lambda: 1, name="one")() == 1
