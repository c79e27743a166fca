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
from silo.formats import managed
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
SECONDS = 120  # that a hook may take
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
    report = topics.init(call)
    workspace = call.open(create=not call.dry_run)
    changes = [*_guide(call, workspace), *_config(workspace)]
    entries = hook_entries(call, workspace)
    if hooks and yes:
        changes += _settings(workspace, entries)
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
    report.lines.append(f"NEXT memory_cli.py save --workspace {workspace.root} reads the conversations in {projects_folder(workspace.root)}")
    memory = projects_folder(workspace.root) / "memory"
    if memory.is_dir():
        report.lines.append(f"NEXT memory_cli.py import {memory} --kind claude-code takes in what Claude Code remembers by itself")
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
        left_over = _without(settings)
        if left_over != settings:
            changes.append(Write(SETTINGS, sha256(data), _json(left_over), "hooks") if left_over else Remove(SETTINGS, sha256(data), "hooks"))
    return [*changes, *_config_without(workspace)]


def hook_entries(call: Call, workspace: Workspace) -> dict[str, Any]:
    """The entries of Claude Code's settings under `hooks`."""
    place = place_of(call, workspace)
    command = shlex.join([place.python, f"{place.scripts}/memory_cli.py", "save", "--workspace", place.workspace, "--scheduled", "--quiet"])
    return {event: [{"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}] for event in EVENTS}


def _guide(call: Call, workspace: Workspace) -> list[Change]:
    data = workspace.read(GUIDE)
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
    bare = _without(settings)
    hooks = dict(bare.get("hooks", {}))
    for event, ours in entries.items():
        hooks[event] = [*hooks.get(event, []), *ours]
    after = _json({**bare, "hooks": hooks})
    return [] if after == data else [Write(SETTINGS, None if data is None else sha256(data), after, "hooks")]


def _without(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without entries of ours; `hooks` goes where nothing else is left in it."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return dict(settings)
    kept = {event: [one for one in rows if not _is_ours(one)] if isinstance(rows, list) else rows for event, rows in hooks.items()}
    kept = {event: rows for event, rows in kept.items() if rows or not hooks[event]}
    return {key: value for key, value in {**settings, "hooks": kept}.items() if key != "hooks" or kept}


def _is_ours(row: object) -> bool:
    inner = row.get("hooks") if isinstance(row, dict) else None
    return isinstance(inner, list) and bool(inner) and all(isinstance(one, dict) and MARK in str(one.get("command", "")) for one in inner)


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
