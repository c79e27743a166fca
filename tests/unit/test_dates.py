"""Dates in prose: what a person means by them on a Wednesday, 11 February 2026, and what is no date at all."""

from __future__ import annotations

from datetime import date

import pytest

from silo.text.dates import find_dates

WEDNESDAY = date(2026, 2, 11)

MEANS = [
    # absolute
    ("on 2026-03-07 at noon", "2026-03-07"),
    ("since 2026-03", "2026-03"),
    ("due 7 March 2026", "2026-03-07"),
    ("before the 7th of March", "2026-03-07"),
    ("March 7th, 2027", "2027-03-07"),
    ("Mar 7", "2026-03-07"),
    ("the launch is December 3", "2026-12-03"),
    ("starts 4 May, three days a week", "2026-05-04"),
    ("a partir de 1º de maio", "2026-05-01"),
    ("dia 1º de junho", "2026-06-01"),
    ("12 de março de 2027", "2027-03-12"),
    ("12 de marco", "2026-03-12"),
    ("5 de set", "2026-09-05"),
    ("05/02/2027", "2027-02-05"),
    ("em 10/mar", "2026-03-10"),
    ("07-03-2026", "2026-03-07"),
    ("vence em 3/4", "2026-04-03"),
    ("até dia 05/03", "2026-03-05"),
    ("reunião 04/03 às 18h30", "2026-03-04"),
    ("due 3/4", "2026-03-04"),
    ("the deadline is 3/4 for all of us", "2026-03-04"),
    ("on 13/4", "2026-04-13"),
    ("in November", "2026-11"),
    ("por volta de março de 2027", "2027-03"),
    ("in March 2027", "2027-03"),
    ("desde fevereiro", "2026-02"),
    ("since last October", "2025-10"),
    ("since 2019", "2019"),
    ("em 2027 a gente vê", "2027"),
    # in words
    ("he starts on the third of March", "2026-03-03"),
    ("March the first", "2026-03-01"),
    ("vence dia trinta de junho", "2026-06-30"),
    ("desde o dia quinze", "2026-01-15"),
    ("no dia vinte e dois de abril", "2026-04-22"),
    ("em outubro, dia 11", "2026-10-11"),
    # a year that is not said
    ("we met on 20 December", "2025-12-20"),
    ("the party is on 2 January", "2026-01-02"),
    ("in September", "2026-09"),
    # relative
    ("tomorrow", "2026-02-12"),
    ("amanhã de manhã", "2026-02-12"),
    ("depois de amanhã", "2026-02-13"),
    ("the day after tomorrow", "2026-02-13"),
    ("ontem às 15h", "2026-02-10"),
    ("tonight", "2026-02-11"),
    ("in two weeks", "2026-02-25"),
    ("in 3 days", "2026-02-14"),
    ("in a fortnight", "2026-02-25"),
    ("in a couple of weeks", "2026-02-25"),
    ("daqui a 10 dias", "2026-02-21"),
    ("daqui a duas semanas", "2026-02-25"),
    ("em três meses", "2026-05"),
    ("há 3 dias", "2026-02-08"),
    ("two weeks ago", "2026-01-28"),
    ("3 semanas atrás", "2026-01-21"),
    ("next month", "2026-03"),
    ("mês que vem", "2026-03"),
    ("no mês passado", "2026-01"),
    ("next year", "2027"),
    ("este ano", "2026"),
    ("semana que vem", "2026-02-16"),
    ("next week", "2026-02-16"),
    ("this weekend", "2026-02-14"),
    ("nesse fim de semana", "2026-02-14"),
    ("fim do mês", "2026-02-28"),
    ("by the end of the month", "2026-02-28"),
    ("até o final de março", "2026-03-31"),
    ("end of April", "2026-04-30"),
    ("no fim do ano", "2026-12-31"),
    ("by the end of the week", "2026-02-13"),
    ("end of next week", "2026-02-20"),
    # weekdays
    ("by Friday", "2026-02-13"),
    ("on Wednesday", "2026-02-18"),
    ("this Friday", "2026-02-13"),
    ("next Friday", "2026-02-20"),
    ("next Monday", "2026-02-16"),
    ("last Friday", "2026-02-06"),
    ("Friday next week", "2026-02-20"),
    ("até sexta", "2026-02-13"),
    ("até sexta-feira", "2026-02-13"),
    ("na próxima sexta", "2026-02-13"),
    ("sexta que vem", "2026-02-20"),
    ("sexta da semana que vem", "2026-02-20"),
    ("sexta passada", "2026-02-06"),
    ("ele vem quinta às 14h", "2026-02-12"),
    ("sábado de manhã", "2026-02-14"),
    ("by fri", "2026-02-13"),
    ("Friday 13 February", "2026-02-13"),
    ("quinta, 14/05, às 14h", "2026-05-14"),
    ("quinta-feira dia 19", "2026-02-19"),
    ("Friday the 20th", "2026-02-20"),
    # days of the month
    ("the 7th", "2026-03-07"),
    ("by the 20th", "2026-02-20"),
    ("by 20th", "2026-02-20"),
    ("dia 12", "2026-02-12"),
    ("até o dia 10", "2026-03-10"),
    ("vence dia 20, avisa antes", "2026-02-20"),
    ("dia 5 do mês que vem", "2026-03-05"),
    ("the 20th of next month", "2026-03-20"),
]

