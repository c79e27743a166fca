"""What `doctor` looks for: each finding has a stable code, a place, and what to do. Pure; changes nothing.

The parsers find what is wrong inside a file; this module gives their findings a code and adds what only shows across
files. The list of codes with their meaning: references/doctor.md, checked against `CODES` by a test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from silo.core.checks_stores import CODES as OF_STORES
from silo.core.counts import stale_counts
from silo.core.liveness import Silent
from silo.formats.copies import copies_among
from silo.formats.events import EventFile
from silo.formats.topics import TopicFile
from silo.model import GENERAL, Problem, TopicInfo

OWN: Mapping[str, str] = {
    "D001": "a topic's header is missing or a key of it is wrong",
    "D002": "a topic's markers are damaged, or text stands between its layers",
    "D003": "a line of the event log means to be an event and is none",
    "D004": "an id stands twice",
    "D005": "bytes that are not UTF-8",
    "D006": "the topic index is out of date or was edited by hand",
    "D007": "events name a topic that has no file; they count as general",
    "D008": "review items wait for a decision for more than 14 days",
    "D009": "a job has not run for 3 days",
    "D010": "the event log was changed outside the program",
    "D011": "MEMORY.md is longer than 150 lines",
    "D012": "a changelog entry can't be read",
    "D013": "a copy made by a syncing program lies beside a file",
    "D014": "the host distrusts a file, or its agent has written one of ours",
    "D015": "a statement stands in several topics or twice in one",
    "D017": "a count in a topic's header is out of date",
    "D016": "a tier file breaks one of its rules",
}
CODES: Mapping[str, str] = {**OWN, **OF_STORES}

_BY_PARSER: Mapping[str, str] = {
    "no-header": "D001", "open-header": "D001", "bad-header-line": "D001", "missing-key": "D001", "duplicate-key": "D001",
    "bad-value": "D001", "slug-mismatch": "D001", "no-slug": "D001",
    "missing-marker": "D002", "duplicate-marker": "D002", "misordered-marker": "D002", "text-between-layers": "D002", "changelog-not-last": "D002", "duplicate-changelog": "D002",
    "unknown-tag": "D003", "bad-slug": "D003", "long-text": "D003", "empty-text": "D003", "bad-date": "D003", "bad-confidence": "D003",
    "bad-importance": "D003", "bad-agent": "D003", "bad-id": "D003",
    "duplicate-id": "D004", "invalid-utf8": "D005", "bad-change": "D012",
}
_OF_HEADER = {**_BY_PARSER, "bad-slug": "D001", "bad-date": "D001"}  # the parsers call these the same in an event line
REVIEW_DAYS = 14
LONG_MEMORY = 150


@dataclass(frozen=True, slots=True)
class Seen:
    """What the checks look at. `silent` are jobs that have not run for long; `review` holds open items."""

    topics: Sequence[TopicFile] = ()
    infos: Sequence[TopicInfo] = ()
    events: Sequence[EventFile] = ()
    index: str | None = None  # index.md as it stands, None if missing
    wanted_index: str = ""  # as it would be generated
    memory: str | None = None  # MEMORY.md
    review: Sequence[Mapping[str, object]] = ()
    silent: Sequence[Silent] = ()
    chain: Sequence[Problem] = ()
    ledger: Sequence[Problem] = ()
    tiers: Sequence[Problem] = ()  # what the rules of protocols.md, active.md and archive.md say
    paths: Sequence[str] = ()
    today: date = date.min


def examine(seen: Seen) -> tuple[Problem, ...]:
    """All findings, by place."""
    found: list[Problem] = []
    for topic in seen.topics:
        found += (_coded(problem, _OF_HEADER) for problem in topic.problems)
    for day in seen.events:
        found += (_coded(problem, _BY_PARSER) for problem in day.problems)
    found += _counts(seen)
    found += _facts(seen)
    found += _index(seen)
    found += _loose_slugs(seen)
    found += _waiting(seen)
    found += _silent(seen)
    found += (Problem(p.where, "D010", p.message) for p in seen.chain)
    found += (Problem(p.where, "D014", p.message) for p in seen.ledger)
    found += (Problem(p.where, "D016", f"{p.message} ({p.code})") for p in seen.tiers if p.code != "invalid-utf8")
    found += _memory(seen)
    found += _copies(seen)
    return tuple(sorted(found, key=lambda p: (_place(p.where), p.code)))


def _place(where: str) -> tuple[str, int]:
    path, _, line = where.rpartition(":")
    return (path, int(line)) if line.isdecimal() else (where, 0)


def _coded(problem: Problem, codes: Mapping[str, str]) -> Problem:
    code = codes.get(problem.code, "D001")
    return Problem(problem.where, code, f"{problem.message} ({problem.code})")


def _counts(seen: Seen) -> Iterable[Problem]:
    for file in seen.topics:
        for key, (line, right) in stale_counts(file).items():
            yield Problem(f"{file.path}:{line}", "D017", f"`{key}` should be {right}; the next curation of the topic sets it")


def _facts(seen: Seen) -> Iterable[Problem]:
    first: dict[str, str] = {}
    for file in seen.topics:
        for fact in file.facts:
            where = f"{fact.path}:{fact.line}"
            if fact.id and first.setdefault(fact.id, where) != where:
                if not any(p.where == where and p.code == "duplicate-id" for p in file.problems):
                    yield Problem(where, "D004", f"the fact {fact.id} stands at {first[fact.id]} already; the next curation gives one a new id")
                continue
    texts: dict[tuple[str, str], str] = {}
    for file in seen.topics:
        for fact in file.facts:
            where = f"{fact.path}:{fact.line}"
            key = (file.slug, " ".join(fact.text.casefold().split()))
            if texts.setdefault(key, where) != where:
                yield Problem(where, "D015", f"the same statement stands at {texts[key]}; delete one by hand")


def _index(seen: Seen) -> Iterable[Problem]:
    if seen.infos and seen.index is None:
        yield Problem("memory/index.md:1", "D006", "there is no topic index; run curate_nightly.py or memory_cli.py init")
    elif seen.index is not None and seen.index != seen.wanted_index:
        at = next(
            (n for n, (a, b) in enumerate(zip(seen.index.split("\n"), seen.wanted_index.split("\n"), strict=False), 1) if a != b),
            min(seen.index.count("\n"), seen.wanted_index.count("\n")) + 1,
        )
        yield Problem(f"memory/index.md:{at}", "D006", "the index does not match the topics; curate_nightly.py makes it anew, edits belong into the topic's header")


def _loose_slugs(seen: Seen) -> Iterable[Problem]:
    known = {name for one in seen.infos for name in (one.slug, *one.aliases)} | {GENERAL}
    loose: Counter[str] = Counter()
    where: dict[str, str] = {}
    for file in seen.events:
        for event in file.events:
            if event.slug not in known:
                loose[event.slug] += 1
                where.setdefault(event.slug, f"{event.path}:{event.line}")
    for slug, number in sorted(loose.items()):
        yield Problem(where[slug], "D007", f"{number} events name the topic {slug}, which has no file; `memory_cli.py topic new {slug}` opens it")


def _waiting(seen: Seen) -> Iterable[Problem]:
    limit = (seen.today - timedelta(days=REVIEW_DAYS)).isoformat()
    old = [item for item in seen.review if max(str(item.get("created", "")), str(item.get("until", ""))) < limit]
    if old:
        yield Problem(".silo/review.jsonl:1", "D008", f"{len(old)} review items wait since before {limit}; `memory_cli.py review list`")


def _silent(seen: Seen) -> Iterable[Problem]:
    for one in seen.silent:
        when = f"is on record for {one.day}, which has not come yet (a clock was wrong)" if one.ahead else f"last ran on {one.day}"
        yield Problem(".silo/state.db:1", "D009", f"{one.job} {when}; look at its schedule, or run it by hand")


def _memory(seen: Seen) -> Iterable[Problem]:
    if seen.memory is None:
        return
    lines = len(seen.memory.rstrip("\n").split("\n"))
    if lines > LONG_MEMORY:
        yield Problem(f"MEMORY.md:{LONG_MEMORY + 1}", "D011", f"MEMORY.md has {lines} lines; the host cuts long files off: organize it into topics and tiers")


def _copies(seen: Seen) -> Iterable[Problem]:
    ids = {file.path: {fact.id for fact in file.facts if fact.id} for file in seen.topics}
    for path, original in copies_among(seen.paths):
        lacking = sorted(ids.get(path, set()) - ids.get(original, set()))
        more = f"; {original} lacks its facts {', '.join(lacking[:5])}{' …' if len(lacking) > 5 else ''}" if lacking else ""
        yield Problem(f"{path}:1", "D013", f"a syncing program left this copy of {original}{more}: bring over what it lacks, delete the copy")
