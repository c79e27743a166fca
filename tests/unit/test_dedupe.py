"""What the log takes for a restatement, and what it writes as a line of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from silo.core.dedupe import Log, id_of
from silo.core.doors import Numbering
from silo.core.facts import BY_HAND, Add, End, Op, Set, apply_ops
from silo.core.history import news_from
from silo.formats.topics import fact_id, new_topic, parse_topic
from silo.model import Confidence, Event, Fact, Tag


def event(date: str, text: str, tag: Tag = Tag.FACT, **more: object) -> Event:
    return Event(date, tag, "infra", text, **more)  # type: ignore[arg-type]


def log(*events: Event) -> Log:
    made = Log()
    made.add(events)
    return made


def test_a_restatement_names_the_line_that_says_so_already() -> None:
    first = event("2026-02-01", "The gateway listens on port 8080.")
    assert log(first).restates(event("2026-03-01", "the gateway listens on port 8080")) == id_of(first)


@pytest.mark.parametrize(
    "text", ["The gateway listens on port 9090.", "The gateway does not listen on port 8080.", "The proxy listens on port 8080."]
)
def test_another_value_is_written(text: str) -> None:
    assert log(event("2026-02-01", "The gateway listens on port 8080.")).restates(event("2026-03-01", text)) is None


def test_a_value_that_comes_back_is_new() -> None:
    said = log(
        event("2026-02-01", "The gateway listens on port 8080."),
        event("2026-02-10", "The gateway listens on port 9090.", Tag.CHANGED),
    )
    assert said.restates(event("2026-03-01", "The gateway listens on port 8080.")) is None


def test_a_change_that_names_the_old_value_stands_between() -> None:
    said = log(
        event("2026-02-01", "The gateway listens on port 8080."),
        event("2026-02-10", "Gateway port changed to 9090. Was: 8080.", Tag.CHANGED),
    )
    assert said.restates(event("2026-03-01", "The gateway listens on port 8080.")) is None


def test_the_new_value_said_again_is_a_restatement_of_the_change() -> None:
    changed = event("2026-02-10", "The gateway listens on port 9090. Was: 8080.", Tag.CHANGED)
    said = log(event("2026-02-01", "The gateway listens on port 8080."), changed)
    assert said.restates(event("2026-03-01", "The gateway listens on port 9090.")) == id_of(changed)


def test_an_event_of_another_day_is_new() -> None:
    ran = event("2026-02-01", "Ran ten kilometres along the river.", Tag.EVENT)
    assert log(ran).restates(event("2026-02-02", "Ran ten kilometres along the river.", Tag.EVENT)) is None
    assert log(ran).restates(event("2026-02-01", "Ran ten kilometres along the river.", Tag.EVENT)) == id_of(ran)


def test_a_tentative_statement_that_is_confirmed_is_new() -> None:
    maybe = event("2026-02-01", "We host the site on Netlify.", confidence=Confidence.TENTATIVE)
    assert log(maybe).restates(event("2026-02-02", "We host the site on Netlify.")) is None
    sure = event("2026-02-01", "We host the site on Netlify.")
    assert log(sure).restates(event("2026-02-02", "We host the site on Netlify.", confidence=Confidence.TENTATIVE))


def test_a_to_do_is_no_fact() -> None:
    assert log(event("2026-02-01", "Call the plumber", Tag.TODO)).restates(event("2026-02-02", "Call the plumber")) is None


def test_topics_and_agents_are_apart() -> None:
    said = log(event("2026-02-01", "The gateway listens on port 8080."))
    assert said.restates(Event("2026-03-01", Tag.FACT, "other", "The gateway listens on port 8080.")) is None
    assert said.restates(event("2026-03-01", "The gateway listens on port 8080.", agent="work")) is None


def test_one_restatement_in_a_long_log_is_found() -> None:
    said = log(*(event("2026-01-01", f"Machine m{n} in hall {n % 7} makes part {n * 3}.") for n in range(3000)))
    found = said.restates(event("2026-02-01", "machine m1234 in hall 2 makes part 3702"))
    assert found == id_of(event("2026-01-01", "Machine m1234 in hall 2 makes part 3702."))


@pytest.mark.parametrize(("day", "news"), [("2026-03-10", False), ("2026-03-11", True), ("2026-04-01", True)])
def test_what_is_no_longer_so_is_news_when_it_is_said_again(day: str, news: bool) -> None:
    first = event("2026-02-01", "The gateway listens on port 8080.")
    said = Log(over={id_of(first): "2026-03-11"})
    said.add([first])
    found = said.restates(event(day, "The gateway listens on port 8080."))
    assert found == (None if news else id_of(first))


PATH = "memory/topics/infra.md"
FACT = Fact("infra", "The gateway listens on port 8080.", fact_id("e_1"), source="e_1")


def told(*ops: Op, fact: Fact = FACT) -> dict[str, str]:
    """From which day events are news, after these changes of 12 March."""
    text = apply_ops(new_topic("infra", type="project", created="2026-01-01", summary="x"), [Add(fact)], path=PATH, today="2026-02-01", at="")
    return news_from([parse_topic(apply_ops(text, ops, path=PATH, today="2026-03-12", at=""), PATH)])


def test_from_when_the_same_words_are_news() -> None:
    assert told() == {}
    # a later statement has left the words behind; what it says itself is no news
    assert told(Set(FACT.id, "It listens on 9090.", source="e_2", bullet_source="e_2")) == {"e_1": "2026-03-12"}
    assert told(Set(FACT.id, "It listens on 9090, on Debian.", source="e_2", bullet_source="e_1,e_2")) == {}
    assert told(End(FACT.id, "Shut down", source="e_3")) == {"e_1": "2026-03-12", "e_3": "2026-03-12"}
    # by hand: nobody can tell which came first on that day and the one before
    assert told(Set(FACT.id, FACT.text, "edited", BY_HAND, by_hand=True, old="It listens on 9090")) == {"e_1": "2026-03-11"}
    gone = [End(FACT.id, "", source="e_2"), End(FACT.id, BY_HAND, by_hand=True, old="It listens on 9090")]
    assert told(*gone) == {"e_1": "2026-03-11", "e_2": "2026-03-11"}
    # a to-do that is done is to be done again when it is said after that day
    todo = replace(FACT, text="Call the bank", done=False)
    assert told(Set(FACT.id, "Call the bank", "done", "Ticked by command", done=True), fact=todo) == {"e_1": "2026-03-13"}


def test_an_id_is_given_once() -> None:
    said = event("2026-02-01", "The gateway listens on port 8080.")
    first = Numbering([]).number(said)
    assert Numbering([]).number(said).id == first.id
    again = Numbering([], used={first.id}).number(said)  # its line was taken back, or deleted
    assert again.id != first.id
    beside = Numbering([again]).number(said)
    assert len({first.id, again.id, beside.id}) == 3
    assert Numbering([again, beside]).number(said).id not in {again.id, beside.id}
