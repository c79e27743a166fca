"""Every schema and grammar against good and bad examples, and against what the program writes."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from abnf import pattern
from silo.config import DEFAULTS
from silo.formats import decisions, events, graph, index, schema, topics, warm
from silo.model import ChangeEntry, Fact, TopicInfo

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
JSON = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.json"))


def load(name: str) -> dict[str, Any]:
    value = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def wrong(name: str, value: Any) -> list[str]:
    """What is wrong with a value: the checker of ours, and jsonschema's yes or no must agree."""
    found = schema.check(value, load(name))
    jsonschema = pytest.importorskip("jsonschema")
    assert jsonschema.Draft202012Validator(load(name)).is_valid(value) == (not found), (found, value)
    return [f"{where} {what}" for where, what in found]


@pytest.mark.parametrize("name", JSON)
def test_the_examples_of_a_schema_fit_it(name: str) -> None:
    examples = load(name)["examples"]
    assert examples
    for example in examples:
        assert wrong(name, example) == []


BAD: list[tuple[str, tuple[str | int, ...], Any, str]] = [
    ("review", ("kind",), "gossip", "/kind is none of"),
    ("review", ("facts",), ["p_1"], "/facts/0 does not look like"),
    ("review", ("id",), "r_1", "/id does not look like"),
    ("review", ("text",), "", "/text has fewer than 1"),
    ("proposals", ("slug",), "No Slug", "/slug does not look like"),
    ("proposals", ("events",), [], "/events has fewer than 1"),
    ("suggestions", ("suggestions", 0, "events", 0, "id"), "e_1", "/suggestions/0/events/0/id does not look like"),
    ("forget", ("forgotten", 0, "kind"), "gossip", "/forgotten/0/kind is none of"),
    ("config-show", ("sources", "hot.max_lessons"), "a guess", "/sources/hot.max_lessons is none of"),
    ("doctor", ("findings", 0, "code"), "X1", "/findings/0/code does not look like"),
    ("bundle", ("files",), [["a"]], "/files/0 has fewer than 4"),
    ("tombstones", ("text",), "the words", "/text is not allowed here"),
    ("tombstones", ("why",), "because", "/why is none of"),
    ("warm-memory", (0, "importance"), 1.5, "/0/importance is more than 1"),
    ("warm-memory", (0, "tier"), "tepid", "/0/tier is none of"),
    ("warm-memory", (0, "metadata", "urls"), ["u"] * 11, "/0/metadata/urls has more than 10"),
    ("hot-memory-state", ("critical_lessons",), [{"text": "x"}] * 21, "/critical_lessons has more than 20"),
    ("hot-memory-state", ("active_context",), {}, "/active_context has no `projects`"),
    ("memory-tree", ("hobby", "children"), ["a", "a"], "/hobby/children says the same twice"),
    ("memory-tree", ("hobby", "warm_count"), -1, "/hobby/warm_count is less than 0"),
    ("pack", ("confidence",), "sure", "/confidence is none of"),
    ("context", ("bytes",), -1, "/bytes is less than 0"),
    ("load", ("changes", 0, "op"), "told", "/changes/0/op is none of"),
    ("todos", ("todos", 0, "due"), 7, "/todos/0/due is not of type string or null"),
    ("tree", ("node_count",), -1, "/node_count is less than 0"),
    ("search-url", ("results", 0, "line"), 0, "/results/0/line is less than 1"),
    ("run-manifest", ("id",), "1", "/id does not look like"),
    ("run-manifest", ("steps", 0, "path"), "/etc/passwd", "/steps/0/path does not look like"),
    ("run-manifest", ("steps", 0, "kind"), "chmod", "/steps/0/kind is none of"),
    ("health", ("errors",), "none", "/errors is not of type integer"),
    ("config", ("agent_id",), "../x", "/agent_id does not look like"),
    ("config", ("extract", "since_days"), 0, "/extract/since_days is less than 1"),
    ("extract-answer", ("entries", 0, "tag"), "GOSSIP", "/entries/0/tag is none of"),
    ("extract-answer", ("entries", 0, "turns"), [], "/entries/0/turns has fewer than 1"),
    ("retrieve", ("results", 0, "line"), 0, "/results/0/line is less than 1"),
    ("retrieve", ("results", 0, "layer"), "cellar", "/results/0/layer is none of"),
    ("migrate-plan", ("sections", 0, "tier"), "lukewarm", "/sections/0/tier is none of"),
    ("migrate-plan", ("secrets",), ["hunter2"], "/secrets/0 is not of type integer"),
    ("entity", ("entities", 0, "id"), "", "/entities/0/id has fewer than 1"),
    ("import", ("counts", "files"), -1, "/counts/files is less than 0"),
    ("tree-answer", ("categories", 0, "relevance"), 2, "/categories/0/relevance is more than 1"),
    ("reconcile-answer", ("relation",), "maybe", "/relation is none of"),
    ("name-answer", ("title",), "", "/title has fewer than 2"),
    ("work-order", ("items",), [], "/items has fewer than 1"),
    ("distil-answer", ("outcome",), "great", "/outcome is none of"),
    ("distil", ("distilled_size",), -1, "/distilled_size is less than 0"),
    ("validate", ("status",), "fine", "/status is none of"),
    ("extract-metadata", ("summary", "urls_count"), -1, "/summary/urls_count is less than 0"),
    ("metrics", ("evictions_today",), -1, "/evictions_today is less than 0"),
    ("consolidate", ("mode",), "hourly", "/mode is none of"),
    ("tree-proposal", ("added", "projects"), -1, "/added/projects is less than 0"),
    ("used", ("procedures", 0, "ok"), -1, "/procedures/0/ok is less than 0"),
    ("graph-line", ("op",), "fly", " fits 0 of the shapes"),
    ("graph-line", ("entity",), {"id": "p_a"}, " fits 0 of the shapes"),
]


