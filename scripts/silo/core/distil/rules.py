"""Distilling by rule: what the extraction rules find in a conversation, else its weightiest clauses.

The whole input is read. `aggression` is the share of clauses that is dropped; what is kept fills the statement up to its
bytes, the weightiest first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log

from silo.core.distil.distilled import DECISION, MOST_ACTIONS, MOST_PEOPLE, MOST_TOPICS, Distilled
from silo.core.extract import extract
from silo.core.extract.acts import Sentence
from silo.core.extract.talk import Talk
from silo.model import Candidate, Confidence, Origin, Session, Tag
from silo.text.budget import cut, cut_line, size
from silo.text.distil_words import DistilWords
from silo.text.fold import fold
from silo.text.language import Language
from silo.text.lexicon import Found, split_words
from silo.text.tokens import STOP, terms

_WEIGHTS = {Tag.DECISION: 5.0, Tag.CHANGED: 4.5, Tag.PROCEDURE: 4.0, Tag.TODO: 3.5, Tag.FACT: 3.0, Tag.EVENT: 2.5}
_ACTING = (Tag.DECISION, Tag.CHANGED, Tag.TODO, Tag.PROCEDURE)
_DOING = ("decision", "todo", "todo_strong", "must", "will", "did", "completed", "not_doing", "change_verb")
_TENTATIVE = 0.7
_ACTION_BYTES = 60
# Words; of scripts without spaces, what stands between their particles.
_TOPIC = re.compile(r"[\u30a0-\u30ff]{2,}|[\u3400-\u9fff]{2,6}|[\uac00-\ud7af]{2,}|(?:(?![\u3000-\u9fff\uac00-\ud7af])[^\W\d_])(?:(?![\u3000-\u9fff\uac00-\ud7af])[\w'’-])+")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w.@/-])[A-ZÀ-Þ][\w'’]+(?:[ -](?:(?:de|da|do|dos|das|van|von|bin|al)\s)?[A-ZÀ-Þ][\w'’]+)*")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement that may be kept, where it stood, and what it weighs."""

    text: str
    at: int
    weight: float


def distil(
    session: Session, languages: tuple[Language, ...], lexicon: DistilWords, *, people: Iterable[str] = (), most_bytes: int = 100, aggression: float = 0.7
) -> Distilled:
    """The conversation in a few words. `people` are names known already; `aggression` from 0 (keep all) to 1."""
    talk = Talk.of(session, languages)
    spoken = [t for t in session.turns if t.origin in (Origin.OWNER, Origin.AGENT)]
    said = [one for turn in spoken for one in talk.sentences(turn) if one.kind == "say" and one.text.strip()]
    found = extract(session, (), languages)
    order = {turn.id: n for n, turn in enumerate(session.turns)}
    units = _units(said, found, order)
    agreed = _agreed(talk.session, lexicon)
    own = [t.text for t in spoken if t.origin is Origin.OWNER] or [t.text for t in spoken]
    return Distilled(
        fact=_fact(units, most_bytes, aggression) or cut_line(" ".join(" ".join(own).split()), most_bytes),
        emotion=_leading(lexicon.emotion.find(text) for text in own),
        people=_people(" \n".join(t.text for t in spoken), frozenset(people), lexicon)[:MOST_PEOPLE],
        topics=_topics([t.text for t in spoken]),
        actions=_actions(said, found, lexicon),
        outcome=_outcome([t.text for t in spoken], lexicon, decided=agreed or any(map(_is_decision, found))),
    )


def _units(said: Sequence[Sentence], found: Sequence[Candidate], order: dict[str, int]) -> list[_Unit]:
    """Statements of the rules, and each clause that none of them says already."""
    units: list[_Unit] = []
    covered: list[frozenset[str]] = []
    for candidate in found:
        sure = 1.0 if candidate.confidence is Confidence.CONFIRMED else _TENTATIVE
        units.append(_Unit(candidate.text, order.get(candidate.evidence[0], 0) * 1000, _WEIGHTS[candidate.tag] * sure))
        covered.append(frozenset(terms(candidate.text)))
    seen = Counter(term for one in said for term in one.content)
    for number, one in enumerate(said):
        if one.social or one.size < 2 or any(len(one.content & whole) >= 0.6 * max(1, len(one.content)) for whole in covered):
            continue
        rare = sum(1 + log(len(said) / seen[term]) for term in one.content)
        weight = min(2.4, 0.25 * rare + 0.4 * bool(one.figures) + 0.3 * bool(one.names) + 0.3 * one.has(*_DOING))
        units.append(_Unit(_plain(one), number * 1000 + 1, weight * (0.4 if one.question else 1.0)))
    return units


