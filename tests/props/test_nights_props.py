"""Any nights: whatever is said and edited in whatever order, nothing is lost and a second run finds nothing to do."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from nights import Memory
from silo.core.history import known_at, replay, state_of
from silo.formats.topics import parse_topic

PATH = "memory/topics/infra.md"
SAID = (
    "The gateway listens on port {n}.", "The gateway moved to port {n}.", "Since Monday the gateway listens on {n}.", "A porta do gateway é {n}.", "The landlord is {name}.",
    "{name} is the new landlord.", "We no longer use {name} for backups.", "We use {name} for backups.", "The budget is {n} euros.", "O orçamento subiu para {n} euros.",
    "The lift is broken.", "The lift works.", "The lift was repaired.", "The team is {name}, Rui and Zoe.", "Rui left the team.", "Maybe the budget is {n} euros.",
)  # fmt: skip
TAGS = ("FACT", "CHANGED", "DECISION", "PROCEDURE", "TODO", "EVENT")
say = st.tuples(st.just("say"), st.sampled_from(SAID), st.sampled_from(TAGS), st.integers(8000, 8003), st.sampled_from(["Ana Reis", "Otto Brandt", "Mulino"]))
edit = st.tuples(st.just("edit"), st.sampled_from(["delete", "reword", "add", "strip", "copy", "swap"]), st.integers(0, 9))
night = st.tuples(st.just("night"))
steps = st.lists(st.one_of(say, say, edit, night), min_size=2, max_size=16)


def by_hand(memory: Memory, kind: str, at: int) -> None:
    """One edit of a person, at some bullet of the topic."""
    lines = memory.text("infra").split("\n")
    start, end = lines.index("<!-- CURATED_START -->"), next(i for i, line in enumerate(lines) if line.startswith("## Changelog"))
    bullets = [i for i in range(start, end) if lines[i].startswith("- ")]
    if kind == "add" or not bullets:
        lines.insert(start + 3, f"- A line of mine, number {at}.")
    else:
        line = bullets[at % len(bullets)]
        match kind:
            case "delete":
                del lines[line]
            case "reword":
                lines[line] = lines[line].replace("The ", "My own ", 1)
            case "strip":
                lines[line] = lines[line].partition(" <!--")[0]
            case "copy":
                lines.insert(line, lines[line])
            case "swap":
                lines[bullets[0]], lines[line] = lines[line], lines[bullets[0]]
    memory.put(PATH, "\n".join(lines))


@settings(max_examples=60, deadline=None)
@given(steps)
def test_nothing_is_lost_in_any_night(found: list[tuple]) -> None:  # type: ignore[type-arg]
    memory = Memory()
    memory.topic("infra")
    day, number = date(2026, 1, 5), 0
    known: list[tuple[str, dict[str, str]]] = []
    for step in [*found, ("night",)]:
        match step:
            case ("say", template, tag, n, name):
                number += 1
                memory.say(day.isoformat(), f"[{tag}] infra: {template.format(n=n, name=name)} <!-- id:e_{number:012x} -->")
            case ("edit", kind, at):
                by_hand(memory, kind, at)
            case _:
                day += timedelta(days=1)
                memory.night(day.isoformat())  # asserts that a second run has nothing to do
                known.append((day.isoformat(), state_of(parse_topic(memory.text("infra"), PATH))))
                day += timedelta(days=1)
    text = memory.text("infra")
    everything = text + memory.files.get(".silo/review.jsonl", b"").decode() + "".join(f"{k}" for k in memory.state["reconciled"].values())
    log = "".join(data.decode() for path, data in memory.files.items() if "/events/" in path)
    assert log.count(" <!-- id:e_") == number
    assert len(memory.state["reconciled"]) == number
    assert parse_topic(text, PATH).editable
    assert everything
    # facts then + changelog = facts now
    file = parse_topic(text, PATH)
    for when, state in known:
        assert known_at(file, when) == state
        assert replay(state, [entry for entry in file.changes if entry.date > when]) == state_of(file)
