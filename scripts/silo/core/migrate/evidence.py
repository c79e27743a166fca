"""What a heading and what a line say about the tier they belong to: scores, and the words that made them.

Does not decide: `classify` weighs headings, lines and their neighbours against each other. Weights are hand-set; one
unit is a word that fits a tier, three make a clear case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from silo.core.migrate.build import build, names_somebody
from silo.core.migrate.reading import Block, Kind
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.migration_words import TIERS, MigrationWords


class Tier(StrEnum):
    """What the content of a section is."""

    DIRECTIVE = "directive"
    PROTOCOLS = "protocols"
    ACTIVE = "active"
    ARCHIVE = "archive"
    ONTOLOGY = "ontology"


ORDER = tuple(Tier)
INDEX = {tier: at for at, tier in enumerate(ORDER)}
DIRECTIVE, PROTOCOLS, ACTIVE, ARCHIVE, ONTOLOGY = range(len(ORDER))
assert tuple(t.value for t in ORDER) == TIERS

_HEADING_WEIGHT = {"strong": 3.4, "plain": 2.3, "weak": 0.8}
_EMOJI_WEIGHT = 1.8
_DATED_HEADING = 2.6

_DATE = r"(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{1,2})?|\d{1,2}[/.]\d{1,2}(?:[/.](?:20)?\d\d)?|\d{1,2}[/.](?:19|20)\d\d)"
_CJK_DATE = r"(?:(?:\d{4}\s*[年년])?\s*\d{1,2}\s*[月월]\s*(?:\d{1,2}\s*[日号號일])?|\d{4}\s*[年년])"
_MONTH_YEAR = r"(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez|dic)[^\W\d]{0,7}[ ./-]+(?:20)\d\d\b"
_LEADING_DATE = re.compile(rf"[\W_]*(?:{_DATE}|{_CJK_DATE}|(?:19|20)\d\d\b|{_MONTH_YEAR})(?!\d)", re.I)
DATED_TITLE = re.compile(rf"[\W_]*(?:{_DATE}|{_CJK_DATE})(?!\d)")
_ANY_DATE = re.compile(rf"(?<![\d.]){_DATE}(?![\d.])|{_CJK_DATE}")
_PERIOD = re.compile(
    r"[\W_]*(?:(?:19|20)\d\d|[qQhHtT][1-4][ /]?(?:20)?\d\d|(?:20\d\d)[ -]?[qQhHwW]\d{1,2})[\W_]*$"
)
_IN_TIME = re.compile(
    r"\b(?:in|em|en|im|au|last|no|na)\s+(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez|dic)[^\W\d]{0,7}\b|\b(?:in|em|en|im)\s+(?:19|20)\d\d\b", re.I
)
_CODE = re.compile(r"`[^`\n]+`")
_PATH = re.compile(
    r"(?<![\w/])(?:~?/[\w.-]+(?:/[\w.<>{}*-]*)+|[\w-]+/[\w./-]*\.\w{1,5}\b|\b[\w-]{2,}\.(?:sh|py|js|ts|sql|csv|md|json|ya?ml|toml|conf|env|xlsx?|docx?|pdf)\b|[\w-]{2,}/(?=\s|,|$))"
)
_HOST = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|:\d{4,5}\b")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
_PHONE = re.compile(r"\+\d[\d ().-]{6,}\d")
_NAME_ROLE = re.compile(
    r"[^\w\[*]*(?:\[\[|\*\*)?[A-ZÀ-ÞА-Я][\w'’.-]*[a-zß-ÿа-я][\w'’.-]*(?: (?:[a-z]{1,3} )?[A-ZÀ-ÞА-Я][\w'’.-]*[a-zß-ÿа-я][\w'’.-]*){1,3}(?:\]\]|\*\*)?(?:\s*[—–(]|\s+-\s|,\s)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|segunda|ter[çc]a|quarta|quinta|sexta|s[áa]bado|domingo|lunes|martes|mi[ée]rcoles|jueves|viernes|\w+tag\b|mittwoch"
_MONTH = r"(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez|dic)[^\W\d]*"
_DAY = rf"(?:\d{{4}}-\d|\d{{1,2}}[/.]\d|\d{{1,2}}(?:st|nd|rd|th|\.)?(?: de| of)? {_MONTH}|{_MONTH} \d|{_WEEKDAY}|dia \d|the \d{{1,2}}|end of|fim d|final de|ende|{_MONTH}\b)"
_AHEAD = re.compile(
    rf"\b(?:by|until|till|before|due|expires?|no later than|até|ate|antes de|vence|prazo|hasta|antes del|para el|bis|spätestens|avant|d'ici|entro|voor|до|к)\s+"
    rf"(?:the |o |ao |a |el |d[íi]a |den |zum |le |il )*(?:{_DAY})|\d\s*(?:日|月)?\s*(?:まで|之前|前交)|까지",
    re.I,
)
_SETTING = re.compile(r"[^\n:\uff1a]{2,32}[:\uff1a]\s[^\n]*\d")
_LABEL = re.compile(r"[^\w\n]*([^\n:*\uff1a]{2,30}?)(?:\*\*)?[:\uff1a](?:\*\*)?\s")
_ROLE = re.compile(r"[^\w]*([^\W\d_]+(?:[ '][^\W\d_]+){0,2})\s*[:\uff1a]\s*([^\n,(.;]+)")
_ONE_NAME_ROLE = re.compile(
    r"[^\w\[*]*(?:\[\[|\*\*)?[A-ZÀ-ÞА-Я][\w'’.-]{1,20}(?:\]\]|\*\*)?(?:\s*[—–(]|\s+-\s)"
)
_PROGRESS = re.compile(
    r"\b\d+ (?:of|de|von|sur|su|van|из) (?:the )?\d+\b|\b\d{1,2} ?%|\d+\s*/\s*\d+ (?:done|page|feit|p[áa]g)",
    re.I,
)
_SHOUT = re.compile(r"\b(?:NEVER|ALWAYS|MUST|DO NOT|DON'T|NOT|ONLY|NUNCA|SEMPRE|SIEMPRE|NÃO|JAMAIS)\b")


@dataclass(slots=True)
class Evidence:
    """Scores in the order of `ORDER`, and what made them as (tier index, words)."""

    scores: list[float] = field(default_factory=lambda: [0.0] * len(ORDER))
    why: list[tuple[int, str]] = field(default_factory=list)

    def add(self, tier: int, weight: float, why: str = "") -> None:
        """Count a piece of evidence."""
        self.scores[tier] += weight
        if why:
            self.why.append((tier, why))

    @property
    def is_empty(self) -> bool:
        return not any(self.scores)


def heading_evidence(text: str, raw: str, words: MigrationWords) -> Evidence:
    """What a heading says. `raw` is its line, for the emoji; those count where no word speaks."""
    out = Evidence()
    tokens = split_words(text)
    hits = words.headings.find(text, tokens)
    by_tier: dict[int, tuple[float, str]] = {}
    covered: set[int] = set()
    for hit in hits:
        tier, strength = hit.label.split(".")
        weight = _HEADING_WEIGHT[strength]
        if hit.at >= 0:
            covered.update(range(hit.at, hit.at + hit.length))
            share = hit.length / max(1, len(tokens))
            # A strong word speaks wherever it stands; a plain one the less, the more words stand beside it.
            weight *= 0.55 + 0.45 * min(1.0, share * 1.5) if strength == "strong" else 0.25 + 0.75 * share
            if hit.at + hit.length == len(tokens) or hit.at == 0:
                weight += 0.1 + 0.05 * hit.length
        if weight > by_tier.get(INDEX[Tier(tier)], (0.0, ""))[0]:
            by_tier[INDEX[Tier(tier)]] = weight, hit.entry
    for index, (weight, entry) in by_tier.items():
        out.add(index, weight, f"heading: {entry.rstrip('*')}")
    if DATED_TITLE.match(text) or _PERIOD.match(text):
        out.scores = [0.6 * score for score in out.scores]  # an entry of a log, whatever it is about
        out.add(ARCHIVE, _DATED_HEADING, "dated heading")
    if max(out.scores) < 1.0:
        for mark, tier in words.emoji.items():
            if mark in raw:
                out.add(INDEX[Tier(tier)], _EMOJI_WEIGHT, f"heading: {mark}")
                break
    return out


def block_evidence(block: Block, words: MigrationWords) -> Evidence:
    """What a block that is no heading says, by its words and its form."""
    out = Evidence()
    if block.kind is Kind.FENCE:
        out.add(PROTOCOLS, 2.5, "code block")
        return out
    if block.kind is Kind.PROMOTION:
        out.add(ARCHIVE, 4.0, "promoted by dreaming")
        return out
    if block.kind in (Kind.RULE, Kind.COMMENT, Kind.FRONT_MATTER, Kind.MANAGED):
        return out
    sentences = _sentences(block)
    _table(block, words, out)
    _role(block.text, words, out)
    _label(block.text, words, out)
    for sentence in sentences:
        _words(sentence, words, out, 1.0 / len(sentences) ** 0.5)
    if block.kind is not Kind.TABLE:
        for tier, weight, why in build(sentences, words.entities):
            out.add(INDEX[Tier(tier)], weight, why)
    _forms(block, out)
    return out


def _sentences(block: Block) -> list[str]:
    """The parts that can begin with a telling word: sentences of a paragraph, lines of an item."""
    if block.kind is Kind.PARAGRAPH or len(block.text) > 160:
        return [s for s in re.split(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n", block.text[:3000]) if s.strip()][
            :12
        ] or [block.text[:300]]
    if block.kind is Kind.TABLE:
        return [block.text[:1500]]
    return [line for line in block.text.split("\n") if line.strip()][:12] or [block.text]


def _words(text: str, words: MigrationWords, out: Evidence, weight: float) -> None:
    tokens = split_words(text)
    first = 0
    while first < len(tokens) and tokens[first].isdigit():
        first += 1
    best: dict[str, tuple[float, str]] = {}
    opening = tokens[first : first + 6]
    for lexicon, base in ((words.strong_starts, 2.0), (words.starts, 0.9)):
        for hit in lexicon.find(text if not opening else " ".join(opening), opening):
            if hit.at <= 0:
                value = base + 0.25 * (hit.length - 1 if hit.at == 0 else 0)
                if value > best.get(hit.label, (0.0, ""))[0]:
                    best[hit.label] = value, hit.entry
    counted: dict[str, int] = {}
    for label, (value, entry) in best.items():
        out.add(INDEX[Tier(label)], value * weight, entry.rstrip("*"))
    seen: set[tuple[str, int]] = set()
    for hit in words.anywhere.find(text, tokens):
        if counted.get(hit.label, 0) >= 3 or (hit.at >= 0 and (hit.label, hit.at) in seen):
            continue
        seen.add((hit.label, hit.at))
        counted[hit.label] = counted.get(hit.label, 0) + 1
        out.add(INDEX[Tier(hit.label)], (0.55 + 0.2 * min(2, hit.length - 1)) * weight, hit.entry.rstrip("*"))
    past = _past(text, tokens, words)
    if past:
        then = 0.5 if _IN_TIME.search(text) else 0.0
        out.add(ARCHIVE, min(1.0, 0.45 * len(past) + then) * weight, past[0])


def _table(block: Block, words: MigrationWords, out: Evidence) -> None:
    """What the names of a table's columns make it."""
    if block.kind is not Kind.TABLE:
        return
    rows = [[fold(cell) for cell in row.strip("| ").split("|")] for row in block.text.split("\n")]
    if (
        len(rows[0]) == 2
        and sum(row[0] in words.columns[Tier.ONTOLOGY] or row[0] in words.entities.roles for row in rows) >= 2
    ):
        out.add(ONTOLOGY, 2.0, "a card")
    first = [row.strip("| ").split("|")[0].strip() for row in block.text.split("\n")[2:]]
    named = sum(names_somebody(cell, words.entities) for cell in first)
    if named >= 2 and named * 2 >= len(first):
        out.add(ONTOLOGY, 1.4, "a column of names")
    header = [cell.strip() for cell in rows[0]]
    for tier, names in words.columns.items():
        told = [cell for cell in header if cell in names]
        if told:
            out.add(INDEX[Tier(tier)], 0.9 * len(told), f"column: {told[0]}")


