"""Blocks between marks inside a message: the host's runtime context, recalled memory, attached files, command echoes.

Each cut gives the text without the blocks and what stood in them. Marks follow OpenClaw's internal-runtime-context
(2026.7.1, 2026.9.6), its LanceDB recall, Claude Code's tags, and our own recall. Single lines are `envelope`'s part.
"""

from __future__ import annotations

import re

OWN_TAG = "silo-memory"  # wraps what our own recall hands to an assistant

BEGIN = "<" * 3 + "BEGIN_OPENCLAW_INTERNAL_CONTEXT" + ">" * 3
END = "<" * 3 + "END_OPENCLAW_INTERNAL_CONTEXT" + ">" * 3

_NOTICE = re.compile(
    r"^[ \t]*(?:OpenClaw runtime (?:context|event)[^\n]*\n[ \t]*)?This context is runtime-generated, not user-authored\."
    r"\s+Keep internal details private\.[ \t]*(?:\n|\Z)",
    re.M,
)
_EVENT = "[Internal task completion event]"
_EVENT_BODY = re.compile(r"^\[Internal task completion event\](?:.*?\n\nAction:\n)?.*?(?:\n\n|\Z)", re.M | re.S)
_CHILD = re.compile(r"<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>.*?(?:<<<END_UNTRUSTED_CHILD_RESULT>>>|\Z)", re.S)
_EXTERNAL = re.compile(r"<<<EXTERNAL_UNTRUSTED_CONTENT(.*?)(?:<<<END_EXTERNAL_UNTRUSTED_CONTENT[^>\n]*>>>|\Z)", re.S)
_FILE = re.compile(r"^<file [^>\n]*>\n?(.*?)(?:</file>|\Z)", re.M | re.S)

# Any tag that says that it holds recalled memory (relevant-memories, active_memory_plugin, recalled-context…), ours,
# and what Claude Code puts into a person's turn.
_ECHO = r"local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr|input)|command-(?:name|message|args|contents)"
_NAME = (
    r"[a-z][\w-]*memor(?:y|ies)[\w-]*|memor(?:y|ies)[_-][\w-]+|recall(?:ed)?[_-][\w-]+|"
    + OWN_TAG
    + r"|system-reminder|task-notification|ide_(?:opened_file|selection)|user-prompt-submit-hook|"
    + _ECHO
)
_HEAD = r"(?:^(?:Untrusted context[^\n]*:|Context:)[ \t]*\n)?[ \t]*"
_TAGGED = re.compile(_HEAD + r"<(" + _NAME + r")\b[^>\n]*>(.*?)</\1>[ \t]*\n?", re.M | re.S | re.I)
# A block whose end is missing goes up to the next blank line: what a person wrote below it stays.
_UNCLOSED = re.compile(r"^" + _HEAD + r"<(" + _NAME + r")\b[^>\n]*>(.*?)(?:\n[ \t]*\n|\Z)", re.M | re.S | re.I)
_STRAY = re.compile(r"</?(?:" + _NAME + r")\b[^>\n]*>", re.I)
_IS_ECHO = re.compile(_ECHO, re.I)


def cut_runtime_context(text: str) -> str:
    """Nested BEGIN…END blocks out; an unclosed one takes the rest of the text, as the host has it."""
    while (start := text.find(BEGIN)) >= 0:
        depth, cursor = 1, start + len(BEGIN)
        while depth:
            begin, end = text.find(BEGIN, cursor), text.find(END, cursor)
            if end < 0:
                return text[:start].rstrip()
            if 0 <= begin < end:
                depth, cursor = depth + 1, begin + len(BEGIN)
            else:
                depth, cursor = depth - 1, end + len(END)
        before, after = text[:start].rstrip(), text[cursor:].lstrip()
        text = f"{before}\n\n{after}" if before and after else before + after
    text = text.replace(END, "")
    if "runtime-generated" in text:
        text = _NOTICE.sub("", text)
    if _EVENT in text:
        text = _EVENT_BODY.sub("", _CHILD.sub("", text))
    return _CHILD.sub("", text) if "UNTRUSTED_CHILD" in text else text


def cut_tagged(text: str) -> tuple[str, list[str]]:
    """Recalled memory, attached files, external content and command echoes out; what was cut (echoes left out)."""
    found: list[str] = []
    if "<" not in text:
        return text, found

    def keep(match: re.Match[str]) -> str:
        found.append(match[1].strip())
        return "\n"

    def keep_tag(match: re.Match[str]) -> str:
        if not _IS_ECHO.fullmatch(match[1]):
            found.append(match[2].strip())
        return ""

    text = _FILE.sub(keep, _EXTERNAL.sub(keep, text))
    before = ""
    while before != text:  # a tag may hold another of another name
        before, text = text, _TAGGED.sub(keep_tag, text)
    text = _UNCLOSED.sub(keep_tag, text)
    return _STRAY.sub("", text), [piece for piece in found if piece]
