"""Recall, as a person meets it: the right line first, literal words never lost, nothing shown that is not theirs to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from silo.core.search import answer as module
from silo.core.search.answer import Answer, answer
from silo.edge.index import Index
from silo.formats.passages import passages
from silo.model import Scope

TODAY = date(2026, 3, 10)
Ask = Callable[..., Answer]

TOPIC = """---
topic: acme-crm
type: project
status: {status}
{more}tags: [crm]
entities: ["Acme Corp"]
created: 2026-01-01
last_verified: 2026-03-05
last_curated: 2026-03-05
summary: The CRM of Acme.
---
<!-- CURATED_START -->
## Servers
- The gateway listens on port 8080 <!-- f_0123456789ab since:2026-03-01 seen:2026-03-01 src:e_0123456789ab -->
- Backups run at night on the small host

## Changelog
<!-- CURATED_END -->
<!-- SOURCE_START -->
### 2026-03-01 — Call

> Somebody mentioned the zeppelin.
<!-- SOURCE_END -->
"""


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def events(root: Path, day: str, *lines: str) -> None:
    body = "".join((line if line.startswith("[") else f"[FACT] general: {line}") + "\n" for line in lines)
    write(root, f"memory/events/{day}.md", f"# Events {day}\n\n{body}")


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    opened: list[Index] = []

    def asking(query: str, **more: object) -> Answer:
        index = Index.open(tmp_path)
        opened.append(index)
        index.refresh()
        return answer(index, query, today=TODAY, **more)  # type: ignore[arg-type]

    yield asking
    for index in opened:
        index.close()


def texts(got: Answer) -> list[str]:
    return [r.text for r in got.results]


def test_the_line_with_the_rarest_words_comes_first(tmp_path: Path, ask: Ask) -> None:
    events(
        tmp_path,
        "2026-03-01",
        "The van needs new tyres",
        "The van's battery holds 210 Ah",
        "Lunch at the van",
    )
    got = ask("How big is the battery of the van?")
    assert texts(got)[0] == "The van's battery holds 210 Ah"
    assert (got.results[0].path, got.results[0].line) == ("memory/events/2026-03-01.md", 4)
    assert not got.needs_clarification


def test_parts_add_up_to_the_score_and_scores_fall(tmp_path: Path, ask: Ask) -> None:
    events(
        tmp_path,
        "2026-03-01",
        "Ana: the port is 8080",
        "Ben: the port is old",
        "we know",
        "[DECISION] acme-crm: port",
    )
    events(tmp_path, "2026-03-02", "Ana likes port wine")
    got = ask("Which port did Ana say on 2026-03-01?")
    assert len(got.results) == 5
    for r in got.results:
        assert r.score == pytest.approx(sum(value for _, value in r.parts), abs=1e-9)
    scores = [r.score for r in got.results]
    assert scores == sorted(scores, reverse=True)
    assert {"words", "near", "person", "day", "when"} <= {name for r in got.results for name, _ in r.parts}


@pytest.mark.parametrize(
    ("query", "want"),
    [
        ("e_0123456789ab", "Rotate the keys"),
        ("v2.1.3", "Released v2.1.3 today"),
        ("mecrm", "Moved acmecrm2 to the new host"),  # inside a word
        ("a < b || c", "Formula: a < b || c"),
        ("to be or not to be", "He said: to be or not to be"),  # stop words alone
        ("8081", "Port 8081 is taken"),
        ("日記", "彼は日記を書いた"),
        ("猫", "この猫は白い"),
        ("ещё не готов", "Дом ещё не готов"),
        ("المفتاح", "المفتاح تحت السجادة"),
        ("ДОМ", "Дом ещё не готов"),
        ("REUNIÃO", "A reunião é na quinta"),
        ("reuniao", "A reunião é na quinta"),
    ],
)
def test_what_stands_there_letter_for_letter_is_found_first(
    tmp_path: Path, ask: Ask, query: str, want: str
) -> None:
    events(
        tmp_path,
        "2026-03-01",
        "[FACT] general: Rotate the keys <!-- id:e_0123456789ab -->",
        "Released v2.1.3 today",
        "Released v2.1 last week",
        "Moved acmecrm2 to the new host",
        "Formula: a < b || c",
        "He said: to be or not to be",
        "Port 8081 is taken",
        "Port 80 is free, 8082 too",
        "彼は日記を書いた",
        "この猫は白い",
        "Дом ещё не готов",
        "المفتاح تحت السجادة",
        "A reunião é na quinta",
    )
    assert texts(ask(query))[0] == want


LANGUAGES = [
    ("Las reuniones del equipo son los martes", "reunión del equipo"),
    ("Los perros de Marta comen arroz", "¿Qué come el perro?"),
    ("Die Katze schläft auf dem Sofa", "Katzen"),
    ("Die Häuser am See sind verkauft", "Haus am See"),
    ("Ключи лежат под ковром", "Где ключ?"),
    ("Встреча с врачом в пятницу", "встречу"),
    ("会议改到星期五下午", "会议什么时候"),
    ("密码箱的编号是四二七", "密码箱编号"),
    ("打ち合わせは金曜日です", "打ち合わせはいつ"),
    ("東京の倉庫の鍵は青い", "倉庫の鍵"),
    ("회의는 금요일에 있습니다", "회의가 언제"),
    ("창고 열쇠는 파란색이다", "열쇠"),
    ("المفاتيح في الدرج", "أين المفاتيح؟"),
    ("اجتماع الفريق يوم الخميس", "الاجتماع"),
    ("As decisões foram adiadas", "qual decisão foi adiada"),
    ("Os canais da horta entupiram", "canal da horta"),
    ("The leaves were raked twice", "raking a leaf"),
]


@pytest.mark.parametrize(("line", "query"), LANGUAGES, ids=[q for _, q in LANGUAGES])
def test_inflected_words_are_found_in_many_languages(tmp_path: Path, ask: Ask, line: str, query: str) -> None:
    events(tmp_path, "2026-03-01", *(line for line, _ in LANGUAGES))
    assert texts(ask(query))[0] == line


def test_a_fact_shows_once_as_its_bullet_with_its_other_copies(tmp_path: Path, ask: Ask) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    events(
        tmp_path, "2026-03-01", "[FACT] acme-crm: The gateway listens on port 8080 <!-- id:e_0123456789ab -->"
    )
    write(tmp_path, "memory/2026-03-01.md", "- The gateway listens on port 8080\n")
    got = ask("does anything listen on port 8080, say the gateway?")
    first = got.results[0]
    assert (first.id, first.layer, first.path) == ("f_0123456789ab", "curated", "memory/topics/acme-crm.md")
    assert {(c.path, c.line) for c in first.also} == {
        ("memory/events/2026-03-01.md", 3),
        ("memory/2026-03-01.md", 1),
    }
    assert sum("8080" in text for text in texts(got)) == 1


def test_what_a_fact_was_leads_to_what_it_is(tmp_path: Path, ask: Ask) -> None:
    changed = TOPIC.format(status="active", more="").replace(
        "## Changelog\n",
        "## Changelog\n- 2026-03-01: [port] 8080. Was: 7171. <!-- f:f_0123456789ab op:set at:2026-03-01T10:00:00Z src:e_ffffffffffff -->\n"
        "- 2026-02-01: [pager] . Was: The pager is 5151. <!-- f:f_aaaaaaaaaaaa op:end at:2026-02-01T10:00:00Z -->\n",
    )
    write(tmp_path, "memory/topics/acme-crm.md", changed)
    events(tmp_path, "2026-01-01", "[FACT] acme-crm: The gateway listens on 7171 <!-- id:e_ffffffffffff -->")
    got = ask("7171")
    assert texts(got) == ["The gateway listens on port 8080"]
    assert {(c.path, c.line) for c in got.results[0].also} == {
        ("memory/events/2026-01-01.md", 3),
        ("memory/topics/acme-crm.md", 18),
    }
    assert "5151" in texts(ask("5151"))[0]


def test_a_topic_by_name_answers_from_its_curated_layer_alone(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    events(tmp_path, "2026-03-01", "acme crm port gateway 8080, long ago")
    seen: list[Scope] = []
    rank = module.rank
    monkeypatch.setattr(module, "rank", lambda *a: (seen.append(a[3]), rank(*a))[1])
    named = ask("acme crm")
    assert named.level == 2
    assert texts(named)[0] == "The CRM of Acme."
    exact = ask("port of the gateway in acme crm")
    assert exact.level == 3
    assert exact.results[0].id == "f_0123456789ab"
    assert all(scope.layers == {"curated"} for scope in seen)
    assert ask("acme crm invoices").level > 3


class Watched:
    """An index that notes what is looked up in it, and a model that notes whether it is asked."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.looked: list[tuple[str, Scope | None]] = []

    def __getattr__(self, name: str) -> Callable[..., object]:
        def look(*given: object, **more: object) -> object:
            scope = next((one for one in (*given, *more.values()) if isinstance(one, Scope)), None)
            self.looked.append((name, scope))
            return getattr(self.index, name)(*given, **more)

        return look

    def near(self, query: str, scope: Scope, most: int, also: object) -> dict[int, object]:
        self.looked.append(("near", scope))
        return {}


