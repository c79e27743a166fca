"""What text hides: invisible characters, letters that look like others, reversed runs, terminal codes, encodings.

`uncover` gives a plain lower-case copy for rules to search in, with what was encoded or reversed spelled out behind it.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from urllib.parse import unquote

# Unicode tag characters spell ASCII that nobody sees; the others join or hide letters.
TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]")
HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufe00-\ufe0f\U000e0000-\U000e007f]"
)
TERMINAL = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
_BREAK = re.compile("\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_INSIDE = re.compile("(?<=[A-Za-z\u00c0-\u024f])([\u200b-\u200d\u2060-\u2064\ufeff])(?=[A-Za-z\u00c0-\u024f])")
_REVERSED = re.compile("[\u202d\u202e]([^\u202c\n]*)")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,4000}={0,2}(?![A-Za-z0-9+/])")
# Letters of other alphabets that are drawn like Latin ones.
_DRAWN = {
    "a": "\u0430\u03b1", "e": "\u0435", "o": "\u043e\u03bf\u0585", "p": "\u0440\u03c1", "c": "\u0441", "y": "\u0443\u03c5\u04af",
    "x": "\u0445\u03c7", "i": "\u0456\u03b9", "j": "\u0458", "h": "\u04bb\u0570", "d": "\u0501", "q": "\u051b",
    "s": "\u0455", "w": "\u051d", "k": "\u03ba", "v": "\u03bd", "t": "\u03c4", "n": "\u0578",
    "u": "\u057d", "A": "\u0391\u0410", "B": "\u0392\u0412", "E": "\u0395\u0415", "H": "\u0397\u041d", "I": "\u0399\u0406",
    "K": "\u039a\u041a", "M": "\u039c\u041c", "N": "\u039d", "O": "\u039f\u041e\u0555", "P": "\u03a1\u0420", "T": "\u03a4\u0422",
    "X": "\u03a7\u0425", "Z": "\u0396", "Y": "\u03a5\u0423\u04ae", "C": "\u0421", "S": "\u0405\u054f", "J": "\u0408",
    "D": "\u13a0", "V": "\u13d9",
}  # fmt: skip
_LOOKALIKE = str.maketrans({other: letter for letter, others in _DRAWN.items() for other in others})
_LETTERS = "".join(_DRAWN.values())
_MIXED = re.compile(rf"[A-Za-z\u00c0-\u024f][{_LETTERS}]|[{_LETTERS}][A-Za-z\u00c0-\u024f]")


def spelled(text: str) -> str:
    """Tag characters as the ASCII that they spell."""
    if not TAGS.search(text):
        return text
    return "".join(chr(ord(c) - 0xE0000) if "\U000e0020" <= c <= "\U000e007e" else c for c in text)


def disguised(text: str) -> bool:
    """Whether a text hides what it says: characters that nobody sees inside words, letters of two alphabets in one word,
    or a run in reverse. Marks of direction and joined emoji are no disguise."""
    if text.isascii():
        return False
    if TAGS.search(text) or "\u202e" in text or "\u202d" in text:
        return True
    inside = _INSIDE.findall(text)
    # A single U+200B marks where a long word may break; no other of them has a use inside a Latin word.
    return len(inside) >= 2 or any(c != "\u200b" for c in inside) or _MIXED.search(text) is not None


def bare(text: str) -> str:
    """A copy without terminal codes and hidden characters, look-alikes and full-width forms as plain letters."""
    if "\x1b" in text or not text.isprintable():
        text = TERMINAL.sub("", text)
    if text.isascii():
        return text
    return HIDDEN.sub("", unicodedata.normalize("NFKC", spelled(text))).translate(_LOOKALIKE)


def visible(text: str) -> str:
    """The text as it may be shown: every kind of line break a newline, no terminal codes, no marks that turn its direction,
    no tag characters. What joins letters or emoji stays."""
    return TERMINAL.sub("", _TURNS.sub("", _BREAK.sub("\n", text)))


def visible_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())


def uncover(text: str) -> str:
    """The bare text, and below it what stood in it reversed, in entities, percent-encoded or in base64."""
    clean = bare(text)
    more = [bare(run[::-1]) for run in _REVERSED.findall(text)] if "\u202e" in text else []
    if "&" in clean and ";" in clean and (plain := html.unescape(clean)) != clean:
        more.append(plain)
    if "%20" in clean:
        more.append(unquote(clean))
    for run in _BASE64.findall(clean)[:20]:
        if said := _decoded(run):
            more.append(said)
    return "\n".join([clean, *more])


def _decoded(run: str) -> str:
    """The words that a base64 run holds, "" where it holds none."""
    try:
        said = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    words = sum(c.isalpha() or c.isspace() for c in said)
    return said if " " in said and words >= 0.8 * len(said) else ""
