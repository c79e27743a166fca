"""The corpora of tests/data/privacy, and values of secrets that are made up when a test runs.

`secrets`, `prose`, `attacks` and `benign` were written by somebody who had not seen the rules; the `own_` ones with them in
sight. Secrets stand there in parts, or as a shape that `made` fills: no scanner and no reader takes them for real ones.
"""

from __future__ import annotations

import json
import random
import re
import string
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data/privacy"
_WORDS = ["lantern", "copper", "orchard", "mellow", "drift", "pocket", "ember", "walnut", "harbor", "quilt", "saddle", "violet", "thimble", "anchor", "meadow", "puzzle"]
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_ALGARISMOS = ["zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"]
_SETS = {
    "alnum": string.ascii_letters + string.digits, "hex": "0123456789abcdef", "digits": "0123456789", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "b64": string.ascii_letters + string.digits + "+/", "base32": "acdefghjklmnpqrstuvwxyz023456789", "base32u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
}  # fmt: skip


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a corpus."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True, slots=True)
class Case:
    """A text with secrets in it: `values` must not be found afterwards, not even by a line of one."""

    kind: str
    lang: str
    position: str
    text: str
    values: tuple[str, ...]

    @property
    def pieces(self) -> list[str]:
        """What is looked for: each value, and of one of several lines each line."""
        lines = [line.strip(" >") for value in self.values for line in value.replace("\\n", "\n").split("\n")]
        return [line for line in lines if line and not line.startswith("-----")]


def cases() -> list[Case]:
    """Both corpora of secrets."""
    theirs = [Case(r["kind"], r["lang"], r["position"], "".join(r["parts"]), ("".join(r["secret_parts"]),)) for r in rows("secrets")]
    return theirs + own_cases()


def own_cases() -> list[Case]:
    """Ours, its values the same at every run."""
    made_up = random.Random(7)
    found = []
    for row in rows("own_secrets"):
        values = tuple(made(shape, made_up) for shape in row["shapes"])
        text = row["text"]
        for n, value in enumerate(values):
            text = text.replace("{" + str(n) + "}", value)
        found.append(Case(row["kind"], row["lang"], row["position"], text, values))
    return found


def made(shape: str, source: random.Random) -> str:
    """A value of a shape: parts between bars, each `alphabet:length`, a special form, or plain characters."""
    return "".join(_part(part, source) for part in shape.split("|"))


def _part(part: str, source: random.Random) -> str:
    name, found, size = part.partition(":")
    if not found:
        return part
    if name in _SETS:
        return _some(name, int(size), source)
    return _form(name, size, source)


def _some(name: str, size: int, source: random.Random) -> str:
    letters = _SETS[name]
    while True:
        value = "".join(source.choice(letters) for _ in range(size))
        kinds = [any(c in group for c in value) for group in (string.digits, string.ascii_letters) if set(group) & set(letters)]
        if size < 6 or all(kinds):
            return value


def _form(name: str, size: str, source: random.Random) -> str:
    pick, number = source.choice, source.randrange
    word = pick(_WORDS)
    if name == "lic":
        groups, length = (int(n) for n in size.split("x"))
        return "-".join(pick("ABCDEFGHJK") + _some("upper", length - 2, source) + str(number(2, 9)) for _ in range(groups))
    words = source.sample(_WORDS, min(int(size) if size.isdigit() else 4, 12) or 4)
    forms = {
        "pass": lambda: f"{word.title()}{pick('!#-_')}{pick(_WORDS)}{number(10, 99)}",
        "word": lambda: pick(_WORDS) + pick(_WORDS),
        "mix": lambda: _some("base32", int(size), source),
        "phrase": lambda: " ".join(words),
        "b64pad": lambda: _some("b64", int(size), source) + "=",
        "uuid": lambda: "-".join(_some("hex", n, source) for n in (8, 4, 4, 4, 12)),
        "jwt": lambda: ".".join(["eyJ" + _some("alnum", 17, source), "eyJ" + _some("alnum", 40, source), _some("alnum", 43, source)]),
        "seed": lambda: " ".join(words), "seedcomma": lambda: ", ".join(words), "seedlist": lambda: "\n".join(f"{n}. {w}" for n, w in enumerate(words, 1)),
        "base32sp": lambda: " ".join(_some("base32u", 3, source).lower() + str(number(2, 8)) for _ in range(int(size))),
        "bitlocker": lambda: "-".join(_some("digits", 6, source) for _ in range(8)),
        "spoken": lambda: " ".join(pick(_DIGITS) for _ in range(int(size))), "falado": lambda: " ".join(pick(_ALGARISMOS) for _ in range(int(size))),
        "spaced": lambda: " ".join(_some("digits", int(size), source)), "combo": lambda: "-".join(_some("digits", 2, source) for _ in range(3)),
        "card16": lambda: "4" + re.sub(r"(.{4})(?=.)", r"\1 ", "0" + _some("digits", 15, source))[1:], "card16n": lambda: "5" + _some("digits", 15, source),
        "card15": lambda: f"37{_some('digits', 2, source)} {_some('digits', 6, source)} {_some('digits', 5, source)}",
    }  # fmt: skip
    return forms[name]()
