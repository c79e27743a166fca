"""Does a statement say that a task is done? The words are data (lang/todos.*.toml); the rule is one for all languages.

In doubt the answer is no: an open box too many costs a glance, a ticked one a forgotten task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from silo.text.dates import find_dates
from silo.text.flat import flat
from silo.text.lazy import Lazy
from silo.text.similar import fingerprint
from silo.text.stem import stem
from silo.text.tokens import terms, words

COVERED = 0.75  # share of the task's words that the statement has to name
BARE = 4  # words that an answer has at most which says nothing but "done"
_ANY_DAY = date(2000, 1, 3)  # where a date stands in a text does not depend on the day from which it is read
# What stands before the day that something is to be done by, or on.
_BY = Lazy(r"\b(?:by|until|till|before|no later than|on|ate|antes d[aeo]|no|na|em)(?: (?:the|a|ao|o|dia))*\s*\Z")
_POINTS = Lazy(r"(?:by|until|till|before|on|ate|no|na|em|this|next|est[ae]|nest[ae]|proxim[ao])\s")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """The words of one language. Phrases are flat; `forms` maps a verb to what it is when it has happened."""

    code: str
    label: str
    done: tuple[str, ...]
    unfinished: tuple[str, ...]
    every: tuple[str, ...]  # "both", "all": said of several at once
    lead: frozenset[str]
    endings: tuple[str, ...]
    forms: Mapping[str, tuple[str, ...]]


def from_table(table: Mapping[str, Any]) -> Completion:
    """The words of a parsed TOML table."""
    return Completion(
        code=str(table["language"]),
        label=str(table["label"]),
        done=_flat(table["done"]),
        unfinished=_flat(table["unfinished"]),
        every=_flat(table["every"]),
        lead=frozenset(_flat(table["lead"])),
        endings=_flat(table["endings"]),
        forms={flat(str(verb)): _flat(forms) for verb, forms in table["forms"].items()},
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement taken apart once, for all the tasks that it is held against."""

    spoken: str
    words: tuple[str, ...]  # in order
    stems: frozenset[str]
    fronts: frozenset[str]  # the first two letters of its words
    sign: bool  # it says "done" in so many words


@lru_cache(maxsize=64)
def _said(said: str, languages: tuple[Completion, ...]) -> _Said | None:
    """None for a statement that tells of nothing done: a question, a denial, something unfinished."""
    if "?" in said or fingerprint(said).denies:
        return None
    spoken = " ".join(_WORD.findall(flat(said)))
    if any(_has(spoken, phrase) for language in languages for phrase in language.unfinished):
        return None
    there = tuple(spoken.split())
    stems = frozenset(stem(word) for word in there) | frozenset(terms(said))
    sign = any(_has(spoken, phrase) for language in languages for phrase in language.done)
    return _Said(spoken, there, stems, frozenset(word[:2] for word in there), sign)


@lru_cache(maxsize=4096)
def _wanted(task: str, languages: tuple[Completion, ...]) -> tuple[str, ...]:
    """The words that a statement has to name."""
    lead = frozenset(word for language in languages for word in language.lead)
    return tuple(word for word in words(timeless(task)) if terms(word) and word not in lead)


@lru_cache(maxsize=4096)
def timeless(task: str) -> str:
    """The task without the day that it is to be done by: whoever says that it is done does not name it. "The rent for
    March" keeps its month."""
    left = task
    for hit in reversed(find_dates(task, _ANY_DAY)):
        before, after = left[: hit.start], left[hit.end :]
        by = _BY().search(flat(before))
        if by is not None:
            left = f"{before[: by.start()]} {after}"
        elif (_POINTS().match(flat(task[hit.start : hit.end])) or hit.kind in ("relative", "week", "weekend")) and not re.match(r"\s*['’\w]", after):
            left = f"{before} {after}"
    return left if words(left) else task


def plain(task: str, languages: Iterable[Completion]) -> str:
    """The task alone: "I need to call the plumber by Friday." → "call the plumber"."""
    lead = frozenset(word for language in languages for word in language.lead)
    left = " ".join(timeless(task).split()).rstrip(" .,;:!")
    start = 0
    for word in _WORD.finditer(left):
        if flat(word[0]) not in lead:
            start = word.start()
            break
    return left[start:]


@lru_cache(maxsize=4096)
def _keys(wanted: tuple[str, ...], languages: tuple[Completion, ...]) -> tuple[tuple[str, str, str], ...]:
    """For each word that has no listed forms: itself, its first two letters, its stem."""
    listed = {verb for language in languages for verb in language.forms}
    return tuple((word, word[:2], stem(word)) for word in wanted if word not in listed)


