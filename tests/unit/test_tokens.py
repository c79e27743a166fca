"""The one tokenizer: what a person would call the same word gives the same token, and nothing that they typed is lost."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from silo.text.stem import stem
from silo.text.tokens import STOP, terms, tokens, words

SAME = """
marquei marcar
paguei pagamos
comecei comecar
comprei comprou
ligarei ligar
cheguei chegaram
reunião reuniões
decisão decisões
migração migrações
migration migrations
papel papéis
plan plans
question questions
shoe shoes
potato potatoes
store stores
string strings
canal canais
imagem imagens
professor professores
decidir decidiu
decidir decidimos
pagar pagando
cachorro cachorros
gata gato
city cities
key keys
dog dogs
tip tips
movie movies
planned planning
make making
hikes hiking
box boxes
watch watches
child children
buy bought
canción canciones
casa casas
Haus Häuser
книга книгу
книга книгами
русский русского
مدرسة المدرسة
"""
APART = """
rei rua
lei lar
decisão reunião
plan plant
8080 8081
v2.1 v2.2
calling cal
news new
книга книжка
"""


@pytest.mark.parametrize("pair", SAME.strip().split("\n"))
def test_inflections_of_a_word_are_one_token(pair: str) -> None:
    first, second = pair.split()
    assert tokens(first) == tokens(second)


@pytest.mark.parametrize("pair", APART.strip().split("\n"))
def test_different_words_stay_apart(pair: str) -> None:
    first, second = pair.split()
    assert tokens(first) != tokens(second)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Porta 8080 do acme-crm.", ["porta", "8080", "do", "acme-crm", "acme", "crm"]),
        ("release v2.1", ["release", "v2.1", "v2", "1"]),
        ("R$ 1.250,00", ["r", "1.250,00", "1", "250", "00"]),
        ("1,250 km", ["1,250", "1250", "km"]),
        ("em 2026-04-02 às 10:30", ["em", "2026-04-02", "2026-04", "2026", "as", "10:30"]),
        ("26km", ["26km", "26", "km"]),
        ("the van's C++ and C#", ["the", "van", "c++", "and", "c#"]),
        ("don't, don’t", ["don't", "don't"]),
        ("d'água", ["d'agua", "agua"]),
        ("e_ab12cd34ef56", ["e_ab12cd34ef56", "ab12cd34ef56"]),
        ("我喜欢猫", ["我喜", "喜欢", "欢猫"]),
        ("猫", ["猫"]),
        ("iPhoneを買う", ["iphone", "を買", "買う"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
        ("किताब पढ़ी", ["किताब", "पढ़ी"]),
        ("ÀÉÎÕÜ ß", ["aeiou", "ss"]),
        ("", []),
        ("— … !?", []),
    ],
)
def test_words_are_folded_whole_and_in_order(text: str, want: list[str]) -> None:
    assert words(text) == want


def test_terms_drop_stop_words_of_both_languages() -> None:
    assert terms("What is the name of my sourdough?") == tokens("name sourdough")
    assert terms("Qual é o nome do meu cachorro?") == tokens("nome cachorro")


@pytest.mark.parametrize("word", ["son", "ton", "den", "sin", "hay", "mês"])
def test_a_word_for_a_thing_is_no_stop_word_for_another_language_s_sake(word: str) -> None:
    assert len(terms(word)) == 1


def test_stop_words_are_written_as_words_gives_them() -> None:
    assert [word for word in STOP if words(word) != [word]] == []


@pytest.mark.parametrize("word", ["e_ab12", "8080", "v2.1", "c++", "10:30"])
def test_identifiers_are_not_stemmed(word: str) -> None:
    assert stem(word) == word


def _letters(n: int) -> str:
    return "".join(chr(97 + n // 26**place % 26) for place in range(4, -1, -1))


@pytest.mark.parametrize(
    "nth",
    [
        str,
        lambda n: f"{n},{n % 100:02}",
        lambda n: f"{1000 + n // 336:04}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}",
        lambda n: f"{n}km",
        lambda n: f"e_{n:08x}",
        lambda n: f"https://example.org/{n}/page",
        _letters,
        lambda n: f"ã{_letters(n)}",
        lambda n: f"{chr(0x4E00 + n % 9973)}{chr(0x4E00 + n % 9967)}",
    ],
    ids=["figure", "amount", "day", "measure", "id", "address", "word", "accented", "pair"],
)
def test_what_is_remembered_of_the_words_does_not_grow_with_the_text(nth: Callable[[int], str]) -> None:
    terms("Item 1 of São Paulo")  # patterns are compiled once
    tracemalloc.start()
    try:
        for n in range(12_000):
            terms(nth(n))
        first = tracemalloc.get_traced_memory()[0]
        for n in range(12_000, 27_000):
            terms(nth(n))
        # Bytes: sixty for each text, less than a string and its place take; the table of a full cache may be laid out anew in between.
        assert tracemalloc.get_traced_memory()[0] - first < 900_000
    finally:
        tracemalloc.stop()
