"""Two sentences that are one but for what stands in a slot which has one value: what a thing is made of, on which floor one
lives, whose instrument is which. The words of the slot need not be known. Near ones stay: a slot for any adjective has many values.
"""

from __future__ import annotations

import re

from silo.text.flat import flat
from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.stopwords import STOP

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MIDDLE = 3  # words of a slot at most
_MADE_OF = re.compile(
    r"\b(?:(?:is|are|'s|was|were) (?:made |built |woven |carved )?(?:of|from|out of)|made (?:of|from|out of)|(?:e|sao) (?:feit[oa]s? |fabricad[oa]s? |tod[oa] )?(?:de|em)|feit[oa]s? (?:de|em|com))\Z"
)
_IS = re.compile(r"\b(?:is|are|was|e|sao|era)\Z")
_RUNS = re.compile(r"\b(?:e|sao|anda|trabalha|funciona|aquece|aquecimento e|fogao e|runs|works|heats|heated|powered) (?:a|on|with|by|com)\Z")
_LIVES = re.compile(r"\b(?:lives?|living|mora[m]?|moro|vive[m]?|vivo|reside[m]?)(?: \w+){0,2}\Z")
_FLOOR = frozenset(["floor", "storey", "story", "andar", "piso", "pavimento", "res-do-chao", "terreo", "cave", "basement", "attic", "loft", "sotao", "mansarda"])
_ARTICLES = frozenset(["a", "an", "the", "o", "os", "as", "um", "uma", "no", "na", "nos", "nas", "in", "on", "em", "at"])
_LINKS = frozenset(["and", "or", "e", "ou", "not", "nao", "no", "with", "com", "without", "sem", "than", "que", "when", "if", "quando", "se", "because", "porque", "now", "agora"])
# What a thing has one of, or one of that is called so.
_SLOTS = frozenset(
    map(
        stem,
        [
            "instrument", "subject", "colour", "color", "flavour", "flavor", "filling", "topping", "theme", "topic", "motto", "mascot", "logo", "font",
            "material", "fabric", "breed", "pattern", "shape", "style", "dessert", "starter", "specialty", "speciality", "format", "scent", "currency",
            "capital", "diagnosis", "costume", "lining", "upholstery", "cover", "frame", "worktop", "favourite", "favorite", "major", "profession", "job",
            "instrumento", "disciplina", "cor", "sabor", "recheio", "cobertura", "tema", "lema", "mascote", "logotipo", "tecido", "raca", "padrao",
            "forma", "estilo", "sobremesa", "entrada", "especialidade", "formato", "cheiro", "moeda", "diagnostico", "fantasia", "forro", "estofo",
            "capa", "moldura", "bancada", "preferido", "preferida", "favorito", "favorita", "curso", "profissao",
        ],
    )
)  # fmt: skip
MATERIALS = frozenset(
    [
        "leather", "cloth", "fabric", "cotton", "linen", "wool", "silk", "velvet", "felt", "denim", "nylon", "polyester", "canvas", "suede", "fur",
        "plastic", "rubber", "glass", "china", "porcelain", "ceramic", "clay", "terracotta", "stone", "granite", "marble", "slate", "quartz", "concrete",
        "brick", "tile", "wood", "wooden", "oak", "pine", "beech", "birch", "walnut", "cedar", "larch", "ash", "teak", "cork", "bamboo", "wicker",
        "rattan", "metal", "iron", "steel", "aluminium", "aluminum", "brass", "copper", "bronze", "tin", "silver", "gold", "paper", "cardboard", "vinyl",
        "laminate", "parquet", "carpet", "lino", "linoleum", "zinc", "thatch", "straw", "pele", "couro", "tecido", "algodao", "linho", "la", "seda",
        "veludo", "feltro", "ganga", "nailon", "poliester", "lona", "camurca", "plastico", "borracha", "vidro", "louca", "porcelana", "ceramica", "barro",
        "pedra", "granito", "marmore", "ardosia", "quartzo", "betao", "tijolo", "azulejo", "madeira", "carvalho", "pinho", "faia", "nogueira", "cedro",
        "cortica", "bambu", "vime", "verga", "ferro", "aco", "aluminio", "latao", "cobre", "prata", "ouro", "papel", "cartao", "vinil", "laminado",
        "alcatifa", "juta", "sisal", "palha",
    ]
)  # fmt: skip
_TIMES = re.compile(r"\A(?:\d|ontem|hoje|yesterday|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day|segunda|terca|quarta|quinta|sexta|sabado|domingo|manha|noite|tarde)")
_QUALITY = re.compile(r"(?:(?<!r)(?<!ph)(?<!tr)(?<!og)(?<!it)(?<!nc)(?<!dd)(?<!nd)y|ful|ous|ish|able|ible|less|ive|ed|ing|oso|osa|avel|ivel|ivo|iva|ado|ada|ido|ida)\Z")


