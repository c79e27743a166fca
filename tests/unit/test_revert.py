"""A night is taken back after the topic has changed again: what a person sees in the file and in its changelog."""

from __future__ import annotations

from silo.core.adopt import adopt
from silo.core.facts import Add, End, Op, Set, apply_ops, named_facts
from silo.core.history import known_at, replay, state_of
from silo.core.revert import Reverted, revert
from silo.formats.topics import add_source_block, change_id, fact_id, new_topic, parse_topic, render_block
from silo.model import Fact

PATH = "memory/topics/infra.md"
SHAPE = new_topic("infra", type="project", created="2026-01-01", summary="Machines.")
REASON = "Run 20260302-043000-0001 was taken back"


def fact(n: int, text: str) -> Fact:
    event = f"e_{n:012x}"
    return Fact("infra", text, fact_id(event), "2026-01-01", "2026-01-01", event)


PORT = fact(1, "The gateway listens on port 8088.")
RACKS = fact(2, "Racks are in hall 2.")
LIFT = fact(3, "The lift works.")


def night(text: str, day: str, *ops: Op) -> str:
    return apply_ops(text, ops, path=PATH, today=day, at=f"{day}T04:30:00+00:00")


def taken_back(before: str, made: str, now: str, base: str | None = None) -> Reverted:
    found = revert(before, made, now, base, path=PATH, reason=REASON, today="2026-03-09", at="2026-03-09T04:30:00+00:00")
    assert found is not None
    return found


def facts(text: str) -> list[str]:
    return [one.text for one in parse_topic(text).facts]


def changelog(text: str) -> list[str]:
    file = parse_topic(text)
    return [file.lines[entry.start].split(" <!--")[0] for entry in file.entries]


FIRST = night(SHAPE, "2026-03-01", Add(PORT))
MADE = night(FIRST, "2026-03-02", Add(RACKS))
LATER = night(MADE, "2026-03-03", Add(LIFT))


def test_its_fact_goes_a_later_one_beside_it_stays_and_the_changelog_says_so() -> None:
    found = taken_back(FIRST, MADE, LATER)
    assert facts(found.text) == [PORT.text, LIFT.text]
    assert found.clashes == ()
    assert changelog(found.text) == [
        f"- 2026-03-09: [reverted] Was: Racks are in hall 2. {REASON}.",
        "- 2026-03-03: The lift works.",
        "- 2026-03-02: Racks are in hall 2.",
        "- 2026-03-01: The gateway listens on port 8088.",
    ]


def test_a_changed_fact_says_again_what_it_said_with_its_marks() -> None:
    made = night(FIRST, "2026-03-02", Set(PORT.id, "The gateway listens on port 9443.", since="2026-03-01", bullet_source="e_000000000009"))
    found = taken_back(FIRST, made, night(made, "2026-03-03", Add(LIFT)))
    assert parse_topic(found.text, PATH).facts[0] == parse_topic(FIRST, PATH).facts[0]
    assert changelog(found.text)[0].startswith(
        "- 2026-03-09: [reverted] The gateway listens on port 8088. Was: The gateway listens on port 9443. Run"
    )


def test_an_ended_fact_is_back_under_its_id() -> None:
    made = night(FIRST, "2026-03-02", End(PORT.id, "Shut down"))
    found = taken_back(FIRST, made, night(made, "2026-03-03", Add(LIFT)))
    assert sorted((one.id, one.text) for one in parse_topic(found.text).facts) == sorted([(PORT.id, PORT.text), (LIFT.id, LIFT.text)])


def test_what_somebody_changed_since_stays_and_both_sides_are_told() -> None:
    made = night(FIRST, "2026-03-02", Set(PORT.id, "The gateway listens on port 9443."))
    now = night(made, "2026-03-03", Add(LIFT)).replace("- The gateway listens on port 9443.", "- The gateway listens on port 9443, mine.")
    found = taken_back(FIRST, made, now)
    assert facts(found.text)[0] == "The gateway listens on port 9443, mine."
    (clash,) = found.clashes
    assert "8088" in clash.mine
    assert "9443, mine" in clash.theirs
    assert now.split("\n")[clash.line - 1] in clash.theirs


