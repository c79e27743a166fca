"""A night of curation as a plan: daily notes into the log, new events into the facts of their topics, views made anew.

Pure: what the workspace holds and what earlier nights remembered comes in as values. Reconciles and records; never
restructures, never tags, never touches a line that no event speaks of. Planned again after it was applied, it is empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache

from silo.core.across import Across, Asked
from silo.core.adopt import Elsewhere, whereabouts
from silo.core.counts import with_counts
from silo.core.dedupe import Log, id_of
from silo.core.doors import LOG, PRIVATE_LOG, Numbering, appends
from silo.core.doubles import Doubles
from silo.core.elsewhere import Names
from silo.core.engines.judging import Judge
from silo.core.history import news_from
from silo.core.ingest import Ingested, Router, Tagger, ingest
from silo.core.overflow import Limits, archive_path, is_over, limits_of, overflow
from silo.core.placing import Quotes
from silo.core.reconcile import Reconciler
from silo.core.tidy import plan_tidy
from silo.core.todos import closed_by
from silo.core.topicnight import TopicNight
from silo.core.views import INDEX, plan_index
from silo.formats.decisions import read_decisions
from silo.formats.events import event_id, parse_file
from silo.formats.notes import note_date
from silo.formats.topics import ALSO, TopicFile, fact_id, info, is_archive, parse_topic, set_header
from silo.model import (
    DEFAULT_AGENT,
    Append,
    Change,
    Confidence,
    Event,
    Fact,
    Plan,
    Problem,
    Put,
    StateOp,
    Tag,
    TopicInfo,
    Write,
)
from silo.text.completion import Completion
from silo.text.lines import decode, encode, sha256
from silo.text.vocabulary import Vocabulary

REVIEW = ".silo/review.jsonl"
_TOPICS = ("memory/topics/", ".silo/private/topics/")


def _no_tag(said: object, day: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Night:
    """What a night works on.

    `files`: path → bytes of topic files, event files, daily notes, the review queue and the index. `base`: our last
    write of each topic file, under its present path; `renamed`: the path that it had then, where a hand changed it. The next four are tables of state.db as they are (reconciled: event id → outcome; ingested:
    note line → day; undone: ids and `event>fact` pairs; restated: `event@day` → source).
    """

    files: Mapping[str, bytes]
    base: Mapping[str, bytes]
    renamed: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    reconciled: Mapping[str, object]
    ingested: Mapping[str, object]
    undone: Mapping[str, object]
    restated: Mapping[str, object]
    now: datetime
    vocabularies: Callable[[], tuple[Vocabulary, ...]]
    router: Router = lambda text: "general"
    tagger: Tagger = _no_tag
    quotes: Quotes = lambda event: ()
    with_notes: bool = True
    completions: Callable[[], tuple[Completion, ...]] = tuple
    limits: Limits = field(default_factory=Limits)
    judge: Judge | None = None

    @property
    def today(self) -> str:
        """The local day of the night."""
        return self.now.date().isoformat()


@dataclass(slots=True)
class _Work:
    """What the night has gathered so far."""

    changes: list[Change] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    state: list[StateOp] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def plan_curation(night: Night) -> Plan:
    """The plan of the night; empty where nothing is new."""
    work = _Work()
    topics = _topics(night.files)
    infos = {file.slug: info(file) for file in topics.values()}
    private = frozenset(one.slug for one in infos.values() if one.sensitivity == "private")
    events = _events(night.files)
    notes = _notes(night, topics.values(), events) if night.with_notes else Ingested()
    work.changes += appends(notes.events, private, "from daily notes")
    work.review += notes.review
    work.state += notes.state
    work.counts.update({"note lines": len(notes.events), "restated": notes.restated})
    fresh, loose, homeless = _pending([*events, *notes.events], night.reconciled, infos, work)
    _file_loose(night, topics, fresh, loose)
    reconciler = cache(lambda: Reconciler(night.vocabularies()))
    names = Names(infos.values(), lambda text: reconciler().told_of(text, night.now.date()))
    across = Across(topics.values(), infos, names, reconciler, night.undone)
    across.file(fresh, homeless)
    nights = _topic_nights(night, topics, fresh, reconciler)
    _settled_across(nights, infos, names, homeless, across.asked)
    written = _topic_changes(night, nights, work)
    tidied, work.counts["done items archived"] = plan_tidy(night.files, night.today)
    work.changes += tidied
    work.changes += plan_index([written.get(slug, one) for slug, one in infos.items()], night.files.get(INDEX))
    if work.review:
        work.changes.append(Append(REVIEW, encode("".join(line + "\n" for line in work.review)), why="for a person to decide"))
    work.problems += [p for file in topics.values() for p in file.problems]
    counts = {name: n for name, n in work.counts.items() if n}
    return Plan("curate", tuple(work.changes), tuple(work.state), tuple(work.problems), counts)


def plan_ingest(night: Night) -> Plan:
    """The daily notes' part of a night alone: new lines as events, and what waits for a person."""
    topics = _topics(night.files)
    private = frozenset(one.slug for one in map(info, topics.values()) if one.sensitivity == "private")
    notes = _notes(night, topics.values(), _events(night.files))
    changes: list[Change] = list(appends(notes.events, private, "from daily notes"))
    if notes.review:
        changes.append(Append(REVIEW, encode("".join(line + "\n" for line in notes.review)), why="for a person to decide"))
    counts = {"note lines": len(notes.events), "restated": notes.restated, "held for review": len(notes.review)}
    return Plan("ingest", tuple(changes), tuple(notes.state), counts={name: n for name, n in counts.items() if n})


