"""The time that a question points at."""

from __future__ import annotations

from datetime import date

import pytest

from silo.core.search.when import FIRST, LAST, Times, beside, days_of, named, names_day, times

TODAY = date(2026, 3, 10)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did I pay on 5 May 2025?", "2025-05-05", "2025-05-05"),
        ("What did I pay before 5 May 2025?", FIRST, "2025-05-04"),
        ("since March 2025", "2025-03-01", LAST),
        ("o que fizemos desde março de 2025", "2025-03-01", LAST),
        ("antes de maio de 2025", FIRST, "2025-04-30"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("December 2025", "2025-12-01", "2025-12-31"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("what happened last week?", "2026-03-02", "2026-03-08"),
        ("semana passada", "2026-03-02", "2026-03-08"),
        ("yesterday", "2026-03-09", "2026-03-09"),
        ("in the last 3 days", "2026-03-07", "2026-03-10"),
        ("nos últimos dois dias" , "2026-03-08", "2026-03-10"),
        ("what changed recently", "2026-02-08", "2026-03-10"),
        ("what did she recently cook on 5 May 2025", "2025-05-05", "2025-05-05"),
        ("the week before 15 March 2025", "2025-03-01", "2025-03-14"),
        ("two weeks before 15 March 2025", "2025-02-22", "2025-03-08"),
        ("the Sunday before 15 March 2025", "2025-03-01", "2025-03-14"),
        ("3 days after 15 March 2025", "2025-03-17", "2025-03-19"),
        # without a year: what was lies behind, what is due ahead
        ("What did we pay on 20 March?", "2025-03-20", "2025-03-20"),
        ("What happens on 20 March?", "2026-03-20", "2026-03-20"),
        ("What is due on Friday?", "2026-03-13", "2026-03-13"),
        ("What was due on Friday?", "2026-03-06", "2026-03-06"),
        ("o que tenho no dia 20 de março", "2026-03-20", "2026-03-20"),
        ("o que aconteceu no dia 20 de março", "2025-03-20", "2025-03-20"),
        ("what is due in April", "2026-04-01", "2026-04-30"),
        ("what did I pay in April", "2025-04-01", "2025-04-30"),
        ("o que vence em abril", "2026-04-01", "2026-04-30"),
    ],
)  # fmt: skip
def test_spans(text: str, first: str, last: str) -> None:
    assert [span[:2] for span in times(text, TODAY).spans] == [(first, last)]


@pytest.mark.parametrize(
    ("text", "span", "said"),
    [
        ("Insurance. Due 2026-03-20.", ("2026-03-16", "2026-03-22"), True),
        ("Insurance. Due 2026-03-23.", ("2026-03-16", "2026-03-22"), False),
        ("Order 12026-03-20 is late", ("2026-03-16", "2026-03-22"), False),
        ("No day at all", ("2026-03-16", "2026-03-22"), False),
        ("Moved on 2026-03-16", ("2026-03-16", LAST), True),  # of an open span the first day alone
        ("Moved on 2026-03-17", ("2026-03-16", LAST), False),
        ("Moved on 2026-03-17", (FIRST, "2026-03-20"), False),
    ],
)
def test_what_names_a_day_of_a_span(text: str, span: tuple[str, str], said: bool) -> None:
    assert names_day(text, (*span, 1.0)) is said


def test_the_days_of_a_span() -> None:
    assert days_of(("2026-02-27", "2026-03-01", 1.0), 31) == ("2026-02-27", "2026-02-28", "2026-03-01")
    assert days_of(("2026-01-01", "2026-12-31", 1.0), 31) == ()
    assert days_of((FIRST, "2026-03-01", 0.25), 31) == days_of(("2026-03-01", LAST, 0.25), 31) == ()


def test_a_question_without_a_date_points_nowhere() -> None:
    assert times("Where is the key of the shed?", TODAY) == Times()


@pytest.mark.parametrize(
    ("text", "side", "what"),
    [
        ("What did we pay for rent before the move?", "before", "the move"),
        ("Quanto pagávamos antes da mudança?", "before", "mudanca"),
        ("What broke after the update", "after", "the update"),
        ("o que mudou depois do parto?", "after", "parto"),
        ("Who looks after the cows?", "after", "the cows"),
        ("Where is the key?", "", ""),
    ],
)
def test_what_is_named_instead_of_a_day(text: str, side: str, what: str) -> None:
    assert named(text) == (side, what)


def test_beside() -> None:
    assert beside("2026-03-01", "before")[:2] == (FIRST, "2026-02-28")
    assert beside("2026-03-01", "after")[:2] == ("2026-03-01", LAST)
