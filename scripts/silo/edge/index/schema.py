"""The tables of index.db, and how a line gets its number there.

Derived: an index of another version is thrown away and built anew.
"""

from __future__ import annotations

import re
from datetime import date
from zlib import crc32

VERSION = 8  # PRAGMA user_version
PLACES = 20  # bits of a row's number that count the passages of one file
_HASH = 26  # bits that tell undated files apart, and files of one day
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})")

# Tokens come ready made; FTS5 must split them at spaces alone. Its `ascii` tokenizer takes letters, digits and all that
# is not ASCII; these are the signs that our tokens hold besides. Rows of `docs` hold the words, so `found` keeps none.
_SIGNS = "-_./:@+&#,''"

TABLES = (
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, changed INTEGER NOT NULL,
        checked INTEGER NOT NULL, sha TEXT NOT NULL, lines INTEGER NOT NULL, count INTEGER NOT NULL, words INTEGER NOT NULL
    )""",
    """CREATE TABLE docs (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, ident TEXT NOT NULL,
        slug TEXT NOT NULL, tag TEXT NOT NULL, date TEXT NOT NULL, seen TEXT NOT NULL, heading TEXT NOT NULL,
        source TEXT NOT NULL, confidence TEXT NOT NULL, importance REAL, agents TEXT NOT NULL, private INTEGER NOT NULL,
        archived INTEGER NOT NULL, text TEXT NOT NULL, plain TEXT, terms TEXT NOT NULL, labels TEXT NOT NULL
    )""",
    "CREATE INDEX docs_topic ON docs (slug) WHERE kind = 'topic'",
    "CREATE INDEX docs_slug ON docs (slug, date) WHERE kind = 'event'",
    "CREATE TABLE links (event TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (event, doc)) WITHOUT ROWID",
    f"""CREATE VIRTUAL TABLE found USING fts5 (
        words, content='', columnsize=0, detail='none', tokenize="ascii tokenchars '{_SIGNS}'"
    )""",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (found, row)",
    f"PRAGMA user_version = {VERSION}",
)

COLUMNS = (
    "d.id, d.kind, f.path, d.line, d.text, d.terms, d.labels, d.ident, d.slug, d.tag, d.date, d.seen, d.heading, "
    "d.source, d.confidence, d.importance, d.agents, d.private, d.archived"
)


def file_number(path: str) -> int:
    """The number of a file, the same in every build: later days have higher ones. Two paths may share it, rarely."""
    day = _DAY.search(path)
    return (_days(day[1] if day else "", 0) << _HASH) | (
        crc32(path.encode("utf-8", "surrogateescape")) & ((1 << _HASH) - 1)
    )


def first_row(day: str, *, after: bool = False) -> int:
    """Where the rows of files of a day begin, or with `after` those of the day after it. Beyond the calendar: an end."""
    return _days(day, 0xFFFF if after else 0) + after << _HASH << PLACES


def _days(day: str, otherwise: int) -> int:
    """Days since 1899-12-31, in 16 bits."""
    try:
        return max(0, min(date.fromisoformat(day).toordinal() - 693_594, 0xFFFF))
    except ValueError:
        return otherwise
