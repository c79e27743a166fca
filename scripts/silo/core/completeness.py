"""What a note leaves out: a tool without an address, a step without its command, a decision without what comes next.

A warning is about a section of the note (from one heading to the next): what is missing may stand anywhere in it. Which
words call for more is data; a person's own lists replace it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from silo.text.addresses import urls_of
from silo.text.commands import commands_of
from silo.text.distil_words import DistilWords
from silo.text.fold import fold
from silo.text.lexicon import Found, split_words
from silo.text.tokens import STOP


class Missing(StrEnum):
    """What a note lacks."""

    URL = "url"
    COMMAND = "command"
    NEXT_STEP = "next_step"


SUGGESTIONS = {
    Missing.URL: "Add the address of each tool or service that is named",
    Missing.COMMAND: "Put the command beside each step of a set-up",
    Missing.NEXT_STEP: "Say after a decision what comes next, and by when",
}
_HEADING = re.compile(r"^#{1,6}\s")
_FENCE = re.compile(r"^\s*(```|~~~)")
_NAME = re.compile(r"`([^`\n]{2,40})`|\*\*([^*\n]{2,40})\*\*|[\"“']([A-Z][^\"”'\n]{1,38})[\"”']|(?<![\w/.@-])([A-ZÀ-Þ][\w+#-]*(?:[.-]?[\w+#]+)*(?:\s[A-ZÀ-Þ0-9][\w.+#-]*){0,2})")
_OPENING = re.compile(r"(?:^|[.!?:]\s)[\s>#*\d.)\"“'-]*$")
# What may stand between a tool's name and the word that says it is one.
_LINKS = frozenset(
    ["called", "named", "is", "the", "a", "an", "our", "new", "my", "chamado", "chamada", "e", "o", "um", "uma", "de", "do", "da", "novo", "nova"]
)  # fmt: skip
_BOX = re.compile(r"^\s*[-*+]\s+\[ \]")


@dataclass(frozen=True, slots=True)
class Lack:
    """A warning: the line (from 1) where the words stand that call for more, and those words."""

    line: int
    kind: Missing
    what: str

    @property
    def message(self) -> str:
        """One sentence for a person."""
        if self.kind is Missing.URL:
            return f"Tool '{self.what}' mentioned without URL/documentation link (line {self.line})"
        if self.kind is Missing.COMMAND:
            return f"Action '{self.what}' mentioned without command example (line {self.line})"
        return f"Decision '{self.what}' mentioned without a next step (line {self.line})"


def lacks(text: str, words: DistilWords) -> tuple[Lack, ...]:
    """What the note leaves out, each thing once, in the order of the note."""
    found: dict[tuple[Missing, str], Lack] = {}
    for start, lines in _sections(text):
        whole = "\n".join(lines)
        has_url, has_command = bool(urls_of(whole)), bool(commands_of(whole))
        goes_on = any(_BOX.match(line) for line in lines) or any(hit.label == "next_steps" for hit in words.complete.find(whole))
        for number, line in enumerate(lines, start):
            for kind, what in _called_for(line, words):
                if (kind is Missing.URL and has_url) or (kind is Missing.COMMAND and has_command) or (kind is Missing.NEXT_STEP and goes_on):
                    continue
                found.setdefault((kind, fold(what)), Lack(number, kind, what))
    return tuple(found.values())


def suggestions(found: tuple[Lack, ...]) -> tuple[str, ...]:
    """What to do, one sentence for each kind of warning."""
    return tuple(SUGGESTIONS[kind] for kind in Missing if any(one.kind is kind for one in found))


def _sections(text: str) -> Iterator[tuple[int, list[str]]]:
    """(number of its first line, its lines); a heading in a block of code is none."""
    lines = text.split("\n")
    start, fenced = 0, False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        if number > start and not fenced and _HEADING.match(line):
            yield start + 1, lines[start:number]
            start = number
    yield start + 1, lines[start:]


def _called_for(line: str, words: DistilWords) -> Iterator[tuple[Missing, str]]:
    hits = words.complete.find(line)
    spoken = split_words(line)
    tool = [hit for hit in hits if hit.label in ("nouns", "uses")]
    if tool:
        for name in _names(line, tool, spoken):
            yield Missing.URL, name
    for hit in hits:
        if hit.label == "actions":
            yield Missing.COMMAND, " ".join(spoken[hit.at : hit.at + hit.length])
    decided = next((hit for hit in hits if hit.label == "decisions"), None)
    if decided is not None:
        yield Missing.NEXT_STEP, " ".join(spoken[decided.at : decided.at + decided.length])


def _names(line: str, tool: list[Found], spoken: list[str]) -> Iterator[str]:
    """Names that a word for a tool, or for using it, belongs to: `the editor Zed`, `Zed, an editor`, `using Zed`."""
    for hit in _NAME.finditer(line):
        name = next(group for group in hit.groups() if group).strip(" .")
        at = len(split_words(line[: hit.start()]))
        if hit[4] and _opens(line, hit.start()):
            first, _, rest = name.partition(" ")
            if not rest and name.isalpha() and name[1:].islower():
                continue  # the capital is that of the sentence
            if rest and fold(first) in STOP:
                name, at = rest, at + 1
        parts = split_words(name)
        if not parts or fold(name) in STOP or not any(char.isalpha() for char in name):
            continue
        end = at + len(parts)
        for near in tool:
            last = near.at + near.length
            between = spoken[last:at] if last <= at else spoken[end : near.at] if near.label == "nouns" and end <= near.at else None
            if between is not None and len(between) <= 2 and _LINKS.issuperset(between):
                yield name
                break


def _opens(line: str, at: int) -> bool:
    """Whether a sentence begins there."""
    return bool(_OPENING.search(line[:at]))
