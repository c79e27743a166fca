"""A run's part taken out of a file that has changed since: by lines, for whatever format has no merge of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from silo.edge.places import SILO, is_lines, is_log
from silo.formats.events import head, parse_file
from silo.text.diff3 import Clash, merge
from silo.text.lines import content, decode, ending, split


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a run that is taken back, with all that a merge needs. Texts are whole files.

    path: where the file lies now (a later run may have moved it). before: what it held before the run, None for no
    file; for an append only what is left is known, so there `before` is None and `added` are the lines. made: what the
    run wrote. now: what it holds. base: our last write of it, None where none is kept.
    """

    path: str
    kind: str
    before: str | None
    made: str | None
    added: str
    now: str
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Unwound:
    """A file without the run's part, and where that was not possible. None: there should be no file any more."""

    text: str | None
    clashes: tuple[Clash, ...] = ()
    base: str | None = None  # the base copy without the run's part, where the merge knows how


# A merge that knows a format better than lines do; None leaves the file to the merge by lines.
Unwind = Callable[[Part], Unwound | None]


def by_lines(part: Part) -> Unwound:
    """The file with the run's change taken out and later ones kept, line by line."""
    if part.made is None or part.before is None:
        if is_lines(part.path):
            return _as_log(part, part.before or "", part.made or "")
        # It came or went by the run, and somebody made it their own since.
        return Unwound(part.now, (Clash(1, part.made or "", part.before or "", part.now),))
    merged = merge(part.made, part.before, part.now)
    if is_lines(part.path):
        returning = Counter(split(part.before)) - Counter(split(part.made))
        if merged.clashes or returning & Counter(
            split(part.now)
        ):  # some of it is back already, at another place
            return _as_log(part, part.before, part.made)
    if part.path.endswith(".json") and _is_json(part.now) and not _is_json(merged.text):
        return Unwound(part.now, (Clash(1, part.made, part.before, part.now),))
    return Unwound(merged.text, merged.clashes)


def _as_log(part: Part, before: str, made: str) -> Unwound:
    """A file of lines that stand for themselves: the run's lines go, one that it changed is as it was again, and those that
    it took out come back at the end. What a hand has deleted or reworded since stays so."""
    opening = decode(head(part.path.rpartition("/")[2].removesuffix(".md"))) if is_log(part.path) else ""
    fixed = _lines(opening)  # the first lines of a log are nobody's
    taken, brought = _lines(before) - fixed, _lines(made) - fixed
    gone, come = list((taken - brought).elements()), list((brought - taken).elements())
    lines = split(part.now)
    clashes: list[Clash] = []
    for line in list(gone):
        other = next((one for one in come if _key(one, part.path) == _key(line, part.path)), None)
        if other is None:
            continue
        gone.remove(line)
        come.remove(other)
        at, clash = _find(lines, other, part.path)
        if at is not None:
            lines[at] = line + ending(lines[at])
        elif clash is not None:
            clashes.append(replace(clash, mine=line))
    left = without_lines(replace(part, now="".join(lines), added="".join(f"{line}\n" for line in come)))
    text = left.text or opening
    there = {_key(content(line), part.path) for line in split(text)}
    back = [line for line in gone if _key(line, part.path) not in there]
    end = "" if not text or text.endswith("\n") or not back else "\n"
    found = (*clashes, *left.clashes)
    return Unwound(text + end + "".join(f"{line}\n" for line in back), found) if back else Unwound(left.text, found)


def _lines(text: str) -> Counter[str]:
    """The lines of a text without their ends, with how often each stands there."""
    return Counter(content(line) for line in split(text))


def _key(line: str, path: str) -> str:
    """What a line is known by under whatever topic: its event's id, else what the event says, else itself."""
    found = parse_file(line, path).events if is_log(path) else ()
    return line if not found else found[0].id or f"{found[0].tag} {found[0].text}"


def _find(lines: list[str], wanted: str, path: str) -> tuple[int | None, Clash | None]:
    """Where a line stands, the last one of its kind; also under another topic. A clash where it was reworded since."""
    at = next((n for n in range(len(lines) - 1, -1, -1) if content(lines[n]) == content(wanted)), None)
    meant = parse_file(wanted, path).events if is_log(path) else ()
    if at is not None or not meant:
        return at, None
    key = _key(content(wanted), path)
    same = [event for event in parse_file("".join(lines), path).events if (event.id or f"{event.tag} {event.text}") == key]
    if not same:
        return None, None
    if same[-1].text != meant[0].text:
        return None, Clash(same[-1].line, wanted, "", lines[same[-1].line - 1])
    return same[-1].line - 1, None


def without_lines(part: Part) -> Unwound:
    """The file without the lines that were appended, each once, from the end. One that was reworded since stays."""
    lines = split(part.now)
    clashes: list[Clash] = []
    for wanted in reversed(split(part.added)):
        at, clash = _find(lines, wanted, part.path)
        if at is not None:
            del lines[at]
        elif clash is not None:
            clashes.append(clash)
    return Unwound("".join(lines), tuple(clashes))


def twin(path: str) -> str:
    """The same day's log in the other place: events of a topic that became private, or is no longer, moved there."""
    private = f"{SILO}/private/"
    return (
        f"memory/{path.removeprefix(private)}"
        if path.startswith(private)
        else private + path.removeprefix("memory/")
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
