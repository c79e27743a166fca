#!/usr/bin/env python3
"""The whole chain on the sample home: extract, curate, ask, look up the source. Needs Python 3.11 and nothing else.

Works on a copy in a temporary folder, which it leaves there for you to look at; `--into DIR` chooses another place.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent
SCRIPTS = SAMPLE.parent / "scripts"
TODAY = "2026-03-12"
QUESTIONS = ("Quanto é o aluguer do atelier?", "which payment provider did we choose?", "how do I pack the bikes?")


class Home:
    """A copy of the sample, and the scripts run in it as a user would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        shutil.copytree(SAMPLE / "workspace", self.workspace)
        shutil.copytree(SAMPLE / "state", folder / "state")
        self.environ = {
            **os.environ,
            "HOME": str(folder),
            "OPENCLAW_WORKSPACE_DIR": str(self.workspace),
            "OPENCLAW_STATE_DIR": str(folder / "state"),
            "TZ": "UTC",
            "PYTHONUTF8": "1",
        }

    def run(self, script: str, *words: str, show: bool = True) -> str:
        """Standard output of one command; its remarks go to the reader."""
        if show:
            print(f"\n$ {script} {' '.join(w if ' ' not in w else repr(w) for w in words)}")
        done = subprocess.run(
            [sys.executable, str(SCRIPTS / script), *words, "--today", TODAY],
            env=self.environ, capture_output=True, text=True, encoding="utf-8", cwd=self.folder, check=False,
        )
        if show or done.returncode:
            sys.stdout.write(done.stderr + done.stdout)
        if done.returncode:
            raise SystemExit(f"{script} ended with exit code {done.returncode}")
        return done.stdout

    def lines(self, pattern: str, wanted: str) -> list[str]:
        """`file: line` of every line under memory/ that contains `wanted`."""
        return [
            f"{path.relative_to(self.workspace).as_posix()}: {line}"
            for path in sorted(self.workspace.glob(pattern))
            for line in path.read_text(encoding="utf-8").splitlines()
            if wanted in line
        ]

    def tree(self) -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in sorted((self.workspace / "memory").rglob("*")) if p.is_file()}


def shown(title: str, lines: list[str]) -> None:
    """Lines as a person reads them: without the comments that hold ids and sources."""
    print(f"\n{title}")
    for line in lines:
        print("  " + line.partition(" <!--")[0])


def main() -> int:
    parser = argparse.ArgumentParser(description="Run memory-silo's main job on the sample home.")
    parser.add_argument("--into", metavar="DIR", type=Path, help="an empty or new folder to work in (default: a temporary one)")
    folder = parser.parse_args().into or Path(tempfile.mkdtemp(prefix="memory-silo-"))
    if folder.is_dir() and any(folder.iterdir()):
        parser.error(f"{folder} is not empty")
    started = time.monotonic()
    home = Home(folder.resolve())
    print(f"A copy of the sample home is in {home.folder}; today is {TODAY}.")

    print("\n== 1. What was said becomes events: four sessions, of which one was a scheduled run")
    home.run("extract_session.py", "--source", "openclaw", "--all")
    shown("The event log now holds:", home.lines("memory/events/*.md", "["))

    print("\n== 2. A night's curation works them into the topics")
    home.run("curate_nightly.py")
    shown("What changed, in the topics' changelogs:", home.lines("memory/topics/*.md", "op:"))

    print("\n== 3. Questions are answered from them, and every answer names its source")
    for question in QUESTIONS:
        home.run("memory_cli.py", "retrieve", "--query", question, "--limit", "2", "--plain")
    found = json.loads(home.run("memory_cli.py", "retrieve", "--query", QUESTIONS[0], "--limit", "1", "--json", show=False))
    home.run("memory_cli.py", "why", found["results"][0]["id"])

    print("\n== 4. What the program would not decide alone waits for the owner")
    home.run("memory_cli.py", "review")

    print("\n== 5. A second night finds nothing to do")
    before = home.tree()
    home.run("extract_session.py", "--source", "openclaw", "--all")
    home.run("curate_nightly.py")
    print("\nmemory/ is byte for byte as it was." if home.tree() == before else "memory/ CHANGED: that is a bug.")

    print(f"\nDone in {time.monotonic() - started:.1f} s. Look at:")
    for path in ("memory/events", "memory/topics/atelier.md", "memory/topics/web-shop.md", "memory/index.md"):
        print(f"  {home.workspace / path}")
    print("and try, with OPENCLAW_WORKSPACE_DIR set to that workspace:")
    for words in ("context", "load web-shop", "log", "undo --last"):
        print(f"  python3 {SCRIPTS / 'memory_cli.py'} {words}")
    return 0 if home.tree() == before else 1


if __name__ == "__main__":
    raise SystemExit(main())
