"""The smaller formats: index, managed blocks, decisions, tiers, daily notes, the published JSON files, schemas."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from silo.formats import decisions, index, jsonl, managed, notes, schema, tiers, warm
from silo.model import Problem, TopicInfo

LONG = "Acme's CRM, built with Flask and SQLite for eight people in sales. It runs on one machine. Ana leads it since May."


def info(**more: object) -> TopicInfo:
    return replace(TopicInfo("acme-crm", "project", "active", ("crm", "python"), summary=LONG), **more)  # type: ignore[arg-type]


# --- index ------------------------------------------------------------------------------------------------


def test_an_index_line_is_the_published_one() -> None:
    line = index.index_line(info(summary=LONG[:67]))
    assert (
        line
        == "acme-crm | project | crm, python | active | Acme's CRM, built with Flask and SQLite for eight people in sales."
    )


def test_short_first_sentences_are_followed_by_more_and_long_ones_are_cut() -> None:
    line = index.index_line(
        info(summary="A CRM. Built with Flask and SQLite. For eight people in sales, on one machine. More.")
    )
    assert 100 <= len(line) <= 150
    assert line.endswith("on one machine.")
    long = index.index_line(info(summary="word " * 60, tags=tuple(f"tag{n}" for n in range(30))))
    assert 100 <= len(long) <= 150
    assert long.endswith("word…")


def test_archived_and_private_topics_stand_in_no_line() -> None:
    listed = [
        info(),
        info(slug="old", status="archived"),
        info(slug="mine", sensitivity="private"),
        info(slug="aa"),
    ]
    text = index.render_index(listed)
    assert [line.slug for line in index.parse_index(text)] == ["aa", "acme-crm"]
    assert "Generated" in text


def test_bars_and_line_breaks_of_a_summary_stay_in_their_cell() -> None:
    line = index.index_line(info(summary="a | b\nc\u2028d <!-- x", tags=("x|y", "a,b")))
    assert line == "acme-crm | project | x/y, a b | active | a / b c d <-- x"


# --- managed blocks ---------------------------------------------------------------------------------------

BLOCK = "mine\r\n<!-- silo:router:begin -->\r\nold\r\n<!-- silo:router:end -->\r\nalso mine"


def test_only_the_inside_of_a_block_changes() -> None:
    after = managed.replace(BLOCK, "router", "new\nlines\n")
    assert after == BLOCK.replace("old", "new\r\nlines")
    assert managed.remove(BLOCK, "router") == "mine\r\nalso mine"
    found = managed.find(BLOCK, "router")
    assert isinstance(found, managed.Block)
    assert (found.start, found.end, found.body) == (1, 4, "old\r\n")
    assert managed.names(BLOCK) == ("router",)


def test_a_block_is_added_and_removed_without_a_trace() -> None:
    added = managed.replace("mine\n", "router", "x\n")
    assert added == "mine\n\n<!-- silo:router:begin -->\nx\n<!-- silo:router:end -->\n"
    assert managed.remove(added, "router") == "mine\n"
    assert managed.replace("", "router", "x") == "<!-- silo:router:begin -->\nx\n<!-- silo:router:end -->\n"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("<!-- silo:r:begin -->\n", 1, "begin without an end"),
        ("a\n<!-- silo:r:end -->\n", 2, "end without a begin"),
        ("<!-- silo:r:begin -->\n<!-- silo:r:begin -->\n<!-- silo:r:end -->\n", 2, "second begin"),
        ("<!-- silo:r:begin -->\n<!-- silo:r:end -->\n<!-- silo:r:end -->\n", 3, "second end"),
        ("<!-- silo:r:end -->\n<!-- silo:r:begin -->\n", 1, "before its begin"),
    ],
)
def test_damaged_marks_name_the_line_and_nothing_is_written(text: str, line: int, what: str) -> None:
    found = managed.find(text, "r", "MEMORY.md")
    assert isinstance(found, Problem)
    assert (found.where, found.code) == (f"MEMORY.md:{line}", "damaged-block")
    assert what in found.message
    with pytest.raises(ValueError, match="damaged"):
        managed.replace(text, "r", "x")
    assert managed.find(text, "other") is None


def test_content_cannot_damage_its_block() -> None:
    after = managed.replace("", "r", "<!-- silo:r:end -->\nx\n")
    assert isinstance(managed.find(after, "r"), managed.Block)


# --- decisions --------------------------------------------------------------------------------------------


def review(status: str = "open", **more: object) -> str:
    ident = decisions.review_id(["f_1"], ["e_2"])
    return decisions.review_line(
        ident,
        kind="contradiction",
        topic="acme",
        facts=["f_1"],
        events=["e_2"],
        created="2026-01-01",
        text="a — b",
        status=status,
        more=more,
    )


def test_the_last_line_of_an_id_wins_and_unknown_keys_are_kept() -> None:
    first = review(note="mine")
    item = json.loads(first)
    text = first + "\nno json\n" + decisions.decided(item, "accepted", "2026-01-05", by="owner") + "\n"
    read = decisions.read_decisions(text, ".silo/review.jsonl")
    assert read.items[item["id"]] == {**item, "status": "accepted", "decided": "2026-01-05", "by": "owner"}
    assert [(p.where, p.code) for p in read.problems] == [(".silo/review.jsonl:2", "bad-json")]


def test_the_same_doubt_has_the_same_id_in_any_order() -> None:
    assert decisions.review_id(["f_2", "f_1"], ["e_1"]) == decisions.review_id(["f_1", "f_2"], ["e_1"])
    assert decisions.review_id(["f_1"], []) != decisions.review_id([], ["f_1"])


def test_items_that_are_none_are_told() -> None:
    read = decisions.read_decisions('{"kind":"edit"}\n{"id":3}\n{"id":"r_1","text":[]}\n', "r")
    assert [(p.where, p.code) for p in read.problems] == [
        ("r:1", "bad-item"),
        ("r:2", "bad-item"),
        ("r:3", "bad-item"),
    ]


def test_two_devices_lines_are_merged_and_a_decision_outlives_an_open_item() -> None:
    opened, accepted = review(), decisions.decided(json.loads(review()), "accepted", "2026-01-05")
    merged = decisions.merge(opened + "\n" + accepted + "\n", opened + "\n" + review(note="theirs") + "\n")
    (item,) = decisions.read_decisions(merged, "r").items.values()
    assert item["status"] == "accepted"
    assert decisions.merge(opened, opened + "\n") == opened + "\n"
    later = decisions.decided(json.loads(review()), "rejected", "2026-01-09")
    for ours, theirs in ((accepted, later), (later, accepted)):
        (item,) = decisions.read_decisions(decisions.merge(ours, theirs), "r").items.values()
        assert item["status"] == "rejected"


# --- tiers ------------------------------------------------------------------------------------------------

ACTIVE = (
    tiers.new_tier("active")
    + "\n## Acme\n- [ ] Send the offer\n  - with prices\n- [x] Call Bo\n\n## Waiting On\n- Ana: logo\n"
)


def tier_codes(text: str, name: str) -> list[tuple[str, str]]:
    found = tiers.parse_tier(text, tiers.PATHS[name]).problems
    return [(p.where.rpartition(":")[2], p.code) for p in found]


@pytest.mark.parametrize("name", ["protocols", "active", "archive"])
def test_a_new_tier_says_its_purpose_and_how_often_it_changes(name: str) -> None:
    text = tiers.new_tier(name)
    assert tier_codes(text, name) == []
    assert "<!--" in text
    assert tiers.with_comment(text, name) == text


def test_items_carry_what_is_under_them_and_done_ones_are_told() -> None:
    read = tiers.parse_tier(ACTIVE, "memory/active.md")
    assert [(i.text, i.section, i.done) for i in read.items] == [
        ("Send the offer", "Acme", False),
        ("Call Bo", "Acme", True),
        ("Ana: logo", "Waiting On", None),
    ]
    assert read.items[0].lines == "- [ ] Send the offer\n  - with prices\n"
    assert tier_codes(ACTIVE, "active") == [("8", "done-item")]
    assert tiers.remove_item(ACTIVE, "memory/active.md", read.items[0]) == ACTIVE.replace(
        read.items[0].lines, ""
    )


def test_waiting_on_stays_last() -> None:
    assert tier_codes(ACTIVE + "\n## More\n", "active") == [("13", "waiting-not-last"), ("8", "done-item")]


def test_limits_and_a_missing_comment_are_told() -> None:
    assert tier_codes("# Protocols\n\n## Deploy\nx\n", "protocols") == [("1", "no-header-comment")]
    assert tier_codes(tiers.new_tier("protocols") + "x\n" * 100, "protocols") == [("100", "long-tier")]
    mended = tiers.with_comment("# Protocols\n\n## Deploy\nx\n", "protocols")
    assert tier_codes(mended, "protocols") == []
    assert mended.endswith("\n\n## Deploy\nx\n")
    assert tier_codes(tiers.with_comment("## Deploy\nx\n", "protocols"), "protocols") == []


# --- daily notes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/2026-11-29.md", "2026-11-29"),
        ("memory/2026-11-29-1430.md", "2026-11-29"),
        ("memory/2026-11-29-vendor-call.md", "2026-11-29"),
        ("memory/2026-11-29_notes.md", "2026-11-29"),
        ("memory/2026-13-29.md", None),
        ("memory/events/2026-11-29.md", None),
        ("memory/topics/acme.md", None),
        ("memory/2026-11-299.md", None),
    ],
)
def test_daily_notes_are_told_by_their_names(path: str, date: str | None) -> None:
    assert notes.note_date(path) == date


def test_statements_are_bullets_and_prose_but_not_what_the_host_manages() -> None:
    text = (
        "# 2026-11-29\n- User moved to Lisbon. <!-- importance: 9 -->\n\n## Work\nThe offer went out,\nBo liked it.\nSecond line.\n"
        "<!-- openclaw:dreaming:light:start -->\n- dreamt\n<!-- openclaw:dreaming:light:end -->\n- [ ] call\n"
        "<!-- openclaw-memory-promotion:abc -->\n- promoted\n\n```\ncode\n```\n> quoted\n| a | b |\n|---|---|\n- wraps\n  here\n"
    )
    note = notes.parse_note(text, "memory/2026-11-29.md")
    assert [(s.line, s.text, s.heading) for s in note.statements] == [
        (2, "User moved to Lisbon.", "2026-11-29"),
        (5, "The offer went out, Bo liked it.", "Work"),
        (7, "Second line.", "Work"),
        (11, "call", "Work"),
        (19, "a | b", "Work"),
        (21, "wraps here", "Work"),
    ]
    assert not note.is_session
    assert note.statements[3].done is False


def test_a_managed_block_without_end_hides_up_to_the_next_gap() -> None:
    text = "<!-- openclaw:dreaming:rem:start -->\n- dreamt\n\n- mine\n"
    assert [s.text for s in notes.parse_note(text, "memory/2026-11-29.md").statements] == ["mine"]


def test_a_dump_of_a_session_is_told_and_says_who_spoke() -> None:
    text = (
        "# Session: 2026-11-29 20:22:03 Europe/Lisbon\n\n- **Session Key**: agent:main:main\n\n## Conversation Summary\n\n"
        'user: "What is my cat\'s name?"\nassistant: "Mochi."\n'
    )
    note = notes.parse_note(text, "memory/2026-11-29-2022.md")
    assert note.is_session
    assert note.label == "2022"
    assert [(s.speaker, s.text) for s in note.statements] == [
        ("user", "What is my cat's name?"),
        ("assistant", "Mochi."),
    ]


# --- the published JSON files -----------------------------------------------------------------------------

PUBLISHED = (
    '[{"id":"abc123","text":"Zero deps","category":"projects/x","importance":0.8,"created_at":1707350400,"access_count":3,'
    '"score":0.742,"tier":"warm","own":{"a":1}}]'
)


def test_warm_entries_without_metadata_are_read_and_own_keys_kept() -> None:
    entries, problems = warm.parse_warm(PUBLISHED, "w")
    assert problems == ()
    assert (entries[0].created_at, entries[0].score, entries[0].urls) == (1707350400, 0.742, ())
    written = json.loads(warm.render_warm(entries))
    assert written == [{**json.loads(PUBLISHED)[0], "metadata": {"urls": [], "commands": [], "paths": []}}]
    assert warm.parse_warm(warm.render_warm(entries), "w")[0] == entries


def test_metadata_is_written_up_to_its_limits() -> None:
    entry = warm.WarmEntry(
        "a", "b", urls=tuple(map(str, range(20))), commands=tuple(map(str, range(20))), paths=()
    )
    metadata = warm.warm_object(entry)["metadata"]
    assert (len(metadata["urls"]), len(metadata["commands"])) == (10, 5)


@pytest.mark.parametrize(
    ("text", "codes"),
    [("", []), ("{}", ["bad-json"]), ("nonsense", ["bad-json"]), ('[1,{"id":"a"}]', ["bad-entry"] * 2)],
)
def test_damaged_warm_files_are_told(text: str, codes: list[str]) -> None:
    assert [p.code for p in warm.parse_warm(text, "w")[1]] == codes


def test_a_tree_with_a_stray_version_is_read() -> None:
    text = '{"_schema_version":"1","projects":{"desc":"d","warm_count":1,"cold_count":2,"last_access":1.5,"children":["projects/x"],"own":1},"bad":3}'
    nodes, problems = warm.parse_tree(text, "t")
    assert [p.code for p in problems] == ["bad-node"]
    assert nodes["projects"] == warm.TreeNode("projects", "d", 1, 2, 1.5, ("projects/x",), {"own": 1})
    assert warm.parse_tree(warm.render_tree(nodes.values()), "t") == (nodes, ())


def test_a_hot_state_has_every_published_key_and_keeps_others() -> None:
    text = '{"identity":{"agent_name":"A"},"active_context":{"tasks":[{"text":"x"}],"own":1},"critical_lessons":{},"mine":2}'
    state, problems = warm.parse_hot(text, "h")
    assert [p.code for p in problems] == ["bad-hot"]
    assert state["active_context"] == {"projects": [], "events": [], "tasks": [{"text": "x"}], "own": 1}
    assert (state["critical_lessons"], state["mine"]) == ([], 2)
    assert warm.parse_hot(warm.render_hot(state), "h") == (state, ())


# --- JSON and its schemas ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["NaN", "[1,", "", "9" * 5000, "[" * 100_000, '{"a":Infinity}'])
def test_what_is_no_json_is_none(text: str) -> None:
    assert jsonl.loads(text) is None


def test_an_unknown_keyword_is_refused_not_skipped() -> None:
    with pytest.raises(ValueError, match="multipleOf"):
        schema.check(3, {"multipleOf": 2})


def test_what_is_wrong_is_told_with_its_place() -> None:
    shape = {
        "type": "object",
        "required": ["id"],
        "properties": {"facts": {"items": {"type": "string"}}},
        "additionalProperties": False,
    }
    assert schema.check({"facts": ["a", 1], "x": 2}, shape) == (
        ("", "has no `id`"),
        ("/facts/1", "is not of type string"),
        ("/x", "is not allowed here"),
    )
