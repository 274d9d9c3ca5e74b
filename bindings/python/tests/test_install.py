"""What pip has installed: the native command, the program for hooks and the module, where there is no Rust."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

import unstuck


def test_there_is_no_rust_on_the_path() -> None:
    assert shutil.which("cargo") is None and shutil.which("rustc") is None


def test_the_command_is_native_and_scans(command: str) -> None:
    # A script of Python would take 25 ms to start, in every hook.
    assert Path(command).read_bytes()[:2] != b"#!"
    words = [command, "scan", "--no-config", str(ROOT / "examples" / "transcripts")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "7 of 11 runs" in done.stdout


def test_all_parts_have_one_version(command: str) -> None:
    hook = Path(command).with_name(Path(command).name.replace("unstuck", "unstuck-hook"))
    for program in (command, str(hook)):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        assert said.split()[-1] == unstuck.__version__
    assert importlib.metadata.version("unstuck") == unstuck.__version__


def test_one_wheel_is_for_all_later_versions_of_python() -> None:
    files = importlib.metadata.files("unstuck")
    assert files is not None
    names = [file.name for file in files]
    assert {"py.typed", "_native.pyi", "LICENSE-MIT", "LICENSE-APACHE"} <= set(names)
    if sys.platform != "win32":
        assert "_native.abi3.so" in names
