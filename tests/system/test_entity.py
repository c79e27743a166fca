"""`memory_cli.py entity` as a person or an agent calls it, and the published grep and jq lines on its file."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from silo.cli import memory
from silo.formats import schema

ROOT = Path(__file__).resolve().parents[2]
GRAPH = "memory/ontology/graph.jsonl"
PRIVATE = ".silo/private/graph.jsonl"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    return root


def run(root: Path, *args: str, today: str = "2026-04-01") -> int:
    return memory.main(["entity", *args, "--workspace", str(root), "--today", today])


def asked(root: Path, capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    capsys.readouterr()
    assert run(root, *args, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    shape = json.loads((ROOT / "schemas" / "entity.schema.json").read_text(encoding="utf-8"))
    assert list(schema.check(data, shape)) == []
    return data


def people(root: Path) -> None:
    assert run(root, "add", "Person", "Ana", "Sousa", "--set", "role=Engineer", "--alias", "Aninhas") == 0
    assert run(root, "add", "organisation", "Acme") == 0
    assert run(root, "add", "Project", "Boat rental", "--set", 'urls=["https://boats.example"]') == 0
    assert run(root, "relate", "p_ana_sousa", "member_of", "org_acme", "--from", "2025-09") == 0
    assert run(root, "relate", "Aninhas", "collaborates_on", "Boat rental") == 0


def test_get_list_find_and_neighbors_answer_from_the_folded_state(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    assert run(home, "update", "p_ana_sousa", "--set", "role=Team lead", "--unset", "nothing") == 0
    (one,) = asked(home, capsys, "get", "aninhas")["entities"]
    assert (one["id"], one["properties"]["role"]) == ("p_ana_sousa", "Team lead")
    assert {r["rel"] for r in one["relations"]} == {"member_of", "collaborates_on"}
    assert [e["id"] for e in asked(home, capsys, "list")["entities"]] == ["org_acme", "p_ana_sousa", "proj_boat_rental"]
    assert [e["id"] for e in asked(home, capsys, "list", "--type", "Organization")["entities"]] == ["org_acme"]
    assert [e["id"] for e in asked(home, capsys, "find", "team lead")["entities"]] == ["p_ana_sousa"]
    near = asked(home, capsys, "neighbors", "Acme")["neighbors"]
    assert [(n["entity"]["id"], n["direction"], n["valid_from"]) for n in near] == [("p_ana_sousa", "in", "2025-09")]
    assert asked(home, capsys, "neighbors", "p_ana_sousa", "--rel", "owns")["neighbors"] == []
    assert asked(home, capsys, "find", "nobody")["entities"] == []


def test_what_was_so_on_a_day(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    assert run(home, "update", "p_ana_sousa", "--set", "role=Team lead", "--from", "2026-05-01") == 0
    assert run(home, "unrelate", "p_ana_sousa", "member_of", "org_acme", "--until", "2026-06-30") == 0
    assert asked(home, capsys, "neighbors", "org_acme")["neighbors"] == []
    assert len(asked(home, capsys, "neighbors", "org_acme", "--at", "2026-06-01")["neighbors"]) == 1
    assert asked(home, capsys, "neighbors", "org_acme", "--at", "2025-08-31")["neighbors"] == []
    assert asked(home, capsys, "get", "p_ana_sousa", "--at", "2026-04-30")["entities"][0]["properties"]["role"] == "Engineer"
    assert asked(home, capsys, "get", "p_ana_sousa", "--at", "2026-05-01")["entities"][0]["properties"]["role"] == "Team lead"


def test_two_entities_become_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    assert run(home, "add", "Person", "A. Sousa", "--set", "phone=+351 900 000 000") == 0
    assert run(home, "merge", "p_a_sousa", "p_ana_sousa") == 0
    (one,) = asked(home, capsys, "get", "p_a_sousa")["entities"]
    assert one["id"] == "p_ana_sousa"
    assert one["properties"]["phone"] == "+351 900 000 000"
    assert set(one["properties"]["aliases"]) == {"Aninhas", "A. Sousa"}
    capsys.readouterr()
    assert run(home, "merge", "p_ana_sousa", "org_acme") == 2
    assert "can't be one" in capsys.readouterr().err


def test_what_the_graph_says_already_adds_no_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    before = (home / GRAPH).read_bytes()
    assert run(home, "relate", "p_ana_sousa", "member_of", "org_acme") == 0
    assert run(home, "update", "p_ana_sousa", "--set", "role=Engineer") == 0
    assert capsys.readouterr().out.count("says so already") == 2
    assert run(home, "update", "p_ana_sousa", "--set", "role=Boss", "--dry-run") == 0
    assert "+{" in capsys.readouterr().out
    assert (home / GRAPH).read_bytes() == before


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("get", "p_ana_susa"), "did you mean p_ana_sousa?"),
        (("add", "Person", "ana sousa"), "`entity update` changes it"),
        (("add", "Robot", "R2"), "no known type"),
        (("add", "Person"), "entity add TYPE NAME"),
        (("update", "p_ana_sousa"), "nothing to change"),
        (("update", "p_ana_sousa", "--set", "role"), "no KEY=VALUE"),
        (("update", "p_nobody", "--set", "role=x"), "there is no entity"),
        (("relate", "p_ana_sousa", "likes", "org_acme"), "no known relation"),
        (("relate", "org_acme", "member_of", "p_ana_sousa"), "is its direction right?"),
        (("unrelate", "org_acme", "uses", "p_ana_sousa"), "does not hold"),
        (("neighbors", "p_nobody"), "there is no entity"),
        (("list", "--at", "yesterday"), "is no date"),
        (("relate", "p_ana_sousa", "uses", "org_acme", "--from", "soon"), "is no date"),
    ],
)
def test_what_cant_be_done_is_said_and_nothing_written(
    home: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], said: str
) -> None:
    people(home)
    before = (home / GRAPH).read_bytes()
    capsys.readouterr()
    assert run(home, *args) == 2
    assert said in capsys.readouterr().err
    assert (home / GRAPH).read_bytes() == before


def test_a_declared_relation_is_taken(home: Path) -> None:
    people(home)
    (home / ".silo" / "config.json").write_text('{"relations": ["sponsors"]}')
    assert run(home, "relate", "org_acme", "sponsors", "proj_boat_rental") == 0


def test_the_private_graph_is_kept_apart(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    before = (home / GRAPH).read_bytes()
    assert run(home, "add", "Person", "Zeferino Prata", "--private") == 0
    assert run(home, "update", "Zeferino Prata", "--set", "role=Doctor") == 0
    assert run(home, "relate", "p_zeferino_prata", "interested_in", "proj_boat_rental") == 0
    assert (home / GRAPH).read_bytes() == before
    assert len((home / PRIVATE).read_text().splitlines()) == 3
    (one,) = asked(home, capsys, "get", "p_zeferino_prata")["entities"]
    assert one["private"] is True
    assert len(asked(home, capsys, "neighbors", "proj_boat_rental")["neighbors"]) == 2
    assert len(asked(home, capsys, "neighbors", "proj_boat_rental", "--audience", "group")["neighbors"]) == 1
    assert run(home, "get", "p_zeferino_prata", "--audience", "group") == 2


def test_a_secret_becomes_a_placeholder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    assert run(home, "add", "Org", "Acme", "--set", f"token={secret}") == 0
    assert run(home, "add", "Org", secret) == 2
    told = capsys.readouterr()
    assert secret not in told.out + told.err
    assert [p for p in home.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()] == []
    assert "[REDACTED:" in (home / GRAPH).read_text()


def test_lines_by_hand_are_kept_and_bad_ones_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "memory" / "ontology").mkdir(parents=True)
    typed = '{"op":"create","entity":{"id":"p_rui","type":"Person","properties":{"name":"Rui"}},"timestamp":"2026-01-01T00:00:00Z"}\nnot json'
    (home / GRAPH).write_text(typed)
    assert run(home, "update", "Rui", "--set", "role=Baker") == 0
    text = (home / GRAPH).read_text()
    assert text.startswith(typed + "\n")
    assert len(text.splitlines()) == 3
    assert run(home, "get", "Rui") == 0
    said = capsys.readouterr().out
    assert "role: Baker" in said
    assert f"PROBLEM {GRAPH}:2" in said


def test_undo_takes_a_change_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people(home)
    before = (home / GRAPH).read_bytes()
    assert run(home, "merge", "proj_boat_rental", "proj_boat_rental") == 0
    assert run(home, "update", "p_ana_sousa", "--set", "role=Boss") == 0
    assert memory.main(["undo", "--last", "--yes", "--workspace", str(home)]) == 0
    assert (home / GRAPH).read_bytes() == before


def test_the_published_lines_work_on_the_file(home: Path) -> None:
    people(home)
    for pattern, lines in (("p_ana_sousa", 3), ('"type":"Project"', 1), ('"type":"Person"', 1)):
        done = subprocess.run(["grep", "-c", pattern, GRAPH], cwd=home, capture_output=True, text=True, check=True)
        assert int(done.stdout) == lines
    if shutil.which("jq"):
        query = 'select(.entity?.type=="Person") | .entity.properties.name'
        done = subprocess.run(["jq", "-r", query, GRAPH], cwd=home, capture_output=True, text=True, check=True)
        assert done.stdout == "Ana Sousa\n"
