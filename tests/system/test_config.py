"""`config`: every key is honoured or refused with its line; the published config.json is taken in; no default is dead."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from command import Home
from silo.config import DEFAULTS
from silo.core import settings
from silo.edge.llm.templates import load_schema
from silo.formats.schema import check

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts" / "silo"
SAMPLE = {
    "agent_id": "default",
    "hot": {"max_bytes": 5120, "max_lessons": 20, "max_events": 10, "max_tasks": 10},
    "warm": {"max_kb": 50, "retention_days": 30, "eviction_threshold": 0.3},
    "cold": {"backend": "turso", "retention_years": 10},
    "scoring": {"half_life_days": 30, "reinforcement_boost": 0.1},
    "tree": {"max_nodes": 50, "max_depth": 4, "max_size_bytes": 2048},
    "distillation": {"aggression": 0.7, "max_distilled_bytes": 100, "mode": "rule"},
    "consolidation": {"warm_eviction": "hourly", "tree_prune": "daily", "tree_rebuild": "monthly"},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    return home


def names() -> list[str]:
    return [name for name, _ in settings.flat(DEFAULTS) if name != "schema_version" and not name.startswith("engines.prices.")]


LITERALS = {
    node.value
    for path in SCRIPTS.rglob("*.py")
    if path.name not in ("config.py", "settings.py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    if isinstance(node, ast.Constant) and isinstance(node.value, str)
}
OUTSIDE = {"timezone", "agent_id"}  # read by config.load itself


@pytest.mark.parametrize("name", names())
def test_every_default_is_read_by_something_and_listed_in_the_schema(name: str) -> None:
    first, *rest = name.split(".")
    assert settings.rule_of(name, load_schema("config")) is not None
    if first in OUTSIDE or first == "stale_days":
        return
    assert first in LITERALS, f"nobody reads the section {first}"
    assert not rest or rest[-1] in LITERALS, f"nobody reads {name}"


def test_the_defaults_fit_the_schema() -> None:
    assert check(DEFAULTS, load_schema("config")) == ()


def test_show_tells_where_each_comes_from(home: Home) -> None:
    home.run("config", "set", "hot.max_lessons", "15")
    said = home.data("config", "show")
    assert check(said, load_schema("config-show")) == ()
    assert said["values"]["hot.max_lessons"] == 15
    assert said["sources"]["hot.max_lessons"] == "file"
    assert said["sources"]["hot.max_events"] == "default"
    assert set(said["values"]) >= set(names())
    text = home.run("config")
    assert "hot.max_lessons = 15  [file]" in text
    assert "falls to 1/e" in text


def test_a_setting_is_set_and_taken_back(home: Home) -> None:
    assert "hot.max_lessons is 15" in home.run("config", "set", "hot.max_lessons", "15")
    assert json.loads((home.root / ".silo/config.json").read_text()) == {"schema_version": 1, "hot": {"max_lessons": 15}}
    assert "it was so already" in home.run("config", "set", "hot.max_lessons", "15")
    home.run("undo", "--last", "--yes")
    assert home.data("config", "show")["values"]["hot.max_lessons"] == 20
    home.run("config", "set", "timezone", "Europe/Lisbon")
    home.run("config", "set", "owner_names", "Ana, Rui")
    home.run("config", "set", "extract.groups", "on")
    assert home.data("config", "show")["values"]["owner_names"] == ["Ana", "Rui"]
    home.run("config", "unset", "timezone")
    assert "does not set" in home.run("config", "unset", "timezone", code=2)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("hot.max_lesson", "15", "did you mean hot.max_lessons?"),
        ("max_bytes", "15", "did you mean"),
        ("hot", "15", "is a table"),
        ("quite.something", "1", "config show lists all"),
        ("hot.max_lessons", "many", "hot.max_lessons 'many'"),
        ("hot.max_lessons", "0", "hot.max_lessons '0'"),
        ("warm.eviction_threshold", "1.5", "warm.eviction_threshold"),
        ("distillation.mode", "magic", "distillation.mode"),
        ("consolidation.tree_prune", "sometimes", "the least interval"),
        ("agent_id", "Bad Id", "agent_id"),
        ("warm.max_kb", "NaN", "warm.max_kb 'NaN'"),
        ("scoring.half_life_days", "Infinity", "scoring.half_life_days"),
        ("cold.retention_years", "9" * 5000, "cold.retention_years"),
        ("timezone", "Mars/Olympus", "is no time zone"),
        ("timezone", "-1", "is no time zone"),
        ("schema_version", "2", "is no setting"),
    ],
)
def test_what_is_no_setting_is_refused(home: Home, key: str, value: str, said: str) -> None:
    assert said in home.run("config", "set", key, value, code=2)
    assert not (home.root / ".silo/config.json").exists()


def test_a_file_is_checked_line_by_line(home: Home) -> None:
    home.write(".silo/config.json", '{\n "hot": {\n  "max_bites": 1,\n  "max_lessons": "x"\n },\n "colour": "red"\n}\n')
    said = home.run("config", "validate", code=1)
    assert "config.json:3 unknown-key `hot.max_bites` is no setting; did you mean `hot.max_bytes`?" in said
    assert "config.json:4 bad-value `hot.max_lessons`" in said
    assert "config.json:6 unknown-key `colour`" in said
    home.write(".silo/config.json", "{}\n")
    assert "every key is known" in home.run("config", "validate")


def test_the_published_sample_is_taken_in(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "config.json"
    place.write_text(json.dumps(SAMPLE, indent=2))
    assert "would be" in home.run("config", "import", str(place), "--dry-run")
    assert not (home.root / ".silo/config.json").exists()
    said = home.run("config", "import", str(place))
    for note in ("the archive is local", "falls to 1/e", "the share of clauses", "least time between two runs"):
        assert note in said
    assert json.loads((home.root / ".silo/config.json").read_text()) == {"schema_version": 1, **SAMPLE}
    assert "the archive is local" in home.run("config", "show")
    assert "it was so already" in home.run("config", "import", str(place))
    home.run("config", "validate")


def test_an_unknown_published_key_is_refused_with_its_line(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "config.json"
    place.write_text(json.dumps({**SAMPLE, "warm": {"max_kb": 50, "retention": 3}}, indent=2))
    said = home.run("config", "import", str(place), code=2)
    assert "`warm.retention` is no setting; did you mean `warm.retention_days`?" in said
    assert "config.json:11" in said
    for text in ("not json", '{"warm": {"max_kb": NaN}}', '{"tree": ' + "[" * 9000 + "]" * 9000 + "}", '{"warm": {"max_kb": ' + "9" * 5000 + "}}"):
        place.write_text(text)
        assert "not JSON" in home.run("config", "import", str(place), code=2)
    assert not (home.root / ".silo/config.json").exists()


def test_keys_change_what_is_done(home: Home) -> None:
    home.run("config", "set", "tree.max_depth", "2")
    assert "at most 2" in home.run("tree", "--add", "a/b/c", "deep", code=2)
    home.run("config", "set", "context.max_bytes", "600")
    assert home.data("context")["bytes"] <= 600
    home.run("config", "set", "stale_days.project", "1")
    home.topic("boat", "- The mast is oak. <!-- f_00000000000a since:2026-03-01 seen:2026-03-01 -->")
    assert "mast" in home.run("stale")
