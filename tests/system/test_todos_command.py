"""To-dos from a line of the log to the tick: listed, due, done by command and by what was said."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path)
    made.topic("house", "- [ ] Paint the fence <!-- f_00000000000a since:2026-02-01 -->", "- [x] Clean the gutter", "- The roof is new.")
    made.topic("old", "- [ ] Sell the boat", status="archived")
    made.events(
        "2026-03-02",
        "[TODO] house: Pay the rent. Due 2026-03-05. <!-- id:e_00000000000b -->",
        "[TODO] general: Renovar o passaporte. Prazo 2026-04. <!-- id:e_00000000000c -->",
        "[TODO] house: Maybe move the shed <!-- id:e_00000000000d conf:tentative -->",
    )
    return made


def texts(home: Home, *args: str) -> list[str]:
    return [one["text"] for one in home.data("todos", *args)["todos"]]


def test_all_that_is_open_and_what_is_due_first(home: Home) -> None:
    wanted = ["Pay the rent. Due 2026-03-05.", "Renovar o passaporte. Prazo 2026-04.", "Paint the fence"]
    assert texts(home) == wanted  # before a night has taken the line in, and after
    home.night()
    assert texts(home) == wanted
    assert texts(home, "--due") == wanted[:2]
    assert texts(home, "--topic", "house") == [wanted[0], wanted[2]]
    assert texts(home, "--topic", "general") == [wanted[1]]
    assert texts(home, "--topic", "old") == ["Sell the boat"]
    first, second, _ = home.data("todos")["todos"]
    assert (first["due"], first["overdue"], second["due"], second["overdue"]) == ("2026-03-05", True, "2026-04", False)
    assert "overdue, due 2026-03-05" in home.run("todos")
    assert "no topic nowhere" in home.run("todos", "--topic", "nowhere", code=2)


def test_done_by_command_ticks_with_changelog_and_can_be_taken_back(home: Home) -> None:
    home.night()
    before = home.memory()
    assert "[x] Paint the fence" in home.run("todos", "--done", "f_00000000000a", "--dry-run")
    assert home.memory() == before
    home.run("todos", "--done", "f_00000000000a")
    assert "[x] Paint the fence" in home.facts("house")
    assert home.changelog("house")[0] == "- 2026-03-10: [done] [x] Paint the fence. Was: [ ] Paint the fence. Ticked by command."
    assert "[EVENT] house: Done: Paint the fence" in home.read("memory/events/2026-03-10.md")
    assert "is done already" in home.run("todos", "--done", "f_00000000000a", code=2)
    home.run("undo", "--last", "--yes")
    assert home.memory() == before


def test_a_line_without_topic_is_done_by_its_id(home: Home) -> None:
    home.run("todos", "--done", "e_00000000000c")
    assert "[EVENT] general: Feito: Renovar o passaporte" in home.read("memory/events/2026-03-10.md")
    assert "done:e_00000000000c" in home.read("memory/events/2026-03-10.md")
    assert not any("passaporte" in text for text in texts(home))
    assert "is done already" in home.run("todos", "--done", "e_00000000000c", code=2)
    home.night()
    assert not any("passaporte" in text for text in texts(home))


def test_a_line_that_no_night_has_taken_in_is_done_by_its_id(home: Home) -> None:
    home.run("todos", "--done", "e_00000000000b")
    assert texts(home) == ["Renovar o passaporte. Prazo 2026-04.", "Paint the fence"]
    home.night()
    assert texts(home) == ["Renovar o passaporte. Prazo 2026-04.", "Paint the fence"]


def test_said_to_be_done_in_a_session(home: Home) -> None:
    home.night()
    home.events(
        "2026-03-09",
        "[EVENT] house: Paid the rent. <!-- id:e_0000000000e1 -->",
        "[EVENT] general: O passaporte foi renovado. <!-- id:e_0000000000e2 -->",
        "[EVENT] general: Painted the fence. <!-- id:e_0000000000e3 -->",
        "[EVENT] general: Bought a hammer. <!-- id:e_0000000000e4 -->",
    )
    home.night()
    assert texts(home) == []
    assert home.changelog("house")[0].endswith("Said on 2026-03-09: Painted the fence.")
    before = home.memory()
    home.night()
    assert home.memory() == before


def test_asked_for_and_done_the_same_night(home: Home) -> None:
    home.events("2026-03-03", "[EVENT] house: The rent is paid. <!-- id:e_0000000000e1 -->")
    home.night()
    assert any(fact.startswith("[x] Pay the rent") for fact in home.facts("house"))


def test_an_undone_tick_is_not_made_again(home: Home) -> None:
    home.night()
    home.events("2026-03-09", "[EVENT] house: Painted the fence. <!-- id:e_0000000000e3 -->")
    home.night()
    home.run("undo", "--last", "--any", "--yes")
    home.night()
    assert "[ ] Paint the fence" in home.facts("house")


def test_done_before_it_was_asked_for_closes_nothing(home: Home) -> None:
    home.night()
    home.events("2026-01-15", "[EVENT] house: Painted the fence. <!-- id:e_0000000000e3 -->")
    home.night()
    assert "[ ] Paint the fence" in home.facts("house")


TALK = """\
[2026-03-09 10:00] User: pintei a cerca hoje
[2026-03-09 10:01] Assistant: Great. Did you pay the rent?
[2026-03-09 10:02] User: yes, done
[2026-03-09 10:03] Assistant: And the passport?
[2026-03-09 10:04] User: not done yet
"""


def test_a_conversation_in_two_languages_closes_what_it_names(home: Home) -> None:
    home.topic("house", "- [ ] Pintar a cerca <!-- f_00000000000a since:2026-02-01 -->")
    home.night()
    home.write("talk.txt", TALK)
    home.run("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    home.night()
    assert home.facts("house") == ["[x] Pintar a cerca", "[x] Pay the rent. Due 2026-03-05."]
    assert texts(home) == ["Renovar o passaporte. Prazo 2026-04."]
    before = home.memory()
    home.run("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    home.night()
    assert home.memory() == before


def test_what_is_said_under_another_topic_closes_it_too(home: Home) -> None:
    home.topic("garden", "- [ ] Return the hammer <!-- f_00000000000b since:2026-02-01 -->")
    home.topic("secret", "- Ana knows. <!-- f_00000000000c since:2026-02-01 -->", sensitivity="private")
    home.night()
    home.events(
        "2026-03-09",
        "[FACT] garden: The rent is paid and the receipt is in the shed. <!-- id:e_0000000000e1 -->",
        "[EVENT] garden: Painted the fence. <!-- id:e_0000000000e3 -->",
        "[EVENT] secret: The hammer was returned. <!-- id:e_0000000000e2 -->",
    )
    home.night()
    done = [fact for fact in home.facts("house") if fact.startswith("[x]")]
    assert done == ["[x] Paint the fence", "[x] Clean the gutter", "[x] Pay the rent. Due 2026-03-05."]
    assert not any("rent" in fact for fact in home.facts("house") if not fact.startswith("["))
    assert home.facts("garden")[0] == "[ ] Return the hammer"  # what a private topic says stays there
    assert texts(home) == ["Renovar o passaporte. Prazo 2026-04.", "Return the hammer"]
    before = home.memory()
    home.night()
    assert home.memory() == before


ANSWERS = """\
[2026-03-09 10:01] Assistant: E a tinta para a cerca, já compraste?
[2026-03-09 10:02] User: feito
[2026-03-09 10:03] Assistant: Ok. Has the plumber been called?
[2026-03-09 10:04] User: done
"""


def test_a_bare_done_answers_the_question_that_names_the_task(home: Home) -> None:
    home.topic("house", "- [ ] Tenho de comprar tinta para a cerca até sexta. Prazo 2026-03-13. <!-- f_00000000000a since:2026-02-01 -->\n"
               "- [ ] I need to call the plumber by Friday. Due 2026-03-13. <!-- f_00000000000b since:2026-02-01 -->")
    home.night()
    home.write("talk.txt", ANSWERS)
    home.run("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    home.night()
    assert [fact[:3] for fact in home.facts("house")] == ["[x]", "[x]", "[ ]"], home.read("memory/events/2026-03-09.md")


def test_what_is_open_stands_in_the_session_start(home: Home) -> None:
    home.topic("secret", "- [ ] Buy the ring. Due 2026-03-01. <!-- f_00000000000c since:2026-02-01 -->", sensitivity="private")
    home.topic("theirs", "- [ ] Ship the release <!-- f_00000000000d since:2026-02-01 -->", agents="coder")
    home.night()
    told = home.run("context")
    assert "## To do\n- [ ] Buy the ring. Due 2026-03-01. (overdue)\n- [ ] Pay the rent. Due 2026-03-05. (overdue)\n- [ ] Paint the fence\n" in told
    assert "Ship the release" in home.run("context", "--agent-id", "coder")
    assert "To do" not in home.run("context", "--audience", "group")
    home.topic("long", *(f"- [ ] Wash window {number} of the house by the lake" for number in range(40)))
    told = home.run("context")
    assert "Pay the rent" in told
    assert "more: `todos`" in told
    assert len(told.encode()) <= 8192


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("The dentist and the vet are both booked.", ["Book the dentist", "Book the vet"]),
        ("Pilhas e pão comprados.", ["Comprar pilhas", "Comprar pão"]),
        ("All done: the paint is bought and the tap in the kitchen is fixed.", ["Buy paint", "Fix the kitchen tap"]),
        ("The dentist is booked.", ["Book the dentist"]),
        ("Everything is booked.", []),
        ("The report for Ana was sent.", ["Send the report to Ana"]),  # the one to Rui is named in part
        ("The report was sent.", []),
    ],
)
def test_one_statement_closes_each_to_do_that_it_names_whole(home: Home, said: str, done: list[str]) -> None:
    home.topic("house", "- [ ] Book the dentist", "- [ ] Comprar pilhas", "- [ ] Buy paint", "- [ ] Send the report to Ana", "- [ ] Send the report to Rui")
    home.topic("errands", "- [ ] Book the vet", "- [ ] Comprar pão", "- [ ] Fix the kitchen tap")
    home.night()
    home.events("2026-03-09", f"[EVENT] house: {said} <!-- id:e_0000000000e1 -->")
    home.night()
    ticked = [fact.removeprefix("[x] ") for slug in ("house", "errands") for fact in home.facts(slug) if fact.startswith("[x]")]
    assert sorted(ticked) == sorted(done)


@pytest.mark.parametrize(
    ("answer", "done"),
    [("all done", ["Feed the cat", "Water the ferns"]), ("ambas feitas", ["Feed the cat", "Water the ferns"]), ("done", []), ("not all done yet", [])],
)
def test_a_bare_answer_to_a_question_that_names_several(home: Home, answer: str, done: list[str]) -> None:
    home.topic("house", "- [ ] Water the ferns", "- [ ] Sweep the stairs")
    home.topic("pets", "- [ ] Feed the cat")
    home.night()
    home.write("talk.txt", f"[2026-03-09 10:01] Assistant: Still open: water the ferns, feed the cat.\n[2026-03-09 10:02] User: {answer}\n")
    home.run("--source", "text", "--path", str(home.root / "talk.txt"), script="extract_session.py")
    home.night()
    ticked = [fact.removeprefix("[x] ") for slug in ("house", "pets") for fact in home.facts(slug) if fact.startswith("[x]")]
    assert sorted(ticked) == done
