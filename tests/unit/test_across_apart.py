"""What looks like one thing under two topics and may be two: both stay, and nothing is closed, moved or told elsewhere."""

from __future__ import annotations

from datetime import date

import pytest
from test_across import NIGHT, current, memory

from nights import Memory
from silo.core.reconcile import Reconciler
from silo.edge.vocabulary import load_vocabularies
from silo.formats.topics import new_topic, parse_topic

# two topics, and a statement that may be true of each
COINCIDENCES = [
    ("car", "house", "The spare key is in the car."),
    ("cabin", "zoo", "The ladder is kept at the cabin."),
    ("carrinha", "casa", "A chave suplente está na carrinha."),
    ("car", "trip", "In the car there is a first aid kit."),
    ("van", "house", "We keep the documents in the van."),
    ("ana", "acme", "Ana is the contact."),
    ("rui", "jardim", "O Rui tem a chave do portão."),
    ("ana", "band", "Ana leads the project."),
    ("contract-acme", "zeta", "The contract ends in May."),
    ("boat-rental", "summer", "The boat is painted blue."),
    ("insurance", "car", "The insurance costs 300 euros a year."),
    ("renda", "estudio", "A renda é de 900 euros."),
    ("senhorio", "estudio", "O senhorio mora ao lado."),
    ("password", "router", "A password está na gaveta."),
    ("landlord", "studio", "The landlord lives next door."),
    ("deposit", "trip", "The deposit is 500 euros."),
    ("house", "beach-house", "The house alarm is off at night."),
    ("van", "cabin", "Van and cabin are insured with the same firm."),
    ("auto", "haus", "Der Schlüssel liegt im Auto."),
]
APART = pytest.mark.parametrize(("one", "other", "text"), COINCIDENCES)


@APART
@pytest.mark.parametrize("nights", [1, 2])
def test_a_statement_that_may_be_true_of_both_stays_in_both(one: str, other: str, text: str, nights: int) -> None:
    m = memory(one, other)
    m.say("2026-03-01", f"[FACT] {one}: {text}")
    if nights == 2:
        m.night("2026-03-02")
    m.say("2026-03-04", f"[FACT] {other}: {text}")
    m.night(NIGHT)
    assert (m.facts(one), m.facts(other), m.review()) == ([text], [text], [])


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("cabin", "The cabin rent is 900 euros."),
        ("cabin", "Payment for the cabin is due on the 5th."),
        ("kiln", "The kiln in the studio fires at 900 degrees."),
        ("van", "We keep the van in the garage."),
        ("carrinha", "Guardamos a carrinha na garagem."),
        ("carro", "O seguro do carro custa 300 euros."),
        ("ana", "Ana's birthday is in May."),
        ("ana", "Ana is vegan."),
        ("boat-rental", "The boat rental opens at 9."),
    ],
)
def test_what_a_statement_is_about_by_its_own_words_is_one_thing(topic: str, text: str) -> None:
    m = memory(topic, "misc")
    m.say("2026-03-01", f"[FACT] misc: {text}", f"[FACT] {topic}: {text}")
    m.night(NIGHT)
    assert (m.facts(topic), m.facts("misc")) == ([text], [])


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("The kiln may be opened below 100 degrees by the older children.", "The kiln may be opened only below 100 degrees by the older children."),
        ("The kiln goes from Porto to Lisbon with the big truck.", "The kiln goes from Lisbon to Porto with the big truck."),
        ("The kiln is cleaned by Rui on Monday morning with vinegar.", "The kiln is cleaned by Rui on Monday morning with white vinegar."),
        ("O kiln é limpo pelo Rui à segunda de manhã com vinagre.", "O kiln é limpo pelo Rui quase à segunda de manhã com vinagre."),
        ("The kiln is red.", "The kiln was red."),
    ],
)
def test_a_word_more_or_another_order_is_never_lost(here: str, there: str) -> None:
    for owner, other in ((here, there), (there, here)):
        m = memory("kiln", "house")
        m.say("2026-03-01", f"[FACT] kiln: {owner}")
        m.say("2026-03-04", f"[FACT] house: {other}")
        m.night(NIGHT)
        told = " ".join([*current(m, "kiln", "house"), *m.changelog("kiln")])
        assert all(text[:-1] in told for text in (here, there))
        assert not any("[moved]" in entry for entry in m.changelog("house"))


