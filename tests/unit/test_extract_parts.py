"""The parts of extraction: pieces of a message, corrections in mid-sentence, old and new values, phrases, languages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from silo.core.extract import extract
from silo.core.extract.acts import Sentence
from silo.core.extract.admission import admitted
from silo.core.extract.changes import change_in, figure_key, self_corrected
from silo.core.extract.clauses import Piece, pieces
from silo.core.extract.compose import clause, text_of
from silo.core.extract.editing import called_off, seems
from silo.core.extract.passing import asks_now
from silo.core.extract.reading import read
from silo.core.route import route, router
from silo.edge.lang import load_languages
from silo.errors import BadInput
from silo.model import Origin, Session, TopicInfo, Turn
from silo.text.flat import flat, flat_words
from silo.text.language import Phrases, compile_phrase, detect, tokens_of
from silo.text.tokens import terms

ENGLISH, PORTUGUESE = load_languages()


def sentence(text: str) -> Sentence:
    return read(Piece(text, "say", 0), (ENGLISH, PORTUGUESE), ENGLISH, date(2026, 3, 4))


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("One thing. And another, e.g. this.", ["One thing.", "And another, e.g. this."]),
        ("Dr. Silva charges 2.9% now. ok?", ["Dr. Silva charges 2.9% now.", "ok?"]),
        ("rent is 900; bills are 80", ["rent is 900", "bills are 80"]),
        ("- milk\n- 2) eggs", ["milk", "2) eggs"]),
        ("the rent is 900 btw can you check the lift", ["the rent is 900", "btw can you check the lift"]),
        ("fica 2,40 m. O resto depois", ["fica 2,40 m.", "O resto depois"]),
    ],
)
def test_a_message_falls_into_sentences(message: str, expected: list[str]) -> None:
    assert [p.text for p in pieces(message) if p.kind == "say"] == expected


@pytest.mark.parametrize(
    "message",
    [
        "> they will raise the rent\n> from May",
        "Dear tenant, please note the following\nThe rent is 900 from May",
        "---------- Forwarded message ---------\nWe decided to move",
        '"We have decided to raise the rent of all flats from May on."',
    ],
)
def test_what_others_wrote_is_a_quotation(message: str) -> None:
    quoted = [p for p in pieces("see below\n\n" + message) if p.kind == "quote"]
    assert quoted


def test_fences_and_logs_are_code() -> None:
    kinds = [p.kind for p in pieces("run this:\n```\nmake all\n```\nERROR worker died\n" + "x" * 2000)]
    assert kinds == ["say", "code", "code", "code"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("at three, no wait, four on Thursday", "at four on Thursday"),
        ("the meeting is on Tuesday, sorry, Wednesday", "the meeting is on Wednesday"),
        ("é na quarta, não, pera, na quinta às 15h", "é na quinta às 15h"),
        ("twenty hours, twenty-four actually", "twenty-four hours"),
        ("on the second, sorry, third of March", "on the third of March"),
        ("custa 40, quer dizer, 45 reais", "custa 45 reais"),
        ("I'm sorry, 3 people came", "I'm sorry, 3 people came"),
        ("actually the rent is 900", "actually the rent is 900"),
    ],
)
def test_a_speaker_is_taken_at_the_last_word(said: str, meant: str) -> None:
    assert self_corrected(said) == meant


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("the fee went from 40 to 45", "40"),
        ("we meet at 9 instead of 10", "10"),
        ("Tiller replaces Boxwood", "Boxwood"),
        ("we no longer use Boxwood", "Boxwood"),
        ("it costs 12 now, was 10", "10"),
        ("o valor passou de R$ 180,00 para R$ 210,00", "R$ 180,00"),
        ("não é mais cinza, é azul", "cinza"),
        ("chega dia 19 em vez do dia 14", "14"),
        ("até as 7h30, não às 6h", "6h"),
        ("we are open from 9 to 5", ""),
        ("de segunda a sexta das 8h às 18h", ""),
        ("it was great", ""),
        ("the shop is not far", ""),
    ],
)
def test_the_old_value_is_found_where_one_is_named(text: str, old: str) -> None:
    assert change_in(sentence(text), (ENGLISH, PORTUGUESE)).old == old


@pytest.mark.parametrize(
    ("a", "b"), [("R$ 1.480,00", "1480"), ("18h30", "18:30"), ("1,150", "1.150"), ("250.", "250")]
)
def test_figures_are_the_same_however_they_are_written(a: str, b: str) -> None:
    assert figure_key(a) == figure_key(b)


@pytest.mark.parametrize(
    "text",
    [
        "what's on today",
        "is the fee due on the 5th?",
        "any news?",
        "o que acha disso",
        "quanto custa a limpeza",
        "e o prazo?",
        "which one",
    ],
)
def test_questions_are_known_with_and_without_their_mark(text: str) -> None:
    assert sentence(text).question


@pytest.mark.parametrize(
    "text",
    [
        "what works is a long press on the button for ten seconds",
        "no deploys on Fridays, ok?",
        "quando chove a gente fecha às 16h, sempre",
    ],
)
def test_what_only_begins_like_a_question_is_none(text: str) -> None:
    assert not sentence(text).question


def test_a_clause_loses_laughter_hesitation_and_secrets() -> None:
    assert clause("um, we meet at 9 btw lol 😂") == "we meet at 9"
    assert clause("network Pine, password [REDACTED:password], second floor") == "network Pine, second floor"


def test_a_text_never_grows_over_its_limit() -> None:
    text = text_of("word " * 300, ENGLISH, label="Label", old="x", due="2026-03-07")
    assert len(text) <= 500
    assert text.endswith("Was: x. Due 2026-03-07.")


# --- phrases and languages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("decid*", "we decided", True),
        ("decid*", "undecided", False),
        ("let's go with", "lets go with it", True),
        ("we'll", "well done", False),
        ("não ... mais", "nao vem hoje mais", True),
        ("não ... mais", "nao um dois tres quatro cinco mais", False),
        ("(vamos|bora) de", "bora de trem", True),
        ("[muito] bom", "bom", True),
        ("no ... after #", "no calls after 18h", True),
        ("^skip", "we skip", False),
        ("é pra", "e pra ela", False),
    ],
)
def test_the_notation_of_phrases(phrase: str, text: str, found: bool) -> None:
    low = flat_words(text)
    assert bool(Phrases.of({"kind": [phrase]}).scan(low, tokens_of(low))) is found


def test_a_phrase_needs_a_word_to_be_found_by() -> None:
    with pytest.raises(ValueError, match="no word"):
        compile_phrase("...")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("the rent is due", ["en"]),
        ("o aluguel vence amanhã", ["pt"]),
        ("a reunião é na terça", ["pt"]),
        ("do as", []),
        ("I think the interface is broken, mas vou voltar pra 48k", ["en", "pt"]),
    ],
)
def test_languages_are_told_by_words_of_their_own(text: str, codes: list[str]) -> None:
    found = detect(text, tokens_of(flat_words(text)), (ENGLISH, PORTUGUESE))
    assert sorted(lang.code for lang in found) == codes


def test_flattening_keeps_every_place() -> None:
    for text in ("São Paulo – “Ação” 1º ½ ﬁ", "É está À", "\u0130stanbul"):
        assert len(flat(text)) == len(text)
        assert len(flat_words(text)) == len(text)
    assert flat_words("É e está") == "é e está"


def test_a_broken_language_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "xx.toml").write_text("code = 1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"xx\.toml"):
        load_languages(("xx",), tmp_path)


def test_all_languages_have_the_same_kinds_of_phrases() -> None:
    import tomllib

    from silo.edge.lang import FOLDER

    tables = [tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8")) for code in ("en", "pt")]
    assert set(tables[0]["phrases"]) == set(tables[1]["phrases"])
    assert set(tables[0]["concepts"]) == set(tables[1]["concepts"])
    assert set(tables[0]["labels"]) == set(tables[1]["labels"])


# --- routing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("The boat rental takes 30% at booking.", "boat-rental"),
        ("Paulo pays in May.", "clients"),
        ("The invoice is overdue.", "accounts"),
        ("O boleto vence amanhã.", "accounts"),
        ("Blue is nice.", "general"),
    ],
)
def test_a_statement_finds_its_topic(text: str, slug: str) -> None:
    topics = (
        TopicInfo("boat-rental", summary="Online booking for the boats"),
        TopicInfo("clients", entities=("Paulo", "Acme")),
        TopicInfo("accounts", tags=("bookkeeping", "tax")),
        TopicInfo("old", summary="blue things", status="archived"),
    )
    assert route(text, topics, (ENGLISH, PORTUGUESE)) == slug


def _facts(*texts: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(terms(text)) for text in texts)


SHED = TopicInfo(
    "shed",
    summary="What stands out there",
    said=_facts("The band saw costs 400 euros.", "The planer is cleaned every two weeks.", "Rosa Falk looks after the lathe."),
)
CLUB = TopicInfo(
    "club",
    summary="Saturdays",
    said=_facts("The ferry ticket costs 40 euros.", "Rosa Falk keeps the minutes.", "The bus leaves at 8:15."),
)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("The price of the band saw has changed: it is 450 euros now.", "shed"),
        ("Milo Oduya looks after the lathe now instead of Rosa Falk.", "shed"),  # a thing tells more than a name
        ("The ferry ticket is now 55 euros.", "club"),
        ("The bus now leaves at 9:40.", "club"),
        ("Something else costs 40 euros.", "general"),  # a price alone is no thing
    ],
)
def test_what_was_said_of_a_thing_draws_the_next_word_about_it(text: str, slug: str) -> None:
    assert router((SHED, CLUB), (ENGLISH, PORTUGUESE)).home(text) == ("" if slug == "general" else slug)


def test_a_topic_that_is_named_wins_over_what_was_said_elsewhere() -> None:
    named = TopicInfo("boat-rental", summary="Online booking for the boats")
    assert route("The boat rental pays for the band saw.", (SHED, CLUB, named), (ENGLISH, PORTUGUESE)) == "boat-rental"


def test_a_thing_known_in_two_topics_stays_where_most_of_the_same_was_said() -> None:
    other = TopicInfo("attic", summary="Upstairs", said=_facts("The band saw is in the attic."))
    roads = router((SHED, CLUB, other), (ENGLISH, PORTUGUESE))
    assert roads.home("The band saw now costs 450 euros.") == "shed"
    assert roads.home("The band saw is no longer in the attic.") == "attic"


REQUESTS = {
    ENGLISH: (
        ("Remember this", "Please note this down", "Can you keep this in mind", "Save this to your memory", "Don't forget this", "I want you to remember the following", "Make a note of this", "For the record", "Note", "Important"),
        ("The boat shed's door is green", "We decided to paint the fence blue", "The tax has to be filed by 12 June 2026"),
    ),
    PORTUGUESE: (
        ("Lembra disto", "Lembre-se disso, por favor", "Anota isto", "Podes anotar o seguinte", "Toma nota disto", "Guarda isto na memória", "Não te esqueças disto", "Não esquece isso", "Para memória futura", "Nota", "Importante"),
        ("A porta do barracão é verde", "Decidimos pintar a vedação de azul", "O imposto tem de ser entregue até 12 de junho de 2026"),
    ),
}  # fmt: skip


def kept(text: str) -> list[str]:
    turn = Turn("m1", "user", Origin.OWNER, datetime(2026, 3, 4, 9, tzinfo=UTC), text)
    return [one.text for one in extract(Session("s", "jsonl", "default", (turn,)), (), (ENGLISH, PORTUGUESE))]


@pytest.mark.parametrize("between", [": ", " - ", " – ", ":\n", ". "])
@pytest.mark.parametrize(("request_", "statement"), [(r, s) for asked, said in REQUESTS.values() for r in asked for s in said])
def test_a_request_to_keep_something_leaves_the_statement_alone(request_: str, statement: str, between: str) -> None:
    """Whatever the request's words are: they are no part of what is kept, and never a memory by themselves."""
    (text,) = kept(f"{request_}{between}{statement}.")
    assert text.startswith(f"{statement}.")


