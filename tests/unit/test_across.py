"""One thing told under two topics, or before its topic was there: one of them keeps it, and what changed is told by none."""

from __future__ import annotations

import pytest

from nights import Memory
from silo.core.history import superseded
from silo.formats.topics import parse_topic

NIGHT = "2026-03-10"

# topic that holds the thing by name, another topic, the statement, its change
THINGS = [
    ("cabin", "house", "The cabin rent is 900 euros a month.", "The cabin rent is 950 euros a month now, not 900."),
    ("kiln", "crafts", "The kiln in the studio fires at 900 degrees.", "The kiln in the studio fires at 950 degrees now, not 900."),
    ("van", "trips", "The van is parked on Mill Street.", "The van is no longer parked on Mill Street, it is parked on Dock Road now."),
    ("piscina", "casa", "A bomba da piscina liga às 7h.", "A bomba da piscina liga agora às 9h, e não às 7h."),
]
AS = pytest.mark.parametrize(("owner", "other", "text", "change"), THINGS)


class Log(Memory):
    """Events with ids, as every door writes them."""

    def say(self, day: str, *lines: str) -> None:
        count = sum(data.count(b"[") for path, data in self.files.items() if "events/" in path)
        super().say(day, *(line if "<!--" in line else f"{line} <!-- id:e_{count + n:012x} -->" for n, line in enumerate(lines, 1)))


def memory(*slugs: str) -> Log:
    made = Log()
    for slug in slugs:
        made.topic(slug)
    return made


def current(m: Log, *slugs: str) -> list[str]:
    return [fact for slug in slugs for fact in m.facts(slug)]


@AS
@pytest.mark.parametrize("first", [0, 1])
def test_a_statement_that_stands_in_two_topics_stays_in_the_one_that_it_names(owner: str, other: str, text: str, change: str, first: int) -> None:
    m = memory(owner, other)
    for day, slug in zip(("2026-03-01", "2026-03-04"), ((owner, other), (other, owner))[first], strict=True):
        m.say(day, f"[FACT] {slug}: {text}")
        m.night(day)
    assert (m.facts(owner), m.facts(other)) == ([text], [])
    kept = parse_topic(m.text(owner)).facts[0].id
    assert f"It stands in {owner}, as {kept}" in m.changelog(other)[0]
    assert f"It stood in {other} as well" in " ".join(m.changelog(owner))


@AS
def test_both_said_in_one_night_stand_once(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {other}: {text}", f"[FACT] {owner}: {text}")
    m.night(NIGHT)
    assert current(m, owner, other) == [text]


@AS
@pytest.mark.parametrize("told", [0, 1])
def test_a_change_reaches_the_thing_under_whichever_topic_it_is_told(owner: str, other: str, text: str, change: str, told: int) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}", f"[FACT] {other}: {text}")
    m.say("2026-03-05", f"[CHANGED] {(owner, other)[told]}: {change}")
    m.night(NIGHT)
    assert len(current(m, owner, other)) == 1
    assert text not in current(m, owner, other)
    assert any(f"Was: {text[:-1]}" in entry for slug in (owner, other) for entry in m.changelog(slug))


