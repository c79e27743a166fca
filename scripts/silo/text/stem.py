"""A light stemmer: one form for the inflections of a word, without knowing its language.

English and Portuguese by tables that a native speaker can edit, with the endings that Spanish and German share; some
endings of Russian and Arabic. It joins singular and plural, verb forms and gender; it does not derive (`decision` and
`decide` stay apart) and does not translate. Words arrive folded (`text.fold`): no capitals, no accents.
"""

from __future__ import annotations

from functools import lru_cache

# (ending, replacement, letters that must stay before it). The first fitting row of a table is applied, once.
Rows = tuple[tuple[str, str, int], ...]

_PLURAL: Rows = (
    ("coes", "co", 2),  # reuniões, decisões, opções: their singular -ao becomes -o below
    ("oes", "o", 2),
    ("aes", "o", 2),  # alemães
    ("ciones", "cion", 2),  # Spanish
    ("ais", "al", 2),  # canais
    ("eis", "el", 3),  # papéis
    ("ois", "ol", 3),
    ("sses", "ss", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("xes", "x", 2),
    ("zes", "z", 2),  # vezes, quizzes
    ("ores", "or", 3),  # professores; stores loses its e anyway
    ("ies", "y", 2),
    ("ss", "ss", 1),
    ("us", "us", 2),
    ("is", "is", 2),
    ("s", "", 2),
)

_WE: Rows = tuple(  # Portuguese first person plural, before its s is taken for a plural
    (ending, "", 3) for ending in ("avamos", "iamos", "aremos", "eremos", "iremos", "amos", "emos", "imos")
)

_VERB: Rows = (
    # Portuguese: person and tense
    ("assem", "", 3),
    ("essem", "", 3),
    ("ariam", "", 3),
    ("eriam", "", 3),
    ("iriam", "", 3),
    ("aram", "", 3),
    ("eram", "", 3),
    ("iram", "", 3),
    ("avam", "", 3),
    ("arao", "", 3),
    ("erao", "", 3),
    ("irao", "", 3),
    ("aria", "", 4),
    ("eria", "", 4),
    ("iria", "", 4),
    ("ando", "", 3),
    ("endo", "", 3),
    ("indo", "", 3),
    ("ava", "", 3),
    ("ado", "", 3),
    ("ada", "", 3),
    ("ido", "", 3),
    ("ida", "", 3),
    ("ou", "", 4),
    ("eu", "", 4),
    ("iu", "", 4),
    ("quei", "c", 3),  # fiquei, paguei, comecei: in the first person the spelling of the stem changes
    ("guei", "g", 2),
    ("arei", "", 3),
    ("erei", "", 3),
    ("irei", "", 3),
    ("ei", "", 3),
    # English
    ("ying", "y", 3),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("eed", "eed", 1),
    ("ed", "", 3),
    ("ly", "", 4),
    # infinitives of Portuguese and Spanish; in English they cut a syllable that no other word needs
    ("ar", "", 3),
    ("er", "", 4),
    ("ir", "", 3),
)

_WHOLE = frozenset(
    {"news", "lens", "series", "species", "always", "bring", "spring", "string", "thing", "king"}
)
_MOS = frozenset(
    [
        "ultimos",
        "proximos",
        "minimos",
        "maximos",
        "otimos",
        "intimos",
        "anonimos",
        "legitimos",
        "extremos",
        "supremos",
        "reclamos",
    ]
)
_IRREGULAR = {
    "maes": "mae",
    "children": "child",
    "men": "man",
    "women": "woman",
    "people": "person",
    "feet": "foot",
    "teeth": "tooth",
    "mice": "mouse",
    "lives": "life",
    "wives": "wife",
    "knives": "knife",
    "leaves": "leaf",
    "bought": "buy",
    "brought": "bring",
    "taught": "teach",
    "caught": "catch",
    "thought": "think",
    "ran": "run",
    "swam": "swim",
    "sang": "sing",
    "wrote": "write",
    "written": "write",
    "drove": "drive",
    "driven": "drive",
    "rode": "ride",
    "ate": "eat",
    "eaten": "eat",
    "met": "meet",
    "paid": "pay",
    "sold": "sell",
    "told": "tell",
    "spent": "spend",
    "sent": "send",
    "built": "build",
    "lost": "lose",
    "won": "win",
    "kept": "keep",
    "slept": "sleep",
    "felt": "feel",
    "held": "hold",
    "grew": "grow",
    "grown": "grow",
    "flew": "fly",
    "flown": "fly",
    "knew": "know",
    "chose": "choose",
    "chosen": "choose",
    "began": "begin",
    "begun": "begin",
    "broke": "break",
    "broken": "break",
    "spoke": "speak",
    "spoken": "speak",
    "woke": "wake",
    "wore": "wear",
    "gave": "give",
    "took": "take",
    "stood": "stand",
    "understood": "understand",
    "fell": "fall",
    "died": "die",
    "dying": "die",
    "pagamento": "pagar",
    "disse": "dizer",
    "fizeram": "fazer",
    "fizemos": "fazer",
    "tivemos": "ter",
    "vieram": "vir",
}

_RUSSIAN = """
иями ями ами ому ему ыми ими ого его иях ах ях ам ям ом ем ои еи ии ыи ая яя ую юю ое ее ые ие ых их ия ию
ила ала али или ить ать еть ует ают яют ут ют ат ят ет ит ла ли ло ть а я о е ы и у ю ь
"""
_CYRILLIC: Rows = tuple((ending, "", 3) for ending in _RUSSIAN.split())  # folding has made й an и
_ARABIC_HEAD = ("وال", "بال", "كال", "فال", "لل", "ال")
_ARABIC_TAIL: Rows = tuple((ending, "", 3) for ending in ("ات", "ون", "ين", "ها", "ية", "ان", "ه", "ة", "ي"))


def _strip(word: str, rows: Rows) -> str:
    for ending, put, least in rows:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: len(word) - len(ending)] + put
    return word


