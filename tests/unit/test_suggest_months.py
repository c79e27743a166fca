"""Suggested topics over many months that are put together from short notes about everyday subjects, in two languages."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from silo.core.suggest import suggest
from silo.edge.themes import load_themes
from silo.model import Event, Tag

DATA = Path(__file__).resolve().parents[1] / "data" / "suggest" / "subjects.txt"
TAGS = {"F": Tag.FACT, "D": Tag.DECISION, "T": Tag.TODO, "E": Tag.EVENT, "C": Tag.CHANGED, "P": Tag.PROCEDURE}
THEMES = load_themes()


@dataclass
class Subject:
    """Lines about one thing. `group`: easy, middle or hard; `names`: what a good name holds."""

    group: str
    language: str
    names: tuple[str, ...] = ()
    lines: list[tuple[Tag, str]] = field(default_factory=list)


def subjects() -> list[Subject]:
    found: list[Subject] = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            head, _, names = line[1:].partition("|")
            group, language, *_ = head.split()
            found.append(Subject(group, language, tuple(one for one in names.strip().split(",") if one)))
        elif line and not line.startswith("#"):
            found[-1].lines.append((TAGS[line[0]], line[2:]))
    return found


ALL = subjects()


def month(group: str, language: str, seed: int, topics: int = 4) -> tuple[list[Event], list[tuple[Subject, set[str]]]]:
    """Events of a month with some subjects of six or seven lines among things said once, and which are whose."""
    draw = random.Random(f"{group}{language}{seed}")
    fitting = [one for one in ALL if one.group == group and language in ("both", one.language)]
    chosen: list[Subject] = []
    for one in draw.sample(fitting, len(fitting)):
        if len(chosen) < topics and not any(set(one.names) & set(other.names) for other in chosen):
            chosen.append(one)
    lines = [(one, line) for one in chosen for line in draw.sample(one.lines, 7 if len(one.lines) > 7 else 6)]
    spoken = [line for one in ALL if one.group == "noise" and language in ("both", one.language) for line in one.lines]
    lines += [(Subject("noise", language), line) for line in draw.sample(spoken, 18 if topics else 40)]
    draw.shuffle(lines)
    events = [
        Event(f"2026-04-{1 + number * 29 // len(lines):02d}", tag, "general", text, id=f"e_{number:012x}")
        for number, (_, (tag, text)) in enumerate(lines)
    ]
    return events, [(one, {events[at].id for at, (owner, _) in enumerate(lines) if owner is one}) for one in chosen]


def score(group: str, language: str, months: int) -> Counter[str]:
    """Sums over months: `f1` in thousandths, `named`, `topics`, `extra` suggestions, `taken` of the `noise`."""
    total: Counter[str] = Counter()
    for seed in range(months):
        events, gold = month(group, language, seed)
        left = list(suggest(events, (), THEMES))
        own = set().union(*(members for _, members in gold))
        total["noise"] += len(events) - len(own)
        total["taken"] += sum(one not in own for found in left for one in found.ids)
        for subject, members in gold:
            value, place = max(((2 * len(members & set(s.ids)) / (len(members) + len(s.ids)), -at) for at, s in enumerate(left)), default=(0.0, 0))
            total["topics"] += 1
            total["f1"] += round(1000 * value)
            if value >= 0.5:
                slug = left.pop(-place).slug
                total["named"] += any(name in slug for name in subject.names)
        total["extra"] += sum(len(own & set(found.ids)) * 2 < len(found.ids) for found in left)
    return total


@pytest.mark.parametrize(
    ("group", "language", "least"), [("easy", "en", 0.8), ("easy", "pt", 0.8), ("easy", "both", 0.8), ("middle", "en", 0.5), ("middle", "pt", 0.5), ("middle", "both", 0.45), ("hard", "en", 0.2), ("hard", "pt", 0.25), ("hard", "both", 0.2)]
)
def test_many_months_give_their_subjects(group: str, language: str, least: float) -> None:
    total = score(group, language, 12)
    assert total["f1"] >= 1000 * least * total["topics"]
    assert total["named"] >= 0.9 * least * total["topics"]
    assert total["extra"] <= 0.04 * total["topics"]
    assert total["taken"] <= 0.12 * total["noise"]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_things_said_once_hardly_make_a_topic(language: str) -> None:
    found = [suggestion.slug for seed in range(8) for suggestion in suggest(month("noise", language, seed, topics=0)[0], (), THEMES)]
    assert len(found) <= 4
