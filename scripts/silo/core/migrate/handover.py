"""A hand-over: the content of a file that the host's agent must write with its own tool, because a script may not.

Two files under .silo/handover: `<id>.md`, what to write, and `<id>.json`, what it is for. Lines that hold a secret are
not in them: they stand there as `keep line N of the present file`, and the target hash counts them in place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from silo.model import Remove, Write
from silo.text.lines import content, encode, sha256, split

FOLDER = ".silo/handover"
BACK = ".silo/handback"  # the way back of a hand-over: used when the run that left it is undone
KEEP = "<!-- keep line {} of the present file -->"


@dataclass(frozen=True, slots=True)
class Handover:
    """`base`: SHA-256 of the present file, `target`: of the file after (both with LF ends and one final newline)."""

    id: str
    path: str
    base: str
    target: str
    created: str
    instruction: str
    keep: tuple[int, ...] = ()

    @property
    def file(self) -> str:
        """Where the content lies, from the workspace."""
        return f"{FOLDER}/{self.id}.md"


class Standing(StrEnum):
    """How a hand-over stands, seen from the file as it is."""

    WAITING = "waiting"  # the file is as it was
    DONE = "done"  # the agent has written it
    STALE = "stale"  # the file was changed otherwise: plan again


def plain_hash(text: str) -> str:
    """The hash that is compared: over LF line ends and exactly one final newline, because tools differ there."""
    return hashlib.sha256(encode(text.replace("\r\n", "\n").rstrip("\n") + "\n")).hexdigest()


def plan_handover(
    path: str, present: str, target: str, kept: Mapping[int, int], created: str
) -> tuple[Handover, tuple[Write, ...]]:
    """The hand-over of `target` and the two files that leave it.

    `kept` are lines of the target (from 1) that must not be copied, with the lines of the present file that they are.
    """
    base, wanted = plain_hash(present), plain_hash(target)
    ident = "h_" + hashlib.sha256(f"{path}\x1f{base}\x1f{wanted}".encode()).hexdigest()[:12]
    lines = [
        KEEP.format(kept[number]) + line[len(content(line)) :] if number in kept else line
        for number, line in enumerate(split(target), 1)
    ]
    body = "".join(lines)
    what = f"Replace the whole content of {path} with the content of {FOLDER}/{ident}.md, using your own write tool (no shell, no script)."
    if kept:
        what += " Where it says `keep line N of the present file`, put that line of the present file there, word for word."
    found = Handover(ident, path, base, wanted, created, what, tuple(sorted(kept.values())))
    data = json.dumps({"schema_version": 1, **asdict(found)}, ensure_ascii=False, indent=1) + "\n"
    return found, (
        Write(found.file, None, encode(body), "hand-over"),
        Write(f"{FOLDER}/{ident}.json", None, encode(data), "hand-over"),
    )


def plan_way_back(
    path: str, present: str, target: str, kept: Mapping[int, int], created: str
) -> tuple[Write, ...]:
    """What an undo will hand over: the present content, from the target. Arguments as of `plan_handover`."""
    _, files = plan_handover(path, target, present, {old: new for new, old in kept.items()}, created)
    return tuple(Write(f.path.replace(FOLDER, BACK, 1), None, f.data, "the way back") for f in files)


def parse_handover(text: str) -> Handover | None:
    """A hand-over as it was left; None for a file that is none."""
    try:
        value: Any = json.loads(text)
        return Handover(
            id=str(value["id"]), path=str(value["path"]), base=str(value["base"]), target=str(value["target"]),
            created=str(value["created"]), instruction=str(value["instruction"]), keep=tuple(int(n) for n in value.get("keep", ())),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError):
        return None


def standing(handover: Handover, present: str | None) -> Standing:
    """Waiting, done or stale."""
    now = plain_hash(present or "")
    if now == handover.target:
        return Standing.DONE
    return Standing.WAITING if now == handover.base else Standing.STALE


def clear(
    handovers: Iterable[Handover], files: Mapping[str, bytes], but: Collection[str] = ()
) -> tuple[Remove, ...]:
    """The files of hand-overs that are settled, taken away. `files` are the present files of the folder by path."""
    found: list[Remove] = []
    for one in handovers:
        for path in (one.file, f"{FOLDER}/{one.id}.json"):
            if one.id not in but and path in files:
                found.append(Remove(path, sha256(files[path]), "hand-over settled"))
    return tuple(found)
