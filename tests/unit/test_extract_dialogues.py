"""What is kept of whole conversations, in English, Portuguese and both mixed: every event wanted, none too many."""

from __future__ import annotations

import pytest

from extract_cases import DATA, Case, load, verdict
from silo.core.extract import extract, ground
from silo.edge.lang import load_languages

CASES = [case for path in sorted(DATA.glob("*.txt")) for case in load(path.name)]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_conversation_leaves_what_it_should(case: Case) -> None:
    found = extract(case.session, case.topics, load_languages())
    wrong, _, _ = verdict(case, found)
    assert wrong == []


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_every_candidate_is_one_short_grounded_line(case: Case) -> None:
    known = {t.slug for t in case.topics} | {"general"}
    for candidate in extract(case.session, case.topics, load_languages()):
        assert ground(candidate, case.session)
        assert "\n" not in candidate.text
        assert 3 < len(candidate.text) <= 500
        assert candidate.slug in known
        assert "[REDACTED" not in candidate.text
