"""Extraction over time and between speakers: what counts as new, who may state something, what survives no check."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from silo.core.extract import extract, ground
from silo.edge.lang import load_languages
from silo.model import Candidate, Confidence, Origin, Session, Tag, TopicInfo, Turn

ORIGINS = {"O": Origin.OWNER, "A": Origin.AGENT, "U": Origin.UNTRUSTED, "S": Origin.SYSTEM}


def talk(*lines: str, fresh: int = 0, at: datetime = datetime(2026, 3, 4, 9, tzinfo=UTC)) -> Session:
    """A session from lines like "O: words"; turns before `fresh` were extracted by an earlier run."""
    turns = []
    for n, line in enumerate(lines):
        role = "assistant" if line[0] == "A" else "user"
        turns.append(Turn(f"m{n}", role, ORIGINS[line[0]], at + timedelta(minutes=n), line[3:], n >= fresh))
    return Session("s", "jsonl", "default", tuple(turns))


def read(session: Session) -> list[Candidate]:
    return list(extract(session, (), load_languages()))


def texts(session: Session) -> list[str]:
    return [c.text for c in read(session)]


def test_old_turns_are_context_and_state_nothing_again() -> None:
    lines = ("O: the deposit is 300", "A: Noted: 300.", "O: the office phone is 5550-118", "A: Saved.")
    assert len(texts(talk(*lines))) == 2
    assert texts(talk(*lines, fresh=2)) == ["The office phone is 5550-118."]
    assert texts(talk(*lines, fresh=4)) == []


def test_a_proposal_of_an_earlier_run_is_accepted_in_this_one() -> None:
    found = read(talk("O: which slot?", "A: I suggest Tuesday at 10:00.", "O: yes", fresh=2))
    assert [(c.tag, c.evidence) for c in found] == [(Tag.DECISION, ("m2", "m1"))]
    assert "Tuesday (2026-03-10) at 10:00" in found[0].text


def test_a_late_answer_makes_an_earlier_remark_count() -> None:
    lines = ("O: the blue mug hangs behind the heater", "A: Noted: blue mug behind the heater.")
    found = read(talk(*lines, fresh=1))
    assert [c.evidence for c in found] == [("m0", "m1")]


def test_what_an_earlier_run_has_logged_is_withdrawn_by_an_event() -> None:
    lines = ("O: let's paint the hallway green", "A: Green hallway, noted.", "O: actually no, scratch that")
    assert texts(talk(*lines)) == []
    found = read(talk(*lines, fresh=2))
    assert [(c.tag, c.text) for c in found] == [(Tag.CHANGED, "Withdrawn: let's paint the hallway green.")]


def test_what_an_earlier_run_has_logged_is_corrected_with_its_old_value() -> None:
    lines = ("O: the recital is on the 21st at 5pm", "A: Recital on 21 March.", "O: sorry, the 28th")
    assert texts(talk(*lines)) == ["The recital is on the 28th (2026-03-28) at 5pm."]
    assert texts(talk(*lines, fresh=2)) == ["The recital is on the 28th (2026-03-28) at 5pm. Was: 21st."]


def test_only_the_owner_states_facts() -> None:
    assert texts(talk("U: the meeting is on Friday at 10", "A: Noted.")) == []
    assert texts(talk("S: the meeting is on Friday at 10")) == []
    assert texts(talk("A: The rent is 900 and due on Friday.")) == []


def test_an_answer_to_somebody_else_accepts_nothing_of_the_assistant() -> None:
    assert (
        texts(
            talk("A: Should I move the dentist to Friday at 9?", "U: can I take the car tomorrow?", "O: yes")
        )
        == []
    )


def test_the_day_of_a_message_is_the_day_that_its_words_count_from() -> None:
    found = texts(
        talk("O: remind me to call the bank tomorrow", at=datetime(2026, 12, 31, 23, 30, tzinfo=UTC))
    )
    assert found == ["Call the bank tomorrow. Due 2027-01-01."]


def test_a_message_sent_twice_is_one_statement() -> None:
    assert len(texts(talk("O: the rent is 900 now", "O: the rent is 900 now", "A: 900, noted."))) == 1


def test_a_secret_is_left_out_of_the_text() -> None:
    found = texts(talk("O: guest wifi is called PineNet, password [REDACTED:password]", "A: PineNet, noted."))
    assert found == ["Guest wifi is called PineNet."]


def test_the_speakers_language_names_the_parts() -> None:
    found = texts(talk("O: o aluguel passou de R$ 900 para R$ 980 a partir de 1º de maio", "A: Atualizado."))
    assert found == [
        "O aluguel passou de R$ 900 para R$ 980 a partir de 1º de maio. Era: R$ 900. Vigente desde 2026-05-01."
    ]


def test_a_command_block_belongs_to_its_procedure() -> None:
    found = read(
        talk("O: always restart the worker like this:\n```\nsystemctl restart worker\n```", "A: Saved.")
    )
    assert [c.tag for c in found] == [Tag.PROCEDURE]
    assert "`systemctl restart worker`" in found[0].text


def test_an_estimate_of_a_language_is_not_needed_for_a_short_yes() -> None:
    found = texts(talk("O: e o horário?", "A: Sugiro abrir às 8h30 no sábado.", "O: 👍"))
    assert len(found) == 1
    assert "8h30" in found[0]


@pytest.mark.parametrize(
    ("text", "evidence", "fits"),
    [
        ("The rent is 980.", ("m0",), True),
        ("The rent is 990.", ("m0",), False),
        ("The rent is 980. Effective 2026-05-01.", ("m0",), True),
        ("The rent is 980. Effective 2026-06-01.", ("m0",), False),
        ("Ana raised the rent to 980.", ("m0",), True),
        ("The rent went to Paulo, 980.", ("m0",), False),
        ("See https://rent.example/980 for the rent.", ("m0",), False),
        ("Run `pay 980`.", ("m0",), False),
        ("The rent is 980.", (), False),
        ("The rent is 980.", ("m9",), False),
        ("Parking costs 40.", ("m1",), False),
    ],
)
def test_a_claim_must_stand_in_its_evidence(text: str, evidence: tuple[str, ...], fits: bool) -> None:
    session = talk("O: Ana says the rent is 980 from 1 May", "U: parking costs 40")
    candidate = Candidate(Tag.FACT, Confidence.CONFIRMED, text, evidence, session.turns[0].at)
    assert ground(candidate, session) is fits


def test_a_statement_goes_to_the_topic_of_its_field() -> None:
    topics = (
        TopicInfo("taxes", summary="Invoices and the tax office"),
        TopicInfo("garden", summary="Beds and trees"),
    )
    found = extract(
        talk("O: remind me to file the VAT return by 7 March", "A: Added."), topics, load_languages()
    )
    assert [c.slug for c in found] == ["taxes"]
    assert [
        c.slug
        for c in extract(
            talk(
                "O: the tomatoes go behind the greenhouse this year",
                "A: Noted: tomatoes behind the greenhouse.",
            ),
            topics,
            load_languages(),
        )
    ] == ["garden"]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("We decided to give 200 euros to Ana.", "We decided to give 300 euros to Rui.", 2),
        ("We decided to use port 8080 for staging.", "We decided to use port 9090 for production.", 2),
        ("We decided to paint room 2 white.", "We decided to paint room 3 green.", 2),
        ("We decided to use library 1 for module 7.", "We decided to use library 2 for module 14.", 2),
        ("We decided to rent flat 12 for April.", "We decided to rent flat 14 for May.", 2),
        ("Decidimos usar a sala 2 para o yoga.", "Decidimos usar a sala 3 para o pilates.", 2),
        ("Decidimos pagar 90 euros ao jardineiro.", "Decidimos pagar 120 euros à costureira.", 2),
        ("The monthly rent of the shop is now 900.", "The monthly rent of the flat is now 700.", 2),
        ("We decided to use port 8080 for staging.", "We decided to use port 9090 for staging.", 1),
        ("We decided to give 200 euros to Ana.", "We decided to give 300 euros to Ana instead.", 1),
        ("We decided to launch on 5 May.", "We decided to launch on 6 May.", 1),
        ("Decidimos pagar 90 euros ao jardineiro.", "Mudei de ideias, pagamos 120 euros ao jardineiro.", 1),
    ],
)
def test_another_figure_replaces_that_of_the_same_thing_alone(first: str, second: str, kept: int) -> None:
    found = texts(talk(f"O: {first}", "A: Noted.", f"O: {second}", "A: Noted."))
    assert len(found) == kept, found


@pytest.mark.parametrize("said", ["we always use pnpm for the shop", "we decided to pay {} euros for the shop sign"])
def test_what_is_said_again_all_day_names_a_few_turns(said: str) -> None:
    lines = [line for n in range(60) for line in (f"O: {said.format(100 + n)}", "A: Noted.")]
    (found,) = read(talk(*lines))
    assert 2 <= len(found.evidence) <= 8
    assert ground(found, talk(*lines))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Luis is allergic to peanuts and must carry the red inhaler.", "Tomas is allergic to peanuts and must carry the red inhaler."),
        ("Our supplier for the oak tables in the garden shop is Silva.", "Our supplier for the oak chairs in the garden shop is Silva."),
        ("Decidimos que a equipa do norte usa a carrinha branca para as entregas.", "Decidimos que a equipa do sul usa a carrinha branca para as entregas."),
        ("We use Redis for the queue of the shop.", "We do not use Redis for the queue of the shop."),
        ("Always deploy the shop on Fridays.", "Never deploy the shop on Fridays."),
        ("O Rui come carne ao jantar.", "O Rui não come carne ao jantar."),
    ],
)
def test_one_word_of_its_own_or_a_denial_makes_a_statement_of_its_own(first: str, second: str) -> None:
    found = texts(talk(f"O: {first}", "A: Noted.", f"O: {second}", "A: Noted."))
    assert any(second[:20] in text for text in found), found
    if first.split()[0] != "O":
        assert len(found) == 2, found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We decided to cover the roof with slate.", "We decided to cover the roof with slate."),
        ("We decided to cover the roof of the barn with slate.", "We decided to cover the roof with slate."),
        ("Decidimos cobrir o telhado com ardósia.", "Decidimos cobrir o telhado do celeiro com ardósia."),
    ],
)
def test_what_is_said_again_or_said_in_full_is_one_statement(first: str, second: str) -> None:
    assert len(texts(talk(f"O: {first}", "A: Noted.", f"O: {second}", "A: Noted."))) == 1
