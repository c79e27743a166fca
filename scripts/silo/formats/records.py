"""Records of a host's transcript → messages: OpenClaw (versions 3 and 4) and Claude Code, one JSON object a line.

Reads what a record says of itself: id, role, text, time, provenance. What the text holds (envelopes, quotations,
prompts of the machine) is `envelope`'s part, whose word it is `core.screen`'s. Unknown record types are passed over,
never guessed at. Shapes: OpenClaw's session entries as its 2026.7.1 and 2026.9.6 write them; Claude Code's project
folders as versions 1.0 to 2.1 write them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from silo.formats.session import Kind, Mark, Message
from silo.model import Origin

# The role stands right after `"message":{` in every version seen. Such bytes can't stand inside a JSON string (its
# quotes are escaped), so the first hit is structure; two thirds of a transcript are passed over without parsing it.
_ROLE = re.compile(rb'"message"\s*:\s*\{\s*"role"\s*:\s*"(\w+)"')
_TYPE = re.compile(rb'\{\s*"type"\s*:\s*"([\w.-]+)"')
_SKIP_ROLES = frozenset({b"toolResult", b"custom", b"bashExecution", b"tool", b"system"})
_SKIP_TYPES = frozenset(
    {b"model_change", b"thinking_level_change", b"label", b"session_info", b"branch_summary"}
)
_MACHINE_BYTES = (b"dreaming-narrative-", b":cron:")
_TOOL_USE_RESULT = re.compile(
    rb'"content"\s*:\s*\[\s*\{\s*"(?:tool_use_id"\s*:\s*"[^"]*"\s*,\s*"type|type)"\s*:\s*"tool_result"'
)


def is_tool_output(line: bytes) -> bool:
    """Whether a line is a tool's output, by its first bytes alone (`line` may be cut there)."""
    head = line[:1200]
    role = _ROLE.search(head)
    if role is not None:
        return role.group(1) in _SKIP_ROLES or (
            role.group(1) == b"user" and _TOOL_USE_RESULT.search(head) is not None
        )
    return False


def worth_parsing(line: bytes) -> bool:
    """False for lines that can hold neither talk nor a mark. Cheap: looks at the first bytes, and for `custom`
    records at the few byte strings that unmask a machine's session."""
    head = line[:1200]
    kind = _TYPE.match(head)
    if kind is not None:
        name = kind.group(1)
        if name in _SKIP_TYPES:
            return False
        if name in (b"custom", b"custom_message"):
            return any(mark in line for mark in _MACHINE_BYTES)
    return not is_tool_output(line)


def text_of(content: object) -> str:
    """The text blocks of a message's content, joined by newlines; thinking, tools and images left out.

    Half a surrogate pair, which JSON may hold and UTF-8 may not, becomes U+FFFD.
    """
    text = _joined(content)
    return text if text.isascii() else _HALF.sub("\ufffd", text)


_HALF = re.compile("[\ud800-\udfff]")


