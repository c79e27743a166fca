"""One changelog entry: `- DATE: [field] new. Was: old. Reason. <!-- f:f_… op:set at:TIME src:e_… valid:A..B -->`.

The visible text is read by rule: the new value goes to `Was:` (or to the end of its first sentence), the old one to a
full stop followed by space and a capital or a keyword, the rest is the reason. Where a value holds something that this
rule would cut elsewhere, the comment says the three lengths in characters, `cut:new,old,reason`, and they decide.
"""

from __future__ import annotations

import re

from silo.formats import comment
from silo.formats.fields import sentence_end
from silo.model import ChangeEntry, Problem
from silo.text.lines import one_line

ALSO = "also"  # the field of a note that names where the same was said as well; of its facts the first one is the topic's

_KEYS = ("f", "op", "at", "src", "valid", "cut")
_LINE = re.compile(r"\**(\d{4}-\d{2}-\d{2})\**\s*[:—–-]\**\s*(?:\[([^\[\]]*)\](?:\s+|\Z))?")
_WAS = re.compile(r"(?:\A|(?<=[.!?…])\s+|\s+(?=(?:Was|Era):))(?:Was|Era)(?:\s*:)?\s+(?=\S)")
_ENDS = (".", "!", "?", "…")


def render_change(entry: ChangeEntry) -> str:
    """The entry as a bullet on one line, without line end. `parse_change` gives it back (values on one line each)."""
    new, old, reason = one_line(entry.new), one_line(entry.old), one_line(entry.reason)
    field = one_line(entry.field).replace("[", "(").replace("]", ")")
    body = _body(new, old, reason)
    valid = f"{entry.valid[0]}..{entry.valid[1]}" if any(entry.valid) else ""
    pairs = [
        ("f", ",".join(entry.facts)),
        ("op", entry.op),
        ("at", entry.at),
        ("src", entry.source),
        ("valid", valid),
    ]
    if _plain(body) != (new, old, reason):
        pairs.append(("cut", f"{len(new)},{len(old)},{len(reason)}"))
    name = f"[{field}]" if field or body.startswith("[") else ""
    visible = comment.hide(" ".join(part for part in (f"- {entry.date}:", name, body) if part))
    return visible + comment.render([pair for pair in pairs if pair[1]])


def parse_change(text: str, path: str, line: int) -> ChangeEntry | Problem:
    """The entry of a changelog bullet; `text` is what follows the bullet's marker, on one line."""
    shown, comments = comment.split(text, _KEYS)
    known, _ = comment.take(comment.read(comments, _KEYS), _KEYS)
    shown = comment.show(shown)
    hit = _LINE.match(shown)
    if hit is None:
        message = "a changelog entry starts with `DATE: `; this line is kept and tells no change"
        return Problem(f"{path}:{line}", "bad-change", message)
    body = shown[hit.end() :]
    new, old, reason = _by_lengths(body, known.get("cut", "")) or _plain(body)
    start, _, end = known.get("valid", "").partition("..")
    return ChangeEntry(
        hit[1], hit[2] or "", new, old, reason, tuple(filter(None, known.get("f", "").split(","))),
        known.get("op", "note"), known.get("at", ""), known.get("src", ""), (start, end), line,
    )  # fmt: skip


def _body(new: str, old: str, reason: str) -> str:
    parts = (new, f"Was: {old}" if old else "", reason)
    return " ".join(part if part.endswith(_ENDS) else f"{part}." for part in parts if part)


def _plain(body: str) -> tuple[str, str, str]:
    """New, old and reason as the rule reads them, each without its final full stop."""
    was = _WAS.search(body)
    if was is not None:
        new, start = body[: was.start()], was.end()
        stop = sentence_end(body, start)
        old = body[start:stop]
    else:
        stop = sentence_end(body, 0)
        new, old = body[:stop], ""
    return _bare(new), _bare(old), _bare(body[stop:])


def _bare(value: str) -> str:
    return value.strip().removesuffix(".").rstrip()


def _by_lengths(body: str, cut: str) -> tuple[str, str, str] | None:
    """The three values by their lengths, if these give the very same text again (a hand may have changed it since)."""
    if re.fullmatch(r"\d{1,6},\d{1,6},\d{1,6}", cut) is None:
        return None
    values: list[str] = []
    at = 0
    for length, lead in zip(map(int, cut.split(",")), ("", "Was: ", ""), strict=True):
        start = at + len(lead) if length else at
        value = body[start : start + length]
        values.append(value)
        if length:
            at = start + length + (0 if value.endswith(_ENDS) else 1) + 1
    new, old, reason = values
    return (new, old, reason) if _body(new, old, reason) == body else None
