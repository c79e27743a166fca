"""What stands where in a MEMORY.md of any shape."""

from __future__ import annotations

import pytest

from silo.core.migrate.reading import Kind, read


def kinds(text: str) -> list[tuple[str, int, int]]:
    return [(b.kind.value, b.start, b.end) for b in read(text).blocks]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# A\n## B ##\n", [("heading", 1, 1), ("heading", 2, 2)]),
        ("Rules\n-----\n- a\n", [("heading", 1, 2), ("item", 3, 3)]),
        ("MEMORY\n======\n", [("heading", 1, 2)]),
        ("A sentence that ends.\n---\n", [("paragraph", 1, 1), ("rule", 2, 2)]),
        ("**Who I work for**\nBram\n", [("label", 1, 1), ("paragraph", 2, 2)]),
        ("**Name:** Bram\n", [("paragraph", 1, 1)]),
        ("TASKS\n- a\n", [("label", 1, 1), ("item", 2, 2)]),
        ("Rules:\n- a\n\nHello:\n", [("label", 1, 1), ("item", 2, 2), ("paragraph", 4, 4)]),
        ("a\n\nto sort\n- b\n- c\n", [("paragraph", 1, 1), ("label", 3, 3), ("item", 4, 4), ("item", 5, 5)]),
        ("a\n\nto sort\n- b\n", [("paragraph", 1, 1), ("paragraph", 3, 3), ("item", 4, 4)]),
        ("a\n\nIt rained, we stayed.\n- b\n- c\n", [("paragraph", 1, 1), ("paragraph", 3, 3), ("item", 4, 4), ("item", 5, 5)]),
        ("#hashtag is no heading\n", [("paragraph", 1, 1)]),
        ("##Tight\n", [("heading", 1, 1)]),
        ("- a\n  - b\n\n  more\n- c\n", [("item", 1, 4), ("item", 5, 5)]),
        (
            "- home\n\t- router\n\t- printer\n- work: 3\n",
            [("label", 1, 1), ("item", 2, 2), ("item", 3, 3), ("item", 4, 4)],
        ),
        ("| a | b |\n|---|---|\n| 1 | 2 |\ntext\n", [("table", 1, 3), ("paragraph", 4, 4)]),
        ("> q\n> r\n", [("quote", 1, 2)]),
        ("<!-- a\nb -->\nc\n", [("comment", 1, 2), ("paragraph", 3, 3)]),
        ("<!-- never closed\nc\n", [("comment", 1, 1), ("paragraph", 2, 2)]),
    ],
)
def test_shapes(text: str, said: list[tuple[str, int, int]]) -> None:
    assert kinds(text) == said


def test_front_matter_only_where_it_is_yaml() -> None:
    assert kinds("---\ntitle: x\ntags: [a]\n---\n# M\n")[0] == ("front matter", 1, 4)
    assert kinds("---\nThis file is loaded first.\n---\n")[0] == ("rule", 1, 1)
    assert kinds("---\n- a: b\n- c\n---\n")[0] == ("rule", 1, 1)
    assert kinds("---\ntitle: never closed\n")[0] == ("rule", 1, 1)


def test_hash_lines_in_a_fence_are_no_headings() -> None:
    assert kinds("## Deploy\n```bash\n# build\n## no\n```\n- x\n") == [
        ("heading", 1, 1),
        ("fence", 2, 5),
        ("item", 6, 6),
    ]


def test_an_unclosed_fence_ends_before_the_next_section_or_at_the_end() -> None:
    assert kinds("```\n# a\nb\n") == [("fence", 1, 3)]
    assert kinds("```\n# a\nb\n\n## Next\n- c\n") == [("fence", 1, 3), ("heading", 5, 5), ("item", 6, 6)]


def test_crlf_and_a_mark_before_the_first_line_change_nothing() -> None:
    plain = "# M\n\n## Rules\n- a\n"
    assert kinds("\ufeff" + plain.replace("\n", "\r\n")) == kinds(plain)


def test_boxes() -> None:
    boxes = [b.box for b in read("- [ ] a\n- [x] b\n- [X] c\n- d\n").blocks]
    assert boxes == [False, True, True, None]


def test_a_promoted_block_holds_its_marker_and_its_one_line() -> None:
    text = "<!-- openclaw-memory-promotion:memory:memory/2026-04-02.md:1:3 -->\n- # 2026-04-02 ## Plotter - cleaned [score=0.8 recalls=3]\n- by hand\n"
    assert [(b.kind, b.start, b.end) for b in read(text).blocks] == [
        (Kind.PROMOTION, 1, 2),
        (Kind.ITEM, 3, 3),
    ]


def test_a_very_long_line_is_read_at_once() -> None:
    text = "- " + "word " * 200_000 + "\n" + " " * 50_000 + "x\n"
    assert kinds(text) == [("item", 1, 2)]
