"""What a person decides about facts: review items, corrections, confirmations. Pure: works on a desk of topic files.

The decision itself is a line of review.jsonl and stands in the changelog under the field "decided"; a statement that was
turned down is not asked again by evidence of that day or before (precedent.py looks for it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from silo.core.desk import Desk
from silo.core.facts import BY_HAND, Add, Confirm, End, Note, Op, Set, bare, named_facts, read_topic
from silo.core.placing import heading_for
from silo.core.precedent import DECIDED
from silo.core.topicnight import MOST_SOURCES
from silo.errors import BadInput
from silo.formats.fields import fields, withdrawn
from silo.formats.topics import TopicFile, fact_id
from silo.model import ChangeEntry, Event, Fact, Tag

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided of an item: accept, reject or merge; `text` is the one statement that a merge leaves."""

    action: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Case:
    """An item with what is left of its sides: `old` and `new` stand in the topic, `event` is what the new one rests on."""

    id: str
    path: str
    facts: tuple[str, ...]
    source: str
    old: Fact | None
    new: Fact | None
    event: Event | None


def settle(desk: Desk, item: Item, verdict: Verdict, events: Mapping[str, Event]) -> str:
    """The facts of a contradiction or doubt are as decided on the desk; one sentence says what that meant.

    Raises:
        BadInput: the topic has no file, or nothing is left that could be taken.
    """
    case = _case(desk, item, events)
    if case is None:
        if verdict.action == "reject":
            return "the topic has no file any more; the decision is kept"
        raise BadInput(f"the topic {item.get('topic')} has no file any more", f"memory_cli.py review reject {item['id']}")
    if not desk.topic(case.path).editable:
        raise BadInput(f"{case.path} can't be written: its markers are damaged", "memory_cli.py doctor names the lines")
    match verdict.action:
        case "accept":
            return _accept(desk, case)
        case "reject":
            return _reject(desk, case)
    return _merge(desk, case, verdict.text)


def _case(desk: Desk, item: Item, events: Mapping[str, Event]) -> _Case | None:
    ids = tuple(str(one) for one in item.get("facts", ()))
    named = tuple(str(one) for one in item.get("events", ()))
    event = next((events[one] for one in named if one in events), None)
    made = fact_id(named[0]) if named else ""
    wanted = dict.fromkeys((*ids, made))
    there = {ident: fact for ident in wanted if ident and (fact := desk.find(ident)) is not None}
    new = there.get(made) or (there.get(ids[-1]) if item.get("kind") == "contradiction" and len(ids) > 1 else None)
    old = next((there[one] for one in ids if one in there and (new is None or one != new.id)), None)
    path = new.path if new else old.path if old else desk.path_of(str(item.get("topic", "")))
    if path is None:
        return None
    old = old if old is None or old.path == path else None  # it went to another topic: none of this decision's
    return _Case(str(item["id"]), path, ids, ",".join(named), old, new, event)


def _accept(desk: Desk, case: _Case) -> str:
    if case.new is None:
        if case.event is None:
            raise BadInput(f"what {case.id} says is no longer in the log", f'memory_cli.py review merge {case.id} "what is true"')
        if withdrawn(case.event.text):
            raise BadInput("the fact says more than what was taken back", f'memory_cli.py review merge {case.id} "what is still true"')
        if case.old is not None:
            said = _said(case.event)
            since = fields(case.event.text).effective or case.event.date
            desk.change(case.path, [_set(desk, case, case.old, said, "Accepted", since=since)])
        else:
            desk.change(case.path, [_add(desk, case, _said(case.event), "Accepted")])
    else:
        ops: list[Op] = [Confirm(case.new.id, desk.today)]
        if case.old is not None:
            reason = f"Replaced by: {bare(case.new.text)}. Accepted by the owner ({case.id})"
            ops.insert(0, End(case.old.id, reason, DECIDED, case.source, until=case.new.since or desk.today))
        desk.change(case.path, ops)
    desk.verified(case.path)
    return "the new statement holds"


def _reject(desk: Desk, case: _Case) -> str:
    reason = f"Rejected by the owner ({case.id})"
    if case.new is not None:
        ops: list[Op] = [End(case.new.id, reason, DECIDED, case.source, until=case.new.since)]
        if case.old is not None:
            ops.append(Confirm(case.old.id, desk.today))
        desk.change(case.path, ops)
        desk.verified(case.path)
        return "the fact stays as it was" if case.old else "the new statement is taken out"
    if case.event is not None:
        desk.change(case.path, [Note(case.facts, _said(case.event), reason, DECIDED, case.source)])
    return "it stays as it is"


