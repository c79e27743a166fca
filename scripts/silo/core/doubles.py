"""The same statement in two topics: one of them keeps it, and what has changed in one is no longer told by the other.

A double ends with an entry that names where it stands now, and its sources go there. A bullet by hand is never the one that
goes. What changed in one topic after another one had said it ends there too; where only the topics tell two things apart, a
person is asked. What was said without a topic (`general`) is put on record beside the fact that says it. Pure: gives rulings,
and the night carries them out.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from silo.core.dedupe import id_of
from silo.core.elsewhere import TELLING, Names, open_topics, weighty
from silo.core.facts import Confirm, End, Name, Note, Op, bare, named_facts
from silo.core.precedent import DECIDED
from silo.core.topicnight import MOST_SOURCES
from silo.core.weighing import by_typing
from silo.formats.fields import fields
from silo.formats.topics import ALSO, TopicFile
from silo.model import ChangeEntry, Event, Fact, TopicInfo
from silo.text.fold import fold
from silo.text.similar import same_statement, worded

MANY = 3  # topics that say the same words: they say them each of itself
_OVER = frozenset({"replaced", "withdrawn", DECIDED})  # fields of an end after which nothing says it any more


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is to be done: operations by the path of their topic, or a question about `fact` of a topic. `event` is the one that
    is asked about, or that is on record now."""

    ops: tuple[tuple[str, tuple[Op, ...]], ...] = ()
    kind: str = ""  # what it is counted as
    path: str = ""  # of the question
    fact: str = ""
    event: str = ""
    text: str = ""


class _Said(NamedTuple):
    """A fact as it stands, or (with `entry`) what it said until that change."""

    path: str
    slug: str
    fact: Fact
    text: str
    words: tuple[str, ...]  # what is compared: `worded`
    entry: ChangeEntry | None = None


@dataclass(frozen=True, slots=True)
class Doubles:
    """What stands in the open topics (path → file as the night leaves it) and what `undone` keeps apart."""

    topics: Mapping[str, TopicFile]
    infos: Mapping[str, TopicInfo]
    names: Names
    undone: Mapping[str, object]

    def rulings(self, homeless: Sequence[Event]) -> Iterator[Ruling]:
        """One ruling after the other; no two are about the same fact that goes."""
        free = open_topics(self.infos.values())
        files = {path: file for path, file in self.topics.items() if file.slug in free and file.editable}
        said = [one for path, file in files.items() for one in _standing(path, file)]
        former = [one for path, file in files.items() for one in _former(path, file)]
        where: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for one in (*said, *former):
            where[one.words].add(one.path)
        alone = {words for words, paths in where.items() if len(paths) < MANY}
        gone: set[str] = set()
        for one, other in self._pairs(said, said, frozenset()):
            if other.fact.id not in gone and one.fact.id not in gone and (ruling := self._one_of(one, other, files)) is not None:
                gone.update(op.id for _, ops in ruling.ops for op in ops if isinstance(op, End))
                yield ruling
        for one, past in self._pairs(said, former, alone):
            if one.fact.id not in gone and (ruling := self._stale(one, past, files, alone=one.words in alone)) is not None:
                gone.add(one.fact.id)
                yield ruling
        left, past_left = ([one for one in side if one.fact.id not in gone] for side in (said, former))
        yield from self._loose(left, past_left, homeless, files)

    def _pairs(self, left: Sequence[_Said], right: Sequence[_Said], alone: Set[tuple[str, ...]]) -> Iterator[tuple[_Said, _Said]]:
        """Statements of two topics that say the same, with words of the name of one of them, or which are `alone` with what
        they say; each pair of `left` with itself once."""
        for ones, others in _alike(left, right):
            slugs = {one.slug for one in (*ones, *others)}
            spoken = slugs if ones[0].words in alone else self.names.spoken(ones[0].text, slugs)
            if spoken and len(slugs) > 1:
                for one, other in itertools.product(ones, others):
                    if one.path != other.path and (left is not right or one.path < other.path) and not spoken.isdisjoint((one.slug, other.slug)):
                        yield one, other

    def _one_of(self, one: _Said, other: _Said, files: Mapping[str, TopicFile]) -> Ruling | None:
        """Of two that stand, the one that the text's own topic holds stays. A hand's bullet does as well, and one whose marks
        (`importance`, `trigger`) would be lost."""
        named = self.names.named(one.text, one.slug, other.slug)
        if not named:
            return None
        stays, goes = (one, other) if named == one.slug else (other, one)
        if _by_hand(goes.fact, files[goes.path]) or self._kept_apart(goes.fact) or not set(goes.fact.extra) <= set(stays.fact.extra):
            return None
        sources = [*stays.fact.source.split(","), *goes.fact.source.split(",")]
        came = ",".join(list(dict.fromkeys(filter(None, sources)))[-MOST_SOURCES:])
        note = f"It stood in {goes.slug} as well, as {goes.fact.id}"
        seen = max(stays.fact.seen, goes.fact.seen)
        here: list[Op] = [Name(stays.fact.id), Note((stays.fact.id, goes.fact.id), stays.fact.text, note, ALSO, goes.fact.source)]
        if seen and not _by_hand(stays.fact, files[stays.path]):
            here.append(Confirm(stays.fact.id, seen, came))
        earlier = bool(goes.fact.since) and goes.fact.since < (stays.fact.since or "")
        there = End(
            goes.fact.id, f"It stands in {stays.slug}, as {stays.fact.id}", "moved", goes.fact.source,
            until=stays.fact.since if earlier else "", op="end" if earlier else "move",
        )  # fmt: skip
        return Ruling(((stays.path, tuple(here)), (goes.path, (there,))), "one of two topics")

    def _stale(self, one: _Said, past: _Said, files: Mapping[str, TopicFile], *, alone: bool) -> Ruling | None:
        """What a fact says that another topic has left behind since: it ends, or a person is asked where they are `alone`
        with these words."""
        entry = past.entry
        assert entry is not None
        now = {fact.id: fact.text for fact in named_facts(files[past.path])}.get(past.fact.id, "")
        if entry.source == "" or (now and _same(now, one.text)) or self._kept_apart(one.fact, entry.source):
            return None
        day = entry.valid[1] or entry.date
        typed = max((c.date for c in files[one.path].changes if one.fact.id in c.facts and by_typing(c)), default="")
        sure = bool(self.names.named(one.text, one.slug, past.slug))
        last = max(one.fact.seen, one.fact.since, typed)
        held = now or entry.new
        event = entry.source.split(",")[-1]
        told = f"{one.text} | in {past.slug} it changed on {day}: {held}" if held else f"{one.text} | in {past.slug} it ended on {day}"
        if last > day:  # said again after it had changed there
            if not sure or (one.fact.since <= day and not typed > day):
                return None
            return Ruling((), "doubt", one.path, one.fact.id, event, f"{told}; here it is said on {last}")
        if not sure:
            return Ruling((), "doubt", one.path, one.fact.id, event, told) if alone else None
        reason = f"Changed in {past.slug}, where it stands as {past.fact.id}" if now else f"Ended in {past.slug}"
        there = End(one.fact.id, reason, "replaced", entry.source, until=day)
        note = Note((past.fact.id, one.fact.id), one.text, f"It stood in {one.slug} as well, as {one.fact.id}", ALSO, one.fact.source)
        return Ruling(((one.path, (there,)), *(((past.path, (note,)),) if now else ())), "changed elsewhere")

    def _loose(
        self, said: Sequence[_Said], former: Sequence[_Said], homeless: Sequence[Event], files: Mapping[str, TopicFile]
    ) -> Iterator[Ruling]:
        """Statements without a topic, each beside the one topic's fact that says it, or said it until it changed: where it
        names the topic, or says so much that it is no coincidence."""
        known = {source for file in files.values() for entry in file.changes for source in entry.source.split(",")}
        known |= {source for one in said for source in one.fact.source.split(",")}
        loose = [_said("", event.slug, Fact(event.slug, event.text, id_of(event), event.date), event.text) for event in homeless if id_of(event) not in known]
        found: dict[str, list[_Said]] = defaultdict(list)
        for ones, events in _alike([*said, *former], loose):
            for one, event in itertools.product(ones, events):
                if one.entry is None or event.fact.since <= (one.entry.valid[1] or one.entry.date):
                    found[event.fact.id].append(one)
        for event in loose:
            ident = event.fact.id
            about = {one.fact.id: one for one in reversed(found[ident])}
            if len(about) != 1:
                continue
            one = next(iter(about.values()))
            fact = {fact.id: fact for fact in named_facts(files[one.path])}.get(one.fact.id)
            if not self.names.named(event.text, one.slug, "") and len(weighty(event.text)) < TELLING:
                continue
            if fact is None or f"{ident}>{fact.id}" in self.undone:
                continue
            ops: list[Op] = [Name(fact.id), Note((fact.id,), event.text, f"Said on {event.fact.since} under {event.slug} as well", ALSO, ident)]
            sources = [source for source in fact.source.split(",") if source]
            if one.entry is None and sources and len(sources) < MOST_SOURCES:
                ops.append(Confirm(fact.id, max(fact.seen, event.fact.since), ",".join([*sources, ident])))
            yield Ruling(((one.path, tuple(ops)),), "said without a topic", event=ident)

    def _kept_apart(self, fact: Fact, sources: str = "") -> bool:
        """Whether a person has taken back that this fact ends by these events, or by its own."""
        return any(f"{event}>{fact.id}" in self.undone for event in (sources or fact.source).split(","))