def completes(said: str, task: str, languages: Iterable[Completion]) -> float:
    """How surely `said` tells that `task` is done: 0 for not at all, else the share of its words that it names (> 0.7)."""
    return completes_each(said, (task,), languages)[0]


def completes_each(said: str, tasks: Sequence[str], languages: Iterable[Completion]) -> list[float]:
    """`completes` for many tasks, in their order."""
    every = tuple(languages)
    heard = _said(said, every)
    if heard is None:
        return [0.0] * len(tasks)
    return [_covered(heard, _wanted(task, every), every) for task in tasks]


def _covered(heard: _Said, wanted: tuple[str, ...], every: tuple[Completion, ...]) -> float:
    if not wanted or _far(heard, wanted, every):
        return 0.0
    there, spoken, stems, sign = heard.words, heard.spoken, heard.stems, heard.sign
    happened = {word for word in wanted if any(_happened(word, other, spoken, every) for other in there)}
    named = [word for word in wanted if word in there or stem(word) in stems or word in happened]
    if sign and wanted[0] not in named and any(_shared(wanted[0], word) >= max(4, len(wanted[0]) - 2) for word in there):
        named.append(wanted[0])  # the renewal is done
    figures = {word for word in wanted if any(c.isdigit() for c in word)}
    if figures - set(named) or (not set(named) - happened and len(wanted) > 1):
        return 0.0
    if not happened and not sign:
        return 0.0
    covered = len(named) / len(wanted)
    return covered if covered >= COVERED else 0.0


def _far(heard: _Said, wanted: tuple[str, ...], languages: tuple[Completion, ...]) -> bool:
    """Whether too few of the task's words can be meant at all. Most pairs end here, so it asks only what costs little:
    a verb's other form shares two letters with it, or is listed."""
    spare = int(len(wanted) - COVERED * len(wanted)) + heard.sign
    words, fronts, stems = heard.words, heard.fronts, heard.stems
    for word, front, root in _keys(wanted, languages):
        if front not in fronts and root not in stems and word not in words:
            spare -= 1
            if spare < 0:
                return True
    return False


def names(said: str, task: str, languages: Iterable[Completion]) -> bool:
    """Whether `said` speaks of the task at all, done or not: three quarters of its words, a verb in any of its forms, and
    all its figures."""
    every = tuple(languages)
    wanted = _wanted(task, every)
    spoken = words(said)
    there = {stem(word) for word in spoken} | set(terms(said))
    flatly = " ".join(_WORD.findall(flat(said)))
    named = [
        word for word in wanted
        if stem(word) in there or any(_shared(word, other) >= max(4, len(word) - 2) or _happened(word, other, flatly, every) for other in spoken)
    ]
    figures = {word for word in wanted if any(c.isdigit() for c in word)}
    return bool(wanted) and not figures - set(named) and len(named) >= COVERED * len(wanted)


def bare(said: str, languages: Iterable[Completion]) -> bool:
    """Whether `said` is nothing but "done": an answer to somebody who named the task."""
    spoken = " ".join(_WORD.findall(flat(said)))
    every = tuple(languages)
    short = len(spoken.split()) <= BARE
    unsure = "?" in said or any(_has(spoken, phrase) for language in every for phrase in language.unfinished)
    return short and not unsure and not fingerprint(said).denies and any(_has(spoken, phrase) for language in every for phrase in language.done)


def of_all(said: str, languages: Iterable[Completion]) -> bool:
    """Whether a bare "done" means all that was named: "all done", "tudo feito"."""
    spoken = " ".join(_WORD.findall(flat(said)))
    return any(_has(spoken, phrase) for language in languages for phrase in language.every)


def _happened(verb: str, word: str, spoken: str, languages: Iterable[Completion]) -> bool:
    """Whether `word` is the task's `verb` as a thing of the past: pay → paid, book → booked, marcar → marquei."""
    for language in languages:
        forms = language.forms.get(verb, ())
        if any(_has(spoken, form) for form in forms):
            return True
        if word == verb or len(verb) < 3:
            continue
        same = _shared(verb, word)
        infinitive = verb[-2:] in ("ar", "er", "ir")
        ending = next((one for one in language.endings if word.endswith(one) and len(word) - len(one) <= same + 1), "")
        if ending and (same >= len(verb) - 1 if language.code == "en" else infinitive and same >= max(2, len(verb) - 3)):
            return True
    return False


def _shared(a: str, b: str) -> int:
    """How many letters the two begin with in common."""
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _has(spoken: str, phrase: str) -> bool:
    return f" {phrase} " in f" {spoken} "


def _flat(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(flat(str(value)) for value in values)
