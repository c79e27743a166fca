"""The job behind `pack`: what the memory holds for a task, within a budget of tokens."""

from __future__ import annotations

from contextlib import closing

from silo.core.pack import ESTIMATE, pack
from silo.edge.counter import token_counter
from silo.edge.index.index import Index
from silo.edge.thesaurus import load_thesaurus
from silo.errors import BadInput
from silo.found import Scope
from silo.jobs.run import Call, Report
from silo.text.redact import redact

LEAST = 50  # tokens below which not even the frame of a pack fits


def task_pack(call: Call, *, task: str, budget: int, audience: str) -> Report:
    """The pack on standard output; what it cost and how it was counted beside it.

    Raises:
        BadInput: no task, or a budget that holds nothing.
    """
    if not task.strip():
        raise BadInput("pack needs a task", 'memory_cli.py pack "refit the boat" --budget 800')
    if budget < LEAST:
        raise BadInput(f"--budget {budget} holds nothing", f"give {LEAST} tokens or more")
    workspace = call.look()
    with closing(Index.open(workspace.root)) as index:
        index.refresh(call.config.integer("retrieve", "refresh_ms", 1500) / 1000)
        scope = Scope(agent=call.config.agent, group=audience == "group")
        made = pack(
            index, task, today=call.today, budget=budget, scope=scope, counter=token_counter() or ESTIMATE,
            thesaurus=load_thesaurus(),
        )  # fmt: skip
        notes = list(index.notes)
    if index.left:
        notes.append(f"{index.left} changed files were searched directly, not yet indexed")
    counted = f"{made.tokens} of {budget} tokens ({made.counter})"
    left = f"; {made.left_out} lines left out" if made.left_out else ""
    if made.least:
        notes.append(f"no line fits into {budget} tokens: --budget {made.least} holds the first")
    for note in (f"confidence {made.confidence}; {counted}{left}", *notes):
        call.say(f"NOTE {note}")
    data = {
        "task": redact(task)[0],
        "text": made.text,
        "budget": budget,
        "tokens": made.tokens,
        "counter": made.counter,
        "confidence": made.confidence,
        "ids": list(made.ids),
        "next": list(made.next_calls),
        "left_out": made.left_out,
        "notes": notes,
    }
    return Report(made.text.rstrip("\n").split("\n") if made.text else [], data)
