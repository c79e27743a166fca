"""The same contract at servers: our own fake one with its faults, and the real `tursodb` where SILO_TURSODB names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.test_cold_store import ColdStoreContract, row
from fake_turso import FakeTurso
from silo.edge.cold.base import ALL, CHUNK
from silo.edge.cold.hrana import CRITICAL, Hrana, Refused, Unreachable, server_url
from silo.edge.cold.turso import TursoCold
from silo.edge.mirror import FolderCold
from silo.errors import BadInput, ServiceDown
from tursodb import Tursodb, tursodb

TOKEN = "made-up-" + "token-of-this-test"


class TestFake(ColdStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[TursoCold]:
        with FakeTurso(tmp_path / "remote.db", TOKEN) as fake:
            made = TursoCold(Hrana(fake.url, TOKEN))
            made.init()
            yield made


class TestFolder(ColdStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> FolderCold:  # type: ignore[override]
        return FolderCold(tmp_path / "cold")


class TestTursodb(ColdStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[TursoCold]:
        with tursodb(tmp_path) as server:
            made = TursoCold(Hrana(server.url, ""))
            made.init()
            yield made

    def test_no_byte_of_a_deleted_text_stays(self, tmp_path: Path, store: TursoCold) -> None:
        store.put([row(number, f"quetzal{number} " * 30) for number in range(600)])
        store.scrub()  # what was written is in the file, no longer in its log alone
        store.delete([row(number).id for number in range(0, 600, 2)], ALL)
        store.scrub()
        left = b"".join(path.read_bytes() for path in tmp_path.rglob("remote.db*"))
        assert not [number for number in range(0, 600, 2) if f"quetzal{number} ".encode() in left]
        assert b"quetzal1 " in left

    def test_what_was_put_survives_a_kill(self, tmp_path: Path) -> None:
        with tursodb(tmp_path, name="killed.db") as server:
            store = TursoCold(Hrana(server.url, ""))
            store.init()
            assert len(store.put([row(number) for number in range(40)])) == 40
            server.kill()
            again = Tursodb(server.path)
            with again:
                assert TursoCold(Hrana(again.url, "")).stats(ALL).count == 40


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeTurso]:
    with FakeTurso(tmp_path / "remote.db", TOKEN) as server:
        yield server


class Clock:
    """Sleeps that take no time."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


def ready(fake: FakeTurso, **more: object) -> TursoCold:
    store = TursoCold(Hrana(fake.url, TOKEN, **more))  # type: ignore[arg-type]
    store.init()
    return store


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_the_critical_sync_waits_five_ten_twenty_forty(fake: FakeTurso, status: int) -> None:
    clock = Clock()
    store = ready(fake, pauses=CRITICAL, sleep=clock)
    fake.fail(status, 4)
    assert store.put([row(1)]) == {row(1).id}
    assert clock.slept == [5, 10, 20, 40]
    fake.fail(status, 5)
    with pytest.raises(Unreachable, match=str(status)):
        store.stats(ALL)
    assert clock.slept == [5, 10, 20, 40] * 2


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_change_is_not_tried_again(fake: FakeTurso, status: int) -> None:
    clock = Clock()
    store = ready(fake, pauses=CRITICAL, sleep=clock)
    before = len(fake.headers)
    fake.fail(status, 1)
    with pytest.raises(Refused) as told:
        store.stats(ALL)
    assert (clock.slept, len(fake.headers) - before) == ([], 1)
    assert "\n" not in str(told.value)
    if status in (401, 403):
        assert "token" in str(told.value)


def test_others_do_not_wait(fake: FakeTurso) -> None:
    store = ready(fake)
    fake.fail(503, 1)
    with pytest.raises(Unreachable):
        store.stats(ALL)
    assert store.stats(ALL).count == 0


def test_a_server_that_hangs_costs_the_time_limit(fake: FakeTurso) -> None:
    store = ready(fake)
    fake.hang = 5.0
    with pytest.raises(Unreachable):
        TursoCold(Hrana(fake.url, TOKEN, wait=0.1)).put([row(1)])
    fake.hang = 0.0
    assert store.stats(ALL).count == 0


def test_an_answer_cut_off_is_no_answer(fake: FakeTurso) -> None:
    store = ready(fake)
    for cut in (1, 2):
        fake.cut = cut
        with pytest.raises(Unreachable):
            store.put([row(1)])
        fake.cut = 0
    # The server may have kept it or not: again is always safe.
    assert store.put([row(1)]) == {row(1).id}
    assert store.stats(ALL).count == 1


def test_a_cut_answer_is_asked_for_again_in_the_critical_sync(fake: FakeTurso) -> None:
    clock = Clock()
    store = ready(fake, pauses=CRITICAL, sleep=clock)
    fake.cut = 2
    assert store.put([row(1), row(2)]) == {row(1).id, row(2).id}
    assert clock.slept == [5, 10]