def _role(text: str, words: MigrationWords, out: Evidence) -> None:
    """`Brother: Lautaro`, `week A: Grigor`: a label, and nothing but a name behind it."""
    hit = _ROLE.match(text[:200])
    if hit is None:
        return
    entity = words.entities
    label = [fold(w) for w in hit[1].split()]
    if label[0] in entity.roles or label[-1] in entity.roles or " ".join(label) in entity.contact_labels:
        out.add(ONTOLOGY, 1.1, hit[1])
    elif re.fullmatch(r"[A-ZÀ-ÞА-Я][a-zß-ÿа-я'’-]+(?: [A-ZÀ-ÞА-Я][a-zß-ÿа-я'’-]+)*\s*", hit[2]):
        out.add(ONTOLOGY, 0.7, "a name behind a label")


def _label(text: str, words: MigrationWords, out: Evidence) -> None:
    """`**Deadline:** 1 June`, `Decision: …`: a label that would do as a heading tells the kind of its line."""
    hit = _LABEL.match(text[:80])
    if hit is None:
        return
    tokens = split_words(hit[1])
    found = [
        h
        for h in words.headings.find(hit[1], tokens)
        if h.length == len(tokens) and not h.label.endswith("weak")
    ]
    for tier in {h.label.split(".")[0] for h in found}:
        strong = any(h.label == f"{tier}.strong" for h in found)
        out.add(
            INDEX[Tier(tier)], (1.1 if strong else 0.6) / len({h.label.split(".")[0] for h in found}), hit[1]
        )


