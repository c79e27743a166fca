"""What the archive holds: every logged fact that is neither warm nor forgotten, as rows; and what retention takes out.

Pure: the log, the warm set, the tombstones and the counts are given. Redacts what becomes a row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time

from silo.core.importance import FROZEN, importance, score, tier
from silo.formats.events import EventFile, event_id
from silo.model import ColdRow, Event, Tag
from silo.text.fold import fold
from silo.text.lines import content
from silo.text.redact import redact

PRIVATE = ".silo/"


def rows_of(file: EventFile, ids: Mapping[int, str] | None = None) -> Iterator[ColdRow]:
    """A day's events as rows. `ids`: line → id, of lines that carry none, as the chain adopted them; else computed."""
    seen: dict[tuple[str, Tag, str], int] = {}
    private = file.path.startswith(PRIVATE)
    for event in file.events:
        key = (event.agent, event.tag, fold(event.text))
        nth = seen.get(key, 0)
        seen[key] = nth + 1
        ident = event.id or (ids or {}).get(event.line) or event_id(event.agent, event.date, event.tag, event.text, nth)
        yield row(event, ident, content(file.lines[event.line - 1]), private=private)


def row(event: Event, ident: str, line: str, *, private: bool) -> ColdRow:
    """The row of one event; `line` is its log line without its end."""
    text, found = redact(event.text)
    # What stands around the text is short, and looked through alone where the text holds nothing: half the time.
    clean = line if not found and not redact(line.replace(event.text, "", 1))[1] else redact(line)[0]
    return ColdRow(
        id=ident,
        agent_id=event.agent,
        text=text,
        category=event.category or event.slug,
        importance=importance(event.tag, event.confidence, event.importance),
        created_at=noon(event.date),
        tag=event.tag.value,
        topic=event.slug,
        date=event.date,
        confidence=event.confidence.value,
        source=event.source,
        line=clean,
        place=event.line,
        private=private,
    )


def noon(day: str) -> int:
    """Noon UTC of a day in seconds since 1970: the same day in nearly every zone."""
    return int(datetime.combine(date.fromisoformat(day), time(12), UTC).timestamp())


def cold(rows: Iterable[ColdRow], warm: Mapping[str, Collection[str]], forgotten: Collection[str]) -> Iterator[ColdRow]:
    """The rows that are neither in the warm set of their agent nor forgotten."""
    return (row for row in rows if row.id not in forgotten and row.id not in warm.get(row.agent_id, ()))


def expired(
    rows: Iterable[ColdRow], *, today: date, years: float, count_of: Callable[[str], int], kept: Collection[str] = ()
) -> tuple[ColdRow, ...]:
    """The rows that retention takes out: frozen, and older than so many years; those of `kept` stay (facts rest on them)."""
    limit = _years_before(today, years).isoformat()
    return tuple(
        row
        for row in rows
        if row.date < limit and row.id not in kept and tier(score(row.importance, row.date, today, count_of(row.id))) == FROZEN
    )


def _years_before(today: date, years: float) -> date:
    whole, rest = int(years), years - int(years)
    year = max(1, today.year - whole)
    try:
        back = today.replace(year=year)
    except ValueError:  # 29 February
        back = today.replace(year=year, day=28)
    return date.fromordinal(max(1, back.toordinal() - round(rest * 365.25)))