@pytest.mark.parametrize(
    ("query", "context", "level"),
    [
        ("gateway port?", "The gateway port is 8080.", 1),
        ("acme crm", "", 2),
        ("port of the gateway in acme crm", "", 3),
        ("What did I paint today?", "", 4),
        ("what happened today?", "", 4),
        ("painted the gateway", "", 5),
    ],
)
def test_a_level_runs_only_where_those_before_it_did_not_suffice(tmp_path: Path, query: str, context: str, level: int) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    events(tmp_path, "2026-03-01", "acme crm port gateway 8080, long ago", "Painted the fence")
    events(tmp_path, "2026-03-10", "Painted the shed")
    index = Index.open(tmp_path)
    index.refresh()
    watched = Watched(index)
    got = answer(watched, query, today=TODAY, context=context, meaning=watched)  # type: ignore[arg-type]
    index.close()
    assert got.level == level
    assert got.results or level == 1
    reached = {name for name, _ in watched.looked}
    scopes = [scope for name, scope in watched.looked if scope is not None and name in ("find", "holding", "between", "around")]
    if level == 1:
        assert reached == set()
    if level in (2, 3):
        assert {(scope.layers, scope.slugs) for scope in scopes} == {(frozenset({"curated"}), frozenset({"acme-crm"}))}
    if level == 4 and "paint" in query:
        assert {(scope.since, scope.until) for scope in scopes} == {("2026-03-10", "2026-03-10")}
    assert ("near" in reached) == (level == 5)  # a model is asked where words were, and nowhere before


