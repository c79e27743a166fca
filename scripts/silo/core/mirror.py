"""What a memory and its mirror have to tell each other: per file, what is written here and what is sent there.

Pure: the files here, what both had last, the marks and contents there are given. A file that the mirror merely lost is sent
again; only one that it says was deleted is deleted here. The host's and the person's MEMORY.md is never changed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from silo.core.devices import Collision, bring
from silo.formats.decisions import read_decisions, review_id, review_line
from silo.formats.events import parse_line
from silo.model import Event
from silo.text.lines import content, decode, encode, sha256, split

# The critical state: what a device must have to go on, beside what is derived and what counts alone.
CRITICAL = (
    "MEMORY.md", "MEMORY-*.md", "memory/events/*.md", "memory/topics/*.md", "memory/index.md", "memory/protocols.md", "memory/active.md",
    "memory/archive.md", "memory/ontology/graph.jsonl", ".silo/private/**/*", ".silo/agents/*/*.json", ".silo/config.json",
    ".silo/review.jsonl", ".silo/proposals.jsonl", ".silo/tombstones.jsonl",
)  # fmt: skip
REVIEW, TOMBSTONES = ".silo/review.jsonl", ".silo/tombstones.jsonl"
PRIVATE = ".silo/private/"
GONE = ""
_IDS = re.compile(r"\b[ef]_[0-9a-f]{12}\b")
_BULLET_ID = re.compile(r"<!--\s*(f_[0-9a-f]{12})\b")
_SMALL = 20_000  # bytes below which a memory may shrink unasked


@dataclass(frozen=True, slots=True)
class Step:
    """One file: what it is after the exchange (None: gone), whether that is news here, and there.

    `expect` is the mark that the mirror has of it now, None where it has none.
    """

    path: str
    data: bytes | None
    write: bool
    send: bool
    expect: str | None
    collisions: tuple[Collision, ...] = ()
    left: bool = False  # the mirror's version differs and is not ours to write


@dataclass(frozen=True, slots=True)
class Known:
    """What both had: the mark, and the bytes where they are still known."""

    mark: str
    data: bytes | None


def is_hands(path: str) -> bool:
    """Whether a file is the person's and the host's, so that nothing here changes it once it is there."""
    return path == "MEMORY.md" or fnmatchcase(path, "MEMORY-*.md")


def is_critical(path: str) -> bool:
    """Whether a path is one that a mirror may bring: nothing else is ever written from there."""
    parts = path.split("/")
    plain = path and not path.startswith("/") and ".." not in parts and "" not in parts and "." not in parts
    return bool(plain) and any(fnmatchcase(path, pattern.replace("**/*", "*")) for pattern in CRITICAL)


def wanted(
    base: Mapping[str, Known], marks: Mapping[str, str], name_of: Callable[[str], str], local: Collection[str], *, restoring: bool
) -> frozenset[str]:
    """The names of files that have to be fetched: changed there since, or missing here while restoring."""
    known = {name_of(path): (path, one.mark) for path, one in base.items()}
    return frozenset(
        name
        for name, mark in marks.items()
        if mark != GONE and (name not in known or known[name][1] != mark or (restoring and known[name][0] not in local))
    )


def steps(
    local: Mapping[str, bytes],
    base: Mapping[str, Known],
    marks: Mapping[str, str],
    fetched: Mapping[str, bytes],
    *,
    mark_of: Callable[[str, bytes], str],
    restoring: bool,
) -> tuple[Step, ...]:
    """One step for every file that either side has or had. `marks` and `fetched` are by path here."""
    found = [
        _step(path, local.get(path), base.get(path), marks.get(path), fetched.get(path), mark_of, restoring=restoring)
        for path in sorted({*local, *base, *marks, *fetched})
        if is_critical(path)
    ]
    return _without_forgotten(found, local)


def _step(
    path: str, here: bytes | None, known: Known | None, mark: str | None, there: bytes | None, mark_of: Callable[[str, bytes], str], *, restoring: bool
) -> Step:
    collisions: tuple[Collision, ...] = ()
    unchanged = known is not None and mark == known.mark
    left = False
    if mark is None or (unchanged and not (restoring and here is None and there is not None)):
        data = here  # the mirror has no news of it
    elif restoring and here is None and there is not None:
        data = there
    elif is_hands(path) and here is not None:
        data, left = here, there is not None and there != here
    else:
        brought = bring(path, known.data if known is not None else None, here, there)
        data, collisions = brought.data, brought.collisions
    at_mirror = GONE if data is None else mark_of(path, data)
    send = at_mirror != mark and not left and not (data is None and mark is None)
    return Step(path, data, data != here, send, mark, collisions, left)


def _without_forgotten(found: list[Step], local: Mapping[str, bytes]) -> tuple[Step, ...]:
    """No line of what was forgotten on either device comes back, nor stays."""
    tombs = next((one.data for one in found if one.path == TOMBSTONES and one.data), b"")
    ids = frozenset(read_decisions(decode(tombs), TOMBSTONES).items)
    if not ids:
        return tuple(found)
    return tuple(_cleaned(one, ids, local) for one in found)


def _cleaned(step: Step, ids: frozenset[str], local: Mapping[str, bytes]) -> Step:
    markdown = step.path.endswith(".md") and ("/events/" in step.path or "/topics/" in step.path)
    if step.data is None or not markdown or not (step.write or step.send):
        return step
    day = step.path.rpartition("/")[2].removesuffix(".md")
    lines = split(decode(step.data))
    kept = [line for line in lines if not _names(line, day, "/events/" in step.path) & ids]
    if len(kept) == len(lines):
        return step
    data = encode("".join(kept))
    return Step(step.path, data, data != local.get(step.path), True, step.expect, step.collisions, step.left)


def _names(line: str, day: str, log: bool) -> frozenset[str]:
    if log:
        event = parse_line(content(line), day, "", 1)
        return frozenset({event.id}) if isinstance(event, Event) and event.id else frozenset()
    hit = _BULLET_ID.search(line)
    return frozenset({hit[1]}) if hit else frozenset()


def shrunk(local: Mapping[str, bytes], base: Mapping[str, Known]) -> str:
    """Why the memory here looks like a loss beside what both had last; "" where it does not."""
    had = {path: one for path, one in base.items() if one.mark != GONE and not is_hands(path)}
    missing = [path for path in had if path not in local]
    if len(missing) > max(3, len(had) // 2):
        return f"{len(missing)} of the {len(had)} files that the mirror has are not here"
    before = sum(len(one.data or b"") for one in had.values())
    now = sum(len(data) for path, data in local.items() if not is_hands(path))
    if before > _SMALL and now < before // 2:
        return f"the memory here has {now:,} bytes, the one at the mirror {before:,}"
    return ""


def questions(collisions: Iterable[Collision], today: str) -> tuple[str, ...]:
    """A review line for each place that two devices changed differently; the same one again has the same id."""
    lines: dict[str, str] = {}
    for one in collisions:
        named = sorted(set(_IDS.findall(one.here + one.there))) or [sha256(encode(f"{one.path}\x1f{one.here}\x1f{one.there}"))[:12]]
        ident = review_id([ident for ident in named if not ident.startswith("e_")], [ident for ident in named if ident.startswith("e_")])
        slug = one.path.rpartition("/")[2].split(".")[0] if "/topics/" in one.path else ""
        text = f"Two devices changed {one.path} differently. Here: {_shown(one.here)} There: {_shown(one.there)}"
        facts = [ident for ident in named if ident.startswith("f_")]
        events = [ident for ident in named if ident.startswith("e_")]
        lines[ident] = review_line(ident, kind="edit", topic=slug, facts=facts, events=events, created=today, text=text)
    return tuple(lines.values())


def _shown(text: str) -> str:
    bare = re.sub(r"\s*<!--.*?-->", "", " ".join(text.split()))
    return f"«{bare[:200]}»"