def _topics(files: Mapping[str, bytes]) -> dict[str, TopicFile]:
    """Topic files by path, archives left out."""
    return {
        path: parse_topic(decode(data), path)
        for path, data in sorted(files.items())
        if path.startswith(_TOPICS) and path.endswith(".md") and not is_archive(path)
    }


def _events(files: Mapping[str, bytes]) -> list[Event]:
    """The whole log, oldest day first, lines in their order."""
    paths = [path for path in files if path.startswith((f"{LOG}/", f"{PRIVATE_LOG}/")) and path.endswith(".md")]
    ordered = sorted(paths, key=lambda path: (path.rpartition("/")[2], path))
    return [event for path in ordered for event in parse_file(decode(files[path]), path).events]


def _notes(night: Night, topics: Iterable[TopicFile], events: list[Event]) -> Ingested:
    found = {
        path: data
        for path, data in night.files.items()
        if path.startswith("memory/") and not path.startswith(_TOPICS) and note_date(path)
    }

    def log() -> tuple[Log, Numbering]:
        made = Log(news_from(topics))
        made.add(events)
        return made, Numbering(events, night.reconciled.keys() | night.undone.keys())

    return ingest(found, night.ingested, log, night.tagger, night.router, night.today)


_PROMOTED = frozenset({Tag.FACT, Tag.DECISION, Tag.CHANGED, Tag.PROCEDURE, Tag.TODO})


def _pending(
    events: Iterable[Event], reconciled: Mapping[str, object], infos: Mapping[str, TopicInfo], work: _Work
) -> tuple[dict[str, list[Event]], list[Event], list[Event]]:
    """New events by topic, in the order in which they were said; those EVENTs, and those statements for all, that have no topic.

    What is no fact (an EVENT, a tentative or background statement) is noted once; a statement whose slug has no topic, or
    a topic of other agents, is left alone.
    """
    found: dict[str, list[Event]] = defaultdict(list)
    loose: list[Event] = []
    homeless: list[Event] = []
    taken: dict[str, str] = {}  # id → the topic that it was told under
    named = {alias: one for one in infos.values() for alias in one.aliases} | {one.slug: one for one in infos.values()}
    events = sorted(events, key=lambda e: e.date)  # stable: lines of a day stay in order
    several = len({event.agent for event in events}) > 1
    for event in events:
        topic = named.get(event.slug)
        happened = event.tag is Tag.EVENT and event.confidence is Confidence.CONFIRMED
        if topic is not None and topic.agents and event.agent not in topic.agents:
            continue
        promoted = event.tag in _PROMOTED and event.confidence is Confidence.CONFIRMED
        if topic is None and not happened:
            own = event.path.startswith(f"{PRIVATE_LOG}/") or (several and event.agent != DEFAULT_AGENT)  # not for all to read
            if promoted and event.tag is not Tag.TODO and not own and id_of(event) not in reconciled:
                homeless.append(event)
            continue
        if topic is not None:
            event = typed_twice(event, topic.slug, taken)
        ident = id_of(event)
        known = reconciled.get(ident)
        if known is not None and not (known in ("left", ALSO) and promoted):
            continue
        if topic is None:
            loose.append(event)
        elif promoted or happened:
            found[topic.slug].append(event)
        if not promoted:
            work.state.append(Put("reconciled", ident, "left"))
    return found, loose, homeless