def test_a_change_told_of_a_matter_that_anything_may_have_is_asked_about() -> None:
    m = memory("contract-acme", "zeta")
    m.say("2026-03-01", "[FACT] contract-acme: The contract ends in May.")
    m.night("2026-03-02")
    m.say("2026-03-05", "[CHANGED] zeta: The contract ends in June now.")
    m.night(NIGHT)
    assert (m.facts("contract-acme"), m.facts("zeta")) == (["The contract ends in May."], ["The contract ends in June now."])
    assert [(item["kind"], item["topic"]) for item in m.review()] == [("doubt", "contract-acme")]


@pytest.mark.parametrize("text", ["The deposit of the booking is 500 euros.", "A caução da reserva é de 500 euros."])
def test_what_was_said_without_a_topic_belongs_to_none_of_two_that_change_it(text: str) -> None:
    m = memory("acme", "zeta")
    m.say("2026-03-01", f"[FACT] general: {text}")
    m.say("2026-03-05", *(f"[CHANGED] {slug}: {text[:-1].replace('500', value)} now." for slug, value in (("acme", "600"), ("zeta", "700"))))
    m.night(NIGHT)
    ids = [fact.id for slug in ("acme", "zeta") for fact in parse_topic(m.text(slug)).facts]
    assert len(ids) == len(set(ids)) == 2
    assert "500" not in " ".join([*m.changelog("acme"), *m.changelog("zeta")])


def test_a_short_statement_without_a_topic_is_not_left_behind_with_a_fact_by_coincidence() -> None:
    m = memory("cabin", "studio")
    m.say("2026-03-01", "[FACT] general: The deposit is 500 euros.", "[FACT] cabin: The deposit is 500 euros.")
    m.say("2026-03-05", "[CHANGED] cabin: The deposit is 600 euros now.")
    m.night(NIGHT)
    assert m.facts("cabin") == ["The deposit is 600 euros now."]
    assert not any("[also]" in entry for entry in m.changelog("cabin"))


def test_many_topics_with_the_same_words_are_not_asked_about_when_one_changes() -> None:
    slugs = [f"trip-{place}" for place in ("porto", "rome", "oslo", "lima", "bern", "riga", "kyiv", "nice", "bonn", "york", "cork", "lyon")]
    m = memory(*slugs)
    m.say("2026-03-01", *(f"[FACT] {slug}: The hotel deposit is 500 euros." for slug in slugs))
    m.night("2026-03-02")
    m.say("2026-03-05", "[CHANGED] trip-lyon: The hotel deposit is 600 euros now.")
    m.night(NIGHT)
    assert [fact for slug in slugs for fact in m.facts(slug)] == ["The hotel deposit is 500 euros."] * 11 + ["The hotel deposit is 600 euros now."]
    assert m.review() == []


def test_a_change_without_a_topic_asks_where_a_topic_apart_holds_the_same() -> None:
    text = "Payment of the rent is due on the 5th."
    m = memory("cabin")
    m.topic("affair", f"- {text}", header={"sensitivity": "private"})
    m.say("2026-03-01", f"[FACT] cabin: {text}")
    m.night("2026-03-02")
    m.say("2026-03-05", "[CHANGED] general: Payment of the rent is due on the 9th now.")
    m.night(NIGHT)
    assert (m.facts("cabin"), m.facts("affair")) == ([text], [text])
    assert [item["topic"] for item in m.review()] == ["cabin"]


CABIN = "The cabin rent is 900 euros a month."
RISEN = "The cabin rent is 950 euros a month now, not 900."


