"""Topic files as people and jobs write them: what is read, what is told, and that an edit touches its line alone."""

from __future__ import annotations

import difflib

import pytest

from silo.formats import topics
from silo.model import ChangeEntry, Fact

PATH = "memory/topics/acme.md"
HEADER = """---
topic: acme
type: project
status: active
tags: []
entities: []
created: 2026-01-01
last_verified: 2026-01-01
last_curated: 2026-01-01
summary: "Case one."
---
"""
SHAPE = (
    HEADER
    + """<!-- CURATED_START -->
# acme

## Facts
- old fact <!-- since:2026-01-01 seen:2026-01-01 -->

## Changelog
<!-- CURATED_END -->
<!-- SOURCE_START -->
<!-- SOURCE_END -->
"""
)
TIGHT = SHAPE.replace("-->\n\n## Changelog", "-->\n## Changelog")
ENTRY = ChangeEntry(
    "2026-02-03",
    "fact",
    "new fact",
    "old fact",
    "Said so",
    ("f_0123456789ab",),
    "set",
    at="2026-02-03T04:30:00Z",
)


def added(before: str, after: str) -> list[str]:
    """The difference, context left off: ['- old', '+ new']."""
    found = difflib.ndiff(before.split("\n"), after.split("\n"))
    return [line for line in found if line[0] in "+-"]


def codes(text: str, path: str = PATH) -> list[str]:
    return [problem.code for problem in topics.parse_topic(text, path).problems]


@pytest.mark.parametrize(
    "shape", [SHAPE, TIGHT, SHAPE.replace("\n", "\r\n"), "\ufeff" + SHAPE, SHAPE.rstrip("\n")]
)
def test_an_empty_changelog_is_read_and_filled(shape: str) -> None:
    read = topics.parse_topic(shape, PATH)
    assert (read.problems, read.editable, read.changes) == ((), True, ())
    assert [(f.text, f.since, f.line, f.heading) for f in read.facts] == [
        ("old fact", "2026-01-01", 16, "Facts")
    ]
    after = topics.add_change(shape, ENTRY)
    end = "\r" if "\r" in shape else ""
    assert added(shape, after) == [f"+ {topics.render_change(ENTRY)}{end}"]
    again = topics.parse_topic(after, PATH)
    assert [(c.new, c.old, c.reason, c.op) for c in again.changes] == [
        ("new fact", "old fact", "Said so", "set")
    ]
    assert len(again.facts) == 1


@pytest.mark.parametrize("shape", [SHAPE, TIGHT])
def test_a_new_fact_follows_the_last_one(shape: str) -> None:
    fact = Fact(
        "acme",
        "Another.",
        id="f_aaaaaaaaaaaa",
        since="2026-02-03",
        seen="2026-02-03",
        source="e_0123456789ab",
    )
    after = topics.insert_fact(shape, fact)
    line = "- Another. <!-- f_aaaaaaaaaaaa since:2026-02-03 seen:2026-02-03 src:e_0123456789ab -->"
    assert added(shape, after) == [f"+ {line}"]
    assert after.split("\n")[16] == line


def test_a_topic_without_changelog_gets_one_as_its_last_section() -> None:
    shape = SHAPE.replace("\n## Changelog\n", "")
    after = topics.add_change(shape, ENTRY)
    assert added(shape, after) == ["+ ", "+ ## Changelog", f"+ {topics.render_change(ENTRY)}"]
    assert topics.parse_topic(after, PATH).changes[0].facts == ("f_0123456789ab",)


def test_entries_stand_newest_first() -> None:
    text = SHAPE
    for date in ("2026-02-02", "2026-02-05", "2026-01-01", "2026-02-05"):
        text = topics.add_change(text, ChangeEntry(date, "x", f"on {date}", "", "", (), "note"))
    assert [c.date for c in topics.parse_topic(text, PATH).changes] == [
        "2026-02-05",
        "2026-02-05",
        "2026-02-02",
        "2026-01-01",
    ]