def typed_twice(event: Event, slug: str, taken: dict[str, str]) -> Event:
    """The event; one typed by hand that has the day, the words and so the id of another topic's gets the next id. `taken`, id →
    topic, is what the lines before it made."""
    ident, nth = id_of(event), 0
    while not event.id and taken.setdefault(ident, slug) != slug:
        nth += 1
        ident = event_id(event.agent, event.date, event.tag, event.text, nth)
    return replace(event, id=ident) if nth else event


def _file_loose(night: Night, topics: Mapping[str, TopicFile], fresh: dict[str, list[Event]], loose: list[Event]) -> None:
    """Events that say that a to-do is done go where it stands: those without a topic, and those of another topic as no
    more than that. EVENTs where no to-do can be go nowhere."""
    asked = {slug: [Fact(slug, e.text, fact_id(id_of(e)), e.date, done=False) for e in events if e.tag is Tag.TODO] for slug, events in fresh.items()}
    boxes = {file.slug: [*(f for f in file.facts if f.done is False), *asked.get(file.slug, ())] for file in topics.values()}
    headers = {file.slug: info(file) for file in topics.values()}

    def closed(event: Event, slugs: Iterable[str]) -> tuple[str, ...]:
        mine = [fact for slug in slugs for fact in boxes[slug] if not headers[slug].agents or event.agent in headers[slug].agents]
        return tuple(dict.fromkeys(fact.slug for fact in closed_by(event.text, event.date, mine, night.completions)))

    for event in loose:
        for slug in closed(event, boxes):
            fresh.setdefault(slug, []).append(event)
    for slug, events in [(slug, list(events)) for slug, events in fresh.items()]:
        if headers[slug].sensitivity == "private" or headers[slug].agents:
            continue  # what is said there stays there
        for event in events:
            if event.tag is Tag.TODO:
                continue
            best = closed(event, boxes)
            if slug not in best and closed(event, [slug]):
                continue  # nearer by, if less surely
            for other in best:
                if other != slug:
                    fresh.setdefault(other, []).append(replace(event, tag=Tag.EVENT, id=id_of(event)))
    for slug, events in fresh.items():
        events.sort(key=lambda e: e.date)
        if not boxes[slug]:
            fresh[slug] = [event for event in events if event.tag is not Tag.EVENT]


class _Nights:
    """The night of each topic that has one, by path; made when something is to be done there."""

    def __init__(self, night: Night, topics: Mapping[str, TopicFile], reconciler: Callable[[], Reconciler]) -> None:
        self.night, self._reconciler = night, reconciler
        self._items = read_decisions(decode(night.files.get(REVIEW, b"")), REVIEW).items
        self.topics = topics
        self.made: dict[str, TopicNight] = {}

    def of(self, path: str) -> TopicNight:
        """The night of the topic."""
        if path not in self.made:
            night, archive = self.night, self.night.files.get(archive_path(path))
            older = parse_topic(decode(archive), archive_path(path)).changes if archive is not None else ()
            at = night.now.isoformat(timespec="seconds")
            self.made[path] = TopicNight(
                decode(night.files[path]), path, night.today, at, self._reconciler, night.undone, self._items, night.completions, night.judge, older
            )
        return self.made[path]

    def now(self) -> dict[str, TopicFile]:
        """Every topic as it is now; those without a night are the very files that were read."""
        return {path: self.made[path].topic if path in self.made and self.made[path].text != "".join(file.lines) else file for path, file in self.topics.items()}


