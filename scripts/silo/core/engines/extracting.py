"""Extraction by a model: pieces of a screened session go out, candidates come back, checked like those of the rules.

A model sees the owner's and the assistant's turns alone. What it lists is dropped, and counted by reason, where it names
no turn of the owner's, reads as an order, or holds a figure, name, address or command that its turns do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from silo.core.engines.support import supported
from silo.core.engines.task import Task
from silo.core.extract import ground
from silo.core.extract.compose import dated, text_of
from silo.core.extract.talk import shorten
from silo.core.route import Router
from silo.model import GENERAL, Candidate, Confidence, Origin, Problem, Session, Tag, TopicInfo, Turn
from silo.text.budget import cut, likely_tokens
from silo.text.flat import flat_words
from silo.text.injection import instruction_like
from silo.text.language import Language, detect, tokens_of

CONTEXT_TURNS = 6  # known turns that a piece begins with
CONTEXT_BYTES = 600  # of each of them
TALKERS = (Origin.OWNER, Origin.AGENT)
VERSION = 1
_NO_TURN = "names no turn"
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]")
_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Said:
    """A turn, or a part of a long one, as a piece shows it."""

    turn: Turn
    text: str
    old: bool


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a session: some old turns and the new ones after them. `session` is the whole of it."""

    session: Session
    said: tuple[Said, ...]

    @property
    def end(self) -> str:
        """The id of its last turn: where a piece was cut once it is cut again."""
        return self.said[-1].turn.id


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates of a piece, and how many were dropped by reason."""

    candidates: tuple[Candidate, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)


def fresh_tokens(session: Session) -> int:
    """Likely tokens of what is new in a session and would be shown."""
    return sum(likely_tokens(turn.text) for turn in session.turns if turn.fresh and turn.origin in TALKERS)


def windows(session: Session, tokens: int, ends: frozenset[str] = frozenset()) -> Iterator[Window]:
    """The new turns of a session in pieces of about `tokens`; also cut behind the turns named in `ends`, where an earlier
    reading of the same session stopped, so that reading it once more asks nothing new."""
    talk = [turn for turn in session.turns if turn.origin in TALKERS]
    new: list[Said] = []
    used = 0
    for at, turn in enumerate(talk):
        if not turn.fresh:
            continue
        if not new:
            start = at
        for part in _parts(turn.text, tokens):
            size = likely_tokens(part)
            if new and used + size > tokens:
                yield _window(session, talk, start, new)
                new, used, start = [], 0, at
            new.append(Said(turn, part, old=False))
            used += size
        if turn.id in ends:
            yield _window(session, talk, start, new)
            new, used = [], 0
    if new:
        yield _window(session, talk, start, new)


def _window(session: Session, talk: Sequence[Turn], start: int, new: Sequence[Said]) -> Window:
    before = talk[max(0, start - CONTEXT_TURNS) : start]
    return Window(session, (*(Said(t, cut(t.text, CONTEXT_BYTES), old=True) for t in before), *new))


def _parts(text: str, tokens: int) -> Iterator[str]:
    """A long turn in parts that each fit, cut at a line or a space."""
    room = max(400, tokens * 2)  # characters, which are never fewer than half a token
    while len(text) > room and likely_tokens(text) > tokens:
        at = max(text.rfind("\n", room // 2, room), text.rfind(" ", room // 2, room))
        at = at if at > 0 else room
        yield text[:at]
        text = text[at:].lstrip()
    yield text


def show(window: Window) -> Mapping[str, object]:
    """All that a model sees of a piece."""
    turns = []
    for number, said in enumerate(window.said, 1):
        who = "owner" if said.turn.origin is Origin.OWNER else "assistant"
        one: dict[str, object] = {"n": number, "who": who, "at": f"{said.turn.at:%a %Y-%m-%d %H:%M}", "text": said.text}
        turns.append({**one, "old": True} if said.old else one)
    return {"turns": turns}


def task(
    head: str,
    schema: Mapping[str, Any],
    topics: tuple[TopicInfo, ...],
    private: frozenset[str],
    languages: tuple[Language, ...],
    openers: frozenset[str],
    roads: Router,
    rules: Callable[[Session], tuple[Candidate, ...]],
) -> Task[Window, Found]:
    """The task `extract`. `rules` is the rules' engine on a session; private topics are never named to a model."""
    listed = [t for t in topics if t.slug not in private and t.status != "archived" and t.sensitivity != "private"]
    known = frozenset(t.slug for t in listed)

    def read(answer: Mapping[str, Any], window: Window) -> Found | Problem:
        return _Reading(window, known, private, languages, openers, roads).read(answer["entries"])

    return Task(
        name="extract",
        head=head,
        schema=schema,
        show=show,
        read=read,
        fallback=lambda window: Found(rules(_only(window))),
        shared={"topics": [{"slug": t.slug, "about": cut(t.summary, 120)} for t in listed]},
        version=VERSION,
        answer_tokens=500,
    )


