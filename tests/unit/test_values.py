"""Values in prose: what is found, what is worth the same."""

from __future__ import annotations

from datetime import date

import pytest

from silo.edge.vocabulary import load_vocabularies
from silo.text.clock import find_times
from silo.text.flat import flat
from silo.text.values import Value, comparable, find_values, same_value
from silo.text.vocabulary import choose

DAY = date(2026, 2, 20)


def values(text: str) -> list[Value]:
    vocabularies = load_vocabularies()
    return list(find_values(text, DAY, choose(text, vocabularies)))


def kinds(text: str) -> list[tuple[str, str]]:
    return [(v.kind, v.text) for v in values(text)]


FOUND = [
    ("The rent is 1,150 a month.", [("number", "1,150")]),
    ("O aluguel é R$ 1.150,00.", [("money", "R$ 1.150,00")]),
    ("Budget: EUR 62k.", [("money", "EUR 62k")]),
    ("A obra custa 85 mil reais.", [("money", "85 mil reais")]),
    ("The table is 1.8 m long.", [("length", "1.8 m")]),
    ("A câmara tem 2 m³ de capacidade.", [("volume", "2 m³")]),
    ("It takes an hour and a half, or 90 minutes.", [("duration", "an hour and a half"), ("duration", "90 minutes")]),
    ("Dura uma hora e meia.", [("duration", "uma hora e meia")]),
    ("We have two hundred and fifty chairs.", [("number", "two hundred and fifty")]),
    ("São dois mil e trezentos pés de café.", [("length", "dois mil e trezentos pés")]),
    ("Meeting on 4 May 2026 at 18h30.", [("date", "4 May 2026"), ("time", "18h30")]),
    ("Pay every two weeks.", [("every", "every two weeks")]),
    ("Call +55 11 91234-5678.", [("id", "+55 11 91234-5678")]),
    ("See https://example.org/a?b=1.", [("id", "https://example.org/a?b=1")]),
    ("Version 2.10.4 on host web-01.", [("id", "2.10.4"), ("id", "web-01")]),
    ("The flat is on the 4th floor.", [("ordinal", "4th")]),
    ("Ana Prado is our landlord.", [("name", "Ana Prado")]),
    ("The band is Aki, Jonas and Prue.", [("name", "Aki"), ("name", "Jonas"), ("name", "Prue")]),
    ("A 120-minute film, a two-week trial.", [("duration", "120-minute"), ("duration", "two-week")]),
    ("It fires for 8–10 hours.", [("duration", "8–10 hours")]),
    ("Das 13:00 às 14:30 fecha.", [("time", "13:00 às 14:30")]),
    ("We are away from 3 to 9 May.", [("date", "3 to 9 May")]),
    ("The fee went up from 45 to 52 euros.", [("number", "45"), ("money", "52 euros")]),
    ("The drive is 1 hour 20 minutes.", [("duration", "1 hour 20 minutes")]),
    ("The ferry runs three times a day.", [("every", "three times a day")]),
    ("She swims two or three times a week.", [("every", "two or three times a week")]),
    ("A planta é regada uma a duas vezes por semana.", [("every", "uma a duas vezes por semana")]),
    ("Gotas 3x ao dia.", [("every", "3x ao dia")]),
    ("They met three times in May.", [("number", "three"), ("date", "in May")]),
    ("The cellar was at minus four degrees.", [("temperature", "minus four degrees")]),
    ("A arca está a -20 °C.", [("temperature", "-20 °C")]),
    ("Keep it at 5 - 8 °C.", [("temperature", "5 - 8 °C")]),
    ("Backups take long.", []),
    ("On Sundays we rest.", []),
]


@pytest.mark.parametrize(("text", "wanted"), FOUND)
def test_values_are_found(text: str, wanted: list[tuple[str, str]]) -> None:
    assert kinds(text) == wanted