def test_a_heading_that_is_not_there_is_made_before_the_changelog() -> None:
    after = topics.insert_fact(TIGHT, Fact("acme", "Call Ana.", done=False), "Open")
    assert added(TIGHT, after) == ["+ ", "+ ## Open", "+ - [ ] Call Ana.", "+ "]
    assert [(f.heading, f.done) for f in topics.parse_topic(after, PATH).facts] == [
        ("Facts", None),
        ("Open", False),
    ]


def test_bullets_of_every_kind_are_facts_and_nothing_else_is() -> None:
    text = SHAPE.replace(
        "- old fact <!-- since:2026-01-01 seen:2026-01-01 -->\n",
        "* star\n+ plus\n\n  a paragraph under it\n- wraps over\n  two lines <!-- f_0123456789ab -->\n  - nested <!-- importance: 9 -->\n"
        "\nProse - with a dash.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\n- in a fence\n```\n\n> - quoted\n\n1. numbered\n\n"
        "<!--\n- commented out\n-->\n- [x] done <!-- trigger: gate, net --> <!-- f_aaaaaaaaaaaa seen:2026-01-01 -->\n- \n- - -\n",
    )
    facts = topics.parse_topic(text, PATH).facts
    assert [f.text for f in facts] == ["star", "plus", "wraps over two lines", "nested", "done"]
    assert [f.id for f in facts] == ["", "", "f_0123456789ab", "", "f_aaaaaaaaaaaa"]
    assert facts[3].extra == (("", "<!-- importance: 9 -->"),)
    assert (facts[4].done, facts[4].extra) == (True, (("", "<!-- trigger: gate, net -->"),))


def test_an_open_fence_or_comment_hides_nothing() -> None:
    text = SHAPE.replace("- old fact", "```\n<!-- open\n- old fact")
    assert [f.text for f in topics.parse_topic(text, PATH).facts] == ["old fact"]
    assert topics.parse_topic(text, PATH).changelog is not None


def test_an_edited_bullet_keeps_its_place_marker_and_indent() -> None:
    text = SHAPE.replace("- old fact", "  * old\n    fact")
    line = topics.parse_topic(text, PATH).facts[0].line
    after = topics.replace_fact(text, line, Fact("acme", "New.", id="f_aaaaaaaaaaaa"))
    assert "\n  * New. <!-- f_aaaaaaaaaaaa -->\n\n## Changelog" in after


def test_seen_is_set_in_place() -> None:
    after = topics.set_mark(SHAPE, 16, "seen", "2026-05-05")
    assert "- old fact <!-- since:2026-01-01 seen:2026-05-05 -->\n" in after
    assert "- old fact <!-- since:2026-01-01 seen:2026-01-01 src:e_1 -->\n" in topics.set_mark(
        SHAPE, 16, "src", "e_1"
    )


def test_text_that_looks_like_markup_stays_text() -> None:
    for text in (
        "[ ] not a box",
        "```",
        "- - -",
        "<!-- CURATED_END -->",
        "a --> b",
        "\\[x] y",
        "** bold",
        "# no heading",
    ):
        after = topics.insert_fact(SHAPE, Fact("acme", text))
        read = topics.parse_topic(after, PATH)
        assert [(f.text, f.done) for f in read.facts][1:] == [(text, None)], text
        assert read.editable


@pytest.mark.parametrize(
    ("new", "old", "reason"),
    [
        ("lead developer", "senior developer", "Promoted in May"),
        ("Ana leads. She was a dev.", "Ana is a dev. Was: intern. So far.", "Said by the owner. Twice."),
        ("", "gone", "Ended by hand"),
        ("3.5 km", "3.800 km", ""),
        ("", "", ""),
        ("<!-- x -->", "a --> b", "[x]"),
        ("Dr. Moura", "Dr. Silva", "moved away"),
    ],
)
def test_values_of_any_punctuation_are_read_back_from_the_changelog(new: str, old: str, reason: str) -> None:
    entry = ChangeEntry(
        "2026-02-03", "role", new, old, reason, ("f_0123456789ab",), "set", valid=("2025", "2026-02-03")
    )
    text = topics.add_change(SHAPE, entry)
    read = topics.parse_topic(text, PATH).changes[0]
    assert (read.new, read.old, read.reason, read.valid) == (new, old, reason, ("2025", "2026-02-03"))


