"""Procedures that prove themselves: how often each worked, which are worth a skill, and the text of that skill. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from silo.text.addresses import addresses
from silo.text.fold import fold

ENOUGH = 3  # successes before a procedure is offered as a skill
SHARE = 0.75  # of its uses that worked
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Record:
    """How a procedure worked out; `last` is the day of its last use, `last_ok` whether that worked."""

    ok: int = 0
    failed: int = 0
    last: str = ""
    last_ok: bool | None = None

    @property
    def is_proven(self) -> bool:
        """Whether it is worth offering as a skill."""
        return self.ok >= ENOUGH and self.ok >= SHARE * (self.ok + self.failed) and self.last_ok is True

    def used(self, day: str, ok: bool) -> Record:
        """After one more use."""
        return Record(self.ok + ok, self.failed + (not ok), day, ok)

    @property
    def kept(self) -> dict[str, object]:
        """As kept in state.db."""
        return {"ok": self.ok, "failed": self.failed, "last": self.last, "last_ok": self.last_ok}


def read_record(value: object) -> Record:
    """A record as kept; a new one for anything else."""
    if not isinstance(value, Mapping):
        return Record()
    number = {name: found if isinstance(found := value.get(name), int) and not isinstance(found, bool) else 0 for name in ("ok", "failed")}
    last, last_ok = value.get("last"), value.get("last_ok")
    return Record(number["ok"], number["failed"], last if isinstance(last, str) else "", last_ok if isinstance(last_ok, bool) else None)


def skill_name(text: str) -> str:
    """A folder's name for a skill, of the first words of a procedure."""
    words = _WORD.findall(fold(text))
    return "-".join(words[:5])[:40].strip("-") or "procedure"


def skill_text(name: str, text: str, ident: str, record: Record) -> str:
    """SKILL.md of a procedure, in its own words."""
    found = addresses(text)
    about = " ".join(text.replace('"', "'").replace("\\", "/").split())
    lines = ["---", f"name: {name}", f'description: "{about[:200]}"', "---", "", f"# {name.replace('-', ' ').capitalize()}", "", text, ""]
    for title, values in (("Commands", found.commands), ("Paths", found.paths), ("See", found.urls)):
        if values:
            lines += [f"## {title}", "", *(f"- `{value}`" if title != "See" else f"- {value}" for value in values), ""]
    lines += [f"<!-- made of {ident}: worked {record.ok} times, failed {record.failed} times -->", ""]
    return "\n".join(lines)
