"""Plain text as a conversation: `User: …` / `Assistant: …` lines, or notes, one a paragraph.

Reads; writes nothing. A message's id is a hash of its words, so that a line typed above it changes no identity. What
looks like a date (a heading, or a stamp before a speaker) is the time of what follows; nothing else is interpreted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from silo.formats.session import Message

_USER = r"user|human|me|owner|you|eu|usu[aá]rio|utilizador|usuario|humano"
_ASSISTANT = r"assistant|agent|ai|bot|claude|chatgpt|gpt|openclaw|model|assistente|agente|asistente"
_STAMP = (
    r"\[?(\d{4}-\d{2}-\d{2}(?:[T ,]+\d{1,2}:\d{2}(?::\d{2})?)?(?:Z|[+-]\d{2}:?\d{2})?)\]?[ \t]*[-–:]?[ \t]*"
)
_SPEAKER = re.compile(
    rf"^(?:[-*>][ \t]+)?(?:{_STAMP})?(?:\*\*|__)?(?:(?P<user>{_USER})|(?P<assistant>{_ASSISTANT}))"
    r"(?:[ \t]*\((?P<when>[^)\n]{6,40})\))?(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*",
    re.I,
)
_HEADING = re.compile(
    rf"^(?:#{{1,6}}[ \t]+(?:(?P<user>{_USER})|(?P<assistant>{_ASSISTANT})))[ \t]*:?[ \t]*$", re.I
)
_INLINE = re.compile(rf"(?<=[.!?…)\"”])[ \t]+(?=(?:{_USER}|{_ASSISTANT})[ \t]*:[ \t])", re.I)  # speakers one behind the other in a line
_DAY = re.compile(
    r"^(?:#{1,6}[ \t]+|[-*=]{2,}[ \t]*)?(?:[A-Za-zçáéíóúãõ]+,?[ \t]+)?(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?[ \t]*[-*=]*$"
)


def read_dialogue(text: str, zone: tzinfo, default: datetime | None = None) -> tuple[Message, ...]:
    """The messages of a text. Without any speaker each paragraph is a note of the owner's.

    `default` is the time where the text gives none; dates in it are in `zone`.
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").split("\n")
    speakers = sum(1 for line in lines if _speaker(line))
    made = (
        _dialogue(lines, zone, default)
        if speakers >= 2 or (speakers == 1 and _speaker(_first(lines)))
        else _notes(lines, zone, default)
    )
    return tuple(_with_ids(made))


def one_speaker_a_line(text: str) -> str:
    """A conversation given as one paragraph, `User: … Agent: …`, with each speaker on a line; other text as it is."""
    return _INLINE.sub("\n", text) if _SPEAKER.match(text.lstrip()) else text


def _first(lines: list[str]) -> str:
    return next((line for line in lines if line.strip()), "")


def _speaker(line: str) -> re.Match[str] | None:
    return _SPEAKER.match(line) or _HEADING.match(line)


def _dialogue(
    lines: list[str], zone: tzinfo, at: datetime | None
) -> Iterator[tuple[str, str, datetime | None]]:
    role, words, fence = "", list[str](), False
    for line in lines:
        mark = None if fence else _speaker(line)
        if line.lstrip().startswith("```"):
            fence = not fence
        if mark is None:
            day = None if fence else _DAY.match(line.strip())
            if day:
                if role:
                    yield role, "\n".join(words), at
                    role, words = "", []
                at = _moment(day[1] + (f"T{day[2]}" if day[2] else "T12:00"), zone) or at
            elif role:
                words.append(line)
            continue
        if role:
            yield role, "\n".join(words), at
        given = mark.groupdict()
        stamp = (mark[1] if mark.re is _SPEAKER else None) or given.get("when")
        at = (_moment(stamp, zone) if stamp else None) or at
        role, words = ("user" if given.get("user") else "assistant"), [line[mark.end() :]]
    if role:
        yield role, "\n".join(words), at


def _notes(lines: list[str], zone: tzinfo, at: datetime | None) -> Iterator[tuple[str, str, datetime | None]]:
    words: list[str] = []
    fence = False
    for line in [*lines, ""]:
        if line.lstrip().startswith("```"):
            fence = not fence
        day = None if fence else _DAY.match(line.strip())
        if day or (not line.strip() and not fence):
            if words:
                yield "user", "\n".join(words), at
                words = []
            at = (_moment(day[1] + (f"T{day[2]}" if day[2] else "T12:00"), zone) or at) if day else at
        else:
            words.append(line)
    if words:
        yield "user", "\n".join(words), at


def _moment(text: str, zone: tzinfo) -> datetime | None:
    try:
        moment = datetime.fromisoformat(re.sub(r"[ ,]+", "T", text.strip()))
    except ValueError:
        return None
    if len(text.strip()) == 10:
        moment = moment.replace(hour=12)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment


def _with_ids(made: Iterator[tuple[str, str, datetime | None]]) -> Iterator[Message]:
    seen: dict[str, int] = {}
    for role, words, at in made:
        text = words.strip()
        if not text:
            continue
        digest = hashlib.sha256(f"{role}\x1f{text}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
        seen[digest] = seen.get(digest, 0) + 1
        ident = digest if seen[digest] == 1 else f"{digest}.{seen[digest]}"
        yield Message(ident, role, text, at.astimezone(UTC).timestamp() if at else None)
