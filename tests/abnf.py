"""Grammars of schemas/*.abnf as regular expressions, for the tests. Our grammars are regular: no rule contains itself.

RFC 5234 with case-sensitive strings of RFC 7405; no prose values, no incremental alternatives.
"""

from __future__ import annotations

import re
from pathlib import Path

CORE = {"ALPHA": "[A-Za-z]", "DIGIT": "[0-9]", "HEXDIG": "[0-9A-Fa-f]", "SP": " ", "HTAB": "\t"}
_TOKEN = re.compile(
    r'\s+|;[^\n]*|(?P<repeat>\d*\*\d*|\d+)(?=[A-Za-z("%\[])|(?P<name>[A-Za-z][A-Za-z0-9-]*)|(?P<sensitive>%s"[^"]*")|(?P<string>"[^"]*")'
    r"|(?P<range>%x[0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)|(?P<mark>[/()\[\]])"
)


def rules(path: Path) -> dict[str, str]:
    """Rule name → its text."""
    found: dict[str, str] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").split("\n"):
        hit = re.match(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)", line)
        if hit is not None:
            name = hit[1]
            found[name] = hit[2]
        elif line[:1] == " " and name:
            found[name] += "\n" + line
    return found


def pattern(path: Path, rule: str) -> re.Pattern[str]:
    """The whole of a text as that rule has it."""
    return re.compile(_expand(rules(path), rule, ()) + r"\Z")


def _expand(grammar: dict[str, str], rule: str, above: tuple[str, ...]) -> str:
    if rule in above:
        raise ValueError(f"{rule} contains itself")
    if rule not in grammar:
        return CORE[rule]
    out: list[str] = []
    repeats: list[str] = [""]
    at = 0
    text = grammar[rule]
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"{rule}: {text[at:]!r}")
        at = token.end()
        kind, value = token.lastgroup, token[0]
        if kind is None:
            continue
        if kind == "repeat":
            low, star, high = value.partition("*")
            repeats[-1] = f"{{{low or 0},{high}}}" if star else f"{{{value}}}"
            continue
        if kind == "mark" and value in "([":
            out.append("(?:")
            repeats[-1] = "?" if value == "[" else repeats[-1]
            repeats.append("")
            continue
        if kind == "mark" and value == "/":
            out.append("|")
            continue
        if kind == "mark":
            repeats.pop()
            out.append(")" + repeats[-1])
        else:
            out.append(f"(?:{_leaf(grammar, kind, value, (*above, rule))}){repeats[-1]}")
        repeats[-1] = ""
    return "(?:" + "".join(out) + ")"


def _leaf(grammar: dict[str, str], kind: str, value: str, above: tuple[str, ...]) -> str:
    if kind == "name":
        return _expand(grammar, value, above)
    if kind == "sensitive":
        return re.escape(value[3:-1])
    if kind == "string":
        return f"(?i:{re.escape(value[1:-1])})"
    low, _, high = value[2:].partition("-")
    return f"[\\U{int(low, 16):08x}-\\U{int(high or low, 16):08x}]"
