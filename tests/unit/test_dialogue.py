"""Plain text as a conversation: dialogues by their speakers, everything else as notes of the owner's."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from silo.formats.dialogue import read_dialogue
from silo.model import Origin
from transcript import Desk

PORTO = ZoneInfo("Europe/Lisbon")


def told(text: str) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in read_dialogue(text, UTC)]


@pytest.mark.parametrize(
    "text",
    [
        "User: I moved to Porto.\nAssistant: Noted.\n",
        "Human: I moved to Porto.\n\nAI: Noted.",
        "**User:** I moved to Porto.\n**Assistant:** Noted.",
        "## User\nI moved to Porto.\n\n## Assistant\nNoted.",
        "- Me: I moved to Porto.\n- Bot: Noted.",
        "[2026-03-06 09:00] User: I moved to Porto.\n[2026-03-06 09:01] Assistant: Noted.",
        "Eu: I moved to Porto.\nAssistente: Noted.",
        "\ufeffUser: I moved to Porto.\r\nAssistant: Noted.\r\n",
        "User (2026-03-06 09:00): I moved to Porto.\nAssistant (2026-03-06 09:01): Noted.",
    ],
)
def test_speakers_are_known(text: str) -> None:
    assert told(text) == [("user", "I moved to Porto."), ("assistant", "Noted.")]


def test_a_turn_may_have_several_paragraphs_and_a_fence() -> None:
    text = "User: One.\n\nTwo.\n```\nAssistant: not a speaker\n```\nAssistant: Yes."
    assert told(text) == [("user", "One.\n\nTwo.\n```\nAssistant: not a speaker\n```"), ("assistant", "Yes.")]


def test_without_speakers_each_paragraph_is_a_note() -> None:
    assert told("The boiler is from 2019.\nIt is a Vaillant.\n\nThe car: a Fiat.\n") == [
        ("user", "The boiler is from 2019.\nIt is a Vaillant."),
        ("user", "The car: a Fiat."),
    ]


def test_dates_are_the_times_of_what_follows() -> None:
    text = "# 2026-03-06\n\nOne.\n\n2026-03-07\n\nTwo."
    made = read_dialogue(text, PORTO)
    assert [datetime.fromtimestamp(m.at or 0, PORTO).isoformat() for m in made] == ["2026-03-06T12:00:00+00:00", "2026-03-07T12:00:00+00:00"]
    stamped = read_dialogue("[2026-07-06 09:30] User: Hi.\nAssistant: Yes?", PORTO)
    assert datetime.fromtimestamp(stamped[0].at or 0, PORTO).isoformat() == "2026-07-06T09:30:00+01:00"
    assert stamped[1].at == stamped[0].at


def test_ids_survive_a_line_typed_above() -> None:
    before = read_dialogue("One.\n\nTwo.\n\nOne.", UTC)
    after = read_dialogue("Zero.\n\nOne.\n\nTwo.\n\nOne.", UTC)
    assert [m.id for m in after][1:] == [m.id for m in before]
    assert len({m.id for m in before}) == 3


def test_an_edited_file_gives_only_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "notes 2026-03-06.txt"
    path.write_text("The boiler is from 2019.\n")
    desk = Desk(zone=PORTO)
    turns = desk.fresh(path=path, zone=PORTO)
    assert [(turn.origin, turn.text, turn.at.date().isoformat()) for turn in turns] == [(Origin.OWNER, "The boiler is from 2019.", "2026-03-06")]
    assert desk.seen is not None
    assert desk.seen.source == "text"
    assert desk.parts(path=path) == []
    path.write_text("A new first note.\n\nThe boiler is from 2019.\n")
    assert desk.said(path=path) == ["A new first note."]


def test_a_folder_of_text_and_other_files(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One note.")
    (tmp_path / "b.png").write_bytes(b"\x89PNG")
    (tmp_path / "c.txt").write_bytes(b"caf\xe9 is open")
    desk = Desk()
    assert desk.said(path=tmp_path) == ["One note.", "caf\udce9 is open"]
    assert desk.seen is not None
    assert [Path(s.where).name for s in desk.seen.skipped] == ["b.png"]


def test_an_empty_file_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("")
    assert Desk().fresh(path=path) == []
