"""A curated layer of 200 facts after ten kinds of edit by hand: nothing is lost, and each edit is told for what it is."""

from __future__ import annotations

import pytest

from silo.core.adopt import Adoption, Elsewhere, adopt, renamed
from silo.core.facts import End, apply_ops
from silo.core.history import known_at
from silo.formats.topics import TopicFile, hand_fact_id, new_topic, parse_topic

PATH = "memory/topics/house.md"
DAY, AT = "2026-03-01", "2026-03-01T04:30:00+00:00"
THINGS = ("shelf", "lamp", "door", "crate", "pump", "valve", "bench", "drill")


def said(n: int) -> str:
    return f"Item {n}: the {THINGS[n % 8]} number {n * 7} stands in room {n % 13}."


def bullet(n: int) -> str:
    return f"- {said(n)} <!-- f_{n:012x} since:2026-01-01 seen:2026-01-01 src:e_{n:012x} -->"


def layer(*bullets: str) -> str:
    text = new_topic("house", type="personal", created="2026-01-01", summary="A house.")
    return text.replace("## Facts\n", "## Facts\n" + "".join(f"{b}\n" for b in bullets))


BASE = [bullet(n) for n in range(200)]


def after(lines: list[str], base: list[str] | None = None, elsewhere: Elsewhere | None = None) -> tuple[Adoption, str]:
    """The adoption, and the topic's text once its operations are applied."""
    found = adopt(parse_topic(layer(*(base or BASE)), PATH), parse_topic(layer(*lines), PATH), elsewhere or Elsewhere())
    return found, apply_ops(found.text, found.ops, path=PATH, today=DAY, at=AT)


def told(text: str) -> list[tuple[str, str, str]]:
    return [(c.op, c.field, c.facts[0]) for c in parse_topic(text, PATH).changes]


def without_comment(n: int) -> str:
    return f"- {said(n)}"


EDITS: dict[str, tuple[list[str], list[tuple[str, str, str]]]] = {
    "nothing": (BASE, []),
    "reworded": ([*BASE[:5], BASE[5].replace("stands in", "was moved to"), *BASE[6:]], [("set", "edited", "f_000000000005")]),
    "deleted": ([*BASE[:5], *BASE[6:]], [("end", "removed", "f_000000000005")]),
    "reordered": (list(reversed(BASE)), []),
    "moved under another heading": ([*BASE[:5], *BASE[6:], "", "## Attic", BASE[5]], []),
    "comment lost": ([*BASE[:5], without_comment(5), *BASE[6:]], []),
    "reworded and comment lost": (
        [*BASE[:5], without_comment(5).replace("stands in", "was moved to"), *BASE[6:]],
        [("set", "edited", "f_000000000005")],
    ),
    "copied": ([*BASE[:6], BASE[5], *BASE[6:]], [("add", "added", hand_fact_id("house", said(5), 0))]),
    "a new line": ([*BASE, "- Quite a new line."], [("add", "added", hand_fact_id("house", "Quite a new line.", 0))]),
    "made a box": ([*BASE[:5], BASE[5].replace("- Item", "- [ ] Item"), *BASE[6:]], [("set", "done", "f_000000000005")]),
    "marks edited": ([*BASE[:5], BASE[5].replace("seen:2026-01-01", "seen:2026-02-02"), *BASE[6:]], []),
    "a hard wrap": ([*BASE[:5], BASE[5].replace("stands in", "stands\n  in"), *BASE[6:]], []),
}


@pytest.mark.parametrize("kind", EDITS, ids=str)
def test_an_edit_is_told_for_what_it_is_and_nothing_is_lost(kind: str) -> None:
    lines, wanted = EDITS[kind]
    found, text = after(lines)
    assert told(text) == wanted
    assert {ident for _, _, ident in wanted} == found.edited
    # what the memory held before the edits can still be told
    assert set(known_at(parse_topic(text, PATH), "2026-02-28").values()) >= {said(n).removesuffix(".") for n in range(200)}
    # the edit itself stays
    for line in "\n".join(lines).split("\n"):
        assert line.partition(" <!--")[0] in text
    # told once
    again, same = adopt(parse_topic(text, PATH), parse_topic(text, PATH)), text
    assert (again.ops, again.text) == ((), same)


def test_a_lost_comment_comes_back_with_its_marks() -> None:
    _, text = after([*BASE[:5], without_comment(5), *BASE[6:]])
    assert BASE[5] in text


def test_of_two_alike_lines_without_comment_each_finds_its_own() -> None:
    base = [bullet(1), bullet(9), bullet(17)]
    _, text = after([without_comment(1), without_comment(9).replace("room 9", "room 2"), without_comment(17)], base)
    ids = [fact.id for fact in parse_topic(text, PATH).facts]
    assert ids == ["f_000000000001", "f_000000000009", "f_000000000011"]


def test_a_copy_gets_an_id_of_its_own_and_keeps_its_words() -> None:
    _, text = after([*BASE[:6], BASE[5].replace("room", "hall"), *BASE[6:]])
    facts = parse_topic(text, PATH).facts
    assert len({fact.id for fact in facts}) == 201
    assert "in hall 5" in facts[6].text


def test_moved_to_another_topic_it_has_not_ended() -> None:
    _, text = after([*BASE[:5], *BASE[6:]], elsewhere=Elsewhere(now={"f_000000000005": "attic"}))
    assert told(text) == [("move", "moved", "f_000000000005")]


def test_an_entry_that_the_hand_wrote_itself_is_not_written_twice() -> None:
    lines = [*BASE[:5], BASE[5].replace("stands in", "was moved to"), *BASE[6:]]
    text = layer(*lines).replace("## Changelog\n", f"## Changelog\n- 2026-02-20: [place] moved. Was: {said(5)} <!-- f:f_000000000005 op:set -->\n")
    assert adopt(parse_topic(layer(*BASE), PATH), parse_topic(text, PATH)).ops == ()


def test_an_edit_is_told_although_the_changelog_has_entries_and_has_moved() -> None:
    entry = f"- 2026-01-02: [place] {said(5).removesuffix('.')}. Was: lost. <!-- f:f_000000000005 op:set -->"
    base = layer(*BASE).replace("## Changelog\n", f"## Changelog\n{entry}\n")
    now = base.replace(f"{BASE[5]}\n", "").replace("# house\n", "# house\n\nSome words of mine.\n")
    found = adopt(parse_topic(base, PATH), parse_topic(now, PATH))
    assert [(op.id, op.by_hand) for op in found.ops if isinstance(op, End)] == [("f_000000000005", True)]


def at(path: str, text: str) -> TopicFile:
    return parse_topic(text, f"memory/topics/{path}.md")


def test_a_renamed_file_is_known_by_its_header_or_by_its_facts() -> None:
    old, other = at("house", layer(*BASE[:6])), at("barn", layer(*BASE[100:106]).replace("topic: house", "topic: barn"))
    left = [old, other]
    assert renamed([at("home", layer(*BASE[:6]))], left) == {"memory/topics/home.md": "memory/topics/house.md"}
    anew = layer(*BASE[:4], "- New.").replace("topic: house", "topic: home")
    assert renamed([at("home", anew)], left) == {"memory/topics/home.md": "memory/topics/house.md"}
    assert renamed([at("home", layer("- New.").replace("topic: house", "topic: home"))], left) == {}
    # the name that the header still has tells more than facts that were carried there
    assert renamed([at("shed", layer(*BASE[:6]).replace("topic: house", "topic: barn"))], left) == {"memory/topics/shed.md": "memory/topics/barn.md"}
