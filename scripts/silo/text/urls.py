"""Passwords in addresses: `scheme://user:password@host`, also of dialects (`postgresql+psycopg2://`) and with odd signs.

Placeholders and documented defaults (a user that is its own password, on this machine) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.text.lazy import Lazy

Found = tuple[str, int, int]  # kind, start, end

_HEAD = Lazy(r"(?<![A-Za-z0-9+.-])(?P<scheme>[a-z][a-z0-9+.-]{1,20})://(?P<user>[^\s/:@\[\]'\"<>]{0,120}):", re.I)
_HOST = re.compile(r"(?P<host>[A-Za-z0-9][\w.-]*|\[[0-9a-fA-F:.]+\]|\$?\{\{?\w+\}?\})(?=[:/?#\s\"'`)\],;>}&\\|*]|\Z)")
# A page's address ends at such signs; one of a store may have them in its password.
_ENDS = re.compile(r"[\s/\[\]'\"<>]")
_STORES = re.compile(r"\+|postgres|mysql|maria|mongo|redis|amqp|oracle|mssql|sqlserver|clickhouse|cockroach|cassandra|neo4j|snowflake|db2|ldap|smtp|imap|valkey|nats|mqtt|kafka|elastic", re.I)
_NONE = re.compile(
    r"\$\{[^}]*\}|\$[A-Za-z_]+\d?|\$\([^)]*\)|\{\{?[^{}]*\}?\}|<[^>]*>|%\(?\w*\)?[sd%]?|\*+|x+|\.{3}|\u2026|[A-Z_]*(?:PASS|SENHA|SECRET|TOKEN|KEY|PW)[A-Z_]*|(?:your|my)[-_ ]?\w*|pass(?:word|wd)?|pwd?|secret|token|senha|\[REDACTED.*",
    re.I,
)
_HERE = re.compile(r"localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0", re.I)
_LONGEST = 220


def find_urls(text: str) -> Iterator[Found]:
    """The passwords, in order."""
    if "://" not in text or "@" not in text:
        return
    for match in _HEAD().finditer(text):
        start = match.end()
        store = _STORES.search(match["scheme"]) is not None
        space = (re.compile(r"\s") if store else _ENDS).search(text, start, start + _LONGEST)
        end = space.start() if space else min(len(text), start + _LONGEST)
        at = text.find("@", start, end)
        while at >= 0:
            value, host = text[start:at], _HOST.match(text, at + 1)
            if not value or "://" in value or value[:1] == "/" or re.match(r"\d{2,5}/", value):
                break
            if host is not None:
                default = value.lower() == match["user"].lower() and _HERE.fullmatch(host["host"])
                if not default and "${" not in value and "{{" not in value and not _NONE.fullmatch(value):
                    yield "url-password", start, at
                break
            at = text.find("@", at + 1, end)
