"""The walkthrough shows what the programs print today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_page_is_what_the_session_prints_today() -> None:
    made = subprocess.run([sys.executable, str(ROOT / "sample/walkthrough.py")], capture_output=True, text=True, encoding="utf-8", check=False)
    assert made.returncode == 0, made.stderr
    page = (ROOT / "references/walkthrough.md").read_text("utf-8")
    assert page == made.stdout, "python sample/walkthrough.py --write makes it anew"
