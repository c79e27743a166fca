"""The job behind `hot`: the hot state shown, updated and rendered. Its limits are kept by the door (hotdoor.py)."""


from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from silo.core import hot as hots
from silo.core.hot import Hot, Left
from silo.core.imports.clean import cleaned
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.jsonl import loads
from silo.formats.warm import empty_hot
from silo.jobs.hotblock import block_changes, memory_path
from silo.jobs.hotdoor import limits_of, overflow, read_hot, write_of
from silo.jobs.hotlines import hot_lines
from silo.jobs.run import Call, Report, commit_planned
from silo.model import Plan


@dataclass(frozen=True, slots=True)
class HotOptions:
    """What was asked for, as typed; nothing: show."""

    update: tuple[str, str] | None = None  # part and JSON
    rebuild: bool = False
    remove_block: bool = False


def hot(call: Call, options: HotOptions) -> Report:
    """The hot state shown, or changed in a run of its own.

    Raises:
        BadInput: an unknown part, a value of the wrong shape, a profile that leaves no room, or a damaged file.
    """
    workspace = call.open()
    if options.update is None and not options.rebuild and not options.remove_block:
        return _show(call, workspace)
    report = Report()
    told: list[str] = []
    commit_planned(call, workspace, lambda: _planned(call, workspace, options, report, told), report)
    report.lines = [*told, *report.lines]
    return report


def _show(call: Call, workspace: Workspace) -> Report:
    state, problems = read_hot(workspace, call.config.agent)
    report = Report(data=_data(call, state), published=state)
    report.lines = [*hot_lines(state, call.config.zone), f"Size: {hots.size_of(state)} / {limits_of(call.config).max_bytes} bytes"]
    report.problems(problems)
    return report


def _data(call: Call, state: Hot) -> dict[str, object]:
    return {"hot": state, "size_bytes": hots.size_of(state), "max_bytes": limits_of(call.config).max_bytes}


def _planned(call: Call, workspace: Workspace, options: HotOptions, report: Report, told: list[str]) -> Plan:
    """The change, made under the commit lock; a report of an earlier attempt is replaced."""
    agent = call.config.agent
    state, problems = read_hot(workspace, agent)
    if problems:
        raise BadInput(f"{problems[0].where}: {problems[0].message}", "repair the file, or move it away to begin anew")
    key, came = "", None
    over: tuple[Left, ...] = ()
    if options.update is not None:
        key = options.update[0]
        after, over, came = hots.updated(state, key, cleaned({"value": _value(*options.update)})["value"], call.now.timestamp())
        if key in ("identity", "owner_profile"):
            _refuse_oversize(call, after, key)
    else:
        after = state
    after, lost = hots.settled(after, limits_of(call.config), came)
    flow = overflow(call, workspace, (*over, *lost), Plan("hot"))
    changes = list(flow.changes)
    if options.update is not None or after != state:
        changes += write_of(workspace, agent, after)
    block, said = block_changes(call, workspace, agent, hot_lines(after, call.config.zone), asked=options.rebuild, remove=options.remove_block)
    changes += block
    report.data = {**_data(call, after), "overflowed": flow.ids}
    report.published = {"status": "updated" if options.update else "rebuilt", "key": key or None, **_data(call, after), "overflowed": flow.ids}
    verb = "would be " if call.dry_run else ""
    what = f"{key} {verb}updated" if key else f"{memory_path(agent)} {verb}rebuilt" if options.rebuild else f"the block is {verb}taken out of {memory_path(agent)}"
    told[:] = [f"OK {what}: {hots.size_of(after)} / {limits_of(call.config).max_bytes} bytes", *said, *(f"NOTE {note}" for note in flow.notes)]
    return Plan("hot", tuple(changes), tuple(flow.state), counts={"hot": 1, **({"overflowed": len(flow.ids)} if flow.ids else {})})


def _value(key: str, text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "[", '"') and key not in ("identity", "owner_profile"):
        return text
    try:
        json.loads(text)
        value = loads(text)  # stricter: no NaN, no number without end
        if value is None and text.strip() != "null":
            raise ValueError("a number without end, or not a number")
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except (ValueError, RecursionError) as error:  # half of a pair of code units (\ud800) is a ValueError too
        raise BadInput(f"the value is no JSON: {error}", f"hot --update {key} '{{…}}', in single quotes for the shell") from None


def _refuse_oversize(call: Call, state: Hot, key: str) -> None:
    alone = empty_hot() | {"identity": state["identity"], "owner_profile": state["owner_profile"]}
    number, most = hots.size_of(alone), limits_of(call.config).max_bytes
    if number > most:
        raise BadInput(
            f"with this {key} the hot state would have {number} bytes, it holds {most}; nothing was changed",
            "shorten it, or put long parts into the log with store",
        )
