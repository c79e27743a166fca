"""The lists of words (lang/lexicon), how they are read, and what a question finds by them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from silo.core.search.answer import Answer, answer
from silo.edge.index.index import Index
from silo.edge.thesaurus import FOLDER, load_thesaurus
from silo.errors import BadInput
from silo.text.stopwords import STOP
from silo.text.thesaurus import Bond, Entry, Thesaurus, entries, key_of, says, spoken
from silo.text.tokens import words

FILES = sorted(FOLDER.glob("*.txt"))
MADE_UP = """
# a note on blork and fimmel
blork zanter | gruvo
put_by lay_aside | pousar_de_lado
zanter whole | metade
wobblefruit | trufarola : quillet snarberry | quilota
city town | cidade
"""


def lines(path: Path) -> list[tuple[int, str]]:
    numbered = enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
    return [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]


@pytest.fixture(scope="module")
def made_up() -> Thesaurus:
    return Thesaurus([MADE_UP])


# --- the lists ---


def test_there_are_lists() -> None:
    assert {path.name for path in FILES} >= {"general.txt", "acts.txt", "kinds.txt", "things.txt"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_line_is_well_formed(path: Path) -> None:
    """Words of both languages on both sides, as they are compared, none twice."""
    wrong = []
    for number, line in lines(path):
        halves = line.split(" : ")
        sides = [side.split() for half in halves for side in half.split(" | ")]
        joined = " : ".join(" | ".join(" ".join(side) for side in half) for half in zip(sides[::2], sides[1::2], strict=False))
        if joined != line or len(halves) > 2 or not all(sides) or len(sides) != 2 * len(halves):
            wrong.append((number, "form", line))
        for side in sides:
            wrong += [(number, "twice", word) for word, n in Counter(side).items() if n > 1]
            for word in side:
                parts = [part.removesuffix("'s").rstrip("'") for part in word.split("_")]
                if any(words(part)[:1] != [part] for part in parts) or not re.fullmatch(r"[a-z0-9&'_-]+", word):
                    wrong.append((number, "written", word))
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_line_stands_twice(path: Path) -> None:
    assert [line for line, n in Counter(line for _, line in lines(path)).items() if n > 1] == []


# --- reading ---


@pytest.mark.parametrize(
    ("word", "other", "bond"),
    [
        ("blork", "zanter", Bond.SYNONYM),
        ("blork", "gruvo", Bond.TRANSLATION),
        ("blorks", "zanter", Bond.SYNONYM),  # whatever its ending
        ("wobblefruit", "quillet", Bond.MEMBER),
        ("quilota", "wobblefruit", Bond.KIND),
        ("put_by", "lay_aside", Bond.SYNONYM),
        ("gruvo", "blork", Bond.TRANSLATION),
        ("pousar_de_lado", "put_by", Bond.TRANSLATION),
        ("cities", "town", Bond.SYNONYM),  # city has another last letter than its stem
    ],
)
def test_words_of_a_line_belong_together(made_up: Thesaurus, word: str, other: str, bond: Bond) -> None:
    assert made_up.related(word)[key_of(other)] is bond


def test_members_of_a_kind_do_not_stand_for_each_other(made_up: Thesaurus) -> None:
    assert key_of("snarberry") not in made_up.related("quillet")


@pytest.mark.parametrize("word", ["zeppelin", "fimmel", "note", "put", "", "|", "#", ":", "a"])
def test_what_is_no_entry_has_no_relatives(made_up: Thesaurus, word: str) -> None:
    assert made_up.related(word) == {}


def test_the_word_as_written_comes_before_other_forms_of_it() -> None:
    thesaurus = Thesaurus(["house home | casa lar\nmarry wed | casar desposar"])
    assert key_of("house") not in thesaurus.related("casar")
    assert key_of("marry") not in thesaurus.related("casa")
    assert {key_of("house"), key_of("marry")} <= thesaurus.related("casas").keys()  # neither is written so


@pytest.mark.parametrize(("word", "other"), [("days", "dia"), ("pães", "bread"), ("mãos", "hand"), ("feet", "pe"), ("cães", "dog")])
def test_forms_with_another_beginning_or_end_than_their_stem(word: str, other: str) -> None:
    assert key_of(other) in load_thesaurus().related(words(word)[0])


def test_a_stop_word_is_no_entry() -> None:
    assert "the" in STOP
    assert list(entries("the blork | uma gruvo : x")) == [
        Entry("blork", "blork", False, False), Entry("gruvo", key_of("gruvo"), True, False), Entry("x", "x", False, True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("When did they lay aside the tent?", ["lay_aside"]),
        ("PUTS BY", ["put_by"]),
        ("put the tent by", []),  # in a question only as it is listed
        ("put", []),
        ("I'm by the tent", []),
        ("", []),
    ],
)
def test_phrases_of_a_question(made_up: Thesaurus, text: str, found: list[str]) -> None:
    assert made_up.phrases(words(text)) == found


@pytest.mark.parametrize(
    ("text", "phrase", "says_it"),
    [
        ("We put off the party", "put_off", True),
        ("We put the whole party off", "put_off", True),
        ("We put the tent and all of the chairs off", "put_off", False),  # too far apart
        ("Off we put", "put_off", False),
        ("The maid of honour is Zilda", "maid_of_honour", True),
        ("The maid was full of honour", "maid_of_honour", False),
        ("put put off", "put_off", True),
        ("put", "put_off", False),
    ],
)
def test_phrases_of_a_line(text: str, phrase: str, says_it: bool) -> None:
    assert says(spoken(text), key_of(phrase)) is says_it


def test_every_entry_of_the_lists_finds_its_line() -> None:
    """And each way: what a word is related to is related to it, by the bond the other way round."""
    thesaurus = load_thesaurus()
    back = {Bond.SYNONYM: Bond.SYNONYM, Bond.TRANSLATION: Bond.TRANSLATION, Bond.MEMBER: Bond.KIND, Bond.KIND: Bond.MEMBER}
    wrong = []
    for path in FILES:
        for _, line in lines(path)[:: 29 if path.name == "things.txt" else 13]:
            listed = list(entries(line))
            for one in listed[:4]:
                related = thesaurus.related(one.written)
                for other in listed[:6]:
                    if (one.member and other.member) or one.key == other.key:
                        continue
                    there, again = related.get(other.key), thesaurus.related(other.written).get(one.key)
                    if there is None or again is None or (min(there, again) > Bond.TRANSLATION and back[there] is not again):
                        wrong.append((one.written, other.written, there, again))
    assert wrong == []


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe caf\xe9")
    with pytest.raises(BadInput, match=re.escape(str(tmp_path))):
        load_thesaurus(tmp_path)


# --- finding ---

NOISE = [
    "The parcel for the neighbour is in the hall", "Fill in the form for the club", "A reunião do clube é na quinta",
    "The bus leaves from the square", "O vizinho tem a chave do portão", "Water the tomatoes every evening",
    "Trocar a lâmpada do corredor", "The library closes at six",
]  # fmt: skip


def asked(tmp_path: Path, query: str, *facts: str, thesaurus: Thesaurus | None = None) -> Answer:
    (tmp_path / "memory/events").mkdir(parents=True, exist_ok=True)
    text = "".join(f"[FACT] general: {fact}\n" for fact in (*NOISE, *facts))
    (tmp_path / "memory/events/2026-03-01.md").write_text(f"# Events 2026-03-01\n\n{text}", encoding="utf-8")
    index = Index.open(tmp_path)
    index.refresh()
    found = answer(index, query, today=date(2026, 3, 2), thesaurus=load_thesaurus() if thesaurus is None else thesaurus)
    index.close()
    return found


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("Where is the sofa from?", "The couch came from the outlet in Évora"),  # synonym
        ("When was the hike postponed to?", "We put the walk off until the 19th"),  # phrase in the line
        ("What did we get rid of?", "Discarded the green armchair"),  # phrase in the question
        ("Quando é o casamento?", "The wedding is on 12 September"),  # translation
        ("What time does the pharmacy open?", "A farmácia abre às 9h"),
        ("Which tool is broken?", "The drill is out of order"),  # member
        ("Who has the screwdriver?", "The tools are with Amadeu"),  # kind
        ("Qual é a bebida preferida da avó?", "Grandma loves her green tea"),
    ],
)
def test_a_line_in_other_words_is_found(tmp_path: Path, query: str, fact: str) -> None:
    found = asked(tmp_path, query, fact)
    assert found.results[0].text == fact
    assert not found.needs_clarification
    assert not asked(tmp_path, query, fact, thesaurus=Thesaurus()).results or query.startswith(("Who has", "What time"))


def test_the_word_itself_counts_more_than_one_that_stands_for_it(tmp_path: Path) -> None:
    texts = [r.text for r in asked(tmp_path, "What colour is the sofa?", "The couch is a colour of sand", "The sofa is a colour of moss").results]
    assert texts[:2] == ["The sofa is a colour of moss", "The couch is a colour of sand"]


def test_a_line_that_holds_a_word_of_the_question_is_never_lost(tmp_path: Path) -> None:
    """However many lines hold words that stand for it."""
    others = [f"The automobile of neighbour {n} is a vehicle" for n in range(60)]
    found = asked(tmp_path, "car", "A car stood there", *others)
    assert found.results[0].text == "A car stood there"
    found = asked(tmp_path, "Which car did the vet hire?", "A car stood there", *others[:4])
    assert "A car stood there" in [r.text for r in found.results]


def test_several_words_met_by_meaning_beat_one_that_occurs(tmp_path: Path) -> None:
    found = asked(tmp_path, "Which doctor treats the child's allergy?", "Treats for the dog are in the cupboard", "A pediatra da criança trata a rinite alérgica")
    assert found.results[0].text == "A pediatra da criança trata a rinite alérgica"


def test_a_word_that_no_list_knows_may_stand_there_by_another(tmp_path: Path) -> None:
    """So that a memory in a language without lists is not asked back about."""
    assert not asked(tmp_path, "Welche Brötchen backt der Schornsteinfeger?", "Die Semmeln vom Schornsteinfeger sind frisch").needs_clarification


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("Which cows did we sell at the fair?", "The fair has a new carousel"),
        ("How much did the piano tuner charge?", "The piano stands by the window"),
        ("Onde fica a padaria da esquina?", "A esquina tem um semáforo novo"),
    ],
)
def test_one_word_of_several_is_no_evidence(tmp_path: Path, query: str, fact: str) -> None:
    assert asked(tmp_path, query, fact).needs_clarification


def test_every_file_of_words_is_packed() -> None:
    """A wheel holds what `package-data` names, and nothing says so when it lacks a folder."""
    package = FOLDER.parents[1]
    globs = tomllib.loads((package.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]["silo"]
    packed = {path for pattern in globs for path in package.glob(pattern)}
    assert {path for path in (package / "lang").rglob("*") if path.is_file()} - packed == set()
