"""The engine's outside: session in, routed candidates out. The work is done by the modules beside it."""

from __future__ import annotations

from dataclasses import replace

from silo.core.extract.dialogue import walk
from silo.core.extract.drafts import finish
from silo.core.extract.grounding import ground
from silo.core.route import Router
from silo.model import Candidate, Origin, Session, TopicInfo
from silo.text.language import Language

__all__ = ["extract"]


def extract(session: Session, topics: tuple[TopicInfo, ...], languages: tuple[Language, ...]) -> tuple[Candidate, ...]:
    """Candidates that a fresh turn states or settles, in the order of the conversation.

    Turns that are not fresh are read as context only. Each candidate is grounded in its evidence and carries the slug
    of a known topic, or `general`.
    """
    if not any(t.fresh and t.origin is Origin.OWNER for t in session.turns):
        return ()
    fresh = {t.id for t in session.turns if t.fresh}
    router = Router(topics, languages)
    prior = router.talk([t.text for t in session.turns if t.origin in (Origin.OWNER, Origin.AGENT)])
    found = []
    for draft in walk(session, languages):
        if draft.gone or draft.turn.id not in fresh:
            continue
        candidate = finish(draft)
        if ground(candidate, session):
            near = [t.text for t in session.turns[max(0, draft.index - 2) : draft.index + 2]]
            found.append(replace(candidate, slug=router.route(candidate.text, near, prior)))
    return tuple(found)
