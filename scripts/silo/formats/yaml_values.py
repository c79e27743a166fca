"""One value of a YAML header ↔ text or a list of texts: the plain subset that people write, on the standard library.

Read: plain, 'single' and "double" quoted scalars, block scalars (`|`, `>`), flow lists `[a, b]` and block lists of
scalars. Every scalar is text: `no` is 'no', a date stays as written. What the subset can't read goes to PyYAML where
it is installed. Does not read anchors, tags or mappings.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

Value = str | tuple[str, ...]

MAX_SPAN = 8192  # characters of one value that are given to PyYAML; a guard against alias bombs

_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"')
_SINGLE = re.compile(r"'((?:[^']|'')*)'")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_BLOCK = re.compile(r"([|>])(-?)[ \t]*(?:[ \t]#.*)?\Z")
_ITEM = re.compile(r"([ ]*)-(?:[ \t]+(.*))?\Z", re.DOTALL)
_WORDS = re.compile(
    r"(?:y|n|yes|no|on|off|true|false|null|~)\Z", re.IGNORECASE
)  # other readers take these for no text
_FLOW_PLAIN = re.compile(r"[^,\[\]{}]*")


def read_value(first: str, more: list[str]) -> Value | None:
    """The value of a key: `first` is what follows the colon, `more` the lines below, all without line ends.

    None for what the plain subset does not read.
    """
    bare, _ = cut_comment(first)
    if (block := _BLOCK.match(first.strip())) is not None:
        return _block_scalar(block[1], block[2], more)
    below = [line for line in more if line.strip() and not line.lstrip().startswith("#")]
    if not bare and below and _ITEM.match(below[0]):
        return _block_list(below)
    if bare.startswith("["):
        return _flow_list(" ".join([bare, *(cut_comment(line)[0] for line in below)]))
    if below and (len(below) != len(more) or any(line[0] not in " \t" for line in below)):
        return None
    if bare[:1] in ("'", '"'):
        return _quoted(bare) if not below else None
    parts = [bare, *(cut_comment(line)[0] for line in below)]
    if any(cut_comment(line)[1] for line in [first, *below][:-1]):
        return None
    text = " ".join(part for part in parts if part)
    return text if all(_is_plain(part) for part in parts if part) and (bare or len(parts) < 3) else None


def read_with_yaml(first: str, more: list[str]) -> tuple[Value | None, bool]:
    """The same through PyYAML: (value, whether it is YAML at all). (None, True) for a mapping or something deeper.

    Without PyYAML, or beyond MAX_SPAN, (None, False) unless the lines look like a mapping.
    """
    source = "\n".join([f"k: {first.strip()}", *more]) + "\n"
    try:
        yaml: Any = importlib.import_module("yaml")
    except ImportError:
        return None, looks_nested(first, more)
    if len(source) > MAX_SPAN:
        return None, looks_nested(first, more)
    try:
        loaded = yaml.load(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError):
        return None, False
    value = loaded.get("k") if isinstance(loaded, dict) and len(loaded) == 1 else None
    if isinstance(value, str):
        return value, True
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value), True
    return None, isinstance(loaded, dict)


def looks_nested(first: str, more: list[str]) -> bool:
    """Whether a value is a mapping by its looks: `{…}` on one line, or lines below that are `key:` or `- key:`."""
    bare = cut_comment(first)[0]
    below = [line.strip() for line in more if line.strip()]
    if bare:
        return bare.startswith("{") and bare.endswith("}") and not below
    return bool(below) and re.match(r"(?:- )?[^\s:]+:(?:\s|\Z)", below[0]) is not None


def cut_comment(text: str) -> tuple[str, str]:
    """A line's value and its comment with the space before it: 'active  # for now' → ('active', '  # for now')."""
    start = len(text) - len(text.lstrip())
    at = start
    if text[start : start + 1] in ("'", '"'):
        hit = _quote_at(text, start)
        at = hit.end() if hit else start
    in_flow = text.startswith("[", start)
    fresh = in_flow
    while at < len(text):
        char = text[at]
        if char == "#" and (at == 0 or text[at - 1] in " \t"):
            value = text[:at].rstrip(" \t")
            return value.strip(" \t"), text[len(value) :]
        if in_flow and fresh and char in "'\"" and (quoted := _quote_at(text, at)) is not None:
            at = quoted.end()
            fresh = False
            continue
        fresh = char in "[, \t" if in_flow else False
        at += 1
    return text.strip(" \t"), ""


