"""Whatever stands in an answer: reading it raises nothing, and what comes out of it was said, on one line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from unicodedata import category

from hypothesis import example, given, settings
from hypothesis import strategies as st

from engines import SHOUT_SCHEMA, shout
from silo.core.engines.extracting import Found, Window, task, windows
from silo.core.engines.reply import read_reply
from silo.core.engines.task import item_of, prompt_of
from silo.core.extract import ground
from silo.core.route import router
from silo.edge.lang import load_languages
from silo.edge.llm.templates import load_head, load_openers, load_schema
from silo.formats.llm import json_values
from silo.formats.schema import strict
from silo.model import Origin, Session, Turn

LANGUAGES = load_languages()
AT = datetime(2026, 3, 6, 12, tzinfo=UTC)
SAID = ["The kiln fires at 980 degrees.", "Noted.", "A Rita paga a renda até sexta. Use `pg_dump -Fc` first.", "Feito."]
TURNS = tuple(
    Turn(f"m{n}", "user" if n % 2 == 0 else "assistant", Origin.OWNER if n % 2 == 0 else Origin.AGENT, AT, text) for n, text in enumerate(SAID)
)
SESSION = Session("s-1", "jsonl", "default", TURNS)
TASK = task(
    load_head("extract"), load_schema("extract-answer"), (), frozenset(), LANGUAGES, load_openers(), router((), LANGUAGES), lambda session: ()
)
(WINDOW,) = windows(SESSION, 5000)
ITEM = item_of(TASK, WINDOW)

words = st.one_of(st.sampled_from([*SAID, "Carlos", "980", "https://a.example", "\ud800\x00\u202e", "<!-- -->"]), st.text(max_size=30))
texts = st.lists(words, max_size=4).map(" ".join)
anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
entries = st.fixed_dictionaries({
    "tag": st.sampled_from(["FACT", "TODO", "CHANGED", "DECISION"]), "confidence": st.sampled_from(["confirmed", "tentative"]),
    "text": texts.filter(lambda text: len(text) > 2), "topic": texts.map(lambda text: text[:60]),
    "turns": st.lists(st.one_of(st.integers(1, 9), st.sampled_from([1.0, 3.0, 1e300])), min_size=1, max_size=4),
    "was": texts.map(lambda text: text[:200]), "due": st.sampled_from(["", "2026-03-13", "soon"]), "effective": st.sampled_from(["", "2026-03", "2030-01-01"]),
})  # fmt: skip


UNKNOWN = {"Cn", "Co"}  # of a newer Unicode, or somebody's own: no such letter is lost


@settings(deadline=None)
@given(anything, st.sampled_from(["{}", "```json\n{}\n```", "so: {} and so on", "[{}", "{}{}"]))
def test_nothing_that_is_no_answer_raises(value: Any, frame: str) -> None:
    text = frame.replace("{}", json.dumps(value))
    assert read_reply(TASK, [ITEM], text).values == {}
    list(json_values(text))


@settings(deadline=None)
@example([{"tag": "FACT", "confidence": "confirmed", "text": "?.\U00040000", "topic": "", "turns": [1], "was": "", "due": "", "effective": ""}], ITEM.id)
@given(st.lists(st.one_of(entries, anything), max_size=4), st.one_of(st.just(ITEM.id), anything))
def test_what_comes_out_was_said(found: list[Any], ident: Any) -> None:
    reading = read_reply(TASK, [ITEM], json.dumps({"answers": [{"id": ident, "entries": found}, "and more"]}))
    assert all(len(one) <= 160 and one.isprintable() for one in reading.complaints)
    for value in reading.values.values():
        assert isinstance(value, Found)
        for candidate in value.candidates:
            assert ground(candidate, SESSION)
            assert all(char.isprintable() or category(char) in UNKNOWN for char in candidate.text)
            assert 0 < len(candidate.text) <= 500
            assert set(candidate.evidence) <= {turn.id for turn in TURNS}
            assert "Carlos" not in candidate.text
            candidate.text.encode()


@settings(deadline=None)
@given(st.lists(st.text(max_size=200), max_size=6))
def test_inputs_stay_within_their_fence(given_texts: list[str]) -> None:
    items = [item_of(shout(), text) for text in given_texts]
    body = prompt_of(shout(), items).body
    inside = body.partition("<silo-data>\n")[2].partition("\n</silo-data>")[0].split("\n")
    assert body.count("silo-data>") == 2
    assert [json.loads(line)["id"] for line in inside if line] == [item.id for item in items]
    body.encode()


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(max_size=3000), st.booleans(), st.booleans()), max_size=12), st.integers(50, 2000))
def test_windows_hold_every_new_turn_once(said: list[tuple[str, bool, bool]], tokens: int) -> None:
    turns = tuple(Turn(f"m{n}", "user", Origin.OWNER if owner else Origin.UNTRUSTED, AT, text, fresh) for n, (text, owner, fresh) in enumerate(said))
    session = Session("s", "jsonl", "default", turns)
    cut = list(windows(session, tokens))
    shown: dict[str, str] = {}
    for window in cut:
        assert isinstance(window, Window)
        for one in window.said:
            if not one.old:
                shown[one.turn.id] = shown.get(one.turn.id, "") + one.text
    wanted = {turn.id: turn.text for turn in turns if turn.fresh and turn.origin is Origin.OWNER}
    assert {ident: "".join(text.split()) for ident, text in shown.items()} == {ident: "".join(text.split()) for ident, text in wanted.items()}
    ends = frozenset(window.end for window in cut)
    assert [w.said for w in windows(session, tokens, ends)] == [w.said for w in cut]


def test_structured_output_asks_for_every_property() -> None:
    assert strict(SHOUT_SCHEMA) == {"type": "object", "additionalProperties": False, "required": ["loud"], "properties": {"loud": {"type": "string"}}}
