"""What the visible text of an event says by convention: `Was: X.`, `Effective DATE.`, `Due DATE.` and their Portuguese.

Read with or without the colon: `Was X.`, `Era: X.`, `Vigente desde DATE.`, `Prazo DATE.` A DATE is YYYY, YYYY-MM or
YYYY-MM-DD; other ways of saying a day are not read here (text/dates.py resolves them before an event is written).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date as Date

_DATE = r"(?P<date>\d{4}(?:-\d{2}(?:-\d{2})?)?)(?![\d-]*\d)"
# The words of each convention. A sentence that starts with one of them is told from prose by what follows:
# a date, or (for the old value) the end of the sentence before it.
_WAS = r"(?:Was|Era|Eram|Were)"
_EFFECTIVE = (
    r"(?:effective|in effect|vigente|em vigor)(?:\s*:)?(?:\s+(?:from|since|as of|on|desde|a partir de|em))?"
)
_DUE = r"(?:due|prazo|vence)(?:\s*:)?(?:\s+(?:by|on|at[eé]|em|para))?"
_DATED = {
    "effective": re.compile(rf"\b{_EFFECTIVE}\s*:?\s*{_DATE}", re.IGNORECASE),
    "due": re.compile(rf"\b{_DUE}\s*:?\s*{_DATE}", re.IGNORECASE),
}
_OLD = re.compile(rf"(?:^|(?<=[.!?…;)\]])\s+|(?<=—)\s+|(?<=–)\s+){_WAS}\s*(?P<colon>:)?\s+(?=\S)")
_KEYWORD = re.compile(rf"(?:{_WAS}\b|(?i:{_EFFECTIVE}|{_DUE})\s*:?\s*\d{{4}})")
# A full stop after one of these, or after a single capital ("J. Silva"), ends no sentence.
_SHORT = re.compile(
    r"(?:^|[\s(])(?:Mrs?|Ms|Dra?s?|Sra?s?|Profa?|St|Sto|Sta|Av|Eng|Exm[oa]|Rev|Gen|vs|No|Nº|[A-ZÀ-Þ])\Z"
)
_STOP = re.compile(r"[.!?…](?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class EventFields:
    """The parts of an event's text; '' for what it does not say. `rest` is the text without these sentences."""

    was: str = ""
    effective: str = ""
    due: str = ""
    rest: str = ""


def fields(text: str) -> EventFields:
    """What the text says of an old value, a day from which it holds, and a day by which it is due."""
    cuts: list[tuple[int, int]] = []
    was = ""
    for hit in _OLD.finditer(text):
        start = hit.end()
        stop = sentence_end(text, start)
        # Without a colon the text's first sentence is a statement ("Was promoted in May."), a question no old value.
        if (hit["colon"] or text[: hit.start()].strip()) and text[stop - 1 : stop] != "?":
            was = text[start:stop].strip().removesuffix(".").rstrip()
            cuts.append((hit.start(), stop))
            break
    found = {"effective": "", "due": ""}
    for name, pattern in _DATED.items():
        for hit in pattern.finditer(text):
            if is_date(hit["date"]) and not any(a <= hit.start() < b for a, b in cuts):
                found[name] = hit["date"]
                cuts.extend(_sentence(text, hit.start(), hit.end()))
                break
    rest = text
    for start, stop in sorted(cuts, reverse=True):
        rest = f"{rest[:start].rstrip()} {rest[stop:].lstrip()}"
    return EventFields(was, found["effective"], found["due"], rest.strip())


_WITHDRAWN = re.compile(r"\s*(?:Withdrawn|Retirad[oa])\s*:\s+(?=\S)", re.IGNORECASE)


def withdrawn(text: str) -> str:
    """The statement that an event takes back (`Withdrawn: X`, `Retirado: X`), '' where it takes back none."""
    opening = _WITHDRAWN.match(text)
    return (fields(text).rest or text)[opening.end() :].strip() if opening else ""


def compose(text: str, was: str = "", effective: str = "", due: str = "", language: str = "en") -> str:
    """Text with the conventions added as sentences, so that `fields` reads the values back.

    `language` is 'en' or 'pt'. Values lose a final full stop, and full stops inside `was` that would end it become ';'.
    """
    words = ("Era", "Vigente desde", "Prazo") if language == "pt" else ("Was", "Effective", "Due")
    parts = [text.strip()]
    if parts[0] and not parts[0].endswith((".", "!", "?", "…")):
        parts[0] += "."
    if old := plain_value(was):
        parts.append(f"{words[0]}: {old}.")
    if effective:
        parts.append(f"{words[1]} {effective}.")
    if due:
        parts.append(f"{words[2]} {due}.")
    return " ".join(part for part in parts if part)


def plain_value(value: str) -> str:
    """A value that stands in one sentence: every full stop that would end it early is a ';'."""
    bare = value.strip().rstrip(".!?… ")
    while bare and (stop := sentence_end(bare + ".", 0)) <= len(bare):
        bare = f"{bare[: stop - 1]};{bare[stop:]}"
    return bare


def sentence_end(text: str, start: int) -> int:
    """Where the sentence that starts at `start` ends, its full stop included.

    It ends at a full stop followed by space and a capital or a keyword of ours, or at the end of the text; never at a
    decimal point (no space follows) or after an abbreviated title or an initial.
    """
    for stop in _STOP.finditer(text, start):
        after = text[stop.end() :].lstrip()
        if not after or _KEYWORD.match(after):
            return stop.end()
        if after[0].isupper() and not (
            stop[0] == "." and _SHORT.search(text, max(0, start - 1), stop.start())
        ):
            return stop.end()
    return len(text)


def is_date(text: str) -> bool:
    """Whether the text is YYYY, YYYY-MM or YYYY-MM-DD and such a day exists."""
    if re.fullmatch(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", text) is None:
        return False
    try:
        Date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return True


def _sentence(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The span of a dated convention if it is a sentence of its own, else none: prose around it stays whole."""
    before = text[:start].rstrip()
    after = re.match(r"[.;]?(?=\s|\Z)", text[end:])
    if (not before or before[-1] in ".!?…;:)—–") and after is not None:
        return [(start, end + after.end())]
    return []