def _merge(desk: Desk, case: _Case, text: str) -> str:
    kept = case.old or case.new
    if kept is None:
        desk.change(case.path, [_add(desk, case, text, "Merged")])
    else:
        sources = [one for side in (case.old, case.new) if side for one in side.source.split(",") if one]
        ops: list[Op] = [_set(desk, case, kept, text, "Merged", sources=sources)]
        if case.old is not None and case.new is not None:
            ops.append(End(case.new.id, f"Merged into {case.old.id} by the owner ({case.id})", "merged", case.source))
        desk.change(case.path, ops)
    desk.verified(case.path)
    return "both are one fact now"


def _set(desk: Desk, case: _Case, fact: Fact, text: str, what: str, *, since: str = "", sources: list[str] | None = None) -> Set:
    all_sources = [*(sources if sources is not None else fact.source.split(",")), *case.source.split(",")]
    named = list(dict.fromkeys(one for one in all_sources if one))[-MOST_SOURCES:]
    reason = f"{what} by the owner ({case.id})"
    return Set(fact.id, text, DECIDED, reason, case.source, since=since, seen=desk.today, bullet_source=",".join(named))


def _add(desk: Desk, case: _Case, text: str, what: str) -> Add:
    topic = desk.topic(case.path)
    event = case.event
    since = (fields(event.text).effective or event.date) if event else desk.today
    ident = fact_id(case.source.partition(",")[0] or case.id)
    fact = Fact(topic.slug, text, ident, since, desk.today, case.source)
    tag = event.tag if event else Tag.FACT
    return Add(fact, heading_for(topic, tag, text), DECIDED, f"{what} by the owner ({case.id})", case.source)


def _said(event: Event) -> str:
    return fields(event.text).rest or event.text


def correct(desk: Desk, fact: Fact, text: str, source: str) -> None:
    """The fact says `text`: it was wrong before. As after a hand's edit, older evidence does not change it back. Another
    fact of the topic that says so already is one with it."""
    sources = [*(one for one in fact.source.split(",") if one), source][-MOST_SOURCES:]
    doubles = [one for one in named_facts(desk.topic(fact.path)) if one.id != fact.id and one.done is fact.done and bare(one.text) == bare(text)]
    change = Set(
        fact.id, text, "corrected", f"{BY_HAND}, corrected by the owner", source, seen=desk.today,
        bullet_source=",".join(dict.fromkeys(sources)),
    )  # fmt: skip
    desk.change(fact.path, [change, *(End(one.id, f"It stands as {fact.id} now", "merged", source) for one in doubles)])
    desk.verified(fact.path)


def confirm(desk: Desk, fact: Fact) -> bool:
    """The owner has confirmed the fact today; false where that is known already."""
    if fact.seen >= desk.today:
        return False
    desk.change(fact.path, [Confirm(fact.id, desk.today)])
    desk.verified(fact.path)
    return True


def take_over(desk: Desk, path: str, copy: str, ident: str) -> str:
    """A conflict copy of a topic file wins, fact by fact: the facts that its changelog tells of, and the file's does not,
    are as there. All others stay as they are in the file. Each change has its entry."""
    mine = desk.topic(path)
    theirs = read_topic(copy, path)
    told = {_entry(one) for one in mine.changes}
    changed = {fact for one in theirs.changes if _entry(one) not in told for fact in one.facts}
    have = {fact.id: fact for fact in mine.facts if fact.id}
    want = {fact.id: fact for fact in theirs.facts if fact.id}
    reason = f"The other version, accepted by the owner ({ident})"
    ops: list[Op] = []
    for name, fact in want.items():
        present = have.get(name)
        if name not in changed or (present and (bare(present.text), present.done) == (bare(fact.text), fact.done)):
            continue
        if present is None:
            ops.append(Add(fact, fact.heading, DECIDED, reason, fact.source))
        else:
            ops.append(
                Set(name, fact.text, DECIDED, reason, fact.source, since=fact.since, seen=fact.seen, bullet_source=fact.source, done=fact.done)
            )
    ops += [End(name, reason, DECIDED) for name in have if name not in want and name in changed]
    if ops:
        desk.change(path, ops)
    return _count(len(ops), theirs)


def _entry(change: ChangeEntry) -> ChangeEntry:
    return replace(change, line=0)


def _count(number: int, topic: TopicFile) -> str:
    return f"{number} facts of {topic.slug} are as in the other version" if number else "the file says the same already"
