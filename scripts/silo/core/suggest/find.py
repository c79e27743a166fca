"""From unfiled events to suggested topics: existing topics, themes, shared words, all of it together, then the names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from silo.core.suggest.covered import covered_themes, topic_scores
from silo.core.suggest.groups import LEAST, themed
from silo.core.suggest.joined import joined, proper
from silo.core.suggest.lines import Line, read_lines
from silo.core.suggest.naming import Name, name_of
from silo.core.suggest.refine import refined
from silo.core.suggest.shared import leftover, meant, rare_words, recurring, shared
from silo.model import GENERAL, Event, TopicInfo
from silo.text.themes import Theme, Themes

MANY = 4  # so many lines of one theme are no chance
_NEARER = 1.2  # how much more a near theme must be spoken of to give the name
_OWN = 9.0  # a line under a name of its own belongs to that name, whatever it says


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A topic that the events would make. `words` are what they share, as they were written; events oldest first."""

    slug: str
    title: str
    type: str
    why: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    ids: tuple[str, ...]
    events: tuple[Event, ...]


def suggest(events: Iterable[Event], topics: Iterable[TopicInfo], themes: Themes) -> tuple[Suggestion, ...]:
    """Suggested topics, the largest first. The order in which events and topics are given makes no difference."""
    known = sorted(topics, key=lambda topic: topic.slug)
    lines = read_lines(events, themes)
    if len(lines) < LEAST:
        return ()
    own = _own_slugs(lines)
    taken = topic_scores(lines, [*known, *(TopicInfo(slug) for slug in own)], themes)
    for place, slug in enumerate(own, len(known)):
        for at, line in enumerate(lines):
            if line.event.slug == slug:
                taken[-2 - place][at] = _OWN
    named = proper(lines)
    rare = rare_words(lines, themes, named)
    given = themed(lines, themes, taken, [rare[root] for root in sorted(named & rare.keys())])
    for _ in range(3):
        given |= joined(lines, given, rare, named, themes)
    topical = frozenset(range(-1 - len(known), -1))
    own_names = frozenset(range(-1 - len(known) - len(own), -1 - len(known)))
    given |= shared(lines, given, rare, topical | own_names, -2 - len(known) - len(own))
    given = refined(lines, given, rare, named, themes, topical, own_names)
    given |= meant(lines, given, themes)
    count = Counter(given.values())
    given = {at: number for at, number in given.items() if number < 0 or count[number] >= LEAST}
    groups: dict[int, list[int]] = defaultdict(list)
    for at, number in sorted(given.items()):
        if number >= 0 or number <= -2 - len(known):
            groups[number].append(at)
    covered = {number for topic in known for number in covered_themes(topic, themes)}
    found = [(number, members) for number, members in groups.items() if number not in covered]
    found += [(-1, list(members)) for members in leftover(lines, given, rare)]
    good = [
        (number, members)
        for number, members in found
        if _enough(inside := [lines[at] for at in members]) and (number < 0 or _coheres(inside, number, themes))
    ]
    names = {-2 - place: slug for place, slug in enumerate(own, len(known))}
    return _named(lines, good, themes, {topic.slug for topic in known}, names, frozenset(recurring(lines, themes)))


def _own_slugs(lines: tuple[Line, ...]) -> list[str]:
    """Names without a topic file that somebody gave to lines already: two lines of one name are a beginning."""
    count = Counter(line.event.slug for line in lines if line.event.slug != GENERAL)
    return sorted(slug for slug, number in count.items() if number >= 2)


def _enough(lines: list[Line]) -> bool:
    return len(lines) >= LEAST and any(line.states for line in lines)


def _coheres(lines: list[Line], number: int, themes: Themes) -> bool:
    """Whether a few lines have more in common than one word each, met by chance: two words in a line, or one in two."""
    if len(lines) >= MANY:
        return True
    shown = [themes.words_of(line.said, number) for line in lines]
    count = Counter(word for words in shown for word in words)
    return any(len(words) >= 2 for words in shown) or any(times >= 2 for times in count.values())


def _named(
    lines: tuple[Line, ...],
    groups: list[tuple[int, list[int]]],
    themes: Themes,
    used: set[str],
    given: Mapping[int, str],
    recurs: frozenset[str],
) -> tuple[Suggestion, ...]:
    """The groups with their names; no two of one name, none named like an existing topic."""
    out: list[Suggestion] = []
    used |= set(given.values())
    groups.sort(key=lambda group: (-len(group[1]), lines[group[1][0]].event.date, lines[group[1][0]].id))
    for number, members in groups:
        inside = [lines[at] for at in members]
        outside = [line for at, line in enumerate(lines) if at not in set(members)]
        own = given.get(number)
        free = used - {own} if own else used
        name: Name | None = name_of(inside, outside, _theme(inside, number, themes), themes, free, recurs)
        if own:
            words, names = (name.words, name.names) if name else ((), ())
            name = Name(own, own.replace("-", " ").capitalize(), name.type if name else "project", words, names)
        if name is None:
            continue
        used.add(name.slug)
        out.append(
            Suggestion(
                name.slug, name.title, name.type, _why(inside, name.words), name.words, name.names,
                tuple(line.id for line in inside), tuple(line.event for line in inside),
            )
        )  # fmt: skip
    return tuple(out)


def _theme(lines: list[Line], number: int, themes: Themes) -> Theme | None:
    """The theme that gives the name: of near ones that which the lines speak of most, if it is clear."""
    if number < 0:
        return None
    near = sorted({number, *themes.all[number].near})
    spoken = {one: sum(line.scores.get(one, 0.0) for line in lines) * (_NEARER if one == number else 1.0) for one in near}
    return themes.all[max(near, key=lambda one: (spoken[one], one == number, -one))]


def _why(lines: list[Line], words: tuple[str, ...]) -> str:
    stated = sum(line.states for line in lines)
    days = sorted(line.event.date for line in lines)
    about = f"; they speak of {', '.join(words[:5])}" if words else ""
    return f"{len(lines)} entries without a topic from {days[0]} to {days[-1]}, {stated} of them facts or decisions{about}"