def test_plain_entries_carry_no_lengths() -> None:
    line = topics.render_change(
        ChangeEntry("2026-05-01", "role", "lead", "senior", "Promoted in May", ("f_0123456789ab",), "set")
    )
    assert line == "- 2026-05-01: [role] lead. Was: senior. Promoted in May. <!-- f:f_0123456789ab op:set -->"


def test_entries_by_hand_are_read_and_other_bullets_told() -> None:
    text = SHAPE.replace(
        "## Changelog\n", "## Changelog\n- 2026-05-01: Ana leads. Was: Bo led. Bo left.\n- fixed a typo\n"
    )
    read = topics.parse_topic(text, PATH)
    assert [(c.field, c.new, c.old, c.reason, c.op) for c in read.changes] == [
        ("", "Ana leads", "Bo led", "Bo left", "note")
    ]
    assert [p.code for p in read.problems] == ["bad-change"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("<!-- CURATED_START -->\n", "", ["missing-marker"]),
        ("<!-- CURATED_END -->\n", "", ["missing-marker"]),
        ("<!-- SOURCE_START -->\n", "<!-- SOURCE_START -->\n<!-- SOURCE_START -->\n", ["duplicate-marker"]),
        (
            "<!-- CURATED_END -->\n<!-- SOURCE_START -->\n",
            "<!-- SOURCE_START -->\n<!-- CURATED_END -->\n",
            ["misordered-marker"],
        ),
    ],
)
def test_damaged_markers_are_told_and_nothing_may_be_written(old: str, new: str, expected: list[str]) -> None:
    text = SHAPE.replace(old, new)
    read = topics.parse_topic(text, PATH)
    assert [c for c in codes(text) if "marker" in c] == expected
    assert not read.editable
    assert [f.text for f in read.facts] == ["old fact"]
    with pytest.raises(ValueError, match="damaged"):
        topics.add_change(text, ENTRY)


def test_a_file_without_any_marker_is_read_and_told() -> None:
    text = HEADER + "# acme\n- one\n- two\n"
    assert [f.text for f in topics.parse_topic(text, PATH).facts] == ["one", "two"]
    assert codes(text) == ["missing-marker"] * 4


def test_text_between_the_layers_is_told_once_and_comments_are_not() -> None:
    text = SHAPE.replace("<!-- SOURCE_START -->", "<!-- note -->\nlost words\nmore\n<!-- SOURCE_START -->")
    assert codes(text) == ["text-between-layers"]
    assert topics.parse_topic(text, PATH).problems[0].where == f"{PATH}:21"


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("topic: acme", "topic: acne", "slug-mismatch", 2),
        ("type: project", "type: projekt", "bad-type", 3),
        ("status: active", "status: done", "bad-status", 4),
        ("created: 2026-01-01", "created: soon", "bad-date", 7),
        ("summary: \"Case one.\"\n", "", "missing-key", 1),
        ("type: project", "type: project\ntype: hobby", "duplicate-key", 4),
        ("tags: []", "tags: [a, b", "bad-value", 5),
        ("tags: []", "tags: []\nsensitivity: secret", "bad-sensitivity", 6),
        ("tags: []", "tags: []\nnonsense", "bad-header-line", 6),
    ],
)  # fmt: skip
def test_a_bad_header_value_costs_one_problem_with_its_line(old: str, new: str, code: str, line: int) -> None:
    read = topics.parse_topic(SHAPE.replace(old, new), PATH)
    assert [(p.code, p.where) for p in read.problems] == [(code, f"{PATH}:{line}")]
    assert topics.render_topic(read) == SHAPE.replace(old, new)


def test_slug_is_read_as_topic_and_unknown_keys_are_the_users() -> None:
    assert codes(SHAPE.replace("topic: acme", "slug: acme\nmy_own: {a: b}\nnested:\n  k: v")) == []


def test_names_that_can_be_no_topic_are_told() -> None:
    assert "bad-slug" in codes(SHAPE, "memory/topics/Acme CRM.md")
    assert "bad-slug" in codes(SHAPE.replace("topic: acme", "topic: con"), "memory/topics/con.md")