@pytest.mark.parametrize("line", [f"[FACT] affair: {CABIN}", f"[CHANGED] affair: {RISEN}"])
def test_lines_of_the_private_log_whose_topic_is_gone_reach_no_open_topic(line: str) -> None:
    m = memory("cabin")
    m.say("2026-03-01", f"[FACT] cabin: {CABIN}")
    m.night("2026-03-02")
    before = m.text("cabin")
    m.put(".silo/private/events/2026-03-05.md", f"# Events 2026-03-05\n\n{line} <!-- id:e_00000000aaaa -->\n")
    m.night(NIGHT)
    assert m.text("cabin") == before


@pytest.mark.parametrize("line", [f"[FACT] general: {CABIN}", f"[CHANGED] general: {RISEN}"])
def test_lines_without_a_topic_of_another_agent_reach_no_open_topic(line: str) -> None:
    m = memory("cabin")
    m.say("2026-03-01", f"[FACT] cabin: {CABIN}")
    m.night("2026-03-02")
    before = m.text("cabin")
    m.say("2026-03-05", f"{line} <!-- id:e_00000000aaaa agent:nurse -->")
    m.night(NIGHT)
    assert m.text("cabin") == before


def test_a_file_in_the_private_folder_is_private_whatever_its_header_says() -> None:
    m = memory("cabin")
    bullet = f"- {CABIN} <!-- f_00000000000a since:2026-02-01 seen:2026-02-01 src:e_00000000000a -->\n"
    text = new_topic("affair", type="project", created="2026-01-01", summary="A case.").replace("## Facts\n", f"## Facts\n{bullet}")
    m.put(".silo/private/topics/affair.md", text, written=True)
    m.say("2026-03-01", f"[FACT] cabin: {CABIN}")
    m.say("2026-03-05", f"[CHANGED] cabin: {RISEN}")
    m.night(NIGHT)
    assert m.files[".silo/private/topics/affair.md"].decode() == text
    assert "affair" not in m.text("cabin")


def test_a_bullet_with_marks_that_the_other_lacks_stays() -> None:
    m = memory("cabin")
    m.topic("house", f"- {CABIN} <!-- f_00000000000a since:2026-02-01 seen:2026-02-01 src:e_00000000000a --> <!-- importance: 9 -->")
    m.say("2026-03-01", f"[FACT] cabin: {CABIN}")
    m.night(NIGHT)
    assert (m.facts("cabin"), m.facts("house")) == ([CABIN], [CABIN])
    assert "importance: 9" in m.text("house")


def test_the_same_line_typed_under_another_topic_a_night_later_is_a_fact_too() -> None:
    text = "The deposit is 500 euros."
    m = Memory()
    for slug in ("acme", "zeta", "omega"):
        m.topic(slug)
        m.say("2026-03-01", f"[FACT] {slug}: {text}")
        m.night(NIGHT)
    facts = [parse_topic(m.text(slug)).facts for slug in ("acme", "zeta", "omega")]
    assert [[fact.text for fact in found] for found in facts] == [[text]] * 3
    assert len({found[0].id for found in facts}) == 3


@pytest.mark.parametrize("text", ["", "500", "900 euros a month for the cabin", "There is a spare key in the car.", "合同在五月一日到期。"])
def test_where_no_subject_can_be_read_nothing_is_named(text: str) -> None:
    said = Reconciler(load_vocabularies()).told_of(text, date(2026, 3, 1))
    assert not any(said.is_called(frozenset({name})) for name in ("cabin", "car", "key"))


@pytest.mark.parametrize(
    ("held", "back"),
    [
        ("The weight of the air compressor changed from 266 kg to 103 kilos.", "Withdrawn: The air compressor weighs 591 kilos."),
        ("The contract of the printer ends in May.", "Withdrawn: The contract of the printer ends in June."),
        ("O seguro do barco custa 300 euros.", "Retirado: O seguro do barco custa 450 euros."),
    ],
)
def test_what_is_taken_back_under_one_topic_asks_nothing_of_another(held: str, back: str) -> None:
    m = memory("workshop", "telescope")
    m.say("2026-03-01", f"[FACT] workshop: {held}")
    m.night("2026-03-02")
    m.say("2026-03-05", f"[CHANGED] telescope: {back}")
    m.night(NIGHT)
    assert m.facts("workshop") == [held]
    assert m.review() == []
