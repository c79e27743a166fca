"""The jobs behind `config`: what holds and where each setting comes from, one of them changed, a file checked or taken in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from silo.config import DEFAULTS, find_zone, read_file
from silo.core import settings
from silo.core.settings import CONFIG
from silo.edge.llm.templates import ROOT, load_schema
from silo.edge.workspace import Workspace
from silo.errors import BadInput
from silo.formats.jsonl import pretty
from silo.formats.schema import check
from silo.jobs.run import Call, Report, commit_planned, problem_data
from silo.model import Plan, Write
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact

BESIDE = ROOT / "config.json"  # a published skill keeps its settings beside its SKILL.md


def show(call: Call) -> Report:
    """Every effective setting and where it comes from: a flag, the environment, the file, the host, or the default."""
    mine = dict(settings.flat(read_file(call.config.workspace / CONFIG)))
    rows = {name: (value, "file" if name in mine else "default") for name, value in settings.flat(call.config.values)}
    rows["workspace"] = (str(call.config.workspace), _where_workspace(call))
    rows["agent_id"] = (call.config.agent, "file" if mine.get("agent_id") == call.config.agent else "default" if call.config.agent == DEFAULTS["agent_id"] else "flag")
    rows["timezone"] = (call.config.zone_name, _where_zone(call, mine))
    report = Report(data={"values": {name: value for name, (value, _) in rows.items()}, "sources": {name: where for name, (_, where) in rows.items()}})
    for name, (value, where) in sorted(rows.items()):
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        report.lines.append(f"{name} = {redact(shown)[0] or '(none)'}  [{where}]")
    report.problems(_problems(call))
    report.lines += _notes(call)
    return report


def _where_workspace(call: Call) -> str:
    place = str(call.config.workspace)
    if os.environ.get("OPENCLAW_WORKSPACE_DIR") and str(Path(os.environ["OPENCLAW_WORKSPACE_DIR"]).expanduser()) == place:
        return "environment"
    return "default" if place == str(call.config.state_dir / "workspace") else "flag or host"


def _where_zone(call: Call, mine: Mapping[str, Any]) -> str:
    if mine.get("timezone") == call.config.zone_name:
        return "file"
    if os.environ.get("TZ", "").lstrip(":") == call.config.zone_name:
        return "environment"
    return "default" if call.config.zone_name == "UTC" else "flag or host"


def _problems(call: Call) -> tuple[Any, ...]:
    place = call.config.workspace / CONFIG
    return settings.problems(place.read_text(encoding="utf-8"), CONFIG, load_schema("config")) if place.is_file() else ()


def _notes(call: Call) -> list[str]:
    found: list[str] = []
    mirror = call.config.section("mirror")
    if call.config.section("cold").get("backend") == "turso" and not (os.environ.get("TURSO_URL") or mirror.get("url")):
        found.append("NOTE cold.backend is turso and no address is set (TURSO_URL, mirror.url): the archive is local")
    days = call.config.section("scoring").get("half_life_days")
    if call.config.section("scoring").get("true_half_life") is not True:
        found.append(f"NOTE scoring.half_life_days {days} is, as published, the time in which a score falls to 1/e, not to a half")
    if BESIDE.is_file():
        found.append(f"NEXT memory_cli.py config import {BESIDE}: a config.json stands beside the skill and is not read by itself")
    return found


def validate(call: Call, file: str | None) -> Report:
    """A configuration file checked against its schema; exit 1 where something is wrong.

    Raises:
        BadInput: there is no such file.
    """
    place = Path(file).expanduser() if file else call.config.workspace / CONFIG
    if not place.is_file():
        if file:
            raise BadInput(f"there is no file {place}", "memory_cli.py config show tells what holds")
        return Report([f"OK there is no {CONFIG}: every setting has its default"], {"findings": []})
    found = settings.problems(_text(place), file or CONFIG, load_schema("config"))
    report = Report(data={"findings": problem_data(found)}, code=1 if found else 0)
    report.problems(found)
    report.lines += [] if found else [f"OK {place}: every key is known and has a value that it can have"]
    return report


def _text(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{place}:1: can't be read: {error}", "repair or remove the file") from None


def set_value(call: Call, name: str, text: str) -> Report:
    """One setting in .silo/config.json has this value.

    Raises:
        BadInput: no such key (with the one that was probably meant), or a value that it can't have, a zone that does not
            exist among them.
    """
    schema = load_schema("config")
    rule = settings.rule_of(name, schema)
    if rule is None or "properties" in rule or name == "schema_version":
        meant = settings.nearest(name, schema)
        what = "is a table, not a setting" if rule is not None and "properties" in rule else "is no setting"
        raise BadInput(f"{name!r} {what}", f"did you mean {meant}?" if meant else "memory_cli.py config show lists all")
    value = settings.parsed(text, rule)
    wrong = check(settings.with_value({}, name, value), schema)
    if wrong:
        raise BadInput(f"{name} {text!r}: {wrong[0][1]}", _said_of(name, rule, schema))
    if name == "timezone" and value:  # a zone that does not exist would stop every later command, this one too
        find_zone(value)
    return _written(call, lambda mine: settings.with_value(mine, name, value), f"{name} is {json.dumps(value, ensure_ascii=False)}", {"key": name, "value": value})


def _said_of(name: str, rule: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    above = settings.rule_of(name.rpartition(".")[0], schema) if "." in name else None
    return str(rule.get("description") or (above or {}).get("description") or f"the default is {_default(name)}")


def unset(call: Call, name: str) -> Report:
    """One setting has its default again.

    Raises:
        BadInput: the file does not set it.
    """
    if name not in dict(settings.flat(read_file(call.config.workspace / CONFIG))):
        raise BadInput(f"{CONFIG} does not set {name}", "memory_cli.py config show tells where each setting comes from")
    return _written(call, lambda mine: settings.without(mine, name), f"{name} is {_default(name)} again, the default", {"key": name, "value": None})


def _default(name: str) -> str:
    return json.dumps(dict(settings.flat(DEFAULTS)).get(name), ensure_ascii=False)


def take_in(call: Call, file: str) -> Report:
    """The settings of a published config.json hold here; a key that is not known is refused with its line, and nothing is written.

    Raises:
        BadInput: no such file, not JSON, or a key or value that is not known.
    """
    place = Path(file).expanduser()
    if not place.is_file():
        raise BadInput(f"there is no file {place}", "give the published config.json")
    text = _text(place)
    schema = load_schema("config")
    wrong = settings.problems(text, place.name, schema)
    if wrong:
        more = "".join(f"; {one.where}: {one.message}" for one in wrong[1:5])
        raise BadInput(f"{wrong[0].where}: {wrong[0].message}{more}", "correct or remove the line; nothing was written")
    value = json.loads(text)
    taken, notes = settings.published(value, schema)
    foreign = [name for name in value if name not in settings.PUBLISHED]
    if foreign:
        raise BadInput(f"{place.name} sets {', '.join(foreign)}, which no published config.json has", "copy a file of ours to .silo/config.json instead")
    report = _written(call, lambda mine: _laid(mine, taken), f"{len(dict(settings.flat(taken)))} settings are taken in from {place}", {"from": str(place), "taken": taken})
    report.lines += [f"NOTE {note}" for note in notes]
    if isinstance(report.data, dict):
        report.data["notes"] = list(notes)
    return report


def _laid(mine: dict[str, Any], taken: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in settings.flat(taken):
        mine = settings.with_value(mine, name, value)
    return mine


def _written(call: Call, change: Callable[[dict[str, Any]], dict[str, Any]], told: str, data: dict[str, Any]) -> Report:
    workspace = call.open(create=not call.dry_run)
    report = Report(data=data)

    def plan() -> Plan:
        before = workspace.read(CONFIG)
        mine = json.loads(decode(before)) if before else {"schema_version": 1}
        after = encode(pretty(change(mine)))
        return Plan("config", () if after == before else (_write(workspace, before, after),))

    run = commit_planned(call, workspace, plan, report)
    verb = "OK would be: " if call.dry_run else "OK "
    report.lines.insert(0, f"{verb}{told}" + ("" if run or call.dry_run else "; it was so already"))
    return report


def _write(workspace: Workspace, before: bytes | None, after: bytes) -> Write:
    return Write(CONFIG, None if before is None else sha256(before), after, "config")
