"""Each secret of the corpora through every door; then every byte of the workspace, all that was printed, and each prompt.

Left out of the search are the user's own files in which the secret was typed, and the copies for undo of such a file.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

import silo.jobs.engines
from command import ENTRIES, Home
from engines import Scripted, answers
from privacy import Case, cases, rows
from silo.formats.llm import Prompt
from silo.text.redact import redact
from transcript import Log

CASES = cases()
FEW = CASES[::9]  # through the doors that take a command each
ALL = pytest.mark.parametrize("some", [pytest.param(CASES[1::7], id="some"), pytest.param(CASES, id="all", marks=pytest.mark.long)])


def run(home: Home, *args: str, script: str = "memory_cli.py") -> str:
    """All that a command prints, whatever its exit code; a bug of ours fails."""
    given = [*args, "--workspace", str(home.root), "--today", home.today, "--timezone", "UTC"]
    environ = {"HOME": str(home.root), "PATH": Home.path, "OPENCLAW_STATE_DIR": str(home.root.parent / "state")}
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        for name in tuple(os.environ):
            patch.delenv(name)
        for name, value in environ.items():
            patch.setenv(name, value)
        module = "silo.cli.migrate" if script == "migrate_memory.py" else ENTRIES[script]
        code = importlib.import_module(module).main(given)
    assert code in (0, 1, 2), (args, out.getvalue(), err.getvalue())
    return out.getvalue() + err.getvalue()


def looked_for(case: Case) -> list[str]:
    """What can only be the secret: runs of eight characters, a phrase; a short number might be any number."""
    found = []
    for piece in case.pieces:
        if " " in piece:
            found.append(piece)
        elif len(piece) >= 8:
            found += [piece[:14], piece[-14:]]
    return found


def leaks(cases: Iterable[Case], texts: Iterable[tuple[str, bytes]]) -> list[str]:
    wanted = [(case, piece.encode()) for case in cases for piece in looked_for(case)]
    held = [(name, data) for name, data in texts if data]
    return [f"{name}: {case.kind}: {piece!r}" for case, piece in wanted for name, data in held if piece in data]


def files(root: Path, but: Callable[[str], bool] = lambda path: False) -> list[tuple[str, bytes]]:
    paths = [place for place in sorted(root.rglob("*")) if place.is_file()]
    named = [(place.relative_to(root).as_posix(), place) for place in paths]
    return [(name, place.read_bytes()) for name, place in named if not but(name)]


def sessions(folder: Path, cases: Sequence[Case], size: int = 16) -> None:
    for at in range(0, len(cases), size):
        log = Log(session=f"s-{at}")
        for n, case in enumerate(cases[at : at + size]):
            log.user(f"Remember this: {case.text}" if n % 2 else case.text)
            if n % 4 == 0:
                log.call()
                log.tool(f"remember that: {case.text}")
            log.agent(f"Noted: {case.text}" if n % 3 == 0 else "Noted.")
        log.write(folder / f"s-{at}.jsonl")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "w")
    home.run("init")
    return home


def test_every_kind_language_and_place_is_there() -> None:
    assert len({case.kind for case in CASES}) >= 40
    assert {"en", "pt"} <= {case.lang for case in CASES}
    assert len({case.position for case in CASES}) >= 15
    assert len(CASES) >= 200


@pytest.mark.parametrize("case", CASES, ids=[f"{n}-{case.kind}-{case.lang}" for n, case in enumerate(CASES)])
def test_a_secret_is_replaced(case: Case) -> None:
    clean, found = redact(case.text)
    assert found
    assert [piece for piece in case.pieces if piece in clean] == []
    assert [piece for piece in looked_for(case) if piece in clean] == []
    assert redact(clean) == (clean, ())


def test_prose_about_keys_stays_as_it_is() -> None:
    prose = [row["text"] for row in rows("prose")]
    altered = [text for text in prose if redact(text)[0] != text]
    assert len(prose) >= 220
    assert len(altered) <= len(prose) // 100, altered


@ALL
def test_none_comes_through_a_transcript_into_log_topics_review_index_or_output(home: Home, some: list[Case], tmp_path: Path) -> None:
    sessions(tmp_path / "t", some)
    said = run(home, "--source", "jsonl", "--path", str(tmp_path / "t"), "--json", script="extract_session.py")
    said += run(home, "--scheduled", script="curate_nightly.py")
    for args in (["context"], ["retrieve", "--query", "password key token senha chave"], ["pack", "password"], ["review", "list"], ["log"], ["doctor"], ["doctor", "--secrets"], ["status", "--json"]):
        said += run(home, *args)
    assert leaks(some, [*files(home.root), ("output", said.encode())]) == []
    assert (home.root / "memory/events").is_dir()


@ALL
def test_none_comes_out_of_a_daily_note(home: Home, some: list[Case]) -> None:
    for n, case in enumerate(some):
        home.write(f"memory/2026-03-09-{n}.md", f"# Notes\n\n{case.text}\n\n- and: {case.text if chr(10) not in case.text else 'see above'}\n")
    said = run(home, "--scheduled", "--json", script="curate_nightly.py") + run(home, "review", "list") + run(home, "context")
    assert leaks(some, [*files(home.root, lambda path: path.startswith("memory/2026-03-09-")), ("output", said.encode())]) == []


def test_none_is_stored_or_echoed_by_a_command(home: Home) -> None:
    said = ""
    for n, case in enumerate(FEW):
        text = case.text[:480] if len(case.text) > 480 else case.text
        said += run(home, "store", "--text", text, *(["--json"] if n % 2 else []))
        if n % 3 == 0:
            said += run(home, "retrieve", "--query", text) + run(home, "topic", "new", text[:60])
            said += run(home, "correct", "e_000000000000", text)
    said += run(home, "log", "--json") + run(home, "diff")
    assert leaks(FEW, [*files(home.root), ("output", said.encode())]) == []


@ALL
def test_none_is_imported(home: Home, some: list[Case], tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "memory/topics").mkdir(parents=True)
    warm = [{"id": f"w{n}", "text": case.text, "category": "projects/x", "importance": 0.9, "created_at": 1707350400} for n, case in enumerate(some)]
    (other / "warm-memory.json").write_text(json.dumps(warm), encoding="utf-8")
    for n, case in enumerate(FEW):
        (other / f"memory/topics/topic-{n}.md").write_text(
            f"---\ntopic: topic-{n}\ntype: project\nstatus: active\nsummary: A topic.\n---\n<!-- CURATED_START -->\n## Facts\n- One fact.\n<!-- CURATED_END -->\n"
            f"<!-- SOURCE_START -->\n### 2026-01-02 — Notes\n{case.text}\n<!-- SOURCE_END -->\n", encoding="utf-8")  # fmt: skip
    said = run(home, "import", str(other), "--json") + run(home, "review", "list")
    assert leaks(some, [*files(home.root), ("output", said.encode())]) == []


@ALL
@pytest.mark.parametrize("redacting", [False, True])
def test_none_is_moved_out_of_a_memory_file(home: Home, some: list[Case], redacting: bool) -> None:
    lines = [case for case in some if "\n" not in case.text]
    sections = [f"## Section {n}\n\n- A plain line number {n} about the boat.\n- {case.text}\n" for n, case in enumerate(lines)]
    home.write("MEMORY.md", "# Memory\n\n" + "\n".join(sections))
    said = run(home, "plan", "--json", script="migrate_memory.py") + run(home, "plan", "--diff", script="migrate_memory.py")
    said += run(home, "apply", "--yes", *(["--redact-secrets"] if redacting else []), script="migrate_memory.py")
    said += run(home, "verify", "--rows", script="migrate_memory.py") + run(home, "--scheduled", script="curate_nightly.py")
    own = ("MEMORY.md", ".silo/runs/", ".silo/base/")
    found = leaks(lines, [*files(home.root, lambda path: path.startswith(own)), ("output", said.encode())])
    assert found == []
    if redacting:
        assert leaks(lines, [("MEMORY.md", (home.root / "MEMORY.md").read_bytes())]) == []


@ALL
def test_none_is_in_a_prompt(home: Home, some: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(prompt: Prompt) -> str:
        return answers(prompt, lambda one: {"candidates": []})

    model = Scripted([nothing])
    monkeypatch.setitem(silo.jobs.engines.TRANSPORTS, "openai", model.make)
    sessions(tmp_path / "t", some, size=8)
    said = run(home, "--source", "jsonl", "--path", str(tmp_path / "t"), "--engine", "openai", "--model", "m", "--endpoint", "http://127.0.0.1:9/v1", "--now",
               script="extract_session.py")  # fmt: skip
    assert model.prompts, said
    sent = [(f"prompt {n}", repr(prompt).encode()) for n, prompt in enumerate(model.prompts)]
    sent += [(f"body {n}", prompt.text.encode()) for n, prompt in enumerate(model.prompts)]
    assert leaks(some, [*sent, *files(home.root), ("output", said.encode())]) == []


@ALL
def test_none_is_in_a_work_order(home: Home, some: list[Case], tmp_path: Path) -> None:
    sessions(tmp_path / "t", some, size=32)
    order = tmp_path / "order.json"
    said = run(home, "--source", "jsonl", "--path", str(tmp_path / "t"), "--engine", "agent", "--emit", str(order), script="extract_session.py")
    assert leaks(some, [("order", order.read_bytes()), *files(home.root), ("output", said.encode())]) == []


def test_a_report_of_a_bug_and_an_error_hold_none(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from silo.jobs import store as job

    case = next(case for case in CASES if case.kind == "github_classic")

    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError(f"could not take in {case.text}")

    monkeypatch.setattr(job, "store", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        importlib.import_module("silo.cli.memory").main(["store", "--text", "x", "--workspace", str(home.root)])
    report = Path(err.getvalue().partition("report: ")[2].splitlines()[0])
    assert "RuntimeError" in report.read_text(encoding="utf-8")
    said = out.getvalue() + err.getvalue() + report.read_text(encoding="utf-8")
    report.unlink()
    assert leaks([case], [("output", said.encode())]) == []


def test_a_password_weighs_no_more_for_being_one(home: Home) -> None:
    said = json.loads(run(home, "store", "--text", "The password of the NAS is Copper!Lantern88.", "--importance", "0.95", "--json").splitlines()[0])
    line = next(line for path in (home.root / "memory/events").glob("*.md") for line in path.read_text(encoding="utf-8").splitlines() if said["id"] in line)
    assert "imp:0.95" not in line
    assert "[REDACTED:password]" in line
