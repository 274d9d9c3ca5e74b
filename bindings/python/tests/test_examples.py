"""Examples, the README, the guide and the docstrings, run as they are."""

from __future__ import annotations

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

PACKAGE = ROOT / "bindings" / "python"
EXAMPLES = sorted((PACKAGE / "examples").glob("*.py"))
DOCUMENTS = [PACKAGE / "README.md", ROOT / "docs" / "guide" / "python.md"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_what_a_document_shows_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    monkeypatch.chdir(ROOT)
    for block in blocks:
        exec(compile(block, str(path), "exec"), {"__name__": "example"})


@pytest.mark.parametrize("name", ["unstuck", "unstuck._guard", "unstuck.classic"])
def test_docstrings_show_what_happens(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted and not results.failed


def test_everything_public_is_documented() -> None:
    unstuck = importlib.import_module("unstuck")
    classic = importlib.import_module("unstuck.classic")
    for module in (unstuck, classic):
        for name in module.__all__:
            thing = getattr(module, name)
            if name.startswith("__"):
                continue
            assert thing.__doc__, name
            for member in vars(thing) if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(getattr(thing, member)):
                    assert getattr(thing, member).__doc__, f"{name}.{member}"
