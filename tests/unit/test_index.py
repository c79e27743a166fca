"""The index follows the files, answers the same however it was built, and is never needed."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from silo.core.search.answer import answer
from silo.edge.index import Index
from silo.edge.index import index as module
from silo.edge.index.store import Store
from silo.model import Scope

DAY = "memory/events/2026-03-02.md"


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    # Older than the two seconds in which a file counts as possibly still changing.
    now = file.stat().st_mtime_ns - 10_000_000_000
    os.utime(file, ns=(now, now))


def day(*texts: str) -> str:
    return "# Events 2026-03-02\n\n" + "".join(f"[FACT] general: {text}\n" for text in texts)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, DAY, day("The shed key hangs behind the door", "The boat is red"))
    return tmp_path


@pytest.fixture
def index(root: Path) -> Iterator[Index]:
    opened = Index.open(root)
    yield opened
    opened.close()


def everything(index: Index) -> list[tuple[int, str, int, str]]:
    every = dict.fromkeys(index.beginning("", 10000), 1.0)
    found = index.find(
        every, Scope(layers=frozenset({"curated", "tiers", "events", "notes", "source"})), 10_000
    )
    return sorted((row, p.path, p.line, p.text) for row, p in found.items())


def rebuilt(root: Path) -> list[tuple[int, str, int, str]]:
    (root / ".silo" / "index.db").unlink(missing_ok=True)
    fresh = Index.open(root)
    fresh.refresh()
    found = everything(fresh)
    fresh.close()
    return found


def test_building_keeps_nothing_of_the_lines_that_it_has_read(root: Path, index: Index) -> None:
    held = []
    tracemalloc.start()
    try:
        for year in (2024, 2025, 2026):
            for month in range(1, 5):
                lines = day(*(f"Crate {year}{month}{n:04} is paid" for n in range(300)))
                write(root, f"memory/events/{year}-0{month}-01.md", lines)
            index.refresh()
            gc.collect()  # tuples that lie ready to be used again
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # Bytes: fifty for each line. A full cache's table may be laid out anew in one of the years; what is kept grows in each.
    assert min(held[1] - held[0], held[2] - held[1]) < 60_000


def test_a_second_look_reads_nothing(index: Index) -> None:
    assert index.refresh().read == 1
    assert index.refresh().read == 0


def test_index_is_private_and_unseen_by_git(root: Path, index: Index) -> None:
    assert (root / ".silo").stat().st_mode & 0o077 == 0
    assert (root / ".silo" / "index.db").stat().st_mode & 0o077 == 0
    assert (root / ".silo" / ".gitignore").read_text() == "*\n"


def test_incremental_is_the_same_as_rebuilt(root: Path, index: Index) -> None:
    index.refresh()
    write(root, DAY, day("The shed key hangs behind the door", "The boat is red", "A third thing"))
    write(root, "memory/2026-03-01.md", "- a note\n")
    assert index.refresh().read == 2
    write(root, DAY, day("The shed key hangs elsewhere", "The boat is red", "A third thing"))
    write(root, "memory/topics/x-y.md", "no header\n<!-- CURATED_START -->\n- A fact\n<!-- CURATED_END -->\n")
    (root / "memory/2026-03-01.md").unlink()
    assert index.refresh().removed == 1
    step_by_step = everything(index)
    index.close()
    assert step_by_step == rebuilt(root)


def test_a_torn_last_line_that_is_completed_is_read_again(root: Path, index: Index) -> None:
    write(root, DAY, day("one")[:-1])
    index.refresh()
    write(root, DAY, day("one and more", "two"))
    index.refresh()
    assert [text for *_, text in everything(index)] == ["one and more", "two"]


def test_a_change_of_the_same_size_and_time_is_seen_while_it_is_fresh(root: Path, index: Index) -> None:
    file = root / DAY
    file.write_text(day("The boat is red"), encoding="utf-8")
    stat = file.stat()
    index.refresh()
    file.write_text(day("The boat is tan"), encoding="utf-8")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    index.refresh()
    assert [text for *_, text in everything(index)] == ["The boat is tan"]


def test_what_was_not_read_in_time_is_found_all_the_same(root: Path) -> None:
    write(
        root,
        "memory/events/2026-03-03.md",
        "# Events 2026-03-03\n\n[FACT] general: The anchor weighs nine kilos\n",
    )
    index = Index.open(root)
    done = index.refresh(budget=0)
    assert done.read == 1
    assert done.left == (DAY,)
    index.scan(["boat", "red"])
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is red"]
    assert index.refresh().left == ()
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is red"]
    index.close()


def test_a_changed_file_that_is_not_read_in_time_shows_its_new_lines_only(root: Path, index: Index) -> None:
    index.refresh()
    write(root, DAY, day("The boat is green now"))
    write(root, "memory/events/2026-03-03.md", "# Events 2026-03-03\n\n[FACT] general: x\n")
    assert index.refresh(budget=0).left == (DAY,)
    index.scan(["boat"])
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is green now"]


def test_it_answers_while_another_process_indexes(root: Path, index: Index) -> None:
    index.refresh()
    other = sqlite3.connect(root / ".silo" / "index.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    write(root, DAY, day("The boat is green now"))
    assert index.refresh().left == (DAY,)
    index.scan(["boat"])
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is green now"]
    other.execute("ROLLBACK")
    other.close()
    assert index.refresh().read == 1


def test_a_damaged_index_is_built_anew(root: Path) -> None:
    first = Index.open(root)
    first.refresh()
    expected = everything(first)
    first.close()
    for junk in (b"junk", b"SQLite format 3\x00" + b"\xff" * 5000):
        (root / ".silo" / "index.db").write_bytes(junk)
        index = Index.open(root)
        index.refresh()
        assert everything(index) == expected
        assert index.notes
        index.close()


def test_another_version_of_the_schema_is_thrown_away(root: Path) -> None:
    first = Index.open(root)
    first.refresh()
    expected = everything(first)
    first.close()
    db = sqlite3.connect(root / ".silo" / "index.db")
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    index = Index.open(root)
    assert index.refresh().read == 1
    assert everything(index) == expected
    index.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_workspace_is_searched_in_memory(root: Path) -> None:
    root.chmod(0o555)
    try:
        index = Index.open(root)
        index.refresh()
        assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is red"]
        assert "can't be written" in index.notes[0]
        index.close()
    finally:
        root.chmod(0o755)


def test_an_index_that_can_only_be_read_is_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Index.open(root)
    first.refresh()
    first.close()

    def refuse(path: Path) -> Store:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(module, "on_disk", refuse)
    index = Index.open(root)
    assert "can't be written" in index.notes[0]
    assert index.refresh().left == ()
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is red"]
    write(root, DAY, day("The boat is green"))
    assert index.refresh().left == (DAY,)
    index.scan(["boat"])
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is green"]
    index.close()


def test_a_copy_that_can_only_be_read_answers_as_the_original(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a copy every file has another time: what is indexed is still what stands there."""
    write(root, "memory/events/2026-02-20.md", "# Events 2026-02-20\n\n" + "".join(f"[FACT] boat: Plank {n} of the boat\n" for n in range(9)))
    first = Index.open(root)
    first.refresh()
    expected = answer(first, "plank of the boat", today=date(2026, 3, 3))
    first.close()
    copy = tmp_path / "copy"
    shutil.copytree(root, copy, copy_function=shutil.copyfile)
    monkeypatch.setattr(module, "on_disk", lambda path: (_ for _ in ()).throw(sqlite3.OperationalError("attempt to write a readonly database")))
    index = Index.open(copy)
    assert index.refresh().left == ()
    assert answer(index, "plank of the boat", today=date(2026, 3, 3)) == expected
    write(copy, DAY, day("The boat is green"))
    assert index.refresh().left == (DAY,)
    index.close()
    late = Index.open(copy)
    assert set(late.refresh(budget=0).left) >= {DAY, "memory/events/2026-02-20.md"}  # no time to look: searched directly
    assert len(answer(late, "plank of the boat", today=date(2026, 3, 3)).results) == len(expected.results)
    late.close()


