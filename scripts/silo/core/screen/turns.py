"""One session's messages → its turns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from silo.core.screen.people import Heard, Owners, find_owners
from silo.core.screen.quarantine import inspect, without_orders
from silo.formats.blocks import OWN_TAG, cut_runtime_context, cut_tagged
from silo.formats.envelope import Opened, open_envelope
from silo.formats.prompts import machine_prompt, says_nothing, spoken_answer, without_command
from silo.formats.session import Kind, Message, Quarantined, RawSession, Screened
from silo.model import Origin, Session, Turn
from silo.text.injection import passes_on
from silo.text.redact import redact


@dataclass(slots=True)
class _Work:
    raw: RawSession
    zone: tzinfo
    turns: list[Turn] = field(default_factory=list)
    consumed: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    redacted: Counter[str] = field(default_factory=Counter)
    quarantined: list[Quarantined] = field(default_factory=list)
    last_at: float | None = None
    turn_owner: Origin = Origin.OWNER  # whose turn the assistant answers
    machine: int = 0  # turns that machines opened and that are not answered yet
    prompted: bool = False  # the message before was such a prompt: one more of them is a retry


def screen(raw: RawSession, zone: tzinfo) -> Screened:
    """Turns of a session in the order held, `at` in `zone`. A message without a time takes the one before it."""
    heard = [_hear(message, raw) for message in raw.messages]
    work = _Work(raw, zone, last_at=raw.at)
    if not raw.groups and any(one.opened.group for one in heard):
        empty = Session(raw.id, raw.source, raw.agent, (), raw.key)
        return Screened(
            empty, dropped={"group": len(heard)}, notes=("a group chat, left out (--groups reads them)",)
        )
    owners, notes = find_owners(heard, raw)
    for one in heard:
        if one.message.role == "user":
            _user(one, owners, work)
        else:
            _assistant(one, work)
    for ident, text in raw.tool_texts:
        work.quarantined += inspect(_clean(text, work), raw, ident, "tool", None)
    names = dict.fromkeys(
        name
        for one in heard
        if not one.why and owners.origin(one) is Origin.OWNER
        for name in one.opened.senders
    )
    if all(turn.role == "assistant" for turn in work.turns):
        # Without any person's turn these are reports of a machine's run, whatever the session is called.
        work.dropped["answer"] += len(work.turns)
        work.turns, work.consumed = [], []
    session = Session(
        id=raw.id,
        source=raw.source,
        agent=raw.agent,
        turns=tuple(work.turns),
        key=raw.key,
        owner_names=tuple(names),
    )
    return Screened(
        session=session, quarantined=tuple(dict.fromkeys(work.quarantined)), consumed=tuple(work.consumed),
        dropped=dict(work.dropped), redacted=dict(work.redacted), notes=notes,
    )  # fmt: skip


_SELF = (
    "OPENCLAW_INTERNAL",
    OWN_TAG,
    "relevant-memories",
)  # what an assistant's text may repeat of its prompt


def _hear(message: Message, raw: RawSession) -> Heard:
    """A message opened, and why it is no talk, if it isn't."""
    if message.role == "assistant":
        text = message.text
        if any(mark in text for mark in _SELF):
            text = cut_tagged(cut_runtime_context(text))[0]
        text = spoken_answer(text)
        return Heard(message, Opened(""), text, message.skip or says_nothing(text, "assistant"))
    if message.skip:
        return Heard(message, Opened(""), "", message.skip, whole_turn=message.whole_turn)
    opened = open_envelope(message.text, group=raw.kind is Kind.GROUP)
    if not opened.text:
        # Nothing but events is the host's own message; nothing but an envelope is an empty one.
        return Heard(message, opened, "", "system" if opened.events else "empty", whole_turn=opened.events)
    why = machine_prompt(opened.text)
    if why:
        return Heard(message, opened, "", why, whole_turn=True)
    words = without_command(opened.text)
    if words == "":
        return Heard(message, opened, "", "command", whole_turn=True)
    text = opened.text if words is None else words
    return Heard(message, opened, text, says_nothing(text, "user"))


def _moment(one: Heard, work: _Work) -> datetime:
    at = one.message.at
    stamp = one.opened.stamp
    if at is None and stamp is not None:
        at = (stamp if stamp.tzinfo else stamp.replace(tzinfo=work.zone)).timestamp()
    if at is None:
        at = work.last_at or 0.0
    work.last_at = at
    return datetime.fromtimestamp(at, UTC).astimezone(work.zone)


def _clean(text: str, work: _Work) -> str:
    clean, findings = redact(text)
    work.redacted.update(finding.kind for finding in findings)
    return clean


def _user(one: Heard, owners: Owners, work: _Work) -> None:
    message = one.message
    at = _moment(one, work)
    if message.fresh:
        for piece in one.opened.quoted:
            work.quarantined += inspect(_clean(piece, work), work.raw, message.id, "quoted", at)
    if one.why:
        work.dropped[one.why] += 1
        work.machine += one.whole_turn and not work.prompted
        work.prompted = work.prompted or one.whole_turn
        return
    work.machine, work.prompted = 0, False
    origin = owners.origin(one)
    work.turn_owner = origin
    text = _clean(one.text, work)
    if origin is Origin.OWNER:
        text, items = without_orders(text, work.raw, message.id, at)
    else:
        items = inspect(text, work.raw, message.id, "group" if one.opened.group else "untrusted", at)
        text = "" if items else text  # not even context for extraction: it waits in the review queue
    if message.fresh:
        work.quarantined += items
    if not text:
        work.dropped["quarantined"] += 1
        if message.fresh:
            work.consumed.append(message.id)
        return
    before = work.turns[-1] if work.turns else None
    if before is not None and before.role == "user" and before.text == text and before.origin is origin:
        work.dropped["retry"] += 1
        if message.fresh:
            work.consumed.append(message.id)
        return
    _add(work, message, origin, at, text)


def _assistant(one: Heard, work: _Work) -> None:
    message = one.message
    at = _moment(one, work)
    work.prompted = False
    if work.machine:
        work.dropped["answer"] += bool(one.text)
        if message.done:  # the machine's turn is over; what follows answers a person again
            work.machine -= 1
        return
    if one.why:
        if one.why != "empty":
            work.dropped[one.why] += 1
        return
    text = _clean(one.text, work)
    own = work.turn_owner is Origin.OWNER and not message.tainted and not passes_on(text[:20_000])
    _add(work, message, Origin.AGENT if own else Origin.UNTRUSTED, at, text)


def _add(work: _Work, message: Message, origin: Origin, at: datetime, text: str) -> None:
    work.turns.append(Turn(message.id, message.role, origin, at, text, message.fresh))
    if message.fresh:
        work.consumed.append(message.id)