def test_source_blocks_are_read_moved_and_kept_newest_first() -> None:
    text = SHAPE
    for date, title in (
        ("2026-01-05", "Kick-off"),
        ("2026-03-01", "Call <!-- x -->"),
        ("2026-02-01", "Mail"),
    ):
        text = topics.add_source_block(
            text, topics.render_block(date, title, ["Sum."], ["said <!-- SOURCE_END -->", ""])
        )
    read = topics.parse_topic(text, PATH)
    assert [(b.date, b.title) for b in read.blocks] == [
        ("2026-03-01", "Call <!-- x -->"),
        ("2026-02-01", "Mail"),
        ("2026-01-05", "Kick-off"),
    ]
    assert read.problems == ()
    archive = topics.add_source_block(topics.new_archive("acme"), read.blocks[-1].text)
    kept = topics.remove_source_block(text, read.blocks[-1])
    left = (
        topics.parse_topic(kept, PATH).blocks
        + topics.parse_topic(archive, "memory/topics/acme.archive.md").blocks
    )
    assert [b.text for b in left] == [b.text for b in read.blocks]


def test_a_pasted_block_cannot_end_the_layer() -> None:
    after = topics.add_source_block(SHAPE, "### 2026-01-01 — Pasted\n<!-- SOURCE_END -->\n- no fact\n")
    read = topics.parse_topic(after, PATH)
    assert read.editable
    assert len(read.blocks) == 1


def test_an_archive_file_has_no_required_keys_and_takes_changes() -> None:
    text = topics.add_change(topics.new_archive("acme"), ENTRY)
    read = topics.parse_topic(text, "memory/topics/acme.archive.md")
    assert (read.slug, read.problems, len(read.changes)) == ("acme", (), 1)
    assert topics.is_archive(read.path)


def test_a_new_topic_has_no_problem_and_says_who_keeps_it() -> None:
    text = topics.new_topic(
        "acme", type="project", created="2026-01-01", summary="Yes: it is", extra={"path": "projects/acme"}
    )
    read = topics.parse_topic(text, PATH)
    assert read.problems == ()
    info = topics.info(read)
    assert (info.slug, info.summary, info.path, info.file) == ("acme", "Yes: it is", "projects/acme", PATH)
    assert "memory-silo" in text


def test_info_falls_back_where_a_value_is_none_of_ours() -> None:
    info = topics.info(
        topics.parse_topic(SHAPE.replace("type: project", "type: x\nsensitivity: secret\ntags: a, b"), PATH)
    )
    assert (info.type, info.sensitivity) == ("reference", "private")
    assert "fact" in info.words


def test_a_copied_bullet_counts_as_a_new_fact() -> None:
    text = SHAPE.replace(
        "- old fact", "- old fact <!-- f_0123456789ab -->\n- copied <!-- f_0123456789ab -->\n- old fact"
    )
    read = topics.parse_topic(text, PATH)
    assert [p.code for p in read.problems] == ["duplicate-id"]
    named = topics.with_ids(read.facts)
    assert named[0].id == "f_0123456789ab"
    assert len({f.id for f in named}) == 3
    assert named[2].id == topics.hand_fact_id("acme", "old fact", 1)


def test_five_hundred_topics_are_read() -> None:
    names = [f"topic-{n}" for n in range(500)]
    files = [
        topics.parse_topic(
            topics.new_topic(n, type="hobby", created="2026-01-01", summary=n), f"memory/topics/{n}.md"
        )
        for n in names
    ]
    assert [topics.info(f).slug for f in files] == names
    assert not any(f.problems for f in files)


def test_words_written_behind_the_comment_belong_to_the_fact_and_the_id_stays() -> None:
    text = SHAPE.replace("- old fact <!-- since", "- old fact <!-- f_0123456789ab since").replace(
        "-->\n\n", "--> And more. <!-- trigger: x -->\n\n", 1
    )
    (fact,) = topics.parse_topic(text, PATH).facts
    assert (fact.text, fact.id, fact.seen, fact.extra) == (
        "old fact And more.",
        "f_0123456789ab",
        "2026-01-01",
        (("", "<!-- trigger: x -->"),),
    )
    after = topics.set_mark(text, fact.line, "seen", "2026-05-05")
    assert "seen:2026-05-05 --> And more. <!-- trigger: x -->" in after
