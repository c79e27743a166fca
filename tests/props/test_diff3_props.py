"""Deltas give the text back, merges lose nothing, and one changed side is always taken whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from silo.text.diff3 import delta, merge, patch, unified
from silo.text.lines import split

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d\r\n", "é\n", "end"]), max_size=12)
TEXTS = LINES.map("".join)


@given(TEXTS, TEXTS)
def test_a_delta_makes_the_new_text(old: str, new: str) -> None:
    assert patch(old, delta(old, new)) == new


@given(TEXTS, TEXTS)
def test_one_side_changed_is_taken_whole(base: str, side: str) -> None:
    assert merge(base, side, base) == merge(base, base, side)
    assert merge(base, side, base).text == side
    assert merge(base, side, side).text == side
    assert not merge(base, side, side).clashes


@given(TEXTS, TEXTS, TEXTS)
def test_a_merge_loses_no_new_line(base: str, mine: str, theirs: str) -> None:
    merged = merge(base, mine, theirs)
    seen = set(split(merged.text)) | {line for clash in merged.clashes for line in split(clash.mine)}
    assert set(split(theirs)) - set(split(base)) <= set(split(merged.text))
    assert {line.strip() for line in set(split(mine)) - set(split(base))} <= {line.strip() for line in seen}


@given(TEXTS, TEXTS)
def test_a_diff_is_empty_only_where_nothing_differs(old: str, new: str) -> None:
    assert (unified("x", old, new) == "") == (old == new)
