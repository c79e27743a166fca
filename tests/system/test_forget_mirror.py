"""`forget` where a mirror holds the memory: its rows and files lose the words at once, or as soon as it can be reached."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Home
from fake_turso import FakeTurso
from forgetting import held

pytest.importorskip("cryptography")
TOKEN = "made-up-" + "token-of-this-test"
SECRET = "Duarte keeps the spare key under the blue flowerpot"


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeTurso]:
    (tmp_path / "server").mkdir()
    with FakeTurso(tmp_path / "server" / "remote.db", TOKEN) as server:
        yield server


def device(tmp_path: Path, fake: FakeTurso) -> Home:
    bare = Home(tmp_path / "w", "2026-03-10")
    bare.run("init")
    bare.run("store", "--text", "The gate squeaks.", "--tag", "FACT")
    key = (bare.root / ".silo/key").read_text().strip()  # what `init --mirror` prints for the other devices
    home = Home(bare.root, bare.today, (("SILO_PASSPHRASE", key), ("TURSO_URL", fake.url), ("TURSO_TOKEN", TOKEN)))
    home.topic("house", "- The roof is new. <!-- f_00000000000a -->", kind="personal")
    home.on("2024-03-10").run("store", "--text", f"{SECRET}.", "--topic", "house", "--tag", "EVENT")
    home.run("store", "--text", "The pump is green.", "--topic", "house", "--tag", "FACT")
    home.run("sync-critical")
    return home


def remote(fake: FakeTurso) -> str:
    return str(fake.rows("SELECT * FROM cold_memories"))


def test_its_rows_and_the_servers_file_lose_the_words(tmp_path: Path, fake: FakeTurso) -> None:
    home = device(tmp_path, fake)
    assert SECRET in remote(fake)
    home.run("forget", "--query", "spare key", "--yes")
    assert SECRET not in remote(fake)
    assert held(home.root, SECRET) == {}
    assert held(tmp_path / "server", SECRET) == {}
    assert not home.data("cold", "--query", "spare key")["results"]
    other = Home(tmp_path / "other", "2026-03-11", home.env)
    other.run("restore", "--from-mirror")
    assert held(other.root, SECRET) == {}
    assert "forgotten" in other.run("store", "--text", f"{SECRET}.", "--tag", "FACT", code=2)


def test_a_mirror_that_is_down_is_told_later(tmp_path: Path, fake: FakeTurso) -> None:
    home = device(tmp_path, fake)
    gone = Home(home.root, home.today, tuple((k, "http://127.0.0.1:9" if k == "TURSO_URL" else v) for k, v in home.env))
    said = gone.run("forget", "--query", "spare key", "--yes")
    assert "mirror" in said
    assert held(home.root, SECRET) == {}
    assert SECRET in remote(fake)
    home.run("sync-critical")
    assert SECRET not in remote(fake)
    assert held(tmp_path / "server", SECRET) == {}