def test_processes_that_make_it_at_once_all_answer(root: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nfrom silo.edge.index import Index\nfrom silo.model import Scope\n"
        "i = Index.open(Path(sys.argv[2])); i.refresh(); i.scan(['boat'])\n"
        "print(len(i.find({'boat': 1.0}, Scope(), 10)), i.notes)\n"
    )
    scripts = str(Path(__file__).resolve().parents[2] / "scripts")
    started = [
        subprocess.Popen([sys.executable, "-c", code, scripts, str(root)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in started] == ["1 ()"] * 4


def test_where_the_index_can_not_be_made_memory_is_searched(root: Path) -> None:
    (root / ".silo").write_text("a file in the way")
    index = Index.open(root)
    index.refresh()
    assert [p.text for p in index.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is red"]
    assert "can't be written" in index.notes[0]
    index.close()


def test_without_fts5_the_same_look_ups_run_in_memory(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        root,
        "memory/topics/x-y.md",
        "no header\n<!-- CURATED_START -->\n- A fact of x\n<!-- CURATED_END -->\n",
    )
    with_fts = Index.open(root)
    with_fts.refresh()

    def refuse(self: Store) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(Store, "prepare", refuse)
    without = Index.open(root)
    assert without.refresh().left == ()
    assert "FTS5" in without.notes[0]
    for term in ("boat", "fact", "key", "hang"):
        ours = [(p.path, p.line, p.text) for p in with_fts.find({term: 1.0}, Scope(), 10).values()]
        assert [(p.path, p.line, p.text) for p in without.find({term: 1.0}, Scope(), 10).values()] == ours
        assert ours
    assert answer(without, "what is the boat", today=date(2026, 3, 3)) == answer(
        with_fts, "what is the boat", today=date(2026, 3, 3)
    )
    write(root, DAY, day("The boat is tan"))
    without.refresh(budget=0)
    without.scan(["boat"])
    assert [p.text for p in without.find({"boat": 1.0}, Scope(), 10).values()] == ["The boat is tan"]
    with_fts.close()
    without.close()


def test_links_that_lead_out_are_not_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.md").write_text("- outside words\n")
    (root / "memory/2026-03-05.md").symlink_to(outside / "secret.md")
    (root / "memory/linked").symlink_to(outside)
    index = Index.open(root)
    index.refresh()
    assert not index.find({"outsid": 1.0}, Scope(), 10)
    index.close()


def test_bytes_that_are_not_utf8_do_no_harm(root: Path) -> None:
    (root / DAY).write_bytes(b"# Events 2026-03-02\n\n[FACT] general: Latin \xe9 boat\n")
    index = Index.open(root)
    index.refresh()
    assert [p.line for p in index.find({"boat": 1.0}, Scope(), 10).values()] == [3]
    index.close()


def unwritable(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".silo").write_text("a file in the way")


def without_fts5(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Store) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(Store, "prepare", refuse)


def read_only(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Index.open(root)
    first.refresh()
    first.close()

    def refuse(path: Path) -> Store:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(module, "on_disk", refuse)


def held_by_another(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Store) -> None:
        raise sqlite3.OperationalError("database is locked")

    first = Index.open(root)
    first.refresh()
    first.close()
    monkeypatch.setattr(Store, "begin", refuse)


def as_usual(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pass


LITERAL = ("gutter-bolt 8x40", "🦊", "→ ok", "x=y", "the", "a", "猫が", "Renov", "bolt 8x4", "v2.1", "8080/tcp", "C++", "item 77", "%%")


@pytest.mark.parametrize("way", [as_usual, unwritable, without_fts5, read_only, held_by_another])
def test_a_literal_match_is_never_missed_however_the_memory_is_searched(
    root: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    """Neither in what is indexed nor in the files that time did not suffice for."""
    said = "The gutter-bolt 8x40 → ok 🦊 x=y 猫が好き, Renovar v2.10 on 8080/tcp in C++: item 779, 100%%"
    for number in range(3):
        write(root, f"memory/events/2026-03-1{number}.md", f"# Events 2026-03-1{number}\n\n[FACT] general: {said} ({number})\n")
    way(root, monkeypatch)
    for number in range(3, 5):
        write(root, f"memory/events/2026-03-1{number}.md", f"# Events 2026-03-1{number}\n\n[FACT] general: {said} ({number})\n")
    for query in LITERAL:
        index = Index.open(root)
        index.refresh(budget=0)
        found = answer(index, query, today=date(2026, 3, 20), limit=20)
        texts = {result.text for result in found.results} | {text for result in found.results for text in map(str, result.also)}
        assert {f"{said} ({number})" for number in range(5)} <= texts, (query, texts)
        index.close()


@pytest.mark.parametrize("way", [as_usual, read_only, held_by_another])
def test_a_topic_just_marked_private_hides_what_is_indexed(
    root: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Path, pytest.MonkeyPatch], None]
) -> None:
    topic = "---\ntopic: health\nsummary: s\n{more}aliases: [old-health]\n---\n<!-- CURATED_START -->\n- The boat of facts\n<!-- CURATED_END -->\n"
    write(root, "memory/topics/health.md", topic.format(more=""))
    write(root, "memory/events/2026-03-04.md", "# Events 2026-03-04\n\n[FACT] health: boat one\n[FACT] old-health: boat two\n")
    way(root, monkeypatch)
    write(root, "memory/topics/health.md", topic.format(more="sensitivity: private\n"))
    write(root, "memory/events/2026-03-05.md", "# Events 2026-03-05\n\n[FACT] old-health: boat three\n")
    index = Index.open(root)
    index.refresh(budget=0)
    found = answer(index, "boat", today=date(2026, 3, 20), scope=Scope(group=True), limit=20)
    assert found.results[0].text == "The boat is red"
    assert {result.text for result in found.results}.isdisjoint({"boat one", "boat two", "boat three", "The boat of facts", "s"})
    index.close()