@AS
def test_a_change_told_under_another_topic_changes_the_fact_where_it_stands(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.night("2026-03-02")
    m.say("2026-03-05", f"[CHANGED] {other}: {change}")
    m.night(NIGHT)
    assert (len(m.facts(owner)), m.facts(other)) == (1, [])
    assert m.facts(owner) != [text]


@AS
def test_a_change_told_without_a_topic_changes_the_fact(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.night("2026-03-02")
    m.say("2026-03-05", f"[CHANGED] general: {change}")
    m.night(NIGHT)
    assert len(current(m, owner, other)) == 1
    assert text not in m.facts(owner)


@AS
def test_what_was_said_before_there_was_a_topic_comes_in_with_its_change(owner: str, other: str, text: str, change: str) -> None:
    m = Log()
    m.say("2026-03-01", f"[FACT] general: {text}")
    m.topic(owner)
    m.topic(other)
    m.say("2026-03-05", f"[CHANGED] {owner}: {change}")
    m.night(NIGHT)
    assert len(current(m, owner, other)) == 1
    first = parse_topic(m.text(owner)).changes[-1]
    assert (first.new, first.valid[0]) == (text[:-1], "2026-03-01")


@AS
def test_what_was_said_without_a_topic_as_well_is_on_record_and_left_behind_with_the_fact(owner: str, other: str, text: str, change: str) -> None:
    m = Log()
    m.say("2026-03-01", f"[FACT] general: {text} <!-- id:e_0000000000aa -->")
    m.topic(owner)
    m.say("2026-03-02", f"[FACT] {owner}: {text}")
    m.night("2026-03-03")
    assert any("Said on 2026-03-01 under general as well" in entry for entry in m.changelog(owner))
    assert "e_0000000000aa" not in superseded([parse_topic(m.text(owner))])
    m.say("2026-03-05", f"[CHANGED] {owner}: {change}")
    m.night(NIGHT)
    assert "e_0000000000aa" in superseded([parse_topic(m.text(owner))])


@pytest.mark.parametrize(
    "text",
    ["The rent is 900 euros a month.", "Payment terms are 30 days net after the invoice date.", "Ana is the contact person.", "The deadline is 1 May.", "合同在五月一日到期。", "O contrato termina em maio."],
)
def test_what_the_topics_alone_tell_apart_stays_in_both(text: str) -> None:
    m = memory("acme", "zeta")
    m.say("2026-03-01", f"[FACT] acme: {text}", f"[FACT] zeta: {text}")
    m.night(NIGHT)
    assert current(m, "acme", "zeta") == [text, text]
    assert m.review() == []


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("The rent is 900 euros a month.", "The rent is 950 euros a month now, not 900."),
        ("Payment terms are 30 days net after the invoice date.", "Payment terms are 14 days net after the invoice date now, not 30."),
    ],
)
def test_a_change_of_one_of_them_asks_about_the_other(text: str, change: str) -> None:
    m = memory("acme", "zeta")
    m.say("2026-03-01", f"[FACT] acme: {text}", f"[FACT] zeta: {text}")
    m.night("2026-03-02")
    m.say("2026-03-05", f"[CHANGED] acme: {change}")
    m.night(NIGHT)
    assert m.facts("zeta") == [text]
    assert [(item["kind"], item["topic"]) for item in m.review()] == [("doubt", "zeta")]