NOTHING = [
    "at 18h30",
    "às 12h",
    "14:00 sharp",
    "2.9% + 30c",
    "version 1.2.3",
    "every Friday",
    "toda sexta às 10h",
    "todo dia 5",
    "every 5th",
    "the 1st of every month",
    "Monday to Friday",
    "segunda a sexta",
    "on Tuesdays",
    "a segunda opção",
    "na quarta vez",
    "the 7th floor",
    "the 2nd one is better",
    "1/2 cup of sugar",
    "24/7 support",
    "we may need 10 more",
    "it costs 2000 reais",
    "set 10 alarms",
    "she sat down in the sun",
    "10 out of 12",
    "port 8080",
    "R$ 1.480,00",
    "para 20 pessoas",
    "call +00 555 0197",
    "3 days old",
    "the second of the two",
    "dois de nós",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), MEANS)
def test_a_date_means_the_day_that_people_mean(text: str, value: str) -> None:
    assert [hit.value for hit in find_dates(text, WEDNESDAY)][:1] == ([value] if value else [])


def test_a_bare_day_behind_a_date_follows_it() -> None:
    assert [h.value for h in find_dates("out on 18 December, back on the 2nd", WEDNESDAY)] == [
        "2026-12-18",
        "2027-01-02",
    ]
    assert [h.value for h in find_dates("de 6 a 20 de julho", WEDNESDAY)] == ["2026-07-06", "2026-07-20"]


def test_a_past_verb_puts_a_date_behind_only_in_its_own_clause() -> None:
    today = date(2026, 8, 3)
    ahead = ("I checked again: the race is on 25 October", "she told me the exam is on 3 December", "fui ver melhor: a prova cai a 25 de outubro", "ele disse que o exame é no dia 3 de dezembro")
    behind = ("I met him on 3 December", "the wedding was on 3 December", "comprei o carro a 3 de dezembro", "em dezembro eram 86")
    assert [[h.value[:4] for h in find_dates(text, today)][:1] for text in ahead] == [["2026"]] * 4
    assert [[h.value[:4] for h in find_dates(text, today)][:1] for text in behind] == [["2025"]] * 4


def test_a_day_of_the_week_and_its_date_are_one() -> None:
    assert [h.value for h in find_dates("saturday 21st at noon, ou sábado 28 às 8h", WEDNESDAY)] == [
        "2026-02-21",
        "2026-02-28",
    ]


@pytest.mark.parametrize("text", NOTHING)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert find_dates(text, WEDNESDAY) == []