@pytest.mark.parametrize("words", [r for asked, _ in REQUESTS.values() for r in asked])
def test_a_request_alone_is_no_memory(words: str) -> None:
    assert kept(f"{words}.") == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Remember the milk bottle code: 4471.", "The milk bottle code: 4471"),  # the label is the statement's own
        ("Note that the boat shed closes at 18:00.", "The boat shed closes at 18:00"),
        ("Note down that the boat shed closes at 18:00.", "The boat shed closes at 18:00"),
        ("Lembrete: pagar a renda até 12 de junho de 2026.", "Pagar a renda até 12 de junho"),
        ("Anota que o barracão fecha às 18:00.", "O barracão fecha às 18:00"),
    ],
)
def test_what_belongs_to_a_statement_stays_with_it(text: str, start: str) -> None:
    (found,) = kept(text)
    assert found.startswith(start)


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("confira se a padaria está aberta", True),
        ("podes verificar se a padaria está aberta", True),
        ("could you look up when the bakery opens", True),
        ("procurador marcado para a escritura", False),
        ("call it Bramble", False),
    ],
)
def test_what_is_done_at_once_is_told_from_its_like(text: str, now: bool) -> None:
    assert asks_now(sentence(text)) is now


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I muddled up the sizes", "I muddled up the sizes"),
        ("sorry, I had them back to front. Ines has the blue one", "i had them back to front"),
        ("it was the other one", "it was the other one"),
        ("era o outro", "era o outro"),
        ("era afinal the other one", "era afinal the other one"),
        ("atrapalhei-me toda, é às 7", "atrapalhei-me toda"),
        ("inverti os preços", "inverti os preços"),
        ("I mixed the dough by hand", None),
        ("troquei o pneu por um novo", None),
    ],
)
def test_an_admission_is_heard_in_both_languages(text: str, said: str | None) -> None:
    found = admitted(sentence(text))
    assert (found[0] if found else None) == (said and flat_words(said))


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("soup is off again", "soup"),
        ("andorra is cancelled after all", "andorra"),
        ("deixa de fora o karaoke, a Ines nao canta", "karaoke"),
        ("e deixa o karaoke de fora", "karaoke"),
        ("sem karaoke afinal", "karaoke"),
        ("remova o karaoke do programa", "karaoke"),
        ("take the karaoke off again", "karaoke"),
        ("the shop is off the main road", ""),
        ("I dropped the soup", ""),
    ],
)
def test_a_plan_is_called_off_by_its_whole_name(text: str, off: str) -> None:
    found = called_off(sentence(text))
    assert (found[0] if found else frozenset()) == frozenset(terms(off))


@pytest.mark.parametrize(("text", "so"), [("it sounds a bit corny", True), ("parece muito formal", True), ("parece too formal", True), ("the horn sounds at five", False)])
def test_how_a_wording_sounds_is_judged_in_both_languages(text: str, so: bool) -> None:
    assert seems(sentence(text)) is so
