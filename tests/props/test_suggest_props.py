"""Suggestions whatever the log holds: the same in any order, disjoint, each of them enough, none that a topic has."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.suggest import suggest
from silo.edge.themes import load_themes
from silo.formats.events import valid_slug
from silo.model import Event, Tag, TopicInfo

THEMES = load_themes()
DATA = Path(__file__).resolve().parents[1] / "data" / "suggest"
ROWS = [json.loads(line) for path in sorted(DATA.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
TEXTS = sorted({event["text"] for row in ROWS for event in row["events"]})


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    texts = draw(st.lists(st.one_of(st.sampled_from(TEXTS), st.text(min_size=1, max_size=40)), max_size=40))
    out = []
    for number, text in enumerate(texts):
        day = f"2026-03-{draw(st.integers(1, 28)):02d}"
        slug = draw(st.sampled_from(["general", "general", "general", "loose"]))
        out.append(Event(day, draw(st.sampled_from(list(Tag))), slug, text, id=f"e_{number:012x}"))
    return out


TOPICS = st.lists(st.sampled_from([TopicInfo("garden"), TopicInfo("bees", summary="Hives"), TopicInfo("casa")]), unique=True)


@settings(max_examples=40, deadline=None)
@given(logs(), TOPICS, st.randoms(use_true_random=False))
def test_the_order_makes_no_difference(log: list[Event], topics: list[TopicInfo], random: object) -> None:
    first = suggest(log, topics, THEMES)
    shuffled = list(log)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert suggest(shuffled, list(reversed(topics)), THEMES) == first


@settings(max_examples=40, deadline=None)
@given(logs(), TOPICS)
def test_every_suggestion_is_one_that_can_be_accepted(log: list[Event], topics: list[TopicInfo]) -> None:
    found = suggest(log, topics, THEMES)
    slugs = [one.slug for one in found]
    assert len(set(slugs)) == len(slugs)
    assert not set(slugs) & {topic.slug for topic in topics}
    ids = [ident for one in found for ident in one.ids]
    assert len(set(ids)) == len(ids)
    for one in found:
        assert valid_slug(one.slug)
        assert one.title.strip()
        assert len(one.ids) >= 3
        assert any(event.tag in (Tag.FACT, Tag.DECISION) for event in one.events)
