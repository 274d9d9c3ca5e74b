"""The guard, through its methods."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from unstuck import Call, Decision, EngineError, Guard

PATH = {"path": "src/auth.py"}


def repeated(guard: Guard, times: int) -> list[Decision]:
    """The answers to equal calls with equal results."""
    answers = []
    for _ in range(times):
        before = guard.before_call("read_file", PATH)
        answers.append(before)
        if before.permits:
            answers.append(guard.after_call(before, "def login(): ..."))
    return answers


def test_the_third_equal_result_gets_a_nudge() -> None:
    answers = repeated(Guard(), 3)
    assert [answer.verdict for answer in answers] == ["allow"] * 5 + ["nudge"]
    nudge = answers[-1]
    assert (nudge.rule, nudge.level, nudge.repeats, nudge.period) == ("exact-repeat", 1, 3, 1)
    assert nudge.pattern == ("read_file src/auth.py",)
    assert nudge.message is not None and "read_file src/auth.py" in nudge.message
    assert nudge.for_model("output") == f"output\n\n{nudge.message}"
    (finding,) = nudge.findings
    assert (finding.rule, finding.repeats, finding.first_line, finding.last_line) == ("exact-repeat", 3, 1, 6)


def test_a_loop_is_denied_and_halted() -> None:
    answers = repeated(Guard(), 20)
    verdicts = [answer.verdict for answer in answers]
    assert "deny" in verdicts and verdicts[-1] == "halt"
    denial = answers[verdicts.index("deny")]
    assert not denial.permits and denial.for_model("ignored") == denial.message
    assert answers[-1].halts and answers[-1].status == "LOOP_DETECTED"


def test_a_decision_does_not_change_and_can_be_compared() -> None:
    one, other = repeated(Guard(), 3), repeated(Guard(), 3)
    assert one == other and hash(one[-1]) == hash(other[-1])
    assert one[0] != one[1]
    with pytest.raises(AttributeError):
        one[0].verdict = "halt"  # type: ignore[misc]
    assert one[-1].to_dict()["verdict"] == "nudge"
    assert repr(one[-1]) == "<Decision nudge: exact-repeat>"


@pytest.mark.parametrize(
    "call",
    [
        Call("read_file", PATH),
        {"tool": "read_file", "args": PATH},
        {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": PATH},
        {"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "src/auth.py"}'}},
        SimpleNamespace(name="read_file", input=PATH, id=None),
    ],
)
def test_a_call_may_come_in_any_usual_form(call: object) -> None:
    guard = Guard()
    repeated(guard, 2)
    decision = guard.after_call(guard.before_call(call), "def login(): ...")
    assert decision.repeats == 3


def test_ids_pair_calls_with_results() -> None:
    guard = Guard()
    first = guard.before_call("read", PATH, id="a")
    second = guard.before_call("list", {}, id="b")
    assert (first.call_id, second.call_id) == ("a", "b")
    assert guard.after_call("b", []).call_id == "b"
    assert guard.after_call(first, error=ValueError("no such file")).permits


def test_what_is_not_a_call_is_refused() -> None:
    guard = Guard()
    with pytest.raises(TypeError, match="a call is the name of a tool"):
        guard.before_call(7)
    with pytest.raises(TypeError, match="`call` is the decision"):
        guard.after_call(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not about a call"):
        guard.after_call(guard.turn())
    with pytest.raises(ValueError, match="a status is"):
        guard.after_call("a", status="done")
    with pytest.raises(ValueError, match="a role is"):
        guard.text("hello", role="robot")  # type: ignore[arg-type]


def test_a_check_counts_nothing() -> None:
    guard = Guard()
    repeated(guard, 2)
    for _ in range(9):
        assert guard.check("read_file", PATH).permits
    assert repeated(guard, 1)[-1].repeats == 3


def test_settings_are_those_of_the_configuration_file(tmp_path) -> None:
    guard = Guard("attocode", mode="observe", rules={"budget": {"steps": 200}})
    assert (guard.preset, guard.mode, guard.fail) == ("attocode", "observe", "open")
    file = tmp_path / "unstuck.toml"
    file.write_text('preset = "ironcurtain"\nfail = "closed"\n')
    guard = Guard(config=file, mode="off")
    assert (guard.preset, guard.mode, guard.fail) == ("ironcurtain", "off", "closed")
    with pytest.raises(ValueError, match="did you mean `budget`"):
        Guard(rules={"budgt": {"steps": 200}})
    with pytest.raises(ValueError, match="unknown preset"):
        Guard("strict")
    with pytest.raises(FileNotFoundError):
        Guard(config=tmp_path / "missing.toml")


def test_observe_mode_says_what_it_would_do() -> None:
    answers = repeated(Guard(mode="observe"), 3)
    assert (answers[-1].verdict, answers[-1].would, answers[-1].message) == ("allow", "nudge", None)


def test_a_snapshot_carries_the_state_to_another_guard() -> None:
    guard = Guard()
    assert guard.snapshot() is None
    repeated(guard, 2)
    snapshot = guard.snapshot()
    assert isinstance(snapshot, bytes)
    other = Guard()
    other.restore(snapshot)
    assert repeated(other, 1)[-1].repeats == 3
    with pytest.raises(ValueError, match="not a snapshot"):
        other.restore(b"something else")
    with pytest.raises(ValueError, match="damaged"):
        other.restore(snapshot[:-1])


def test_sessions_and_agents_are_apart() -> None:
    guard = Guard(session="s")
    for agent in ("one", "two", "three"):
        before = guard.before_call("read_file", PATH, agent=agent)
        assert guard.after_call(before, "text").permits
        assert guard.after_call(before, "text").agent == agent
    assert guard.agents() == [("s", "one"), ("s", "three"), ("s", "two")]


def test_time_comes_from_the_clock_of_the_caller() -> None:
    now = 0

    def clock() -> int:
        return now

    guard = Guard("ironcurtain", clock=clock)
    verdicts = []
    for now in (*range(21), 70_000):
        verdicts.append(guard.before_call("fs__read_file", PATH).verdict)
    assert verdicts == ["allow"] * 20 + ["deny", "allow"]
    guard = Guard("ironcurtain", clock=False)
    # The clock stands still.
    verdicts = [guard.before_call("fs__read_file", PATH).verdict for _ in range(21)]
    assert verdicts == ["allow"] * 20 + ["deny"]
    with pytest.raises(TypeError, match="a clock is"):
        Guard(clock=7)  # type: ignore[arg-type]


def test_every_event_is_taken() -> None:
    guard = Guard()
    steps = [guard.step("1/0", "ZeroDivisionError").verdict for _ in range(9)]
    assert steps[-1] == "halt"
    guard.reset()
    for event in (guard.turn, guard.user, guard.retry, guard.compaction, guard.resume, guard.reset):
        assert event().permits
    assert guard.turn(tokens=10, cost=0.5).permits
    assert guard.text("I will read it now.", role="thinking").permits
    assert guard.step("pass").permits


def test_lines_and_dictionaries_are_the_same_events() -> None:
    guard, other = Guard(), Guard()
    for at in range(3):
        call = {"event": "call", "id": at, "tool": "read", "args": PATH, "at": at}
        result = {"event": "result", "id": at, "output": "text", "at": at}
        lines = (f'{{"event":"call","id":{at},"tool":"read","args":{{"path":"src/auth.py"}},"at":{at}}}',
                 f'{{"event":"result","id":{at},"output":"text","at":{at}}}'.encode())
        for event, line in zip((call, result), lines):
            assert guard.observe(event).to_json() == other.observe(line).to_json()
    with pytest.raises(ValueError, match="unknown event"):
        guard.observe({"event": "tool"})
    with pytest.raises(ValueError, match="not an event"):
        guard.observe("{")
    with pytest.raises(TypeError, match="an event is"):
        guard.observe(7)  # type: ignore[arg-type]


def test_a_guard_that_fails_open_warns_and_allows() -> None:
    guard = Guard()
    with pytest.warns(RuntimeWarning, match="does not guard"):
        decision = guard._panic()
    assert decision.permits and decision.error == "a panic for a test"
    with pytest.warns(RuntimeWarning):
        assert guard.before_call("read", PATH).error == "a panic for a test"
    with pytest.raises(EngineError):
        guard.snapshot()
    guard.reset()
    assert guard.before_call("read", PATH).error is None


def test_a_guard_that_fails_closed_raises() -> None:
    guard = Guard(fail="closed")
    with pytest.raises(EngineError, match="a panic for a test"):
        guard._panic()
    with pytest.raises(EngineError):
        guard.before_call("read", PATH)
    guard.reset()
    assert guard.before_call("read", PATH).permits


def test_threads_share_a_guard() -> None:
    guard = Guard()
    failures = []

    def work(name: str) -> None:
        try:
            for at in range(200):
                output = "x" * (100_000 if at % 50 == 0 else 10) + str(at)
                before = guard.before_call("read", {"at": at, "text": output}, agent=name)
                assert guard.after_call(before, output).agent == name
        except BaseException as error:  # pragma: no cover
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"agent-{at}",)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(guard.agents()) == 8
    assert guard.turn().line == 8 * 200 * 2 + 1


def test_other_threads_run_while_a_long_event_is_judged() -> None:
    guard = Guard()
    ticks = 0
    done = threading.Event()

    def work() -> None:
        for at in range(20):
            guard.text(f"{at} " * 500_000)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
    thread.join()
    assert ticks > 0
