"""One contract for the transports, against a service on this machine and a program on the PATH: what comes back, what is
tried again, what is in the ledger, and that the work is done whatever happens."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fake_llm
from engines import Engines, asked, call_on, ledger, loud, shout
from fake_llm import BREAKS_OFF, HANG, HTML, NO_CHOICE, REDIRECT, Service, serving, status
from silo.edge.llm import transport
from silo.jobs.choice import Choice
from silo.jobs.engines import TRANSPORTS

KEY = "key-" + "of-the-test-" + "4711"
WEB = ["openai", "http"]


def good(prompt: str) -> str:
    """The right answer to the task `echo`, to what stands last in the prompt."""
    return json.dumps({"answers": [{"id": one["id"], **loud(one)} for one in asked(prompt)]})


def half(prompt: str) -> str:
    one = asked(prompt)[0]
    return json.dumps({"answers": [{"id": one["id"], **loud(one)}]})


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between attempts takes time; how long each would be is another test's."""
    patient = transport.patiently

    def hasty(attempt: Callable[[], Any], attempts: int) -> Any:
        return patient(attempt, attempts, sleep=lambda seconds: None, jitter=lambda: 0.5)

    for name in ("openai", "http"):
        monkeypatch.setattr(f"silo.edge.llm.{name}.patiently", hasty)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("SILO_HTTP_TOKEN", KEY)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/never")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-never-sent")


def made(root: Path, engine: str, service: Service, **limits: object) -> Engines:
    endpoint = service.openai if engine == "openai" else service.http
    call = call_on(root, settings={"engines": {"limits": {"timeout": 5, **limits}}})
    choice = Choice(engine, "scripted-1", endpoint)
    from silo.edge.workspace import Workspace

    return Engines(call, Workspace.open(root), "echo", choice, TRANSPORTS[engine])


@pytest.fixture(params=WEB)
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "openai":
        pytest.importorskip("openai")
    return str(request.param)


Ask = Callable[..., tuple[list[str], list[str], Engines]]


@pytest.fixture
def ask(tmp_path: Path, engine: str) -> Ask:
    def run(service: Service, *texts: str, **limits: object) -> tuple[list[str], list[str], Engines]:
        engines = made(tmp_path, engine, service, **limits)
        said = engines.ask(shout(), list(texts or ["one", "two"]))
        return [a.value for a in said], [a.by for a in said], engines

    return run


def test_a_good_answer(ask: Ask, engine: str, tmp_path: Path) -> None:
    with serving(good) as service:
        values, by, engines = ask(service)
    assert (values, by) == (["ONE", "TWO"], [engine, engine])
    (row,) = ledger(tmp_path)
    assert (row["outcome"], row["estimated"], row["attempts"], row["cost"]) == ("ok", False, 1, 0)
    assert row["tokens_in"] == len(service.prompts()[0]) // 4
    assert service.heads[0]["authorization"] == f"Bearer {KEY}"
    assert "openai-organization" not in service.heads[0]
    assert KEY not in " ".join(engines.notes)


def test_tokens_are_estimated_where_nobody_tells_them(ask: Ask, tmp_path: Path) -> None:
    with serving(good, tells_usage=False) as service:
        ask(service)
    (row,) = ledger(tmp_path)
    assert row["estimated"] is True
    assert row["tokens_in"] > 50  # type: ignore[operator]


