"""The host's SQLite store: of several schemas, being written to, damaged, newer than what is known."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from silo.edge.sources import zstd
from silo.edge.sources.store import Store
from transcript import Desk, Log

V4 = "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, PRIMARY KEY (session_id, seq))"
V23 = """
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, event_zstd BLOB,
  event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, session_scope TEXT, chat_type TEXT, spawned_by TEXT,
  plugin_owner_id TEXT, acp_owned INTEGER DEFAULT 0, hook_external_content_source TEXT);
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, created_via TEXT);
CREATE TABLE memory_session_tombstones (session_id TEXT PRIMARY KEY, agent_id TEXT);
CREATE TABLE transcript_rewrite_watermarks (session_id TEXT PRIMARY KEY, generation TEXT);
CREATE TABLE schema_meta (meta_key TEXT, schema_version INTEGER);
INSERT INTO schema_meta VALUES ('primary', 23);
"""


class Host:
    """A store that a host writes."""

    def __init__(self, state: Path, schema: str = V23) -> None:
        self.path = state / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.executescript(schema)

    def write(self, log: Log, *, key: str = "agent:main:main", start: int = 0, **window: object) -> None:
        for seq, line in enumerate(log.lines):
            if seq >= start:
                self.db.execute(
                    "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", (log.session, seq, line, log.at)
                )
        if "session_windows" in {row[0] for row in self.db.execute("SELECT name FROM sqlite_master")} and not start:
            names = ["session_id", "session_key", *window]
            self.db.execute(
                f"INSERT INTO session_windows ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", (log.session, key, *window.values())
            )


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    with closing(made.db):
        yield made


def talk(session: str = "s-1", *texts: str) -> Log:
    log = Log(session=session, version=4)
    for text in texts or ("I moved to Porto.",):
        log.user(text)
    return log


def test_the_oldest_schema_has_neither_windows_nor_compressed_rows(tmp_path: Path) -> None:
    host = Host(tmp_path, V4)
    host.write(talk())
    host.db.close()
    assert Desk().said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]


def test_rows_that_are_added_are_read_from_where_the_last_run_stood(host: Host, tmp_path: Path) -> None:
    desk, log = Desk(), talk()
    host.write(log)
    assert desk.said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]
    size = len(log.lines)
    log.user("My flat has two rooms.")
    host.write(log, start=size)
    parts = desk.parts("openclaw", state_dir=tmp_path)
    assert [(t.text, t.fresh) for t in parts[0].session.turns] == [("I moved to Porto.", False), ("My flat has two rooms.", True)]
    assert desk.parts("openclaw", state_dir=tmp_path) == []


def test_a_store_that_is_written_to_gives_what_is_committed(host: Host, tmp_path: Path) -> None:
    host.db.execute("PRAGMA journal_mode=WAL")
    host.write(talk("s-1", "Committed."))
    host.db.execute("BEGIN IMMEDIATE")
    host.write(talk("s-2", "Not committed."))
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["Committed."]
    host.db.execute("COMMIT")
    assert desk.said("openclaw", state_dir=tmp_path) == ["Not committed."]


def test_after_a_crash_of_the_host_its_log_is_read_from_a_copy(host: Host, tmp_path: Path) -> None:
    host.db.execute("PRAGMA journal_mode=WAL")
    host.write(talk())
    crashed = tmp_path / "crashed" / "agents" / "main" / "agent"
    crashed.mkdir(parents=True)
    for name in ("", "-wal"):
        (crashed / f"{host.path.name}{name}").write_bytes(host.path.with_name(host.path.name + name).read_bytes())
    before = sorted(p.name for p in crashed.iterdir())
    assert Desk().said("openclaw", state_dir=tmp_path / "crashed") == ["I moved to Porto."]
    assert sorted(p.name for p in crashed.iterdir()) == before


def test_a_store_that_changes_while_it_is_read_is_read_anew(host: Host, tmp_path: Path) -> None:
    host.write(talk())
    store = Store(host.path)
    assert store.query("SELECT count(*) FROM session_windows") == [(1,)]
    host.write(talk("s-2"))
    assert store.query("SELECT count(*) FROM session_windows") == [(2,)]
    store.close()


def test_kinds_come_from_key_windows_and_nodes(host: Host, tmp_path: Path) -> None:
    host.write(talk("main", "Main."))
    host.write(talk("direct", "Direct."), key="agent:main:telegram:direct:12345")
    host.write(talk("cron", "Cron."), key="agent:main:cron:job-1:run:cron")
    host.write(talk("sub", "Sub."), key="agent:main:subagent:abc")
    host.write(talk("spawned", "Spawned."), key="agent:main:work", spawned_by="agent:main:main")
    host.write(talk("api", "Api."), key="agent:main:openai:abc")
    host.write(talk("hook", "Hook."), key="agent:main:inbox", hook_external_content_source="gmail")
    host.write(talk("hook2", "Hook."), key="hook:abc")
    host.write(talk("plugin", "Plugin."), key="agent:main:x", plugin_owner_id="p")
    host.write(talk("acp", "Acp."), key="agent:main:y", acp_owned=1)
    host.write(talk("group", "Group."), key="agent:main:whatsapp:group:1@g.us")
    host.write(talk("channel", "Channel."), key="agent:main:z", chat_type="channel")
    host.write(talk("boot", "Boot."), key="agent:main:boot:1")
    host.write(talk("run", "Run."), key="agent:main:explicit:model-run-1")
    host.write(talk("dream", "Dream."), key="agent:main:dreaming-narrative-light-1")
    host.write(talk("heart", "Heart."), key="agent:main:main:heartbeat")
    host.write(talk("cron2", "Cron."), key="agent:main:nightly")
    host.db.execute("INSERT INTO session_nodes VALUES ('agent:main:nightly', 'cron2', 'cron')")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["Direct.", "Main."]
    assert desk.seen is not None
    assert dict(desk.seen.by_kind) == {
        "main": 1, "direct": 1, "cron": 2, "sub-agent": 2, "api": 1, "hook": 2, "plugin": 2, "group": 2, "boot": 1, "model-run": 1,
        "dreaming": 1, "heartbeat": 1,
    }  # fmt: skip
    assert len(desk.seen.skipped) == 15


def test_sessions_that_the_user_had_forgotten_stay_forgotten(host: Host, tmp_path: Path) -> None:
    host.write(talk("kept", "Kept."))
    host.write(talk("gone", "Gone."))
    host.db.execute("INSERT INTO memory_session_tombstones VALUES ('gone', 'main')")
    talk("gone", "Gone.").write(tmp_path / "agents" / "main" / "sessions" / "gone.jsonl.deleted.2026-03-06T13-00-00.000Z")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["Kept."]
    assert desk.seen is not None
    assert [s.reason for s in desk.seen.skipped] == ["forgotten by the host (memory forget)"] * 2


def test_a_rewritten_transcript_gives_only_what_is_new(host: Host, tmp_path: Path) -> None:
    desk, log = Desk(), talk("s-1", "One.", "Two.")
    host.db.execute("INSERT INTO transcript_rewrite_watermarks VALUES ('s-1', 'a')")
    host.write(log)
    desk.parts("openclaw", state_dir=tmp_path)
    host.db.execute("DELETE FROM transcript_events")
    host.db.execute("UPDATE transcript_rewrite_watermarks SET generation = 'b'")
    rewritten = talk("s-1", "Two.", "Three.")
    rewritten.lines[1] = log.lines[2]
    rewritten.lines[2] = rewritten.lines[2].replace("00000002", "00000003")
    for seq, line in enumerate(rewritten.lines):
        host.db.execute("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s-1', ?, ?, 0)", (seq, line))
    assert desk.said("openclaw", state_dir=tmp_path) == ["Three."]


def test_a_new_command_begins_a_conversation_of_its_own(host: Host, tmp_path: Path) -> None:
    log = talk()
    log.reset("daily")
    log.user("Another day.")
    host.write(log)
    parts = Desk().parts("openclaw", state_dir=tmp_path)
    assert [[t.text for t in part.session.turns] for part in parts] == [["I moved to Porto."], ["Another day."]]


def test_only_the_branch_that_the_host_chose_counts(host: Host, tmp_path: Path) -> None:
    desk, log = Desk(), Log(version=4)
    log.user("Let us plan the trip.")
    second = log.agent("Where to?")
    third = log.user("To Madrid.")
    host.write(log)
    assert desk.said("openclaw", state_dir=tmp_path) == ["Let us plan the trip.", "To Madrid."]
    size = len(log.lines)
    log.raw({"type": "leaf", "id": "l-1", "parentId": third, "timestamp": "2026-03-06T12:00:00.000Z", "targetId": second})
    log.user("To Rome.", parent=second)
    log.user("To Vienna, sorry.", parent="00000004")
    host.write(log, start=size)
    assert desk.said("openclaw", state_dir=tmp_path) == ["To Rome.", "To Vienna, sorry."]
    fresh = Desk()
    assert fresh.said("openclaw", state_dir=tmp_path) == ["Let us plan the trip.", "To Rome.", "To Vienna, sorry."]


def test_a_newer_schema_is_said_and_read_as_far_as_it_can_be(host: Host, tmp_path: Path) -> None:
    host.write(talk())
    host.db.execute("UPDATE schema_meta SET schema_version = 31")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]
    assert desk.seen is not None
    assert "schema 31 is newer than 23" in desk.seen.notes[0]


@pytest.mark.parametrize("content", [b"", b"this is no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_store_is_named_and_the_files_beside_it_are_read(tmp_path: Path, content: bytes) -> None:
    agent = tmp_path / "agents" / "main"
    (agent / "agent").mkdir(parents=True)
    (agent / "agent" / "openclaw-agent.sqlite").write_bytes(content)
    talk().write(agent / "sessions" / "s-1.jsonl")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]
    assert desk.seen is not None
    assert "can't be read" in desk.seen.skipped[0].reason


def test_compressed_rows_are_read_and_damaged_ones_named_and_tried_again(host: Host, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    log = talk("s-1", "First.", "Second.", "Third.")
    host.write(log)
    good = zstandard.ZstdCompressor().compress(log.lines[2].encode())
    host.db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = ? WHERE seq = 2", (good[:-3],))
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["First.", "Third."]
    assert desk.seen is not None
    assert desk.seen.skipped[0].where.endswith("session s-1 seq 2")
    assert "damaged" in desk.seen.skipped[0].reason
    host.db.execute("UPDATE transcript_events SET event_zstd = ? WHERE seq = 2", (good,))
    assert desk.said("openclaw", state_dir=tmp_path) == ["Second."]


def test_compressed_tool_output_needs_no_decoder(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = talk()
    log.tool("x" * 5000)
    host.write(log)
    summary = json.dumps({"version": 1, "navigation": {"message": {"role": "toolResult"}}}, separators=(",", ":"))
    host.db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = x'28', navigation_json = ? WHERE seq = 2", (summary,))
    monkeypatch.setattr(zstd, "_library", lambda: None)
    monkeypatch.setattr(zstd, "_node", lambda: "")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]
    assert desk.seen is not None
    assert desk.seen.skipped == []


# A node of Python: the same protocol, so that the exchange with a child process is tried without one.
NODE = """#!{python}
import struct, sys
out = sys.stdout.buffer
if "Sync" in sys.argv[2]:
    out.write(b"ok\\n"); out.flush()
    while len(head := sys.stdin.buffer.read(4)) == 4:
        data = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
        if data.startswith(b"BAD"):
            out.write(struct.pack("<I", 0xFFFFFFFF))
        else:
            out.write(struct.pack("<I", len(data) - 4) + data[4:])
        out.flush()
