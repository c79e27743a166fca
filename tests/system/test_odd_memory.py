"""A MEMORY.md that is odd: every command gives a clear answer, nothing is harmed, and no secret gets anywhere new."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo.cli import curate, memory, migrate

SECRETS = (
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "hunter2-Correct!Horse",
    "sk-" + "proj-Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0",
)
FULL = f"""# MEMORY.md

## Access
- GitHub token: {SECRETS[0]}
- AWS: {SECRETS[1]}
- password: {SECRETS[2]}

## Deploy
```bash
export OPENAI_API_KEY={SECRETS[3]}
make ship
```

## Boat {SECRETS[0]}
- token: {SECRETS[0]}
- planks chosen on 2026-03-02
- waiting on the carpenter

| service | password |
|---|---|
| mail | {SECRETS[2]} |

Ana Sousa leads the yard, her password: {SECRETS[2]}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("OPENCLAW_STATE_DIR", raising=False)
    monkeypatch.setenv("TZ", "UTC")
    root = tmp_path / "ws"
    root.mkdir()
    return root


def run(root: Path, *args: str) -> int:
    return migrate.main([args[0], "--workspace", str(root), "--today", "2026-04-10", *args[1:]])


def cli(root: Path, *args: str) -> int:
    return memory.main([args[0], "--workspace", str(root), "--today", "2026-04-10", *args[1:]])


def everything(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


@pytest.mark.parametrize("step", ["plan", "apply", "verify"])
def test_a_link_out_of_the_workspace_is_refused(home: Path, capsys: pytest.CaptureFixture[str], step: str) -> None:
    outside = home.parent / "outside.md"
    outside.write_text(FULL)
    (home / "MEMORY.md").symlink_to(outside)
    assert run(home, step) == 2
    told = capsys.readouterr()
    assert "MEMORY.md" in told.err
    assert "NEXT" in told.err
    assert not any(secret in told.out + told.err for secret in SECRETS)
    assert outside.read_text() == FULL
    assert not (home / "memory").exists()
    assert cli(home, "context") in (0, 2)
    assert cli(home, "retrieve", "planks") in (0, 2)
    assert b"planks" not in b"".join(everything(home / ".silo").values())


@pytest.mark.parametrize("step", ["plan", "apply", "verify"])
def test_a_folder_is_refused(home: Path, capsys: pytest.CaptureFixture[str], step: str) -> None:
    (home / "MEMORY.md").mkdir()
    assert run(home, step) == 2
    assert "MEMORY.md is a folder, not a file" in capsys.readouterr().err
    assert [p.name for p in home.iterdir() if p.name != ".silo"] == ["MEMORY.md"]
    for verb in (("status",), ("context",), ("retrieve", "boat")):
        assert cli(home, *verb) == 0
    assert cli(home, "doctor") == 3
    assert "MEMORY.md" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff"])
def test_an_empty_file_has_nothing_to_organise(home: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    (home / "MEMORY.md").write_text(content)
    for step in ("plan", "apply", "verify"):
        assert run(home, step) == 0
    assert "is empty" in capsys.readouterr().out
    assert (home / "MEMORY.md").read_text() == content
    assert not (home / "memory").exists()


def test_five_megabytes_are_organised_and_brought_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = "- plank {0} chosen on 2026-03-02, {0} euros, from the yard by the river where the boats lie in winter\n"
    parts = [f"## Boat {n}\n" + "".join(item.format(m) for m in range(n, 50_000, 40)) + "- waiting on the carpenter\n\n" for n in range(40)]
    text = "# MEMORY.md\n\n" + "".join(parts)
    assert len(text) > 5_000_000
    (home / "MEMORY.md").write_text(text)
    assert run(home, "apply", "--yes") == 0
    assert "lines accounted for" in capsys.readouterr().out
    assert len((home / "MEMORY.md").read_text().splitlines()) < 40
    assert run(home, "verify") in (0, 1)  # 1: active.md is over its target
    assert "lost" not in capsys.readouterr().err
    assert cli(home, "undo", "--last", "--yes") == 0
    assert (home / "MEMORY.md").read_text() == text


@pytest.mark.parametrize("flag", [(), ("--redact-secrets",)])
def test_a_file_full_of_secrets_gives_none_away(home: Path, capsys: pytest.CaptureFixture[str], flag: tuple[str, ...]) -> None:
    (home / "MEMORY.md").write_text(FULL)
    for args in (("plan",), ("plan", "--json"), ("plan", "--diff"), ("apply", "--dry-run"), ("apply", "--yes"), ("verify", "--rows")):
        run(home, *args, *flag)
    assert curate.main(["--workspace", str(home), "--today", "2026-04-10", "--scheduled"]) == 0
    for verb in (("retrieve", "token"), ("retrieve", "password mail"), ("context", "--full"), ("log",), ("diff",), ("doctor",), ("undo", "--last", "--dry-run")):
        assert cli(home, *verb) in (0, 1)
    told = capsys.readouterr()
    assert [secret for secret in SECRETS if secret in told.out + told.err] == []
    copies = (".silo/runs/", ".silo/base/MEMORY.md")
    for path, data in everything(home).items():
        if path == "MEMORY.md" and not flag:
            continue
        found = [secret for secret in SECRETS if secret.encode() in data]
        assert found == [] or (path.startswith(copies) and not path.endswith("manifest.json")), path
    assert cli(home, "undo", "--last", "--yes") == 0
    told = capsys.readouterr()
    assert [secret for secret in SECRETS if secret in told.out + told.err] == []
    assert (home / "MEMORY.md").read_text() == FULL
