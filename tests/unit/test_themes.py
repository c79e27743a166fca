"""The themes of everyday life: what a line shows, and that the tables can be edited without a trap."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from silo.edge.themes import FOLDER, load_themes
from silo.errors import BadInput
from silo.formats.events import slug_for, valid_slug
from silo.formats.topics import TYPES

THEMES = load_themes()


def shown(text: str) -> list[str]:
    scores = THEMES.scores(THEMES.read(text))
    return [THEMES.all[number].id for number, _ in sorted(scores.items(), key=lambda one: -one[1])]


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("Smoke the entrance before you open the hive", "beekeeping"),
        ("The starter rises in six hours", "sourdough"),
        ("O lúpulo acabou e o fermentador vazou", "homebrew"),
        ("Os convidados do casamento são 95", "wedding"),
        ("The leisure battery lasts two nights", "van"),
        ("Backups go to the second NAS", "home-server"),
        ("A cuidadora vem às terças", "elder-care"),
        ("Order wicks for the candles", "soap"),
    ],
)
def test_a_line_shows_its_theme(text: str, theme: str) -> None:
    assert shown(text)[0] == theme


def test_a_word_of_the_other_language_counts_little() -> None:
    late = THEMES.scores(THEMES.read("The train was late and it rained"))
    bark = THEMES.scores(THEMES.read("O cão late muito para a vizinha"))
    dog = next(number for number, theme in enumerate(THEMES.all) if theme.id == "dog")
    assert late.get(dog, 0.0) < bark[dog] / 3


def test_a_language_is_known_by_its_small_words_or_not_at_all() -> None:
    assert THEMES.read("The hull is green").language == "en"
    assert THEMES.read("O casco da canoa é verde").language == "pt"
    assert THEMES.read("Newsletter 14").language == ""


def test_every_theme_can_name_a_topic() -> None:
    for theme in THEMES.all:
        assert theme.type in TYPES, theme.id
        for title in theme.titles.values():
            slug = slug_for(title)
            assert slug is not None, theme.id
            assert valid_slug(slug), theme.id


def edited(tmp_path: Path, name: str, text: str) -> Path:
    folder = tmp_path / "themes"
    shutil.copytree(FOLDER, folder)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("food.toml", "[a\n", "food.toml can't be read"),
        ("food.toml", '[tea]\ntype = "hobby"\n', "is not a table of themes"),
        ("general.toml", "", "is not a table of themes"),
    ],
)
def test_a_broken_table_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        load_themes(edited(tmp_path, name, text))


def test_a_new_theme_needs_no_program_change(tmp_path: Path) -> None:
    own = '[kites]\ntype = "hobby"\nen = "Kites"\npt = "Pipas"\ncore = "kite kites | pipa"\nmore = " | "\nhint = " | "\n'
    themes = load_themes(edited(tmp_path, "own.toml", own))
    scores = themes.scores(themes.read("The red kite needs a longer tail"))
    assert themes.all[max(scores, key=lambda one: scores[one])].id == "kites"
