"""The source layer and the changelog overflow into the archive file, and every byte of them is in one of the two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nights import Memory
from silo.core.overflow import Limits, archive_path, is_over, limits_of, overflow
from silo.formats.topics import add_change, new_topic, parse_topic
from silo.model import ChangeEntry

PATH = "memory/topics/home.md"
BLOCK = "### {} — Talk {}\n> A summary.\n\n> said: {}\n\n"


def topic(blocks: list[str], entries: int = 0, **header: str) -> str:
    text = new_topic("home", type="personal", created="2026-01-01", summary="A home.", extra=header)
    for n in range(entries):
        day = f"2026-{1 + n // 28:02}-{1 + n % 28:02}"
        text = add_change(text, ChangeEntry(day, "fact", f"Value {n}", "", "Said", (f"f_{n:012x}",), "add"))
    return text.replace("<!-- SOURCE_START -->\n", "<!-- SOURCE_START -->\n" + "".join(blocks))


def blocks_of(text: str, path: str = PATH) -> list[str]:
    return [block.text for block in parse_topic(text, path).blocks]


def lines_of(text: str, path: str = PATH) -> list[str]:
    file = parse_topic(text, path)
    return ["".join(file.lines[entry.start : entry.end]) for entry in file.entries]


@given(st.lists(st.text("ab é\U0001f600", max_size=400), max_size=30), st.integers(1, 9000), st.integers(0, 12), st.booleans())
def test_conservation(words: list[str], most: int, kept: int, twice: bool) -> None:
    blocks = [BLOCK.format(f"2026-02-{28 - n % 28:02}", n, " ".join(one.split())) for n, one in enumerate(words)]
    before = topic(blocks, entries=15)
    limits = Limits(most, kept)
    text, archive = before, None
    for limit in (limits, Limits(max(most // 2, 1), kept // 2)) if twice else (limits,):
        moved = overflow(text, archive, PATH, limit)
        if moved is not None:
            text, archive = moved.topic, moved.archive
            assert not is_over(parse_topic(text, PATH), limit)
    there = blocks_of(archive or "", archive_path(PATH))
    assert blocks_of(text) + there == blocks_of(before)
    assert lines_of(text) + lines_of(archive or "", archive_path(PATH)) == lines_of(before)
    assert parse_topic(text, PATH).problems == ()
    assert parse_topic(archive or text, archive_path(PATH)).problems == ()


def test_the_topics_own_threshold() -> None:
    for said, wanted in (("30KB", 30_000), ("30", 30_000), ("45000", 45_000), ("1.5 MB", 1_500_000), ("much", 30_000), ("", 30_000)):
        assert limits_of(parse_topic(topic([], archive_threshold=said), PATH), Limits()).source_bytes == wanted


def test_a_night_moves_the_oldest_and_says_so() -> None:
    memory = Memory()
    blocks = [BLOCK.format(f"2026-02-{28 - n:02}", n, "word " * 500) for n in range(14)]
    memory.put(PATH, topic(blocks))
    plan = memory.night("2026-03-01")
    assert plan.counts["blocks archived"] == 3
    assert blocks_of(memory.text("home")) == blocks[:11]
    assert blocks_of(memory.text("home.archive"), archive_path(PATH)) == blocks[11:]


def test_what_a_person_deleted_stays_deleted_when_its_entry_has_overflowed() -> None:
    memory = Memory()
    memory.put(PATH, topic([], entries=205))
    memory.night("2026-09-01")
    assert len(parse_topic(memory.text("home")).changes) == 200
    memory.topic("shed", "- The shed is green. <!-- f_0000000000aa since:2026-01-02 -->")
    memory.edit("shed", "- The shed is green. <!-- f_0000000000aa since:2026-01-02 -->\n", "")
    memory.night("2026-09-02")
    entry = next(line for line in memory.text("shed").split("\n") if "The shed is green" in line)
    memory.put("memory/topics/shed.md", memory.text("shed").replace(entry + "\n", ""), written=True)
    memory.put("memory/topics/shed.archive.md", f"---\ntopic: shed\n---\n<!-- CURATED_START -->\n## Changelog\n{entry}\n<!-- CURATED_END -->\n<!-- SOURCE_START -->\n<!-- SOURCE_END -->\n")
    memory.say("2026-08-01", "[FACT] shed: The shed is green. <!-- id:e_0000000000cc -->")
    memory.night("2026-09-03")
    assert memory.facts("shed") == []
