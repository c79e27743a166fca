"""Reads tests/data/extract/*.txt: small invented conversations with what must, may and must not be kept of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from silo.model import Candidate, Origin, Session, TopicInfo, Turn
from silo.text.fold import fold

DATA = Path(__file__).resolve().parent / "data" / "extract"
_WANT = re.compile(
    r"^\+ (?P<tags>[A-Z,]+) (?P<words>.*?)(?: due (?P<due>\d{4}-\d\d-\d\d))?(?: was (?P<was>.+?))?(?: (?P<conf>tentative\??))?$"
)


@dataclass
class Want:
    """One event that must be there: one of the tags, all words (each with alternatives), due date, old value."""

    tags: list[str]
    words: list[list[str]]
    due: str = ""
    was: str = ""
    tentative: bool = False

    def fits(self, text: str) -> bool:
        return all(any(holds(w, text) for w in group) for group in self.words)


@dataclass
class Case:
    """One conversation and what is expected of it."""

    name: str
    session: Session
    topics: tuple[TopicInfo, ...]
    wants: list[Want] = field(default_factory=list)
    may: list[Want] = field(default_factory=list)
    never: list[str] = field(default_factory=list)


def holds(word: str, text: str) -> bool:
    """Folded; a word of digits stands between non-digits, another one starts at a word's start."""
    w, t = fold(word.strip()), fold(text)
    if w[:1].isdigit():
        return re.search(rf"(?<![\d.,:]){re.escape(w)}(?![\d])(?![.,]\d)", t) is not None
    return re.search(rf"(?<!\w){re.escape(w)}" if w[:1].isalpha() else re.escape(w), t) is not None


def _groups(text: str) -> list[list[str]]:
    return [[a.strip() for a in group.split("|")] for group in text.split(" & ")]


def load(name: str) -> list[Case]:
    """All conversations of one file."""
    cases: list[Case] = []
    for block in re.split(r"^== ", (DATA / name).read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = block.partition("\n")
        cases.append(_case(head, body))
    return cases


def _case(head: str, body: str) -> Case:
    name, _, day, topics = (p.strip() for p in head.split(" | ", 3))
    start = datetime.fromisoformat(f"{day}T09:00:00").replace(tzinfo=UTC)
    case = Case(
        name,
        Session(name, "jsonl", "default", ()),
        tuple(TopicInfo(t.split(":")[0].strip(), summary=t.split(":")[1].strip()) for t in topics.split(";")),
    )
    turns: list[list[str]] = []
    for line in body.split("\n"):
        mark = line[:3]
        if mark in ("O: ", "A: ", "U: "):
            turns.append([mark[0], line[3:]])
        elif line.startswith("+ ") and (m := _WANT.match(line)):
            case.wants.append(
                Want(
                    m["tags"].split(","),
                    _groups(m["words"]),
                    m["due"] or "",
                    m["was"] or "",
                    m["conf"] == "tentative",
                )
            )
        elif line.startswith("~ "):
            case.may.append(Want([], _groups(line[2:])))
        elif line.startswith("- "):
            case.never.append(line[2:])
        elif turns and (line or not case.wants + case.may) and not case.never:
            turns[-1][1] += "\n" + line
    made = []
    for n, (who, text) in enumerate(turns):
        origin = {"O": Origin.OWNER, "A": Origin.AGENT, "U": Origin.UNTRUSTED}[who]
        made.append(
            Turn(
                f"m{n + 1}",
                "assistant" if who == "A" else "user",
                origin,
                start + timedelta(minutes=2 * n),
                text.strip(),
            )
        )
    case.session = Session(name, "jsonl", "default", tuple(made))
    return case


def verdict(case: Case, found: tuple[Candidate, ...]) -> tuple[list[str], int, int]:
    """What is wrong, in sentences; how many wanted events were found; how many events were right."""
    wrong: list[str] = []
    used: set[int] = set()
    hits = 0
    for want in case.wants:
        fitting = [i for i, c in enumerate(found) if want.fits(c.text)]
        if not fitting:
            wrong.append(f"missing: {want.tags} {want.words}")
            continue
        hits += 1
        best = min(fitting, key=lambda i: (i in used, str(found[i].tag) not in want.tags))
        used.add(best)
        c = found[best]
        if str(c.tag) not in want.tags:
            wrong.append(f"tag {c.tag}, not {want.tags}: {c.text}")
        if want.due and f"{want.due}" not in c.text:
            wrong.append(f"no due date {want.due}: {c.text}")
        if want.was and not (re.search(rf"(?:Was|Era): [^.]*{re.escape(want.was)}", c.text, re.I)):
            wrong.append(f"no old value {want.was}: {c.text}")
    for i, c in enumerate(found):
        if i not in used and any(m.fits(c.text) for m in case.may):
            used.add(i)
    wrong += [f"too many: [{c.tag}] {c.text}" for i, c in enumerate(found) if i not in used]
    wrong += [f"never {word!r}: {c.text}" for word in case.never for c in found if holds(word, c.text)]
    return wrong, hits, len(used)
