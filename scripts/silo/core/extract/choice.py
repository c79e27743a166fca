"""Choosing among the assistant's options: by number, letter, place ("the second one"), name, or several at once."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard, Option
from silo.text.stem import stem
from silo.text.tokens import terms

__all__ = ["chosen"]

_ORDINALS = {
    "first": 1, "1st": 1, "one": 1, "former": 1, "primeira": 1, "primeiro": 1, "second": 2, "2nd": 2, "two": 2, "latter": 2,
    "segunda": 2, "segundo": 2, "third": 3, "3rd": 3, "three": 3, "terceira": 3, "terceiro": 3, "fourth": 4, "4th": 4, "four": 4,
    "quarta": 4, "quarto": 4, "last": -1, "ultima": -1, "ultimo": -1, "um": 1, "dois": 2, "duas": 2, "tres": 3,
}  # fmt: skip
_ORDINAL = "|".join(_ORDINALS)
_PICK = re.compile(
    r"^(?:(?:i'?ll take|let'?s (?:go with|do|take)|go with|i(?:'d)? (?:prefer|like|choose|pick|want)|pick|take|make it|vamos (?:de|com)|prefiro|escolho|quero|fico com|vai|pode ser|acho que)\s+)?"
    rf"(?:the\s+|option\s+|number\s+|no\.?\s*|nr\.?\s*|#|a\s+|o\s+|opcao\s+|numero\s+|letra\s+)*(?P<key>\d{{1,2}}|[a-d]|{_ORDINAL})"
    r"(?:\s+(?:one|option|opcao|please|works|is (?:fine|good|better|perfect)|then|mesmo|por favor|ta bom|e melhor|sounds good))*\s*(?P<rest>[,.!;:–-].*)?$"
)
_ALL = re.compile(
    r"^(?:both|all (?:of them|three|four|of these)|all|os dois|as duas|ambos|ambas|todos|todas|os tres|as tres)\b"
)
_FIRST_N = re.compile(
    r"^(?:the |os |as )?(?P<end>first|last|primeir[oa]s|ultim[oa]s|dois primeiros|duas primeiras)\s*(?P<n>two|three|2|3|dois|duas|tres)?\b"
)
_PAIR = re.compile(r"^(?P<a>\d|[a-d])\s*(?:,|and|&|\+|e)\s*(?P<b>\d|[a-d])\b")
_NEGATED = re.compile(r"\b(?:no|not|without|skip|drop|except|but not|nao|sem|nem|menos|tira|exceto)\b")


def chosen(s: Sentence, heard: Heard) -> tuple[str, str] | None:
    """(what was chosen, in the assistant's words or the owner's fuller ones; what else the sentence says), or None."""
    if s.question or s.size > 12:
        return None
    low = s.low[s.core :].strip(" .!)")
    if several := _several(s, low, heard.options):
        return several
    match = _PICK.match(low)
    if match and s.size <= 8 and (option := _by_key(match["key"], heard.options)):
        return _bare(option.text), s.body[match.start("rest") :].strip(" ,.!;:–-") if match["rest"] else ""
    if s.size > 9 or s.opens("reject") or (heard.listed and s.size > 4 and not _REASONED.match(s.body)):
        return None
    fits = [o for o in heard.options if _named(o, s, heard.options)]
    return (
        (_fuller(s.body if heard.options and not heard.listed else s.body.split(",")[0], fits[0].text), "")
        if len(fits) == 1 and (not s.verbish or _REASONED.match(s.body)) and _only_that(s, fits[0], alone=heard.listed)
        else None
    )


def _only_that(s: Sentence, option: Option, *, alone: bool = False) -> bool:
    """The sentence says little else: the name stands at its front and is set off, or no further word of weight is there.
    With `alone`, nothing else stands in it."""
    if alone and (front := _REASONED.match(s.body)):
        return frozenset(terms(front["name"])) <= frozenset(terms(option.text))
    if not alone and re.match(rf"\W*{re.escape(_head(option))}\s*(?:[,.;:!–-]|$)", s.body.lower()):
        return True
    return len(s.content - frozenset(terms(option.text)) - _PICKING) == 0


# "Dunnet, I need the car that day": a name, and why.
_REASONED = re.compile(
    r"^(?:the |o |a |os |as )?(?P<name>[^,.;:!]{2,30})[,.;:–—-]+ (?:because|since|it|it's|they|they're|i|i'm|we|we're|he|she|so|porque|pois|que|é|tem|têm|fica|são|eu|assim|já que)\b", re.I
)
_PICKING = frozenset(
    stem(w)
    for w in [
        "book",
        "order",
        "fecha",
        "fechar",
        "fechamos",
        "take",
        "prefer",
        "like",
        "choose",
        "pick",
        "want",
        "go",
        "let",
        "please",
        "best",
        "better",
        "only",
        "rather",
        "definitely",
        "prefiro",
        "escolho",
        "quero",
        "fico",
        "vamos",
        "melhor",
        "mesmo",
        "so",
        "apenas",
    ]
)


def _by_key(key: str, options: tuple[Option, ...]) -> Option | None:
    keyed = next((o for o in options if o.key and o.key == key), None)
    if keyed or key not in _ORDINALS:
        return keyed
    at = _ORDINALS[key]
    return options[at - 1 if at > 0 else -1] if abs(at) <= len(options) else None


def _several(s: Sentence, low: str, options: tuple[Option, ...]) -> tuple[str, str] | None:
    """ "both", "the first two, no raffle", "1 and 3", "kale and beet yes, peas no"."""
    picked: list[Option] = []
    if _ALL.match(low) and s.size <= 5:
        picked = list(options)
    elif (m := _FIRST_N.match(low)) and (m["n"] or "prim" in m["end"]):
        count = 3 if m["n"] in ("three", "3", "tres") else 2
        picked = list(
            options[:count] if m["end"] != "last" and not m["end"].startswith("ultim") else options[-count:]
        )
    elif m := _PAIR.match(low):
        picked = [o for o in options if o.key in (m["a"], m["b"])]
    elif len(options) >= 3 and not options[0].key:
        parts = re.split(r"\s*(?:[,;]|\bbut\b|\bmas\b)\s*", s.body)
        picked = [
            o
            for part in parts
            if not _NEGATED.search(part.lower().replace("ã", "a"))
            for o in options
            if _head(o) and _head(o) in part.lower()
        ]
    picked = list(dict.fromkeys(picked))
    if len(picked) < 2:
        return None
    glue = f" {s.lang.labels['and']} "
    return ", ".join(_bare(o.text) for o in picked[:-1]) + glue + _bare(picked[-1].text), ""


def _head(option: Option) -> str:
    return (
        re.split(r"\s*[(:,–—-]\s+|\s*\(|\s+(?:at|with|for|a|por|com)\s+", option.text)[0]
        .strip(" \"'“”")
        .lower()
    )


def _named(option: Option, s: Sentence, others: tuple[Option, ...]) -> bool:
    """The sentence says the option's name: its first words, or, in few words, one that no other option has."""
    head = _head(option)
    if len(head) < 2:
        return False
    if re.search(rf"(?<!\w){re.escape(head)}(?!\w)", s.text.lower()):
        return True
    foreign = {w for o in others if o is not option for w in re.findall(r"\w+", o.text.lower())}
    mine = [w for w in re.findall(r"\w+", head) if (len(w) > 3 or w.isdigit()) and w not in foreign]
    reasoned = _REASONED.match(s.body)
    said = reasoned["name"] if reasoned else s.text
    return (s.size <= 4 or reasoned is not None) and any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", said.lower()) for w in mine)


def _fuller(said: str, option: str) -> str:
    """The owner's words, or the assistant's where these say more; what it says in brackets describes and names nothing."""
    bare = re.sub(r"\s*\([^)]*\)", "", option)
    return said if len(said.split()) >= len(bare.split()) and len(said) >= len(bare) else bare


def _bare(text: str) -> str:
    return text if len(text) <= 90 else re.sub(r"\s*\([^)]*\)", "", text)
