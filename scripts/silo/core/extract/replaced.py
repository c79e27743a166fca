"""What a sentence replaces although it does not say so, and where its firm part ends: read off the words around it."""

from __future__ import annotations

import re
from collections.abc import Callable

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import aside, change_in, figure_key, figure_keys
from silo.text.language import Language

__all__ = ["day_given_up", "has_day", "hedged_tail", "old_elsewhere"]

Part = Callable[[Sentence, str], Sentence]  # some words of a sentence, read as one of their own


_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|segundas?|ter[çc]as?|quartas?|quintas?|sextas?|s[áa]bados?|domingos?)(?:-feiras?)?(?: (?:mornings?|afternoons?|evenings?|nights?|de manhã|à tarde|à noite))?"
_DAY = re.compile(rf"\b{_WEEKDAY}\b", re.I)
# "Lotte can't do Wednesdays any more", "a Carlota já não pode à quarta"
_NO_MORE = re.compile(
    rf"(?:\b(?:can't|cannot|can not|can’t|won't|won’t|isn't able to|doesn't|does not|not) \b.{{0,40}}?\b(?P<a>{_WEEKDAY})\b.{{0,20}}?\b(?:any ?more|any longer|from now on)\b|\b(?:no longer|stopped|has stopped)\b.{{0,40}}?\b(?P<b>{_WEEKDAY})\b"
    rf"|\bj[áa] n[ãa]o .{{0,40}}?\b(?P<c>{_WEEKDAY})\b|\bn[ãa]o (?:pode|podem|consegue|conseguem|vem|vêm|d[áa]|trabalha|vai)\b.{{0,20}}?\bmais\b.{{0,30}}?\b(?P<d>{_WEEKDAY})\b|\bn[ãa]o (?:pode|consegue|vem|vai)\b.{{0,30}}?\b(?P<e>{_WEEKDAY})\b.{{0,10}}?\bmais\b|\bdeix(?:a|ou) de .{{0,40}}?\b(?P<f>{_WEEKDAY})\b)",
    re.I,
)


def has_day(text: str) -> bool:
    """A day of the week is named."""
    return _DAY.search(text) is not None


def day_given_up(text: str) -> str:
    """The day on which somebody comes no more, where no other day is named: "Wednesdays"; "" for none."""
    match = _NO_MORE.search(text)
    if match is None or len(_DAY.findall(text)) != 1:
        return ""
    return next(day for day in match.groups() if day)


def old_elsewhere(
    s: Sentence, reply: Heard | None, heard: Heard | None, languages: tuple[Language, ...], part_of: Part
) -> tuple[str, tuple[str, ...]]:
    """The old value from the assistant's words about the same thing, and whose: its "(was X)", or what it said before."""
    changing = s.has("change", "change_strong", "change_mind", "decision")
    for said in reply.sentences if reply else ():
        # only a change of the owner's, or something in brackets, can have an old value; most sentences have neither
        if not (changing or "(" in said.text) or reply is None or not reply.states(said):
            continue
        for part in _segments(said, part_of):
            told = aside(part.text)
            old = told or (change_in(part, languages).old if changing else "")
            if (
                not old
                or not (s.content & part.content or figure_keys(s) & figure_keys(part))
                or (not told and re.search(rf"(?<![\w.,]){re.escape(old.lower())}(?!\w)", s.text.lower()))
            ):
                continue
            if figure_key(old) not in figure_keys(s) or not any(c.isdigit() for c in old):
                return old, reply.ids[:1] if reply else ()
    for said in heard.statements() if heard and s.has("change", "change_strong") else []:
        if s.dates and said.dates and any(n.lower() in said.low for n in s.names):
            mine = {d.value for d in s.dates}
            was = next((d for d in said.dates if d.value not in mine), None)
            if was is not None and heard is not None:
                return said.text[was.start : was.end], heard.ids[-1:]
    return "", ()


def _segments(said: Sentence, part_of: Part) -> list[Sentence]:
    """The parts of a summary, set off by semicolons."""
    parts = re.split(r"\s*;\s+", said.text)
    return [said] if len(parts) == 1 else [part_of(said, p) for p in parts if p]


def hedged_tail(s: Sentence) -> int:
    """Where a clause begins behind a firm one that is not sure or leaves something else open ("she turns 70 on 11 October,
    maybe a party", "Ines has Mr Hall, English we don't know yet"); 0 if nowhere."""
    hedges = [a for a, _ in s.spans.get("hedge", ())]
    left_open = [(a, b) for a, b in s.spans.get("later", ()) if not hedges or a < min(hedges)]
    starts = [*hedges, *(a for a, _ in left_open)]
    commas = [m.start() for m in re.finditer(r",(?!\d)\s|;\s|\s[–—-]\s", s.text) if starts and m.start() < min(starts)]
    if not commas or min(starts) - commas[-1] > 40:
        return 0
    if left_open and not _about_else(s, commas[-1], left_open[0]):
        return 0
    front = s.text[s.core : commas[-1]]
    named = any(n in front for n in s.names) or any(front.startswith(lead + n) for n in s.known for lead in ("", "a ", "o "))
    return commas[-1] if len(front.split()) >= 4 and (any(f in front for f in s.figures) or named) else 0


def _about_else(s: Sentence, comma: int, phrase: tuple[int, int]) -> bool:
    """The clause names what is left open: "the way back I'll check", not "I'll check"."""
    days = [(d.start, d.end) for d in s.dates]
    for word in re.finditer(r"[^\W\d_]{3,}", s.low[comma:]):
        a, b = comma + word.start(), comma + word.end()
        inside = phrase[0] <= a < phrase[1] or any(x <= a < y for x, y in days)
        if not inside and word[0] not in s.lang.function_words and not s.lang.shape("stray").fullmatch(s.low[a:b]):
            return True
    return False