def _plain(one: Sentence) -> str:
    text = one.body.strip().rstrip(" .;,")
    return text if _URL.match(text) else text[:1].upper() + text[1:]  # an address is written as it is


def _fact(units: Sequence[_Unit], most: int, aggression: float) -> str:
    """The kept units within the bytes: the weightiest opens, the others follow as they came."""
    if not units:
        return ""
    kept = sorted(units, key=lambda one: (-one.weight, one.at))[: max(1, len(units) - floor(aggression * len(units) + 1e-9))]
    text = cut_line(kept[0].text, most)
    for one in sorted(kept[1:], key=lambda one: one.at):
        longer = f"{text.rstrip('.')}. {one.text}"
        if size(longer) <= most:
            text = longer
    return text


def _leading(found: Iterable[Sequence[Found]], default: str = "neutral") -> str:
    """The label met most often; of equal ones the later."""
    labels = [one.label for hits in found for one in hits]
    last = {label: n for n, label in enumerate(labels)}
    counts = Counter(labels)
    return max(counts, key=lambda label: (counts[label], last[label]), default=default)


def _people(text: str, known: frozenset[str], lexicon: DistilWords) -> tuple[str, ...]:
    """Names that are known, or that stand beside a word that only a person's name stands beside; in order."""
    folded = {fold(name): name for name in known}
    found: dict[str, None] = {}
    for hit in _NAME.finditer(text):
        name = hit[0]
        before, after = split_words(text[max(0, hit.start() - 40) : hit.start()]), split_words(text[hit.end() : hit.end() + 40])
        apart = text[: hit.start()].rstrip()[-1:] in ".;:!?)"
        first = fold(name.split()[0])
        if fold(name) in folded or any(key.split()[0] == first for key in folded):
            found.setdefault(next((folded[key] for key in folded if key == fold(name)), name))
        elif fold(name) in STOP or (first in STOP and " " not in name):
            continue
        elif (before and not apart and before[-1] in lexicon.before_person) or (after and _follows(after, lexicon) and text[hit.end() : hit.end() + 1] == " "):
            found.setdefault(name)
    return tuple(found)


def _follows(after: Sequence[str], lexicon: DistilWords) -> bool:
    return after[0] in lexicon.after_person or " ".join(after[:2]) in lexicon.after_person


def _topics(texts: Sequence[str]) -> tuple[str, ...]:
    """The words that come up most, each as it was first written; of equal ones the longer."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text in texts:
        for word in _TOPIC.findall(_URL.sub(" ", text)):
            stems = terms(word)
            if not stems or fold(word) in STOP or (len(word) < 3 and word.isascii()):
                continue
            counts[stems[0]] += 1
            written.setdefault(stems[0], word.lower() if word[1:].islower() else word)
    best = sorted(counts, key=lambda term: (-counts[term], -len(term), term))
    return tuple(cut(written[term], 40) for term in best[:MOST_TOPICS])


def _actions(said: Sequence[Sentence], found: Sequence[Candidate], lexicon: DistilWords) -> tuple[str, ...]:
    """What was decided, changed, done or is to be done."""
    acts = [c.text for c in found if c.tag in _ACTING]
    if not acts:
        acts = [_plain(one) for one in said if not one.question and one.size >= 2 and (one.has(*_DOING) or one.opens("request") or _proposes(one.text, lexicon))]
    return tuple(dict.fromkeys(cut_line(" ".join(words_of), _ACTION_BYTES) for words_of in (text.split() for text in acts)))[:MOST_ACTIONS]


def _is_decision(candidate: Candidate) -> bool:
    return candidate.tag is Tag.DECISION and candidate.confidence is Confidence.CONFIRMED


def _proposes(text: str, lexicon: DistilWords) -> bool:
    return any(hit.label == "proposes" for hit in lexicon.proposal.find(text))


def _agreed(session: Session, lexicon: DistilWords) -> bool:
    """Whether one side proposed something and the other agreed in its next words."""
    return any(
        first.origin is not then.origin and _proposes(first.text, lexicon) and any(hit.label == "agrees" for hit in lexicon.proposal.find(then.text[:200]))
        for first, then in pairwise(session.turns)
    )


def _outcome(spoken: Sequence[str], lexicon: DistilWords, *, decided: bool) -> str:
    """How it went, by the words of both sides; what was decided went well unless they say otherwise."""
    tone = _leading(lexicon.outcome.find(text) for text in spoken)
    if tone == "neutral" and decided:
        tone = "positive"
    return f"{tone} {DECISION}" if decided else tone
