"""The job behind `doctor --secrets`: what the memory holds already that must not stand there. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from silo.core.secretscan import Secret, scan
from silo.edge.fs import read
from silo.jobs.run import Call, Report, problem_line
from silo.model import Problem

_LARGEST = 50_000_000  # bytes of a file that are looked at
_KEYS = (".silo/key", ".silo/locks/")  # the mirror's own key, which must stand there; nothing


def secrets(call: Call) -> Report:
    """Every secret by place and kind, never by value; exit 1 where one stands outside the copies that undo needs."""
    root = call.look().root
    found: list[Secret] = []
    files = 0
    for path in _files(root):
        data = read(root / path)
        if data is not None and len(data) <= _LARGEST:
            files += 1
            found += scan(path, data)
    bad = [one for one in found if one.whose != "copy"]
    copies = Counter(one.path for one in found if one.whose == "copy")
    report = Report(code=1 if bad else 0)
    report.lines = [problem_line(_problem(one)) for one in bad[:200]]
    if len(bad) > 200:
        report.lines.append(f"NOTE {len(bad) - 200} more; --json names all")
    report.lines += [f"NOTE {path} holds {n}: a copy that undo needs of a file of yours; it goes after 30 days" for path, n in sorted(copies.items())[:20]]
    kinds = Counter(one.kind for one in bad)
    told = ", ".join(f"{kind} × {n}" for kind, n in sorted(kinds.items()))
    report.lines.append(f"NOTE {len(bad)} secrets in {files} files ({told}); what shows as none of these kinds is not seen" if bad else f"OK no secret found in {files} files")
    if bad:
        report.lines.append("NEXT change each of them where it is used: what was in a file may have been read")
    report.data = {
        "files": files,
        "secrets": [{"path": one.path, "line": one.line, "kind": one.kind, "whose": one.whose} for one in found],
    }
    return report


def _problem(one: Secret) -> Problem:
    return Problem(f"{one.path}:{one.line}" if one.line else one.path, "secret", f"{one.kind}; {one.what_to_do}")


def _files(root: Path) -> Iterator[str]:
    """The memory's files, ours and the user's; no link is followed."""
    tops = [*sorted(root.glob("MEMORY*.md")), *(root / name for name in ("USER.md", "AGENTS.md", "memory", ".silo"))]
    for top in tops:
        for place in sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else [top]:
            path = place.relative_to(root).as_posix()
            if place.is_file() and not place.is_symlink() and not path.startswith(_KEYS):
                yield path