def _only(window: Window) -> Session:
    """The session up to the end of a piece, in which the piece's turns alone are new."""
    mine = {said.turn.id for said in window.said if not said.old}
    last = max(n for n, turn in enumerate(window.session.turns) if turn.id in mine)
    turns = (replace(turn, fresh=turn.id in mine) for turn in window.session.turns[: last + 1])
    return replace(window.session, turns=tuple(turns))


class _Reading:
    """One answer, entry by entry."""

    def __init__(
        self, window: Window, known: frozenset[str], private: frozenset[str], languages: tuple[Language, ...],
        openers: frozenset[str], roads: Router,
    ) -> None:  # fmt: skip
        self.window, self.known, self.private = window, known, private
        self.languages, self.openers, self.roads = languages, openers, roads
        self.dropped: Counter[str] = Counter()
        self.places = {turn.id: n for n, turn in enumerate(window.session.turns)}

    def read(self, entries: Sequence[Mapping[str, Any]]) -> Found | Problem:
        candidates: list[Candidate] = []
        for entry in entries:
            made = self._candidate(entry)
            if isinstance(made, Candidate):
                candidates.append(made)
            else:
                self.dropped[made] += 1
        if self.dropped[_NO_TURN] > len(entries) // 2:
            return Problem("", "turns", f"its entries name turns that are not among 1 to {len(self.window.said)}")
        return Found(tuple(candidates), dict(self.dropped))

    def _candidate(self, entry: Mapping[str, Any]) -> Candidate | str:
        """The entry as a candidate, or why it is none."""
        numbers = dict.fromkeys(int(n) for n in entry["turns"])  # 1.0 is a whole number, too
        cited = [self.window.said[n - 1] for n in numbers if n <= len(self.window.said)]
        turns = list({said.turn.id: said.turn for said in cited}.values())
        if not turns:
            return _NO_TURN
        if all(said.old for said in cited):
            return "not new"
        if not any(turn.origin is Origin.OWNER for turn in turns):
            return "not the owner's word"
        if instruction_like(entry["text"]):
            return "reads as an order"
        # The owner's word comes first: its time is the statement's.
        turns.sort(key=lambda turn: (turn.origin is not Origin.OWNER, not turn.fresh, -self.places[turn.id]))
        made = self._composed(entry, turns)
        return "not grounded" if made is None else replace(made, slug=self._slug(entry["topic"], made, turns[0]))

    def _composed(self, entry: Mapping[str, Any], turns: list[Turn]) -> Candidate | None:
        """The first form of the candidate that is grounded: with all its values, else without those that are not."""
        body = _one_line(entry["text"])
        spoken = detect(body, tokens_of(flat_words(body)), self.languages) or detect(
            turns[0].text, tokens_of(flat_words(turns[0].text)), self.languages
        )
        lang = spoken[0] if spoken else self.languages[0]
        stated = turns[0]
        source = " ".join(turn.text for turn in turns)
        if not supported(body, source, self.openers):
            return None
        old = _one_line(entry["was"])
        forms = [
            (old if supported(old, source, self.openers, value=True) else "", _day(entry["due"]), _day(entry["effective"])),
            ("", _day(entry["due"]), ""),
            ("", "", ""),
        ]
        for was, due, effective in forms:
            due, effective = (due if entry["tag"] == "TODO" else ""), (effective if entry["tag"] != "TODO" else "")
            words, _ = dated(
                body, stated.at.date(), {}, skip=frozenset(v for v in (due, effective) if v),
                prefer="future" if entry["tag"] == "TODO" else "near", day_first=lang.day_first,
            )  # fmt: skip
            text = text_of(words, lang, old=was, effective=effective, due=due)
            made = Candidate(Tag(entry["tag"]), Confidence(entry["confidence"]), text, tuple(t.id for t in turns), stated.at)
            if ground(made, self.window.session):
                return made
        return None

    def _slug(self, named: str, made: Candidate, stated: Turn) -> str:
        """The model's topic where it is one, else the rules' choice; a private topic that the rules see goes first."""
        at = self.places[stated.id]
        turns = self.window.session.turns
        near = [shorten(turn.text) for turn in turns[max(0, at - 2) : at + 3] if turn.origin in TALKERS]
        chosen = self.roads.route(made.text, near, {})
        if chosen in self.private or named not in self.known:
            return chosen
        return named if named != GENERAL else chosen


def _one_line(text: str) -> str:
    """A model's text without breaks, controls, invisible characters and halves of characters."""
    return re.sub(r"\s+", " ", _UNSEEN.sub(" ", text)).strip().rstrip(".")


def _day(value: str) -> str:
    return value if _DAY.fullmatch(value) else ""
