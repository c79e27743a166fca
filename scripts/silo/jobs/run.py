"""What every job is called with and what it gives back; the one place where troubles become exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from silo import config as configuration
from silo.errors import BadInput, Conflict, Trouble
from silo.jobs.call import Call as Call

ENVIRONMENT = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENAMETOOLONG}  # no bug of ours

# A command that only reads does without the rest: it costs more time than most questions take to answer.
if TYPE_CHECKING:
    from silo.edge.workspace import RunResult, Workspace
    from silo.model import Plan, Problem


class Report:
    """What a command tells: `lines` for a person, `data` for a program, `code` for the shell.

    `published` is what a published verb prints when its output is no terminal: its callers parse that shape.
    """

    __slots__ = ("code", "data", "lines", "published")

    def __init__(self, lines: list[str] | None = None, data: object = None, code: int = 0, published: object = None) -> None:
        self.lines = [] if lines is None else lines
        self.data = {} if data is None else data
        self.code = code
        self.published = published

    def problems(self, problems: tuple[Problem, ...] | list[Problem], most: int = 20) -> None:
        """Name the problems, the first ones in full."""
        for problem in problems[:most]:
            self.lines.append(problem_line(problem))
        if len(problems) > most:
            self.lines.append(f"NOTE {len(problems) - most} more problems; `memory_cli.py doctor` lists all")


def problem_line(problem: Problem) -> str:
    """`PROBLEM path:line code message`, as an agent can grep it."""
    return f"PROBLEM {problem.where} {problem.code} {problem.message}"


def problem_data(problems: tuple[Problem, ...] | list[Problem]) -> list[dict[str, str]]:
    """Problems for `--json`."""
    return [{"where": p.where, "code": p.code, "message": p.message} for p in problems]


def whole(call: Call, workspace: Workspace, plan: Plan) -> Plan:
    """The plan with what follows from it: hot states within their limits, entries of the warm set for the log lines that it
    brings or takes, the counts of the trees."""
    if not plan.changes:
        return plan
    from silo.jobs.warming import warmed  # what a command that reads does without

    if any(change.path.endswith("/hot-memory-state.json") for change in plan.changes):
        from silo.jobs.hotdoor import hotted

        plan = hotted(call, workspace, plan)
    plan = warmed(call, workspace, plan)
    if not workspace.paths(".silo/agents/*/memory-tree.json"):
        return plan
    from silo.jobs.treed import treed

    return treed(call, workspace, plan)


def apply(call: Call, workspace: Workspace, planned: Callable[[], Plan], *, adopt: bool = False) -> RunResult:
    """The plan and what follows from it have happened, planned while nobody else of ours can write."""
    return workspace.apply_planned(
        lambda: whole(call, workspace, planned()), now=call.now, command=call.command, scheduled=call.scheduled, adopt=adopt
    )


def commit(call: Call, workspace: Workspace, plan: Plan, report: Report, *, adopt: bool = False) -> str | None:
    """Apply the plan, or show it on a dry run; the run's id where one was made.

    `adopt`: lines typed into the event log by hand become part of its chain.
    """
    if call.dry_run:
        preview = workspace.preview(whole(call, workspace, plan))
        report.lines.append(preview or "OK nothing would change")
        if preview:
            report.lines.append("NOTE dry run: nothing was written")
        if isinstance(report.data, dict):
            report.data |= {"dry_run": True, "diff": preview}
        return None
    result = apply(call, workspace, lambda: plan, adopt=adopt) if not plan.is_empty else workspace.apply(
        plan, now=call.now, command=call.command, scheduled=call.scheduled, adopt=adopt
    )  # fmt: skip
    report.lines += [f"NOTE {note}" for note in result.notes]
    for conflict in result.conflicts:
        report.lines.append(f"NOTE {conflict} was edited meanwhile: the edit stays, our version waits in review")
    if isinstance(report.data, dict) and result.run_id:
        report.data |= {"run": result.run_id, "changed": list(result.changed)}
    return result.run_id


def commit_planned(call: Call, workspace: Workspace, planned: Callable[[], Plan], report: Report) -> str | None:
    """As `commit`, with the plan made while nobody else of ours can write: for short commands of a person."""
    if call.dry_run:
        return commit(call, workspace, planned(), report)
    result = apply(call, workspace, planned)
    report.lines += [f"NOTE {note}" for note in result.notes]
    for conflict in result.conflicts:
        report.lines.append(f"NOTE {conflict} was edited meanwhile: the edit stays, our version waits in review")
    if isinstance(report.data, dict) and result.run_id:
        report.data |= {"run": result.run_id, "changed": list(result.changed)}
    return result.run_id


def call_from(options: Mapping[str, object], command: str, say: Callable[[str], None]) -> Call:
    """A call from the common flags.

    Raises:
        BadInput: a flag or the configuration is wrong.
    """

    def text(name: str) -> str | None:
        value = options.get(name)
        return value if isinstance(value, str) else None

    _refuse_broken(options)
    settings = configuration.load(
        workspace=text("workspace"), agent=text("agent_id"), timezone_name=text("timezone"), environ=os.environ
    )
    return Call(
        config=settings,
        now=configuration.clock(settings.zone, text("today")),
        command=command,
        dry_run=bool(options.get("dry_run")),
        as_json=bool(options.get("json")),
        scheduled=bool(options.get("scheduled")),
        say=say,
    )


def _refuse_broken(options: Mapping[str, object]) -> None:
    """Words of the command line that are no UTF-8 would make files that nobody can read; only a path may be so.

    Raises:
        BadInput: such a word, and nothing of that name on the disk, nor a folder to put it in.
    """
    for name, value in options.items():
        for word in value if isinstance(value, list | tuple) else (value,):
            if not isinstance(word, str) or word.isprintable() or not any("\ud800" <= letter <= "\udfff" for letter in word):
                continue
            if not os.path.lexists(word) and not ("/" in word and Path(word).parent.is_dir()):
                raise BadInput(f"{name.replace('_', '-')}: the text is no UTF-8", "give it in UTF-8; nothing was written")


def guarded(body: Callable[[], int], *, debug: bool) -> int:
    """Run a command: troubles become one sentence, what to do next, and their exit code; a bug leaves a report."""
    try:
        return body()
    except Trouble as trouble:
        return _told(trouble, debug)
    except BrokenPipeError:
        # The reader went away (`| head`); Python would complain again while flushing at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("NOTE interrupted: what was committed stays, the next run goes on from there", file=sys.stderr)
        return 130
    except Exception as error:  # noqa: BLE001 - the last line of defence: any bug of ours ends here, reported
        if isinstance(error, OSError) and error.errno in ENVIRONMENT and error.filename is not None:
            hint = "nothing was half-written; see that it may be read and written by who runs this, and that the disk has room"
            return _told(Conflict(f"{error.filename}: {error.strerror}", hint), debug)
        if debug:
            _print_trace()
            return 70
        print(f"PROBLEM a bug in memory-silo: {type(error).__name__}; report: {_bug_report()}", file=sys.stderr)
        print("NEXT nothing was half-written; run again with --debug to see where, and report it", file=sys.stderr)
        return 70


def _told(trouble: Trouble, debug: bool) -> int:
    """The trouble is told, secrets replaced; its exit code."""
    from silo.text.redact import redact

    print(f"PROBLEM {redact(str(trouble))[0]}", file=sys.stderr)
    if trouble.hint:
        print(f"NEXT {redact(trouble.hint)[0]}", file=sys.stderr)
    if debug:
        _print_trace()
    return trouble.code


def _print_trace() -> None:
    """The traceback of the exception at hand, to standard error."""
    import traceback

    traceback.print_exc()


def _bug_report() -> Path:
    """A file with the traceback of the exception at hand, secrets replaced."""
    import tempfile
    import traceback

    from silo.text.redact import redact

    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="memory-silo-bug-", suffix=".txt", delete=False) as file:
        file.write(redact(traceback.format_exc())[0])
    return Path(file.name)
