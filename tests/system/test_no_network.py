"""Nothing leaves the machine by itself: the jobs of a whole memory run with sockets and look-ups forbidden, and what the
environment gives is declared in SKILL.md, variable by variable."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

from transcript import Log

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "scripts"
# Every programme reads these; they are nobody's setting.
REACHING = {"socket", "http.client", "urllib.request", "openai", "httpx", "requests", "ftplib", "smtplib", "asyncio", "ssl"}
OF_THE_SHELL = {"HOME", "PATH"}

FORBIDDEN = '''
import os, socket, sys
def _no(name):
    def refuse(*args, **kwargs):
        with open(os.environ["TRAP"], "a") as trap:
            trap.write(name + " " + repr(args[:2]) + "\\n")
        raise OSError("the network is forbidden here")
    return refuse
class Refused(socket.socket):
    def __init__(self, *args, **kwargs):
        _no("socket")(*args)
socket.socket = Refused
socket.SocketType = Refused
for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "create_connection", "socketpair", "getfqdn"):
    setattr(socket, name, _no(name))
'''

DRIVER = '''
import contextlib, importlib, io, json, sys
sys.path.insert(0, sys.argv[1])
failed = []
for script, words in json.loads(sys.argv[2]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = importlib.import_module("silo.cli." + script).main(words)
        except SystemExit as stopped:
            code = stopped.code
    if code not in (0, 1):
        failed.append([script, words, code, err.getvalue()[-400:]])
print(json.dumps(failed))
'''


def commands(root: Path, other: Path) -> list[tuple[str, list[str]]]:
    """A memory's life: each job, in an order in which each has something to do."""
    memory = [
        "init", "store --text 'We chose Mollie, not Stripe.' --tag DECISION", "store --text 'Ana is the accountant.' --url https://example.org/x",
        "topic new boat-rental --summary 'The boat.'", "topic list", "tree --add projects/boat", "tree --show",
    ]  # fmt: skip
    later = [
        "retrieve --query 'payment provider' --limit 3", "search --query https://example.org", "context", "pack 'payment provider'", "load boat-rental",
        "search-url --url example", "review list", "todos", "stale", "status", "log", "entity list", "hot", "metrics", "consolidate --mode daily", "cold --init",
        "doctor", "doctor --secrets", "validate --file NOTE", "extract-metadata --file NOTE", "distill --file NOTE", "import OTHER", "export --flat", "diff",
        "undo --last --any --yes", "config", "ingest-daily", "save --source jsonl --path SESSIONS", "forget --query Mollie --yes",
    ]  # fmt: skip
    import shlex

    filled = [(shlex.split(line.replace("NOTE", str(other / "note.md")).replace("OTHER", str(other / "old")).replace("SESSIONS", str(other / "t")))) for line in later]
    rest: list[tuple[str, list[str]]] = [("memory", shlex.split(line)) for line in memory]
    rest += [("extract", ["--source", "jsonl", "--path", str(other / "t")]), ("curate", []), ("suggest", ["run"])]
    rest += [("migrate", ["plan"]), ("migrate", ["apply", "--yes"]), ("migrate", ["verify"])]
    rest += [("memory", words) for words in filled] + [("curate", ["--mode", "monthly", "--scheduled"])]
    common = ["--workspace", str(root), "--today", "2026-03-10", "--timezone", "UTC"]
    return [(script, [*words, *common]) for script, words in rest]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    log = Log()
    for n in range(4):
        log.user(f"We decided to paint boat {n} green, see https://boats.example/{n}.")
        log.agent("Noted.")
    log.write(tmp_path / "t/s-1.jsonl")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/warm-memory.json").write_text(json.dumps([{"id": "a", "text": "The mast is new.", "category": "boat", "created_at": 1707350400}]))
    (tmp_path / "note.md").write_text("The mast is new. See https://boats.example and run `make sail`.\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(FORBIDDEN)
    (tmp_path / "w").mkdir()
    (tmp_path / "w/MEMORY.md").write_text("# Memory\n\n## Boat\n\n- The boat lies at pier 4.\n\n## People\n\n- Ana is the accountant.\n")
    return tmp_path


def forbidden(other: Path, *args: str, **environ: str) -> subprocess.CompletedProcess[str]:
    given = {"PATH": os.defpath, "HOME": str(other), "PYTHONPATH": str(other / "site"), "TRAP": str(other / "trap"), **environ}
    return subprocess.run([sys.executable, *args], env=given, capture_output=True, text=True, timeout=300, check=False)


def test_the_trap_holds(other: Path) -> None:
    forbidden(other, "-c", "import urllib.request\ntry: urllib.request.urlopen('http://127.0.0.1:9')\nexcept OSError: pass")
    assert (other / "trap").read_text()


def test_no_job_opens_a_socket_or_looks_a_name_up(other: Path) -> None:
    # With every key at hand, and still nothing configured: a key alone sends nothing.
    keys = {"OPENAI_API_KEY": "k-1", "TURSO_TOKEN": "t-1", "SILO_HTTP_TOKEN": "h-1", "OPENCLAW_STATE_DIR": str(other / "state")}
    done = forbidden(other, "-c", DRIVER, str(PACKAGE), json.dumps(commands(other / "w", other)), **keys)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []
    assert not (other / "trap").exists(), (other / "trap").read_text()


@cache
def modules() -> tuple[tuple[Path, tuple[ast.AST, ...]], ...]:
    """Every module with the nodes that matter here."""
    kinds = (ast.Call, ast.Subscript, ast.Import, ast.ImportFrom)
    paths = [*PACKAGE.rglob("*.py"), *(ROOT / "hooks").rglob("*.py")]
    texts = [(path, path.read_text(encoding="utf-8")) for path in paths]
    reaching = ("environ", "getenv", *REACHING)
    return tuple((path, tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))) for path, text in texts if any(word in text for word in reaching))


