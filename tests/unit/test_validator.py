"""The published checks of a topic file, each with a file that fails it, as `doctor` names it: place, code, exit 1."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
GOOD = """---
topic: garden
type: hobby
status: active
tags: [beds]
entities: []
created: 2026-01-01
last_verified: 2026-01-01
last_curated: 2026-01-01
summary: Beds and seeds.
curated_lines: 6
source_lines: 0
source_kb: 0.0
---
<!-- CURATED_START -->
# Garden

## Facts

- The plot is 4 by 6 meters. <!-- f_0123456789ab since:2026-01-01 seen:2026-01-01 -->
- No tomatoes this year. <!-- f_ba9876543210 since:2026-01-01 seen:2026-01-01 -->

## Changelog

- 2026-01-01: [fact] No tomatoes this year. <!-- f:f_ba9876543210 op:add at:2026-01-01T04:30:00+00:00 -->
<!-- CURATED_END -->
<!-- SOURCE_START -->
<!-- SOURCE_END -->
"""
FACT = "- The plot is 4 by 6 meters."
BROKEN = {
    "front matter comes first": ("D001", "hello\n" + GOOD),
    "the header is closed": ("D001", GOOD.replace("source_kb: 0.0\n---\n", "source_kb: 0.0\n", 1)),
    "a required key is there": ("D001", GOOD.replace("created: 2026-01-01\n", "")),
    "a key stands once": ("D001", GOOD.replace("type: hobby\n", "type: hobby\ntype: project\n")),
    "the slug is the file's name": ("D001", GOOD.replace("topic: garden", "topic: orchard")),
    "the type is known": ("D001", GOOD.replace("type: hobby", "type: pastime")),
    "the status is known": ("D001", GOOD.replace("status: active", "status: asleep")),
    "dates are dates": ("D001", GOOD.replace("last_verified: 2026-01-01", "last_verified: soon")),
    "each marker is there": ("D002", GOOD.replace("<!-- SOURCE_START -->\n", "")),
    "each marker stands once": ("D002", GOOD.replace("## Facts", "<!-- CURATED_START -->\n## Facts")),
    "markers stand in order": (
        "D002",
        GOOD.replace("<!-- SOURCE_START -->\n<!-- SOURCE_END -->", "<!-- SOURCE_END -->\n<!-- SOURCE_START -->"),
    ),
    "nothing stands between the layers": ("D002", GOOD.replace("<!-- SOURCE_START -->", "a stray line\n<!-- SOURCE_START -->")),
    "the changelog ends the layer": ("D002", GOOD.replace("<!-- CURATED_END -->", "\n## Later\n\n- More.\n<!-- CURATED_END -->")),
    "a fact's id stands once": ("D004", GOOD.replace("f_ba9876543210 since", "f_0123456789ab since")),
    "a changelog entry can be read": ("D012", GOOD.replace("- 2026-01-01: [fact]", "- yesterday [fact]")),
    "counts are true": ("D017", GOOD.replace("curated_lines: 6", "curated_lines: 60")),
    "the file is UTF-8": ("D005", GOOD.replace("meters", "m\udce9tres")),
    "a statement stands once": ("D015", GOOD.replace("- No tomatoes this year. <!-- f_ba", FACT + " <!-- f_ba")),
}


def run(home: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPTS / script), *words, "--workspace", str(home), "--today", "2026-01-05"],
        capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "HOME": str(home), "TZ": "UTC"}, check=False,
    )  # fmt: skip


def topic(home: Path, text: str) -> Path:
    path = home / "memory" / "topics" / "garden.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


def test_a_good_file_passes(tmp_path: Path) -> None:
    topic(tmp_path, GOOD)
    assert run(tmp_path, "memory_cli.py", "init").returncode == 0
    done = run(tmp_path, "memory_cli.py", "doctor")
    assert (done.returncode, "PROBLEM" in done.stdout) == (0, False), done.stdout


@pytest.mark.parametrize("rule", BROKEN)
def test_each_check_names_the_file_that_fails_it(tmp_path: Path, rule: str) -> None:
    code, text = BROKEN[rule]
    assert text != GOOD
    topic(tmp_path, text)
    done = run(tmp_path, "memory_cli.py", "doctor", "--check", "memory/topics/garden.md")
    named = [line.split() for line in done.stdout.split("\n") if line.startswith("PROBLEM memory/topics/garden.md:")]
    assert done.returncode == 1
    assert any(code == words[2] for words in named), done.stdout
    assert all(words[1].rpartition(":")[2].isdecimal() for words in named)


def test_a_refresh_of_the_header_alone_is_no_edit_and_triggers_nothing(tmp_path: Path) -> None:
    path = topic(tmp_path, GOOD)
    run(tmp_path, "memory_cli.py", "store", "--text", "The shed is green.", "--topic", "garden", "--tag", "FACT")
    run(tmp_path, "curate_nightly.py")
    written = path.read_text(encoding="utf-8")
    assert "The shed is green." in written
    assert "curated_lines: 8" in written, "a fact and its entry are two lines more"
    refreshed = written.replace("summary: Beds and seeds.", "summary: Beds, seeds and a shed.")
    path.write_text(refreshed, encoding="utf-8")
    assert run(tmp_path, "curate_nightly.py").returncode == 0
    assert path.read_text(encoding="utf-8") == refreshed