def _latin(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    if word in _WHOLE or len(word) < 3:
        return word
    if len(word) > 3:
        if word.endswith("mos") and word not in _MOS:
            word = _strip(word, _WE)
        word = _strip(word, _PLURAL)
    if len(word) > 4 and word not in _WHOLE:
        bare = _strip(word, _VERB)
        if bare != word and len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "aeiosl":
            bare = bare[:-1]  # planned → plan, but not calling → cal
        word = bare
    return _last(word)


def _last(word: str) -> str:
    """Endings that only spelling or gender tells apart."""
    if word.endswith("ao"):
        word = word[:-2] + "o"
    if len(word) > 3 and word[-1] == "m" and word[-2] in "eiou":
        word = word[:-1] + "n"  # imagem and imagens, jardim and jardins
    if len(word) > 3 and word[-1] in "aeo":
        word = word[:-1]  # make and making, gato and gata
    if len(word) > 2 and word[-1] == "y" and word[-2] not in "aeiou":
        word = word[:-1] + "i"  # city and Portuguese tipi; but pay and day are no pai and no dia
    return word


def stem(word: str) -> str:
    """The stem of one folded word; anything with a digit, sign or other script comes back as it is."""
    return _stemmed(word) if word.isalpha() else word  # figures are many and no two alike: they would fill what is kept


@lru_cache(maxsize=8192)
def _stemmed(word: str) -> str:
    if word.isascii():
        return _latin(word)
    first = word[0]
    if "\u0400" <= first <= "\u04ff":
        return _strip(word, _CYRILLIC) if len(word) > 3 else word
    if "\u0600" <= first <= "\u06ff":
        for head in _ARABIC_HEAD:
            if word.startswith(head) and len(word) - len(head) >= 2:
                word = word[len(head) :]
                break
        return _strip(word, _ARABIC_TAIL)
    return word