else:
    data = sys.stdin.buffer.read()
    if data.startswith(b"BAD"):
        sys.exit(4)
    out.write(data[4:])
"""


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "node"
    script.write_text(NODE.format(python=sys.executable))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(zstd, "_library", lambda: None)
    monkeypatch.setattr(zstd, "_node", lambda: str(script))
    monkeypatch.setattr(zstd, "_program", lambda: "")
    return script


def test_the_hosts_node_decompresses_where_no_library_is(node: Path, host: Host, tmp_path: Path) -> None:
    log = talk("s-1", "First.", "Second.", "Third.")
    host.write(log)
    for seq in (1, 2, 3):
        frame = (b"BAD!" if seq == 2 else b"ZSTD") + log.lines[seq].encode()
        host.db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = ? WHERE seq = ?", (frame, seq))
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["First.", "Third."]
    assert desk.seen is not None
    assert "damaged" in desk.seen.skipped[0].reason


def test_the_hosts_node_decompresses_archives(node: Path, tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    (folder / "s-1.jsonl.deleted.2026-03-06T13-00-00.000Z.0123456789abcdef0123456789abcdef.zst").write_bytes(b"ZSTD" + talk().text.encode())
    (folder / "s-2.jsonl.deleted.2026-03-06T13-00-00.000Z.0123456789abcdef0123456789abcdef.zst").write_bytes(b"BAD!")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["I moved to Porto."]
    assert desk.seen is not None
    assert [skipped.reason for skipped in desk.seen.skipped] == ["damaged compressed data"]


def test_an_old_node_is_named(node: Path, host: Host, tmp_path: Path) -> None:
    node.write_text(f"#!{sys.executable}\nimport sys\nsys.exit(3)\n")
    log = talk("s-1", "First.", "Second.")
    host.write(log)
    host.db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = x'28b52ffd' WHERE seq = 2")
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["First."]
    assert desk.seen is not None
    assert "too old" in desk.seen.skipped[0].reason


@pytest.mark.skipif(shutil.which("zstd") is None, reason="the zstd command is not installed")
def test_the_zstd_command_decompresses_where_neither_library_nor_node_is(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstd, "_library", lambda: None)
    monkeypatch.setattr(zstd, "_node", lambda: "")
    log = talk("s-1", "First.", "Second.", "Third.")
    host.write(log)
    for seq, good in ((1, True), (2, False), (3, True)):
        packed = subprocess.run(["zstd", "-cq"], input=log.lines[seq].encode(), capture_output=True, check=True).stdout
        host.db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = ? WHERE seq = ?", (packed if good else packed[:-9], seq))
    folder = tmp_path / "agents" / "main" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["zstd", "-cq"], input=talk("s-9").text.encode(), capture_output=True, check=True).stdout
    (folder / "s-9.jsonl.deleted.2026-03-06T13-00-00.000Z.0123456789abcdef0123456789abcdef.zst").write_bytes(archive)
    desk = Desk()
    assert sorted(desk.said("openclaw", state_dir=tmp_path)) == ["First.", "I moved to Porto.", "Third."]
    assert desk.seen is not None
    assert "damaged" in desk.seen.skipped[0].reason


def test_archives_that_lie_in_the_store_alone_are_read(host: Host, tmp_path: Path) -> None:
    host.db.executescript(
        """CREATE TABLE session_transcript_archives (session_id TEXT, generation TEXT, session_key TEXT, reason TEXT, encoding TEXT,
             archive_blob BLOB, archive_name TEXT, created_at INTEGER);
           CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, archive_name TEXT, archive_blob BLOB)"""
    )
    for n, key in enumerate(("agent:main:scratch", "agent:main:cron:x")):
        log = talk(f"gone-{n}", f"Deleted {n}.")
        host.db.execute(
            "INSERT INTO session_transcript_archives VALUES (?, 'g', ?, 'deleted', 'identity', ?, ?, 0)",
            (log.session, key, log.text.encode(), f"{log.session}.jsonl.deleted.2026-03-06T13-00-00.000Z"),
        )
    desk = Desk()
    assert desk.said("openclaw", state_dir=tmp_path) == ["Deleted 0."]
    assert desk.parts("openclaw", state_dir=tmp_path) == []


def test_cold_storage_is_read_under_its_session(host: Host, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    name = "a" * 64 + ".jsonl.zst"
    host.db.execute("CREATE TABLE session_transcript_cold_archives (session_id TEXT PRIMARY KEY, archive_name TEXT, archive_blob BLOB)")
    host.db.execute("INSERT INTO session_transcript_cold_archives VALUES ('s-cold', ?, NULL)", (name,))
    host.db.execute("INSERT INTO session_windows (session_id, session_key) VALUES ('s-cold', 'agent:main:main')")
    cold = tmp_path / "agents" / "main" / "sessions" / "cold" / name
    cold.parent.mkdir(parents=True)
    cold.write_bytes(zstandard.ZstdCompressor().compress(talk("s-cold", "From the cold.").text.encode()))
    parts = Desk().parts("openclaw", state_dir=tmp_path)
    assert [(part.session.id, part.session.key, part.fresh) for part in parts] == [("s-cold", "agent:main:main", 1)]
