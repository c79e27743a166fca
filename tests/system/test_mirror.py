"""The mirror as its commands use it: sent, restored to the byte, merged between devices, refused where it would lose or leak."""

from __future__ import annotations

import atexit
import builtins
import json
import random
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command import Home
from fake_turso import FakeTurso
from silo.edge.cold.hrana import Hrana
from silo.edge.cold.turso import TursoCold
from silo.formats.events import parse_file

pytest.importorskip("cryptography")
TOKEN = "made-up-" + "token-of-this-test"
PHRASE = "c0ffee" * 10 + "beef"  # a key: a passphrase costs a tenth of a second each time
OWN = (".silo/runs", ".silo/state", ".silo/locks", ".silo/base", ".silo/index", ".silo/cold", ".silo/mirror", ".silo/key", ".silo/.gitignore", "state")


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeTurso]:
    with FakeTurso(tmp_path / "remote.db", TOKEN) as server:
        yield server


def device(tmp_path: Path, name: str, fake: FakeTurso | None = None, phrase: str = PHRASE, today: str = "2026-03-10") -> Home:
    root = tmp_path / name
    root.mkdir(exist_ok=True)
    env = {"SILO_PASSPHRASE": phrase} if phrase else {}
    if fake is not None:
        env |= {"TURSO_URL": fake.url, "TURSO_TOKEN": TOKEN}
    return Home(root, today, tuple(env.items()))


