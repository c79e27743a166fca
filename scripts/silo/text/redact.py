"""Secrets out of text, before anything is written, logged, indexed or sent: each becomes `[REDACTED:kind]`.

Joins the tables: `secrets` and `keyblocks` (what shows by its form), `placed` and `tabled` (by the place where it
stands), `stated` (by what is said of it). Prose about
keys and passwords stays untouched. Does not look for personal data: a personal memory is made of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.keyblocks import find_blocks
from silo.text.secrets import RULES
from silo.text.secretshape import masked
from silo.text.stated import LITERALS, PLACES, find_stated
from silo.text.tabled import find_tabled

_BY_LITERAL = tuple((literal, rule) for rule in RULES for literal in rule.literals)
# Without one of these no rule by form can hold, and most talk has none: three microseconds instead of twenty.
_RUN = re.compile(r"[A-Za-z0-9_./+=:~%@-]{14}")
_SHORT = ("://", "PRIVATE KEY", "earer", "uthorization", "X-", "x-", "…", "...")
SHORTEST = 6  # characters of a secret that is looked for as such: a shorter one may be any word
_UNSET = re.compile(r"\$\{\w+:?\?[^}\n]{0,200}\}")  # a shell's complaint about a variable that is missing
MARK = re.compile(r"\[REDACTED:[a-z0-9-]+\]")


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret that was replaced: its kind, and where it stood in the text as given."""

    kind: str
    start: int
    end: int


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """(the text with `[REDACTED:kind]` in place of each secret, the findings in order). A second run changes nothing."""
    findings = tuple(_chosen(text))
    if not findings:
        return text, ()
    out: list[str] = []
    last = 0
    for one in findings:
        out += [text[last : one.start], f"[REDACTED:{one.kind}]"]
        last = one.end
    return "".join([*out, text[last:]]), findings


def redact_lines(text: str) -> str:
    """As `redact`, with as many lines as before."""
    out: list[str] = []
    last = 0
    for one in redact(text)[1]:
        out += [text[last : one.start], f"[REDACTED:{one.kind}]", "\n" * text.count("\n", one.start, one.end)]
        last = one.end
    return "".join([*out, text[last:]])


def redact_known(text: str, source: str) -> str:
    """As `redact`, and without the secrets that show in `source` only: a row of a table, cut from its heading."""
    found = {source[one.start : one.end]: one.kind for one in redact(source)[1]}
    for value in sorted(found, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, f"[REDACTED:{found[value]}]")
    return redact(text)[0]


def _chosen(text: str) -> list[Finding]:
    """The findings in order: of those at one place the one by form, then the longer gives the kind."""
    spans = [(mark.start(), mark.end()) for mark in MARK.finditer(text)] if "[REDACTED:" in text else []
    spans += [match.span() for match in _UNSET.finditer(text)] if "${" in text else []
    found: list[tuple[int, int, int, str]] = []
    formed = _RUN.search(text) is not None or any(mark in text for mark in _SHORT)
    for rule in dict.fromkeys([rule for literal, rule in _BY_LITERAL if literal in text] if formed else ()):
        pattern = rule.pattern()
        group = 1 if pattern.groups else 0
        found += [(m.start(group), -m.end(group), 0, rule.kind) for m in pattern.finditer(text)]
    if formed:
        found += [(start, -end, 0, kind) for kind, start, end in find_blocks(text)]
    low = text.lower()
    if any(literal in low for literal in LITERALS) or any(mark in low for mark in PLACES):
        found += [(start, -end, 1, kind) for kind, start, end in find_stated(text)]
        found += [(start, -end, 1, kind) for kind, start, end in find_tabled(text)]
    chosen: list[Finding] = []
    for start, minus_end, _, kind in sorted(found, key=lambda f: (f[0], f[2], f[1])):
        end = -minus_end
        if any(start < b and a < end for a, b in spans) or masked(text[start:end]):
            continue
        if chosen and start < chosen[-1].end:  # two that overlap are one: nothing of either stays
            if end > chosen[-1].end:
                chosen[-1] = Finding(chosen[-1].kind, chosen[-1].start, end)
        else:
            chosen.append(Finding(kind, start, end))
    return chosen
