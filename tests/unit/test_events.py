"""Event lines as people, the pipelines and published memories write them."""

from __future__ import annotations

import pytest

from silo.formats import events
from silo.formats.events import fields, parse_line
from silo.formats.fields import compose
from silo.model import Confidence, Event, Problem, Tag

DAY = "2026-03-04"


def read(line: str) -> Event:
    found = parse_line(line, DAY, "p.md", 3)
    assert isinstance(found, Event), found
    return found


def wrong(line: str) -> tuple[str, str]:
    found = parse_line(line, DAY, "p.md", 3)
    assert isinstance(found, Problem), found
    return found.code, found.message


@pytest.mark.parametrize("tag", list(Tag))
def test_every_tag_is_read_plain_bulleted_and_automatic(tag: Tag) -> None:
    for line in (
        f"[{tag}] acme-crm: Text.",
        f"- [{tag}] acme-crm: Text.\r\n",
        f"[AUTO-{tag}:CONFIRMED] acme-crm: Text.",
    ):
        assert (read(line).tag, read(line).slug, read(line).text) == (tag, "acme-crm", "Text.")


def test_a_full_comment_is_read_and_written_again() -> None:
    line = "[FACT] acme: Ana leads. <!-- id:e_0123456789ab conf:tentative src:openclaw/s1#m1,m2 imp:0.7 cat:a/b agent:x own:1 -->"
    event = read(line)
    assert (event.id, event.confidence, event.source) == (
        "e_0123456789ab",
        Confidence.TENTATIVE,
        "openclaw/s1#m1,m2",
    )
    assert (event.importance, event.category, event.agent, event.extra) == (0.7, "a/b", "x", (("own", "1"),))
    assert events.render_line(event) == line


def test_a_line_by_hand_counts_as_confirmed_and_for_the_default_agent() -> None:
    event = read("[TODO] home: Call the plumber. Due 2026-03-09.")
    assert (event.id, event.confidence, event.agent) == ("", Confidence.CONFIRMED, "default")


def test_confidence_in_the_brackets_counts() -> None:
    assert read("[AUTO-FACT:TENTATIVE] home: x").confidence is Confidence.TENTATIVE


def test_the_hosts_annotations_stay_beside_our_comment() -> None:
    line = "[FACT] home: x <!-- conf:confirmed --> <!-- trigger: gateway setup, network -->"
    assert events.render_line(read(line)) == line


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("[FCT] acme: x", "unknown-tag", "did you mean [FACT]?"),
        ("[DECISON] acme: x", "unknown-tag", "did you mean [DECISION]?"),
        ("[QUUX] acme: x", "unknown-tag", "known are FACT"),
        ("[FACT] Acme CRM: x", "bad-slug", "did you mean `acme-crm`?"),
        ("[FACT] con: x", "bad-slug", "did you mean `con-topic`?"),
        ("[FACT] a--b: x", "bad-slug", "did you mean `a-b`?"),
        ("[FACT] the meeting is at 10:00", "no-slug", "`general`"),
        ("[FACT] this one has a long first part: x", "no-slug", "`general`"),
        ("[FACT] acme: <!-- conf:confirmed -->", "empty-text", "without text"),
        ("[FACT] acme: x <!-- agent:../../etc -->", "bad-agent", "nobody"),
    ],
)
def test_what_means_to_be_an_event_and_is_none_is_told(line: str, code: str, hint: str) -> None:
    found, message = wrong(line)
    assert found == code
    assert hint in message


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# Events 2026-03-04",
        "- [ ] open",
        "- [x] done",
        "[link](https://x.y)",
        "[1]: https://x.y",
        "[see below] so",
        "prose: a",
    ],
)
def test_other_lines_are_nobodys_business(line: str) -> None:
    assert parse_line(line, DAY, "p.md", 1) is None


@pytest.mark.parametrize(
    "slug",
    [
        "con",
        "nul",
        "aux",
        "prn",
        "com1",
        "lpt9",
        "a",
        "A-b",
        "a_b",
        "-a",
        "a-",
        "a--b",
        "x" * 41,
        "../x",
        "é",
        "a b",
        "a\n",
        "",
    ],
)
def test_slugs_that_may_name_no_topic(slug: str) -> None:
    assert events.valid_slug(slug) is None


@pytest.mark.parametrize("slug", ["ab", "acme-crm", "2026", "x" * 40, "console", "general"])
def test_slugs_that_may(slug: str) -> None:
    assert events.valid_slug(slug) == slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Acme CRM (2026)", "acme-crm-2026"),
        ("São Paulo & Ação", "sao-paulo-acao"),
        ("x", "x-topic"),
        ("日本", None),
        ("", None),
    ],
)
def test_a_slug_is_proposed_for_a_name(name: str, slug: str | None) -> None:
    assert events.slug_for(name) == slug


def test_values_that_cannot_be_read_stay_in_the_line_and_are_told() -> None:
    text = "# Events 2026-03-04\n\n[FACT] acme: x <!-- id:wrong conf:maybe imp:9 -->\n"
    file = events.parse_file(text, "memory/events/2026-03-04.md")
    assert [(p.where, p.code) for p in file.problems] == [
        ("memory/events/2026-03-04.md:3", code) for code in ("bad-id", "bad-confidence", "bad-importance")
    ]
    event = file.events[0]
    assert (event.id, event.confidence, event.importance) == ("", Confidence.TENTATIVE, None)
    assert "conf:maybe" in events.render_line(event)


