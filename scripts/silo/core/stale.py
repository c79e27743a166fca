"""What has not been confirmed for long: topics and facts, by the type of the topic. Archived topics never. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from silo.core.facts import named_facts
from silo.formats.topics import TopicFile, info
from silo.model import Fact, TopicInfo

DEFAULT_DAYS: Mapping[str, int] = {"project": 30, "business": 30, "hobby": 60, "personal": 60, "reference": 60}


@dataclass(frozen=True, slots=True)
class StaleFact:
    """A fact and the day on which it was last confirmed, '' where nobody knows; `days` since then."""

    fact: Fact
    seen: str
    days: int


@dataclass(frozen=True, slots=True)
class StaleTopic:
    """A topic with facts that wait for a confirmation, longest first. `overdue`: the topic as a whole does too."""

    info: TopicInfo
    limit: int
    days: int
    overdue: bool
    facts: tuple[StaleFact, ...]


def days_since(day: str, today: date) -> int | None:
    """Days from a day (YYYY, YYYY-MM or YYYY-MM-DD, its end) to today; None where it is no day."""
    whole = {4: f"{day}-12-31", 7: f"{day}-28"}.get(len(day), day)
    try:
        known = date.fromisoformat(whole)
    except ValueError:
        return None
    return max((today - known).days, 0)


def stale_info(one: TopicInfo, today: date, limits: Mapping[str, int]) -> bool:
    """Whether a topic as a whole was last verified too long ago."""
    days = days_since(one.last_verified, today)
    return one.status != "archived" and days is not None and days > limits.get(one.type, 60)


def stale(topics: Iterable[TopicFile], today: date, limits: Mapping[str, int]) -> tuple[StaleTopic, ...]:
    """Topics with something stale, the stalest first. A to-do is none of these: it is open or it is done.

    A fact counts from the day it was last said (`seen`), else since when it holds, else from the topic's last_verified.
    """
    found: list[StaleTopic] = []
    for file in topics:
        one = info(file)
        if one.status == "archived":
            continue
        limit = limits.get(one.type, 60)
        of_topic = one.last_verified or file.header.text("created")
        facts: list[StaleFact] = []
        for fact in named_facts(file):
            seen = max(fact.seen, fact.since) or of_topic
            days = days_since(seen, today)
            if fact.done is None and days is not None and days > limit:
                facts.append(StaleFact(fact, seen, days))
        days = days_since(of_topic, today) or 0
        overdue = stale_info(one, today, limits)
        if facts or overdue:
            facts.sort(key=lambda stale: (-stale.days, stale.fact.line))
            found.append(StaleTopic(one, limit, days, overdue, tuple(facts)))
    return tuple(sorted(found, key=lambda topic: (-max([topic.days if topic.overdue else 0, *(f.days for f in topic.facts)]), topic.info.slug)))
