"""Which topics the unfiled part of a log suggests, and how they are called."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from silo.core.suggest import Suggestion, proposals, suggest
from silo.edge.themes import load_themes
from silo.formats.decisions import decided, read_decisions
from silo.model import Confidence, Event, Tag, TopicInfo

DATA = Path(__file__).resolve().parents[1] / "data" / "suggest"
THEMES = load_themes()


def events(*lines: str, day: str = "2026-03-01", slug: str = "general", agent: str = "default") -> list[Event]:
    """`FACT text` … as events, one a day."""
    out = []
    for number, line in enumerate(lines):
        tag, _, text = line.partition(" ")
        when = (date.fromisoformat(day) + timedelta(days=number)).isoformat()
        out.append(Event(when, Tag[tag], slug, text, id=f"e_{number:012x}", agent=agent))
    return out


BEES = (
    "FACT Two hives were set up behind the shed",
    "DECISION No honey harvest in the first year",
    "FACT The queen is from a Buckfast line",
)


@dataclass
class Score:
    """What eval sets ask: how well clusters are found, what should not be there."""

    f1: list[float] = field(default_factory=list)
    named: int = 0
    extra: int = 0
    noise_taken: int = 0
    noise: int = 0


def f1(found: set[str], members: set[str]) -> float:
    return 2 * len(found & members) / (len(found) + len(members))


def measure(row: dict[str, Any], score: Score) -> None:
    said = [Event(e["date"], Tag[e["tag"]], e["slug"], e["text"], id=e["id"]) for e in row["events"]]
    topics = [TopicInfo(t["slug"], summary=t["summary"]) for t in row["existing_topics"]]
    left = list(suggest(said, topics, THEMES))
    for gold in row["gold_clusters"]:
        if not gold["suggest"]:
            continue
        members = set(gold["members"])
        best = max(left, key=lambda one: f1(set(one.ids), members), default=None)
        value = f1(set(best.ids), members) if best else 0.0
        score.f1.append(value)
        if best and value >= 0.5:
            left.remove(best)
            score.named += any(ok in best.slug for ok in gold["slug_ok"])
    score.extra += len(left)
    taken = {one for found in suggest(said, topics, THEMES) for one in found.ids}
    score.noise_taken += len(taken & set(row["noise"]))
    score.noise += len(row["noise"])


@pytest.mark.parametrize(("name", "least", "named", "noise"), [("mixed", 0.9, 0.9, 0.1), ("english", 0.8, 0.8, 0.15), ("portuguese", 0.8, 0.8, 0.15)])
def test_a_month_of_notes_gives_the_topics_that_a_person_sees_in_it(name: str, least: float, named: float, noise: float) -> None:
    score = Score()
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        measure(json.loads(line), score)
    assert sum(score.f1) / len(score.f1) >= least
    assert score.named / len(score.f1) >= named
    assert score.extra == 0
    assert score.noise_taken <= noise * score.noise


def test_three_entries_of_which_one_states_something() -> None:
    (only,) = suggest(events(*BEES, "EVENT Lost the umbrella"), (), THEMES)
    assert (only.slug, only.title, only.type) == ("beekeeping", "Beekeeping", "hobby")
    assert len(only.ids) == 3
    assert only.why.startswith("3 entries without a topic from 2026-03-01 to 2026-03-03, 3 of them facts or decisions")
    assert suggest(events(*BEES[:2]), (), THEMES) == ()
    happened = [f"EVENT {line.partition(' ')[2]}" for line in BEES]
    assert suggest(events(*happened), (), THEMES) == ()
    unsure = [Event(e.date, e.tag, e.slug, e.text, id=e.id, confidence=Confidence.TENTATIVE) for e in events(*BEES)]
    assert suggest(unsure, (), THEMES) == ()


def test_the_name_is_in_the_language_of_the_lines() -> None:
    said = ("FACT A rainha da colmeia velha sumiu", "DECISION Tirar o mel só em março", "TODO Comprar cera para as abelhas")
    (only,) = suggest(events(*said), (), THEMES)
    assert only.slug == "abelhas"


def test_a_trip_is_called_by_its_place() -> None:
    said = ("DECISION The trip to Naxos is in May", "FACT The ferry to Naxos takes five hours", "TODO Book the flights and the hotel")
    (only,) = suggest(events(*said), (), THEMES)
    assert (only.slug, only.title) == ("trip-naxos", "Trip: Naxos")


def test_an_existing_topic_covers_its_theme_by_name_summary_or_field() -> None:
    for topic in (
        TopicInfo("apiary"),
        TopicInfo("hobbies", summary="Bees, hives and honey"),
        TopicInfo("yard", tags=("bees", "hive", "honey", "queen")),
        TopicInfo("beekeeping", status="archived"),
    ):
        assert suggest(events(*BEES), (topic,), THEMES) == (), topic
    knee = ("FACT The physio looks at the knee twice a week", "DECISION Exercises with the band at home", "FACT The ligament is fine")
    assert suggest(events(*knee), (TopicInfo("health"),), THEMES) == ()
    assert len(suggest(events(*knee), (TopicInfo("work"),), THEMES)) == 1


def test_what_no_theme_knows_is_grouped_by_the_word_that_it_shares() -> None:
    said = (
        "FACT The zorbicle needs 40 volts",
        "DECISION Build the zorbicle without a lid",
        "TODO Ask Marten for the zorbicle drawing",
        "EVENT Lunch outside",
    )
    (only,) = suggest(events(*said), (), THEMES)
    assert only.slug == "zorbicle"
    assert len(only.ids) == 3


@pytest.mark.parametrize(
    "lines",
    [
        ("FACT Basil is afraid of lorries", "DECISION Basil sleeps in the hall", "TODO Weigh Basil on Sunday", "FACT Basil eats twice a day"),
        ("FACT A Mel tem medo de trovão", "DECISION A Mel dorme no corredor", "TODO Pesar a Mel no domingo", "FACT Escovar a Mel custa 40"),
    ],
)
def test_the_name_of_somebody_is_no_word_of_a_theme(lines: tuple[str, ...]) -> None:
    found = {one.slug for one in suggest(events(*lines), (), THEMES)}
    assert found.isdisjoint({"vegetable-garden", "herbs", "beekeeping", "abelhas", "mel-abelhas"})


@pytest.mark.parametrize(
    ("known", "bound"),
    [
        (("FACT The agency pays Corvane's invoices late", "DECISION The day rate for Corvane is 480", "TODO Send the second invoice"), "EVENT Corvane called at noon"),
        (("FACT A gata Pipoca só come ração seca", "DECISION Castrar a Pipoca em maio", "TODO Comprar areia para a gata"), "EVENT Pipoca ficou na janela"),
    ],
)
def test_a_name_binds_what_else_is_said_of_it(known: tuple[str, ...], bound: str) -> None:
    (only,) = suggest(events(*known, bound, "EVENT Lost a glove"), (), THEMES)
    assert len(only.ids) == 4
    assert any(event.text == bound.partition(" ")[2] for event in only.events)


@pytest.mark.parametrize(
    "lines",
    [
        ("FACT No cycling on the towpath", "DECISION Skip the quiz night", "TODO Charge the lights", "FACT The lockers are swapped in March"),
        ("FACT The neighbour's dog barks at night", "FACT The vet next door has retired", "DECISION Walk to work when it is dry"),
        ("FACT O cão do vizinho late de noite", "FACT O veterinário da rua reformou-se", "DECISION Ir a pé quando não chover"),
    ],
)
def test_one_broad_word_or_what_is_a_neighbours_founds_nothing(lines: tuple[str, ...]) -> None:
    assert suggest(events(*lines), (), THEMES) == ()


def test_a_word_of_an_everyday_stem_keeps_its_meaning() -> None:
    def about(text: str) -> float:
        number = next(place for place, theme in enumerate(THEMES.all) if theme.id == "sourdough")
        return THEMES.scores(THEMES.read(text)).get(number, 0.0)

    assert about("The starter is fed at noon") >= 1.5 > 0.6 > about("The course starts at noon")


def test_what_is_listed_counts_more_than_its_stem() -> None:
    def about(text: str, theme: str) -> float:
        number = next(place for place, one in enumerate(THEMES.all) if one.id == theme)
        return THEMES.scores(THEMES.read(text)).get(number, 0.0)

    assert about("The crypt is cold", "investments") < about("The crypto fell", "investments")


def test_a_title_that_hardly_any_line_says_gets_the_word_that_they_say() -> None:
    said = (
        "FACT The left knee is swollen",
        "DECISION No stairs until the knee bends",
        "TODO Ice for the knee",
        "CHANGED Knee flexion is 95 degrees, was 80",
    )
    (only,) = suggest(events(*said), (), THEMES)
    assert "knee" in only.slug


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        (("FACT Two coaches share the under-elevens", "DECISION The goalkeeper trains alone", "TODO Two coaches for the cup match"), "football-team"),
        (("FACT Cantamos o Requiem em junho", "DECISION Os sopranos cantam de cor", "TODO Copiar a partitura para os tenores"), "coro"),
    ],
)
def test_another_name_of_a_theme_is_taken_only_as_it_is_listed(lines: tuple[str, ...], slug: str) -> None:
    (only,) = suggest(events(*lines), (), THEMES)
    assert only.slug.startswith(slug)


def test_one_subject_in_two_languages_is_one_topic() -> None:
    said = (
        "FACT The hive by the hedge is strong",
        "DECISION Não colher mel no primeiro ano",
        "TODO Comprar quadros para a colmeia",
        "FACT Varroa drop was nine a day",
    )
    (only,) = suggest(events(*said), (), THEMES)
    assert len(only.ids) == 4


def test_a_name_that_lines_bear_already_is_kept() -> None:
    said = events(*BEES, slug="back-yard")
    (only,) = suggest(said, (), THEMES)
    assert (only.slug, only.title) == ("back-yard", "Back yard")


def test_no_two_suggestions_and_no_topic_have_one_name() -> None:
    said = events(*BEES)
    (only,) = suggest(said, (TopicInfo("beekeeping-notes", summary="Something else"),), THEMES) or (None,)
    assert only is None or only.slug != "beekeeping-notes"


def test_the_same_event_twice_counts_once() -> None:
    said = events(*BEES[:2])
    assert suggest([*said, *said], (), THEMES) == ()


def found() -> Suggestion:
    (only,) = suggest(events(*BEES), (), THEMES)
    return only


def items(*lines: str) -> Any:
    return read_decisions("".join(line + "\n" for line in lines), "p").items


def test_an_open_suggestion_is_written_once_and_keeps_its_name() -> None:
    (new,) = proposals([found()], {}, date(2026, 3, 4), "default")
    renamed = new.line.replace('"slug":"beekeeping"', '"slug":"hives"')
    (same,) = proposals([found()], items(renamed), date(2026, 3, 9), "default")
    assert (same.id, same.suggestion.slug, same.line) == (new.id, "hives", "")


def test_a_dismissed_one_rests_and_wants_something_newer() -> None:
    (new,) = proposals([found()], {}, date(2026, 3, 4), "default")
    left = decided(items(new.line)[new.id], "dismissed", "2026-03-04")
    assert proposals([found()], items(new.line, left), date(2026, 4, 4), "default") == ()
    more = events(*BEES, "FACT Varroa count was three mites", "TODO Ask the vet about the mites")
    (grown,) = suggest(more, (), THEMES)
    assert proposals([grown], items(new.line, left), date(2026, 3, 17), "default") == ()
    (again,) = proposals([grown], items(new.line, left), date(2026, 3, 18), "default")
    assert again.id == new.id
    assert '"status":"open"' in again.line


def test_the_decision_of_one_agent_does_not_bind_another() -> None:
    (new,) = proposals([found()], {}, date(2026, 3, 4), "default")
    left = decided(items(new.line)[new.id], "dismissed", "2026-03-04")
    (other,) = proposals([found()], items(new.line, left), date(2026, 3, 5), "work")
    assert other.data()["agent"] == "work"


PLAIN = (
    "TODO Wipe the shelves", "EVENT Rain until four", "FACT The lift has a mirror", "TODO Thank Odile for the figs", "EVENT Slept badly",
    "DECISION Fewer screens at night", "FACT The ferry takes cards", "EVENT Dropped a plate", "TODO Find the green scarf",
)  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        (
            ("DECISION The fair lasts one day only", "FACT 24 stalls are signed up for the fair", "TODO Ask the brigade about the fair", "FACT The council pays 700 for the fair"),
            "fair",
        ),
        (
            ("DECISION O livro sai sem prefácio", "FACT O livro tem 48 páginas", "TODO Mandar o livro para a revisora", "CHANGED A Jandira revê o livro no lugar do Otto"),
            "livro",
        ),
    ],
)
def test_a_common_thing_that_many_lines_are_about_makes_a_topic(lines: tuple[str, ...], slug: str) -> None:
    assert [one.slug for one in suggest(events(*lines, *PLAIN), (), THEMES)] == [slug]


def test_what_anybody_does_makes_none_however_often() -> None:
    lines = ("TODO Call the notary", "FACT I call at six", "TODO Call Odile back", "DECISION No more calls at lunch", "EVENT The postman called")
    assert suggest(events(*lines, *PLAIN), (), THEMES) == ()


def test_where_one_buys_is_not_what_one_does() -> None:
    lines = ("FACT The bakery shuts on Mondays", "FACT The corner bakery sells rye on Fridays", "EVENT The market moved to the square", "TODO Stamp the loyalty card")
    assert suggest(events(*lines, *PLAIN), (), THEMES) == ()


def test_who_bakes_for_others_has_a_topic() -> None:
    lines = (
        "FACT The deck oven holds 40 baguettes", "DECISION The bakery opens at six from May", "FACT The flour supplier brings 200 kg on Tuesdays",
        "CHANGED Croissant dough rests overnight, it was four hours", "TODO Order baguette trays", "FACT The new baker starts at three",
    )  # fmt: skip
    (only,) = suggest(events(*lines, *PLAIN), (), THEMES)
    assert only.slug.startswith("bakery")
