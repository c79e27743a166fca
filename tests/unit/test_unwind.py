"""A run's part taken out of a log that others have changed since: each event stands once, where it belongs, or not at all."""

from __future__ import annotations

from silo.edge.unwind import Part, by_lines
from silo.formats.events import parse_file

PATH = "memory/events/2026-03-06.md"
HEAD = "# Events 2026-03-06\n\n"


def line(n: int, slug: str, text: str = "") -> str:
    return f"[FACT] {slug}: {text or f'Statement {n}.'} <!-- id:e_{n:012x} -->\n"


def typed(slug: str) -> str:
    return f"[FACT] {slug}: Typed by hand.\n"


def log(*lines: str) -> str:
    return HEAD + "".join(lines)


def without(before: str, made: str, now: str) -> list[tuple[str, str]]:
    """The events that are left, as (topic, text)."""
    found = by_lines(Part(PATH, "put", before, made, "", now))
    assert found.text is not None
    assert found.text.startswith(HEAD)
    return [(event.slug, event.text) for event in parse_file(found.text, PATH).events]


BEFORE = log(line(1, "garden"), typed("garden"), line(2, "house"))
MADE = log(line(1, "beds"), typed("beds"), line(2, "house"))  # garden is beds now


def test_lines_that_were_re_routed_again_go_back_in_their_place() -> None:
    now = log(line(1, "plots"), typed("plots"), line(2, "house"), line(3, "house"))
    assert without(BEFORE, MADE, now) == [
        ("garden", "Statement 1."), ("garden", "Typed by hand."), ("house", "Statement 2."), ("house", "Statement 3."),
    ]  # fmt: skip


def test_a_line_that_a_hand_deleted_since_stays_deleted() -> None:
    assert without(BEFORE, MADE, log(typed("plots"), line(2, "house"))) == [("garden", "Typed by hand."), ("house", "Statement 2.")]


def test_a_line_that_a_hand_reworded_since_stays_and_is_told() -> None:
    now = log(line(1, "plots", "Reworded."), typed("plots"), line(2, "house"))
    assert without(BEFORE, MADE, now) == [("plots", "Reworded."), ("garden", "Typed by hand."), ("house", "Statement 2.")]
    (clash,) = by_lines(Part(PATH, "put", BEFORE, MADE, "", now)).clashes
    assert ("Statement 1." in clash.mine, "Reworded." in clash.theirs) == (True, True)


def test_lines_that_the_run_took_out_come_back_once() -> None:
    made = log(line(2, "house"))
    assert without(BEFORE, made, log(line(2, "plots"), line(3, "house")))[-2:] == [("garden", "Statement 1."), ("garden", "Typed by hand.")]
    assert without(BEFORE, made, log(line(1, "plots"), line(2, "house"))).count(("plots", "Statement 1.")) == 1