# what the service does → (how many requests, outcomes in the ledger, the value of "one")
CASES: dict[str, tuple[list[Any], int, list[str], str]] = {
    "malformed, then good": (['{"answers": [', good], 2, ["to repair", "ok"], "ONE"),
    "malformed for ever": (['{"answers": ['], 2, ["to repair", "unusable"], "rules: one"),
    "refusal": (["I can't help with that."], 2, ["to repair", "unusable"], "rules: one"),
    "partial, then the rest": ([half, good], 2, ["to repair", "ok"], "ONE"),
    "partial for ever": ([half, "no"], 2, ["to repair", "partial"], "ONE"),
    "echo": ([lambda prompt: prompt], 2, ["to repair", "unusable"], "rules: one"),
    "nothing": ([""], 2, ["to repair", "unusable"], "rules: one"),
    "400": ([status(400)], 1, ["refused"], "rules: one"),
    "401": ([status(401)], 1, ["refused"], "rules: one"),
    "403": ([status(403)], 1, ["refused"], "rules: one"),
    "404": ([status(404)], 1, ["refused"], "rules: one"),
    "408, then good": ([status(408), good], 2, ["ok"], "ONE"),
    "429, then good": ([status(429), good], 2, ["ok"], "ONE"),
    "429 with a time, then good": ([status(429, after="2"), good], 2, ["ok"], "ONE"),
    "429 with too long a time": ([status(429, after="3600"), good], 1, ["busy"], "rules: one"),
    "429 with a date": ([status(429, after="Wed, 21 Oct 2026 07:28:00 GMT"), good], 1, ["busy"], "rules: one"),
    "429 for ever": ([status(429)], 3, ["busy"], "rules: one"),
    "500, then good": ([status(500), status(503), good], 3, ["ok"], "ONE"),
    "500 for ever": ([status(500)], 3, ["busy"], "rules: one"),
    "redirect": ([REDIRECT], 1, ["redirect"], "rules: one"),
    "a page": ([HTML], 1, ["unreadable"], "rules: one"),
    "half of an answer": ([BREAKS_OFF], 1, ["unreadable"], "rules: one"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_a_service_can_do(ask: Ask, tmp_path: Path, case: str) -> None:
    script, requests, outcomes, value = CASES[case]
    with serving(*script) as service:
        values, by, engines = ask(service)
    assert values[0] == value
    assert len(values) == 2
    assert len(service.requests) == requests
    assert [row["outcome"] for row in ledger(tmp_path)] == outcomes
    assert sum(int(str(row["attempts"])) for row in ledger(tmp_path)) == requests
    told = " ".join(engines.notes)
    assert KEY not in told
    assert ("the rules did" in told) == ("rules" in by)
    assert "/elsewhere" not in service.paths


def test_a_completion_without_a_choice(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    with serving(NO_CHOICE) as service:
        assert made(tmp_path, "openai", service).ask(shout(), ["one"])[0].by == "rules"


def test_a_service_that_hangs_is_left_after_its_time(ask: Ask, tmp_path: Path) -> None:
    with serving(HANG) as service:
        values, _, _ = ask(service, timeout=0.3)
    assert values == ["rules: one", "rules: two"]
    assert [row["outcome"] for row in ledger(tmp_path)] == ["timeout"]
    assert len(service.requests) == 1  # it may have been worked on, and paid for


def test_nobody_is_there(ask: Ask, tmp_path: Path) -> None:
    with serving(good) as service:
        pass
    values, _, _ = ask(service)
    assert values == ["rules: one", "rules: two"]
    (row,) = ledger(tmp_path)
    assert (row["outcome"], row["attempts"], row["cost"]) == ("busy", 3, 0)


def test_an_error_that_repeats_the_key_is_not_repeated(ask: Ask) -> None:
    with serving(fake_llm.Fault(401, json.dumps({"error": {"message": f"bad key {KEY}", "code": KEY}}))) as service:
        _, _, engines = ask(service)
    assert KEY not in " ".join(engines.notes)


def test_a_schema_is_sent_and_left_out_where_it_is_not_known(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    with serving(good) as service:
        made(tmp_path, "openai", service).ask(shout(), ["one"])
    shape = service.requests[0]["response_format"]["json_schema"]
    assert shape["strict"] is True
    item = shape["schema"]["properties"]["answers"]["items"]
    assert (item["additionalProperties"], sorted(item["required"])) == (False, ["id", "loud"])
    assert "maxLength" not in json.dumps(shape)
    assert [m["role"] for m in service.requests[0]["messages"]] == ["system", "user"]
    with serving(good, knows_schemas=False) as old:
        engines = made(tmp_path, "openai", old, batch_tokens=200)
        said = engines.ask(shout(), ["three " * 30, "four " * 30, "five " * 30])
    assert {a.by for a in said} == {"openai"}
    assert ["response_format" in body for body in old.requests].count(True) == 1


@pytest.mark.parametrize(("endpoint", "why"), [("", "no endpoint"), ("http://models.example/v1", "neither https"), ("https://me:pw@models.example/v1", "name or password"), ("ftp://127.0.0.1/x", "neither https"), ("me:pw@models.example/v1", "name or password"), ("http://[::1", "no address"), ("http://127.0.0.1:99999/", "no address"), ("http://127.0.0.1:x/", "no address"), ("http://127.0.0.1/\u00e9", "no address"), ("https://models .example/", "no address")])
def test_where_nothing_may_be_sent(tmp_path: Path, engine: str, endpoint: str, why: str) -> None:
    from silo.edge.workspace import Workspace

    engines = Engines(call_on(tmp_path), Workspace.open(tmp_path), "echo", Choice(engine, "m", endpoint), TRANSPORTS[engine])
    assert engines.ask(shout(), ["one"])[0].by == "rules"
    assert why in " ".join(engines.notes)
    assert "pw" not in " ".join(engines.notes)
    assert ledger(tmp_path) == []


def test_without_the_package_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with serving(good) as service:
        engines = made(tmp_path, "openai", service)
        assert engines.ask(shout(), ["one"])[0].by == "rules"
    assert service.requests == []
    assert sum("the package openai is not installed" in note for note in engines.notes) == 1


def test_without_a_key_nothing_is_sent_abroad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from silo.edge.workspace import Workspace

    monkeypatch.delenv("OPENAI_API_KEY")
    engines = Engines(call_on(tmp_path), Workspace.open(tmp_path), "echo", Choice("openai", "m", "https://models.example/v1"), TRANSPORTS["openai"])
    assert engines.ask(shout(), ["one"])[0].by == "rules"
    assert "OPENAI_API_KEY is not set" in " ".join(engines.notes)


def test_pauses_grow_and_follow_what_the_service_asks() -> None:
    from silo.edge.llm.transport import Again, patiently
    from silo.formats.llm import Failure, Why

    slept: list[float] = []
    busy = Again(Failure(Why.BUSY, "busy"))
    patiently(lambda: busy, 4, sleep=slept.append, jitter=lambda: 0.5)
    assert slept == [0.5, 1.0, 2.0]
    slept.clear()
    patiently(lambda: Again(busy.failure, 7.0), 2, sleep=slept.append, jitter=lambda: 0.0)
    assert slept == [7.0]


# --- the host's program -------------------------------------------------------------------------------------

PROGRAM = """#!{python}
import json, os, sys, time
args = sys.argv[1:]
assert args[:3] == ["infer", "model", "run"] and args[3] == "--prompt" and args[5] == "--json", args
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(json.dumps(args) + "\\n")
mode = os.environ["FAKE_MODE"]
prompt = args[4]
if mode == "hang":
    time.sleep(30)
if mode == "fails":
    print("no provider is configured", file=sys.stderr)
    sys.exit(1)
ids = [json.loads(line) for line in prompt.rpartition("<silo-data>\\n")[2].partition("\\n</silo-data>")[0].splitlines()]
text = json.dumps({{"answers": [{{"id": one["id"], "loud": one["text"].upper()}} for one in ids]}})
if mode == "prose":
    text = "As the assistant I would rather chat."
made = {{"ok": mode != "not ok", "capability": "model.run", "transport": "local", "provider": "mock", "model": "gpt-4o-mini", "outputs": [{{"text": text}}]}}
print("starting" if mode == "noise" else "", file=sys.stdout)
print(text if mode == "bare" else json.dumps(made, indent=2))
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "openclaw").write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
    (folder / "openclaw").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("FAKE_LOG", str(tmp_path / "log"))

    def put(mode: str) -> Any:
        monkeypatch.setenv("FAKE_MODE", mode)

    return put


def openclaw(root: Path, **limits: object) -> Engines:
    from silo.edge.workspace import Workspace

    settings = {"engines": {"limits": {"timeout": 20, **limits}}}
    return Engines(call_on(root, settings=settings), Workspace.open(root), "echo", Choice("openclaw", "mock/m"), TRANSPORTS["openclaw"])


@pytest.mark.parametrize(
    ("mode", "outcome"),
    [("good", "ok"), ("noise", "ok"), ("prose", "unusable"), ("fails", "refused"), ("not ok", "unreadable"), ("bare", "unreadable"), ("hang", "timeout")],
)
def test_the_hosts_own_program(tmp_path: Path, program: Callable[[str], Any], mode: str, outcome: str) -> None:
    program(mode)
    engines = openclaw(tmp_path / "w", timeout=1.0 if mode == "hang" else 20)
    said = engines.ask(shout(), ["one", "-two"])
    rows = ledger(tmp_path / "w")
    assert rows[-1]["outcome"] == outcome
    assert [a.by for a in said] == (["openclaw"] * 2 if outcome == "ok" else ["rules"] * 2)
    if outcome == "ok":
        assert (rows[0]["model"], rows[0]["price_known"], rows[0]["estimated"]) == ("mock/gpt-4o-mini", True, True)
        (args,) = [json.loads(line) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()]
        assert args[6:] == ["--model", "mock/m"]


def test_no_prompt_is_larger_than_an_argument_may_be(tmp_path: Path, program: Callable[[str], Any]) -> None:
    program("good")
    texts = [f"{n} " + "word " * 30 for n in range(2000)]
    engines = openclaw(tmp_path / "w", batch_tokens=200_000, daily_tokens=0, daily_usd=0)
    assert {a.by for a in engines.ask(shout(), texts)} == {"openclaw"}
    sizes = [len(json.loads(line)[4].encode()) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()]
    assert len(sizes) >= 3
    assert max(sizes) <= 120_000


def test_without_the_program_one_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    engines = openclaw(tmp_path / "w")
    assert engines.ask(shout(), ["one"])[0].by == "rules"
    assert "openclaw is not on the PATH" in " ".join(engines.notes)
