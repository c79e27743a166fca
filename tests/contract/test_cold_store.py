"""What every cold store promises, run over each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo.edge.cold.base import ALL, CHUNK, ColdStore
from silo.edge.cold.memory import MemoryCold
from silo.edge.cold.sqlite import SqliteCold
from silo.formats.coldrow import digest
from silo.model import ColdRow


def row(number: int, text: str = "", agent: str = "default", **more: object) -> ColdRow:
    """A row as the archive gets it."""
    made = ColdRow(
        id=f"e_{number:012x}", agent_id=agent, text=text or f"The kiln number {number} is fired on day {number}.", category="projects/atelier",
        importance=0.6, created_at=1_700_000_000 + number * 86_400, tag="FACT", topic="atelier", date="2024-01-01", confidence="confirmed",
        source="jsonl:s1#1", line=f"[FACT] atelier: {text or number} <!-- id:e_{number:012x} -->", place=number + 1,
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


class ColdStoreContract:
    """Every adapter passes all of it."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[ColdStore]:
        raise NotImplementedError

    def test_what_was_put_is_read_back_as_it_was(self, store: ColdStore) -> None:
        rows = [row(1), row(2, "Größe in 東京: “10 %_'; DROP TABLE x”\\ \u0000ok".replace("\0", ""), private=False), row(3, access_count=7)]
        assert store.put(rows) == {one.id for one in rows}
        assert store.get([one.id for one in rows], ALL) == {one.id: one for one in rows}

    def test_again_changes_nothing_and_a_changed_row_replaces(self, store: ColdStore) -> None:
        store.put([row(1), row(2)])
        assert store.put([row(1), row(2, "Reworded.")]) == {row(1).id, row(2).id}
        assert store.stats(ALL).count == 2
        assert store.get([row(2).id], ALL)[row(2).id].text == "Reworded."

    def test_nothing_of_nothing(self, store: ColdStore) -> None:
        assert store.put([]) == frozenset()
        assert store.get([], ALL) == {}
        assert store.get(["e_ffffffffffff"], ALL) == {}
        assert store.delete([], ALL) == 0
        assert store.search("kiln", 5, ALL) == []
        assert store.stats(ALL).count == 0
        assert store.digests(ALL) == {}

    def test_best_first(self, store: ColdStore) -> None:
        both, heavy, newer, older, none = (
            row(1, "Glaze for the kiln."), row(2, "A kiln.", importance=0.9), row(3, "The kiln again.", created_at=1_800_000_000),
            row(4, "An old kiln."), row(5, "Bread."),
        )  # fmt: skip
        store.put([none, older, newer, heavy, both])
        assert [one.id for one in store.search("glaze kiln", 10, ALL)] == [both.id, heavy.id, newer.id, older.id]
        assert [one.id for one in store.search("kilns", 2, ALL)] == [heavy.id, newer.id]

    def test_search_takes_any_question(self, store: ColdStore) -> None:
        store.put([row(1, "Reunião: orçamento de 100% do João_Silva.")])
        assert [one.id for one in store.search("reuniao ORCAMENTO", 5, ALL)] == [row(1).id]
        assert [one.id for one in store.search("100%", 5, ALL)] == [row(1).id]
        for odd in ("", "   ", "%", "_", "' OR 1=1 --", "\\", "the", "*", '"', "東"):
            store.search(odd, 5, ALL)
        assert store.search("reuniao", 0, ALL) == []

    def test_agents_do_not_see_each_other(self, store: ColdStore) -> None:
        store.put([row(1), row(2, agent="nurse"), row(3, agent="nurse")])
        assert [one.id for one in store.search("kiln", 9, "default")] == [row(1).id]
        assert store.get([row(1).id, row(2).id], "nurse").keys() == {row(2).id}
        assert (store.stats("nurse").count, store.stats("default").count, store.stats(ALL).count) == (2, 1, 3)
        assert store.digests("nurse").keys() == {row(2).id, row(3).id}
        assert store.delete([row(1).id, row(2).id], "default") == 1
        assert store.digests(ALL).keys() == {row(2).id, row(3).id}

    def test_what_is_deleted_is_gone_and_can_come_back(self, store: ColdStore) -> None:
        store.put([row(1), row(2)])
        assert store.delete([row(1).id, "e_ffffffffffff"], ALL) == 1
        assert store.get([row(1).id], ALL) == {}
        assert store.search("number 1", 5, ALL) == [row(2)]
        store.scrub()
        store.put([row(1)])
        assert store.get([row(1).id], ALL)[row(1).id] == row(1)

    def test_more_than_one_transaction_holds(self, store: ColdStore) -> None:
        many = [row(number) for number in range(CHUNK * 2 + 7)]
        assert len(store.put(many)) == len(many)
        assert store.digests(ALL) == {one.id: digest(one) for one in many}
        assert len(store.get([one.id for one in many], ALL)) == len(many)
        assert store.delete([one.id for one in many[: CHUNK + 1]], ALL) == CHUNK + 1
        assert store.stats(ALL).count == CHUNK + 6

    def test_stats_tell_days_and_bytes(self, store: ColdStore) -> None:
        store.put([row(1, "aé", date="2024-02-03"), row(2, "b", date="2023-01-02")])
        found = store.stats(ALL)
        assert (found.count, found.first, found.last, found.text_bytes) == (2, "2023-01-02", "2024-02-03", 4)


class TestMemory(ColdStoreContract):
    @pytest.fixture
    def store(self) -> ColdStore:
        return MemoryCold()


class TestSqlite(ColdStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[ColdStore]:
        made = SqliteCold(tmp_path / "cold.db")
        yield made
        made.close()

    def test_the_file_is_the_owners_alone_and_keeps_its_rows(self, tmp_path: Path) -> None:
        store = SqliteCold(tmp_path / "cold.db")
        store.put([row(1)])
        store.close()
        assert (tmp_path / "cold.db").stat().st_mode & 0o777 == 0o600
        again = SqliteCold(tmp_path / "cold.db")
        assert again.get([row(1).id], ALL) == {row(1).id: row(1)}
        again.close()

    def test_a_damaged_file_is_begun_anew(self, tmp_path: Path) -> None:
        (tmp_path / "cold.db").write_bytes(b"no database at all" * 99)
        store = SqliteCold(tmp_path / "cold.db")
        assert store.fresh
        assert store.put([row(1)]) == {row(1).id}
        store.close()

    def test_no_byte_of_a_deleted_text_stays(self, tmp_path: Path) -> None:
        store = SqliteCold(tmp_path / "cold.db")
        store.put([row(number, f"quetzal{number} " * 30) for number in range(600)])
        store.delete([row(number).id for number in range(0, 600, 2)], ALL)
        assert store.scrub() == ()
        left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert not [number for number in range(0, 600, 2) if f"quetzal{number} ".encode() in left]
        assert b"quetzal1 " in left
        store.close()


_TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=60)


@settings(max_examples=15, deadline=None)
@given(st.lists(_TEXTS, min_size=1, max_size=8), _TEXTS)
def test_every_store_gives_the_same_answer(tmp_path_factory: pytest.TempPathFactory, texts: list[str], question: str) -> None:
    rows = [row(number, text) for number, text in enumerate(texts)]
    memory, sqlite = MemoryCold(), SqliteCold(tmp_path_factory.mktemp("cold") / "cold.db")
    memory.put(rows)
    sqlite.put(rows)
    for query in (question, texts[0]):
        assert sqlite.search(query, 5, ALL) == memory.search(query, 5, ALL)
    assert sqlite.stats(ALL) == memory.stats(ALL)
    sqlite.close()