def _topic_nights(
    night: Night, topics: Mapping[str, TopicFile], fresh: Mapping[str, list[Event]], reconciler: Callable[[], Reconciler]
) -> _Nights:
    """The night of each topic that has new events, hand edits or restatements."""
    nights = _Nights(night, topics, reconciler)
    others = _others(night, topics)
    restated = _by_event(night.restated)
    for path, file in topics.items():
        data, base = night.files[path], night.base.get(path)
        edited = base is not None and base != data
        events = fresh.get(file.slug, [])
        named = (*(fact.source for fact in file.facts), *(entry.source for entry in file.changes)) if restated else ()
        again = any(source in restated for sources in named for source in sources.split(","))
        if not (edited or events or again or others[file.slug].theirs or is_over(file, limits_of(file, night.limits))) or not file.editable:
            continue
        topic = nights.of(path)
        if edited or others[file.slug].theirs:
            topic.adopt(decode(base or data), others[file.slug])
        for event in events:
            topic.take(event)
        topic.restate(restated)
    return nights


def _settled_across(
    nights: _Nights, infos: Mapping[str, TopicInfo], names: Names, homeless: Sequence[Event], asked: Iterable[Asked]
) -> None:
    """What two topics say alike is settled, and what may be about another topic's fact is asked."""
    at = {file.slug: path for path, file in nights.topics.items()}
    for one in asked:
        nights.of(at[one.slug]).ask("doubt", (one.fact.id,), id_of(one.event), f"{one.fact.text} | under {one.event.slug} on {one.event.date}: {one.event.text}")
    doubles = Doubles(nights.now(), infos, names, nights.night.undone)
    for ruling in doubles.rulings(homeless):
        if ruling.fact:
            nights.of(ruling.path).ask(ruling.kind, (ruling.fact,), ruling.event, ruling.text)
        for path, ops in ruling.ops:
            nights.of(path).carry_out(ops)
        if ruling.ops:
            first = nights.of(ruling.ops[0][0])
            first.counts[ruling.kind] += 1
            if ruling.event:
                first.state.append(Put("reconciled", ruling.event, ALSO, first.path))


def _topic_changes(night: Night, nights: _Nights, work: _Work) -> dict[str, TopicInfo]:
    """The files of the topics that had a night; the new infos of those written."""
    written: dict[str, TopicInfo] = {}
    for path, topic in sorted(nights.made.items()):
        file, data, archive = nights.topics[path], night.files[path], night.files.get(archive_path(path))
        text = topic.finish(night.quotes)
        moved = overflow(text, None if archive is None else decode(archive), path, limits_of(file, night.limits))
        if moved is not None:
            text = moved.topic
            why = f"{moved.blocks} source blocks, {moved.entries} changelog entries"
            work.changes.append(Write(archive_path(path), None if archive is None else sha256(archive), encode(moved.archive), why))
            work.counts.update({"blocks archived": moved.blocks, "entries archived": moved.entries})
        if text != decode(data):
            text = set_header(text, "last_curated", night.today)
        text = with_counts(text)  # a refresh of counts alone is no edit: the day of curation stays
        if text != decode(data):
            work.changes.append(Write(path, sha256(data), encode(text), "curated", night.renamed.get(path, "")))
            written[file.slug] = info(parse_topic(text, path))
        work.review += topic.review
        work.state += topic.state
        work.counts += topic.counts
    return written


def _others(night: Night, topics: Mapping[str, TopicFile]) -> dict[str, Elsewhere]:
    """What each topic's hand edits are told by: which facts the others hold, and held at our last write."""
    now = {file.slug: file for file in topics.values()}
    before = {
        file.slug: file if night.base.get(path, night.files[path]) == night.files[path] else parse_topic(decode(night.base[path]), path)
        for path, file in topics.items()
    }
    return whereabouts(now, before)


def _by_event(restated: Mapping[str, object]) -> dict[str, list[str]]:
    """Event → the days on which it was said again."""
    found: dict[str, list[str]] = defaultdict(list)
    for key in restated:
        ident, _, day = key.partition("@")
        found[ident].append(day)
    return found