def read_variables() -> dict[str, set[str]]:
    """Environment variables that the code reads, by name, with the files: `environ.get("X")`, `environ["X"]`, `getenv("X")`."""
    found: dict[str, set[str]] = {}
    for path, nodes in modules():
        for node in nodes:
            name = _name_read(node)
            if name is not None:
                found.setdefault(name, set()).add(path.name)
    return found


def _name_read(node: ast.AST) -> str | None:
    """The variable that a node reads; "?" where its name is no literal."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        of_environ = node.func.attr in ("get", "pop", "setdefault") and ast.unparse(node.func.value).endswith("environ")
        if of_environ or ast.unparse(node.func) == "os.getenv":
            return _literal(node.args[0])
    if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("environ") and isinstance(node.ctx, ast.Load):
        return _literal(node.slice)
    return None


def _literal(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else "?"


def declared() -> dict[str, str]:
    header = (ROOT / "SKILL.md").read_text(encoding="utf-8").split("---\n")[1]
    return {one["name"]: one["description"] for one in yaml.safe_load(header)["metadata"]["openclaw"]["envVars"]}


def test_each_variable_that_is_read_is_declared_and_each_declared_one_read() -> None:
    read = read_variables()
    assert "?" not in read, read["?"]
    assert len(read) >= 6
    assert set(read) - OF_THE_SHELL - set(declared()) == set()
    assert set(declared()) - set(read) == set()


def test_a_declared_key_says_where_it_is_sent() -> None:
    for name, said in declared().items():
        if name.endswith(("KEY", "TOKEN")):
            assert "sent" in said.lower() or "endpoint" in said.lower(), name


def test_sockets_are_opened_in_few_places() -> None:
    """Whatever can reach the network stands in the edge, where endpoints are checked."""
    allowed = {"edge/http.py", "edge/llm/http.py", "edge/llm/openai.py", "edge/embed.py", "edge/cold/hrana.py"}
    found = set()
    for path, nodes in modules():
        for node in nodes:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if REACHING & set(names):
                found.add(path.relative_to(PACKAGE / "silo").as_posix())
    assert found <= allowed, found - allowed