def test_a_newer_event_of_the_topic_is_not_passed_over(tmp_path: Path, ask: Ask) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    events(tmp_path, "2026-03-09", "[CHANGED] acme-crm: The gateway listens on port 9090. Was: 8080.")
    got = ask("port of the gateway in acme crm")
    assert got.level == 5
    assert "The gateway listens on port 9090. Was: 8080." in texts(got)


def test_today_is_asked_of_today(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-03-09", "Painted the fence")
    events(tmp_path, "2026-03-10", "Painted the shed", "Fed the cat")
    got = ask("What did I paint today?")
    assert got.level == 4
    assert texts(got) == ["Painted the shed", "Fed the cat"]
    assert texts(ask("what happened today?")) == ["Fed the cat", "Painted the shed"]
    assert texts(ask("o que eu fiz ontem?")) == ["Painted the fence"]
    assert texts(ask("What did I do this week?")) == ["Fed the cat", "Painted the shed", "Painted the fence"]
    assert texts(ask("what happened in March 2026?")) == [
        "Fed the cat",
        "Painted the shed",
        "Painted the fence",
    ]
    assert ask("what happened in 1999?").results == ()


@pytest.mark.parametrize("query", ["What do I have to do today?", "what is due today?", "o que tenho marcado para hoje?"])
def test_what_names_the_day_is_due_on_it(tmp_path: Path, ask: Ask, query: str) -> None:
    events(tmp_path, "2026-03-01", "[TODO] shed: Paint the shed. Due 2026-03-10.", "[TODO] shed: Sell the shed. Due 2026-04-10.", "Today is fine")
    write(tmp_path, "memory/2026-03-01.md", "- Paint the shed. Due 2026-03-10.\n")
    got = ask(query)
    assert (got.level, texts(got)) == (4, ["Paint the shed. Due 2026-03-10."])
    assert [place.path for place in got.results[0].also] == ["memory/2026-03-01.md"]


def test_a_week_to_come_is_asked_by_the_days_that_lines_name(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-03-01", "Dentist on 2026-03-18 at ten", "Dentist on 2026-03-25 at ten", "Ana is a dentist")
    assert texts(ask("what is planned for next week?")) == ["Dentist on 2026-03-18 at ten"]
    assert texts(ask("when next week do I see the dentist?"))[0] == "Dentist on 2026-03-18 at ten"
    assert texts(ask("What happens on 25 March?")) == ["Dentist on 2026-03-25 at ten"]
    assert texts(ask("what happened last week?")) == []


def test_what_is_in_context_already_is_not_looked_up(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-03-09", "The gateway port is 8080")
    got = ask("gateway port?", context="Notes:\nThe gateway port is 8080.\n")
    assert (got.level, got.results) == (1, ())
    assert "The gateway port is 8080." in got.notes[0]


def test_days_in_the_question_prefer_those_days(tmp_path: Path, ask: Ask) -> None:
    for day in ("2026-02-01", "2026-03-05", "2026-03-09"):
        events(tmp_path, day, f"Ran with Bea in the park, lap {day[-1]}")
    assert ask("Ran with Bea yesterday?").results[0].date == "2026-03-09"
    assert ask("Ran with Bea on 1 February 2026?").results[0].date == "2026-02-01"
    assert ask("Corri com a Bea ontem? ran park").results[0].date == "2026-03-09"


def test_what_was_before_a_happening_is_preferred_to_what_came_after(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-01-05", "Rent is 900 a month")
    events(tmp_path, "2026-02-01", "Moved to the new flat, the move took a day")
    events(tmp_path, "2026-02-20", "Rent is 1,100 a month")

    def first_rent(query: str) -> str:
        return next(text for text in texts(ask(query)) if text.startswith("Rent"))

    assert first_rent("How much rent before the move?") == "Rent is 900 a month"
    assert first_rent("How much rent after the move?") == "Rent is 1,100 a month"
    assert first_rent("How much is the rent now?") == "Rent is 1,100 a month"
    assert first_rent("How much rent in January 2026?") == "Rent is 900 a month"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How much was the rent in January 2026?", "Rent is 900 a month"),
        ("How much was the rent before 10 February 2026?", "Rent is 900 a month"),
        ("Quanto era a renda (rent) em janeiro de 2026?", "Rent is 900 a month"),
        ("How much was the rent of the flat two months ago?", "Rent is 900 a month"),
        ("How much is the rent?", "Rent is 1,100 a month"),
        ("How much was the rent in February 2026?", "Rent is 1,100 a month"),
    ],
)
def test_what_was_true_then_is_not_told_as_what_a_fact_became(tmp_path: Path, ask: Ask, query: str, first: str) -> None:
    """A bullet rests on all events that made it what it is; the older of them say what it was."""
    events(tmp_path, "2026-01-05", "[FACT] flat: Rent is 900 a month <!-- id:e_000000000001 -->", "[FACT] flat: The flat has a piano <!-- id:e_000000000003 -->")
    events(tmp_path, "2026-02-20", "[CHANGED] flat: Rent is 1,100 a month <!-- id:e_000000000002 -->")
    log = (
        "- 2026-02-21: [rent] Rent is 1,100 a month. Was: Rent is 900 a month. <!-- f:f_000000000001 op:set at:2026-02-21T03:00:00+00:00 src:e_000000000002 valid:..2026-02-20 -->\n"
        "- 2026-02-21: [fact] The flat has a piano. <!-- f:f_000000000003 op:add at:2026-02-21T03:00:00+00:00 src:e_000000000003 valid:2026-01-05.. -->\n"
        "- 2026-01-06: [fact] Rent is 900 a month. <!-- f:f_000000000001 op:add at:2026-01-06T03:00:00+00:00 src:e_000000000001 valid:2026-01-05.. -->\n"
    )
    facts = (
        "- Rent is 1,100 a month <!-- f_000000000001 since:2026-02-20 seen:2026-02-20 src:e_000000000002 -->\n"
        "- The flat has a piano <!-- f_000000000003 since:2026-01-05 seen:2026-01-05 src:e_000000000003 -->\n"
    )
    body = TOPIC.replace("acme-crm", "flat").format(status="active", more="")
    write(tmp_path, "memory/topics/flat.md", body.replace("## Servers\n", "## Servers\n" + facts).replace("## Changelog\n", "## Changelog\n" + log))
    got = ask(query)
    assert texts(got)[0] == first
    assert len([text for text in texts(got) if text == first]) == 1
    assert ask("piano in January 2026").results[0].id == "f_000000000003"  # was so and is so


def test_newer_comes_first_among_equals(tmp_path: Path, ask: Ask) -> None:
    for day in ("2026-02-01", "2026-03-05", "2026-01-09"):
        events(tmp_path, day, "Watered the fern")
    assert [r.date for r in ask("fern").results] == ["2026-03-05", "2026-02-01", "2026-01-09"]


# --- asking back ---


@pytest.mark.parametrize(
    ("query", "back"),
    [
        ("What is my landlord's phone number?", "number"),
        ("What size are my shoes?", "figure"),
        ("Qual é a senha do wifi?", "never stored"),
        ("What did Zebedee say about the shoes?", "name"),
        ("What is the phone number of the plumber?", "number"),  # a day is no number to call
    ],
)
def test_weak_evidence_asks_back_with_candidates(tmp_path: Path, ask: Ask, query: str, back: str) -> None:
    events(
        tmp_path,
        "2026-03-01",
        "The landlord's phone fell",
        "Shoes for the race: the soft ones",
        "A rede wifi chama-se Estúdio",
        "The plumber comes. Due 2026-03-13.",
    )
    got = ask(query)
    assert got.needs_clarification
    assert got.level == 7
    assert back in got.question
    assert got.candidates


def test_nothing_found_is_said_without_a_question(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-03-01", "The boat is red")
    got = ask("xylophone quartet")
    assert (got.results, got.needs_clarification) == ((), False)


def test_an_empty_memory_answers_nothing(ask: Ask) -> None:
    assert ask("anything at all").results == ()
    assert ask("").results == ()
    assert ask("?!").results == ()


# --- filters and who may see what ---


def test_filters(tmp_path: Path, ask: Ask) -> None:
    events(
        tmp_path,
        "2026-03-01",
        "[FACT] boat: paint is red",
        "[DECISION] boat: paint it blue",
        "[FACT] shed: paint for Ana",
    )
    events(tmp_path, "2026-03-05", "[FACT] boat: paint dried")
    assert texts(ask("paint", scope=Scope(tags=frozenset({"DECISION"})))) == ["paint it blue"]
    assert texts(ask("paint", scope=Scope(slugs=frozenset({"shed"})))) == ["paint for Ana"]
    assert texts(ask("paint", scope=Scope(since="2026-03-02"))) == ["paint dried"]
    assert len(texts(ask("paint", scope=Scope(until="2026-03-02")))) == 3
    assert texts(ask("paint", scope=Scope(entity="Ana"))) == ["paint for Ana"]
    assert len(texts(ask("paint", limit=2))) == 2
    assert texts(ask("paint", tier="frozen")) == []
    assert len(texts(ask("paint", tier="warm"))) == 4
    none = ask("paint", scope=Scope(tags=frozenset({"TODO"}), since="2026-03-02"))
    assert (none.results, none.notes) == ((), ("4 without --tag, --since",))  # told, not shown
    assert ask("paint", tier="hot").notes == ("4 without --tier",)
    assert ask("xylophone", tier="hot").notes == ()


def test_what_the_changelog_tells_is_of_the_day_when_it_came_about(tmp_path: Path, ask: Ask) -> None:
    """A night may write down much later what was said on a day: a filter asks for the day."""
    log = (
        "- 2026-03-09: [port] The gateway listens on port 8080. Was: 7070. <!-- f:f_0123456789ab op:set at:2026-03-09T03:00:00+00:00 valid:..2026-03-01 -->\n"
        "- 2026-03-09: [fact] The gateway is old. <!-- f:f_00000000000b op:add at:2026-03-09T03:00:00+00:00 valid:2026-02-20.. -->\n"
        "- 2026-03-09: [fact] The gateway was loud. By hand. <!-- f:f_00000000000c op:end at:2026-03-09T03:00:00+00:00 valid:2025-01-01..2026-02-25 -->\n"
        "- 2026-03-09: [note] The gateway moved. <!-- f:f_00000000000d op:note at:2026-03-09T03:00:00+00:00 -->\n"
    )
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more="").replace("## Changelog\n", "## Changelog\n" + log))
    dates = {r.text.partition("gateway ")[2].split(" ")[0]: r.date for r in ask("gateway 7070 old loud moved", scope=Scope(layers=frozenset({"curated"}))).results}
    assert {dates["listens"], dates["is"], dates["was"], dates["moved."]} == {"2026-03-01", "2026-02-20", "2026-02-25", "2026-03-09"}
    assert len(ask("gateway", scope=Scope(since="2026-03-02")).results) == 1


def test_a_tier_is_asked_of_the_lines_themselves(tmp_path: Path, ask: Ask) -> None:
    """An event that a curated bullet rests on stands in its tier like any other, however many lines say the same words."""
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    events(tmp_path, "2026-03-01", "[DECISION] acme-crm: The gateway listens on port 8080 <!-- id:e_0123456789ab imp:0.95 -->")
    write(tmp_path, "memory/active.md", "# Active\n\n- gateway port\n")
    for month in ("01", "02", "04", "05"):
        events(tmp_path, f"2024-{month}-01", *(f"port gateway {n} port gateway" for n in range(150)))
    assert [(r.id, r.tier) for r in ask("gateway port", tier="hot").results] == [("e_0123456789ab", "hot")]
    assert texts(ask("gateway port", tier="active")) == ["gateway port"]
    assert {r.tier for r in ask("gateway port", tier="frozen").results} == {"frozen"}
    assert ask("gateway port", tier="active", scope=Scope(layers=frozenset({"events"}))).results == ()


@pytest.mark.parametrize(
    ("entity", "lines"),
    [
        ("Ana", {"Paint for Ana", "Ana's paint is dry", "Paint, said ANA."}),
        ("ana", {"Paint for Ana", "Ana's paint is dry", "Paint, said ANA."}),
        ("Rui Sá", {"Paint from Rui Sá"}),
        ("acme-crm", {"Paint of acme-crm"}),
        ("王先生", {"请把 paint 发给王先生吧"}),
        ("The Who", {"Paint for The Who"}),
    ],
)
def test_an_entity_is_named_by_whole_words(tmp_path: Path, ask: Ask, entity: str, lines: set[str]) -> None:
    given = ("Paint for Ana", "Ana's paint is dry", "Paint, said ANA.", "Banana paint", "Paint of Tatiana", "Paint from Rui Sá", "Paint from Rui Santos",
             "Paint of acme-crm", "请把 paint 发给王先生吧", "Paint for The Who", "Paint for whoever")  # fmt: skip
    events(tmp_path, "2026-03-01", *given)
    assert set(texts(ask("paint", limit=20, scope=Scope(entity=entity)))) == lines
    bare = Index.of(tmp_path, {"memory/events/2026-03-01.md": passages("memory/events/2026-03-01.md", (tmp_path / "memory/events/2026-03-01.md").read_text(encoding="utf-8"))})
    assert {r.text for r in answer(bare, "paint", today=TODAY, limit=20, scope=Scope(entity=entity)).results} == lines


def test_the_source_layer_answers_only_when_asked(tmp_path: Path, ask: Ask) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more=""))
    got = ask("zeppelin")
    assert got.results == ()
    assert got.notes == ("1 in the source layer: --layer source",)  # told, not shown
    wide = ask("zeppelin", scope=Scope(layers=frozenset({"source"})))
    assert (wide.results[0].layer, wide.results[0].text) == ("source", "Somebody mentioned the zeppelin.")


