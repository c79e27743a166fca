"""`migrate_memory.py` as a person or an agent calls it: plan, apply, verify, undo, secrets, the host's ledger."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from silo.cli import memory, migrate

FLAT = """# MEMORY.md

## About my human
- Name: Renske Vaal, goes by Ren
- Timezone Europe/Amsterdam

## Rules
- Never send mail without showing the draft first
- NO_REPLY when nothing is due

## Kiln upgrade
- quote accepted 2026-03-02, 1,870 for the controller
- old elements sold to the school
- waiting on the electrician

## Deploy
```bash
# build
make image
```

## History
- 2026-01-12: first conversation
"""
SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace of its own, and a host without state."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENCLAW_STATE_DIR", raising=False)
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    return root


def run(root: Path, *args: str) -> int:
    return migrate.main([args[0], "--workspace", str(root), "--today", "2026-04-10", *args[1:]])


def files(root: Path) -> dict[str, str]:
    seen = [*root.glob("MEMORY*.md"), *(root / "memory").rglob("*")]
    return {
        p.relative_to(root).as_posix(): p.read_text(encoding="utf-8", errors="surrogateescape")
        for p in seen
        if p.is_file()
    }


def test_plan_tells_and_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "plan", "--json") == 0
    plan = json.loads(capsys.readouterr().out)
    tiers = {s["heading"]: s["tier"] for s in plan["sections"]}
    assert tiers["Rules"] == "directive"
    assert tiers["Deploy"] == "protocols"
    assert tiers["Kiln upgrade"] == "active"
    assert {e["id"] for e in plan["entities"]} >= {"p_renske_vaal", "proj_kiln_upgrade"}
    assert files(home) == {"MEMORY.md": FLAT}
    assert run(home, "plan") == 0
    said = capsys.readouterr().out
    assert "memory/topics/kiln-upgrade.md" in said
    assert "NEXT migrate_memory.py apply" in said


def test_apply_verify_apply_again_undo(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--yes") == 0
    after = files(home)
    assert "- Never send mail without showing the draft first\n" in after["MEMORY.md"]
    assert "NO_REPLY when nothing is due" in after["MEMORY.md"]
    assert "Kiln" not in after["MEMORY.md"]
    assert "```bash\n# build\nmake image\n```\n" in after["memory/protocols.md"]
    assert "- waiting on the electrician\n" in after["memory/active.md"]
    assert (
        "- quote accepted 2026-03-02, 1,870 for the controller <!-- f_"
        in after["memory/topics/kiln-upgrade.md"]
    )
    assert "since:2026-03-02" in after["memory/topics/kiln-upgrade.md"]
    assert "kiln-upgrade | project |" in after["memory/index.md"]
    assert run(home, "verify") == 0
    assert "OK verified" in capsys.readouterr().out
    assert run(home, "apply", "--yes") == 0
    assert files(home) == after
    assert memory.main(["undo", "--workspace", str(home), "--last", "--yes"]) == 0
    assert files(home) == {"MEMORY.md": FLAT}
    assert run(home, "verify") == 0
    assert "taken back" in capsys.readouterr().out


def test_without_yes_and_without_a_terminal_nothing_is_written(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply") == 0
    assert files(home) == {"MEMORY.md": FLAT}
    assert "--yes" in capsys.readouterr().out


def test_a_dry_run_shows_the_diff_and_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--dry-run") == 0
    assert "+++ b/memory/protocols.md" in capsys.readouterr().out
    assert files(home) == {"MEMORY.md": FLAT}


def test_lines_typed_later_are_picked_up(home: Path) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    run(home, "apply", "--yes")
    text = (home / "MEMORY.md").read_text()
    (home / "MEMORY.md").write_text(text + "\n## Done\n- 2026-04-02 web shop closed\n")
    before = files(home)["memory/archive.md"]
    assert run(home, "apply", "--yes") == 0
    after = files(home)
    assert after["MEMORY.md"].rstrip("\n") == text.rstrip("\n")
    assert after["memory/archive.md"] == before + "\n## Done\n- 2026-04-02 web shop closed\n"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "does not exist"), ("", "is empty"), (" \n\n", "is empty")]
)
def test_nothing_to_organise(
    home: Path, content: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (home / "MEMORY.md").write_text(content)
    assert run(home, "plan") == 0
    assert run(home, "apply", "--yes") == 0
    assert said in capsys.readouterr().out


def test_a_folder_or_a_link_out_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = home.parent / "outside.md"
    outside.write_text(FLAT)
    (home / "MEMORY.md").symlink_to(outside)
    assert run(home, "apply", "--yes") == 2
    (home / "MEMORY.md").unlink()
    (home / "MEMORY.md").mkdir()
    assert run(home, "apply", "--yes") == 2
    assert capsys.readouterr().err.count("PROBLEM") == 2
    assert outside.read_text() == FLAT


def test_damaged_markers_stop_it_and_name_the_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FLAT + "<!-- silo:router:begin -->\n"
    (home / "MEMORY.md").write_text(text)
    assert run(home, "apply", "--yes") == 2
    assert f"MEMORY.md:{text.count(chr(10))} damaged-block" in capsys.readouterr().err
    assert files(home) == {"MEMORY.md": text}


def test_another_agent_has_a_file_of_its_own(home: Path) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    (home / "MEMORY-iris.md").write_text(
        "# Iris\n\n## Rules\n- Never shout\n\n## Done\n- 2026-01-01 moved in\n"
    )
    assert migrate.main(["apply", "--workspace", str(home), "--agent-id", "iris", "--yes"]) == 0
    after = files(home)
    assert after["MEMORY.md"] == FLAT
    assert "--agent-id iris" in after["MEMORY-iris.md"]
    assert "- Never shout" in after["MEMORY-iris.md"]


# --- secrets ----------------------------------------------------------------------------------------------


def holders(root: Path) -> list[str]:
    return sorted(
        p.relative_to(root).as_posix()
        for p in root.rglob("*")
        if p.is_file() and SECRET.encode() in p.read_bytes()
    )


def test_a_line_with_a_secret_stays_and_goes_nowhere(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        FLAT + f"\n## Boat {SECRET}\n- token: {SECRET}\n- planks chosen\n- paint chosen, blue\n- mast sold\n"
    )
    (home / "MEMORY.md").write_text(text)
    number = text[: text.index(f"- token: {SECRET}")].count("\n") + 1
    assert run(home, "plan") == 0
    assert run(home, "plan", "--json") == 0
    assert run(home, "plan", "--diff") == 0
    assert run(home, "apply", "--dry-run") == 0
    assert run(home, "apply", "--yes") == 0
    assert run(home, "verify", "--rows") == 0
    told = capsys.readouterr()
    assert SECRET not in told.out + told.err
    assert f"{number - 1}, {number} hold a secret" in told.out
    assert f"- token: {SECRET}\n" in files(home)["MEMORY.md"]
    kept = [path for path in holders(home) if path != "MEMORY.md"]
    assert all(
        path.startswith((".silo/runs/", ".silo/base/MEMORY.md")) and not path.endswith("manifest.json")
        for path in kept
    ), kept


def test_redact_secrets_moves_the_line_with_a_placeholder(home: Path) -> None:
    (home / "MEMORY.md").write_text(FLAT.replace("make image", f"make image TOKEN={SECRET}"))
    assert run(home, "apply", "--yes", "--redact-secrets") == 0
    assert "TOKEN=[REDACTED:" in files(home)["memory/protocols.md"]
    assert all(path.startswith(".silo/runs/") for path in holders(home))


# --- the host's ledger ------------------------------------------------------------------------------------


def know(home: Path, monkeypatch: pytest.MonkeyPatch, *, broken: bool = False) -> None:
    """A host state whose ledger knows MEMORY.md of this workspace."""
    state = home.parent / "state"
    (state / "state").mkdir(parents=True)
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))
    file = state / "state" / "openclaw.sqlite"
    if broken:
        file.write_bytes(b"no database at all, and longer than the magic string of one" * 40)
        return
    key = ":".join(hashlib.sha256(part.encode()).hexdigest() for part in (str(home.resolve()), "MEMORY.md"))
    row = {
        "version": 1,
        "relativePath": "MEMORY.md",
        "fileHash": "0" * 64,
        "originClass": "agent",
        "observedAt": 1,
        "reservationId": "x",
    }
    with sqlite3.connect(file) as db:
        db.execute(
            "CREATE TABLE plugin_state_entries (plugin_id TEXT, namespace TEXT, entry_key TEXT, value_json TEXT, created_at INTEGER, expires_at INTEGER)"
        )
        db.execute(
            "INSERT INTO plugin_state_entries VALUES (?,?,?,?,1,NULL)",
            ("core:memory-artifact-provenance", "workspace-files", key, json.dumps(row)),
        )
    db.close()


@pytest.mark.parametrize("broken", [False, True])
def test_a_file_that_the_host_knows_is_handed_over(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], broken: bool
) -> None:
    know(home, monkeypatch, broken=broken)
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--yes") == 0
    said = capsys.readouterr().out
    assert "waiting for the agent" in said
    assert "using your own write tool" in said
    first = files(home)
    assert first["MEMORY.md"] == FLAT
    assert "memory/protocols.md" in first
    assert run(home, "apply", "--yes") == 0
    assert run(home, "verify") == 0
    assert "waiting for the agent" in capsys.readouterr().out
    assert files(home) == first
    assert memory.main(["context", "--workspace", str(home)]) == 0
    assert "Replace the whole content of MEMORY.md" in capsys.readouterr().out
    content = next((home / ".silo" / "handover").glob("*.md")).read_text()
    (home / "MEMORY.md").write_text(content.rstrip("\n"))  # the agent's tool leaves the last newline out
    assert run(home, "apply", "--yes") == 0
    assert not list((home / ".silo" / "handover").glob("*"))
    assert run(home, "verify") == 0
    assert "OK verified" in capsys.readouterr().out


def test_a_file_changed_meanwhile_is_planned_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, monkeypatch)
    (home / "MEMORY.md").write_text(FLAT)
    run(home, "apply", "--yes")
    old = sorted(p.name for p in (home / ".silo" / "handover").glob("*"))
    before = files(home)
    (home / "MEMORY.md").write_text(FLAT + "- 2026-04-01: second kiln ordered\n")
    assert run(home, "apply", "--yes") == 0
    new = sorted(p.name for p in (home / ".silo" / "handover").glob("*"))
    after = files(home)
    assert len(new) == 2
    assert not set(old) & set(new)
    assert after["memory/archive.md"] == before["memory/archive.md"] + "- 2026-04-01: second kiln ordered\n"
    assert {p: t for p, t in after.items() if p not in ("MEMORY.md", "memory/archive.md")} == {
        p: t for p, t in before.items() if p not in ("MEMORY.md", "memory/archive.md")
    }


def test_a_hand_over_holds_no_secret(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, monkeypatch)
    (home / "MEMORY.md").write_text(FLAT + f"\n## Access\n- token: {SECRET}\n- safe is in the cellar\n")
    assert run(home, "apply", "--yes") == 0
    folder = home / ".silo" / "handover"
    content = next(folder.glob("*.md")).read_text()
    number = (home / "MEMORY.md").read_text().split("\n").index(f"- token: {SECRET}") + 1
    assert f"<!-- keep line {number} of the present file -->" in content
    assert all(path == "MEMORY.md" or path.startswith(".silo/runs/") for path in holders(home))
    done = content.replace(f"<!-- keep line {number} of the present file -->", f"- token: {SECRET}")
    (home / "MEMORY.md").write_text(done)
    assert run(home, "verify") == 0
    assert run(home, "apply", "--yes") == 0
    assert not list(folder.glob("*"))


def undo(home: Path, *args: str) -> int:
    return memory.main(["undo", *(args or ("--last",)), "--yes", "--workspace", str(home), "--today", "2026-04-10"])


def hand(home: Path) -> None:
    """What the agent does: the hand-over's content into MEMORY.md, its last newline lost, kept lines from the present file."""
    content = next((home / ".silo" / "handover").glob("*.md")).read_text()
    present = (home / "MEMORY.md").read_text().split("\n")
    for number, line in enumerate(present, 1):
        content = content.replace(f"<!-- keep line {number} of the present file -->", line)
    (home / "MEMORY.md").write_text(content.rstrip("\n"))


