"""The changelog as law: whatever was done through the door, facts at t0 and the changelog give the facts at any time."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from silo.core.facts import Add, End, Op, Set, apply_ops
from silo.core.history import known_at, replay, state_of
from silo.formats.topics import fact_id, new_topic, parse_topic
from silo.model import Fact

PATH = "memory/topics/infra.md"
SHAPE = new_topic("infra", type="project", created="2026-01-01", summary="Machines.")
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40
).map(str.strip).filter(lambda t: bool(t.strip(" .")) and not t.startswith("["))
said = st.one_of(texts, st.sampled_from(["Port 8088.", "Dr. Ana Was: ill. So.", "a <!-- b --> c", "- x", "# no", "Was: 3.", "1. 2. 3", "[x] y".strip("[")]))
steps = st.lists(st.tuples(st.sampled_from(["add", "set", "end", "tick"]), st.integers(0, 5), said, said, st.booleans()), max_size=14)


def _op(kind: str, number: int, text: str, reason: str, todo: bool, state: dict[str, str], serial: int) -> Op | None:
    known = sorted(state)
    if kind == "add" or not known:
        return Add(Fact("infra", text, fact_id(str(serial)), done=False if todo else None), field="fact", reason=reason)
    ident = known[number % len(known)]
    if kind == "end":
        return End(ident, reason)
    if kind == "tick" and state[ident][:1] == "[":
        return Set(ident, state[ident][4:], "done", reason, done=True)
    return Set(ident, text, "fact", reason) if kind == "set" else None


@settings(max_examples=120, deadline=None)
@given(steps)
def test_facts_and_changelog_give_every_state(found: list[tuple[str, int, str, str, bool]]) -> None:
    text, day = SHAPE, date(2026, 1, 1)
    states: list[tuple[str, dict[str, str]]] = [(day.isoformat(), {})]
    for serial, (kind, number, said_, reason, todo) in enumerate(found):
        op = _op(kind, number, said_, reason, todo, states[-1][1], serial)
        if op is None:
            continue
        day += timedelta(days=1)
        text = apply_ops(text, [op], path=PATH, today=day.isoformat(), at=f"{day}T04:30:00+00:00")
        states.append((day.isoformat(), state_of(parse_topic(text, PATH))))
    file = parse_topic(text, PATH)
    for when, state in states:
        assert known_at(file, when) == state
        later = [entry for entry in file.changes if entry.date > when]
        assert replay(state, later) == states[-1][1]
