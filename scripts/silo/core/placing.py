"""Where a new fact belongs in a topic, and the source block that shows what it rests on.

Headings are the person's: an existing one that fits is taken, and only the to-do section is ever made by name. Changes no
text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from silo.formats.topics import TopicFile, render_block
from silo.model import Event, Tag
from silo.text.fold import fold
from silo.text.lines import encode, one_line
from silo.text.tokens import terms

OPEN = "Open"
EXCERPT_BYTES = 2048
SUMMARY_LINES = 3
TITLE_LENGTH = 60

# Headings that people use for a kind of fact, folded; the first is what we would write.
_BY_TAG: dict[Tag, tuple[str, ...]] = {
    Tag.DECISION: ("decisions", "decisoes", "decision", "decisao"),
    Tag.PROCEDURE: ("procedures", "how to", "how-to", "howto", "protocols", "procedimentos", "como fazer", "passo a passo"),
    Tag.TODO: ("open", "open points", "to do", "todo", "to-do", "todos", "tasks", "em aberto", "pendencias", "tarefas", "a fazer", "aberto"),
}
_PLAIN = ("facts", "fatos", "factos")

Quotes = Callable[[Event], Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Section:
    heading: str
    words: frozenset[str]


def heading_for(topic: TopicFile, tag: Tag, text: str) -> str:
    """The heading under which the fact is inserted; '' leaves it to the default ("Facts", else the first one in use)."""
    sections = [
        _Section(h.text, frozenset(terms(h.text))) for h in topic.headings if h.at != topic.changelog and h.level > 1
    ]
    for wanted in _BY_TAG.get(tag, ()):
        for section in sections:
            if fold(section.heading) == wanted:
                return section.heading
    if tag is Tag.TODO:
        return OPEN
    taken = {name for names in _BY_TAG.values() for name in names} | set(_PLAIN)
    said = frozenset(terms(text))
    fitting = [(len(s.words & said), s.heading) for s in sections if s.words & said and fold(s.heading) not in taken]
    if fitting:
        return max(fitting, key=lambda fit: fit[0])[1]
    plain = next((s.heading for s in sections if fold(s.heading) in _PLAIN), "")
    if plain:
        return plain
    first = next((s.heading for s in sections if fold(s.heading) not in _BY_TAG[Tag.TODO]), "")
    return "" if any(bullet.fact.done is None for bullet in topic.bullets) else first


def source_blocks(events: Iterable[Event], quotes: Quotes) -> tuple[str, ...]:
    """One block for each session from which facts of the night came, oldest first; events without a session have none."""
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        session = event.source.partition("#")[0]
        if "/" in session:
            groups.setdefault((event.date, session), []).append(event)
    return tuple(_block(date, found, quotes) for (date, _), found in sorted(groups.items()))


def _block(date: str, events: Sequence[Event], quotes: Quotes) -> str:
    title = _short(events[0].text)
    excerpt = list(dict.fromkeys(one_line(line) for event in events for line in quotes(event)))
    return render_block(date, title, [e.text for e in events[:SUMMARY_LINES]], _fitting(excerpt))


def _short(text: str) -> str:
    if len(text) <= TITLE_LENGTH:
        return text.rstrip(".")
    cut = text[: TITLE_LENGTH - 1].rpartition(" ")[0] or text[: TITLE_LENGTH - 1]
    return cut.rstrip(" ,;:.") + "…"


def _fitting(lines: Sequence[str]) -> list[str]:
    """Whole lines up to 2 KB; a first line that is longer is cut between words."""
    kept: list[str] = []
    left = EXCERPT_BYTES
    for line in lines:
        size = len(encode(line)) + 3
        if size > left:
            if not kept:
                kept.append(_cut(line, left - 6))
            break
        kept.append(line)
        left -= size
    return kept


def _cut(line: str, size: int) -> str:
    bare = encode(line)[:size].decode("utf-8", "ignore")
    return (bare.rpartition(" ")[0] or bare) + " …"
