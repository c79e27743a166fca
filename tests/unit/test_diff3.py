"""Merging and showing changed lines."""

from __future__ import annotations

from silo.text.diff3 import Clash, delta, merge, shown, unified

BASE = "one\ntwo\nthree\nfour\nfive\n"


def test_changes_in_different_places_are_both_taken() -> None:
    merged = merge(BASE, BASE.replace("one", "ONE"), BASE.replace("five", "FIVE"))
    assert merged.text == "ONE\ntwo\nthree\nfour\nFIVE\n"
    assert merged.clashes == ()


def test_a_clash_keeps_theirs_and_tells_both() -> None:
    merged = merge(BASE, BASE.replace("three", "mine"), BASE.replace("three", "theirs"))
    assert merged.text == BASE.replace("three", "theirs")
    assert merged.clashes == (Clash(3, "three\n", "mine\n", "theirs\n"),)


def test_a_deleted_line_stays_deleted() -> None:
    assert merge(BASE, BASE.replace("two\n", ""), BASE + "six\n").text == BASE.replace("two\n", "") + "six\n"


def test_line_ends_are_kept() -> None:
    base = "a\r\nb\u2028c\r\nno end"
    assert merge(base, base + "!", "x\r\n" + base).text == "x\r\n" + base + "!"


def test_a_delta_holds_only_what_is_new() -> None:
    assert delta(BASE, BASE.replace("three", "3")) == [[0, 2], "3\n", [3, 5]]


def test_files_that_come_and_go() -> None:
    assert unified("x.md", None, "a\n") == "--- /dev/null\n+++ b/x.md\n@@ -0,0 +1 @@\n+a\n"
    assert unified("x.md", "", None) == "--- a/x.md\n+++ /dev/null\n"
    assert "\\ No newline at end of file" in unified("x.md", "a", "b")


def test_long_texts_are_cut_where_they_are_shown() -> None:
    assert shown("a\nb\n") == "a\nb"
    assert shown("x\n" * 20, 3) == "x\nx\nx\n… and 17 more lines"
