"""The comment at the end of a line: `<!-- key:value key:value -->` ↔ pairs.

A pair (key, value) stands in our comment as `key:value`; (word, "") as a bare word, such as a fact's id; ("", raw)
is a whole comment of somebody else (`<!-- importance: 9 -->`), kept as it stands. Knows no key's meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from urllib.parse import unquote_to_bytes

from silo.text.lines import decode, encode

Pairs = tuple[tuple[str, str], ...]

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_COMMENT = re.compile(r"<!--((?:(?!-->|<!--).)*)-->", re.DOTALL)
_OPENING = re.compile(r"<!--|&(?=(?:amp;)*lt;!--)")
_ESCAPED = re.compile(r"&((?:amp;)*)lt;!--")


def encode_value(value: str) -> str:
    """Percent-encode what would end the value or the comment: white space, controls, `<`, `>`, `%`, the 2nd dash of `--`."""
    out: list[str] = []
    dash = False
    for char in value:
        if char.isspace() or char in "<>%" or char < " " or char == "\x7f" or (char == "-" and dash):
            out.extend(f"%{byte:02X}" for byte in encode(char))
            dash = False
        else:
            out.append(char)
            dash = char == "-"
    return "".join(out)


def decode_value(value: str) -> str:
    """The inverse of `encode_value`; a `%` that starts no escape stands for itself."""
    return decode(unquote_to_bytes(encode(value))) if "%" in value else value


def tail(line: str) -> tuple[str, tuple[str, ...]]:
    """A line's text and the comments that end it: 'a b <!-- x --> <!-- y -->' → ('a b', ('<!-- x -->', '<!-- y -->')).

    A comment's body holds no other "<!--", so that text which itself ends in a lone one is not drawn in.
    """
    text = line.rstrip()
    found: list[str] = []
    while text.endswith("-->"):
        begin = text.rfind("<!--")
        if begin < 0 or _COMMENT.fullmatch(text, begin) is None:
            break
        found.append(text[begin:])
        text = text[:begin].rstrip()
    return text, tuple(reversed(found))


def split(
    line: str, known: Collection[str], bare: re.Pattern[str] | None = None
) -> tuple[str, tuple[str, ...]]:
    """A line's text and its comments: those that end it, and ours wherever they stand (a hand wrote on behind them)."""
    text, found = tail(line)
    inner = [hit for hit in _COMMENT.finditer(text) if is_ours(hit[0], known, bare)]
    for hit in reversed(inner):
        text = f"{text[: hit.start()].rstrip()} {text[hit.end() :].lstrip()}"
    return text.strip() if inner else text, (*(hit[0] for hit in inner), *found)


def is_ours(raw: str, known: Collection[str], bare: re.Pattern[str] | None = None) -> bool:
    """Whether a comment has a `key:value` with a known key, or a bare word that `bare` matches in full."""
    words = (_word(word) for word in raw[4:-3].split())
    return any(key in known if value else bare is not None and bare.fullmatch(key) for key, value in words)


def read(comments: Iterable[str], known: Collection[str], bare: re.Pattern[str] | None = None) -> Pairs:
    """The pairs of a line's comments; one that is not ours comes back whole as ("", raw)."""
    pairs: list[tuple[str, str]] = []
    for raw in comments:
        if is_ours(raw, known, bare):
            pairs.extend(_word(word) for word in raw[4:-3].split())
        else:
            pairs.append(("", raw))
    return tuple(pairs)


def render(pairs: Iterable[tuple[str, str]]) -> str:
    """Pairs as the end of a line, with the space before it: ' <!-- id:e_1 --> <!-- importance: 9 -->'; '' for none."""
    own: list[str] = []
    foreign: list[str] = []
    for key, value in pairs:
        if not key:
            foreign.append(value)
        else:
            own.append(f"{key}:{encode_value(value)}" if value else key)
    return "".join(f" {part}" for part in ([f"<!-- {' '.join(own)} -->"] if own else []) + foreign)


def take(pairs: Pairs, keys: Collection[str]) -> tuple[dict[str, str], Pairs]:
    """The first value of each key that is asked for, and all other pairs in their order."""
    found: dict[str, str] = {}
    rest: list[tuple[str, str]] = []
    for key, value in pairs:
        if key in keys and value and key not in found:
            found[key] = value
        else:
            rest.append((key, value))
    return found, tuple(rest)


def annotate(key: str, value: str) -> tuple[str, str]:
    """A pair that stands as the host's own annotation: ('importance', '9') → `<!-- importance: 9 -->`."""
    clean = " ".join(value.replace("<", "(").replace(">", ")").replace("--", "–").split())
    return "", f"<!-- {key}: {clean} -->"


def hide(text: str) -> str:
    """Text in which no comment can start: `<!--` is written `&lt;!--`. `show` takes it back exactly."""
    return _OPENING.sub(lambda hit: "&lt;!--" if hit[0] == "<!--" else "&amp;", text)


def show(text: str) -> str:
    """The inverse of `hide`."""
    return _ESCAPED.sub(lambda hit: f"&{hit[1][4:]}lt;!--" if hit[1] else "<!--", text)


def strip(text: str) -> str:
    """Text without any comment: what a reader of the rendered page sees."""
    return _COMMENT.sub("", text).strip() if "<!--" in text else text.strip()


def _word(word: str) -> tuple[str, str]:
    key, colon, value = word.partition(":")
    if colon and value and _KEY.match(key):
        return key, decode_value(value)
    return word, ""