def state_of(home: Home) -> dict[str, bytes]:
    """Every file that a mirror carries."""
    files = {path.relative_to(home.root).as_posix(): path for path in sorted(home.root.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith(OWN)}


_MADE: list[Path] = []


def lived(home: Home) -> Home:
    """A memory with something of everything in it; made once, then copied."""
    if not _MADE:
        _MADE.append(Path(tempfile.mkdtemp(prefix="silo-lived-")))
        atexit.register(shutil.rmtree, _MADE[0], ignore_errors=True)
        _make(Home(_MADE[0], home.today))
    shutil.copytree(_MADE[0], home.root, dirs_exist_ok=True)
    return home


def _make(home: Home) -> None:
    home.topic("atelier", "- The kiln fires at 1,240 °C. <!-- f_00000000000a since:2026-01-02 -->", tags="[clay]")
    home.write("memory/topics/atelier.archive.md", "# old\n- kept\n")
    home.run("topic", "new", "family-matters", "--private", "--summary", "Of the family.")
    home.run("store", "--text", "The lawyer of the family is Dr. Abreu.", "--topic", "family-matters")
    for number in range(12):
        home.on(f"2026-02-{number + 1:02d}").run("store", "--text", f"The glaze of batch {number} is cobalt {number * 7}.", "--topic", "atelier")
    home.on("2024-01-05").run("store", "--text", "The studio was rented in Braga.", "--topic", "atelier")
    home.events("2026-02-03", "[DECISION] atelier: Typed by hand, no id.", "not an event at all")
    home.write("memory/protocols.md", "# Protocols\n- fire slowly\n")
    home.write("memory/ontology/graph.jsonl", '{"op":"create","entity":{"id":"p_ana","type":"Person","properties":{"name":"Ana"}},"timestamp":"2026-01-01T00:00:00Z"}\n')
    home.write("MEMORY.md", "# Mine\r\nown line, no end")
    home.write(".silo/config.json", '{"schema_version": 1, "owner_names": ["Ana"]}\n')
    home.run("hot", "--update", "identity", '{"owner_name": "Ana"}')
    home.run("tree", "--add", "projects/atelier", "The studio")


# --- sent and restored ------------------------------------------------------------------------------------


@pytest.mark.parametrize("through", ["turso", "folder"])
def test_restore_into_an_empty_folder_reproduces_the_bytes(tmp_path: Path, fake: FakeTurso, through: str) -> None:
    first = lived(device(tmp_path, "first", fake if through == "turso" else None))
    other = device(tmp_path, "other", fake if through == "turso" else None)
    (tmp_path / "nas").mkdir()
    to, back = ([], ["--from-mirror"]) if through == "turso" else (["--to", str(tmp_path / "nas")], ["--from", str(tmp_path / "nas")])
    first.run("sync-critical", *to)
    assert state_of(other) == {}
    other.run("restore", *back)
    assert state_of(other) == state_of(first)
    assert "hold the same" in other.run("restore", *back, "--verify")
    assert other.data("cold", "--query", "typed hand")["results"][0]["text"] == "Typed by hand, no id."
    assert other.data("retrieve", "--query", "studio rented Braga")["results"][0]["text"] == "The studio was rented in Braga."
    assert "nothing to restore" in other.run("restore", *back)
    assert (other.root / ".silo/private").stat().st_mode & 0o077 == 0


def test_verify_tells_what_differs(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical")
    home.write("memory/protocols.md", "# Protocols\n- fire fast\n")
    home.run("store", "--text", "A new one.", "--topic", "atelier")
    said = home.run("restore", "--from-mirror", "--verify", code=1)
    assert "PROBLEM memory/protocols.md differs" in said
    assert "missing-there a cold row" in said


def test_nothing_readable_is_sent_but_cold_rows(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.events("2026-02-03", "[FACT] atelier: The password of the router is hunter2-of-old.")
    home.run("sync-critical")
    sent = json.dumps(fake.requests, ensure_ascii=False)
    for word in ("1,240", "Abreu", "family-matters", "fire slowly", "p_ana", "own line", "hunter2"):
        assert word not in sent, word
    assert "cobalt 7" in sent  # the published table is there to be asked
    rows = fake.rows("SELECT id, agent_id, text, category, importance, created_at, access_count FROM cold_memories")
    assert len(rows) == 15
    assert not [row for row in rows if "Abreu" in row[2]]
    data, at = fake.rows("SELECT data, updated_at FROM critical_state WHERE agent_id = 'default'")[0]
    assert data.startswith("silo1:")
    assert at > 0


def test_the_second_sync_sends_what_changed_alone(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical")
    said = home.data("sync-critical")
    assert (said["sent"], said["cold_rows_sent"]) == ([], 0)
    home.run("store", "--text", "The wheel turns left.", "--topic", "atelier")
    said = home.data("sync-critical")
    assert said["cold_rows_sent"] == 1
    assert "memory/events/2026-03-10.md" in said["sent"]
    assert len(said["sent"]) <= 4


def test_a_dry_run_sends_and_writes_nothing(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("cold", "--init")
    before, writes = state_of(home), len(fake.rows("SELECT * FROM silo_files"))
    home.run("sync-critical", "--dry-run")
    assert len(fake.rows("SELECT * FROM silo_files WHERE path NOT LIKE '.salt'")) == writes
    assert fake.rows("SELECT * FROM cold_memories") == []
    assert state_of(home) == before


def test_the_persons_secret_stays_here_and_comes_to_no_harm(tmp_path: Path, fake: FakeTurso) -> None:
    secret = "sk-" + "live" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4"
    one, two = device(tmp_path, "one", fake), device(tmp_path, "two", fake)
    one.topic("atelier", "- Fires slowly. <!-- f_00000000000a -->", f"- api key {secret} <!-- f_00000000000b -->")
    one.run("sync-critical")
    two.run("restore", "--from-mirror")
    assert secret not in two.read("memory/topics/atelier.md")
    two.write("memory/topics/atelier.md", two.read("memory/topics/atelier.md").replace("Fires slowly.", "Fires fast."))
    two.run("sync-critical")
    one.run("sync-critical")
    assert secret in one.read("memory/topics/atelier.md")
    assert "Fires fast." in one.read("memory/topics/atelier.md")


# --- keys -------------------------------------------------------------------------------------------------


def test_without_a_key_cold_rows_alone_are_sent_and_restored(tmp_path: Path, fake: FakeTurso) -> None:
    home = device(tmp_path, "first", fake, phrase="")
    home.events("2026-02-03", "[FACT] atelier: First. <!-- id:e_000000000001 conf:confirmed -->", "[FACT] atelier: Second. <!-- id:e_000000000002 conf:confirmed -->")
    said = home.run("sync-critical", code=4)
    assert "init --mirror" in said
    assert "2 cold rows were sent" in said
    assert [name for (name,) in fake.rows("SELECT path FROM silo_files") if not name.startswith(".")] == []
    other = device(tmp_path, "other", fake, phrase="")
    other.run("restore", "--from-mirror")
    assert other.read("memory/events/2026-02-03.md") == home.read("memory/events/2026-02-03.md")


def test_without_the_package_nothing_is_faked(tmp_path: Path, fake: FakeTurso, monkeypatch: pytest.MonkeyPatch) -> None:
    home = lived(device(tmp_path, "first", fake))
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.split(".")[0] == "cryptography":
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    said = home.run("sync-critical", code=4)
    assert "pip install cryptography" in said
    assert len(fake.rows("SELECT id FROM cold_memories")) == 14
    home.run("sync-critical", "--plain-text")
    other = device(tmp_path, "other", fake)
    other.run("restore", "--from-mirror")
    mine = {path: data for path, data in state_of(home).items() if "private" not in path}
    assert state_of(other) == mine
    assert "Abreu" not in json.dumps(fake.requests)


def test_another_key_is_told_and_nothing_is_written(tmp_path: Path, fake: FakeTurso) -> None:
    lived(device(tmp_path, "first", fake)).run("sync-critical")
    other = device(tmp_path, "other", fake, phrase="another phrase, not a key")
    assert "another key" in other.run("restore", "--from-mirror", code=2)
    assert state_of(other) == {}
    assert "another key" in other.run("sync-critical", code=2)


def test_a_device_that_has_synced_is_told_when_its_key_is_another_one(tmp_path: Path, fake: FakeTurso) -> None:
    lived(device(tmp_path, "one", fake)).run("sync-critical")
    before = fake.rows("select path, sha256, data from silo_files where path not in ('.salt', '.rows') order by path")
    other = device(tmp_path, "one", fake, phrase="not what it was sealed with")
    other.run("store", "--text", "The boiler is serviced in May.", "--tag", "FACT")
    assert "another key" in other.run("sync-critical", code=2)
    assert fake.rows("select path, sha256, data from silo_files where path not in ('.salt', '.rows') order by path") == before


def test_a_row_that_was_tampered_with_is_refused(tmp_path: Path, fake: FakeTurso) -> None:
    lived(device(tmp_path, "first", fake)).run("sync-critical")
    data = fake.rows("SELECT data FROM silo_files WHERE path = 'memory/protocols.md'")[0][0]
    fake.rows("UPDATE silo_files SET data = ? WHERE path = 'memory/topics/atelier.md'", data)
    other = device(tmp_path, "other", fake)
    assert "changed at the mirror" in other.run("restore", "--from-mirror", code=2)
    assert state_of(other) == {}


def test_the_key_is_shown_once_and_opens_on_another_device(tmp_path: Path, fake: FakeTurso) -> None:
    home = device(tmp_path, "first", fake, phrase="")
    home.run("store", "--text", "Kept.")
    key = re.search(r"^KEY ([0-9a-f]{64})$", home.run("init", "--mirror"), re.M)
    assert key
    assert key[1] not in home.run("init", "--mirror")
    home.run("sync-critical")
    other = device(tmp_path, "other", fake, phrase=key[1])
    other.run("restore", "--from-mirror")
    assert state_of(other) == state_of(home)
    assert (other.root / ".silo/key").read_text().strip() == key[1]
    assert key[1] not in json.dumps(fake.requests) + json.dumps(fake.headers)


# --- refusals ---------------------------------------------------------------------------------------------


def test_an_emptier_memory_never_overwrites_a_fuller_mirror(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical")
    whole, there = state_of(home), fake.rows("SELECT path, sha256 FROM silo_files WHERE path NOT LIKE '.rows'")
    for path in sorted((home.root / "memory").rglob("*.md")):
        path.unlink()
    assert "restore --from-mirror" in home.run("sync-critical", code=3)
    assert fake.rows("SELECT path, sha256 FROM silo_files WHERE path NOT LIKE '.rows'") == there
    assert len(fake.rows("SELECT id FROM cold_memories")) == 14
    home.run("restore", "--from-mirror")
    assert state_of(home) == whole


def test_a_device_that_starts_empty_takes_over_and_sends_nothing_away(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical")
    other = device(tmp_path, "other", fake)
    other.run("init")
    other.run("sync-critical")
    home.run("sync-critical")
    assert set(state_of(other)) == set(state_of(home))
    assert state_of(other)["memory/topics/atelier.md"] == state_of(home)["memory/topics/atelier.md"]
    assert len(fake.rows("SELECT id FROM cold_memories")) == 14


def test_a_mirror_that_was_emptied_is_filled_again(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical")
    before = state_of(home)
    fake.rows("DELETE FROM silo_files")
    fake.rows("DELETE FROM cold_memories")
    home.run("sync-critical")
    assert state_of(home) == before
    other = device(tmp_path, "other", fake)
    other.run("restore", "--from-mirror")
    assert state_of(other) == before


@pytest.mark.parametrize("url", ["http://db.example", "https://me:pw@db.example", "libsql://x.turso.io?authToken=abcdef"])
def test_addresses_that_would_leak_are_refused(tmp_path: Path, url: str) -> None:
    home = device(tmp_path, "first")
    said = home.run("sync-critical", "--db-url", url, code=2)
    assert "pw" not in said
    assert "abcdef" not in said


def test_no_mirror_says_how_to_get_one(tmp_path: Path) -> None:
    home = device(tmp_path, "first")
    assert "TURSO_URL" in home.run("sync-critical", code=2)
    assert "TURSO_URL" in home.run("restore", "--from-mirror", code=2)


def test_a_wrong_token_is_one_sentence_with_exit_4_and_stays_out_of_everything(tmp_path: Path, fake: FakeTurso) -> None:
    wrong = "made-up-" + "wrong-token-123456"
    home = lived(device(tmp_path, "first"))
    said = home.run("sync-critical", "--db-url", fake.url, "--auth-token", wrong, code=4)
    assert "refused the token (401)" in said
    assert "TURSO_TOKEN is safer" in said
    assert wrong not in said
    assert not [path for path in home.root.rglob("*") if path.is_file() and wrong.encode() in path.read_bytes()]
    home.run("sync-critical", "--db-url", fake.url, "--auth-token", TOKEN)
    assert not [path for path in home.root.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]


# --- down, and up again -----------------------------------------------------------------------------------


def test_what_waits_for_a_mirror_that_is_down_goes_with_the_next_run(tmp_path: Path, fake: FakeTurso, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    home = lived(device(tmp_path, "first", fake))
    fake.fail(503, 500)
    said = home.run("sync-critical", code=4)
    assert "503" in said
    assert home.data("cold")["outbox"] >= 1
    home.run("store", "--text", "Stored while it was down.", "--topic", "atelier")
    fake.failures.clear()
    home.run("sync-critical")
    assert home.data("cold")["outbox"] == 0
    assert fake.rows("SELECT count(*) FROM cold_memories WHERE text LIKE 'Stored while%'") == [(1,)]


def test_commands_of_every_day_do_not_ask_the_mirror(tmp_path: Path, fake: FakeTurso) -> None:
    home = lived(device(tmp_path, "first", fake))
    fake.hang = 60.0
    fake.headers.clear()
    home.run("store", "--text", "Quickly kept.", "--topic", "atelier")
    home.run("retrieve", "--query", "glaze")
    home.run("context")
    home.run("cold", "--query", "studio Braga")
    home.run("status")
    assert fake.headers == []


# --- two devices ------------------------------------------------------------------------------------------


def lines_of(home: Home) -> set[str]:
    return {
        event.id
        for path in home.root.glob("memory/events/*.md")
        for event in parse_file(path.read_text(encoding="utf-8"), f"memory/events/{path.name}").events
        if event.id
    }


@pytest.mark.parametrize(("through", "seed"), [("turso", 1), ("folder", 2), *(pytest.param(how, seed, marks=pytest.mark.long) for how in ("turso", "folder") for seed in range(3, 9))])
def test_two_devices_that_edited_offline_lose_nothing(tmp_path: Path, fake: FakeTurso, seed: int, through: str) -> None:
    rng = random.Random(seed)
    (tmp_path / "nas").mkdir()
    to = [] if through == "turso" else ["--to", str(tmp_path / "nas")]
    one, two = (device(tmp_path, name, fake if through == "turso" else None) for name in ("one", "two"))
    lived(one).run("sync-critical", *to)
    two.run("restore", *(["--from-mirror"] if through == "turso" else ["--from", str(tmp_path / "nas")]))
    kept: set[str] = set()
    for turn in range(2):
        said: dict[str, list[str]] = {}
        for name, home in (("one", one), ("two", two)):
            said[name] = _edits(rng, home, f"{name} {turn}")
        for home in [*rng.sample((one, two), 2), one, two]:
            home.run("sync-critical", *to)
        kept |= lines_of(one) | lines_of(two)
        assert lines_of(one) == lines_of(two) >= kept
        for home in (one, two):
            whole = b"\n".join(state_of(home).values()).decode()
            assert not [words for words in said["one"] + said["two"] if words not in whole]
    there = {path: data for path, data in state_of(one).items() if "/agents/" not in path}
    assert {path: sorted(data.split(b"\n")) for path, data in there.items()} == {
        path: sorted(data.split(b"\n")) for path, data in state_of(two).items() if "/agents/" not in path
    }


def _edits(rng: random.Random, home: Home, who: str) -> list[str]:
    """Random edits by commands and by hand; the words that must be somewhere afterwards."""
    said = []
    for step in range(rng.randint(3, 6)):
        words = f"{who} says {step} with number {rng.randrange(10**6)}"
        kind = rng.choice(("store", "bullet", "change", "protocol", "graph", "hand"))
        if kind == "store":
            home.run("store", "--text", f"{words}.", "--topic", "atelier")
        elif kind == "bullet":
            text = home.read("memory/topics/atelier.md")
            home.write("memory/topics/atelier.md", text.replace("## Facts\n", f"## Facts\n- {words}.\n"))
        elif kind == "change":
            text = home.read("memory/topics/atelier.md")
            home.write("memory/topics/atelier.md", text.replace(" at ", f" ({words}) at ", 1))
        elif kind == "protocol":
            home.write("memory/protocols.md", home.read("memory/protocols.md") + f"- {words}\n")
        elif kind == "graph":
            line = json.dumps({"op": "create", "entity": {"id": f"p_{rng.randrange(10**9)}", "type": "Person", "properties": {"name": words}}}, separators=(",", ":"))
            home.write("memory/ontology/graph.jsonl", home.read("memory/ontology/graph.jsonl") + line + "\n")
        else:
            home.events("2026-02-05", f"[FACT] atelier: {words}.")
        said.append(words)
    return said


def test_deleted_on_one_device_is_deleted_on_the_other(tmp_path: Path, fake: FakeTurso) -> None:
    one, two = device(tmp_path, "one", fake), device(tmp_path, "two", fake)
    lived(one).run("sync-critical")
    two.run("restore", "--from-mirror")
    path = "memory/events/2026-02-04.md"
    gone = lines_of(one)
    one.write(path, "".join(line for line in one.read(path).splitlines(keepends=True) if "cobalt" not in line))
    one.run("store", "--text", "Said on one.", "--topic", "atelier")
    one.run("sync-critical")
    two.run("sync-critical")
    assert lines_of(two) == lines_of(one)
    assert len(gone - lines_of(two)) == 1
    assert fake.rows("SELECT count(*) FROM cold_memories WHERE text LIKE '%batch 3 %'") == [(0,)]


def test_a_collision_waits_in_review_once(tmp_path: Path, fake: FakeTurso) -> None:
    one, two = device(tmp_path, "one", fake), device(tmp_path, "two", fake)
    lived(one).run("sync-critical")
    two.run("restore", "--from-mirror")
    for home, word in ((one, "1,250"), (two, "1,260")):
        home.write("memory/topics/atelier.md", home.read("memory/topics/atelier.md").replace("1,240", word))
    one.run("sync-critical")
    assert two.data("sync-critical")["collisions"] == 1
    for home in (two, one):
        home.run("sync-critical")
        assert {"1,250" in home.read("memory/topics/atelier.md"), "1,260" in home.read("memory/topics/atelier.md")} == {True}
        assert home.read(".silo/review.jsonl").count('"kind":"edit"') == 1


def test_two_that_send_at_the_same_moment_both_arrive(tmp_path: Path, fake: FakeTurso, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = device(tmp_path, "one", fake), device(tmp_path, "two", fake)
    lived(one).run("sync-critical")
    two.run("restore", "--from-mirror")
    for home, word in ((one, "left"), (two, "right")):
        home.write("memory/protocols.md", home.read("memory/protocols.md") + f"- turn {word}\n")
    from silo.edge.mirror import TursoTarget

    real, inside = TursoTarget.store, []

    def raced(self: TursoTarget, agent: str, items: Any) -> frozenset[str]:
        if not inside and items:
            inside.append(1)
            two.run("sync-critical")  # comes in between
        return real(self, agent, items)

    monkeypatch.setattr(TursoTarget, "store", raced)
    one.run("sync-critical")
    for home in (one, two, one):
        home.run("sync-critical")
        assert "turn left" in home.read("memory/protocols.md")
        assert "turn right" in home.read("memory/protocols.md")


def test_the_published_row_and_the_readers_of_it(tmp_path: Path, fake: FakeTurso) -> None:
    """Another program that knows the published tables finds what it expects."""
    home = lived(device(tmp_path, "first", fake))
    home.run("sync-critical", "--plain-text")
    data = json.loads(fake.rows("SELECT data FROM critical_state WHERE agent_id = 'default'")[0][0])
    assert data["hot_state"]["identity"] == {"owner_name": "Ana"}
    assert "projects/atelier" in data["tree_nodes"]
    assert isinstance(data["timestamp"], int)
    found = TursoCold(Hrana(fake.url, TOKEN)).search("studio rented", 5, "default")
    assert found[0].text == "The studio was rented in Braga."
    assert found[0].category == "atelier"


# --- forgetting -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("down", [False, True])
def test_what_is_forgotten_is_gone_there_and_on_the_other_device(tmp_path: Path, fake: FakeTurso, down: bool) -> None:
    one, two = device(tmp_path, "one", fake), device(tmp_path, "two", fake)
    lived(one).run("store", "--text", "The quetzal sings at noon.", "--topic", "atelier")
    one.run("sync-critical")
    two.run("restore", "--from-mirror")
    ident = one.data("retrieve", "--query", "quetzal sings")["results"][0]["id"]
    if down:
        fake.fail(503, 500)
    one.run("forget", ident, "--yes")
    if down:
        fake.failures.clear()
        assert fake.rows("SELECT count(*) FROM cold_memories WHERE text LIKE '%quetzal%'") == [(1,)]
        one.run("sync-critical")
    assert fake.rows("SELECT count(*) FROM cold_memories WHERE text LIKE '%quetzal%'") == [(0,)]
    assert b"quetzal" not in (tmp_path / "remote.db").read_bytes()
    two.run("sync-critical")
    one.run("sync-critical")
    for home in (one, two):
        assert not [path for path in state_of(home) if b"quetzal" in state_of(home)[path]]
        assert "quetzal" not in home.run("cold", "--query", "quetzal noon")
    assert not [path for path in one.root.rglob("*") if path.is_file() and b"quetzal" in path.read_bytes()]
