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
_EVENT_BODY = re.compile(
    r"^\[Internal task completion event\](?:.*?\n\nAction:\n)?.*?(?:\n\n|\Z)", re.M | re.S
)
_CHILD = re.compile(r"<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>.*?(?:<<<END_UNTRUSTED_CHILD_RESULT>>>|\Z)", re.S)
_EXTERNAL = re.compile(
    r"<<<EXTERNAL_UNTRUSTED_CONTENT(.*?)(?:<<<END_EXTERNAL_UNTRUSTED_CONTENT[^>\n]*>>>|\Z)", re.S
)
_FILE = re.compile(r"^<file [^>\n]*>\n?(.*?)(?:</file>|\Z)", re.M | re.S)

# Any tag that says that it holds recalled memory (relevant-memories, active_memory_plugin, recalled-context…), ours,
# and what Claude Code puts into a person's turn.
_ECHO = r"local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr|input)|command-(?:name|message|args|contents)"
_NAME = (
    r"[a-z][\w-]*memor(?:y|ies)[\w-]*|memor(?:y|ies)[_-][\w-]+|recall(?:ed)?[_-][\w-]+|"
    + OWN_TAG
    + r"|system-reminder|task-notification|ide_(?:opened_file|selection)|user-prompt-submit-hook|(?:teammate|cross-session|agent|peer)-message|"
    + _ECHO
)
_OPEN = re.compile(
    r"(?:^(?:Untrusted context[^\n]{0,80}:|Context:)[ \t]*\n)?(?P<line>^[ \t]*)?<(?P<name>"
    + _NAME
    + r")\b[^>\n]{0,300}>",
    re.M | re.I,
)
_STRAY = re.compile(r"</?(?:" + _NAME + r")\b[^>\n]{0,300}>", re.I)
_IS_OURS = re.compile(
    _ECHO + "|" + OWN_TAG + r"|system-reminder|task-notification|ide_\w+|user-prompt-submit-hook", re.I
)
_BLANK = re.compile(r"\n[ \t]*\n")


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
    """Recalled memory, attached files, external content and command echoes out; what of it is others' words.

    A tag that nothing closes takes the text up to the next blank line: what a person wrote below it stays.
    """
    found: list[str] = []
    if "<" not in text:
        return text, found

    def keep(match: re.Match[str]) -> str:
        found.append(match[1].strip())
        return "\n"

    text = _FILE.sub(keep, _EXTERNAL.sub(keep, text))
    low = text.lower()
    if len(low) != len(text):
        low = text
    kept: list[str] = []
    last = 0
    open_ended: set[str] = set()
    for match in _OPEN.finditer(text):
        if match.start() < last:
            continue  # inside the block before
        name = match["name"].lower()
        end = -1 if name in open_ended else low.find(f"</{name}>", match.end())
        if end < 0:
            open_ended.add(name)
            if match["line"] is None:
                continue
            blank = _BLANK.search(text, match.end())
            end = after = blank.start() if blank else len(text)
        else:
            after = end + len(name) + 3
        if not _IS_OURS.fullmatch(name):
            found.append(text[match.end() : end].strip())
        kept.append(text[last : match.start()])
        last = after
    kept.append(text[last:])
    return _STRAY.sub("", "".join(kept)), [piece for piece in found if piece]
