"""URLs, commands and paths in a text: found as a person would mark them, and nothing that only looks like one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo.text import commands
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


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("Depois fiz git push --force-with-lease e funcionou.", "git push --force-with-lease"),
        ("I ran npm install --save and then it was fine.", "npm install --save"),
        ("After that I did git rebase -i HEAD~3 and everything was fine.", "git rebase -i HEAD~3"),
        ("curl -s https://example.org/a | the rest is up to you", "curl -s https://example.org/a"),
    ],
)
def test_a_command_ends_where_the_sentence_goes_on(sentence: str, command: str) -> None:
    assert commands_of(sentence) == (command,)


def test_a_program_reads_no_more_of_a_long_line_than_a_command_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(commands, "_length", lambda words: seen.append(len(words)) or 0)
    assert commands_of("git word " * 4000) == ()
    assert max(seen) <= commands.LONGEST


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