def test_archived_topics_answer_only_when_asked(tmp_path: Path, ask: Ask) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="archived", more=""))
    events(tmp_path, "2026-03-01", "[FACT] acme-crm: The gateway was slow")
    got = ask("gateway")
    assert got.results == ()
    assert got.notes == ("2 in archived topics: --archived",)
    archived = texts(ask("gateway", scope=Scope(archived=True)))
    assert sorted(archived) == ["The gateway listens on port 8080", "The gateway was slow"]


def test_other_agents_events_are_never_seen(tmp_path: Path, ask: Ask) -> None:
    events(
        tmp_path, "2026-03-01", "[FACT] general: my boat", "[FACT] general: their boat <!-- agent:work -->"
    )
    write(tmp_path, "MEMORY-work.md", "- work boat\n")
    assert texts(ask("boat")) == ["my boat"]
    assert sorted(texts(ask("boat", scope=Scope(agent="work")))) == ["their boat", "work boat"]


def test_a_topic_of_other_agents_is_theirs(tmp_path: Path, ask: Ask) -> None:
    write(tmp_path, "memory/topics/acme-crm.md", TOPIC.format(status="active", more="agents: [work]\n"))
    write(
        tmp_path,
        "memory/topics/acme-crm.archive.md",
        "<!-- SOURCE_START -->\n### 2026-01-01 — Old\n\ngateway\n<!-- SOURCE_END -->\n",
    )
    every = frozenset({"curated", "tiers", "events", "notes", "source"})
    assert texts(ask("gateway", scope=Scope(layers=every))) == []
    assert texts(ask("acme crm", scope=Scope(layers=every))) == []
    assert len(texts(ask("gateway", scope=Scope(agent="work", layers=every)))) >= 2


