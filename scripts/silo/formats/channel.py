"""The bracket that a channel sets before a message: who wrote, through what, when.

`[Fri 2026-03-06 09:02 GMT+1] `, `[Telegram Robin id:1 +1h Tue 2026-04-14 20:11 GMT-5] `, `[Signal Ana id:x] `: the forms
of OpenClaw's envelope (January to July 2026). One bracket at the start of one line; the rest is `envelope`'s part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

_CHANNEL = (
    r"(?:Telegram|WhatsApp|Discord|Slack|Signal|iMessage|BlueBubbles|Matrix|MS ?Teams|Microsoft Teams|Google ?Chat|WebChat"
    r"|Feishu|Lark|LINE|Zalo|IRC|Mattermost|Nextcloud Talk|Nostr|Twitch|Twilio|SMS|QQ|WeChat|DingTalk|Channel)"
)
_CHANNEL_NAME = re.compile(_CHANNEL + r"\b ?")
_TIMED = re.compile(
    r"\[(?:(?P<label>[^\[\]\n]{1,200}?) )??(?P<weekday>[A-Za-z]{3} )?(?P<day>\d{4}-\d{2}-\d{2})[T ](?P<time>\d{2}:\d{2}(?::\d{2})?)"
    r"(?P<zone>Z|[ ]?[A-Z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?|[ ]?[+-]\d{1,2}(?::?\d{2})?)?\][ \t]*"
)
_UNTIMED = re.compile(r"\[(?P<label>" + _CHANNEL + r" [^\[\]\n]{0,160}\bid:[^\[\]\s]{1,80})\][ \t]*")
_ELAPSED = re.compile(r" \+\d+\s?(?:ms|s|m|min|h|d|w)$")
_LABEL_ID = re.compile(r"\s*(?:\bid:(\S+)|\(([@+][^)]*|\d{5,}[^)]*)\))$")
_GROUPISH = re.compile(r"\bid:-\d+|@g\.us|(?:^|\s)#\S|\b(?:group|channel|guild)\b|\btopic:\d+", re.I)
_OFFSET = re.compile(r"(?:GMT|UTC)?([+-])(\d{1,2})(?::?(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Label:
    """Who a bracket or a `[from: …]` line names; a group's label names nobody and says `group`."""

    name: str = ""
    ident: str = ""
    group: bool = False


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket that was read: its label, its time (aware only where an offset was named), and the line behind it."""

    label: Label
    stamp: datetime | None
    rest: str


def read_bracket(line: str, *, first: bool) -> Bracket | None:
    """The bracket at the start of a line. Below the first words only forms count that people don't type: a stamp with
    its weekday, or a known channel or an id before the time."""
    found = _TIMED.match(line) or _UNTIMED.match(line)
    if found is None:
        return None
    parts = found.groupdict()
    label = parts.get("label") or ""
    ours = _CHANNEL_NAME.match(label) is not None or " id:" in label or label.startswith("id:")
    if not ours and not first and not (parts.get("weekday") and not label):
        return None
    stamp = _moment(parts["day"], parts["time"], parts["zone"]) if parts.get("day") else None
    return Bracket(read_label(label) if ours else Label(), stamp, line[found.end() :])


def read_label(label: str) -> Label:
    """`Telegram Robin id:999063 +1h` → Robin, 999063."""
    label = _ELAPSED.sub("", label).strip()
    channel = _CHANNEL_NAME.match(label)
    bare = label[channel.end() :] if channel else label
    if _GROUPISH.search(bare):
        return Label(group=True)
    found = _LABEL_ID.search(bare)
    ident = (found[1] or found[2]).strip() if found else ""
    name = bare[: found.start()].strip() if found else bare.strip()
    return Label("" if name.startswith("+") else name, ident or (name if name.startswith("+") else ""))


def _moment(day: str, clock: str, zone: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}")
    except ValueError:
        return None
    name = (zone or "").strip()
    if name in ("Z", "GMT", "UTC"):
        return moment.replace(tzinfo=UTC)
    found = _OFFSET.fullmatch(name)
    if found is None:
        return moment
    away = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    if away >= timedelta(hours=24):
        return moment
    return moment.replace(tzinfo=timezone(-away if found[1] == "-" else away))
