"""What a forget can't reach, and the command that cleans each place: a person's own lines, notes, git, the host's stores."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from silo.core.evidence import read_source
from silo.core.forget.choose import Gone, Wanted
from silo.core.forget.lines import without_lines
from silo.edge.workspace import Workspace
from silo.jobs.run import Call, Report
from silo.text.lines import decode

BINARY = 4096  # bytes that are looked at for a NUL, to pass over what is no text


@dataclass(frozen=True, slots=True)
class Outside:
    """`lines`: (path, numbers of lines) in files that are not ours. `sessions` of transcripts by kind of source. `git`: a
    repository holds the workspace. `aside`: folders that a restore has moved away."""

    lines: tuple[tuple[str, tuple[int, ...]], ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()
    git: bool = False
    aside: tuple[str, ...] = ()

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(path for path, _ in self.lines)


def outside(call: Call, workspace: Workspace, gone: Gone, taken: Mapping[str, bytes], is_ours: Callable[[str], bool]) -> Outside:
    """Where the words stand beside our own lines. `taken` are files that this forget changes, as it leaves them: a file of
    the person's may lose a line of ours and keep one of theirs. Their lines are counted in the file as it is left."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for path in sorted({*workspace.paths("*.md"), *workspace.paths("memory/**/*"), *workspace.paths("users/**/*.md")}):
        data = None if is_ours(path) else taken[path] if path in taken else workspace.read(path)
        if data is None or b"\0" in data[:BINARY]:
            continue
        hits = without_lines(decode(data), path, gone, "own").hits
        if hits:
            found.append((path, tuple(hit.line for hit in hits)))
    sources = {source.kind + "\x1f" + source.session for e in gone.events.values() if (source := read_source(e.source))}
    sessions = [(kind, session) for kind, _, session in (one.partition("\x1f") for one in sorted(sources))]
    sessions += [("openclaw", one) for one in sorted(gone.sessions) if one not in {session for _, session in sessions}]
    git = any((folder / ".git").exists() for folder in (workspace.root, *workspace.root.parents))
    aside = tuple(sorted(path.name for path in workspace.root.glob(".silo-before-restore-*")))
    return Outside(tuple(found), tuple(sessions), git, aside)


def told(call: Call, wanted: Wanted, there: Outside, handed: Collection[str], report: Report) -> Report:
    """The report with what lies outside, each with its command."""
    lines: list[tuple[str, str, str]] = []
    for path, numbers in there.lines:
        where = f"{path}:{','.join(map(str, numbers[:8]))}"
        mine = path.startswith(("MEMORY", "memory/2", "memory/1"))
        clean = f"memory_cli.py forget {_asked(wanted)} --notes" if mine else "take the lines out by hand"
        lines.append((where, "lines that are not ours", clean))
    for kind, session in there.sessions:
        clean = f"openclaw memory forget --session {shlex.quote(session)}" if kind in ("openclaw", "jsonl") else f"delete the transcript of session {session} ({kind}) in its program"
        lines.append((session, "the transcript of the host", clean))
    if there.sessions or there.lines:
        lines.append(("the host's index", "it may hold old passages until it is made anew", "openclaw memory index --force"))
    for folder in there.aside:
        lines.append((folder, "what stood here before a restore", f"rm -r {shlex.quote(str(call.config.workspace / folder))}"))
    if there.git:
        lines.append((str(call.config.workspace), "the history of git", "git filter-repo --replace-text WORDS.txt (a file of the words; every clone has to be made anew)"))
    if report.code == 0 and isinstance(report.data, dict) and (report.data.get("run") or call.dry_run):
        lines.append(("exports and backups", "files that were made before", "delete them; memory_cli.py export makes new ones"))
    report.lines += [f"NOTE outside our reach: {where} ({what}): {clean}" for where, what, clean in lines]
    report.lines += [f"NEXT {instruction}" for instruction in handed]
    if isinstance(report.data, dict):
        report.data["outside"] = [{"where": where, "what": what, "clean": clean} for where, what, clean in lines]
        report.data["handed"] = list(handed)
    return report


def _asked(wanted: Wanted) -> str:
    parts = [*wanted.ids]
    for flag in ("topic", "entity", "session", "query"):
        if value := getattr(wanted, flag):
            parts.append(f"--{flag} {shlex.quote(value)}")
    return " ".join(parts)
