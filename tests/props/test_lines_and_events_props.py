"""Bytes, comments and event lines survive reading and writing, whatever they hold."""

from __future__ import annotations

import string
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from silo.formats import comment, events
from silo.formats.fields import compose, plain_value
from silo.model import Confidence, Event, Tag
from silo.text import lines

words = st.text(max_size=20) | st.text(alphabet="ab -<>!%:&;lt.\\[]\u2028\x85\t", max_size=30)
slugs = st.from_regex(r"[a-z0-9]{2,8}(-[a-z0-9]{1,8}){0,2}", fullmatch=True).filter(events.valid_slug)
keys = st.text(alphabet=string.ascii_letters + "_.", min_size=1, max_size=8).filter(
    lambda key: key[0].isalpha()
)
raw = st.binary(max_size=200) | st.lists(
    st.sampled_from(
        [
            b"[FACT] a-b: x",
            b"\r\n",
            b"\n",
            b"\xff",
            b"\xef\xbb\xbf",
            "\u2028".encode(),
            b" <!-- id:e_0123456789ab -->",
            b"- [TODO] home: y",
            b"# Events",
        ]
    )
).map(b"".join)


@given(raw)
def test_any_bytes_survive_decoding_and_splitting(data: bytes) -> None:
    text = lines.decode(data)
    assert lines.encode(text) == data
    assert "".join(lines.split(text)) == text
    assert all(line.endswith("\n") for line in lines.split(text)[:-1])
    assert all(lines.content(line) + lines.ending(line) == line for line in lines.split(text))


@given(st.text(alphabet=st.characters(codec=None), max_size=30))
def test_encoding_never_fails(text: str) -> None:
    assert isinstance(lines.encode(text), bytes)


@given(words)
def test_one_line_is_one_line_for_every_reader(text: str) -> None:
    line = lines.one_line(text)
    assert len(line.splitlines()) <= 1
    assert lines.one_line(line) == line


@given(st.lists(st.tuples(keys, words.filter(bool)), max_size=5))
def test_pairs_survive_a_comment(pairs: list[tuple[str, str]]) -> None:
    written = comment.render([("id", "x"), *pairs])
    text, found = comment.tail("text" + written)
    assert (text, len(found)) == ("text", 1)
    assert "--" not in found[0][4:-3]
    assert comment.read(found, ("id",)) == (("id", "x"), *pairs)


@given(words)
@example("&lt;!-- &amp;lt;!-- <!--")
def test_hidden_text_starts_no_comment_and_is_shown_again(text: str) -> None:
    assert "<!--" not in comment.hide(text)
    assert comment.show(comment.hide(text)) == text


@st.composite
def event(draw: st.DrawFn) -> Event:
    extra = tuple(
        draw(
            st.lists(
                st.tuples(
                    keys.filter(lambda k: k not in ("id", "conf", "src", "imp", "cat", "agent")),
                    words.filter(bool),
                ),
                max_size=2,
            )
        )
    )
    importance = draw(st.none() | st.integers(0, 10_000).map(lambda n: n / 10_000))
    return Event(
        date="2026-02-03",
        tag=draw(st.sampled_from(Tag)),
        slug=draw(slugs),
        text=draw(words.map(lines.one_line).filter(bool)),
        id=draw(st.sampled_from(["", "e_0123456789ab"])),
        confidence=draw(st.sampled_from(Confidence)),
        importance=importance,
        category=draw(words),
        agent=draw(st.sampled_from(["default", "a_b-1"])),
        source=draw(words),
        extra=extra,
        path="p",
        line=1,
    )


@given(event())
def test_an_event_survives_its_line(given_event: Event) -> None:
    line = events.render_line(given_event)
    assert len(line.splitlines()) == 1
    assert events.parse_line(line, given_event.date, "p", 1) == given_event
    assert events.parse_line(f"- {line}\r\n", given_event.date, "p", 1) == given_event


@given(event(), slugs)
def test_rerouting_changes_the_slug_and_nothing_else(given_event: Event, slug: str) -> None:
    line = "  - " + events.render_line(given_event) + "\r\n"
    moved = events.with_slug(line, slug)
    assert events.parse_line(moved, "2026-02-03", "p", 1) == replace(given_event, slug=slug)
    assert moved.replace(slug, "", 1) == line.replace(given_event.slug, "", 1) or slug in line


@given(raw)
def test_a_day_of_the_log_is_rendered_byte_for_byte(data: bytes) -> None:
    file = events.parse_file(lines.decode(data), "memory/events/2026-02-03.md")
    assert lines.encode(events.render_file(file)) == data


@given(st.text(max_size=60))
def test_a_proposed_slug_is_valid(name: str) -> None:
    slug = events.slug_for(name)
    assert slug is None or events.valid_slug(slug) == slug


@given(
    st.text(alphabet="abcde ", min_size=1, max_size=20).map(str.strip).filter(bool),
    st.text(alphabet="AbcDr. 0,é", max_size=20),
    st.sampled_from(["", "2026", "2026-05", "2026-05-01"]),
    st.sampled_from(["", "2026", "2026-12", "2026-12-31"]),
    st.sampled_from(["en", "pt"]),
)
def test_conventions_are_read_back_as_they_were_written(
    text: str, was: str, effective: str, due: str, language: str
) -> None:
    written = compose(text, was=was, effective=effective, due=due, language=language)
    found = events.fields(written)
    assert (found.effective, found.due) == (effective, due)
    assert found.rest.removesuffix(".") == text
    assert found.was == plain_value(was)