def _joined(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [
        block["text"]
        for block in content
        if isinstance(block, dict)
        and block.get("type") in ("text", "input_text", "output_text")
        and isinstance(block.get("text"), str)
    ]
    return "\n".join(parts)


def _blocks(content: object, *kinds: str) -> bool:
    return isinstance(content, list) and any(isinstance(b, dict) and b.get("type") in kinds for b in content)


_MAX_SECONDS = 4e11 / 1e3 * 10  # the year 2096: later stamps are damage


def seconds(value: object) -> float | None:
    """A stamp as seconds since 1970: a number in ms (or in seconds when below 1e11, as very old files have it), or ISO."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        stamp = float(value) if value < 1e11 else value / 1000
        return stamp if 0 < stamp < _MAX_SECONDS else None
    if isinstance(value, str) and value:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        stamp = moment.timestamp()
        return stamp if 0 < stamp < _MAX_SECONDS else None
    return None


def _s(value: object) -> str:
    return value if isinstance(value, str) else ""


def _made_id(role: str, at: float | None, text: str) -> str:
    """An id for a message that has none, the same at every reading."""
    return "h" + hashlib.sha256(f"{role}\x1f{at}\x1f{text}".encode()).hexdigest()[:12]


_CRON_KEY = re.compile(r"(?:agent:[^:]+:)?cron:")


def _machine(record: Mapping[str, object]) -> str:
    """The kind of machine whose run a record belongs to, by run id or session key; '' for none."""
    data = record.get("data")
    if data is None and "runId" not in record and "sessionKey" not in record:
        return ""
    places = (record, data) if isinstance(data, dict) else (record,)
    for place in places:
        for name in ("runId", "sessionKey"):
            value = _s(place.get(name))
            if value.startswith("dreaming-narrative-") or ":dreaming-narrative-" in value:
                return Kind.DREAMING
            if name == "sessionKey" and _CRON_KEY.match(value):
                return Kind.CRON
    return ""


def openclaw(record: Mapping[str, object]) -> Message | Mark | None:
    """One OpenClaw record → a message, a mark, or None for what is neither."""
    kind, ident, parent = _s(record.get("type")), _s(record.get("id")), _s(record.get("parentId"))
    machine = _machine(record)
    if machine:
        return Mark("machine", machine, ident, parent)
    if kind == "message":
        message = record.get("message")
        return _openclaw_message(record, message, ident, parent) if isinstance(message, dict) else None
    if kind == "session":
        return Mark(
            "session",
            ident,
            version=str(record.get("version", "")),
            parent_session=_session_id(_s(record.get("parentSession"))),
            at=seconds(record.get("timestamp")),
        )
    if kind == "reset":
        return Mark("reset", _s(record.get("reason")), ident, parent)
    if kind == "leaf":
        return Mark("leaf", _s(record.get("targetId")), ident, parent)
    if kind == "compaction":
        return Mark("compaction", "", ident, parent)
    return Mark("other", kind, ident, parent) if ident else None


def _session_id(text: str) -> str:
    """A session's id, where a record names it or the file it lies in."""
    return re.sub(r"\.jsonl.*$", "", re.split(r"[/\\]", text)[-1])


def _openclaw_message(
    record: Mapping[str, object], message: Mapping[str, object], ident: str, parent: str
) -> Message | Mark | None:
    role = _s(message.get("role"))
    if role not in ("user", "assistant"):
        return Mark("other", role, ident, parent)
    content = message.get("content")
    at = seconds(message.get("timestamp")) or seconds(record.get("timestamp"))
    inner = message.get("__openclaw")
    own: Mapping[str, object] = inner if isinstance(inner, dict) else {}
    skip, whole = _provenance(message) if role == "user" else ("", False)
    if not skip and message.get("display") is False:
        skip, whole = "hidden", role == "user"
    if (
        role == "assistant"
        and message.get("provider") == "openclaw"
        and message.get("model") in ("gateway-injected", "delivery-mirror")
    ):
        skip = "mirror"
    origin: Origin | None = None
    if role == "user" and isinstance(own.get("senderIsOwner"), bool):
        origin = Origin.OWNER if own["senderIsOwner"] else Origin.UNTRUSTED
    calls = _blocks(content, "toolCall", "tool_use", "toolUse") or message.get("stopReason") in (
        "toolUse",
        "error",
        "aborted",
    )
    text = text_of(content)
    return Message(
        id=ident or _made_id(role, at, text), role=role, text=text, at=at, parent=parent, origin=origin, skip=skip, whole_turn=whole,
        tainted=own.get("turnTainted") is True, done=not (role == "assistant" and calls), sender=_sender(message, own),
    )  # fmt: skip


def _provenance(message: Mapping[str, object]) -> tuple[str, bool]:
    """(why it is no talk, whether its answers go with it), from the host's own `provenance`."""
    given = message.get("provenance")
    if not isinstance(given, dict):
        return "", False
    kind, tool = _s(given.get("kind")), _s(given.get("sourceTool"))
    if kind == "inter_session":
        return "inter-session", True
    if kind == "internal_system":
        return {"memory_search": "recall", "memory_get": "recall"}.get(tool, tool or "system"), True
    return "", False


def _sender(message: Mapping[str, object], own: Mapping[str, object]) -> str:
    for place in (message.get("sender"), own.get("sender")):
        if isinstance(place, dict):
            for name in ("name", "label", "username", "id"):
                if _s(place.get(name)):
                    return _s(place.get(name))
        elif isinstance(place, str) and place:
            return place
    return ""


_NOTED = re.compile(r"\s*<user-memory-input>(.*)</user-memory-input>\s*", re.S)  # what is typed behind a `#`


def claude_code(record: Mapping[str, object]) -> Message | Mark | None:
    """One Claude Code record → a message, a mark, or None. Side chains (sub-agents), meta records, command echoes and
    compaction summaries carry a `skip`; tool results are no messages. What a person types while the assistant works
    lies in an `attachment` and nowhere else."""
    kind, ident, parent = _s(record.get("type")), _s(record.get("uuid")), _s(record.get("parentUuid"))
    message, origin = record.get("message"), record.get("origin")
    if kind == "attachment" and (queued := _queued(record.get("attachment"))) is not None:
        kind, message, origin = "user", {"content": queued.get("prompt")}, queued.get("origin")
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return Mark("other", kind, ident, parent) if ident else None
    content = message.get("content")
    text = text_of(content)
    if kind == "user" and (noted := _NOTED.fullmatch(text)):
        text = noted[1].strip()
    if kind == "user" and not text and _blocks(content, "tool_result"):
        return Mark("other", "tool_result", ident, parent)
    skip = ""
    if record.get("isSidechain") is True:
        skip = Kind.SUBAGENT
    elif record.get("isCompactSummary") is True or record.get("isVisibleInTranscriptOnly") is True:
        skip = "compaction"
    elif record.get("isMeta") is True:
        skip = "hidden"
    elif record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
        skip = "mirror"
    elif kind == "user" and (record.get("toolUseResult") is not None or _blocks(content, "tool_result")):
        skip = "tool"
    if (
        not skip
        and kind == "user"
        and isinstance(origin, dict)
        and _s(origin.get("kind")) not in ("", "human")
    ):
        skip = "system"
    at = seconds(record.get("timestamp"))
    return Message(
        id=ident or _made_id(kind, at, text), role=kind, text=text, at=at, parent=parent, skip=skip,
        done=not _blocks(content, "tool_use"),
    )  # fmt: skip


def _queued(attachment: object) -> Mapping[str, object] | None:
    """A prompt that waited in the queue; None for what the tool itself puts there."""
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return None
    return attachment if attachment.get("commandMode", "prompt") == "prompt" else None


def is_claude_code(record: Mapping[str, object]) -> bool:
    """Whether a record is Claude Code's: its own names for ids, beside a type that OpenClaw has not."""
    return (
        "sessionId" in record
        and record.get("type") in ("user", "assistant", "system", "attachment", "progress", "queue-operation")
    ) or (
        record.get("type") in ("summary", "file-history-snapshot")
        and ("leafUuid" in record or "messageId" in record)
    )
