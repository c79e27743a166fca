"""memory_cli.py and the scripts as a person or the assistant runs them, in a workspace of a test.

Commands run inside the test's own process, with an environment of their own: a process each would take most of the time.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from silo.formats.topics import TopicFile, new_topic, parse_topic

ENTRIES = {
    "memory_cli.py": "silo.cli.memory",
    "curate_nightly.py": "silo.cli.curate",
    "extract_session.py": "silo.cli.extract",
    "suggest_topics.py": "silo.cli.suggest",
}


@dataclass(frozen=True, slots=True)
class Home:
    """A workspace and the day that commands work on."""

    path: ClassVar[str] = "/usr/bin:/bin"
    root: Path
    today: str = "2026-03-10"
    env: tuple[tuple[str, str], ...] = ()  # more of the environment

    def on(self, day: str) -> Home:
        """The same workspace on another day."""
        return Home(self.root, day, self.env)

    def run(self, *args: str, script: str = "memory_cli.py", code: int = 0) -> str:
        """Standard output, with the errors where another exit code than 0 is expected."""
        given = [*args, "--workspace", str(self.root), "--today", self.today, "--timezone", "UTC"]
        environ = {"HOME": str(self.root), "PATH": self.path, "OPENCLAW_STATE_DIR": str(self.root / "state"), **dict(self.env)}
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            for name in tuple(os.environ):
                patch.delenv(name)
            for name, value in environ.items():
                patch.setenv(name, value)
            try:
                found = importlib.import_module(ENTRIES[script]).main(given)
            except SystemExit as stopped:  # argparse
                found = stopped.code
        assert found == code, (found, out.getvalue(), err.getvalue())
        return out.getvalue() + err.getvalue() if code else out.getvalue()

    def data(self, *args: str, script: str = "memory_cli.py") -> Any:
        """What the command prints with --json."""
        return json.loads(self.run(*args, "--json", script=script))

    def night(self) -> str:
        """A night of curation."""
        return self.run("--scheduled", script="curate_nightly.py")

    def topic(self, slug: str, *bullets: str, kind: str = "project", **header: str) -> None:
        """A topic file with these bullets."""
        text = new_topic(slug, type=kind, created="2026-01-01", summary="A case.", extra=header)
        self.write(f"memory/topics/{slug}.md", text.replace("## Facts\n", "## Facts\n" + "".join(f"{b}\n" for b in bullets)))

    def events(self, day: str, *lines: str) -> None:
        """Event lines of a day, as if typed or extracted."""
        path = self.root / "memory/events" / f"{day}.md"
        head = path.read_text(encoding="utf-8") if path.exists() else f"# Events {day}\n\n"
        self.write(f"memory/events/{day}.md", head + "".join(f"{line}\n" for line in lines))

    def write(self, path: str, text: str) -> None:
        """A file of the workspace."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        """A file of the workspace."""
        return (self.root / path).read_text(encoding="utf-8")

    def parsed(self, slug: str) -> TopicFile:
        """A topic file as read."""
        path = f"memory/topics/{slug}.md"
        return parse_topic(self.read(path), path)

    def facts(self, slug: str) -> list[str]:
        """The curated facts, check boxes included."""
        boxes = {None: "", False: "[ ] ", True: "[x] "}
        return [boxes[fact.done] + fact.text for fact in self.parsed(slug).facts]

    def changelog(self, slug: str) -> list[str]:
        """The entries as a person reads them, newest first."""
        file = self.parsed(slug)
        return [file.lines[entry.start].split(" <!--")[0].strip() for entry in file.entries]

    def memory(self) -> dict[str, bytes]:
        """Every file of the memory, the machine's state left out."""
        kept = (p for p in sorted(self.root.rglob("*")) if p.is_file())
        names = {p.relative_to(self.root).as_posix(): p for p in kept}
        ours = (".silo/runs/", ".silo/state", ".silo/locks/", ".silo/key", ".silo/index", ".silo/base/", ".silo/cold.db", ".silo/mirror.db")
        return {name: p.read_bytes() for name, p in names.items() if not name.startswith(ours)}
