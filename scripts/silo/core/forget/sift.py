"""A file that comes from elsewhere, without what was forgotten here: told by the tombstones' hashes, line by line."""

from __future__ import annotations

from dataclasses import dataclass, field

from silo.core.forget.choose import Gone, Wanted
from silo.core.forget.tombs import Tombs
from silo.core.forget.topics import without_facts
from silo.core.forget.values import without_entities, without_values
from silo.core.forget.words import Words
from silo.formats.topics import parse_topic


@dataclass(slots=True)
class _Known(Words):
    """Words that are known by their hashes alone: a text is one of them as a whole, or not at all."""

    tombs: Tombs = field(default_factory=Tombs)

    def held(self, text: str) -> bool:
        return bool(text) and self.tombs.said(text)


def sifted(text: str, path: str, kind: str, tombs: Tombs) -> tuple[str, int]:
    """(the file without what was forgotten, how many places went). `kind`: topics, graph, hot, tree."""
    if not tombs:
        return text, 0
    gone = Gone(Wanted(), words=_Known(tombs=tombs))
    if kind == "topics":
        for fact in parse_topic(text, path).facts:
            if tombs.said(fact.text) or (fact.id and tombs.names(fact.id)):
                gone.facts[path, fact.line] = fact
                gone.ids.add(fact.id)
        gone.ids.discard("")
        left = without_facts(text, path, gone)
    elif kind == "graph":
        left = without_entities(text, path, gone)
    else:
        left = without_values(text, path, gone, kind)
    return (text if left.text is None else left.text), len(left.hits)