def _past(text: str, tokens: Sequence[str], words: MigrationWords) -> list[str]:
    found = [t for t in tokens if len(t) > 4 and t.endswith(words.past) and t not in words.not_past]
    if not text.isascii():
        found += [w for w in re.findall(r"[^\W\d_]{3,}", text.lower()) if w.endswith(words.past_accented)]
    return found


def _forms(block: Block, out: Evidence) -> None:
    text = block.text
    short = text[:3000]
    if block.box is False:
        out.add(ACTIVE, 2.5, "open box")
    elif block.box:
        out.add(ARCHIVE, 1.2, "ticked box")
    if block.ordered:
        out.add(PROTOCOLS, 0.5, "numbered step")
    if hit := _AHEAD.search(short):
        out.add(ACTIVE, 1.0 if re.search(r"\d", hit[0]) else 0.6, hit[0].strip())
    if _SETTING.match(short) and not _ANY_DATE.search(short):
        out.add(PROTOCOLS, 0.45, "label with a figure")
    if _LEADING_DATE.match(short):
        out.add(ARCHIVE, 1.5, "begins with a date")
    elif _ANY_DATE.search(short):
        out.add(ARCHIVE, 0.2)
        out.add(ACTIVE, 0.3)
    if _CODE.search(short):
        out.add(PROTOCOLS, 1.0, "code")
    if _PATH.search(short):
        out.add(PROTOCOLS, 0.7, "path or file")
    if _HOST.search(short):
        out.add(PROTOCOLS, 0.7, "host or port")
    if _MAIL.search(short) or _PHONE.search(short):
        out.add(ONTOLOGY, 0.9, "mail or phone")
    if _NAME_ROLE.match(short):
        out.add(ONTOLOGY, 0.9, "name with a role")
    elif _ONE_NAME_ROLE.match(short):
        out.add(ONTOLOGY, 0.5, "name with a role")
    if _PROGRESS.search(short):
        out.add(ACTIVE, 0.9, "progress")
    if short.rstrip().endswith(("?", "\uff1f")):
        out.add(ACTIVE, 0.9, "question")
    if _SHOUT.search(short):
        out.add(DIRECTIVE, 0.9, "shouted rule")
