"""Back to the words: the transcript of a session whose messages an event names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from silo.core.evidence import Source
from silo.core.screen.turns import screen
from silo.edge.reader import Reader
from silo.edge.sources.discover import discover
from silo.errors import BadInput
from silo.jobs.run import Call
from silo.model import Session


def find_session(call: Call, workspace: Reader, source: Source) -> Session | None:
    """The screened session, wherever its transcript is now; None where it is gone.

    Raises:
        Trouble: a transcript is there and can't be read.
    """
    kept = workspace.state.get("sources", source.session)
    where = str(kept.get("where", "")) if isinstance(kept, dict) else ""
    for kind, path in _places(source, where):
        try:
            found = discover(kind, path=path, state_dir=call.config.state_dir, agent=call.config.agent, groups=True, zone=call.config.zone)
        except BadInput:  # no such place on this machine: the next one may have it
            continue
        found.found = [one for one in found.found if one.session == source.session] or ([*found.found] if path else [])
        turns = [
            turn
            for part in found.sessions(lambda raw: screen(raw, call.config.zone), lambda table, key: None)
            if part.session.id == source.session
            for turn in part.session.turns
        ]
        if turns:
            unique = {turn.id: turn for turn in turns}
            return Session(source.session, source.kind, call.config.agent, tuple(unique.values()))
    return None


def _places(source: Source, where: str) -> Iterable[tuple[str, Path | None]]:
    """Where the transcript may be: the file it was read from first, then the host's own place (it may have moved)."""
    if where and not where.endswith(".sqlite") and Path(where).exists():
        yield (source.kind if source.kind in ("jsonl", "claude-code", "text") else "auto"), Path(where)
    if source.kind in ("openclaw", "jsonl"):
        yield "openclaw", None
    if source.kind == "claude-code":
        yield "claude-code", None
