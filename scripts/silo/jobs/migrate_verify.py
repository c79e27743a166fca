"""The step that proves a migration: the targets, and where the words of every line are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from silo.core.entities.query import GRAPH
from silo.core.migrate.handover import Standing, standing
from silo.core.migrate.ledger import Found, Row
from silo.core.migrate.verify import missing, targets
from silo.edge.workspace import Workspace
from silo.jobs.migrate_input import Given, MigrateOptions, ledgers, read
from silo.jobs.migrate_telling import handed, handover_data
from silo.jobs.run import Call, Report, problem_data
from silo.text.lines import decode, encode, sha256


def verify(call: Call, options: MigrateOptions) -> Report:
    """The targets and the ledger, checked against the files as they are; exit 1 if something is over or gone."""
    workspace = call.open()
    given = read(call, workspace)
    texts = _texts(workspace, given)
    notes = ledgers(workspace, given.source)
    waiting = next((one for one in given.handovers if standing(one, given.text) is Standing.WAITING), None)
    report = Report(
        data={
            "source": given.source,
            "applied": bool(notes),
            "handover": handover_data(waiting) if waiting else None,
        }
    )
    assert isinstance(report.data, dict)
    if not notes:
        report.lines = [
            f"NOTE no migration of {given.source} is recorded here",
            "NEXT migrate_memory.py plan shows what it would do",
        ]
    last = notes[0][0] if notes else {}
    back = (
        bool(notes)
        and waiting is None
        and given.text is not None
        and last.get("source") == sha256(encode(given.text))
    )
    if back:
        report.lines.append(f"NOTE {given.source} is as it was before the migration: it was taken back")
        report.data["applied"] = False
        return report
    table, problems = targets(texts, given.source)
    shown = [one for one in table if not (waiting and one.name.startswith(given.source))]
    over = [one for one in shown if not one.good and (notes or one.have != "none")]
    report.lines += [
        f"{'OK' if one.good else 'PROBLEM'} {one.name}: {one.have} (target: {one.want})" for one in shown
    ]
    if waiting:
        report.lines += handed(waiting)
    gone = _lines(workspace, notes, texts, options, report)
    report.problems(problems)
    report.data |= {
        "targets": [{"name": t.name, "have": t.have, "want": t.want, "good": t.good} for t in shown],
        "problems": problem_data(problems),
    }
    report.code = 1 if over or problems or gone else 0
    if not report.code and notes and not waiting:
        report.lines.append("OK verified")
    return report


def _texts(workspace: Workspace, given: Given) -> dict[str, str]:
    paths = [*workspace.paths("memory/**/*.md"), *workspace.paths(".silo/private/**/*.md"), GRAPH]
    texts = {path: decode(data) for path in paths if (data := workspace.read(path)) is not None}
    return texts | ({given.source: given.text} if given.text is not None else {})


def _lines(
    workspace: Workspace,
    ledgers: list[tuple[dict[str, object], tuple[Row, ...]]],
    texts: Mapping[str, str],
    options: MigrateOptions,
    report: Report,
) -> bool:
    """The ledgers of all runs, line by line; true if words are gone from a file that nobody has edited since."""
    lost = False
    rows_out: list[dict[str, object]] = []
    for value, rows in ledgers:
        found, gone = missing(rows, texts)
        name = f"migration of {str(value.get('at'))[:16]}"
        count = len({row.line for row in rows})
        untouched = [
            one
            for one in gone
            if one.row.path in texts and workspace.base(one.row.path) == encode(texts[one.row.path])
        ]
        edited = [one for one in gone if one not in untouched]
        report.lines.append(
            f"OK {name}: {count} lines, {count - len({o.row.line for o in gone})} stand word for word where they went"
        )
        if edited:
            report.lines.append(
                f"NOTE {len(edited)} lines were edited or taken out since: {_numbers(edited)}"
            )
        for one in untouched:
            report.lines.append(
                f"PROBLEM {one.row.path} line-gone the words of source line {one.row.line} do not stand there"
            )
            lost = True
        if options.rows:
            report.lines += [f"{one.row.line} → {_where(one)}" for one in found]
        rows_out += [{"line": one.row.line, "path": one.path, "at": one.line or None} for one in found]
    assert isinstance(report.data, dict)
    report.data["ledger"] = rows_out
    return lost


def _where(one: Found) -> str:
    if not one.row.path:
        return "nothing to keep (a rule or separator)"
    return f"{one.path}:{one.line}" if one.line else one.path


def _numbers(found: Iterable[Found]) -> str:
    numbers = sorted({one.row.line for one in found})
    return ", ".join(map(str, numbers[:12])) + (f" and {len(numbers) - 12} more" if len(numbers) > 12 else "")