SAME = [
    ("8–10 hours", "between 8 and 10 hours", True), ("8–10 hours", "8 to 12 hours", False), ("3–5 euros", "3 a 5 euros", True), ("9:00–17:00", "das 9h às 17h", True),
    ("480–600 minutes", "8 to 10 hours", True), ("an hour and a half", "90 minutes", True), ("1 hour 30 minutes", "uma hora e meia", True), ("R$ 10 a 15", "R$ 10–15 reais", True), ("a quarter of an hour", "15 minutes", True),
    ("three quarters", "75%", True), ("two out of five", "40 percent", True), ("a third of it", "33%", True), ("£8–£12", "between 8 and 12 pounds", True),
    ("1.8 m", "180 cm", True), ("1.8 m", "1.8 feet", False), ("2.000 litros", "2 m³", True), ("62,000 euros", "EUR 62k", True),
    ("300 dollars", "300 euros", False), ("R$ 180,00", "180 reais", True), ("14 days", "two weeks", True), ("30 seconds", "0.5 minutes", True),
    ("412 GiB", "roughly 410 gigabytes", True), ("1,980", "around two thousand", True), ("1,980", "around three thousand", False),
    ("230 °C", "446 °F", True), ("230 °C", "230 °F", False), ("18:30", "6:30 pm", True), ("18h30", "seis e meia da tarde", True), ("8 am", "8 pm", False),
    ("12 June 2026", "2026-06-12", True), ("12 June", "19 June", False), ("Dr. Renato Alves", "Renato", True), ("Ana Prado", "Ana Reis", False),
    ("0.25", "1/4", False), ("220 pounds", "£220", True), ("3.2 pounds", "3.2 kg", False), ("weekly", "every 7 days", True),
    ("once a fortnight", "every two weeks", True), ("uma vez por mês", "todo mês", True), ("twice a week", "three times a week", False),
    ("three times a week", "three times a month", False), ("two or three times a week", "2 to 3 times per week", True),
    ("minus eighteen degrees", "-18 °C", True), ("-18 °C", "18 °C", False), ("minus ten degrees", "ten degrees", False),
    ("1.5 million dollars", "$1,500,000", True), ("5 miles", "8 km", True), ("5 miles", "5 km", False), ("10%", "10 percent", True),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "wanted"), SAME)
def test_the_same_value_in_other_dress(a: str, b: str, wanted: bool) -> None:
    def first(text: str) -> Value:
        portuguese = any(c in text for c in "ãçéêí") or "reais" in text or "litros" in text or "tarde" in text
        return values(f"O valor é {text} agora." if portuguese else f"The value is {text} now.")[0]

    x, y = first(a), first(b)
    assert (comparable(x, y) and same_value(x, y)) is wanted
    assert (comparable(y, x) and same_value(y, x)) is wanted


TIMES = [
    ("às 18h30", 1110), ("at half past six in the evening", 1110), ("às sete e meia da noite", 1170), ("noon", 720), ("meia-noite", 0), ("at 6:05pm", 1085),
    ("às 14 horas", 840), ("duas da tarde", 840), ("quarter to five", 285), ("ao meio-dia e meia", 750),
]  # fmt: skip


@pytest.mark.parametrize(("text", "minutes"), TIMES)
def test_times_of_day(text: str, minutes: int) -> None:
    assert [hit.minutes for hit in find_times(flat(text))] == [minutes]


@pytest.mark.parametrize("text", ["dura 2h", "it takes 3h", "2h por dia", "Port 1830", "1:2 ratio"])
def test_durations_are_no_times(text: str) -> None:
    assert find_times(flat(text)) == []


@pytest.mark.parametrize(
    "text",
    ["The survey is on 9 March (2027-03-09).", "A vistoria é no dia 9 de março (2027-03-09).", "The survey is tomorrow (2026-03-05)."],
)
def test_a_date_and_its_reading_are_one_value(text: str) -> None:
    """What goes into its place takes the reading along: no old year may stand behind a new day."""
    (value,) = [one for one in values(text) if one.kind == "date"]
    assert text[value.start : value.end].endswith(")")
    assert value.day == text[value.end - 11 : value.end - 1]
