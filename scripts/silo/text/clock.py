"""Times of day in English and Portuguese prose: 18h30, 6:30 pm, half past six, seis e meia da tarde, noon.

A duration ('takes 2h', 'dura 2h') is none. A time without a part of the day below 13 may mean either half of it; `half`
says so, and `same_time` is lenient about it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HOURS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "uma": 1, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8, "nove": 9, "dez": 10, "onze": 11, "doze": 12,
}  # fmt: skip
_MINUTES = {
    "meia": 30, "quinze": 15, "um quarto": 15, "dez": 10, "cinco": 5, "vinte": 20, "vinte e cinco": 25, "quarenta": 40,
    "quarenta e cinco": 45, "trinta": 30, "thirty": 30, "fifteen": 15, "forty-five": 45, "twenty": 20,
}  # fmt: skip
_WORDS = "|".join(sorted(_HOURS, key=len, reverse=True))
_MIN = "|".join(sorted(_MINUTES, key=len, reverse=True))
_PART = (
    r"(?:\s+(?:(?P<am>in the morning|da manha|da madrugada)|(?P<pm>in the (?:afternoon|evening)|at night|da tarde|da noite|em ponto)))"
)
_PATTERNS = (
    re.compile(rf"\b(?:(?P<past>half past|quarter past|quarter to)\s+(?:(?P<hw>{_WORDS})|(?P<h>1[0-2]|[1-9])))\b{_PART}?"),
    re.compile(r"\b(?P<h>[01]?\d|2[0-4])[:.](?P<m>[0-5]\d)(?::[0-5]\d)?\s*(?P<half>[ap])\.?m\b\.?"),
    re.compile(rf"\b(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?!\d)(?:\s*h(?:rs?|oras)?\b)?{_PART}?"),
    re.compile(rf"\b(?P<h>[01]?\d|2[0-4])\s?h(?P<m>[0-5]\d)?(?:min)?\b{_PART}?"),
    re.compile(r"\b(?P<h>1[0-2]|0?[1-9])\s*(?P<half>[ap])\.?m\b\.?"),
    re.compile(rf"(?:\b(?:as|das|pelas|ate as)\s+)(?P<h>[01]?\d|2[0-4])(?:\s+horas)?\b(?![:.,/]\d|\s*(?:reais|%))(?:\s+e\s+(?P<mw>{_MIN}))?{_PART}?"),
    re.compile(rf"\b(?P<h>[01]?\d|2[0-4])\s+(?:e\s+(?P<mw>{_MIN})|horas){_PART}"),
    re.compile(rf"\b(?P<h>1[0-2]|[1-9]){_PART}"),
    re.compile(rf"\b(?:as\s+)?(?P<hw>{_WORDS})(?:\s+horas)?(?:\s+e\s+(?P<mw>{_MIN}))?{_PART}"),
    re.compile(rf"\b(?:as|at)\s+(?P<hw>{_WORDS})\b(?:\s+(?:e\s+)?(?P<mw>{_MIN}))?(?:\s+o'clock)?(?!\s+[a-z]+s\b)"),
    re.compile(rf"\b(?P<hw>{_WORDS})\s+o'clock{_PART}?"),
    re.compile(r"\b(?:at|from|until|till|by)\s+(?P<h>1\d|2[0-3]|[1-9])\b(?=\s*(?:$|[.,;!?)](?!\d)|o'clock|sharp|on\b|in\b|every\b|instead\b|and\b|now\b|this\b|to\b))(?:\s+(?:o'clock|sharp))?"),
    re.compile(r"\b(?P<noon>noon|midday|meio[- ]dia(?P<noonhalf>\s+e\s+meia)?)\b"),
    re.compile(r"\b(?P<midnight>midnight|meia[- ]noite)\b"),
)  # fmt: skip
_LASTS = re.compile(r"\b(?:takes?|took|lasts?|lasted|for|within|in|every|dura|durou|duram|leva|levou|demora|demorou|por|durante|cada|de)\s+(?:cerca de |about )?\Z")
_AFTER_DURATION = re.compile(r"\s*(?:long|de duracao|por dia|por semana|a day|a week|per)\b")


@dataclass(frozen=True, slots=True)
class TimeHit:
    """`text[start:end]` is a time of day, in minutes after midnight; `half`: it may be twelve hours later as well."""

    start: int
    end: int
    minutes: int
    half: bool


def find_times(low: str) -> list[TimeHit]:
    """Every time of day in a flat text (`flat.flat`), in order, never overlapping."""
    hits: list[TimeHit] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(low):
            if any(match.start() < h.end and h.start < match.end() for h in hits):
                continue
            if (hit := _read(match)) is not None:
                hits.append(hit)
    return sorted(hits, key=lambda h: h.start)


def same_time(a: TimeHit, b: TimeHit) -> bool:
    """Whether two times can be the same one."""
    if a.minutes == b.minutes:
        return True
    return (a.half or b.half) and a.minutes % 720 == b.minutes % 720


def _read(match: re.Match[str]) -> TimeHit | None:
    part = match.groupdict()
    if part.get("noon"):
        return TimeHit(match.start(), match.end(), 750 if part.get("noonhalf") else 720, half=False)
    if part.get("midnight"):
        return TimeHit(match.start(), match.end(), 0, half=False)
    plain_hours = "h" in match[0] and part.get("m") is None and part.get("h") is not None
    if plain_hours and (_LASTS.search(match.string[: match.start()]) or _AFTER_DURATION.match(match.string, match.end())):
        return None
    hour = int(part["h"]) if part.get("h") else _HOURS[part["hw"]]
    minute = int(part["m"]) if part.get("m") else _MINUTES[part["mw"]] if part.get("mw") else 0
    if past := part.get("past"):
        hour, minute = (hour - 1, 45) if past == "quarter to" else (hour, 30 if past.startswith("half") else 15)
    sure = hour > 12 or bool(part.get("half") or part.get("am")) or (part.get("m") is not None and len(part.get("h") or "") == 2)
    spoken = part.get("pm") or ""
    if (part.get("half") == "p" or (spoken and spoken != "em ponto")) and hour < 12:
        hour, sure = hour + 12, True
    if part.get("half") == "a" and hour == 12:
        hour = 0
    return TimeHit(match.start(), match.end(), (hour % 24) * 60 + minute, half=not sure and 0 < hour <= 12)
