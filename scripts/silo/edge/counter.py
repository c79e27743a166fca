"""A real token counter where one is at hand: tiktoken, with its table of tokens already on this machine.

Never fetches: the file is read and checked here, and tiktoken is given its content. None where package or file is
missing; the estimate of text/budget.py stands in then.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

NAME = "cl100k_base"
_USUAL = "/tmp/data-gym-cache"  # where tiktoken keeps it, unless told otherwise
# tiktoken keeps a file under the SHA-1 of its address; the SHA-256 is that of its own table of encodings.
_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


def token_counter() -> tuple[str, Callable[[str], int]] | None:
    """(name, function that counts the tokens of a text), or None."""
    table = _table()
    if table is None:
        return None
    try:
        import tiktoken
    except ImportError:
        return None
    ranks = {base64.b64decode(word): int(rank) for word, rank in (line.split() for line in table.splitlines() if line)}
    encoding = tiktoken.Encoding(NAME, pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
    return NAME, lambda text: len(encoding.encode(text.encode("utf-8", "replace").decode(), disallowed_special=()))


def _table() -> bytes | None:
    """The bytes of the cached file, where it is there and whole."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR") or _USUAL
    try:
        data = (Path(folder) / _FILE).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == _SHA256 else None
