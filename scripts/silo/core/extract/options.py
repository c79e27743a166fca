"""What the assistant's words give to choose from: lettered options, "A or B", things that it lists or has found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.text.flat import flat_words
from silo.text.language import Language

__all__ = ["OR", "Option", "alternatives", "bare", "items", "may"]


@dataclass(frozen=True, slots=True)
class Option:
    """One of several things to choose from: what it is called by (1, b, or nothing) and its words."""

    key: str
    text: str


def may(s: Sentence, hints: tuple[str, ...]) -> bool:
    """One of the hints stands in the sentence, be it within a word. Asked before phrases are looked for at all."""
    low = s.low.replace("'", "") if "'" in s.low else s.low
    return any(hint in low for hint in hints)


_MARKED = re.compile(r"(?:^|(?<=[\s(]))(?:\(?(\d{1,2})\s?[).:]|\(?([a-dA-D])\s?[).])\s+(?=\S)")
_LISTS = re.compile(r",|\b(?:and|e)\b")
OR = re.compile(r"\s*,?\s+(?:or|ou)\s+", re.I)


def alternatives(text: str, sentences: tuple[Sentence, ...]) -> tuple[Option, ...]:
    """Numbered or lettered options; else the alternatives of an "A or B" at the end of the turn."""
    marks = list(_MARKED.finditer(text))
    if len(marks) >= 2:
        found = []
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            words = text[mark.end() : following.start() if following else len(text)]
            found.append(Option((mark[1] or mark[2]).lower(), _clean_option(words.split("\n")[0])))
        return tuple(o for o in found if o.text)
    for sentence in reversed(sentences) if OR.search(text) else ():
        if sentence.kind == "say" and OR.search(sentence.text):
            body = sentence.text.rstrip("?!. ")
            body = body.split(":", 1)[1] if ":" in body and not re.search(r"\d:\d", body) else body
            parts = _outside(OR, body)
            first = _outside(_COMMA, parts[0]) if len(parts) == 2 else [parts[0]]
            first[0] = _without_lead(first[0], sentence.lang) or first[0]
            return tuple(Option("", _clean_option(p)) for p in _counted([*first, *parts[1:]]) if p.strip())
    return ()


_COMMA = re.compile(r",(?!\d)")
_COUNT_OF = re.compile(r"(?:^|.*\s)(?:\d+|[^\W\d_]+) (?P<noun>[^\W\d_]{3,})$")
_COUNT = re.compile(r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|um|uma|dois|duas|tr[êe]s|quatro|cinco|seis|sete|oito|nove|dez)$", re.I)


def _outside(mark: re.Pattern[str], text: str) -> list[str]:
    """The text split at the marks that stand in no brackets."""
    parts, at = [], 0
    for hit in mark.finditer(_IN_BRACKETS.sub(lambda m: "\x00" * len(m[0]), text)):
        parts.append(text[at : hit.start()])
        at = hit.end()
    return [*parts, text[at:]]


def _counted(parts: list[str]) -> list[str]:
    """ "Three nights or four" with the noun behind each number."""
    noun = _COUNT_OF.match(parts[0].strip())
    if noun is None or not _COUNT.match(parts[0].strip().split(" ")[-2]):
        return parts
    return [f"{p} {noun['noun']}" if _COUNT.match(p.strip()) else p for p in parts]


_TO_BE = re.compile(r"^.*\b(?:be|ser|prefer|prefere|preferem|want|quer)\s+", re.I)


def _without_lead(text: str, lang: Language) -> str:
    """The first of the alternatives without the words that ask: "Do you prefer the train" → "train"."""
    words = _TO_BE.sub("", text).split()
    while words and bare(words[0]) in lang.question_words:
        words.pop(0)
    return " ".join(words)


_IN_BRACKETS = re.compile(r"\([^()]*\)")
_TWO_NAMES = re.compile(r"[A-ZÀ-Ý][\w'’]+[^.:;]{0,40} (?:and|e) (?:the |an? |os? |as? )?[A-ZÀ-Ý]")
_BETWEEN = re.compile(r"\s*,\s+(?:and\s+|e\s+)?|\s+(?:and|e)\s+")
_COUNTED = re.compile(r"(?:(?:i (?:found|saw|have|see|can see)|there (?:are|were)|here are|we have|encontrei|achei|ha|tens|tem|temos|vi|existem) )?(?:(?:two|three|four|dois|duas|tres|quatro|\d)\b[^:]{0,30}|(?:options?|choices?|opcoes|opcao|hipoteses)\b[^:]{0,20}):\s")
# "I found", "there's", "vi", "há": what such words show may be chosen from.
_SHOWS = re.compile(
    r"(?:[^,.:;]{0,40}?\b)?(?:i (?:found|saw|see|have|can see|came across)|there(?:'s| is| are)|you (?:had|have|listed|named|noted)|vi|ha|encontrei|achei|tens|tem|temos|existem?|tinhas?|tinha)\s+(?:tambem |also )?(?=\S)"
)


def items(said: tuple[Sentence, ...], proposing: tuple[str, ...]) -> tuple[Option, ...]:
    """The things that a proposal lists ("Three ideas: free tune-ups, 15% off helmets, and a raffle"), or that the assistant
    has found, each described in brackets ("I saw the Arms (30 seats) and the Library (free)"). `proposing` are hints of
    the phrases that a proposal opens with."""
    for sentence in reversed(said):
        text = sentence.text
        several = len(_LISTS.findall(text))
        if sentence.kind != "say" or not several:
            continue
        marked, bracketed = may(sentence, proposing), "(" in text
        priced = len(sentence.figures) > 1 and _SHOWS.match(sentence.low[sentence.core :]) is not None
        if not (bracketed or priced or _TWO_NAMES.search(text) or ":" in text or (several > 1 and marked)):
            continue
        if bracketed:
            text = _IN_BRACKETS.sub(lambda m: "\x00" * len(m[0]), text)
        low = sentence.low[sentence.core :]
        counted = ":" in low and _COUNTED.match(low) is not None
        shown = _SHOWS.match(low)
        told = shown is not None and ("\x00" in text or len(sentence.names) > 1 or len(sentence.figures) > 1)
        if len(_LISTS.findall(text)) < 2 and not counted and not told:
            continue
        if not (marked or ":" in text or told):
            continue
        lead = sentence.opening("propose_mark") if marked else None
        start = (
            text.index(":") + 1
            if re.match(r"[^:,]{3,40}:\s", text[sentence.core :])
            else lead[1]
            if lead
            else sentence.core + shown.end()
            if told and shown is not None
            else len(text)
        )
        parts, at = [], start
        for gap in [*_BETWEEN.finditer(text, start), None]:
            end = gap.start() if gap else len(text)
            parts.append(sentence.text[at:end].strip().rstrip("."))
            at = gap.end() if gap else end
        fewest = 2 if counted or told else 3
        if told and not all("(" in p or _ARTICLE.sub("", p)[:1].isupper() or any(c.isdigit() for c in p) for p in parts):
            continue
        if len(parts) >= fewest and all(0 < len(_IN_BRACKETS.sub("", p).split()) <= 7 for p in parts):
            return tuple(Option("", _ARTICLE.sub("", _clean_option(p))) for p in parts)
    return ()


_ARTICLE = re.compile(r"^(?:(?:[oa]s? d[eao]s?|the one (?:with|in|at|for)|the|a|an|o|os|as|um|uma)\s+)(?=\S)", re.I)


def _clean_option(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" \t,;.?")


def bare(word: str) -> str:
    return flat_words(word).strip("?.,!:;\"'’").replace("’", "'").replace("'", "")
