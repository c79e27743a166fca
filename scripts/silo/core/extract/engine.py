"""The engine's outside: session in, routed candidates out. The work is done by the modules beside it."""

from __future__ import annotations

from dataclasses import replace

from silo.core.extract.drafts import Draft, finish
from silo.core.extract.grounding import ground
from silo.core.extract.laughter import laughed_at
from silo.core.extract.message import Message
from silo.core.extract.pretence import in_earnest
from silo.core.extract.talk import Talk, shorten
from silo.core.route import router, words_of
from silo.model import GENERAL, Candidate, Origin, Session, TopicInfo, Turn
from silo.text.language import Language

__all__ = ["extract", "walk"]


def extract(
    session: Session, topics: tuple[TopicInfo, ...], languages: tuple[Language, ...]
) -> tuple[Candidate, ...]:
    """Candidates that a fresh turn states or settles, in the order of the conversation.

    Turns that are not fresh are read as context only; but where the assistant's answer is fresh and the statement that it
    takes down is not, the statement counts now if it did not count without the answer. Each candidate is grounded in its
    evidence and carries the slug of a known topic, or `general`.
    """
    if not any(t.fresh and t.origin in (Origin.OWNER, Origin.AGENT) for t in session.turns):
        return ()
    roads = router(topics, languages)
    every = walk(session, languages)
    drafts = [*_answered_late(session, languages, every), *(d for d in every if not d.gone and d.turn.fresh)]
    talked = roads.talked(
        shorten(t.text) if t.origin in (Origin.OWNER, Origin.AGENT) else "" for t in (session.turns if drafts else ())
    )
    found = []
    heard: list[tuple[str, frozenset[str]]] = []
    for draft in drafts:
        if draft.empty:
            continue
        candidate = finish(draft)
        if draft.label and not ground(candidate, session):
            draft.label = ""  # a subject that can't be shown in the evidence must not cost the statement
            candidate = finish(draft)
        if ground(candidate, session):
            near = [shorten(t.text) for t in session.turns[max(0, draft.index - 2) : draft.index + 3]]
            slug = roads.route(candidate.text, near, talked.at(draft.index), heard)
            found.append(replace(candidate, slug=slug))
            if slug != GENERAL:
                heard.append((slug, words_of(candidate.text)))
    return tuple(found)


def _answered_late(session: Session, languages: tuple[Language, ...], every: list[Draft]) -> list[Draft]:
    """Statements of the owner's last known message that only the fresh answer to it makes worth keeping."""
    first = next((n for n, t in enumerate(session.turns) if t.fresh), len(session.turns))
    if first == 0 or first == len(session.turns) or session.turns[first].origin is not Origin.AGENT:
        return []
    last = next((n for n in range(first - 1, -1, -1) if session.turns[n].origin is not Origin.SYSTEM), 0)
    late = [d for d in every if d.index == last and not d.gone]
    if not late or session.turns[last].origin is not Origin.OWNER:
        return []
    before = [
        d
        for d in walk(replace(session, turns=session.turns[:first]), languages)
        if d.index == last and not d.gone
    ]
    found = [d for d in late if not any(d.content & b.content for b in before)]
    for draft in found:
        draft.evidence = list(dict.fromkeys([*draft.evidence, session.turns[first].id]))
    return found


def walk(session: Session, languages: tuple[Language, ...]) -> list[Draft]:
    """All drafts of a conversation in order, the withdrawn ones marked gone."""
    talk = Talk.of(session, languages)
    for index, turn in enumerate(session.turns):
        if turn.origin is Origin.OWNER:
            _owner(talk, turn, index)
        elif turn.origin is Origin.AGENT:
            if talk.heard is None or session.turns[index - 1].origin is not Origin.AGENT:
                talk.heard = talk.listen(index)
        elif turn.origin is Origin.UNTRUSTED:
            talk.heard = None
    return talk.drafts


def _owner(talk: Talk, turn: Turn, index: int) -> None:
    if turn.text == talk.said[0] and not any(
        t.origin is Origin.AGENT for t in talk.session.turns[talk.said[1] + 1 : index]
    ):
        return  # sent again before anybody answered
    talk.said = (turn.text, index)
    talk.owner_turn += 1
    reply = talk.reply(index)
    if talk.role:
        talk.heard = None  # whatever was asked was asked of somebody else
        talk.role = 0 if in_earnest(reply) else talk.role
    message = Message(talk, turn, index, reply, talk.sentences(turn))
    said = list(message.sentences)
    message.laughing = laughed_at(talk.session, index)
    message.process()
    if any((s.content or s.figures) and not s.social and s.size > 2 for s in said):
        talk.spoke_at = index
        talk.heard = None
