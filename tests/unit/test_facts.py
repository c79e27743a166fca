"""The one door of curated facts: what stands in the file after a change."""

from __future__ import annotations

import pytest

from silo.core.facts import Add, Confirm, End, Name, Set, apply_ops, named_facts
from silo.formats.topics import fact_id, new_topic, parse_topic
from silo.model import Fact

PATH = "memory/topics/infra.md"
DAY, AT = "2026-03-01", "2026-03-01T04:30:00+00:00"


def topic(*bullets: str) -> str:
    text = new_topic("infra", type="project", created="2026-01-01", summary="Machines.")
    return text.replace("## Facts\n", "## Facts\n" + "".join(f"{b}\n" for b in bullets))


def gateway() -> Fact:
    return Fact("infra", "The gateway listens on port 8088.", fact_id("e_000000000001"), "2026-02-01", "2026-02-01", "e_000000000001")


def changelog(text: str) -> list[str]:
    file = parse_topic(text)
    return [file.lines[entry.start].split(" <!--")[0] for entry in file.entries]


def facts(text: str) -> list[str]:
    return [fact.text for fact in parse_topic(text).facts]


def test_a_new_fact_stands_under_its_heading_and_in_the_changelog() -> None:
    after = apply_ops(topic(), [Add(gateway(), field="fact", reason="Said on 2026-02-01")], path=PATH, today=DAY, at=AT)
    assert facts(after) == ["The gateway listens on port 8088."]
    assert changelog(after) == ["- 2026-03-01: [fact] The gateway listens on port 8088. Said on 2026-02-01."]


def test_an_update_changes_the_one_line_and_says_what_it_was() -> None:
    before = apply_ops(topic("- Racks are in hall 2."), [Add(gateway())], path=PATH, today="2026-02-02", at="2026-02-02T04:30:00+00:00")
    change = Set(gateway().id, "The gateway listens on port 9443.", "gateway port", "Said on 2026-02-20", "e_000000000002", since="2026-02-20")
    after = apply_ops(before, [change], path=PATH, today=DAY, at=AT)
    assert facts(after) == ["Racks are in hall 2.", "The gateway listens on port 9443."]
    assert changelog(after)[0] == (
        "- 2026-03-01: [gateway port] The gateway listens on port 9443. Was: The gateway listens on port 8088. Said on 2026-02-20."
    )
    old, new = before.split("\n"), after.split("\n")
    assert len(new) == len(old) + 1
    assert sum(line not in old for line in new) == 2


def test_an_ended_fact_is_gone_and_its_words_are_in_the_changelog() -> None:
    before = apply_ops(topic(), [Add(gateway())], path=PATH, today="2026-02-02", at="2026-02-02T04:30:00+00:00")
    after = apply_ops(before, [End(gateway().id, "Shut down", "fact", until="2026-02-28")], path=PATH, today=DAY, at=AT)
    assert facts(after) == []
    assert "Was: The gateway listens on port 8088. Shut down." in changelog(after)[0]


def test_a_confirmation_moves_seen_alone() -> None:
    before = apply_ops(topic(), [Add(gateway())], path=PATH, today="2026-02-02", at="2026-02-02T04:30:00+00:00")
    after = apply_ops(before, [Confirm(gateway().id, "2026-03-01")], path=PATH, today=DAY, at=AT)
    assert after == before.replace("seen:2026-02-01", "seen:2026-03-01")


def test_a_bullet_by_hand_gets_its_id_and_nothing_else() -> None:
    before = topic("- Racks are in hall 2.")
    ident = named_facts(parse_topic(before, PATH))[0].id
    after = apply_ops(before, [Name(ident)], path=PATH, today=DAY, at=AT)
    assert after == before.replace("hall 2.", f"hall 2. <!-- {ident} -->")


def test_an_unknown_id_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="no fact"):
        apply_ops(topic(), [Set("f_000000000000", "x")], path=PATH, today=DAY, at=AT)
