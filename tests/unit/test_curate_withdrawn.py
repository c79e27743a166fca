"""What somebody takes back is no fact any more, and nothing is replaced by what speaks of something else."""

from __future__ import annotations

import pytest

from nights import Memory
from silo.core.dedupe import Log
from silo.model import Confidence, Event, Tag

HALLWAY = "- Let's paint the hallway green. <!-- f_00000000000a since:2026-02-03 seen:2026-02-03 src:e_00000000000a -->"
PARCEL = "- A parcel costs 6.40 euros. <!-- f_00000000000b since:2026-02-03 seen:2026-02-03 src:e_00000000000b -->"


def home(*bullets: str) -> Memory:
    memory = Memory()
    memory.topic("home", *bullets)
    return memory


def say(memory: Memory, *said: tuple[str, str]) -> Memory:
    for number, (day, line) in enumerate(said, 1):
        memory.say(day, f"{line.replace('] ', '] home: ', 1)} <!-- id:e_{number:012x} -->")
    memory.night("2026-03-21")
    return memory


def test_a_fact_that_is_taken_back_ends_with_an_entry() -> None:
    memory = say(home(HALLWAY, PARCEL), ("2026-03-02", "[CHANGED] Withdrawn: let's paint the hallway green."))
    assert memory.facts("home") == ["A parcel costs 6.40 euros."]
    assert memory.changelog("home") == ["- 2026-03-21: [withdrawn] Was: Let's paint the hallway green. Taken back on 2026-03-02."]
    assert "f:f_00000000000a op:end" in memory.text("home")


def test_in_portuguese_too_and_said_again_later_it_is_new() -> None:
    memory = home("- O aluguel é 900 euros. <!-- f_00000000000a since:2026-02-03 seen:2026-02-03 src:e_00000000000a -->")
    say(memory, ("2026-03-03", "[CHANGED] Retirado: o aluguel é 900 euros."))
    assert memory.facts("home") == []
    memory.say("2026-03-22", "[FACT] home: O aluguel é 900 euros. <!-- id:e_00000000000c -->")
    memory.night("2026-03-23")
    assert memory.facts("home") == ["O aluguel é 900 euros."]


def test_an_open_task_that_is_taken_back_goes() -> None:
    memory = say(home(), ("2026-03-02", "[TODO] Buy paint. Due 2026-04-01."), ("2026-03-03", "[CHANGED] Withdrawn: Buy paint. Due 2026-04-01."))
    assert memory.facts("home") == []


def test_taking_back_one_side_of_a_contradiction_asks_nothing() -> None:
    said = ("2026-03-02", "[FACT] A parcel costs 7.10 euros."), ("2026-03-03", "[CHANGED] Withdrawn: A parcel costs 7.10 euros.")
    memory = say(home(PARCEL), *said)
    assert memory.facts("home") == ["A parcel costs 6.40 euros."]
    assert memory.review() == []


@pytest.mark.parametrize(
    ("fact", "back"),
    [
        ("Rosa Falk took over the boat from Ivo Haan.", "Rosa Falk looks after the boat."),
        ("The raft weighs 60 kg now instead of 48 kg.", "The raft weighs 60 kg."),
        ("A balsa pesa agora 60 kg em vez de 48 kg.", "A balsa pesa 60 kg."),
    ],
)
def test_what_a_change_made_so_can_be_taken_back(fact: str, back: str) -> None:
    memory = home(f"- {fact} <!-- f_00000000000a since:2026-02-03 seen:2026-02-03 src:e_00000000000a -->")
    say(memory, ("2026-03-03", f"[CHANGED] Withdrawn: {back}"))
    assert memory.facts("home") == []


def test_it_goes_from_every_line_that_says_it() -> None:
    memory = home(
        "- The raft weighs 60 kg. <!-- f_00000000000a since:2026-02-03 seen:2026-02-03 src:e_00000000000a -->",
        "- The weight of the raft is 60 kilos. <!-- f_00000000000b since:2026-02-04 seen:2026-02-04 src:e_00000000000b -->",
        "- The raft weighs 60 kg and is red. <!-- f_00000000000c since:2026-02-04 seen:2026-02-04 src:e_00000000000c -->",
    )
    say(memory, ("2026-03-03", "[CHANGED] Withdrawn: The raft weighs 60 kg."))
    assert memory.facts("home") == ["The raft weighs 60 kg and is red."]


