"""Groups of lines as a whole: what belongs together though no single word is shared, what stays apart, what it is called."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from silo.core.suggest import Suggestion, suggest
from silo.edge.themes import load_themes
from silo.model import Event, Tag, TopicInfo

THEMES = load_themes()
EVERYDAY = {
    "en": "EVENT Lost a mitten|FACT The chemist shuts at six|TODO Sew a loop on the towel|EVENT Cinema with Ottilie|DECISION No crisps in the house|"
    "FACT Gudrun is allergic to nuts|EVENT The tram was late|TODO Buy stamps|FACT The lift takes four people|EVENT Burnt the toast",
    "pt": "EVENT Perdi o comboio|FACT O sapateiro fecha à segunda|TODO Trocar a lâmpada da escada|EVENT Almocei com a Ivone|FACT O Tomé toca tuba|"
    "DECISION Nada de telemóveis à mesa|EVENT Choveu o dia todo|TODO Levar o casaco à lavandaria|FACT O elevador leva quatro pessoas|EVENT Queimei o arroz",
}


def events(*lines: str, slug: str = "general") -> list[Event]:
    """`FACT text` … as events, one a day."""
    out = []
    for number, line in enumerate(lines):
        tag, _, text = line.partition(" ")
        when = (date(2026, 3, 1) + timedelta(days=number % 28)).isoformat()
        out.append(Event(when, Tag[tag], slug, text, id=f"e_{slug}{number:08x}"))
    return out


def found(lines: str, language: str) -> tuple[Suggestion, ...]:
    """What is suggested for lines among others of any life; `|` between lines."""
    return suggest(events(*lines.split("|"), *EVERYDAY[language].split("|")), (), THEMES)


ONE = [
    (
        "en", "grandpa",
        ("DECISION Grandpa moves into the annexe in May|FACT Grandpa's new knee is titanium|TODO Order a shower seat for Grandpa|"
        "EVENT Grandpa's stitches came out|PROCEDURE Ice for Grandpa's knee after every walk"),
    ),
    (
        "en", "trip-norway",
        "DECISION Norway in June, by train all the way|FACT The cabin in Flam has no oven|TODO Reserve the night train to Oslo|EVENT Bought a rain jacket for Norway",
    ),
    (
        "en", "allotment",
        ("DECISION Beans along the wall, no potatoes this year|FACT The rent of the allotment is 58 a year|TODO Mulch the courgettes|"
        "EVENT Slugs ate the lettuces|CHANGED The compost bay of the allotment is shared now, was ours"),
    ),
    (
        "pt", "batizado",
        ("FACT O batizado da Carlota é a 14 de junho|DECISION O almoço do batizado é no quintal|TODO Encomendar o bolo do batizado|"
        "FACT O padrinho da Carlota vem de Genebra|CHANGED A cerimónia é às 11h, era às 12h|TODO Enviar os convites da Carlota"),
    ),
    (
        "pt", "gravidez",
        ("FACT O parto está previsto para outubro|TODO Marcar a ecografia|DECISION O bebé nasce na maternidade nova|FACT A parteira chama-se Eulália|"
        "TODO Montar o berço do bebé"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("language", "name", "lines"), ONE)
def test_what_several_themes_tell_of_one_thing_is_one_topic(language: str, name: str, lines: str) -> None:
    (only,) = found(lines, language)
    said = {line.partition(" ")[2] for line in lines.split("|")}
    taken = {event.text for event in only.events}
    assert name in only.slug
    assert len(taken & said) >= len(said) - 1
    assert len(taken - said) <= 1


TWO = [
    (
        "en",
        ("FACT The kitchen worktop is oak|DECISION No island in the kitchen|TODO Choose the kitchen tap|FACT The hob fits a 60 cm gap|"
        "FACT The bathroom floor slopes by two centimetres|DECISION A shower and no bath|TODO Order the basin for the bathroom|CHANGED The tiler comes on the 9th, was the 7th"),
        ("kitchen", "bathroom"),
    ),
    (
        "en",
        ("FACT The choir has eleven altos|DECISION We sing the Rutter in June|TODO Copy the score for the tenors|FACT The concert is in the chapel|"
        "FACT My guitar teacher has moved to Hull|DECISION Guitar lessons on Mondays|TODO New strings for the guitar|PROCEDURE Practise the barre chords with a metronome"),
        ("guitar", "choir"),
    ),
    (
        "pt",
        ("FACT A tese tem quatro capítulos|DECISION A tese fica sobre moinhos|TODO Entregar o capítulo à orientadora|FACT Faltam seis entrevistas|"
        "FACT As galinhas põem cinco ovos|DECISION O galinheiro fica ao sol|TODO Comprar milho para as galinhas|EVENT O galo fugiu"),
        ("tese", "galinh"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("language", "lines", "names"), TWO)
def test_two_things_stay_two_however_near(language: str, lines: str, names: tuple[str, str]) -> None:
    halves = [{line.partition(" ")[2] for line in lines.split("|")[at : at + 4]} for at in (0, 4)]
    suggested = found(lines, language)
    assert len(suggested) == 2
    assert {name for name in names for one in suggested if name in one.slug} == set(names)
    for one in suggested:
        taken = {event.text for event in one.events}
        assert not all(taken & half for half in halves)


@pytest.mark.parametrize("language", EVERYDAY)
def test_days_of_any_life_hold_no_topic(language: str) -> None:
    assert suggest(events(*EVERYDAY[language].split("|")), (), THEMES) == ()


@pytest.mark.parametrize(
    "lines",
    [
        "FACT The zip of the blue tent is stuck|TODO Oil the hinge of the gate|EVENT Found a coin in the sand",
        "FACT The ferry costs four|EVENT Missed the bus|TODO Renew the passport",
        "FACT Cousin Alma plays the cello|EVENT The concert was sold out|TODO Tune the radio",
        "FACT The pier shop sells postcards|FACT The neighbours are called Piers and Ottoline|TODO Water Ottoline's tomatoes",
    ],
)
def test_single_words_of_a_theme_make_no_topic(lines: str) -> None:
    assert found(lines, "en") == ()


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        ("DECISION The trip to Iceland is in May|FACT The flight to Keflavik takes three hours|TODO Book the hotel|FACT Iceland has its own currency", "trip-iceland"),
        ("FACT O voo para Creta dura quatro horas|DECISION A viagem a Creta é em maio|TODO Reservar o hotel em Chania", "viagem-creta"),
        ("FACT The kitten is called Biscuit|DECISION Biscuit stays indoors|TODO Vet for Biscuit|CHANGED The litter is wood now, was clay", "biscuit"),
        ("FACT O casamento da Leonor é na quinta|TODO Provar o vestido de noiva da Leonor|DECISION A Leonor quer o copo-de-água ao ar livre|FACT São 80 convidados", "casamento-leonor"),
    ],
)
def test_the_name_that_the_lines_are_about_stands_in_the_title_once(lines: str, slug: str) -> None:
    (only,) = suggest(events(*lines.split("|")), (), THEMES)
    assert slug in only.slug
    parts = only.slug.split("-")
    assert len(parts) == len(set(parts))


def test_whom_one_line_names_is_not_what_a_topic_is_called_by() -> None:
    said = "FACT The wedding is in the barn|DECISION No speeches at the wedding|TODO Ask Clementine for the bouquet|FACT The caterer asks 62 per guest"
    (only,) = suggest(events(*said.split("|")), (), THEMES)
    assert only.slug == "wedding"


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        ("FACT The crown on the left costs 780|DECISION No implant before the gum has healed|EVENT The temporary filling fell out", "dental-work"),
        ("FACT The course book has twelve units|DECISION Ten new words a day|EVENT Ordered dinner without English|PROCEDURE Flashcards first, then the grammar", "language-learning"),
    ],
)
def test_a_name_of_another_language_or_of_one_line_is_no_title(lines: str, slug: str) -> None:
    (only,) = suggest(events(*lines.split("|")), (), THEMES)
    assert only.slug.startswith(slug)


def test_the_order_of_the_lines_makes_no_difference() -> None:
    said = events(*"|".join([lines for language, _, lines in ONE if language == "en"] + [EVERYDAY["en"]]).split("|"))
    first = suggest(said, (), THEMES)
    for seed in range(5):
        mixed = list(said)
        random.Random(seed).shuffle(mixed)
        assert suggest(mixed, (), THEMES) == first


def test_lines_under_two_names_of_their_own_stay_under_them() -> None:
    hives = events("FACT Two hives stand by the shed", "DECISION No honey in the first year", "FACT The queen is a Buckfast", slug="back-yard")
    more = events("FACT The third hive swarmed", "DECISION Honey goes into small jars", "TODO Wax for the frames", slug="orchard-bees")
    suggested = {one.slug: {event.slug for event in one.events} for one in suggest([*hives, *more], (), THEMES)}
    assert suggested == {"back-yard": {"back-yard"}, "orchard-bees": {"orchard-bees"}}


def test_what_a_topic_covers_is_in_no_suggestion_however_near() -> None:
    said = (
        "FACT The hip is checked in six weeks", "DECISION Physio at home after the operation", "TODO Rent crutches for the stairs", "FACT The surgeon is Dr Hale",
        "PROCEDURE Ice on the hip three times a day",
    )  # fmt: skip
    assert len(suggest(events(*said), (), THEMES)) == 1
    assert suggest(events(*said), (TopicInfo("hip", summary="Hip operation, surgeon and physio"),), THEMES) == ()


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("FACT The greyhound is called Juno|DECISION Juno sleeps downstairs|EVENT Juno stole a loaf|TODO Weigh Juno", "juno"),
        ("FACT A Nina tem diabetes|DECISION A Nina só come ração|EVENT A Nina não deixou picar a orelha|TODO Seringas para a Nina", "nina"),
        ("FACT Kit starts at the joinery in August|DECISION Kit takes the bus|TODO Boots for Kit|EVENT Kit planed his first door", "kit"),
        ("FACT Julius takes the night shift|DECISION Julius gets the blue van|TODO Pay Julius|CHANGED Julius starts on the 4th, was the 1st", "julius"),
    ],
)
def test_a_name_with_the_stem_of_a_word_of_every_day_binds_all_the_same(lines: str, name: str) -> None:
    (only,) = suggest(events(*lines.split("|"), *EVERYDAY["en"].split("|")), (), THEMES)
    assert len(only.ids) == 4
    assert name in only.slug


def test_a_word_that_is_scattered_over_several_groups_gathers_its_lines() -> None:
    said = (
        "DECISION O livro de receitas da avó fica em 60 páginas|FACT Faltam digitalizar doze receitas da avó|TODO Pedir à tia Odete a receita do folar|"
        "EVENT Encontrei o caderno de receitas na arca|FACT A farmácia de serviço é a do largo"
    )
    recipes = max(found(said, "pt"), key=lambda one: sum("receita" in event.text for event in one.events))
    assert sum("receita" in event.text for event in recipes.events) >= 3


@pytest.mark.parametrize("word", ["June", "Monday", "March", "August"])
def test_a_month_or_day_binds_nothing(word: str) -> None:
    said = f"FACT The lift is checked in {word}|DECISION No crisps until {word}|TODO Buy stamps before {word}|EVENT Cold for {word}"
    assert suggest(events(*said.split("|")), (), THEMES) == ()


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        ("FACT The stove weighs 90 kilos|DECISION The stove goes in the back room|EVENT The fitters measured for the stove|TODO Sweep the chimney before the stove comes", "stove"),
    ],
)
def test_what_half_of_the_lines_say_is_the_title_where_none_says_the_title_of_the_theme(lines: str, slug: str) -> None:
    (only,) = suggest(events(*lines.split("|"), *EVERYDAY["en"].split("|")), (), THEMES)
    assert only.slug.startswith(slug)
