"""What the changelog of a topic lets one ask: what was known when, what was true on a day."""

from __future__ import annotations

from silo.core.facts import BY_HAND, Add, End, Set, apply_ops
from silo.core.history import as_of, known_at, timeline
from silo.formats.topics import fact_id, new_topic, parse_topic
from silo.model import Fact

PATH = "memory/topics/infra.md"
DAY, AT = "2026-03-01", "2026-03-01T04:30:00+00:00"


def topic(*bullets: str) -> str:
    text = new_topic("infra", type="project", created="2026-01-01", summary="Machines.")
    return text.replace("## Facts\n", "## Facts\n" + "".join(f"{b}\n" for b in bullets))


def gateway() -> Fact:
    return Fact("infra", "The gateway listens on port 8088.", fact_id("e_000000000001"), "2026-02-01", "2026-02-01", "e_000000000001")


def told() -> str:
    """A fact of February, changed in March as of 20 February, ended in April; another one stays."""
    other = Fact("infra", "Racks are in hall 2", fact_id("e_000000000003"), "2026-02-10")
    text = apply_ops(topic(), [Add(gateway()), Add(other)], path=PATH, today="2026-02-11", at="2026-02-11T04:30:00+00:00")
    change = Set(gateway().id, "The gateway listens on port 9443.", since="2026-02-20")
    text = apply_ops(text, [change], path=PATH, today="2026-03-01", at="2026-03-01T04:30:00+00:00")
    return apply_ops(text, [End(gateway().id, until="2026-03-31")], path=PATH, today="2026-04-01", at="2026-04-01T04:30:00+00:00")


def test_what_was_known_when() -> None:
    file = parse_topic(told())
    values = [sorted(known_at(file, day).values()) for day in ("2026-02-10", "2026-02-28", "2026-03-15", "2026-04-02")]
    assert values == [
        [],
        ["Racks are in hall 2", "The gateway listens on port 8088"],
        ["Racks are in hall 2", "The gateway listens on port 9443"],
        ["Racks are in hall 2"],
    ]


def test_what_was_true_on_a_day() -> None:
    file = parse_topic(told())
    values = [as_of(file, day).get(gateway().id, "") for day in ("2026-01-31", "2026-02-19", "2026-02-20", "2026-03-31")]
    assert values == ["", "The gateway listens on port 8088", "The gateway listens on port 9443", ""]


def test_the_timeline_keeps_every_value() -> None:
    spans = [(s.text, s.start, s.end) for s in timeline(parse_topic(told())) if s.id == gateway().id]
    assert spans == [
        ("The gateway listens on port 8088", "2026-02-01", "2026-02-20"),
        ("The gateway listens on port 9443", "2026-02-20", "2026-03-31"),
    ]


def test_a_value_changed_by_hand_ends_on_the_day_it_was_noticed() -> None:
    text = apply_ops(topic(), [Add(gateway())], path=PATH, today="2026-02-02", at="2026-02-02T04:30:00+00:00")
    text = text.replace("- The gateway listens on port 8088.", "- The gateway listens on port 8090.")
    edit = Set(gateway().id, "The gateway listens on port 8090.", "edited", BY_HAND, by_hand=True, old="The gateway listens on port 8088")
    file = parse_topic(apply_ops(text, [edit], path=PATH, today=DAY, at=AT), PATH)
    assert as_of(file, "2026-02-28") == {gateway().id: "The gateway listens on port 8088"}
    assert as_of(file, "2026-03-01") == {gateway().id: "The gateway listens on port 8090"}
