"""Places that tests read."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def command() -> str:
    """The native command of the installed wheel."""
    found = shutil.which("unstuck", path=str(Path(sys.executable).parent))
    assert found is not None, "the wheel has put no command beside the interpreter"
    return found


@pytest.fixture(scope="session")
def samples() -> Path:
    """Samples of real formats, which are not part of the repository."""
    place = Path(os.environ.get("UNSTUCK_SAMPLES", ROOT.parent / "shared" / "formats"))
    if not place.is_dir():
        pytest.skip(f"there are no samples at {place}; UNSTUCK_SAMPLES names another place")
    return place