def exchanged(old: str, new: str, *, dose: bool = False) -> tuple[str, str] | None:
    """The words of the one slot in which two sentences of one language differ, where it has one value; None where it has several
    or they differ in more. `dose`: both tell when something is taken, as a part of the day."""
    left, right, start, end = _laid(old, new)
    a, b = ([fold(flat(word)) for word in words] for words in (left, right))
    x, y = a[start : len(a) - end], b[start : len(b) - end]
    if dose and start > 1 and x and y and set(x) | set(y) <= _PARTS_OF_DAY:
        return " ".join(left[start : len(left) - end]), " ".join(right[start : len(right) - end])
    if start < 2 or not 0 < len(x) <= _MIDDLE or not 0 < len(y) <= _MIDDLE:
        return None
    lead = " ".join(a[:start])
    both = set(x) | set(y)
    floors = _LIVES.search(lead) is not None and bool(_FLOOR & (set(x) | set(a[start + len(x) :]))) and bool(_FLOOR & (set(y) | set(b[start + len(y) :])))
    if not floors:
        while x and y and x[0] in _ARTICLES and y[0] in _ARTICLES and _definite(x[0]) == _definite(y[0]):
            x, y = x[1:], y[1:]
    named = any(word[0].isupper() for word in (*left[start : len(left) - end], *right[start : len(right) - end]))
    if not x or not y or named or both & _LINKS or x[0] in _ARTICLES or y[0] in _ARTICLES or any(_TIMES.match(word) for word in both):
        return None
    if not (floors or _one_value(lead, x, y)) or {stem(w) for w in x} & {stem(w) for w in y} - _LOOSE:
        return None
    return " ".join(left[start : len(left) - end]), " ".join(right[start : len(right) - end])


def middle(old: str, new: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The one or two folded words of either text in which alone two texts differ, None where they differ in more or begin so."""
    left, right, start, end = _laid(old, new)
    x, y = left[start : len(left) - end], right[start : len(right) - end]
    if start < 2 or not 0 < len(x) <= 2 or not 0 < len(y) <= 2:
        return None
    return frozenset(fold(flat(word)) for word in x), frozenset(fold(flat(word)) for word in y)


def _laid(old: str, new: str) -> tuple[list[str], list[str], int, int]:
    """The words of two texts with how many they begin and end with alike."""
    left, right = [m[0] for m in _WORD.finditer(old)], [m[0] for m in _WORD.finditer(new)]
    a, b = ([fold(flat(word)) for word in words] for words in (left, right))
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    pairs = zip(reversed(a[start:]), reversed(b[start:]), strict=False)
    return left, right, start, next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)) - start)


_PARTS_OF_DAY = frozenset(["in", "at", "the", "de", "a", "ao", "meio", "morning", "noon", "evening", "manha", "dia", "meio-dia", "noite"])
_LOOSE = frozenset(map(stem, _FLOOR))


def _definite(article: str) -> str:
    return "one" if article in ("a", "an", "um", "uma") else article if article in ("in", "on", "at", "em") else "the"


def _one_value(lead: str, x: list[str], y: list[str]) -> bool:
    if _MADE_OF.search(lead) or _RUNS.search(lead):
        return all(word not in STOP or word in MATERIALS for word in (x[-1], y[-1]))
    if not _IS.search(" ".join(w for w in lead.split() if w not in _ARTICLES)):
        return False
    if set(x) & MATERIALS and set(y) & MATERIALS:
        return True
    subject = {stem(word) for word in lead.split()[:-1]}
    return bool(subject & _SLOTS) and not (_QUALITY.search(x[-1]) or _QUALITY.search(y[-1]))
