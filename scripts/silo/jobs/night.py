"""What a night works on, read from the workspace, and its plan. Imported only when there is something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from silo.config import clock
from silo.core.curate import Night, plan_curation
from silo.core.engines.judging import Judge
from silo.core.evidence import Source, read_source
from silo.core.extract import extract as propose
from silo.core.forget.tombs import Tombs
from silo.core.ingest import Tagger, parts
from silo.core.overflow import Limits
from silo.core.route import route
from silo.edge.completion import load_completions
from silo.edge.lang import load_languages
from silo.edge.vocabulary import load_vocabularies
from silo.edge.workspace import Workspace
from silo.errors import Trouble
from silo.formats.notes import Statement
from silo.jobs.files import NIGHT_FILES, SOURCE_BYTES
from silo.jobs.memory import last_writes, read_topics
from silo.jobs.run import Call
from silo.jobs.tombs import read_tombs
from silo.jobs.transcripts import find_session
from silo.model import Confidence, Event, Origin, Plan, Session, Tag, TopicInfo, Turn
from silo.text.lines import one_line
from silo.text.redact import redact

QUOTED = 600  # characters of one quoted turn in a source block


def plan_night(call: Call, workspace: Workspace, mode: str, judge: Judge | None = None) -> Plan:
    """The night's plan on the workspace as it is now; `judge` has second opinions, where a model is asked."""
    return plan_curation(replace(read_night(call, workspace, mode), judge=judge))


def read_night(call: Call, workspace: Workspace, mode: str) -> Night:
    """What a night works on, as it is now."""
    files: dict[str, bytes] = {}
    for pattern in NIGHT_FILES:
        for path in workspace.paths(pattern):
            data = workspace.read(path)
            if data is not None:
                files[path] = data
    base, renamed = last_writes(workspace, files)
    tables = {name: workspace.state.items(name) for name in ("reconciled", "ingested", "undone", "restated")}
    tombs = read_tombs(workspace)
    topics: Callable[[], tuple[TopicInfo, ...]] = cache(lambda: read_topics(workspace).infos)
    return Night(
        files=files,
        base=base,
        renamed=renamed,
        reconciled=tables["reconciled"],
        ingested=tables["ingested"],
        undone=tables["undone"],
        restated=tables["restated"],
        now=call.now,
        vocabularies=load_vocabularies,
        router=lambda text: route(text, topics(), load_languages()),
        tagger=_tagger(call, tombs),
        quotes=_quoter(call, workspace, tombs),
        with_notes=mode != "quick",
        completions=load_completions,
        limits=Limits(call.config.integer("curation", "source_bytes", SOURCE_BYTES)),
    )


def _tagger(call: Call, tombs: Tombs) -> Tagger:
    """What a line of a daily note is: the rules engine's opinion; without one a plain line is a fact, a talk's line nothing.

    What was forgotten is nothing to keep.
    """

    def tag(said: Statement, day: str) -> tuple[Tag, Confidence] | None:
        if tombs and any(tombs.said(part) for part in parts(redact(one_line(said.text))[0])):
            return None
        if said.done is not None:
            return (Tag.EVENT if said.done else Tag.TODO), Confidence.CONFIRMED
        turn = Turn("1", "user", Origin.OWNER, clock(call.config.zone, day), said.text)
        found = propose(Session("note", "note", call.config.agent, (turn,)), (), load_languages())
        if found:
            return found[0].tag, found[0].confidence
        return None if said.speaker or said.text.rstrip().endswith("?") else (Tag.FACT, Confidence.CONFIRMED)

    return tag


def _quoter(call: Call, workspace: Workspace, tombs: Tombs) -> Callable[[Event], tuple[str, ...]]:
    """The turns that an event rests on, as lines for a source block; each session is read once."""
    @cache
    def session(kind: str, ident: str) -> Mapping[str, Turn]:
        try:
            found = find_session(call, workspace, Source(kind, ident, ()))
        except Trouble as trouble:
            call.say(f"NOTE session {ident} can't be quoted: {trouble}")
            return {}
        return {turn.id: turn for turn in found.turns} if found else {}

    def quote(event: Event) -> tuple[str, ...]:
        source = read_source(event.source)
        if source is None:
            return ()
        turns = session(source.kind, source.session)
        named = [turns[one] for one in source.messages if one in turns and not tombs.heard(source.session, (one,))]
        return tuple(f"{turn.origin}: {' '.join(turn.text.split())[:QUOTED]}" for turn in sorted(named, key=lambda t: t.at))

    return quote