def test_a_fact_that_a_hand_deleted_since_stays_deleted() -> None:
    now = "".join(line for line in LATER.splitlines(keepends=True) if not line.startswith("- Racks"))
    found = taken_back(FIRST, MADE, now)
    assert facts(found.text) == [PORT.text, LIFT.text]


def test_an_edit_that_no_night_has_told_is_still_told_by_the_next_one() -> None:
    now = "".join(line for line in LATER.splitlines(keepends=True) if not line.startswith("- Racks"))
    now = now.replace("The lift works.", "The lift works again.", 1)
    found = taken_back(FIRST, MADE, now, LATER)
    assert found.base is not None
    told = adopt(parse_topic(found.base, PATH), parse_topic(found.text, PATH)).ops
    assert {(type(op), op.id) for op in told if isinstance(op, Set | End)} == {(End, RACKS.id), (Set, LIFT.id)}


def test_a_copy_keeps_its_words_when_the_fact_goes() -> None:
    line = next(one for one in MADE.splitlines(keepends=True) if one.startswith("- Racks"))
    found = taken_back(FIRST, MADE, MADE.replace(line, line + line.replace("hall 2", "hall 3")))
    assert facts(found.text) == [PORT.text, "Racks are in hall 3."]
    assert parse_topic(found.text).facts[1].id != RACKS.id


def test_a_line_by_hand_keeps_the_id_that_the_run_gave_it() -> None:
    before = FIRST.replace("## Facts\n", "## Facts\n- My own line.\n")
    ident = named_facts(parse_topic(before, PATH))[0].id
    made = night(before, "2026-03-02", Add(Fact("infra", "", ident), field="added", reason="By hand", by_hand=True), Add(RACKS))
    found = taken_back(before, made, night(made, "2026-03-03", Add(LIFT)), made)
    mine = parse_topic(found.text).facts[0]
    assert (mine.id, mine.text) == (ident, "My own line.")
    assert facts(found.text) == ["My own line.", PORT.text, LIFT.text]


def test_a_copy_gets_its_own_id_again_when_the_undo_is_taken_back() -> None:
    line = next(one for one in FIRST.splitlines(keepends=True) if one.startswith("- The gateway"))
    copied = FIRST.replace(line, line + line.replace("8088", "9000"))
    own = named_facts(parse_topic(copied, PATH))[1].id
    told = night(change_id(copied, parse_topic(copied).facts[1].line, own), "2026-03-02", Add(Fact("infra", "", own), by_hand=True))
    found = taken_back(told, copied, night(copied, "2026-03-03", Add(LIFT)))  # the undo went from `told` to `copied`
    assert [one.id for one in parse_topic(found.text).facts] == [PORT.id, own, LIFT.id]
    assert "reverted" not in found.text


def test_its_source_block_goes_and_later_ones_stay() -> None:
    made = add_source_block(MADE, render_block("2026-03-02", "Racks", ["Racks are in hall 2."]))
    later = add_source_block(night(made, "2026-03-03", Add(LIFT)), render_block("2026-03-03", "Lift", ["The lift works."]))
    found = taken_back(FIRST, made, later)
    assert [block.title for block in parse_topic(found.text).blocks] == ["Lift"]
    assert found.clashes == ()


def test_the_facts_of_any_day_and_what_follows_give_todays() -> None:
    states = [("2026-03-01", state_of(parse_topic(FIRST))), ("2026-03-02", state_of(parse_topic(MADE))), ("2026-03-03", state_of(parse_topic(LATER)))]
    file = parse_topic(taken_back(FIRST, MADE, LATER).text, PATH)
    for day, state in states:
        assert known_at(file, day) == state
        assert replay(state, [entry for entry in file.changes if entry.date > day]) == state_of(file)


def test_taking_that_back_brings_it_again() -> None:
    gone = taken_back(FIRST, MADE, LATER).text
    other = night(gone, "2026-03-10", Add(fact(4, "The cellar is dry.")))
    found = taken_back(LATER, gone, other)
    assert sorted(facts(found.text)) == sorted([PORT.text, RACKS.text, LIFT.text, "The cellar is dry."])


def test_damaged_markers_leave_it_to_the_lines() -> None:
    args = {"path": PATH, "reason": REASON, "today": "2026-03-09", "at": "2026-03-09T04:30:00+00:00"}
    assert revert(FIRST, MADE, LATER.replace("<!-- CURATED_END -->\n", ""), None, **args) is None
