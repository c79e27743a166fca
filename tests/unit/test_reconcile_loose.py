"""The second reading: what it says of its finding, and that of several facts one alone may be meant."""

from __future__ import annotations

from datetime import date

import pytest

from silo.core.reconcile import Kind, Outcome, Reconciler
from silo.core.weighing import chosen
from silo.edge.vocabulary import load_vocabularies
from silo.model import Fact

OLD_DAY, NEW_DAY = date(2026, 2, 3), date(2026, 2, 20)


@pytest.fixture(scope="module")
def compare() -> Reconciler:
    return Reconciler(load_vocabularies())


def meant(compare: Reconciler, facts: list[str], said: str) -> tuple[str, Outcome]:
    """The text of the fact that a night would take a statement to be about, '' for none, with the outcome."""
    held = [Fact("topic", text, f"f_{i:012}", "2026-02-03", "2026-02-03") for i, text in enumerate(facts)]
    fact, outcome = chosen([(fact, compare(fact.text, said, OLD_DAY, NEW_DAY)) for fact in held], "")
    return ("" if fact is None else fact.text), outcome


def test_the_finding_tells_of_what_and_which_values(compare: Reconciler) -> None:
    outcome = compare("O casamento da Priscila vai ser em Ouro Preto.", "A Priscila vai casar em Tiradentes.", OLD_DAY, NEW_DAY)
    assert (outcome.kind, outcome.old_value, outcome.new_value, outcome.loose) == (Kind.CONTRADICTION, "Ouro Preto", "Tiradentes", True)
    assert outcome.why == "casamento: Ouro Preto | Tiradentes"


def test_a_change_that_is_older_than_the_fact_changes_nothing(compare: Reconciler) -> None:
    assert compare("Corro duas vezes por semana.", "Passei a correr quatro vezes por semana.", NEW_DAY, OLD_DAY).kind is Kind.OUTDATED


def test_what_the_fact_says_beside_the_value_stays(compare: Reconciler) -> None:
    outcome = compare("Dentist appointment on 9 April at 14:30.", "The dentist's office rang: pushed back to 16 April, same time.", OLD_DAY, NEW_DAY)
    assert outcome.kind is Kind.UPDATE
    assert outcome.merged == "Dentist appointment on 16 April at 14:30."


@pytest.mark.parametrize(
    ("facts", "said", "about"),
    [
        (["Physio is on Mondays.", "The knee was operated on in May."], "Not Mondays any more, it has moved to Wednesdays.", "Physio is on Mondays."),
        (["Physio is on Mondays.", "Choir is on Mondays."], "Not Mondays any more, it has moved to Wednesdays.", ""),
        (["O Caio calça 38.", "O Caio mede 1,40 m."], "O número do sapato do Caio é 41.", "O Caio calça 38."),
        (["My boss is Graham Oakes.", "The team has six people."], "Graham has retired, these days I report to Ingrid Solberg.", "My boss is Graham Oakes."),
    ],
)
def test_of_several_facts_one_alone_may_be_meant(facts: list[str], said: str, about: str, compare: Reconciler) -> None:
    text, outcome = meant(compare, facts, said)
    assert text == about
    assert (outcome.kind is Kind.NEW) == (not about)


def test_what_the_rules_align_comes_before_what_is_only_like_it(compare: Reconciler) -> None:
    facts = ["The allotment covers two hundred square metres.", "The allotment is 120 m² in size."]
    assert meant(compare, facts, "The size of the allotment is 120 square metres.")[0] == facts[1]


def test_a_word_that_most_facts_of_the_topic_have_aligns_nothing(compare: Reconciler) -> None:
    one = "The allotment covers two hundred and ten square metres."
    said = "Our allotment is 120 m² in size."
    rest = [f"The allotment has {n} {what}." for n, what in enumerate(("pear trees", "water butts", "rose bushes", "beehives", "gates"), 2)]
    assert meant(compare, [one, *rest[:2]], said)[0] == one
    assert meant(compare, [one, *rest], said)[0] == ""


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("The suitcase may weigh 20 kilos at most.", "We're allowed 23 kilos per suitcase.", Kind.CONTRADICTION),
        ("My salary gets paid on the 25th.", "My wages come on the 28th.", Kind.CONTRADICTION),
        ("The passport expires in June 2027.", "My passport is valid until June 2029.", Kind.CONTRADICTION),
        ("O voo sai às 9h.", "O voo chega às 11h.", Kind.NEW),
        ("The boiler was installed on 2 June 2019.", "The boiler was serviced on 3 May.", Kind.NEW),
        ("The boat seats ten.", "The boat is ten metres long.", Kind.NEW),
        ("We fly out on 3 July.", "We fly back on 17 July.", Kind.NEW),
        ("Mr Adeyemi chairs the school board.", "The vice-chair of the school board is Ms Lund.", Kind.NEW),
    ],
)
def test_another_deed_or_office_is_another_fact_and_other_words_for_it_are_not(old: str, new: str, kind: Kind, compare: Reconciler) -> None:
    assert compare(old, new, OLD_DAY, NEW_DAY).kind is kind