@pytest.mark.parametrize(("name", "place", "value", "said"), BAD)
def test_a_bad_example_is_told_with_its_place(
    name: str, place: tuple[str | int, ...], value: Any, said: str
) -> None:
    example = copy.deepcopy(load(name)["examples"][0])
    inner = example
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    assert [line for line in wrong(name, example) if line.startswith(said)]


def test_every_schema_has_a_bad_example() -> None:
    assert {name for name, *_ in BAD} == set(JSON)


def test_what_is_written_fits_its_schema() -> None:
    review = decisions.review_line(
        decisions.review_id(["f_0123456789ab"], []),
        kind="edit",
        topic="",
        facts=["f_0123456789ab"],
        events=[],
        created="2026-01-01",
        text="x",
    )
    assert wrong("review", json.loads(review)) == []
    assert wrong("review", json.loads(decisions.decided(json.loads(review), "deferred", "2026-01-02"))) == []
    proposal = decisions.proposal_line(
        decisions.proposal_id(["e_0123456789ab"]),
        slug="ab",
        title="A",
        type="hobby",
        events=["e_0123456789ab"],
        created="2026-01-01",
    )
    assert wrong("proposals", json.loads(proposal)) == []
    assert (
        wrong(
            "tombstones",
            json.loads(decisions.tombstone_line("e_1", kind="event", created="2026-01-01", why="forget")),
        )
        == []
    )
    assert wrong("warm-memory", json.loads(warm.render_warm([warm.WarmEntry("a", "b")]))) == []
    assert wrong("memory-tree", json.loads(warm.render_tree([warm.TreeNode("a")]))) == []
    assert wrong("hot-memory-state", warm.empty_hot()) == []
    assert wrong("config", json.loads(json.dumps(DEFAULTS))) == []
    at = "2026-01-01T00:00:00Z"
    for line in (
        graph.create_line("p_a", "Person", {"name": "A"}, at, src="e_1"),
        graph.update_line("p_a", {"name": None}, at),
        graph.relate_line("p_a", "owns", "prop_b", at, valid_from="2025"),
        graph.unrelate_line("p_a", "owns", "prop_b", at, valid_to="2026"),
        graph.merge_line("p_b", "p_a", at),
        graph.revert_line("{}", at),
    ):
        assert wrong("graph-line", json.loads(line)) == []


EVENT = pattern(SCHEMAS / "event-line.abnf", "event-line")


@pytest.mark.parametrize(
    "line",
    [
        "[FACT] acme-crm: Ana leads. Was: Bo led. Effective 2026-05.",
        "- [AUTO-TODO:TENTATIVE] home: Call. Due 2026-03-04.",
        "[DECISION] acme: Flask. <!-- id:e_0123456789ab conf:confirmed src:openclaw/s1#m1,m2 imp:0.7 cat:a/b agent:x own:1 -->",
        "[FACT] acme: x <!-- importance: 9 -->",
        "[FACT] acme: a --> b &lt;!-- c",
    ],
)
def test_good_event_lines_fit_the_grammar_and_are_read(line: str) -> None:
    assert EVENT.match(line)
    assert isinstance(events.parse_line(line, "2026-03-04", "p", 1), events.Event)


@pytest.mark.parametrize(
    "line",
    [
        "[FACT]acme: x",
        "[FACT] Acme: x",
        "[NOTE] acme: x",
        "FACT acme: x",
        "[FACT] acme:",
        "[FACT] acme: a\nb",
        "[FACT:SURE] acme: x",
    ],
)
def test_bad_event_lines_do_not_fit_the_grammar(line: str) -> None:
    assert not EVENT.match(line)


def test_lines_of_a_topic_fit_the_grammar() -> None:
    grammar = SCHEMAS / "topic.abnf"
    facts = [
        Fact("acme", "Ana leads."),
        Fact(
            "acme",
            "Call [ ] Bo",
            id="f_0123456789ab",
            since="2026-01-01",
            seen="2026-01-02",
            source="e_0123456789ab",
            done=False,
        ),
        Fact("acme", "a <!-- b", id="f_0123456789ab", extra=(("own", "1"), ("", "<!-- importance: 9 -->"))),
    ]
    for fact in facts:
        assert pattern(grammar, "fact-line").match(f"- {topics.render_fact(fact)}")
    for entry in (
        ChangeEntry(
            "2026-01-01",
            "role",
            "lead",
            "dev",
            "Said so",
            ("f_0123456789ab",),
            "set",
            "2026-01-01T10:00:00Z",
            "e_1",
            ("2025", ""),
        ),
        ChangeEntry("2026-01-01", "", "a. B", "", "c", ("f_1", "f_2"), "add"),
    ):
        assert pattern(grammar, "change-line").match(topics.render_change(entry))
    assert not pattern(grammar, "change-line").match("- yesterday: x <!-- f:f_1 op:set -->")
    block = topics.render_block("2026-01-01", "Talk", ["Sum."], ["", "said"]).split("\n")
    assert pattern(grammar, "block-heading").match(block[0])
    assert all(pattern(grammar, "block-line").match(line) for line in block[1:])
    assert pattern(grammar, "marker").match("<!-- CURATED_START -->")


def test_index_lines_fit_the_grammar() -> None:
    line = pattern(SCHEMAS / "index-line.abnf", "index-line")
    for info in (TopicInfo("acme", summary="A | b."), TopicInfo("acme", tags=("x", "y z"), summary="")):
        assert line.match(index.index_line(info))
    assert not line.match("acme | project | x | archived | gone")
