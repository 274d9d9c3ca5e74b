"""Scans in process, beside those of the native command."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

import unstuck
from unstuck import Guard

EXAMPLES = ROOT / "examples" / "transcripts"


def scanned(command: str, place: Path, *, kind: str = "json") -> str:
    """What the native command writes about a place."""
    words = [command, "scan", "--no-config", "--format", kind, str(place)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_a_scan_is_that_of_the_command(command: str) -> None:
    assert Guard().scan_text(EXAMPLES) == scanned(command, EXAMPLES)
    assert Guard().scan_text(EXAMPLES, format="sarif") == scanned(command, EXAMPLES, kind="sarif")


def test_the_report_is_a_dictionary() -> None:
    report = unstuck.scan(EXAMPLES)
    assert (report["totals"]["runs"], report["totals"]["stuck"]) == (11, 7)
    assert report == json.loads(Guard().scan_text(str(EXAMPLES)))


def test_settings_of_the_guard_apply(command: str) -> None:
    words = [command, "scan", "--no-config", "--preset", "attractor", "--format", "json", str(EXAMPLES)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert Guard("attractor").scan_text(EXAMPLES) == done.stdout != Guard().scan_text(EXAMPLES)


def test_samples_of_real_formats_scan_alike(command: str, samples: Path) -> None:
    places = sorted(place for place in samples.iterdir() if place.is_dir())
    assert places
    for place in places:
        assert Guard().scan_text(place) == scanned(command, place), place


def test_what_cannot_be_scanned_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Guard().scan(tmp_path / "missing")
    with pytest.raises(ValueError, match="no path"):
        Guard().scan()
    with pytest.raises(ValueError, match="unknown format"):
        Guard().scan_text(tmp_path, format="yaml")
    assert Guard().scan(os.fspath(tmp_path))["totals"]["runs"] == 0
