"""Paths of files and folders in a text: absolute, at home, relative with a dot, on a drive, and `src/app.py`.

Fractions, dates, either/or, units, addresses on the net and the routes of an API are no paths.
"""

from __future__ import annotations

import re

_PART = r"[\w.@+%~{}$-]+"
_PATH = re.compile(
    rf"(?<![\w/.:~\\@-])(?:(?:~|\.{{1,2}}|\$HOME|\$\{{HOME\}})?/(?:{_PART}/)*(?:{_PART})?"  # /a/b  ~/a  ./a  ../a  $HOME/a
    rf"|[A-Za-z]:\\(?:[\w.@+ %-]+\\)*[\w.@+%-]*"  # C:\a\b
    rf"|{_PART}(?:/{_PART})+/?)",  # a/b.c
    re.UNICODE,
)
_ROOTS = frozenset(
    ["home", "users", "etc", "var", "usr", "opt", "mnt", "srv", "tmp", "data", "root", "media", "library", "applications", "volumes", "bin", "sbin", "lib", "dev", "proc", "sys", "run", "boot", "app", "workspace", "workspaces", "private", "nix", "snap", "storage", "backup", "backups", "nas", "share", "shared", "work", "code", "projects"]
)
_ROUTE = re.compile(r"/(?:v\d+|api|graphql|rest|oauth)(?:/|$)", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_DOMAIN = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|io|dev|app|ai|co|pt|br|uk|de|fr|es|eu|gov|edu|me|info|xyz|sh|so|to|ly|gg|tv|us|ca|au|jp|cn|ru|kr)$", re.IGNORECASE)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+")
_LABELLED = re.compile(r"\(Paths?: ([^()]*)\)")  # as `store --path` writes it


def paths_of(text: str) -> tuple[str, ...]:
    """The paths in a text, each once, in the order of the text, without the punctuation of the sentence around them."""
    found: list[tuple[int, str]] = []
    rest = list(text)
    for hit in _LABELLED.finditer(text):
        found += [(hit.start(), part) for part in hit[1].split(", ")]
        rest[hit.start() : hit.end()] = " " * (hit.end() - hit.start())
    for pattern in (_URL, _MAIL):
        for hit in pattern.finditer(text):
            rest[hit.start() : hit.end()] = "\x00" * (hit.end() - hit.start())
    plain = "".join(rest)
    for hit in _PATH.finditer(plain):
        path = _trimmed(hit[0])
        after = plain[hit.end() : hit.end() + 1]
        if path and after not in ("\x00", "\\") and _is_path(path, plain[max(0, hit.start() - 1) : hit.start()]):
            found.append((hit.start(), path))
    return tuple(dict.fromkeys(path for _, path in sorted(found, key=lambda one: one[0])))


def _trimmed(path: str) -> str:
    while path[-1:] in ".,;:!?~%$" and path not in ("~", "."):
        path = path[:-1]
    while path.endswith("}") and path.count("}") > path.count("{"):
        path = path[:-1]
    return path


def _is_path(path: str, before: str) -> bool:
    if "\\" in path:
        return len(path) > 3
    parts = [part for part in path.split("/") if part]
    if not parts or not any(char.isalpha() for char in path):
        return False
    if path.startswith(("~/", "./", "../", "$HOME", "${HOME}")):
        return bool(parts[1:]) or _EXTENSION.search(path) is not None
    if path.startswith("/"):
        if _ROUTE.match(path):
            return False
        return parts[0].lower() in _ROOTS or (len(parts) > 1 and before not in "<") or _EXTENSION.search(path) is not None
    if _DOMAIN.match(parts[0]) or parts[0].startswith("@"):
        return False
    return bool(_EXTENSION.search(parts[-1])) and not path.endswith("/") and not parts[-1][0].isdigit()