def test_a_group_never_sees_what_is_private(tmp_path: Path, ask: Ask) -> None:
    private = TOPIC.format(status="active", more="sensitivity: private\n")
    write(tmp_path, "memory/topics/acme-crm.md", private)
    write(tmp_path, ".silo/private/topics/health.md", private.replace("acme-crm", "health"))
    write(tmp_path, "memory/2026-03-01.md", "- gateway in a note\n")
    write(tmp_path, "MEMORY.md", "- gateway in the router\n")
    events(tmp_path, "2026-03-01", "[FACT] acme-crm: private gateway", "[FACT] general: public gateway")
    write(
        tmp_path,
        ".silo/private/events/2026-03-01.md",
        "# Events 2026-03-01\n\n[FACT] health: hidden gateway\n",
    )
    every = frozenset({"curated", "tiers", "events", "notes", "source"})
    assert texts(ask("gateway", scope=Scope(group=True, layers=every))) == ["public gateway"]
    assert texts(ask("gateway port 8080 acme crm", scope=Scope(group=True, layers=every))) == [
        "public gateway"
    ]
    assert sum("gateway" in text for text in texts(ask("gateway", scope=Scope(layers=every)))) == 7


def test_a_line_that_names_the_person_anywhere_is_about_her(tmp_path: Path, ask: Ask) -> None:
    """Where no speaker stands before a line, it need not begin with the name to be one of that person's."""
    wanted = "The crooked violin of Dorotea stands in the garage."
    events(tmp_path, "2026-01-05", f"[FACT] house: {wanted}")
    kinds = ("oak", "grey", "tall", "red", "iron", "short")
    events(tmp_path, "2026-02-05", *(f"[FACT] house: Dorotea keeps the {kind} violin in the loft." for kind in kinds))
    assert texts(ask("Where does Dorotea keep the crooked violin?"))[0] == wanted


def test_a_word_of_the_same_beginning_counts_less_the_less_it_shares(tmp_path: Path, ask: Ask) -> None:
    """Where the word itself stands nowhere: "consigned" is nearer to "consignment" than to "construction"."""
    events(tmp_path, "2026-03-01", "The construction is loud", "The consignment is large")
    got = ask("What was consigned?")
    assert texts(got)[0] == "The consignment is large"
    assert [r.score for r in got.results] == sorted((r.score for r in got.results), reverse=True)
    assert len(got.results) < 2 or got.results[0].score > 4 * got.results[1].score


def test_lines_of_a_talk_lend_more_to_their_neighbours_than_lines_that_were_noted(tmp_path: Path, ask: Ask) -> None:
    events(tmp_path, "2026-03-01", "Ada: What colour is the hull?", "Rui: Ochre")
    events(tmp_path, "2026-03-02", "The colour of the hull is asked for", "Rui is ochre")
    near = {r.text: dict(r.parts)["near"] for r in ask("colour of the hull").results if "near" in dict(r.parts) and "chre" in r.text}
    assert near["Rui: Ochre"] > near["Rui is ochre"] > 0
