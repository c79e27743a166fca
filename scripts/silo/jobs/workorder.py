"""Extraction by the assistant itself: `--emit` writes what is new as a work order, `--apply` takes its answer in.

Between the two nothing has happened: cursors move with the answer. A session is taken in where every piece of it that was
ordered is answered; what was said in it since then the rules read. Nothing else is touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from silo.core.engines.extracting import Found, Window, task, windows
from silo.core.engines.orders import answer_schema, order_data, order_id, read_answer
from silo.core.engines.task import Item, Task, item_of
from silo.core.route import router
from silo.edge.llm.answers import Answers
from silo.edge.llm.templates import load_head, load_openers, load_schema
from silo.edge.outfile import write_new
from silo.edge.sources.found import SourceSession
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats import jsonl
from silo.formats.schema import check
from silo.jobs.extract import ExtractOptions, screened, sources
from silo.jobs.health import noted, record
from silo.jobs.intake import Intake, by_rules, flush, start, take
from silo.jobs.run import Call, Report
from silo.model import Candidate, Drop, Problem, Put
from silo.text.lines import encode

ORDERS = "orders"  # table of state.db: order id → its items' ids, the day, whether it was applied
TOKENS = 6000  # of one piece
MOST_TOKENS = 40_000  # of one order: what an assistant can read at once
MOST_BYTES = 5_000_000  # of an answer
_READ = ("source", "path", "since", "everything", "limit", "groups")  # options that have to be the same for the answer
WAIT = 30.0  # seconds that a person's command waits for a running extraction


@dataclass(slots=True)
class Piece:
    """A part of a session and its windows as items."""

    part: SourceSession
    items: list[Item[Window]]


@dataclass(slots=True)
class _Job:
    """What both commands need."""

    call: Call
    workspace: Workspace
    run: Intake
    task: Task[Window, Found]
    empty: list[SourceSession] = field(default_factory=list)


def emit(call: Call, options: ExtractOptions, where: str) -> Report:
    """The work order is in a new file; nothing else has changed but that it is remembered.

    Raises:
        BadInput: the file exists already.
        Busy: an extraction is running.
    """
    workspace = call.open()
    with workspace.job("extract", WAIT):
        found, _, _, lifted = sources(call, options, workspace)
        job = _job(call, workspace, lifted)
        items: dict[str, Item[Window]] = {}
        used = left = 0
        for piece in _pieces(job, screened(call, workspace, found)):
            size = sum(item.tokens for item in piece.items)
            if left or (items and used + size > MOST_TOKENS):
                left += piece.part.fresh
                continue
            items |= {item.id: item for item in piece.items}
            used += size
        if not items:
            return Report(["OK nothing new was said: there is nothing to order"], {"work_order": None, "items": 0})
        ordered = list(items.values())
        ident = order_id(job.task, ordered)
        path = Path(where).expanduser()
        if not call.dry_run:
            write_new(path, encode(jsonl.pretty(order_data(job.task, ordered, call.now.isoformat(timespec="seconds"))) + "\n"))
            Answers(workspace.root).put_ends(((item.value.session.id, item.value.end) for item in ordered), call.today)
            kept = {"items": [item.id for item in ordered], "day": call.today.isoformat(), "read": {name: getattr(options, name) for name in _READ}}
            workspace.state.apply([*(Drop(ORDERS, key) for key in workspace.state.items(ORDERS)), Put(ORDERS, ident, kept)])
    verb = "would be" if call.dry_run else "is"
    report = Report([f"OK work order {ident} {verb} in {path}: {len(ordered)} pieces, about {used:,} tokens"])
    report.lines += [f"NOTE {left} more new messages wait for the next order"] if left else []
    report.lines.append("NEXT answer it as it says, then: extract_session.py --engine agent --apply ANSWER")
    report.data = {"work_order": ident, "file": str(path), "items": len(ordered), "tokens": used, "left": left, "answer_schema": answer_schema(job.task)}
    return report


def apply(call: Call, options: ExtractOptions, where: str) -> Report:
    """The answer's entries have gone through screen, grounding and dedupe into the log, with the cursors, as one run.

    Raises:
        BadInput: the answer can't be read, is for another or an older order, was applied already, or does not fit.
        Busy: an extraction is running.
    """
    answer = _read(where)
    workspace = call.open()
    with workspace.job("extract", WAIT), noted(call, workspace, "extract") as started:
        row = _ordered(workspace, answer, where)
        asked = frozenset(str(one) for one in row["items"])
        found, horizon, first, lifted = sources(call, replace(options, **row.get("read", {})), workspace)
        job = _job(call, workspace, lifted)
        pieces = [piece for piece in _pieces(job, screened(call, workspace, found)) if any(item.id in asked for item in piece.items)]
        known = {item.id: item for piece in pieces for item in piece.items}
        said = read_answer(job.task, known, asked, answer)
        if isinstance(said, Problem):
            hint = "emit the order again and answer that" if said.code == "changed" else "mend the answer; nothing was written"
            raise BadInput(f"{where}: {said.message}", hint)
        report = _take(job, pieces, said.values, asked)
        if not said.missing:
            job.run.batch.state.append(Put(ORDERS, str(answer["work_order"]), {**row, "applied": True}))
        if first and not call.dry_run:
            job.run.batch.state.append(Put("cursors", "horizon", horizon.isoformat() if horizon else ""))
        flush(job.run, report)
        return _tell(job, report, len(said.values), len(said.missing), started)


def _job(call: Call, workspace: Workspace, lifted: tuple[Drop, ...]) -> _Job:
    run = start(call, workspace, lifted)
    made = task(
        load_head("extract"), load_schema("extract-answer"), run.topics.infos, frozenset(run.topics.private), run.languages, load_openers(),
        router(run.topics.infos, run.languages), lambda session: by_rules(run, session),
    )  # fmt: skip
    return _Job(call, workspace, run, made)


def _pieces(job: _Job, parts: Iterator[SourceSession]) -> Iterator[Piece]:
    """The parts in which something is new; those in which nothing is wait for one behind them in the same place."""
    kept = Answers(job.workspace.root)
    for part in parts:
        if not part.fresh:
            job.empty.append(part)
            continue
        yield Piece(part, [item_of(job.task, window) for window in windows(part.session, TOKENS, kept.ends(part.session.id))])


def _take(job: _Job, pieces: list[Piece], values: Mapping[str, Found], asked: frozenset[str]) -> Report:
    """Each piece that is answered goes into the batch, in order; behind one that is not, nothing of the same place."""
    report = Report(data={"source": "agent"})
    blocked: set[str] = set()
    for piece in pieces:
        place = piece.part.where
        if place in blocked or any(item.id in asked and item.id not in values for item in piece.items):
            blocked.add(place)
            continue
        candidates: list[Candidate] = []
        dropped: Counter[str] = Counter()
        for item in piece.items:
            found = values.get(item.id) or job.task.fallback(item.value)
            candidates += found.candidates
            dropped.update(found.dropped)
        job.run.counts.update(dropped)
        for part in [one for one in job.empty if one.where == place]:
            job.empty.remove(part)
            take(job.run, part, ())
        take(job.run, piece.part, candidates)
    return report


def _ordered(workspace: Workspace, answer: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """What is known of the order: ids of its items, and how the sessions were read for it."""
    ident = str(answer.get("work_order", ""))
    orders = workspace.state.items(ORDERS)
    row = orders.get(ident)
    if not isinstance(row, dict):
        there = f"; the order that waits is {next(iter(orders))}" if orders else ""
        raise BadInput(f"{where}: it answers the order {ident or '(none)'}, which does not wait here{there}", "emit an order anew and answer that")
    if row.get("applied"):
        raise BadInput(f"{where}: the order {ident} was applied already", "emit an order anew: it holds what was said since")
    return row


def _read(where: str) -> Mapping[str, Any]:
    try:
        path = Path(where).expanduser()
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{where} has more than {MOST_BYTES:,} bytes", "an answer to a work order is smaller: name the right file")
        answer = jsonl.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{where}:1: can't be read: {error}", "name the file that answers the work order") from None
    if answer is None:
        raise BadInput(f"{where}: it is not JSON", 'an answer is {"work_order": …, "answers": […]}')
    wrong = check(answer, {"type": "object", "required": ["work_order", "answers"], "properties": {"work_order": {"type": "string"}, "answers": {"type": "array"}}})
    if wrong:
        raise BadInput(f"{where}: {wrong[0][0] or 'it'} {wrong[0][1]}", 'an answer is {"work_order": …, "answers": […]}')
    assert isinstance(answer, dict)
    return answer


def _tell(job: _Job, report: Report, answered: int, missing: int, started: float) -> Report:
    run, counts = job.run, job.run.counts
    verb = "would be written" if job.call.dry_run else "written"
    report.lines.insert(0, f"OK {len(run.written)} events {verb} from {answered} answered pieces ({counts['turns']} new messages)")
    for name in ("restated", "undone before", "forgotten before", "not grounded", "not new", "not the owner's word", "reads as an order", "names no turn"):
        if counts[name]:
            report.lines.append(f"NOTE {name}: {counts[name]}")
    if missing:
        report.lines.append(f"NOTE {missing} pieces are not answered: their sessions wait; apply a fuller answer, or let extract_session.py read them by rule")
    if run.runs:
        report.lines.append("NEXT curate_nightly.py brings the new events into the topics; memory_cli.py undo --last takes this back")
    assert isinstance(report.data, dict)
    report.data |= {"events": len(run.written), "runs": run.runs, "counts": dict(counts), "answered": answered, "missing": missing}
    figures = {"events": len(run.written), "messages": counts["turns"], "engine": "agent", "calls": 0, "actions": {k: n for k, n in counts.items() if n}, "runs": run.runs}
    record(job.call, job.workspace, "extract", started, figures)
    return report
