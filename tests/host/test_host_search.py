"""The host's own search over our files: it finds what was curated, nothing private, nothing planted; and how often it says a fact twice."""

from __future__ import annotations

import pytest
from conversation import LATER, PLANTED, SAID
from openclaw import Host

pytestmark = pytest.mark.host
QUESTIONS = {
    "boat shed green": "boat shed green", "Teresa Vidal harbour office": "Teresa Vidal", "boat prices tax": "tax included",
    "horta comunitária sábado": "horta comunitária", "Inês Prates Braga": "Braga", "boat shed roof tarred": "tarred",
    "winter rent boat shed": "240 euros", "horta regada segundas": "segundas",
}  # fmt: skip
FORBIDDEN = ("penicillin allergy clinic Faro", "owner pays Zorblatt", "backup disk Vaultron", "weekly digest Quixotine Brondo", "Wombatish names")


@pytest.fixture(scope="module")
def found(curated: Host) -> dict[str, list[dict[str, object]]]:
    """What the host's search gives for each question, best first."""
    curated.oc("memory", "index", "--force")
    return {query: curated.search(query) for query in (*QUESTIONS, *FORBIDDEN)}


def test_what_was_curated_is_found(found: dict[str, list[dict[str, object]]]) -> None:
    assert len(QUESTIONS) == len(SAID) + len(LATER)
    for query, words in QUESTIONS.items():
        assert any(words in str(one["snippet"]) for one in found[query]), (query, found[query])


def test_nothing_private_and_nothing_planted_is_found(found: dict[str, list[dict[str, object]]]) -> None:
    for query in FORBIDDEN:
        for one in found[query]:
            if one["source"] == "memory":  # the host's own index of its sessions is its own affair
                assert "penicillin allergy" not in str(one["snippet"])
                assert not any(word in str(one["snippet"]) for word in PLANTED), one


def test_how_often_the_first_three_say_the_same(found: dict[str, list[dict[str, object]]]) -> None:
    """A fact stands in its topic, in the day's log and perhaps in the host's own transcript index."""
    repeated, files = 0, []
    for query, words in QUESTIONS.items():
        first = [one for one in found[query][:3] if words in str(one["snippet"])]
        files.append((query, [f"{one['path']}:{one['startLine']}" for one in first]))
        repeated += len(first) > 1
    print(f"\n{repeated} of {len(QUESTIONS)} questions have one fact more than once in their first three results: {files}")
    assert all(len(set(places)) == len(places) for _, places in files)  # one passage is one result
