"""Hand edits of a topic file since our last write, as changes that the changelog is to tell.

The base copy is compared with the file as it is: by fact id first, by words and place second. The edit itself stays as it
is; only a comment that got lost comes back, and a copied id gives way to a new one.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from silo.core.facts import BY_HAND, End, Name, Op, Set, bare, named_facts
from silo.formats.topics import TopicFile, attach_id, set_mark
from silo.model import Fact
from silo.text.fold import fold

ALIKE = 0.6  # share of equal characters from which a bullet without id counts as an edited one


@dataclass(frozen=True, slots=True)
class Adoption:
    """The operations that tell the edits, the file with lost comments back, and the facts that were edited."""

    text: str
    ops: tuple[Op, ...]
    edited: frozenset[str]


def adopt(base: TopicFile, now: TopicFile, elsewhere: Mapping[str, str]) -> Adoption:
    """What a hand changed between `base` and `now`. `elsewhere` tells which other topic holds a fact id now."""
    before = {fact.id: fact for fact in named_facts(base)}
    explicit = {fact.id for fact in base.facts if fact.id}
    text, found = _restored(before, explicit, base, now)
    told = {ident for entry in now.changes if entry not in base.changes for ident in entry.facts}
    ops: list[Op] = []
    edited: set[str] = set()
    for ident, old in before.items():
        fact = found.get(ident)
        if ident in told or (fact is not None and _same(old, fact)):
            continue
        edited.add(ident)
        if fact is None:
            ops.append(_ended(old, elsewhere.get(ident, "")))
        else:
            field = "done" if old.done != fact.done and bare(old.text) == bare(fact.text) else "edited"
            ops.append(Set(ident, fact.text, field, BY_HAND, by_hand=True, old=_shown(old), done=fact.done))
    ops.extend(_copies(now))
    return Adoption(text, tuple(ops), frozenset(edited))


def _same(old: Fact, new: Fact) -> bool:
    return bare(old.text) == bare(new.text) and old.done == new.done


def _shown(fact: Fact) -> str:
    box = "" if fact.done is None else "[x] " if fact.done else "[ ] "
    return box + bare(fact.text)


def _ended(old: Fact, moved: str) -> End:
    reason = f"{BY_HAND}, to {moved}" if moved else BY_HAND
    return End(old.id, reason, "moved" if moved else "removed", by_hand=True, old=_shown(old), since=old.since, op="move" if moved else "end")


def _restored(
    before: Mapping[str, Fact], explicit: set[str], base: TopicFile, now: TopicFile
) -> tuple[str, dict[str, Fact]]:
    """The present facts by the base's ids. A bullet that lost its comment is found again by its words, and gets it back."""
    there = named_facts(now)
    found = {fact.id: fact for fact in there if fact.id in before}
    missing = [fact for ident, fact in before.items() if ident not in found]
    loose = [fact for fact, raw in zip(there, now.facts, strict=True) if fact.id not in before and not raw.id]
    text = "".join(now.lines)
    for old, fact in _pairs(missing, loose, base, now):
        back = Fact(
            old.slug, fact.text, old.id, old.since, old.seen, old.source, fact.heading, fact.done, fact.extra, fact.path, fact.line
        )
        found[old.id] = back
        if old.id in explicit or not _same(old, fact):
            text = attach_id(text, fact.line, old.id)
            for key, value in (("since", old.since), ("seen", old.seen), ("src", old.source)):
                text = set_mark(text, fact.line, key, value) if value and not _mark(fact, key) else text
    return text, found


def _mark(fact: Fact, key: str) -> str:
    return {"since": fact.since, "seen": fact.seen, "src": fact.source}[key]


def _pairs(missing: list[Fact], loose: list[Fact], base: TopicFile, now: TopicFile) -> list[tuple[Fact, Fact]]:
    """Facts of the base without an id in the file, with the bullets that they most likely are: the same words first, then
    alike ones under the same heading, then alike ones anywhere."""
    pairs: list[tuple[Fact, Fact]] = []
    left, right = list(missing), list(loose)
    for rule in (_same_words, _alike_here, _alike):
        for old in list(left):
            fits = [(rule(old, new), -abs(_place(base, old) - _place(now, new)), new) for new in right if rule(old, new)]
            if fits:
                best = max(fits, key=lambda fit: fit[:2])[2]
                pairs.append((old, best))
                left.remove(old)
                right.remove(best)
    return pairs


def _place(topic: TopicFile, fact: Fact) -> int:
    """Its number among the facts, so that the nearer of two alike ones is taken."""
    return next((n for n, one in enumerate(topic.facts) if one.line == fact.line), 0)


def _same_words(old: Fact, new: Fact) -> float:
    return float(fold(old.text) == fold(new.text))


def _alike_here(old: Fact, new: Fact) -> float:
    return _alike(old, new) if fold(old.heading) == fold(new.heading) else 0.0


def _alike(old: Fact, new: Fact) -> float:
    ratio = difflib.SequenceMatcher(None, fold(old.text), fold(new.text), autojunk=False).ratio()
    return ratio if ratio >= ALIKE else 0.0


def _copies(now: TopicFile) -> list[Op]:
    """A copied bullet carries the id of the first one; it gets its own."""
    seen: set[str] = set()
    ops: list[Op] = []
    for raw, fact in zip(now.facts, named_facts(now), strict=True):
        if raw.id and raw.id in seen:
            ops.append(Name(fact.id))
        seen.add(raw.id)
    return ops
