"""The transcripts of two real hosts: what people said in them, each once, and nothing of what machines wrote."""

from __future__ import annotations

import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from silo.edge.sources import zstd
from silo.model import Origin
from transcript import Desk

SAMPLES = Path(__file__).parent.parent / "data" / "openclaw"
SAID = {
    "My cat is called Mochi. Mochi has a vet appointment on December 3rd at 10:00 with Dr. Silva.",
    "I moved to Lisbon last week, please remember it.",
    "Please list the workspace files.",
    "I prefer metric units, always.",
    "New session: I am allergic to peanuts.",
    "Please spawn a helper for this.",
    "Scratch session: my sister Ana lives in Porto.",
}
pytest.importorskip("zstandard")


@pytest.mark.parametrize("version", ["2026.9.6", "2026.7.1"])
def test_every_statement_once_and_nothing_of_machines(version: str) -> None:
    desk = Desk()
    parts = desk.parts("openclaw", state_dir=SAMPLES / version)
    turns = [turn for part in parts for turn in part.session.turns if turn.fresh]
    owner = [turn.text for turn in turns if turn.origin is Origin.OWNER]
    assert sorted(owner) == sorted(SAID)
    agent = "\n".join(turn.text for turn in turns if turn.origin is not Origin.OWNER)
    for foreign in ("Child result", "NO_REPLY", "HEARTBEAT", "[cron:", "Subagent", "tokensBefore", "drwx", "Tool tool_call not found"):
        assert foreign not in agent
    assert desk.seen is not None
    assert any("cron session" in skipped.reason for skipped in desk.seen.skipped)
    assert all(part.session.source == "openclaw" for part in parts)


@pytest.mark.parametrize("version", ["2026.9.6", "2026.7.1"])
def test_a_second_run_reads_nothing(version: str) -> None:
    desk = Desk()
    desk.parts("openclaw", state_dir=SAMPLES / version)
    assert desk.parts("openclaw", state_dir=SAMPLES / version) == []


def test_a_store_is_left_as_it_was(tmp_path: Path) -> None:
    state = tmp_path / "state"
    shutil.copytree(SAMPLES / "2026.9.6", state)
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in state.rglob("*") if p.is_file()}
    Desk().parts("openclaw", state_dir=state)
    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in state.rglob("*") if p.is_file()} == before


def test_times_are_the_users() -> None:
    turns = Desk(zone=ZoneInfo("Asia/Tokyo")).fresh("openclaw", state_dir=SAMPLES / "2026.9.6")
    assert turns[0].at.isoformat().startswith("2026-11-30T05:45:00")


def test_sidecars_are_never_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = Path.open

    def spy(self: Path, *args: object, **kwargs: object) -> object:
        opened.append(self.name)
        return real(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "open", spy)
    Desk().parts("openclaw", state_dir=SAMPLES / "2026.7.1")
    assert not [name for name in opened if "trajectory" in name]


def test_an_upgraded_host_gives_each_remark_once(tmp_path: Path) -> None:
    """After the host's import the same session lies in the store, in the import archive and as a leftover file."""
    state = tmp_path / "agents" / "main"
    shutil.copytree(SAMPLES / "2026.7.1" / "agents" / "main", state)
    live = next((state / "sessions").glob("c8030102*.jsonl"))
    archive = state / "session-sqlite-import-archive"
    archive.mkdir()
    shutil.copy(live, archive / f"agent_main_main.{live.name}.imported-1795985401741")
    shutil.copy(live, live.with_name(live.name + ".bak.2026-11-29T20-55-00.000Z"))
    assert sorted(Desk().said("openclaw", state_dir=tmp_path)) == sorted(SAID)


def test_without_a_decoder_the_rest_is_read_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zstd, "_library", lambda: None)
    monkeypatch.setattr(zstd, "_node", lambda: "")
    monkeypatch.setattr(zstd, "_program", lambda: "")
    desk = Desk()
    said = desk.said("openclaw", state_dir=SAMPLES / "2026.9.6")
    assert sorted(said) == sorted(SAID - {"Scratch session: my sister Ana lives in Porto."})
    assert desk.seen is not None
    assert any("zstandard" in skipped.reason for skipped in desk.seen.skipped)