def _standing(path: str, file: TopicFile) -> Iterator[_Said]:
    for fact in named_facts(file):
        if fact.done is None:
            yield _said(path, file.slug, fact, fact.text)


def _former(path: str, file: TopicFile) -> Iterator[_Said]:
    """What facts said before it changed or ended, newest first."""
    there = {fact.id for fact in named_facts(file)}
    for entry in file.changes:
        changed = entry.op == "set" and bare(entry.new) != bare(entry.old) and entry.old[:1] != "["
        ended = entry.op == "end" and entry.field in _OVER and not there & set(entry.facts)
        if (changed or ended) and entry.old:
            yield _said(path, file.slug, Fact(file.slug, entry.old, entry.facts[0]), entry.old, entry)


def _said(path: str, slug: str, fact: Fact, text: str, entry: ChangeEntry | None = None) -> _Said:
    rest = _rest(text)
    return _Said(path, slug, fact, rest, worded(rest), entry)


def _by_hand(fact: Fact, file: TopicFile) -> bool:
    """Whether the bullet is a person's own: it rests on no event, or a hand has worded it."""
    return not fact.source or any(fact.id in entry.facts and by_typing(entry) for entry in file.changes)


def _rest(text: str) -> str:
    return bare(fields(text).rest or text)


def _same(one: str, other: str) -> bool:
    return fold(_rest(one)) == fold(other) or same_statement(_rest(one), other)


def _alike(left: Iterable[_Said], right: Iterable[_Said]) -> Iterator[tuple[list[_Said], list[_Said]]]:
    """What of each side says the same in the same words, small ones apart: what one of them says more would be lost with it."""
    found: dict[tuple[str, ...], tuple[list[_Said], list[_Said]]] = defaultdict(lambda: ([], []))
    for at, side in enumerate((left, right)):
        for one in side:
            found[one.words][at].append(one)
    yield from (pair for pair in found.values() if all(pair))
