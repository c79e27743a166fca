"""Topic files: every byte survives reading; an edit changes what it names and nothing else."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from silo.formats import header, topics
from silo.formats.yaml_values import read_value, render_list, render_scalar
from silo.model import ChangeEntry, Fact
from silo.text import lines

text = st.one_of(
    st.text(max_size=25),
    st.text(alphabet="abW. :Was[x]<!-->\\`~-*_#&lt;", max_size=30),
    st.lists(
        st.sampled_from(
            [
                "Was: ",
                "Ana.",
                " ",
                "3.5",
                ". ",
                "Was X. ",
                "<!-- a -->",
                "Dr. ",
                "[ ] ",
                "```",
                "- ",
                "!",
                "Era: ",
                "---",
            ]
        )
    ).map("".join),
).map(lines.one_line)
yaml_text = st.text(max_size=15) | st.text(alphabet=" abno:#,[]{}'\"\\|>-&*!%@`~?=\n\t1.", max_size=12)

HEAD = "---\ntopic: acme\ntype: project # kept\nstatus: active\ntags: [a]\nx-own: |\n  a\n  b\ncreated: 2026-01-01\n---\n"
CURATED = st.lists(
    st.sampled_from(
        [
            "# acme", "## Facts", "## Open", "### Deep", "- one", "- two <!-- since:2026-01-01 seen:2026-01-01 -->",
            "* three <!-- f_0123456789ab -->", "+ four", "  - nested <!-- importance: 9 -->", "  continued", "", "prose",
            "| a | b |", "```", "- [ ] todo", "- [x] done", "> quote", "---", "<!-- a comment", "<!-- closed\n- inside\nend -->", "\t- tab",
            "## Changelog", "- 2026-01-01: [x] new. Was: old. Why. <!-- f:f_0123456789ab op:set -->", "1. numbered",
        ]
    ),
    max_size=14,
)  # fmt: skip


@st.composite
def topic_text(draw: st.DrawFn) -> str:
    source = draw(
        st.lists(st.sampled_from(["### 2026-01-02 — T", "> said", "", "### Pasted", "loose"]), max_size=6)
    )
    body = [
        *(["<!-- note -->"] if draw(st.booleans()) else []),
        "<!-- CURATED_START -->", *draw(CURATED), "<!-- CURATED_END -->",
    ]  # fmt: skip
    if draw(st.booleans()):
        body += ["<!-- SOURCE_START -->", *source, "<!-- SOURCE_END -->"]
    joined = HEAD + "\n".join(body) + draw(st.sampled_from(["\n", ""]))
    return draw(st.sampled_from(["", "\ufeff"])) + joined.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    since = draw(st.sampled_from(["", "2026-01-01"]))
    annotated = draw(st.sampled_from([(), (("", "<!-- importance: 9 -->"),), (("own", "a b"),)]))
    return Fact(
        slug="acme",
        text=draw(text.filter(bool)),
        id=draw(st.sampled_from(["", "f_aaaaaaaaaaaa"])),
        since=since,
        seen=draw(st.sampled_from(["", "2026-01-02"])),
        source=draw(st.sampled_from(["", "e_0123456789ab,e_0123456789ac"])),
        done=draw(st.sampled_from([None, False, True])),
        # A key that is not ours stands in a comment of ours, which there is for a key of ours.
        extra=annotated if since or "own" not in dict(annotated) else (),
    )


def bare(fact: Fact) -> Fact:
    return replace(fact, line=0, heading="", path="", slug="acme")


def bare_facts(content: str) -> list[Fact]:
    return [bare(fact) for fact in topics.parse_topic(content, "memory/topics/acme.md").facts]


@given(st.binary(max_size=300) | topic_text().map(lines.encode))
def test_any_bytes_are_rendered_as_they_were(data: bytes) -> None:
    read = topics.parse_topic(lines.decode(data), "memory/topics/acme.md")
    assert lines.encode(topics.render_topic(read)) == data
    topics.info(read)
    for bullet in read.bullets:
        assert 0 <= bullet.start < bullet.end <= bullet.below <= len(read.lines)


@given(topic_text(), facts(), st.sampled_from(["", "Facts", "Open", "New place"]))
def test_a_new_fact_leaves_all_others_as_they_were(content: str, fact: Fact, heading: str) -> None:
    after = topics.insert_fact(content, fact, heading)
    before, now = bare_facts(content), bare_facts(after)
    assert bare(fact) in now
    now.remove(bare(fact))
    assert now == before
    left = lines.split(after)
    for line in lines.split(content):
        assert left.pop(0) == line or any(left.pop(0) == line for _ in range(len(left)))
    if heading:
        found = [f for f in topics.parse_topic(after, "memory/topics/acme.md").facts if bare(f) == bare(fact)]
        assert heading in [f.heading for f in found]


@given(topic_text(), facts(), st.integers(0, 9))
def test_replacing_and_removing_a_fact_touch_its_own_lines(content: str, fact: Fact, which: int) -> None:
    read = topics.parse_topic(content, "memory/topics/acme.md")
    assume(read.bullets)
    bullet = read.bullets[which % len(read.bullets)]
    after = topics.replace_fact(content, bullet.fact.line, fact)
    assert bare_facts(after) == [
        bare(fact) if other is bullet else bare(other.fact) for other in read.bullets
    ]
    split = lines.split(after)
    assert tuple(split[: bullet.start]) == read.lines[: bullet.start]
    assert tuple(split[bullet.start + 1 :]) == read.lines[bullet.end :]
    gone = lines.split(topics.remove_bullet(content, bullet.fact.line))
    assert tuple(gone) == read.lines[: bullet.start] + read.lines[bullet.end :]


@given(topic_text(), st.integers(0, 9))
def test_an_id_and_marks_are_added_without_touching_the_text(content: str, which: int) -> None:
    read = topics.parse_topic(content, "memory/topics/acme.md")
    assume(read.bullets)
    bullet = read.bullets[which % len(read.bullets)]
    marked = topics.set_mark(content, bullet.fact.line, "seen", "2026-09-09")
    expected = [
        replace(bare(b.fact), seen="2026-09-09") if b is bullet else bare(b.fact) for b in read.bullets
    ]
    assert bare_facts(marked) == expected
    if bullet.fact.id:
        with pytest.raises(ValueError, match="has an id"):
            topics.attach_id(content, bullet.fact.line, "f_bbbbbbbbbbbb")
        return
    after = topics.attach_id(content, bullet.fact.line, "f_bbbbbbbbbbbb")
    assert after.replace(" <!-- f_bbbbbbbbbbbb -->", "") == content
    assert bare_facts(after)[read.bullets.index(bullet)] == replace(bare(bullet.fact), id="f_bbbbbbbbbbbb")


@given(
    text,
    text,
    text,
    text.map(lambda t: t.replace("[", "(").replace("]", ")")),
    st.sampled_from(["add", "set", "end", "move", "note"]),
)
def test_a_change_survives_its_line(new: str, old: str, reason: str, field: str, op: str) -> None:
    entry = ChangeEntry(
        "2026-02-03",
        field,
        new,
        old,
        reason,
        ("f_1", "f_2"),
        op,
        "2026-02-03T10:00:00Z",
        "e_1",
        ("2026-01", ""),
    )
    line = topics.render_change(entry)
    assert len(line.splitlines()) == 1
    assert topics.parse_change(line[2:], "p", 0) == entry


@given(topic_text(), text, text, st.sampled_from(["2025-05-05", "2026-02-03"]))
def test_a_change_is_added_and_everything_else_stays(content: str, new: str, old: str, date: str) -> None:
    entry = ChangeEntry(date, "x", new, old, "Because", ("f_1",), "set", at="2026-02-03T10:00:00Z")
    before = topics.parse_topic(content, "memory/topics/acme.md")
    after = topics.parse_topic(topics.add_change(content, entry), "memory/topics/acme.md")
    found = [replace(change, line=0) for change in after.changes]
    assert found.count(entry) == 1
    found.remove(entry)
    assert found == [replace(change, line=0) for change in before.changes]
    assert [bare(fact) for fact in after.facts] == [bare(fact) for fact in before.facts]


@given(topic_text(), st.lists(text, max_size=3), st.sampled_from(["2025-05-05", "2026-02-03"]))
def test_a_source_block_goes_in_and_comes_out_whole(content: str, said: list[str], date: str) -> None:
    block = topics.render_block(date, "Talk", said, ["<!-- SOURCE_END -->", *said])
    before = topics.parse_topic(content, "memory/topics/acme.md")
    after = topics.parse_topic(topics.add_source_block(content, block), "memory/topics/acme.md")
    assert after.editable
    assert [bare(fact) for fact in after.facts] == [bare(fact) for fact in before.facts]
    new = next(found for found in after.blocks if found.title == "Talk")
    assert len(after.blocks) == len(before.blocks) + 1
    assert new.date == date
    back = topics.remove_source_block(topics.render_topic(after), new)
    assert [b.title for b in topics.parse_topic(back).blocks] == [b.title for b in before.blocks]


@given(
    st.lists(text, max_size=4),
    st.lists(st.sampled_from(["", "f_aaaaaaaaaaaa", "f_bbbbbbbbbbbb"]), min_size=4, max_size=4),
)
def test_every_fact_gets_an_id_of_its_own_and_keeps_the_one_it_has(said: list[str], ids: list[str]) -> None:
    given_facts = [Fact("acme", words, id=name) for words, name in zip(said, ids, strict=False)]
    named = topics.with_ids(given_facts, taken=["f_cccccccccccc"])
    assert len({fact.id for fact in named}) == len(named)
    assert all(fact.id and fact.id != "f_cccccccccccc" for fact in named)
    first: set[str] = set()
    for before, after in zip(given_facts, named, strict=True):
        if before.id and before.id not in first:
            assert after.id == before.id
            first.add(before.id)
    assert topics.with_ids(named) == named


@given(yaml_text)
def test_a_scalar_of_ours_is_read_back_by_us_and_by_yaml(value: str) -> None:
    written = render_scalar(value)
    assert read_value(" " + written, []) == value
    yaml = pytest.importorskip("yaml")
    assume(all(c == "\n" or c.isprintable() for c in value))
    assert yaml.load(f"k: {written}", Loader=yaml.BaseLoader) == {"k": value}


@given(st.lists(yaml_text, max_size=4))
def test_a_list_of_ours_is_read_back_by_us_and_by_yaml(value: list[str]) -> None:
    written = render_list(tuple(value))
    assert read_value(" " + written, []) == tuple(value)
    yaml = pytest.importorskip("yaml")
    assume(all(c == "\n" or c.isprintable() for item in value for c in item))
    assert yaml.load(f"k: {written}", Loader=yaml.BaseLoader) == {"k": value}


spelling = st.lists(
    st.sampled_from(["a", "b c", ":", ": ", " #", "#", "'", '"', "[", "]", ",", " ", "-", "- ", "|", ">", "\n  ", "\n- ", "\n  - ", "\n", "{", "}", "1", "''", "\\n", "é"]),
    max_size=8,
).map("".join)  # fmt: skip


@given(spelling)
def test_what_the_plain_reader_reads_is_what_yaml_reads(spelled: str) -> None:
    yaml = pytest.importorskip("yaml")
    first, *more = spelled.split("\n")
    mine = read_value(" " + first, more)
    assume(mine is not None)
    try:
        theirs = yaml.load(f"k: {first}\n" + "".join(f"{line}\n" for line in more), Loader=yaml.BaseLoader)
    except yaml.YAMLError:
        pytest.fail(f"read {mine!r} from what is no YAML")
    assume(isinstance(theirs, dict) and list(theirs) == ["k"])
    assert (list(mine) if isinstance(mine, tuple) else mine) == theirs["k"]


KEYS = st.sampled_from(["topic", "type", "tags", "x-own", "created", "summary"])


@given(topic_text(), KEYS, yaml_text | st.lists(yaml_text, max_size=3))
def test_setting_a_key_changes_that_key_alone(content: str, key: str, value: str | list[str]) -> None:
    wanted = value if isinstance(value, str) else tuple(value)
    after = topics.set_header(content, key, value)
    before, now = header.parse_header(lines.split(content)), header.parse_header(lines.split(after))
    entry = now.entry(key)
    assert entry is not None
    assert entry.value == wanted
    assert [(e.key, e.value) for e in now.entries if e.key != key] == [
        (e.key, e.value) for e in before.entries if e.key != key
    ]
    assert after.endswith("".join(lines.split(content)[before.end :]))
    assert topics.set_header(after, key, value) == after


@given(st.text(alphabet=string.printable, max_size=80))
def test_any_text_as_a_header_is_survived(inner: str) -> None:
    content = f"---\n{inner}\n---\nbody\n"
    read = header.parse_header(lines.split(content), "p")
    assert read.end <= len(lines.split(content))
    after = topics.set_header(content, "zz", "v")
    assert header.parse_header(lines.split(after)).text("zz") == "v"
