"""An agent's loop with a guard: what the model reads when it repeats itself."""

from __future__ import annotations

from unstuck import Guard


def read_file(path: str) -> str:
    return "def login(): ..."


def main() -> list[str]:
    guard = Guard()
    read_by_model: list[str] = []
    for _ in range(30):
        # A model that makes the same call in every turn.
        name, arguments = "read_file", {"path": "src/auth.py"}
        before = guard.before_call(name, arguments)
        if before.permits:
            output = read_file(**arguments)
            after = guard.after_call(before, output)
            read_by_model.append(after.for_model(before.for_model(output)))
        else:
            read_by_model.append(before.for_model())
        if guard.turn().halts:
            break
    return read_by_model


if __name__ == "__main__":
    texts = main()
    print("\n".join(texts))
    assert texts[0] == "def login(): ..."
    assert texts[2].startswith("def login(): ...\n\n[unstuck]")
    assert len(texts) < 30, "the guard has ended the run"
