"""The job behind `init --host claude-code`: one managed block in CLAUDE.md, settings, and hook entries where the user wants them.

Claude Code has no scheduler: `save` does by hand what jobs do elsewhere, and two hooks (the end of a session, compaction) can
do it unasked. Entries of other tools in its settings stay as they are.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats import json_text, managed
from silo.jobs import topic as topics
from silo.jobs.install import SKILL, place_of
from silo.jobs.run import Call, Report, commit
from silo.model import Change, Plan, Problem, Remove, Write
from silo.text.lines import decode, encode, sha256

GUIDE = "CLAUDE.md"
BLOCK = "claude-code"
SETTINGS = ".claude/settings.local.json"  # this machine's alone: its commands name local paths
CONFIG = ".silo/config.json"
EVENTS = ("SessionEnd", "PreCompact")
EMPTY = "{\n}\n"  # the settings file that entries are put into where there is none
SECONDS = 10  # that a hook may take; it starts `save` and leaves it alone
MARK = "memory_cli.py save"  # by which an entry of ours is known
TEMPLATE = SKILL / "templates" / "claude-code.md"


def projects_folder(root: Path) -> Path:
    """Where Claude Code keeps the conversations of a project: every sign of its path but letters and digits is a dash."""
    return Path("~").expanduser() / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root.resolve()))


def init(call: Call, *, hooks: bool, yes: bool) -> Report:
    """The workspace is ready, CLAUDE.md has the block, `save` knows where the conversations are.

    Raises:
        BadInput: the block's marks in CLAUDE.md are damaged, or a settings file is no JSON object; nothing is written.
    """
    workspace = call.open(create=not call.dry_run)
    changes = [*_guide(call, workspace), *_config(workspace)]
    entries = hook_entries(call, workspace)
    if hooks and yes:
        changes += _settings(workspace, entries)
    report = topics.init(call)
    report.lines = [line for line in report.lines if not line.startswith("NEXT ")]
    commit(call, workspace, Plan("init", tuple(changes)), report)
    verb = "would have" if call.dry_run else "has"
    report.lines.append(f"OK {workspace.root / GUIDE} {verb} the block of memory-silo; every other line is as it was")
    if hooks and not yes:
        report.lines.append(f"NOTE these entries would go into {workspace.root / SETTINGS}; --hooks --yes merges them:")
        report.lines += json.dumps({"hooks": entries}, ensure_ascii=False, indent=2).split("\n")
    elif hooks:
        report.lines.append(f"OK {workspace.root / SETTINGS} {verb} the hooks {', '.join(EVENTS)}; open /hooks in Claude Code to see them")
    else:
        report.lines.append("NEXT with --hooks the entries are shown that save a session at its end and before compaction; --hooks --yes merges them")
    report.lines.append(f"NEXT memory_cli.py save --workspace {shlex.quote(str(workspace.root))} reads the conversations in {projects_folder(workspace.root)}")
    memory = projects_folder(workspace.root) / "memory"
    if memory.is_dir():
        report.lines.append(f"NEXT memory_cli.py import {shlex.quote(str(memory))} --kind claude-code takes in what Claude Code remembers by itself")
    assert isinstance(report.data, dict)
    report.data |= {"host": "claude-code", "guide": GUIDE, "projects": str(projects_folder(workspace.root)), "hooks": entries, "merged": hooks and yes}
    return report


def remove(workspace: Workspace, report: Report) -> list[Change]:
    """The changes that take out the block, our hook entries, and files that were ours alone; what was found is said."""
    changes: list[Change] = []
    data = workspace.read(GUIDE)
    if data is not None and isinstance(managed.find(decode(data), BLOCK), managed.Block):
        left = managed.remove(decode(data), BLOCK)
        changes.append(Write(GUIDE, sha256(data), encode(left), "block") if left.strip() else Remove(GUIDE, sha256(data), "block"))
    data = workspace.read(SETTINGS)
    if data is not None:
        try:
            settings = _object(data, SETTINGS)
        except BadInput as bad:
            report.lines.append(f"NOTE {bad}; it stays as it is")
            settings = {}
        text = decode(data)
        left_over = _without(text, workspace) if settings else text
        if left_over != text:
            ours = left_over == EMPTY  # nobody else has written in it
            changes.append(Remove(SETTINGS, sha256(data), "hooks") if ours else Write(SETTINGS, sha256(data), encode(left_over), "hooks"))
    return [*changes, *_config_without(workspace)]


def hook_entries(call: Call, workspace: Workspace) -> dict[str, Any]:
    """The entries of Claude Code's settings under `hooks`.

    Claude Code waits for a hook, ends one at its exit after seconds, and takes an exit code of 2 before a compaction for a
    veto. So the command only starts `save`, which no end of the session ends; what it can't do is in its health record.
    """
    place = place_of(call, workspace)
    words = [place.python, f"{place.scripts}/memory_cli.py", "save", "--workspace", place.workspace, "--scheduled", "--quiet"]
    command = f"nohup {shlex.join(words)} >/dev/null 2>&1 &"
    return {event: [{"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}] for event in EVENTS}


def _guide(call: Call, workspace: Workspace) -> list[Change]:
    data = workspace.read(GUIDE)
    if data is not None and b"\0" in data:
        raise BadInput(f"{GUIDE} is no UTF-8 text", "save it as UTF-8; nothing was written")
    text = decode(data) if data is not None else ""
    found = managed.find(text, BLOCK, GUIDE)
    if isinstance(found, Problem):
        raise BadInput(f"{found.where}: {found.message}", "nothing was written")
    place = place_of(call, workspace)
    body = TEMPLATE.read_text("utf-8").replace("{scripts}", shlex.quote(place.scripts)).replace("{workspace}", shlex.quote(place.workspace))
    after = encode(managed.replace(text, BLOCK, body))
    return [] if after == data else [Write(GUIDE, None if data is None else sha256(data), after, "block")]


def _config(workspace: Workspace) -> list[Change]:
    """Where the conversations are stands in the configuration, unless the user has said otherwise there."""
    data = workspace.read(CONFIG)
    settings = _object(data, CONFIG) if data is not None else {}
    extract = settings.get("extract")
    extract = dict(extract) if isinstance(extract, dict) else {}
    if "source" in extract:
        return []
    extract |= {"source": "claude-code", "path": str(projects_folder(workspace.root))}
    return [Write(CONFIG, None if data is None else sha256(data), _json({**settings, "extract": extract}), "host")]


def _config_without(workspace: Workspace) -> list[Change]:
    """The configuration without what `init` put there, if nobody has changed it since."""
    data = workspace.read(CONFIG)
    try:
        settings = _object(data, CONFIG) if data is not None else {}
    except BadInput:
        return []
    ours = {"source": "claude-code", "path": str(projects_folder(workspace.root))}
    extract = settings.get("extract")
    if data is None or not isinstance(extract, dict) or {key: extract.get(key) for key in ours} != ours:
        return []
    rest = {key: value for key, value in extract.items() if key not in ours}
    left = {key: value for key, value in {**settings, "extract": rest}.items() if key != "extract" or rest}
    return [Write(CONFIG, sha256(data), _json(left), "host") if left else Remove(CONFIG, sha256(data), "host")]


def _settings(workspace: Workspace, entries: Mapping[str, Any]) -> list[Change]:
    data = workspace.read(SETTINGS)
    settings = _object(data, SETTINGS) if data is not None else {}
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or any(not isinstance(hooks.get(event, []), list) for event in entries):
        raise BadInput(f"{SETTINGS}: `hooks` has another form than Claude Code's", "mend the file; nothing was written")
    if all([one for one in hooks.get(event, []) if _holds_ours(one, workspace)] == rows for event, rows in entries.items()):
        return []
    text = _without(decode(data), workspace) if data is not None and data.strip() else EMPTY
    for event, rows in entries.items():
        if json_text.member(text, json_text.start(text), "hooks") is None:
            text = json_text.put(text, json_text.start(text), {}, "hooks")
        hooks_at = _at(text, "hooks")
        if json_text.member(text, hooks_at, event) is None:
            text = json_text.put(text, hooks_at, rows, event)
        else:
            for row in rows:
                text = json_text.put(text, _at(text, "hooks", event), row)
    return [Write(SETTINGS, None if data is None else sha256(data), encode(text), "hooks")]


def _at(text: str, *keys: str) -> int:
    at = json_text.start(text)
    for key in keys:
        part = json_text.member(text, at, key)
        assert part is not None
        at = part.at
    return at


def _without(text: str, workspace: Workspace) -> str:
    """The settings without entries of ours; an event and `hooks` go where nothing else is left in them."""
    settings = json_text.value_at(text, json_text.start(text))
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    before = text
    for event, rows in hooks.items() if isinstance(hooks, dict) else ():
        held = [number for number, row in enumerate(rows) if _holds_ours(row, workspace)] if isinstance(rows, list) else []
        for number in reversed(held):
            mine = [n for n, one in enumerate(rows[number]["hooks"]) if _is_ours(one, workspace)]
            if len(mine) == len(rows[number]["hooks"]):
                text = json_text.drop(text, _at(text, "hooks", event), number)
                continue
            for n in reversed(mine):
                row = json_text.parts(text, _at(text, "hooks", event))[number]
                inner = json_text.member(text, row.at, "hooks")
                text = json_text.drop(text, inner.at, n) if inner else text
        if held and not json_text.parts(text, _at(text, "hooks", event)):
            text = json_text.drop(text, _at(text, "hooks"), event)
    if text != before and not json_text.parts(text, _at(text, "hooks")):
        text = json_text.drop(text, json_text.start(text), "hooks")
    return text


def _holds_ours(row: object, workspace: Workspace) -> bool:
    inner = row.get("hooks") if isinstance(row, dict) else None
    return isinstance(inner, list) and any(_is_ours(one, workspace) for one in inner)


def _is_ours(hook: object, workspace: Workspace) -> bool:
    command = str(hook.get("command", "")) if isinstance(hook, dict) else ""
    return MARK in command and f"--workspace {shlex.quote(str(workspace.root))} " in command


def _object(data: bytes, path: str) -> dict[str, Any]:
    try:
        value = json.loads(decode(data) or "{}")
    except ValueError as error:
        raise BadInput(f"{path}: not JSON: {error}", "mend the file; nothing was written") from None
    if not isinstance(value, dict):
        raise BadInput(f"{path}: not a JSON object", "mend the file; nothing was written")
    return value


def _json(value: Mapping[str, Any]) -> bytes:
    return encode(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
