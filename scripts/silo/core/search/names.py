"""Who or what a word of the question is in this memory: "my brother" is Murilo where a line says "my brother Murilo", so that
lines which only say Murilo speak of the brother too.

Read off the lines that hold the word: a name beside it ("the cleaner, Bronya"), after "is" or "is called", or before it ("Renata,
my wife"); English and Portuguese. What is somebody else's ("Farida's daughter is Noor") is not meant unless the question
names that person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from silo.core.search.asked import Asked
from silo.core.search.expect import NO_NAMES
from silo.core.search.question import Question
from silo.found import Passage
from silo.text.fold import fold
from silo.text.lazy import Lazy
from silo.text.stem import stem
from silo.text.tokens import words

_SURE = 0.85  # how surely a word of the line must mean the word of the question
_MOST = 6  # names for a word: what has more is no one's role
_TITLE = r"(?:(?:Dr|Dra|Mr|Mrs|Ms|Miss|Sr|Sra|Dona|Seu|Old|doutora?|senhora?|prof|professora?)\.? )?"
_CAPITALS = r"[A-ZÀ-ÖØ-Þ][\w’-]+(?: [A-ZÀ-ÖØ-Þ][\w’-]+)?"
_NAME, _NAMED_TOO, _NAMED_SO = (rf"(?P<{group}>{_CAPITALS})" for group in ("name", "apart", "so"))
_OWNER = r"(?P<owner> (?:(?:de|of) (?!(?:o|a|the)\b)\w+ )?(?:d[oae]|of) [A-ZÀ-ÖØ-Þ]\w+)?"
_MORE = r"(?: (?:de|do|da|dos|das|of|for|to|in|at) \w+| (?:new|nov[oa]|atual))?"
_IS = r"(?:,? (?:is called|are called|is named|se chama|chama-se|chamam-se|se chamam)|,? (?:called|named|chamad[oa])| (?:is|are|was|é|são|era))"
_SMALL = r"(?: (?:now|agora|still|ainda|a|an|the|o|a|os|as|um|uma))*(?: (?:woman|man|lad|girl|guy|homem|mulher|rapaz|moça) (?:called|named|chamad[oa]))? "
_AFTER = Lazy(rf"{_OWNER}(?: {_TITLE}{_NAME}|, {_TITLE}{_NAMED_TOO}(?=[,.;)]|$)|{_MORE}{_IS}{_SMALL}{_TITLE}{_NAMED_SO})")
_BEFORE = Lazy(rf"(?:^|[\s(]){_NAME}(?:, (?:my|our|meu|minha|nosso|nossa) | (?:is|was|é|era) (?:(?:my|our|the|an?|o|meu|minha|nosso|nossa|uma?) (?:\w+ )?)?)\Z")
_OF = Lazy(r"\b(?:d[aeo]s?|of(?: (?:the|my|our))?) \Z")
_OWNED = Lazy(r"(?:^|\s)(?P<owner>[A-ZÀ-ÖØ-Þ]\w+)['’]s (?:\w+ )?\Z")
_SAY_SO = frozenset(("called", "named", "chama", "chamam", "chamada", "chamado"))
_WORD = Lazy(r"[^\W\d_][\w'’-]*")


def called(question: Question, asked: Asked, found: Iterable[Passage]) -> Mapping[str, frozenset[str]]:
    """For terms of the question the stems of names by which these passages call what they mean."""
    wanted = {
        other: term for term in question.subject if term not in question.dated
        for other, sure in asked.sure.get(term, {}).items() if sure >= _SURE and " " not in other
    }  # fmt: skip
    known = question.words.union(question.names)
    names: dict[str, set[str]] = {}
    for p in found:
        held = [t for t in p.terms.split() if t in wanted and not asked.is_friend(t, wanted[t], p.text)]
        if held:
            for root, name in _told(p.text, frozenset(held), known):
                names.setdefault(wanted[root], set()).update(_stems(name, known))
    return {term: frozenset(some) for term, some in names.items() if 0 < len(some) <= _MOST}


def _told(text: str, roots: frozenset[str], known: frozenset[str]) -> Iterable[tuple[str, str]]:
    """(stem of the word, name) for each name that a text gives to one of the words."""
    for hit in _WORD().finditer(text):
        said = hit[0].removesuffix("'s").removesuffix("’s")
        root = stem(fold(said))
        if root not in roots or not said[0].islower() or said in _SAY_SO:
            continue
        before, after = text[: hit.start()], text[hit.end() :]
        owned = _OWNED().search(before)
        if owned is not None and fold(owned["owner"]) not in known:
            continue
        follows = _AFTER().match(after) if said == hit[0] else None
        if follows is not None and follows["so"] and _OF().search(before):
            follows = None  # "the captain of the crew is Maxine": the captain is, not the crew
        if follows is not None and (not follows["owner"] or fold(follows["owner"].split()[-1]) in known):
            yield root, follows["name"] or follows["apart"] or follows["so"]
        elif (leads := _BEFORE().search(before)) is not None:
            yield root, leads["name"]


def _stems(name: str, known: frozenset[str]) -> Iterable[str]:
    return [stem(word) for word in words(name) if word not in known and word not in NO_NAMES and len(word) > 1]
