"""The state of an agent, carried from one process to the next."""

from __future__ import annotations

import subprocess
import sys

from unstuck import Guard

ARGUMENTS = {"path": "src/auth.py"}


def one_call(state: bytes | None) -> bytes:
    """What one process does: it restores the state, guards one call, and returns the state."""
    guard = Guard()
    if state is not None:
        guard.restore(state)
    before = guard.before_call("read_file", ARGUMENTS)
    after = guard.after_call(before, "def login(): ...")
    print(after.verdict, file=sys.stderr)
    snapshot = guard.snapshot()
    assert snapshot is not None
    return snapshot


if __name__ == "__main__":
    if "--child" in sys.argv:
        given = sys.stdin.buffer.read()
        sys.stdout.buffer.write(one_call(given or None))
    else:
        state, verdicts = b"", ""
        for _ in range(3):
            words = [sys.executable, __file__, "--child"]
            done = subprocess.run(words, input=state, capture_output=True, check=True)
            state, verdicts = done.stdout, verdicts + done.stderr.decode()
        print(verdicts)
        assert verdicts.split() == ["allow", "allow", "nudge"]