def render_scalar(text: str, *, in_list: bool = False, quoted: bool = False) -> str:
    """The text as YAML: plain where every reader takes it for the same text, else double quoted."""
    reserved = _WORDS.match(text) is not None or not text
    plain = (
        not quoted
        and not reserved
        and _is_plain(text)
        and text.isprintable()
        and (text[0].isalnum() or text[0] in "/(")
    )
    if in_list:
        plain = plain and not re.search(r"[,\[\]{}?:]", text)
    return text if plain and " #" not in text and "\t" not in text else _double(text)


def render_list(items: tuple[str, ...]) -> str:
    """A flow list: `[a, b]`."""
    return f"[{', '.join(render_scalar(item, in_list=True) for item in items)}]"


def _double(text: str) -> str:
    out: list[str] = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char.isprintable() or "\udc80" <= char <= "\udcff":
            out.append(char)
        else:
            code = ord(char)
            out.append(
                f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
            )
    return f'"{"".join(out)}"'


def _quote_at(text: str, at: int) -> re.Match[str] | None:
    return (_DOUBLE if text[at] == '"' else _SINGLE).match(text, at)


def _quoted(text: str) -> str | None:
    hit = _quote_at(text, 0)
    if hit is None or hit.end() != len(text):
        return None
    return hit[1].replace("''", "'") if text[0] == "'" else _unescape(hit[1])


def _unescape(text: str) -> str | None:
    bad = False

    def one(hit: re.Match[str]) -> str:
        nonlocal bad
        if (code := hit[1] or hit[2] or hit[3]) is not None:
            number = int(code, 16)
            bad = bad or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF
            return chr(number) if not bad else ""
        bad = bad or hit[4] not in _ESCAPES
        return _ESCAPES.get(hit[4], "")

    done = _ESCAPE.sub(one, text)
    return None if bad else done


def _is_plain(text: str) -> bool:
    """Whether the text is a plain scalar of YAML, outside a flow list."""
    if text[:1] in ("", *",[]{}#&*!|>'\"%@`") or text in ("-", "?", "---", "..."):
        return False
    if text[0] in "-?:" and text[1:2] in ("", " ", "\t"):
        return False
    return not re.search(r":(?:[ \t]|\Z)|[\r\n]", text) and text == text.strip(" \t")


def _block_scalar(style: str, chomp: str, more: list[str]) -> str | None:
    lines = list(more)
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    if not lines:
        return ""
    indent = len(lines[0]) - len(lines[0].lstrip(" "))
    if not lines[0].strip() or not indent or lines[0][indent : indent + 1] == "\t":
        return None
    body: list[str] = []
    for line in lines:
        if line.strip(" ") and not line.startswith(" " * indent):
            return None
        body.append(line[indent:])
    if style == ">":
        if any(not line or line[0] in " \t" for line in body):
            return None
        text = " ".join(body)
    else:
        text = "\n".join(body)
    return text if chomp else text + "\n"


def _block_list(lines: list[str]) -> tuple[str, ...] | None:
    items: list[str] = []
    indent: str | None = None
    for line in lines:
        hit = _ITEM.match(line)
        if hit is None or (indent is not None and hit[1] != indent):
            return None
        indent = hit[1]
        text = cut_comment(hit[2] or "")[0]
        item = _quoted(text) if text[:1] in ("'", '"') else text if not text or _is_plain(text) else None
        if item is None:
            return None
        items.append(item)
    return tuple(items)


def _flow_list(text: str) -> tuple[str, ...] | None:
    if not text.endswith("]"):
        return None
    items: list[str] = []
    at, end = 1, len(text) - 1
    while True:
        while at < end and text[at] in " \t":
            at += 1
        if at >= end:
            return tuple(items)
        if text[at] in "'\"":
            hit = _quote_at(text, at)
            item = _quoted(hit[0]) if hit is not None and hit.end() <= end else None
        else:
            hit = _FLOW_PLAIN.match(text, at, end)
            plain = hit[0].strip(" \t") if hit is not None else ""
            item = plain if _is_plain(plain) and " #" not in plain else None
        if item is None or hit is None:
            return None
        items.append(item)
        at = hit.end()
        while at < end and text[at] in " \t":
            at += 1
        if at < end and text[at] != ",":
            return None
        at += 1
