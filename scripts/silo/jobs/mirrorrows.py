"""The cold rows of a workspace at one of its mirrors: one for every logged fact, none for a forgotten one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from silo.edge.cold.base import ALL, chunks
from silo.edge.mirror import Item, Target
from silo.edge.mirror_state import Common, MirrorState
from silo.edge.workspace import Workspace
from silo.errors import ServiceDown
from silo.formats.coldrow import digest
from silo.jobs.cold import forgotten, log_stamp, logged
from silo.jobs.mirror import ROWS
from silo.jobs.run import Call
from silo.model import ColdRow
from silo.text.lines import encode


def rows_here(workspace: Workspace) -> dict[str, ColdRow]:
    """The rows that a mirror may have: every logged fact that is not private, of every agent of the workspace."""
    gone = forgotten(workspace)
    return {row.id: row for row in logged(workspace) if not row.private and row.id not in gone}


def send_rows(call: Call, workspace: Workspace, target: Target, state: MirrorState) -> tuple[int, int]:
    """(rows sent, rows taken out): afterwards the mirror holds a row for every logged fact, and none for a forgotten one.

    Rows of facts that are not in the log here and were never sent from here are another device's, and stay.

    Raises:
        ServiceDown: the mirror did not answer, or did not keep all; what it kept is remembered.
    """
    agent = call.config.agent
    made_of = encode(log_stamp(workspace))
    mine = state.base(target.key, agent).get(ROWS)
    if mine is not None and mine.data == made_of and target.marks(agent).get(ROWS) == mine.mark:
        return 0, 0  # the log is as it was when its rows were sent, and nobody has sent since
    here = rows_here(workspace)
    sent = _known_sent(target, state, agent, here)
    news = [row for ident, row in here.items() if sent.get(ident) != digest(row)]
    gone = sent.keys() - here.keys()
    token = secrets.token_hex(16)
    there = target.fetch(agent, [ROWS]).get(ROWS)
    for part in chunks(news):
        confirmed = target.rows.put(part)
        state.note_sent(target.key, agent, {row.id: digest(row) for row in part if row.id in confirmed})
        if len(confirmed) < len(part):
            raise ServiceDown(f"{target.label} did not keep {len(part) - len(confirmed)} cold rows", "they are sent again by the next run")
    if gone:
        target.rows.delete(gone, ALL)
        state.note_sent(target.key, agent, {}, gone)
    if target.store(agent, [(Item(ROWS, token, "", int(call.now.timestamp())), there.mark if there is not None else None)]):
        state.keep(target.key, agent, {ROWS: Common(token, made_of)})
    return len(news), len(gone)


def _known_sent(target: Target, state: MirrorState, agent: str, here: Mapping[str, ColdRow]) -> dict[str, str]:
    """What the mirror holds of our rows; asked in full only where another device has sent since."""
    sent = state.sent(target.key, agent)
    mine = state.base(target.key, agent).get(ROWS)
    there = target.marks(agent).get(ROWS)
    if mine is not None and there == mine.mark:
        return sent
    held = {ident: sha for ident, sha in target.rows.digests(ALL).items() if ident in here or ident in sent}
    state.forget_sent(target.key, agent)
    state.note_sent(target.key, agent, held)
    return held
