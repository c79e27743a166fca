"""The tree searched by a model, and recall guided by it: the model chooses paths, words do the rest where it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Home
from engines import Scripted, answers, asked
from silo.formats.llm import Failure, Why
from silo.formats.schema import check
from silo.jobs import engines

URL = "http://127.0.0.1:1/complete"
RETRIEVE = json.loads((Path(__file__).resolve().parents[2] / "schemas/retrieve.schema.json").read_text("utf-8"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "w")
    made.root.mkdir()
    made.run("init")
    made.run("tree", "--add", "projects/grant", "Application for the city's grant")
    made.run("tree", "--add", "garden", "Plants and beds")
    made.run("store", "--text", "The application is due on 3 May.", "--category", "projects/grant")
    made.run("store", "--text", "Tulips are planted along the fence, deadline or not.", "--category", "garden")
    return made


def script(monkeypatch: pytest.MonkeyPatch, *said: object) -> Scripted:
    made = Scripted(list(said), engine="http")  # type: ignore[arg-type]
    monkeypatch.setitem(engines.TRANSPORTS, "http", made.make)
    return made


def naming(*paths: str) -> object:
    return lambda prompt: answers(prompt, lambda one: {"categories": [{"path": path, "relevance": 0.9, "reason": "it fits"} for path in paths]})


def search(home: Home, *more: str) -> list[dict[str, object]]:
    return list(json.loads(home.run("tree", "--search", "when must the money be asked for?", "--json", *more)))


def test_a_model_names_categories_that_share_no_word_with_the_question(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert search(home) == []
    script(monkeypatch, naming("projects/grant"))
    assert search(home, "--llm", "--llm-endpoint", URL) == [{"path": "projects/grant", "relevance": 0.9, "reason": "it fits"}]


def test_paths_that_are_not_in_the_tree_are_dropped(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, naming("projects/grant", "../secrets", "finance"))
    assert [one["path"] for one in search(home, "--llm", "--llm-endpoint", URL)] == ["projects/grant"]


@pytest.mark.parametrize("said", ["no json", Failure(Why.HUNG, "it hung"), Failure(Why.REFUSED, "401"), naming("nowhere")])
def test_where_the_model_fails_words_search(home: Home, monkeypatch: pytest.MonkeyPatch, said: object) -> None:
    script(monkeypatch, said)
    found = json.loads(home.run("tree", "--search", "plants", "--json", "--llm", "--llm-endpoint", URL))
    assert [one["path"] for one in found] == ["garden"]
    assert "matches" in found[0]["reason"]


def test_without_an_engine_it_is_said(home: Home) -> None:
    assert "no engine is configured" in home.run("tree", "--search", "plants", "--llm")


def test_the_prompt_can_be_had_for_a_model_of_ones_own(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    home.run("tree", "--search", "when is the grant due?", "--mode", "llm", "--llm-prompt-file", str(file))
    assert asked(file.read_text("utf-8"))[0]["query"] == "when is the grant due?"
    assert "exists already" in home.run("tree", "--search", "x y", "--llm-prompt-file", str(file), code=2)


def test_a_private_topic_and_a_secret_are_not_shown_to_the_model(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.run("topic", "new", "clinic", "--private")
    home.run("tree", "--add", "health/clinic", "Visits")
    made = script(monkeypatch, naming("garden"))
    key = "ghp_" + "Zx9Q" * 9
    home.run("tree", "--search", f"what about {key} and plants", "--llm", "--llm-endpoint", URL)
    assert "clinic" not in made.prompts[0].text
    assert key not in made.prompts[0].text


def results(home: Home, *more: str) -> list[str]:
    value = json.loads(home.run("retrieve", "--query", "deadline for the funding", "--json", *more))
    assert check(value, RETRIEVE) == ()
    return [one["text"] for one in value["results"]]


def test_recall_is_guided_to_what_is_filed_where_the_model_points(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    grant, tulips = "The application is due on 3 May.", "Tulips are planted along the fence, deadline or not."
    assert results(home)[:1] == [tulips]
    script(monkeypatch, naming("projects/grant"))
    guided = results(home, "--llm", "--llm-endpoint", URL)
    assert set(guided) == {grant, tulips}, "what the words found is still there"


def test_the_parts_of_a_guided_score_add_up(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    script(monkeypatch, naming("garden"))
    told = home.run("retrieve", "--query", "deadline for the funding", "--llm", "--llm-endpoint", URL, "--explain", "--plain")
    line = next(line for line in told.splitlines() if "category" in line)
    parts, total = line.strip().rsplit(" = ", 1)
    assert sum(float(part.split()[-1]) for part in parts.split(" + ")) == pytest.approx(float(total), abs=0.02)


def test_nothing_of_a_private_topic_comes_for_a_group(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.run("topic", "new", "clinic", "--private")
    home.run("store", "--text", "The clinic asks for the deadline form.", "--topic", "clinic")
    script(monkeypatch, naming("garden", "projects/grant"))
    assert all("clinic" not in text for text in results(home, "--llm", "--llm-endpoint", URL, "--audience", "group"))


def test_the_same_question_costs_one_call(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    made = script(monkeypatch, naming("garden"))
    for _ in range(2):
        search(home, "--llm", "--llm-endpoint", URL)
    assert len(made.prompts) == 1
