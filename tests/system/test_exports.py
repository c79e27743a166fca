"""Exports of ChatGPT and Claude as sessions: the branch that was last open, each message once, whatever file it comes in."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from silo.cli import extract, memory
from silo.formats.events import parse_file

T = 1767225600.0  # 2026-01-01 00:00 UTC


def node(ident: str, parent: str | None, children: list[str], role: str = "", text: str = "", at: float = T, **more: Any) -> dict[str, Any]:
    message = None
    if role:
        content = {"content_type": more.pop("content_type", "text"), "parts": [text]}
        message = {"id": f"m-{ident}", "author": {"role": role}, "create_time": at, "content": content, "recipient": more.pop("recipient", "all"), "metadata": more}
    return {"id": ident, "message": message, "parent": parent, "children": children}


def chatgpt(*extra: dict[str, Any]) -> list[dict[str, Any]]:
    nodes = [
        node("root", None, ["sys"]),
        node("sys", "root", ["u0"], "user", "I live in Faro and my PIN habits are none of yours", is_user_system_message=True),
        node("u0", "sys", ["a-old", "a1"], "user", "We decided to use Mollie for the boat rental payments, not Stripe."),
        node("a-old", "u0", [], "assistant", "Stripe then."),
        node("a1", "u0", ["u-old", "u1", "t1"], "assistant", "Noted: Mollie.", T + 60),
        node("t1", "a1", [], "assistant", "search('x')", recipient="browser"),
        node("u-old", "a1", [], "user", "We decided to sell the red boat.", T + 120),
        node("u1", "a1", [], "user", "The harbour office moved to Olhão on 2026-01-02.", T + 180),
        *extra,
    ]
    current = nodes[-1]["id"]
    return [{"title": "Boats", "conversation_id": "c-1", "create_time": T, "update_time": T + 180, "mapping": {n["id"]: n for n in nodes}, "current_node": current}]


def claude() -> list[dict[str, Any]]:
    def row(ident: str, parent: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
        content = [{"type": "thinking", "thinking": "We decided nothing"}, {"type": "text", "text": text}]
        return {"uuid": ident, "parent_message_uuid": parent, "sender": sender, "text": "", "content": content, "created_at": "2026-01-01T10:00:00.123456Z", **more}

    rows = [
        row("k1", "00000000-0000-4000-8000-000000000000", "human", "We decided to paint the kitchen green.", attachments=[{"extracted_content": "We decided to buy a horse."}]),
        row("k2", "k1", "assistant", "Green it is."),
        row("k3", "k2", "human", "We decided to move to Spain."),
        row("k4", "k2", "human", "We decided to keep the old oven."),
    ]
    return [{"uuid": "d-1", "name": "Kitchen", "created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-01T10:05:00Z", "chat_messages": rows, "current_leaf_message_uuid": "k4"}]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENCLAW_STATE_DIR", raising=False)
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    return root


def read(root: Path, path: Path, *args: str) -> int:
    return extract.main(["--workspace", str(root), "--path", str(path), "--today", "2026-01-10", *args])


def said(root: Path) -> list[str]:
    return [e.text for p in sorted((root / "memory" / "events").glob("*.md")) for e in parse_file(p.read_text(encoding="utf-8"), p.name).events]


@pytest.mark.parametrize("source", ["chatgpt", "auto"])
def test_chatgpt_is_read_along_the_open_branch(home: Path, source: str) -> None:
    path = home.parent / "conversations.json"
    path.write_text(json.dumps(chatgpt()))
    assert read(home, path, "--source", source) == 0
    text = " ".join(said(home))
    assert "Mollie" in text
    assert "Olhão" in text
    assert not [word for word in ("red boat", "Faro", "search(") if word in text]
    log = (home / "memory/events/2026-01-01.md").read_text(encoding="utf-8")
    assert "src:chatgpt/c-1#m-u0" in log


@pytest.mark.parametrize("source", ["claude", "auto"])
def test_claude_is_read_along_the_open_branch(home: Path, source: str) -> None:
    path = home.parent / "conversations.json"
    path.write_text(json.dumps(claude()))
    assert read(home, path, "--source", source) == 0
    text = " ".join(said(home))
    assert "green" in text
    assert "oven" in text
    assert not [word for word in ("Spain", "horse", "nothing") if word in text]


def test_a_later_export_brings_only_what_is_new(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home.parent / "conversations.json"
    path.write_text(json.dumps(chatgpt()))
    assert read(home, path, "--source", "chatgpt") == 0
    first = said(home)
    assert read(home, path, "--source", "chatgpt") == 0
    assert said(home) == first
    later = home.parent / "later.zip"
    more = node("u2", "u1", [], "user", "We decided to insure both boats with Fidelidade.", T + 86400)
    with zipfile.ZipFile(later, "w") as pack:
        pack.writestr("export/conversations.json", json.dumps(chatgpt(more)))
        pack.writestr("export/user.json", "{}")
    assert read(home, later, "--source", "chatgpt") == 0
    new = [text for text in said(home) if text not in first]
    assert len(new) == 1
    assert "Fidelidade" in new[0]


def test_why_leads_back_to_the_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = home.parent / "export"
    folder.mkdir()
    (folder / "conversations.json").write_text(json.dumps(claude()))
    assert read(home, folder) == 0
    day = parse_file((home / "memory/events/2026-01-01.md").read_text(encoding="utf-8"), "memory/events/2026-01-01.md")
    capsys.readouterr()
    assert memory.main(["why", day.events[0].id, "--workspace", str(home)]) == 0
    assert "We decided to paint the kitchen green." in capsys.readouterr().out


@pytest.mark.parametrize(("name", "text", "source"), [("conversations.json", "{broken", "chatgpt"), ("conversations.json", "[]", "claude"), ("x.zip", "no zip", "claude")])
def test_what_is_no_export_is_named(home: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, source: str) -> None:
    path = home.parent / name
    path.write_text(text)
    assert read(home, path, "--source", source) == 0
    told = capsys.readouterr()
    assert name in told.out + told.err
    assert not (home / "memory").exists()
    assert read(home, home.parent / "nowhere.json", "--source", source) == 2
