"""The decorator and the context manager."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from unstuck import Denied, Guard, Halted


def test_a_guarded_function_is_nudged_denied_and_halted() -> None:
    guard = Guard()
    ran = 0

    @guard.tool
    def read_file(path: str, limit: int = 10) -> str:
        """Reads."""
        nonlocal ran
        ran += 1
        return "def login(): ..."

    assert (read_file.__name__, read_file.__doc__) == ("read_file", "Reads.")
    results: list[str] = []
    for _ in range(30):
        try:
            results.append(read_file("src/auth.py") if len(results) % 2 else read_file(path="src/auth.py", limit=10))
        except Halted as halted:
            results.append(f"halted: {halted}")
            assert halted.decision.halts
            break
        except Denied as denied:
            results.append(f"denied: {denied}")
            assert denied.decision.verdict == "deny"
    assert results[:2] == ["def login(): ..."] * 2
    assert results[2].startswith("def login(): ...\n\n[unstuck] `read_file src/auth.py`")
    assert results[-1].startswith("halted: [unstuck]")
    assert any(result.startswith("denied: [unstuck]") for result in results)
    assert ran < len(results)


def test_a_guarded_coroutine_is_a_coroutine() -> None:
    guard = Guard()

    @guard.tool(name="search", read_only=True)
    async def find(query: str) -> list[str]:
        await asyncio.sleep(0)
        return []

    async def main() -> None:
        for _ in range(3):
            assert await find("salt") == []
        # Parallel calls are one turn's.
        await asyncio.gather(*(find(f"query {at}") for at in range(20)))

    asyncio.run(main())
    (message,) = guard.messages()
    assert "search" in message
    assert guard.messages() == []


def test_an_exception_is_the_error_of_the_call() -> None:
    guard = Guard()

    @guard.tool
    def fails() -> str:
        raise OSError("no such file")

    messages: list[str] = []
    for _ in range(6):
        with pytest.raises((OSError, Denied)) as raised:
            fails()
        messages.append(str(raised.value))
    assert messages[0] == "no such file"
    assert any("OSError: no such file" in message for message in messages)


def test_messages_of_other_results_go_where_they_are_wanted() -> None:
    guard = Guard()
    said: list[str] = []

    @guard.tool(on_message=said.append)
    def numbers() -> list[int]:
        return [1, 2]

    assert [numbers() for _ in range(3)] == [[1, 2]] * 3
    assert len(said) == 1 and guard.messages() == []


def test_a_key_is_the_identity_of_a_call() -> None:
    guard = Guard()

    @guard.tool(key=lambda page, nonce: page)
    def fetch(page: str, nonce: int) -> str:
        return "a page"

    results = [fetch("page-1", at) for at in range(3)]
    assert "[unstuck]" in results[-1]


def test_a_generator_is_a_call_whose_result_is_not_known() -> None:
    guard = Guard()

    @guard.tool
    def lines(path: str) -> Iterator[str]:
        yield from ("a", "b")

    for _ in range(3):
        assert list(lines("a.txt")) == ["a", "b"]
    assert guard.turn().line == 7


def test_methods_are_compared_without_their_object() -> None:
    guard = Guard()

    class Tools:
        @guard.tool
        def read(self, path: str) -> str:
            return "text"

    assert [("[unstuck]" in Tools().read("a")) for _ in range(3)] == [False, False, True]


def test_wrong_arguments_raise_what_the_function_raises() -> None:
    guard = Guard()

    @guard.tool
    def read(path: str) -> str:
        return path

    with pytest.raises(TypeError, match="path"):
        read()  # type: ignore[call-arg]


def test_a_context_manager_asks_and_reports() -> None:
    guard = Guard()
    for at in range(3):
        with guard.call("make", {"target": "all"}) as call:
            call.output = "nothing to be done"
            call.exit_code = 0
    assert call.before is not None and call.before.permits
    assert call.after is not None and call.after.verdict == "nudge"
    assert call.for_model() == f"nothing to be done\n\n{call.after.message}"
    with pytest.raises(ZeroDivisionError), guard.call("divide", {"by": 0}) as failing:
        1 / 0  # noqa: B018
    assert failing.after is not None
    with pytest.raises(Denied):
        for _ in range(30):
            with guard.call("make", {"target": "all"}) as call:
                call.output = "nothing to be done"


def test_a_cancelled_call_is_not_evidence() -> None:
    guard = Guard()

    async def main() -> None:
        async def work() -> None:
            async with guard.call("wait", {}):
                await asyncio.sleep(60)

        for _ in range(9):
            task = asyncio.create_task(work())
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert guard.check("wait", {}).verdict in ("allow", "nudge")


def test_a_denial_goes_to_other_processes_as_its_text() -> None:
    guard = Guard()
    denied: Any = None
    for _ in range(30):
        before = guard.before_call("read", {})
        if not before.permits:
            denied = Denied(before)
            break
        guard.after_call(before, "text")
    assert str(pickle.loads(pickle.dumps(denied))) == str(denied)


def test_guarded_functions_run_in_threads() -> None:
    guard = Guard()

    @guard.tool
    def work(at: int) -> int:
        return at

    threads = [threading.Thread(target=lambda at=at: [work(at * 1000 + n) for n in range(100)]) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert guard.turn().line == 801
