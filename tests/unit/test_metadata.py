"""URLs, commands and paths in a text: found as a person would mark them, and nothing that only looks like one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo.text.addresses import addresses, urls_of
from silo.text.commands import commands_of
from silo.text.paths import paths_of

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "data/metadata.jsonl").read_text("utf-8").splitlines()]
KINDS = ("urls", "commands", "paths")


@pytest.mark.parametrize("kind", KINDS)
def test_precision_and_recall_over_the_marked_texts(kind: str) -> None:
    found = [(n, one) for n, case in enumerate(CASES) for one in getattr(addresses(case["text"]), kind)]
    marked = [(n, one) for n, case in enumerate(CASES) for one in case[kind]]
    right = set(found) & set(marked)
    assert len(right) / len(found) >= 0.95, sorted(set(found) - set(marked))
    assert len(right) / len(marked) >= 0.95, sorted(set(marked) - set(found))


@pytest.mark.parametrize("sentence", ["Make sure of it.", "Find the cat.", "The top of the head.", "We go test it.", "Time to sort them out.", "Encontra a fonte do ruído."])
def test_prose_with_names_of_programs_holds_no_command(sentence: str) -> None:
    assert commands_of(sentence) == ()


@pytest.mark.parametrize("end", [".", ",", ";", ":", "!", "?", ").", "…"])
def test_the_end_of_a_sentence_is_no_part_of_what_it_names(end: str) -> None:
    found = addresses(f"See https://example.org/a and /srv/data/a.txt{end} Then `git pull`{end}")
    assert (found.urls, found.commands, found.paths) == (("https://example.org/a",), ("git pull",), ("/srv/data/a.txt",))


@given(st.lists(st.from_regex(r"https://[a-z]{1,8}\.example/[a-z0-9]{1,9}", fullmatch=True), max_size=12), st.text(alphabet=" .,;:()\n", min_size=1, max_size=4))
def test_every_address_of_a_text_is_found(urls: list[str], between: str) -> None:
    between = between if between[:1] in " \n" else " " + between
    assert urls_of((between + " ").join(urls)) == tuple(dict.fromkeys(urls))


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    found = addresses(text)
    for one in (*found.commands, *found.paths):
        assert one in text or "\\\n" in text or "\n" in text
    for path in paths_of(text):
        assert not path.endswith((".", ",")) or path in ("~", ".")
