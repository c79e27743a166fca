"""A plan made ready to commit: one draft a file, compared with what the file holds now. Reads, writes nothing.

Moves become a creation and a removal, several appends to a file become one, and what would change nothing is dropped,
so that the commit knows three kinds of step only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from silo.edge.fs import bytes_at, digest
from silo.edge.places import SILO, Places, keeps_base
from silo.edge.runs import Step
from silo.errors import Conflict
from silo.model import Append, Change, Move, Remove, Write
from silo.text.diff3 import delta
from silo.text.lines import decode, encode, split

ORDER = {"append": 0, "put": 1, "remove": 2}  # nothing leaves a place before it has arrived in another


@dataclass(frozen=True, slots=True)
class Draft:
    """A step with its contents: `old` as read now, `data` the whole new bytes; None for a file that is not there."""

    step: Step
    old: bytes | None
    data: bytes | None
    base: bytes | None = None


def drafts(changes: Iterable[Change], places: Places) -> tuple[Draft, ...]:
    """Drafts in the order of their commit, numbered.

    Raises:
        Conflict: a file is not as it was planned on, or can't be read.
        BadInput: a path leads out of the workspace or belongs to the machine.
        ValueError: two changes of the plan contradict each other (a mistake of the job).
    """
    made: dict[str, Draft] = {}
    for change in changes:
        match change:
            case Write() if change.path in made and made[change.path].step.moved_from:
                made[change.path] = _rewritten(made[change.path], change, places)
            case Write():
                _add(made, _write(change, places))
            case Append():
                _append(made, change, places)
            case Remove():
                _add(made, _remove(change.path, change.expect, change.why, places))
            case Move():
                for draft in _move(change, places):
                    _add(made, draft)
    wanted = [draft for draft in made.values() if draft.old != draft.data]
    wanted.sort(key=lambda draft: (ORDER[draft.step.kind], draft.old is not None, draft.step.path))
    return tuple(replace(draft, step=replace(draft.step, number=n)) for n, draft in enumerate(wanted))


def _add(made: dict[str, Draft], draft: Draft) -> None:
    if draft.step.path in made:
        raise ValueError(f"two changes of one plan write {draft.step.path}")
    made[draft.step.path] = draft


def _stale(path: str, expect: str | None, found: str | None) -> Conflict:
    if expect is None:
        what = "was created"
    elif found is None:
        what = "was removed"
    else:
        what = "was changed"
    return Conflict(f"{path} {what} by somebody else meanwhile; nothing was written", "run the command again")


def _mode(place: Path, path: str) -> int | None:
    """The permissions that the file keeps; None leaves them to the umask."""
    if place.exists():
        return place.stat().st_mode & 0o7777
    return 0o600 if path.split("/", 1)[0] == SILO else None


def _write(change: Write, places: Places) -> Draft:
    place = places.writable(change.path)
    old = bytes_at(place, change.path)
    if digest(old) != change.expect:
        raise _stale(change.path, change.expect, digest(old))
    draft = _put(change.path, place, old, change.data, change.why)
    if not keeps_base(change.path):
        return draft
    draft = replace(draft, step=replace(draft.step, was=change.was))
    base = bytes_at(places.base(change.was or change.path), change.path)
    if base is not None and base != old:
        was = tuple(delta(decode(old or b""), decode(base)))
        draft = replace(draft, step=replace(draft.step, base_was=was))
    return with_base(draft, change.base)


def with_base(draft: Draft, base: bytes | None) -> Draft:
    """The draft that leaves `base` as the base copy, for a file that has more in it than a write of ours; None: its data."""
    if base is None or draft.data is None or base == draft.data:
        return draft
    step = replace(draft.step, base=tuple(delta(decode(draft.data), decode(base))))
    return replace(draft, step=step, base=base)


def _put(path: str, place: Path, old: bytes | None, data: bytes, why: str, moved_from: str = "") -> Draft:
    step = Step(
        number=0,
        kind="put",
        path=path,
        old=digest(old),
        new=digest(data),
        old_size=len(old or b""),
        mode=_mode(place, path),
        delta=tuple(delta(decode(old or b""), decode(data))),
        why=why,
        moved_from=moved_from,
    )
    return Draft(step, old, data)


def _remove(path: str, expect: str, why: str, places: Places) -> Draft:
    place = places.writable(path)
    old = bytes_at(place, path)
    if old is None or digest(old) != expect:
        raise _stale(path, expect, digest(old))
    step = Step(0, "remove", path, old=expect, old_size=len(old), mode=_mode(place, path), why=why)
    return Draft(step, old, None)


def _move(change: Move, places: Places) -> tuple[Draft, Draft]:
    gone = _remove(change.path, change.expect, change.why, places)
    assert gone.old is not None
    place = places.writable(change.to)
    there = bytes_at(place, change.to)
    if there is not None:
        raise _stale(change.to, None, digest(there))
    come = _put(change.to, place, None, gone.old, change.why, moved_from=change.path)
    base = bytes_at(places.base(change.path), change.path) if keeps_base(change.to) else None
    # A file that is only moved takes its base along (`commit._base`), edits by hand in it stay such.
    was = None if base in (None, gone.old) else tuple(delta(decode(gone.old), decode(base or b"")))
    return replace(come, step=replace(come.step, mode=gone.step.mode, base_was=was, base=was)), gone


def _rewritten(moved: Draft, change: Write, places: Places) -> Draft:
    """A file that the same plan moved and changed."""
    if digest(moved.data) != change.expect:
        raise _stale(change.path, change.expect, digest(moved.data))
    draft = _put(
        change.path, places.writable(change.path), None, change.data, change.why, moved.step.moved_from
    )
    return replace(draft, step=replace(draft.step, mode=moved.step.mode, base_was=moved.step.base_was))


def _append(made: dict[str, Draft], change: Append, places: Places) -> None:
    """Add lines to a draft of the same file, or make one."""
    lines = change.data if not change.data or change.data.endswith(b"\n") else change.data + b"\n"
    before = made.get(change.path)
    if before is None:
        made[change.path] = _appended(change, lines, places)
        return
    if before.data is None:
        raise ValueError(f"one plan removes {change.path} and appends to it")
    step = before.step
    if step.kind == "append":
        grown = replace(step, added=step.added + decode(lines), new=digest(before.data + lines))
        made[change.path] = Draft(grown, before.old, before.data + lines)
    else:
        data = before.data + _sep(before.data) + lines
        made[change.path] = _put(
            change.path, places.writable(change.path), before.old, data, step.why, step.moved_from
        )


def _appended(change: Append, lines: bytes, places: Places) -> Draft:
    place = places.writable(change.path)
    old = bytes_at(place, change.path)
    if old is not None and b"\0" in old:
        raise Conflict(f"{change.path} is not a text file; nothing was written", "move it away and try again")
    sep = _sep(old or b"")
    data = ((old + sep if old else change.head) + lines) if lines else old
    step = Step(
        number=0,
        kind="append",
        path=change.path,
        old=digest(old),
        new=digest(data),
        old_size=len(old or b""),
        mode=_mode(place, change.path),
        head=decode(change.head) if not old else "",
        sep=decode(sep),
        added=decode(lines),
        why=change.why,
    )
    return Draft(step, old, data)


def _sep(data: bytes) -> bytes:
    """What completes the last line of a text."""
    return b"" if not data or data.endswith(b"\n") else b"\n"


def missing_lines(step: Step, current: bytes | None) -> bytes:
    """What an append has still to write so that `current` has its lines once: all, the rest of a torn write, or nothing.

    A file that others changed meanwhile is looked through line by line.
    """
    if not current:
        return encode(step.head + step.added)
    whole = encode(step.head + step.sep + step.added)
    tail = current
    if digest(current[: step.old_size]) == (step.old or digest(b"")):
        tail = current[step.old_size :]
        if tail.startswith(whole):
            return b""
        if whole.startswith(tail):
            return whole[len(tail) :]
    there = Counter(split(decode(tail)))
    wanted: list[str] = []
    for line in split(step.added):
        if there[line]:
            there[line] -= 1
        else:
            wanted.append(line)
    return _sep(current) + encode("".join(wanted)) if wanted else b""
