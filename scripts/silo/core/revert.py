"""A run's part taken out of a topic file that has changed since: by fact id first, by line second.

The changelog is never rewritten: what the run had told stays, and each fact that changes back gets an entry of its own
that says so. A fact that somebody changed after the run stays as it is and is told as a clash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from silo.core.facts import Add, End, Op, Set, apply_ops, named_facts, read_topic, shown
from silo.core.history import replay, state_of
from silo.formats.topics import (
    TopicFile,
    add_change,
    change_id,
    insert_fact,
    parse_topic,
    remove_bullet,
    remove_source_block,
    replace_fact,
    replace_lines,
    set_header,
)
from silo.model import Fact
from silo.text.diff3 import Clash, merge

REVERTED = "reverted"
OURS = ("last_curated", "last_verified")  # header keys that every run may set


@dataclass(frozen=True, slots=True)
class Reverted:
    """The topic's text without the run's part, its base copy likewise, and where that was not possible."""

    text: str
    base: str | None
    clashes: tuple[Clash, ...]


@dataclass(frozen=True, slots=True)
class _Bullet:
    """A fact with its id and the lines that say it."""

    fact: Fact
    lines: str
    explicit: bool  # the id stands in the lines


def revert(before: str, made: str, now: str, base: str | None, *, path: str, reason: str, today: str, at: str) -> Reverted | None:
    """`now` without what turned `before` into `made`; None where a file's markers are damaged.

    `base` is our last write of the file: it loses the same facts as the file, so that an edit by hand that no changelog
    tells yet is still told by the next night. `reason` stands in the changelog; `today` is a day, `at` an ISO instant.
    """
    first, run, present = (read_topic(text, path) for text in (before, made, now))
    if not (first.editable and run.editable and present.editable):
        return None
    now = _with_name(_with_own_ids(present), first, run)
    present = read_topic(now, path)
    taken = _Taken(path, first, run, _bullets(first), _bullets(run))
    back, clashes = taken.sides(_bullets(present))
    rest = _with_the_rest(first, run, taken.stripped(), present)
    plain = taken.out_of(made, taken.changed)
    merged = merge(plain, rest, taken.out_of(now, back))
    if not read_topic(merged.text, path).editable:
        return None
    bare = taken.with_ended(merged.text, back)
    ops = _told(present, read_topic(bare, path), reason)
    text = apply_ops(bare, ops, path=path, today=today, at=at)
    left = None if base is None else _as_told(text, base, path)
    return Reverted(text, left, (*clashes, *merged.clashes))


def _as_told(text: str, base: str, path: str) -> str:
    """The text with the facts that its changelog tells of: those of our last write, and what the entries since then say.
    Compared with it, an edit by hand that no entry tells yet is one for the next night."""
    last, present = read_topic(base, path), read_topic(text, path)
    known = {replace(entry, line=0) for entry in last.changes}
    told = replay(state_of(last), [entry for entry in present.changes if replace(entry, line=0) not in known])
    for fact in reversed(named_facts(present)):
        said = told.pop(fact.id, None)
        if said is None:
            text = remove_bullet(text, fact.line)
        elif said != shown(fact):
            text = replace_fact(text, fact.line, _saying(fact, said))
    for fact in named_facts(last):
        said = told.pop(fact.id, None)
        if said is not None:
            text = insert_fact(text, _saying(fact, said), fact.heading)
    for ident, said in told.items():
        text = insert_fact(text, _saying(Fact(present.slug, "", ident), said))
    return text


def _saying(fact: Fact, said: str) -> Fact:
    """The fact as the changelog shows it: its check box, then its text."""
    boxed = said[:4] in ("[ ] ", "[x] ")
    return replace(fact, text=said[4:] if boxed else said, done=said.startswith("[x] ") if boxed else None)


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a run did to the facts and source blocks of a file, to be taken out of a text."""

    path: str
    first: TopicFile
    run: TopicFile
    old: Mapping[str, _Bullet]
    new: Mapping[str, _Bullet]

    @property
    def named(self) -> dict[str, str]:
        """Facts that the run only gave an id (a line by hand, a copy), which they keep: the old one → the new one."""
        return {was: ident for was, ident in self._renamed().items() if ident in self._told(self.run)}

    @property
    def unnamed(self) -> dict[str, str]:
        """Facts that the run, an undo, only took such an id from, which they get again."""
        return {was: ident for was, ident in self._renamed().items() if ident not in self._told(self.run)}

    @staticmethod
    def _told(file: TopicFile) -> set[str]:
        return {ident for entry in file.changes for ident in entry.facts}

    def _renamed(self) -> dict[str, str]:
        """Bullets that say the same and have another id, or have one only now."""
        gone = [ident for ident in self.old if ident not in self.new]
        found: dict[str, str] = {}
        for ident, bullet in self.new.items():
            had = self.old.get(ident)
            same = gone if had is None else [ident] if bullet.explicit and not had.explicit else []
            was = next((one for one in same if shown(self.old[one].fact) == shown(bullet.fact)), None)
            if was is not None:
                found[was] = ident
                gone = [one for one in gone if one != was]
        return found

    @property
    def changed(self) -> list[str]:
        """The ids of the facts that the run changed, those that it ended last."""
        named = self._renamed()
        given = set(named.values())
        ids = [ident for ident, one in self.new.items() if ident not in given and (ident not in self.old or self.old[ident].lines != one.lines)]
        return [*ids, *(ident for ident in self.old if ident not in self.new and ident not in named)]

    def sides(self, held: Mapping[str, _Bullet]) -> tuple[list[str], list[Clash]]:
        """The facts that can go back, and a clash for each that somebody changed after the run."""
        back: list[str] = []
        clashes: list[Clash] = []
        for ident in self.changed:
            was, is_, there = self.old.get(ident), self.new.get(ident), held.get(ident)
            if _same(there, is_):
                back.append(ident)
            elif not _same(there, was):
                sides = ("" if one is None else one.lines for one in (is_, was, there))
                clashes.append(Clash(1 if there is None else there.fact.line, *sides))
        return back, clashes

    def out_of(self, text: str, ids: Iterable[str]) -> str:
        """The text in which these facts are gone again or say what they said, and without the run's source blocks."""
        for ident in ids:
            if ident in self.new:
                text = _back(text, self.path, ident, self.old.get(ident), self.new[ident])
        for was, ident in self.unnamed.items():
            held = _bullets(read_topic(text, self.path)).get(ident)
            text = change_id(text, held.fact.line, was) if held is not None and held.explicit else text
        had = {block.text for block in self.first.blocks}
        for wanted in (block.text for block in self.run.blocks if block.text not in had):
            block = next((one for one in read_topic(text, self.path).blocks if one.text == wanted), None)
            text = text if block is None else remove_source_block(text, block)
        return text

    def stripped(self) -> str:
        """The text before the run without the facts that it ended, which go back by their id and not by their lines, and
        with the ids that it gave, which stay."""
        ended, named = set(self.changed) - self.new.keys(), self.named
        lines = list(self.first.lines)
        for fact, bullet in reversed(tuple(zip(named_facts(self.first), self.first.bullets, strict=True))):
            if fact.id in ended:
                lines[bullet.start : bullet.end] = []
            elif fact.id in named:
                lines[bullet.start : bullet.end] = [self.new[named[fact.id]].lines]
        return "".join(lines)

    def with_ended(self, text: str, ids: Iterable[str]) -> str:
        """The text with those of the facts that the run ended."""
        for ident in (one for one in ids if one not in self.new):
            was = self.old[ident].fact
            text = text if ident in _facts(read_topic(text, self.path)) else insert_fact(text, was, was.heading)
        return text


