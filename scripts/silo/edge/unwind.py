"""A run's part taken out of a file that has changed since: by lines, for whatever format has no merge of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from silo.edge.places import SILO, is_lines, is_log
from silo.formats.events import head, parse_file
from silo.text.diff3 import Clash, merge
from silo.text.lines import content, decode, split


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
    """A file of lines that stand for themselves: the run's lines go, those that it took out come back at the end."""
    opening = decode(head(part.path.rpartition("/")[2].removesuffix(".md"))) if is_log(part.path) else ""
    fixed = _lines(opening)  # the first lines of a log are nobody's
    taken, brought = _lines(before) - fixed, _lines(made) - fixed
    left = without_lines(replace(part, added="".join(f"{line}\n" for line in (brought - taken).elements())))
    text = left.text or opening
    missing = (taken - brought) - _lines(text)
    end = "" if not text or text.endswith("\n") else "\n"
    back = "".join(f"{line}\n" for line in missing.elements())
    return Unwound(text + end + back, left.clashes) if missing else left


def _lines(text: str) -> Counter[str]:
    """The lines of a text without their ends, with how often each stands there."""
    return Counter(content(line) for line in split(text))


def without_lines(part: Part) -> Unwound:
    """The file without the lines that were appended, each once, from the end. One that was reworded since stays."""
    lines = split(part.now)
    clashes: list[Clash] = []
    for wanted in reversed(split(part.added)):
        at = next((n for n in range(len(lines) - 1, -1, -1) if content(lines[n]) == content(wanted)), None)
        meant = parse_file(wanted, part.path).events if is_log(part.path) else ()
        if at is None and meant and meant[0].id:
            same = [
                event for event in parse_file("".join(lines), part.path).events if event.id == meant[0].id
            ]
            if same and same[0].text != meant[0].text:
                clashes.append(Clash(same[0].line, wanted, "", lines[same[0].line - 1]))
            elif same:  # the same event under another topic
                at = same[0].line - 1
        if at is not None:
            del lines[at]
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
