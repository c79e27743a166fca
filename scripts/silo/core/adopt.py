"""Hand edits of a topic file since our last write, as changes that the changelog is to tell.

The base copy is compared with the file as it is: by fact id first, by words and place second. The edit itself stays as it
is; only a comment that got lost comes back, a copied id gives way to a new one, and a new line gets its own.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from silo.core.facts import BY_HAND, TYPED, Add, End, Op, Set, bare, named_facts, shown
from silo.formats.topics import TopicFile, attach_id, change_id, hand_fact_id, parse_topic, set_mark
from silo.model import Fact
from silo.text.fold import fold

RENAMED = 0.5  # share of the facts that we wrote under a name from which another file counts as that one, renamed
ALIKE = 0.6  # share of equal characters from which a bullet without id counts as an edited one


@dataclass(frozen=True, slots=True)
class Adoption:
    """The operations that tell the edits, the file with lost comments back, and the facts that were edited."""

    text: str
    ops: tuple[Op, ...]
    edited: frozenset[str]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the other topics hold, as fact id → slug: now, and at our last write of them. An id of `theirs` stands in
    this topic only as a copy. `edited`: fact id → the day since when it says what it says."""

    now: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)
    theirs: frozenset[str] = frozenset()
    edited: Mapping[str, str] = field(default_factory=dict)


_NOWHERE = Elsewhere()


def whereabouts(now: Mapping[str, TopicFile], before: Mapping[str, TopicFile]) -> dict[str, Elsewhere]:
    """For each topic (slug → file as it is, and as we last wrote it) what the others hold. Where an id stands in several,
    it belongs to the one that had it."""
    here, had = _holders(now), _holders(before)
    edited = _edited(before.values())
    owner = {ident: next((slug for slug in slugs if slug in had.get(ident, ())), slugs[0]) for ident, slugs in here.items()}
    return {
        slug: Elsewhere(
            {ident: owner[ident] for ident in here if owner[ident] != slug},
            {ident: slugs[0] for ident, slugs in had.items() if slug not in slugs},
            frozenset(ident for ident, slugs in here.items() if slug in slugs and owner[ident] != slug),
            edited,
        )
        for slug in now
    }


def _edited(files: Iterable[TopicFile]) -> dict[str, str]:
    """Fact → the day since when it says what it says, where the changelog tells."""
    found: dict[str, str] = {}
    for file in files:
        for entry in file.changes:
            if entry.op == "set":
                since = entry.valid[1] or entry.date
                found.update((ident, max(since, found.get(ident, ""))) for ident in entry.facts)
    return found


def renamed(now: Iterable[TopicFile], left: Iterable[TopicFile]) -> dict[str, str]:
    """Files that a hand has renamed: path → the path at our last write. `now` are files that we have not written under
    their name, `left` what we wrote under names that have no file. Told by the facts, or by the header's old name."""
    found: dict[str, str] = {}
    free = {file.path: file for file in left}
    for file in now:
        ids = _ids(file)
        header = file.header.text("topic") or file.header.text("slug")
        fits = [(header == old.slug, _share(ids, _ids(old)), path) for path, old in free.items()]
        best = max((fit for fit in fits if fit[0] or fit[1] >= RENAMED), key=lambda fit: fit[:2], default=None)
        if best is not None:
            found[file.path] = best[2]
            del free[best[2]]
    return found


def _ids(file: TopicFile) -> set[str]:
    return {fact.id for fact in named_facts(file)} | {ident for entry in file.changes for ident in entry.facts}


def _share(ids: set[str], old: set[str]) -> float:
    return len(ids & old) / len(old) if old else 0.0


def _holders(files: Mapping[str, TopicFile]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for slug, file in files.items():
        for ident in dict.fromkeys(fact.id for fact in file.facts if fact.id):
            found.setdefault(ident, []).append(slug)
    return found


def adopt(base: TopicFile, now: TopicFile, elsewhere: Elsewhere = _NOWHERE) -> Adoption:
    """What a hand changed between `base` and `now`."""
    before = {fact.id: fact for fact in named_facts(base)}
    explicit = {fact.id for fact in base.facts if fact.id}
    text, found = _restored(before, explicit, base, now, elsewhere)
    old_entries = {replace(entry, line=0) for entry in base.changes}  # a line above them may have come or gone
    told = {ident for entry in now.changes if replace(entry, line=0) not in old_entries for ident in entry.facts}
    ops: list[Op] = []
    edited: set[str] = set()
    for ident, old in before.items():
        fact = found.get(ident)
        if ident in told or (fact is not None and _same(old, fact)):
            continue
        edited.add(ident)
        if fact is None:
            ops.append(_ended(old, elsewhere.now.get(ident, "")))
        else:
            what = "done" if old.done != fact.done and bare(old.text) == bare(fact.text) else "edited"
            ops.append(Set(ident, fact.text, what, BY_HAND, by_hand=True, old=shown(old), done=fact.done))
    ids = {*before, *(ident for entry in now.changes for ident in entry.facts), *elsewhere.now, *elsewhere.before}
    text, came = _arrived(text, now.path, {fact.line for fact in found.values()}, elsewhere, ids)
    for ident in came:
        if ident in told:
            continue
        source = elsewhere.before.get(ident, "")
        edited.add(ident)
        since = elsewhere.edited.get(ident, "") if source else ""
        ops.append(Add(Fact(now.slug, "", ident, since), field="moved" if source else TYPED, reason=_from(source), by_hand=True))
    return Adoption(text, tuple(ops), frozenset(edited))


def _from(slug: str) -> str:
    return f"{BY_HAND}, from {slug}" if slug else BY_HAND


def _same(old: Fact, new: Fact) -> bool:
    return bare(old.text) == bare(new.text) and old.done == new.done


def _ended(old: Fact, moved: str) -> End:
    reason = f"{BY_HAND}, to {moved}" if moved else BY_HAND
    return End(old.id, reason, "moved" if moved else "removed", by_hand=True, old=shown(old), since=old.since, op="move" if moved else "end")


def _restored(
    before: Mapping[str, Fact], explicit: set[str], base: TopicFile, now: TopicFile, elsewhere: Elsewhere
) -> tuple[str, dict[str, Fact]]:
    """The present facts by the base's ids. A bullet that lost its comment is found again by its words, and gets it back;
    not where the comment stands in another topic now, which is then the same fact, carried there."""
    there = named_facts(now)
    found = {fact.id: fact for fact in there if fact.id in before and fact.id not in elsewhere.theirs}
    missing = [fact for ident, fact in before.items() if ident not in found and ident not in elsewhere.now]
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


def _arrived(text: str, path: str, matched: Collection[int], elsewhere: Elsewhere, taken: set[str]) -> tuple[str, list[str]]:
    """The text in which every bullet that is new has an id of its own, and these ids. A copied one carries the id of
    another bullet and gets its own. `matched` are the lines of the bullets that were there before."""
    came: list[str] = []
    facts = parse_topic(text, path).facts
    used = taken | {fact.id for fact in facts}
    held = {fact.id for fact in facts if fact.id and fact.line in matched}
    for fact in facts:
        if fact.line in matched:
            continue
        ident = fact.id
        if not ident or ident in held or ident in elsewhere.theirs:
            ident = next(one for nth in count() if (one := hand_fact_id(fact.slug, fact.text, nth)) not in used)
            text = change_id(text, fact.line, ident) if fact.id else attach_id(text, fact.line, ident)
        held.add(ident)
        used.add(ident)
        came.append(ident)
    return text, came
