"""Which source is meant, which files are transcripts, and what is said of the rest."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from silo.edge.sources import discover
from silo.edge.sources.names import read_name
from silo.errors import BadInput
from silo.formats.session import Kind, kind_of_key
from transcript import Desk, Log

ID = "680f7b5b-bb88-4824-94b9-9acb5b966c69"
STAMP = "2026-11-29T20-49-31.356Z"


@pytest.mark.parametrize(
    ("name", "how"),
    [
        (f"{ID}.jsonl", "live"),
        (f"{ID}-topic-12.jsonl", "live"),
        (f"{ID}.jsonl.reset.{STAMP}", "reset"),
        (f"{ID}.jsonl.deleted.{STAMP}", "deleted"),
        (f"{ID}.jsonl.deleted.{STAMP}.688f0395da3c4318a96a22a18b0f062c.zst", "deleted"),
        (f"{ID}.jsonl.bak.{STAMP}", "bak"),
        (f"agent_main_main.{ID}.jsonl.imported-1795985401741", "imported"),
        (f"agent_main_main.{ID}-topic-3.jsonl.imported-1795985401741.2", "imported"),
    ],
)
def test_transcripts_are_known_by_name(name: str, how: str) -> None:
    read = read_name(name)
    assert read is not None
    assert (read.id, read.how) == (ID, how)


@pytest.mark.parametrize(
    "name",
    [
        f"{ID}.trajectory.jsonl",
        f"{ID}.trajectory.jsonl.deleted.{STAMP}",
        f"agent_main_main.{ID}.trajectory.jsonl.imported-1795985401741",
        f"{ID}.trajectory-path.json",
        f"{ID}.checkpoint.8f14e45f-ceea-467f-a9d5-0a1b2c3d4e5f.jsonl",
        f"{ID}.jsonl.lock",
        "sessions.json",
        "sessions.json.bak.1795985401741",
        "sessions.json.migrated-1795985401741",
        f"{ID}.jsonl.migrated",
        "sessions.json.pre-doctor-2026.bak",
        f"{ID}.jsonl.tmp",
        "openclaw-agent.sqlite",
        "openclaw-agent.sqlite-wal",
        "README.md",
    ],
)
def test_side_files_are_known_by_name(name: str) -> None:
    assert read_name(name) is None


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("agent:main:main", Kind.MAIN),
        ("agent:main:telegram:direct:12345", Kind.DIRECT),
        ("agent:main:whatsapp:group:1@g.us", Kind.GROUP),
        ("agent:main:slack:channel:C1:thread:1700.1", Kind.GROUP),
        ("agent:main:telegram:group:-100:topic:7", Kind.GROUP),
        ("agent:main:cron:job", Kind.CRON),
        ("agent:main:cron:job:run:abc", Kind.CRON),
        ("agent:main:subagent:abc", Kind.SUBAGENT),
        ("agent:main:openai:abc", Kind.API),
        ("agent:main:openresponses:abc", Kind.API),
        ("agent:main:explicit:model-run-abc", Kind.MODEL_RUN),
        ("hook:abc", Kind.HOOK),
        ("agent:main:boot:1", Kind.BOOT),
        ("agent:main:dreaming-narrative-light-1", Kind.DREAMING),
        ("dreaming-narrative-rem-2", Kind.DREAMING),
        ("agent:main:main:heartbeat", Kind.HEARTBEAT),
        ("agent:main:acp:x", Kind.PLUGIN),
        ("agent:main:scratch", Kind.UNKNOWN),
        ("", Kind.UNKNOWN),
    ],
)
def test_kinds_by_key(key: str, kind: Kind) -> None:
    assert kind_of_key(key) is kind


def talk(session: str, text: str) -> Log:
    log = Log(session=session)
    log.user(text)
    return log


def test_the_old_index_tells_the_kinds_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    for name in ("main", "old", "cron", "group", "sub"):
        talk(name, f"From {name}.").write(folder / f"{name}.jsonl")
    index = {
        "agent:main:main": {"sessionId": "main", "chatType": "direct", "compactionCheckpoints": [{"sessionId": "old"}]},
        "agent:main:cron:job": {"sessionId": "cron"},
        "agent:main:work": {"sessionId": "group", "origin": {"chatType": "group"}},
        "agent:main:child": {"sessionId": "sub", "spawnedBy": "agent:main:main"},
    }
    (folder / "sessions.json").write_text(json.dumps(index))
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["From main.", "From old."]
    assert desk.seen is not None
    assert sorted(s.reason for s in desk.seen.skipped) == ["a cron session", "a group chat (--groups reads them)", "a sub-agent session"]


def test_a_damaged_index_hides_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    talk("s-1", "Hello.").write(folder / "s-1.jsonl")
    (folder / "sessions.json").write_text("{half")
    assert Desk().said("openclaw", state_dir=tmp_path) == ["Hello."]


def group(session: str = "g-1") -> Log:
    log = Log(session=session)
    for name, text in (("Ana", "I book the house."), ("Bob", "I bring wine.")):
        data = json.dumps({"sender": name, "sender_id": name, "is_group_chat": True})
        log.user(f"Conversation info (untrusted metadata):\n```json\n{data}\n```\n\n{text}")
    return log


def test_groups_come_only_when_asked_for_and_then_once(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    group().write(folder / "g-1.jsonl")
    desk = Desk()
    assert desk.fresh("openclaw", state_dir=tmp_path, owners=("Ana",)) == []
    assert desk.said("openclaw", state_dir=tmp_path, owners=("Ana",), groups=True) == ["I book the house."]
    assert desk.fresh("openclaw", state_dir=tmp_path, owners=("Ana",), groups=True) == []


def test_a_named_file_may_be_a_group(tmp_path: Path) -> None:
    assert Desk().said(path=group().write(tmp_path / "g.jsonl"), owners=("Ana",)) == ["I book the house."]


@pytest.mark.parametrize("name", ["s.jsonl", "anything.jsonl.txt"])
def test_auto_knows_a_jsonl_file(tmp_path: Path, name: str) -> None:
    path = talk("s-1", "Hello.").write(tmp_path / name)
    assert discover("auto", path=path).source == "jsonl"


def test_auto_knows_the_host_by_its_folders(tmp_path: Path) -> None:
    talk("s-1", "Hello.").write(tmp_path / "agents" / "main" / "sessions" / "s-1.jsonl")
    assert discover("auto", path=tmp_path).source == "openclaw"
    assert discover("auto", path=tmp_path / "agents" / "main").source == "openclaw"
    assert discover("auto", state_dir=tmp_path).source == "openclaw"


def test_the_agent_whose_memory_it_is(tmp_path: Path) -> None:
    talk("s-1", "To main.").write(tmp_path / "agents" / "main" / "sessions" / "s-1.jsonl")
    talk("s-2", "To work.").write(tmp_path / "agents" / "work" / "sessions" / "s-2.jsonl")
    assert Desk().said("openclaw", state_dir=tmp_path) == ["To main."]
    assert Desk().said("openclaw", state_dir=tmp_path, agent="work") == ["To work."]
    with pytest.raises(BadInput, match="no sessions of agent 'home'"):
        discover("openclaw", state_dir=tmp_path, agent="home")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"source": "mail"}, "no source"),
        ({"source": "auto", "path": Path("/nowhere/at/all")}, "does not exist"),
        ({"source": "jsonl"}, "no file given"),
        ({"source": "text"}, "no file given"),
        ({"source": "openclaw", "state_dir": Path("/nowhere/at/all")}, "no OpenClaw state folder"),
        ({"source": "auto", "state_dir": Path("/nowhere"), "home": Path("/nowhere")}, "no conversations found"),
        ({"source": "claude-code", "home": Path("/nowhere")}, "no projects"),
    ],
)
def test_bad_use_is_told_in_one_sentence_with_a_way_out(how: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        discover(**how)  # type: ignore[arg-type]
    assert caught.value.hint


def test_a_host_that_has_not_talked_yet_is_no_error(tmp_path: Path) -> None:
    assert discover("openclaw", state_dir=tmp_path).found == ()
    assert discover("auto", state_dir=tmp_path, home=tmp_path).found == ()


def test_foreign_files_among_the_hosts_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    talk("s-1", "Hello.").write(folder / "s-1.jsonl")
    for name in ("s-1.trajectory.jsonl", "s-1.jsonl.lock", "holiday.csv"):
        (folder / name).write_text("x")
    found = discover("openclaw", state_dir=tmp_path)
    assert [Path(s.where).name for s in found.skipped] == ["holiday.csv"]


def test_sessions_come_oldest_first(tmp_path: Path) -> None:
    import os

    for n in (3, 1, 2):
        os.utime(talk(f"s-{n}", f"Remark {n}.").write(tmp_path / f"s-{n}.jsonl"), (1_772_000_000 + n, 1_772_000_000 + n))
    assert Desk().said("jsonl", path=tmp_path) == ["Remark 1.", "Remark 2.", "Remark 3."]


def test_a_preview_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    os.utime(talk("s-1", "Old.").write(tmp_path / "s-1.jsonl"), (1_600_000_000, 1_600_000_000))
    talk("s-2", "New.").write(tmp_path / "s-2.jsonl")
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("opened"))
    found = discover("jsonl", path=tmp_path, since=datetime(2026, 1, 1, tzinfo=UTC))
    assert (len(found.found), found.older) == (1, 1)
    assert sum(one.size for one in found.found) > 0