def test_of_two_that_differ_the_one_with_the_named_value_changes() -> None:
    memory = home(
        "- The weight of the raft is 48 kilos. <!-- f_00000000000a since:2026-02-03 seen:2026-02-03 src:e_00000000000a -->",
        "- The raft weighs 60 kilos. <!-- f_00000000000b since:2026-02-04 seen:2026-02-04 src:e_00000000000b -->",
    )
    say(memory, ("2026-03-03", "[CHANGED] The raft weighs 72 kg, no longer 60 kg. Was: 60 kg."))
    assert sorted(memory.facts("home")) == ["The raft weighs 72 kg, no longer 60 kg.", "The weight of the raft is 48 kilos."]


def test_a_question_of_an_earlier_night_is_settled_as_well() -> None:
    memory = say(home(PARCEL), ("2026-03-02", "[FACT] A parcel costs 7.10 euros."))
    memory.say("2026-03-22", "[CHANGED] home: Withdrawn: A parcel costs 7.10 euros. <!-- id:e_00000000000c -->")
    memory.night("2026-03-23")
    assert memory.facts("home") == ["A parcel costs 6.40 euros."]
    assert [item["status"] for item in memory.review()] == ["rejected"]


def test_a_fact_that_says_more_than_what_is_taken_back_stays_and_is_asked_about() -> None:
    memory = say(home("- The office is in Porto; the parking fee is 80 euros."), ("2026-03-03", "[CHANGED] Withdrawn: The parking fee is 80 euros."))
    assert memory.facts("home") == ["The office is in Porto; the parking fee is 80 euros."]
    assert [item["kind"] for item in memory.review()] == ["doubt"]


def test_what_nobody_said_can_be_taken_back_without_a_trace_in_the_topic() -> None:
    memory = say(home(PARCEL), ("2026-03-03", "[CHANGED] Withdrawn: the shed is for sale."))
    assert memory.facts("home") == ["A parcel costs 6.40 euros."]
    assert memory.changelog("home") == []


def test_the_log_takes_a_withdrawal_for_no_restatement() -> None:
    def event(day: str, tag: Tag, text: str) -> Event:
        return Event(date=day, tag=tag, slug="home", text=text, confidence=Confidence.CONFIRMED)

    log = Log()
    log.add([event("2026-03-02", Tag.DECISION, "Let's paint the hallway green.")])
    back = event("2026-03-03", Tag.CHANGED, "Withdrawn: let's paint the hallway green.")
    assert log.restates(back) is None
    log.add([back])
    assert log.restates(event("2026-03-04", Tag.CHANGED, "Withdrawn: Let's paint the hallway green.")) is not None
    assert log.restates(event("2026-03-05", Tag.DECISION, "Let's paint the hallway green.")) is None


UNRELATED = [
    "[CHANGED] We dropped PayPal, it takes too long to pay out. Was: PayPal.",
    "[CHANGED] We now use Stripe, PayPal takes too long to pay out. Was: PayPal.",
    "[CHANGED] PayPal takes too long to pay out.",
    "[CHANGED] Stripe pays out in 2 days. Was: PayPal takes 9 days.",
    "[CHANGED] A letter costs 1.10 euros. Was: 0.95 euros.",
    "[CHANGED] The courier now comes at 10:00. Was: 9:00.",
    "[CHANGED] A conta do PayPal foi encerrada, demora demais para pagar. Era: PayPal.",
]


@pytest.mark.parametrize("line", UNRELATED)
def test_a_change_of_something_else_replaces_nothing(line: str) -> None:
    memory = say(home(PARCEL), ("2026-03-02", line))
    assert memory.facts("home")[0] == "A parcel costs 6.40 euros."
    assert len(memory.facts("home")) == 2


def test_a_change_that_names_another_old_value_than_ours_is_a_change_all_the_same() -> None:
    memory = say(home(PARCEL), ("2026-03-02", "[CHANGED] A parcel costs 7.10 euros. Was: 6.90 euros."))
    assert memory.facts("home") == ["A parcel costs 7.10 euros."]