def _with_name(text: str, first: TopicFile, run: TopicFile) -> str:
    """The text under the name that the run gave the topic, if it gave one, so that the old name comes back whatever name came
    later. Those names still lead to the topic: the log may know it by them."""
    old, new = first.header.text("topic"), run.header.text("topic")
    header = parse_topic(text).header
    if new in ("", old) or header.entry("topic") is None:
        return text
    known = dict.fromkeys([*header.list("aliases"), new, header.text("topic")])
    return set_header(set_header(text, "topic", new), "aliases", tuple(name for name in known if name != old))


def _with_own_ids(file: TopicFile) -> str:
    """The text in which a copied bullet has an id of its own, or it would be taken for the other one when that goes."""
    text = "".join(file.lines)
    for raw, fact in zip(file.facts, named_facts(file), strict=True):
        if raw.id and raw.id != fact.id:
            text = change_id(text, fact.line, fact.id)
    return text


def _bullets(file: TopicFile) -> dict[str, _Bullet]:
    return {
        fact.id: _Bullet(fact, "".join(file.lines[bullet.start : bullet.end]), bullet.fact.id == fact.id)
        for fact, bullet in zip(named_facts(file), file.bullets, strict=True)
    }


def _same(one: _Bullet | None, other: _Bullet | None) -> bool:
    """Whether both say the same; marks such as `seen` move without a word."""
    if one is None or other is None:
        return one is other
    return shown(one.fact) == shown(other.fact)


def _back(text: str, path: str, ident: str, was: _Bullet | None, is_: _Bullet) -> str:
    """The text with one fact as it was before the run."""
    held = _bullets(read_topic(text, path)).get(ident)
    if held is None:
        return text
    if was is None:
        return remove_bullet(text, held.fact.line)
    if held.lines == is_.lines:
        return replace_lines(text, held.fact.line, was.lines)
    return replace_fact(text, held.fact.line, replace(was.fact, seen=max(was.fact.seen, held.fact.seen)))


def _with_the_rest(first: TopicFile, run: TopicFile, before: str, present: TopicFile) -> str:
    """The text before the run with the run's changelog entries, and with the header dates that a later run set."""
    for key in OURS:
        if present.header.text(key) != run.header.text(key) and run.header.text(key):
            before = set_header(before, key, run.header.text(key))
    known = {replace(entry, line=0) for entry in first.changes}
    for entry in reversed(run.changes):
        if replace(entry, line=0) not in known:
            before = add_change(before, entry)
    return before


def _told(present: TopicFile, after: TopicFile, reason: str) -> list[Op]:
    """The entries for what is different now."""
    was, now = _facts(present), _facts(after)
    ops: list[Op] = []
    for ident, fact in was.items():
        new = now.get(ident)
        if new is None:
            ops.append(End(ident, reason, REVERTED, by_hand=True, old=shown(fact), since=fact.since))
        elif shown(new) != shown(fact):
            ops.append(Set(ident, new.text, REVERTED, reason, by_hand=True, old=shown(fact), done=new.done))
    return [*ops, *(Add(fact, field=REVERTED, reason=reason, by_hand=True) for ident, fact in now.items() if ident not in was)]


def _facts(file: TopicFile) -> Mapping[str, Fact]:
    return {fact.id: fact for fact in named_facts(file)}