def test_a_file_keeps_foreign_lines_and_numbers_its_events() -> None:
    text = "\ufeff# Events 2026-03-04\r\n\r\nprose\r\n[FACT] acme: x\r\n- [TODO] home: y"
    file = events.parse_file(text, "memory/events/2026-03-04.md")
    assert [(e.line, e.text, e.date) for e in file.events] == [(4, "x", DAY), (5, "y", DAY)]
    assert events.render_file(file) == text
    assert file.problems == ()


def test_invalid_bytes_long_text_and_double_ids_are_told_with_their_lines() -> None:
    text = f"[FACT] acme: caf\udce9 <!-- id:e_0123456789ab -->\n[FACT] acme: {'x' * 501} <!-- id:e_0123456789ab -->\n"
    file = events.parse_file(text, "memory/events/2026-03-04.md")
    assert [(p.where[-1], p.code) for p in file.problems] == [
        ("1", "invalid-utf8"),
        ("2", "long-text"),
        ("2", "duplicate-id"),
    ]
    assert len(file.events) == 2


@pytest.mark.parametrize(
    "name", ["memory/events/2026-02-30.md", "memory/events/today.md", "memory/events/20260304.md"]
)
def test_a_file_without_a_day_in_its_name_is_not_read(name: str) -> None:
    assert [p.code for p in events.parse_file("[FACT] acme: x\n", name).problems] == ["bad-date"]


def test_ids_tell_agent_day_tag_text_and_turn_apart_but_not_case() -> None:
    one = events.event_id("default", DAY, Tag.FACT, "Ana lives in São Paulo.", 0)
    assert one == events.event_id("default", DAY, Tag.FACT, "ana lives in  sao paulo.", 0)
    others = {
        events.event_id("x", DAY, Tag.FACT, "Ana lives in São Paulo.", 0),
        events.event_id("default", "2026-03-05", Tag.FACT, "Ana lives in São Paulo.", 0),
        events.event_id("default", DAY, Tag.TODO, "Ana lives in São Paulo.", 0),
        events.event_id("default", DAY, Tag.FACT, "Ana lives in São Paulo.", 1),
        one,
    }
    assert len(others) == 5
    assert events.is_event_id(one)


def test_the_head_of_a_day() -> None:
    assert events.head(DAY) == b"# Events 2026-03-04\n\n"


@pytest.mark.parametrize(
    ("text", "was", "effective", "due", "rest"),
    [
        ("Ana is lead. Was: senior developer. Effective 2026-05.", "senior developer", "2026-05", "", "Ana is lead."),
        ("Mileage is 4,200 km. Was 3,800 km. Routine check.", "3,800 km", "", "", "Mileage is 4,200 km. Routine check."),
        ("Follow up re Q2. Due 2026-04-15.", "", "", "2026-04-15", "Follow up re Q2."),
        ("Budget is R$ 40.5 mil. Era: R$ 3.800 mil. Vigente desde 2026.", "R$ 3.800 mil", "2026", "", "Budget is R$ 40.5 mil."),
        ("Ligar para Ana. Prazo: 2026-12-31.", "", "", "2026-12-31", "Ligar para Ana."),
        ("Vet is Dr. Moura. Was: Dr. Silva. Effective: 2026-01-02", "Dr. Silva", "2026-01-02", "", "Vet is Dr. Moura."),
        ("Version is 3. Was: v2.1. Due 2026", "v2.1", "", "2026", "Version is 3."),
        ("Plan B it is. Was: plan A. Effective 2026-01", "plan A", "2026-01", "", "Plan B it is."),
        ("The report due 2026-04-15 is late", "", "", "2026-04-15", "The report due 2026-04-15 is late"),
        ("Was promoted in May. Good.", "", "", "", "Was promoted in May. Good."),
        ("The price was 30. Fine.", "", "", "", "The price was 30. Fine."),
        ("Nothing here. Due 2026-13.", "", "", "", "Nothing here. Due 2026-13."),
        ("Call 2026. Due 2026-02-30.", "", "", "", "Call 2026. Due 2026-02-30."),
    ],
)  # fmt: skip
def test_conventions_in_the_visible_text(text: str, was: str, effective: str, due: str, rest: str) -> None:
    found = fields(text)
    assert (found.was, found.effective, found.due, found.rest) == (was, effective, due, rest)


def test_conventions_are_written_in_the_speakers_language() -> None:
    assert (
        compose("Ana is lead", was="dev", effective="2026-05") == "Ana is lead. Was: dev. Effective 2026-05."
    )
    assert compose("Ana lidera", was="dev", due="2026", language="pt") == "Ana lidera. Era: dev. Prazo 2026."


def test_words_written_behind_the_comment_belong_to_the_event() -> None:
    event = read("[FACT] acme: Ana leads. <!-- id:e_0123456789ab --> Since May. <!-- x: y -->")
    assert (event.text, event.id) == ("Ana leads. Since May.", "e_0123456789ab")
    assert read("[FACT] acme: use `<!-- more -->` here").text == "use `<!-- more -->` here"
