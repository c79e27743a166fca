"""Where the workspace is, whose memory it is, which zone its days follow: flag > environment > file > default.

Loads `.silo/config.json` and looks two keys up in the host's own configuration. Writes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from pathlib import Path
from typing import NamedTuple

from silo.errors import BadInput
from silo.found import DEFAULT_AGENT

CONFIG_SCHEMA = 1
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_OFFSET = re.compile(r"(Etc/)?(?:GMT|UTC)(?:([+-])(\d{1,2})(?::(\d{2}))?)?")

DEFAULTS: dict[str, object] = {
    "schema_version": CONFIG_SCHEMA,
    "timezone": "",
    "agent_id": DEFAULT_AGENT,
    "owner_names": [],
    "extract": {"since_days": 30, "groups": False},
    "relations": [],
    "curation": {"source_bytes": 30_000},
    "suggest": {"days": 30},
    "stale_days": {"project": 30, "business": 30, "hobby": 60, "personal": 60, "reference": 60},
    "context": {"max_bytes": 8192, "max_tokens": 2000},
    "retrieve": {"limit": 5, "refresh_ms": 1500},
    # The published keys of a scored memory. `half_life_days` is the time in which a score falls to 1/e.
    "hot": {"max_bytes": 5120, "max_lessons": 20, "max_events": 10, "max_tasks": 10},
    "warm": {"max_kb": 50, "retention_days": 30, "eviction_threshold": 0.3},
    "cold": {"backend": "local", "retention_years": 10},
    "scoring": {"half_life_days": 30, "reinforcement_boost": 0.1, "true_half_life": False},
    "tree": {"max_nodes": 50, "max_depth": 4, "max_size_bytes": 2048},
    "distillation": {"aggression": 0.7, "max_distilled_bytes": 100, "mode": "rule"},
    "consolidation": {"warm_eviction": "hourly", "tree_prune": "daily", "tree_rebuild": "monthly"},
    "mirror": {"url": "", "folder": "", "timeout": 10},
    "semantic": {"endpoint": "", "model": "", "timeout": 20, "seconds": 20},
    "engines": {
        "extract": {"engine": "rules"},
        "openclaw": {"model": ""},
        "openai": {"endpoint": "", "model": ""},
        "http": {"endpoint": ""},
        "limits": {
            "daily_tokens": 50_000, "daily_usd": 0.10, "new_tokens": 5000, "idle_hours": 6, "batch_tokens": 12_000,
            "timeout": 60, "attempts": 3, "failures": 3, "pause_minutes": 30,
        },
        # Dollars for a million tokens; a model on this machine costs nothing.
        "prices": {
            "gpt-4o": {"in": 2.5, "out": 10}, "gpt-4o-mini": {"in": 0.15, "out": 0.6},
            "gpt-5-mini": {"in": 0.25, "out": 2}, "gpt-5-nano": {"in": 0.05, "out": 0.4},
            "claude-haiku-4-5": {"in": 1, "out": 5}, "claude-3-haiku": {"in": 0.25, "out": 1.25},
            "gemini-2.5-flash": {"in": 0.3, "out": 2.5}, "gemini-2.5-flash-lite": {"in": 0.1, "out": 0.4},
            "other": {"in": 1, "out": 5},
        },
    },
}  # fmt: skip


class Config(NamedTuple):
    """The effective settings of one call. `values` holds the merged file, every published key in its place."""

    workspace: Path
    state_dir: Path
    agent: str
    zone: tzinfo
    zone_name: str
    values: Mapping[str, object]

    def section(self, name: str) -> Mapping[str, object]:
        """A nested table of the configuration; empty when the file puts something else there."""
        value = self.values.get(name)
        return value if isinstance(value, dict) else {}

    def integer(self, section: str, key: str, default: int) -> int:
        """A whole number setting, or the default where the file gives none."""
        value = self.section(section).get(key, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default


def load(
    *,
    workspace: str | None,
    agent: str | None,
    timezone_name: str | None,
    environ: Mapping[str, str],
) -> Config:
    """The effective configuration.

    Raises:
        BadInput: an agent id or zone that does not exist, or a configuration file that is no JSON object.
    """
    home = Path(environ.get("HOME") or Path.home())
    state_dir = Path(environ.get("OPENCLAW_STATE_DIR") or home / ".openclaw")
    host = _host_settings(state_dir)
    root = Path(
        workspace
        or environ.get("OPENCLAW_WORKSPACE_DIR")
        or _text(host, "agents", "defaults", "workspace")
        or state_dir / "workspace"
    ).expanduser()
    values = merge(DEFAULTS, read_file(root / ".silo" / "config.json"))
    who = agent or str(values.get("agent_id") or DEFAULT_AGENT)
    if not _AGENT.fullmatch(who):
        raise BadInput(
            f"{who!r} is no agent id", "use lower-case letters, digits, '-' and '_', at most 64, starting with a letter or digit"
        )
    name = (
        timezone_name
        or str(values.get("timezone") or "")
        or _text(host, "agents", "defaults", "userTimezone")
        or environ.get("TZ", "").lstrip(":")
        or "UTC"
    )
    return Config(root, state_dir, who, find_zone(name), name, values)


def find_zone(name: str) -> tzinfo:
    """An IANA zone, or a plain offset such as `UTC+2`, `Etc/GMT-1` (POSIX sign: east is negative).

    Raises:
        BadInput: no such zone on this machine.
    """
    hit = _OFFSET.fullmatch(name)
    if hit:
        etc, sign, hours, minutes = hit.groups()
        delta = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        east = (sign == "-") == bool(etc)
        return timezone(delta if east else -delta) if delta else UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(f"{name!r} is no time zone on this machine", "give an IANA name such as Europe/Lisbon, or UTC+2") from None


def clock(zone: tzinfo, today: str | None) -> datetime:
    """The instant that a job works at: now, or noon of `today` for replays.

    Raises:
        BadInput: `today` is no date.
    """
    if today is None:
        return datetime.now(zone)
    return datetime.combine(parse_day(today, "--today"), time(12), tzinfo=zone)


def parse_day(text: str, flag: str) -> date:
    """A calendar day from YYYY-MM-DD.

    Raises:
        BadInput: it is none.
    """
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{flag} {text!r} is no date", "write YYYY-MM-DD, for example 2026-03-07") from None


def read_file(path: Path) -> dict[str, object]:
    """The JSON object in a configuration file, empty if there is none.

    Raises:
        BadInput: not JSON (with the line), not an object, or of a later version of memory-silo.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}:1: can't be read: {error}", "repair or remove the file") from None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}:{error.lineno}: not JSON: {error.msg}", "repair the line or remove the file") from None
    if not isinstance(value, dict):
        raise BadInput(f"{path}:1: not a JSON object", "repair or remove the file")
    version = value.get("schema_version", CONFIG_SCHEMA)
    if not isinstance(version, int) or version > CONFIG_SCHEMA:
        raise BadInput(
            f"{path}:1: schema_version {version!r} is of a newer memory-silo than this one (which knows {CONFIG_SCHEMA})",
            "update the skill; nothing was changed",
        )
    return value


def merge(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """`over` laid upon `base`, tables merged key by key, everything else replaced."""
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return out


def _host_settings(state_dir: Path) -> dict[str, object]:
    """The host's openclaw.json where it is plain JSON; its JSON5 forms are left to the flags."""
    try:
        value = json.loads((state_dir / "openclaw.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(tree: object, *keys: str) -> str:
    for key in keys:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree if isinstance(tree, str) else ""