def test_what_a_server_drops_is_not_confirmed(fake: FakeTurso) -> None:
    store = ready(fake)
    store.put([row(1)])
    fake.drop = True
    assert store.put([row(1, "New words."), row(2)]) == frozenset()
    with pytest.raises(ServiceDown, match="kept"):
        store.delete([row(1).id], ALL)
    fake.drop = False
    assert store.get([row(1).id], ALL)[row(1).id].text == row(1).text


def test_a_failed_step_takes_its_batch_back(fake: FakeTurso) -> None:
    store = ready(fake)
    server = store.server
    before = fake.rows("SELECT count(*) FROM cold_memories")
    insert = "INSERT INTO silo_files VALUES ('default', ?, 's', 'd', 1)"
    with pytest.raises(Refused, match="UNIQUE"):
        server.batch([(insert, ("a",)), (insert, ("b",)), (insert, ("a",))])
    assert fake.rows("SELECT count(*) FROM silo_files") == [(0,)]
    fake.step_error = 2
    with pytest.raises(Refused):
        store.put([row(1)])
    assert fake.rows("SELECT count(*) FROM cold_memories") == before
    assert server.batch([(insert, ("a",)), ("SELECT count(*) FROM silo_files", ())])[1] == [(1,)]


def test_one_request_a_transaction(fake: FakeTurso) -> None:
    store = ready(fake)
    fake.requests.clear()
    store.put([row(number) for number in range(CHUNK)])
    assert len(fake.requests) == 2  # the batch, and its read-back
    assert not [one for body in fake.requests for one in body["requests"] if one["type"] not in ("execute", "batch")]


def test_missing_tables_are_made_by_the_first_put(fake: FakeTurso) -> None:
    store = TursoCold(Hrana(fake.url, TOKEN))
    assert store.put([row(1)]) == {row(1).id}


def test_a_table_of_the_published_form_gets_its_columns(fake: FakeTurso) -> None:
    fake.rows(
        "CREATE TABLE cold_memories (id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, text TEXT NOT NULL, category TEXT NOT NULL, "
        "importance REAL DEFAULT 0.5, created_at INTEGER NOT NULL, access_count INTEGER DEFAULT 0)"
    )
    fake.rows("INSERT INTO cold_memories VALUES ('abc', 'default', 'Old words.', 'a/b', 0.5, 1707350400, 2)")
    store = ready(fake)
    store.put([row(1)])
    old = store.get(["abc"], ALL)["abc"]
    assert (old.text, old.category, old.created_at, old.access_count, old.line) == ("Old words.", "a/b", 1707350400, 2, "")
    assert store.stats(ALL).count == 2


def test_a_wrong_token_is_one_sentence_and_stays_secret(fake: FakeTurso) -> None:
    wrong = "eyJ" + "hbGciOiJFZERTQSJ9." + "eyJhIjoicncifQ" + ".c2lnbmF0dXJl"
    store = TursoCold(Hrana(fake.url, wrong))
    with pytest.raises(Refused) as told:
        store.init()
    assert "401" in str(told.value)
    assert wrong not in str(told.value) + told.value.hint + repr(told.value.__context__)


def test_a_redirect_is_not_followed(tmp_path: Path, fake: FakeTurso) -> None:
    with FakeTurso(tmp_path / "other.db") as other:
        store = ready(fake)
        fake.redirect = other.url + "/v2/pipeline"
        with pytest.raises(Refused, match="307"):
            store.put([row(1)])
        assert other.headers == []


def test_nobody_listens() -> None:
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1"):
        TursoCold(Hrana("http://127.0.0.1:9", TOKEN, wait=2)).stats(ALL)


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("libsql://db-me.turso.io", "https://db-me.turso.io"),
        ("turso://db-me.turso.io/", "https://db-me.turso.io"),
        ("wss://db-me.turso.io", "https://db-me.turso.io"),
        ("https://db.example/base/", "https://db.example/base"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_addresses(given: str, asked: str) -> None:
    assert server_url(given) == asked


@pytest.mark.parametrize(
    "given",
    ["http://db.example", "ws://db.example", "ftp://db.example", "db.example", "", "https://", "file:///tmp/x", "https://me:pw@db.example",
     "libsql://db.turso.io?authToken=abc", "http://127.0.0.1.example", "http://[::1", "https://db.example:port"],
)  # fmt: skip
def test_addresses_that_are_refused(given: str) -> None:
    with pytest.raises(BadInput) as told:
        server_url(given)
    assert "pw" not in str(told.value)
    assert "abc" not in str(told.value)