@AS
def test_another_value_without_a_word_of_change_is_asked_about_where_the_fact_stands(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.night("2026-03-02")
    another = text.replace("900", "870").replace("7h", "8h").replace("Mill Street", "Quay Lane")
    m.say("2026-03-05", f"[FACT] {other}: {another}")
    m.night(NIGHT)
    assert sorted(current(m, owner, other)) == sorted([text, another])
    assert [item["kind"] for item in m.review()] == ["contradiction"]


@AS
def test_a_bullet_by_hand_stays_and_takes_nothing_from_the_topic_that_it_names(owner: str, other: str, text: str, change: str) -> None:
    for by_hand, told, left in ((other, owner, [text]), (owner, other, [])):
        m = memory(told)
        m.topic(by_hand, f"- {text}")
        m.say("2026-03-01", f"[FACT] {told}: {text}")
        m.night(NIGHT)
        assert (m.facts(by_hand), m.facts(told)) == ([text], left)


@AS
def test_a_bullet_that_a_hand_puts_back_stays_in_both(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}", f"[FACT] {other}: {text}")
    m.night("2026-03-02")
    m.edit(other, "## Facts\n", f"## Facts\n- {text}\n")
    m.night("2026-03-04")
    m.night(NIGHT)
    assert (m.facts(owner), m.facts(other)) == ([text], [text])


@AS
def test_two_bullets_by_hand_both_stay_until_one_changes(owner: str, other: str, text: str, change: str) -> None:
    m = Log()
    m.topic(owner, f"- {text}")
    m.topic(other, f"- {text}")
    m.night("2026-03-02")
    assert current(m, owner, other) == [text, text]
    m.say("2026-03-05", f"[CHANGED] {owner}: {change}")
    m.night(NIGHT)
    assert len(current(m, owner, other)) == 1
    assert text not in current(m, owner, other)


@AS
@pytest.mark.parametrize("header", [{"sensitivity": "private"}, {"agents": ["default"]}, {"status": "archived"}])
def test_what_is_kept_apart_stays_apart(owner: str, other: str, text: str, change: str, header: dict[str, str]) -> None:
    m = memory(owner)
    m.topic(other, f"- {text} <!-- f_00000000000a since:2026-02-01 seen:2026-02-01 src:e_00000000000a -->", header=header)
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.night("2026-03-02")
    m.say("2026-03-05", f"[CHANGED] {owner}: {change}")
    m.night(NIGHT)
    assert m.facts(other) == [text]
    assert len(m.facts(owner)) == 1
    assert other not in " ".join(m.changelog(owner))


@AS
def test_what_was_taken_back_of_a_night_is_not_settled_again(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}", f"[FACT] {other}: {text}")
    m.night("2026-03-02")
    ended = next(entry for entry in parse_topic(m.text(other)).changes if entry.op in ("move", "end"))
    m = memory(owner)
    m.topic(other, f"- {text} <!-- {ended.facts[0]} since:2026-03-01 seen:2026-03-01 src:{ended.source} -->")
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.state["undone"][f"{ended.source}>{ended.facts[0]}"] = {"run": "r"}
    m.night(NIGHT)
    assert current(m, owner, other) == [text, text]


@AS
def test_a_statement_nearly_the_same_counts_other_things_do_not(owner: str, other: str, text: str, change: str) -> None:
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}", f"[FACT] {other}: {text[:-1]}, as always.")
    m.night(NIGHT)
    near = len(current(m, owner, other))
    m = memory(owner, other)
    m.say("2026-03-01", f"[FACT] {owner}: {text}", f"[FACT] {other}: The {owner} has a new neighbour.")
    m.night(NIGHT)
    assert (near <= 2, len(current(m, owner, other))) == (True, 2)


def test_the_history_of_a_double_stays_known() -> None:
    from silo.core.history import as_of

    owner, other, text, _ = THINGS[0]
    m = memory(owner, other)
    m.say("2026-02-01", f"[FACT] {other}: {text}")
    m.night("2026-02-02")
    m.say("2026-03-01", f"[FACT] {owner}: {text}")
    m.night(NIGHT)
    told = [as_of(parse_topic(m.text(slug)), day) for day in ("2026-02-10", "2026-03-05") for slug in (owner, other)]
    assert [sorted(one.values()) for one in told] == [[], [text[:-1]], [text[:-1]], []]


@pytest.mark.parametrize("text", ["The rent is 900 euros a month.", "O contrato termina em maio."])
def test_the_same_line_typed_under_two_topics_makes_two_facts_with_ids_of_their_own(text: str) -> None:
    m = Memory()
    for slug in ("acme", "zeta", "omega"):
        m.topic(slug)
    m.say("2026-03-01", *(f"[FACT] {slug}: {text}" for slug in ("acme", "zeta", "omega", "acme")))
    m.night(NIGHT)
    facts = [parse_topic(m.text(slug)).facts for slug in ("acme", "zeta", "omega")]
    assert [[fact.text for fact in found] for found in facts] == [[text]] * 3
    assert len({found[0].id for found in facts}) == 3


@AS
def test_the_same_line_typed_under_two_topics_is_one_fact_where_it_names_one(owner: str, other: str, text: str, change: str) -> None:
    m = Memory()
    m.topic(owner)
    m.topic(other)
    m.say("2026-03-01", f"[FACT] {other}: {text}", f"[FACT] {owner}: {text}")
    m.night(NIGHT)
    assert (m.facts(owner), m.facts(other)) == ([text], [])
    assert f"It stands in {owner}" in m.changelog(other)[0]