@pytest.mark.parametrize("secret", ["", f"\n## Access\n- token: {SECRET}\n- safe is in the cellar\n"])
def test_undo_after_a_hand_over_hands_the_old_file_back(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], secret: str
) -> None:
    know(home, monkeypatch)
    (home / "MEMORY.md").write_text(FLAT + secret)
    assert run(home, "apply", "--yes") == 0
    hand(home)
    assert run(home, "apply", "--yes") == 0
    organised = files(home)
    capsys.readouterr()
    applied = json.loads(_out(capsys, memory.main, ["log", "--json", "--workspace", str(home)]))["runs"][-1]["id"]
    assert undo(home, applied) == 0
    assert "waiting for the agent" in capsys.readouterr().out
    assert files(home) == organised
    assert not [p for p in holders(home) if p != "MEMORY.md" and not p.startswith(".silo/runs/")]
    assert undo(home, applied) == 0  # asked again before the agent has done it: the same answer
    assert files(home) == organised
    hand(home)
    assert undo(home, applied) == 0
    assert files(home) == {"MEMORY.md": (FLAT + secret).rstrip("\n")}
    assert not list((home / ".silo" / "handover").glob("*"))


def _out(capsys: pytest.CaptureFixture[str], main: Callable[[list[str]], int], args: list[str]) -> str:
    assert main(args) == 0
    return capsys.readouterr().out


def test_undo_where_the_agent_never_wrote_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, monkeypatch)
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--yes") == 0
    assert undo(home) == 0
    assert files(home) == {"MEMORY.md": FLAT}


def test_undo_of_a_file_that_the_host_came_to_know_is_handed_over(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--yes") == 0
    organised = files(home)
    know(home, monkeypatch)
    assert undo(home) == 0
    assert "using your own write tool" in capsys.readouterr().out
    assert files(home) == organised
    hand(home)
    assert undo(home) == 0
    assert files(home) == {"MEMORY.md": FLAT.rstrip("\n")}
    assert not list((home / ".silo" / "handover").glob("*"))


def test_lines_written_since_come_along_when_the_old_file_is_handed_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, monkeypatch)
    (home / "MEMORY.md").write_text(FLAT)
    assert run(home, "apply", "--yes") == 0
    hand(home)
    (home / "MEMORY.md").write_text((home / "MEMORY.md").read_text() + "\n- a new line\n")
    assert undo(home) == 0
    hand(home)
    assert undo(home) == 0
    assert files(home) == {"MEMORY.md": FLAT + "\n- a new line"}
