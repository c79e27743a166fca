#!/usr/bin/env python3
"""One complete session on the sample home, as a page: commands and what they print, shortened. Needs Python 3.11 alone.

    python3 sample/walkthrough.py            print the page
    python3 sample/walkthrough.py --write    write it to references/walkthrough.md
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent
ROOT = SAMPLE.parent
PAGE = ROOT / "references" / "walkthrough.md"
TODAY = "2026-03-12"
MOST_LINES = 14
MOST_CHARS = 150

INTRO = """# A session from beginning to end

Made by `python3 sample/walkthrough.py --write` on the sample home that ships with the repository (a test makes it anew and
compares), so it shows what the programs print today. Long outputs are cut (`…`); `$HOME` stands for the home's folder. The day
is 12 March 2026.
"""


@dataclass(frozen=True)
class Step:
    """A heading and a sentence (both may be empty), and one command."""

    command: str
    heading: str = ""
    said: str = ""
    code: int = 0


STEPS = (
    Step("memory_cli.py status", "What is there", "A workspace with four topic files, a daily note and a MEMORY.md; sessions in the host's folder."),
    Step("extract_session.py --source openclaw --all --dry-run", "What was said becomes events", "First shown, not written:"),
    Step("extract_session.py --source openclaw --all", said="Then written, each message once:"),
    Step("curate_nightly.py", "The night brings them into the topics", "A value that changed replaces the old one, which stays in the changelog."),
    Step("memory_cli.py load web-shop"),
    Step("memory_cli.py context --max-bytes 2500", "A session begins with what it needs"),
    Step('memory_cli.py retrieve --query "which payment provider did we choose?" --limit 2 --plain --explain', "Questions", "The best lines, with the parts of each score:"),
    Step('memory_cli.py why {id:retrieve --query "Quanto é o aluguer do atelier?" --limit 1}', said="The message behind a fact, asked for in another language:"),
    Step('memory_cli.py store --text "The kiln is serviced every March." --topic atelier --tag FACT', "Something to keep, and a mistake"),
    Step("memory_cli.py undo --last --yes", said="Every run can be taken back, and an undo too:"),
    Step("memory_cli.py undo --last --yes"),
    Step("memory_cli.py todos", "What is open, what is doubtful"),
    Step("memory_cli.py review"),
    Step("memory_cli.py stale"),
    Step("migrate_memory.py plan", "A flat MEMORY.md", "Where each part would go; `apply` does it, `verify` proves that no line is lost:"),
    Step("migrate_memory.py apply --yes"),
    Step("migrate_memory.py verify"),
    Step("memory_cli.py entity list", said="Who and what it names, as a graph that can be asked:"),
    Step("memory_cli.py forget --query kiln --dry-run", "Forgetting", "First what would go, place by place:"),
    Step("curate_nightly.py", "At the end", "The next night takes up what was stored; a second one has nothing to do, and nothing is wrong:"),
    Step("curate_nightly.py"),
    Step("memory_cli.py doctor"),
)


class Session:
    """A copy of the sample, and commands run in it one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        shutil.copytree(SAMPLE / "workspace", self.folder / "workspace")
        shutil.copytree(SAMPLE / "state", self.folder / "state")
        self.environ = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.folder),
            "OPENCLAW_WORKSPACE_DIR": str(self.folder / "workspace"),
            "OPENCLAW_STATE_DIR": str(self.folder / "state"),
            "TZ": "UTC",
            "PYTHONUTF8": "1",
        }

    def run(self, words: list[str]) -> tuple[int, str]:
        """(exit code, what was printed), the remarks first."""
        command = [sys.executable, str(ROOT / "scripts" / words[0]), *words[1:], "--today", TODAY]
        done = subprocess.run(command, env=self.environ, cwd=self.folder, capture_output=True, text=True, encoding="utf-8", check=False)
        return done.returncode, done.stderr + done.stdout

    def fill(self, command: str) -> str:
        """The command with `{id:…}` replaced by the id of what that question finds first."""
        asked = re.search(r"\{id:(.*)\}", command)
        if asked is None:
            return command
        _, out = self.run(["memory_cli.py", *shlex.split(asked[1]), "--json"])
        found = re.search(r'"id": ?"([ef]_[0-9a-f]{12})"', out)
        if found is None:
            raise SystemExit(f"nothing found by {asked[1]}")
        return command.replace(asked[0], found[1])


def shown(text: str, folder: Path) -> list[str]:
    """What was printed, as it stands on the page: cut, and without what differs between two machines."""
    text = text.replace(str(folder), "$HOME").replace(str(ROOT / "scripts"), "$SILO").replace(str(ROOT), "$SILO/..")
    text = re.sub(r"\b20\d{6}T\d{6}Z?-[0-9a-z]+", "RUN", text)
    text = re.sub(r"\b\d+ (?:kB|bytes) (?:in|of) \.silo", "N kB in .silo", text)
    lines = [line if len(line) <= MOST_CHARS else line[: MOST_CHARS - 1] + "…" for line in text.rstrip("\n").split("\n")]
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 3], "…", *lines[-2:]]


def page() -> str:
    """The whole page."""
    out = [INTRO]
    with tempfile.TemporaryDirectory(prefix="memory-silo-walk-") as folder:
        session = Session(Path(folder))
        for step in STEPS:
            command = session.fill(step.command)
            code, text = session.run(shlex.split(command))
            if code != step.code:
                raise SystemExit(f"{command}: exit code {code}\n{text}")
            out += [f"## {step.heading}\n"] if step.heading else []
            out += [f"{step.said}\n"] if step.said else []
            out.append("\n".join(["```text", f"$ {command}", *shown(text, session.folder), "```\n"]))
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write references/walkthrough.md")
    args = parser.parse_args()
    made = page()
    if args.write:
        PAGE.write_text(made, encoding="utf-8", newline="")
        print(f"wrote {PAGE.relative_to(ROOT)}")
    else:
        print(made, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
