"""Whatever a memory holds: what is forgotten is nowhere any more, and every line that had nothing of it keeps its bytes and place."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.forget.choose import Gone, Memory, Wanted, choose
from silo.core.forget.lines import FORGOTTEN, without_events, without_lines
from silo.core.forget.tombs import Tombs, evidence, stone
from silo.core.forget.topics import without_facts
from silo.core.forget.values import without_entities, without_values
from silo.core.forget.words import plain
from silo.formats.events import parse_file, render_line
from silo.formats.graph import create_line, parse_graph
from silo.formats.topics import new_topic, parse_topic
from silo.model import Event, Tag
from silo.text.fold import fold

WORD = st.sampled_from(["pump", "gate", "river", "Ana", "São", "Lisboa", "código", "naïve", "kiln", "4711", "blue", "ünder", "roof", "<!--x", "&lt;", "-", "[x]", "**", "\\n", '"q"'])
STATEMENT = st.lists(WORD, min_size=3, max_size=7).map(" ".join)
KEY = b"k" * 32


@st.composite
def memories(draw: st.DrawFn) -> tuple[list[str], int, dict[str, str]]:
    """(distinct statements, which of them goes, the files that hold them)."""
    found = draw(st.lists(STATEMENT, min_size=2, max_size=8, unique_by=plain))
    texts = [text for text in found if plain(text) and " " in plain(text) and len(plain(text)) >= 10]
    if len(texts) < 2:
        texts = ["the pump is blue today", "the gate is open today"]
    which = draw(st.integers(0, len(texts) - 1))
    log = "# Events 2026-03-01\n\n" + "".join(
        render_line(Event("2026-03-01", Tag.FACT, "house", text, f"e_{n:012x}", source=f"openclaw/s1#m{n}")) + "\n" for n, text in enumerate(texts)
    )
    bullets = "".join(f"- {text} <!-- f_{n:012x} src:e_{n:012x} -->\n" for n, text in enumerate(texts) if "<!--" not in text)
    changes = "".join(f"- 2026-03-02: [x] {texts[n - 1]}. Was: {text}. <!-- f:f_{n:012x} op:set -->\n" for n, text in enumerate(texts) if "<!--" not in text + texts[n - 1])
    topic = new_topic("house", type="personal", created="2026-01-01", summary="A case.").replace("## Facts\n", "## Facts\n" + bullets)
    topic = topic.replace("## Changelog\n", "## Changelog\n" + changes)
    tier = "# Protocols\n\n" + "".join(f"- {text}\n" for text in texts if "<!--" not in text) + "- kept whatever happens\n"
    warm = json.dumps([{"id": f"e_{n:012x}", "text": text} for n, text in enumerate(texts)], indent=2, ensure_ascii=False) + "\n"
    graph = "".join(create_line(f"p_{n}", "Person", {"name": f"Nobody{n}", "note": text}, "2026-01-01T00:00:00Z") + "\n" for n, text in enumerate(texts))
    return texts, which, {"log": log, "topic": topic, "tier": tier, "warm": warm, "graph": graph}


def forgotten(which: int, files: dict[str, str]) -> tuple[dict[str, str], Gone]:
    memory = Memory((parse_file(files["log"], "memory/events/2026-03-01.md"),), (parse_topic(files["topic"], "memory/topics/house.md"),), parse_graph(files["graph"]))
    gone = choose(memory, Wanted(ids=(f"e_{which:012x}",)))
    made = {
        "log": without_events(files["log"], "memory/events/2026-03-01.md", gone),
        "topic": without_facts(files["topic"], "memory/topics/house.md", gone),
        "tier": without_lines(files["tier"], "memory/protocols.md", gone, "tier"),
        "warm": without_values(files["warm"], "warm-memory.json", gone, "warm"),
        "graph": without_entities(files["graph"], "graph.jsonl", gone),
    }
    return {name: left.text or "" for name, left in made.items()}, gone


@settings(max_examples=150, deadline=None)
@given(memories())
def test_nothing_of_it_is_left_and_the_rest_keeps_its_bytes(case: tuple[list[str], int, dict[str, str]]) -> None:
    texts, which, files = case
    left, gone = forgotten(which, files)
    words, ids = gone.words, gone.ids
    assert words.held(texts[which])
    for name, text in left.items():
        values = [*text.split("\n"), *_strings(text)] if name in ("warm", "graph") else text.split("\n")
        assert not [line for line in values if words.held(line.split(" <!-- ")[0])], name
    for name in ("log", "topic", "tier"):
        before, after = files[name].split("\n"), left[name].split("\n")
        untouched = [line for line in before if not any(one in line for one in ids) and not words.held(_said(line))]
        assert [line for line in after if FORGOTTEN not in line and line in untouched] == untouched or not left[name], name
    assert [one["id"] for one in json.loads(left["warm"] or "[]")] == [f"e_{n:012x}" for n, text in enumerate(texts) if f"e_{n:012x}" not in ids and not words.held(text)]


def _said(line: str) -> str:
    return line.split(": ", 1)[-1] if line.startswith("[") else line


def _strings(text: str) -> list[str]:
    found: list[str] = []

    def walk(value: object) -> None:
        if isinstance(value, str):
            found.append(value)
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(one)

    for part in [text] if text.startswith("[") else text.splitlines():
        walk(json.loads(part or "[]"))
    return found


@given(STATEMENT, STATEMENT, st.sampled_from(["openclaw/s1#m1,m2", "note/memory/2026-03-01.md#3", "cli", ""]))
def test_a_stone_knows_its_words_and_its_source_and_nothing_else(text: str, other: str, source: str) -> None:
    event = Event("2026-03-01", Tag.FACT, "house", text, "e_00000000000a", source=source)
    tombs = Tombs.read(stone(KEY, event.id, "event", "2026-03-10", text=text, rests=evidence(KEY, source)) + "\n", KEY)
    assert tombs.said(text.upper() if fold(text.upper()) == fold(text) else text) == bool(plain(text)) or not plain(text)
    assert tombs.said(other) == (plain(other) == plain(text))
    assert tombs.heard("s1", ("m2",)) == source.startswith("openclaw")
    assert not tombs.heard("s2", ("m2",))
    assert tombs.names(event.id)
    assert not tombs.names("e_00000000000b")
    assert not Tombs.read(stone(KEY, event.id, "event", "2026-03-10", text=text) + "\n", b"other").said(text)
