"""Conversations as ChatGPT and Claude export them: conversations.json → messages, along the branch that was last open.

ChatGPT: a tree of nodes, `current_node` and its parents. Claude: a list, with `parent_message_uuid` and
`current_leaf_message_uuid` in newer exports. An edited prompt or a regenerated answer that was left is not read, nor is what no
person wrote or saw: tools, hidden messages, custom instructions, thinking, attachments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from silo.formats.session import Message

CHATGPT, CLAUDE = "chatgpt", "claude"
_PROSE = ("text", "multimodal_text")


@dataclass(frozen=True, slots=True)
class Exported:
    """A conversation. `at` and `last` are seconds since 1970: when it began and was last changed."""

    id: str
    source: str
    title: str
    at: float | None
    last: float | None
    messages: tuple[Message, ...]


def source_of(value: object) -> str:
    """chatgpt, claude, or "" for a value that is no export."""
    rows = _rows(value)
    first = next((row for row in rows if isinstance(row, dict)), {})
    if isinstance(first.get("mapping"), dict):
        return CHATGPT
    return CLAUDE if isinstance(first.get("chat_messages"), list) else ""


def conversations(value: object) -> Iterator[Exported]:
    """Every conversation of an export that has an id and a message, in its order."""
    for row in _rows(value):
        if not isinstance(row, dict):
            continue
        found = _chatgpt(row) if isinstance(row.get("mapping"), dict) else _claude(row)
        if found is not None and found.id and found.messages:
            yield found


def _rows(value: object) -> list[Any]:
    if isinstance(value, dict):  # one conversation alone, or wrapped
        inner = value.get("conversations")
        return inner if isinstance(inner, list) else [value]
    return value if isinstance(value, list) else []


# --- ChatGPT ----------------------------------------------------------------------------------------------


def _chatgpt(row: Mapping[str, Any]) -> Exported | None:
    nodes = {key: node for key, node in row["mapping"].items() if isinstance(node, dict)}
    ident = _text(row.get("conversation_id")) or _text(row.get("id"))
    branch = _branch(nodes, _text(row.get("current_node")))
    messages = tuple(made for key in branch if (made := _of_node(key, nodes[key].get("message"))) is not None)
    return Exported(ident, CHATGPT, _text(row.get("title")), _time(row.get("create_time")), _time(row.get("update_time")), messages)


def _branch(nodes: Mapping[str, Mapping[str, Any]], current: str) -> list[str]:
    """The ids from the root to the current node; without one, to the leaf that was made last."""
    if current not in nodes:
        leaves = [key for key, node in nodes.items() if not node.get("children")]
        current = max(leaves, key=lambda key: _made(nodes[key]), default="")
    found: list[str] = []
    seen: set[str] = set()
    while current in nodes and current not in seen:
        seen.add(current)
        found.append(current)
        current = _text(nodes[current].get("parent"))
    return found[::-1]


def _made(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    return (_time(message.get("create_time")) if isinstance(message, dict) else None) or 0.0


def _of_node(key: str, message: object) -> Message | None:
    if not isinstance(message, dict):
        return None
    author, content, meta = (_table(message.get(name)) for name in ("author", "content", "metadata"))
    role = _text(author.get("role"))
    hidden = meta.get("is_visually_hidden_from_conversation") is True or meta.get("is_user_system_message") is True or message.get("weight") == 0
    if role not in ("user", "assistant") or hidden or content.get("content_type", "text") not in _PROSE:
        return None
    if _text(message.get("recipient")) not in ("", "all"):
        return None  # a call of a tool
    parts = content.get("parts")
    text = "\n".join(part for part in parts if isinstance(part, str) and part.strip()) if isinstance(parts, list) else ""
    return Message(_text(message.get("id")) or key, role, text, _time(message.get("create_time"))) if text.strip() else None


# --- Claude -----------------------------------------------------------------------------------------------


def _claude(row: Mapping[str, Any]) -> Exported | None:
    given = row.get("chat_messages")
    if not isinstance(given, list):
        return None
    rows = [one for one in given if isinstance(one, dict)]
    messages = tuple(made for one in _line(rows, _text(row.get("current_leaf_message_uuid"))) if (made := _of_row(one)) is not None)
    return Exported(_text(row.get("uuid")), CLAUDE, _text(row.get("name")), _time(row.get("created_at")), _time(row.get("updated_at")), messages)


def _line(rows: list[dict[str, Any]], leaf: str) -> list[dict[str, Any]]:
    """The messages of the branch that was last open; all of them where the export names no parents."""
    by_id = {_text(row.get("uuid")): row for row in rows}
    if not any(_text(row.get("parent_message_uuid")) in by_id for row in rows):
        return rows
    current = leaf if leaf in by_id else _text(rows[-1].get("uuid"))
    found: list[dict[str, Any]] = []
    while current in by_id and by_id[current] not in found:
        found.append(by_id[current])
        current = _text(by_id[current].get("parent_message_uuid"))
    return found[::-1]


def _of_row(row: Mapping[str, Any]) -> Message | None:
    role = {"human": "user", "user": "user", "assistant": "assistant"}.get(_text(row.get("sender")), "")
    blocks = row.get("content")
    spoken = [_text(b.get("text")) for b in blocks if isinstance(b, dict) and b.get("type") == "text"] if isinstance(blocks, list) else []
    text = "\n".join(part for part in spoken if part.strip()) or (_text(row.get("text")) if not blocks else "")
    return Message(_text(row.get("uuid")), role, text, _time(row.get("created_at"))) if role and text.strip() else None


# --- values -----------------------------------------------------------------------------------------------


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _time(value: object) -> float | None:
    """Seconds since 1970 from such a number, or from an ISO instant."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if 0 < value < 32_503_680_000 else None
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) and value else None
    except ValueError:
        return None
