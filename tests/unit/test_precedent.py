"""What a topic's changelog holds against a statement that comes again."""

from __future__ import annotations

from silo.core.facts import BY_HAND
from silo.core.precedent import DECIDED, ending_of, is_denied, typed_on
from silo.model import ChangeEntry


def entry(op: str, **more: object) -> ChangeEntry:
    given: dict[str, object] = {"date": "2026-03-10", "field": "fact", "old": "", "new": "", "reason": "Said on 2026-03-10", "facts": ("f_1",)}
    return ChangeEntry(op=op, **(given | more))  # type: ignore[arg-type]


def same(one: str, other: str) -> bool:
    return one == other


def test_the_last_typing_counts_and_only_of_that_fact() -> None:
    typed = [entry("set", reason=BY_HAND, date=day) for day in ("2026-03-02", "2026-03-07")]
    assert typed_on("f_1", [*typed, entry("set")]) == "2026-03-07"
    assert typed_on("f_2", typed) == ""


def test_an_ended_line_holds_up_to_the_day_it_was_valid() -> None:
    ended = entry("end", old="The shelf is oak", valid=("2026-01-01", "2026-03-05"))
    assert ending_of("The shelf is oak", "2026-03-05", [ended], (), same) == ended
    assert ending_of("The shelf is oak", "2026-03-06", [ended], (), same) is None
    assert ending_of("The shelf is ash", "2026-03-05", [ended], (), same) is None


def test_what_a_person_removed_holds_up_to_the_day_of_removal() -> None:
    removed = entry("end", old="The shelf is oak", reason=BY_HAND, valid=("2026-01-01", "2026-03-05"))
    assert ending_of("The shelf is oak", "2026-03-10", [removed], (), same) == removed
    assert ending_of("The shelf is oak", "2026-03-11", [removed], (), same) is None


def test_a_fact_that_is_there_again_was_not_ended() -> None:
    ended = entry("end", old="The shelf is oak", field=DECIDED)
    assert ending_of("The shelf is oak", "2026-03-01", [ended], {"f_1"}, same) is None
    assert not is_denied("The shelf is oak", "2026-03-01", [ended], {"f_1"}, same)


def test_a_no_holds_for_evidence_up_to_its_day() -> None:
    denied = [entry("note", field=DECIDED, new="The lamp is brass"), entry("end", field=DECIDED, old="The shelf is oak")]
    for said in ("The lamp is brass", "The shelf is oak"):
        assert is_denied(said, "2026-03-10", denied, (), same)
        assert not is_denied(said, "2026-03-11", denied, (), same)
    assert not is_denied("The lamp is brass", "2026-03-10", [entry("note", new="The lamp is brass")], (), same)
