"""A label that names the talk is no part of what is kept; one that names the subject is."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

from silo.core.extract import extract
from silo.core.extract.labels import without_label
from silo.edge.lang import load_languages
from silo.model import Origin, Session, Turn
from silo.text.language import Language


@cache
def languages() -> tuple[Language, ...]:
    return tuple(load_languages())


def kept(text: str) -> list[str]:
    turn = Turn("1", "user", Origin.OWNER, datetime(2026, 3, 10, 12, tzinfo=UTC), text)
    return [one.text for one in extract(Session("s", "cli", "default", (turn,)), (), languages())]


ENGLISH = [
    "Scratch session", "New session", "New chat", "Session notes", "Today's news", "Morning chat", "PS", "P.S", "TL;DR", "Summary", "Quick recap", "Context", "Note to self", "FYI",
    "For the record", "One more thing", "Another note", "Random thought", "Notes from today's chat", "Useful info", "Last message", "Heads up", "Just so you know",
]  # fmt: skip
PORTUGUESE = ["Nova sessão", "Sessão de testes", "Só para registar", "Para registo", "Notas da conversa", "Nota", "Observação", "Recado de hoje", "Outra coisa", "Última novidade", "Nova conversa"]


@pytest.mark.parametrize("label", ENGLISH)
@pytest.mark.parametrize("said", ["the kiln is 3.2 kW.", "we moved the freezer to the garage.", "my sister is allergic to nuts."])
def test_a_label_of_the_talk_is_left_out(label: str, said: str) -> None:
    assert kept(f"{label}: {said}") == [said[0].upper() + said[1:]]


@pytest.mark.parametrize("label", PORTUGUESE)
@pytest.mark.parametrize("said", ["o forno tem 3,2 kW.", "mudámos o servidor para a porta 9090."])
def test_a_label_of_the_talk_is_left_out_in_portuguese(label: str, said: str) -> None:
    assert kept(f"{label}: {said}") == [said[0].upper() + said[1:]]


@pytest.mark.parametrize(
    "text",
    ["Wifi password hint: the dog's name.", "Kiln: 900 degrees.", "Session length: it is 45 minutes.", "Yoga session: every Tuesday at 7.", "Chat app: we use Signal.",
     "News site: we read the Gazette.", "Reminder app: we use Todoist.", "Garden project: we planted three apple trees.", "Nota do curso: foi 17 valores.", "Note-taking app: it is Obsidian.",
     "Background colour: it is navy blue.", "Context window: it is 8,192 bytes.", "Thread size: it is M8.",
     "Sessão fotográfica: é no sábado.", "Conversation class: it is on Mondays.", "Info desk: it opens at nine.", "Update server: it listens on port 9090.", "Ana: the oven is 3.2 kW."],
)  # fmt: skip
def test_a_label_that_is_the_subject_stays(text: str) -> None:
    assert without_label(text) == text
    assert [one for one in kept(text) if one.startswith(text.split(":")[0])]


@pytest.mark.parametrize("text", ["New session: Friday at 6.", "Notes: three pages.", "Summary: short.", "News: https://example.org/feed", "Session: 45 minutes", "14:30: the train leaves."])
def test_what_can_not_stand_alone_keeps_its_label(text: str) -> None:
    assert without_label(text) == text
