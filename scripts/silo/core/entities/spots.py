"""Every capitalised name of a memory, wherever it stands, with what stands around it.

Reads all lines but code, comments and rules. Gathers only: what a name is, is weighed in `weighing` over all its places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from silo.core.entities.names import name_words, runs
from silo.core.migrate.evidence import Tier
from silo.core.migrate.reading import Block, Document, Kind, undress
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.stopwords import STOP

_MARK = re.compile(r"[ \t>]*(?:(?:[-*+•‣▪–]|\d{1,4}[.)])[ \t]+)?(?:\[[ xX✓✔~-]?\][ \t]+)?")
_CODE = re.compile(
    r"`[^`]*`|https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|<!--.*?-->|\]\([^)]*\)|(?<![\w.])[~\w.-]*/[\w./~-]{2,}|\b[\w-]+\.[a-z]{2,4}\b(?!\s+[A-Z])|@\w+"
)
_QUOTED = re.compile(r"[\"“«„](?=\S)[^\"”»“\n]{1,120}[\"”»“]")
_STOPS = re.compile(r"(?:^|[.!?…])\W*$")
_SOFT = re.compile(r"[:;(\[/—–=|→]\W*$|\s-\s*$|\d\W*$")
_OWN = re.compile(r"['’]s$|s['’]$")
_AT = re.compile(r"\b(?:at|in|to|from|near|by|behind|on) (?:the )?$", re.I)
_SENTENCE_END = re.compile(r"(?<=[^\W\d_A-Z]{3}[.!?…])\s+|(?<=[\d)][.!?…])\s+")  # not behind `Sr.`
_CAMEL = re.compile(r"[a-z][A-Z]")
_SCOTS = re.compile(r"(?:Mc|Mac|De|Di|La|Le|Van|D['’]|O['’])[A-Z]")
_ROW = re.compile(r"(?<!\\)\|")
_RULE_ROW = re.compile(r"[\s|:-]+$")
_ARTICLES = "the o a os as el la los las der die das le les il lo de het ao à do da dos das no na pelo pela"
_DETERMINERS = frozenset(_ARTICLES.split())
_SAINTS = ("sao", "santo", "santa", "san")


@dataclass(frozen=True, slots=True)
class Spot:
    """A name at one place. `before` are the folded words of its sentence before it, `gap` the characters right before it."""

    name: str
    line: int
    tier: Tier
    kind: str  # what the headings above say
    opens: bool  # begins a sentence: its capital proves nothing
    soft: bool  # stands behind a colon, a dash, a bracket, in a cell or a heading: its capital proves little
    head: bool  # leads its line
    owns: bool  # `Ana's`
    before: tuple[str, ...]
    gap: str
    after: str
    listed: str = ""  # the word before the colon of a list of names: `sites: Long Spit and Kestle Bay`
    unsure: bool = False  # in a section of which the tier is not sure
    title: str = ""  # `Seu`, `Aunt`, as written, which is not part of `name`

    @property
    def words(self) -> list[str]:
        return name_words(self.name)


def spots(
    document: Document, block: Block, tier: Tier, kind: str, words: EntityWords, *, unsure: bool = False
) -> Iterator[Spot]:
    """The names of a block."""
    if block.kind in (Kind.FENCE, Kind.RULE, Kind.COMMENT, Kind.FRONT_MATTER, Kind.MANAGED):
        return
    heading = block.kind in (Kind.HEADING, Kind.LABEL)
    fenced = False
    for offset, raw in enumerate(document.raw(block)):
        if raw.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or "<!--" in raw[:40]:
            continue
        text = raw.strip()[:4000]
        parts = [text]
        if block.kind is Kind.TABLE:
            parts = [] if offset < 2 or _RULE_ROW.match(text) else [c.strip() for c in _ROW.split(text.strip("|"))]
        for part in parts:
            plain = undress(_MARK.sub("", part.lstrip("# "), count=1))
            plain = _QUOTED.sub(lambda m: "·" * len(m[0]), _CODE.sub(lambda m: "·" * len(m[0]), plain))
            for spot in _line(plain.replace("**", "").replace("__", ""), block.start + offset, tier, kind, words, heading):
                yield replace(spot, unsure=unsure)


def _line(text: str, line: int, tier: Tier, kind: str, words: EntityWords, heading: bool) -> Iterator[Spot]:
    for run in runs(text):
        start, end = run.start, run.end
        while True:  # a run may be a word that opens the sentence, a title, and the name
            before = text[:start]
            opens = bool(_STOPS.search(before)) and not before.rstrip().lower().endswith((" sr.", " dr.", " sra.", " dra.", " st."))
            first = text[start:end].split()[0] if text[start:end].split() else ""
            rest = text[start + len(first) : end].lstrip()
            calls = fold(first) in words.roles and fold(first) not in words.honorifics | words.titles  # `Neighbour Walt`, `mein Mann Jörn`
            if rest and (calls or ((opens or _SOFT.search(before)) and _drops(first, rest, words))):
                start = end - len(rest)
                continue
            break
        title = ""
        if rest and (fold(first.rstrip(".")) in words.honorifics or first == "D."):
            title, start = first, end - len(rest)
        name = text[start:end]
        while name and fold(name.split()[-1]) in words.not_a_name and " " in name:  # `Ana Monday`
            name = name.rsplit(None, 1)[0]
        owns = _OWN.search(name) is not None or text[start + len(name) : start + len(name) + 2] in ("'s", "’s")
        name = name if name.startswith(("St ", "St. ")) else _OWN.sub(lambda m: "s" if m[0][0] == "s" else "", name)  # a school, a church
        site = re.match(r" ([a-z]{3,})\b", text[start + len(name) :])
        if site and not opens and not title and {site[1], site[1].rstrip("s")} & words.place_words and _AT.search(text[:start]):
            name += site[0]  # `at the Weir gardens`
        if not name or not _can_name(name, words):
            continue
        shown = (not heading and words.names.nominative(name)) or name
        before = text[: start - len(title) - 1] if title else text[:start]
        sentence = _SENTENCE_END.split(before)[-1]
        opened = opens and start == run.start and not title
        yield Spot(
            shown, line, tier, kind, opened, heading or _SOFT.search(before) is not None, not before.strip(" ·\"'("), owns,
            tuple(split_words(sentence)[-8:]), before[-3:], text[start + len(name) :][:90], _list_of(sentence), title=title,
        )  # fmt: skip


_IN_QUOTES = re.compile(r"([^\W\d_]{2,})\s?[«\"„“「『]([^»\"”“」』\n]{2,30})[»\"”“」』]")


_TITLED = frozenset(("grupo", "group", "radio", "press", "post", "news", "times", "records", "pictures", "films", "show", "board", "tools", "labs", "notes", "design", "archive", "archives", "library", "network", "cloud"))


def quoted_firms(text: str, words: EntityWords) -> Iterator[str]:
    """What stands in quotation marks behind a word for an organisation: `студия «Три гвоздя»`, 農園「あかね園」, `bakery "Rise"`."""
    for hit in _IN_QUOTES.finditer(text):
        kind = fold(hit[1])
        if kind in _TITLED:
            continue
        stem = kind[: max(4, len(kind) - 2)]
        cases = not kind.isascii() and any(w.startswith(stem) and len(w) <= len(kind) for w in words.organisation_words)
        if kind in words.organisation_words or cases or hit[1].endswith(words.organisation_endings):
            yield hit[2].strip()


def _list_of(before: str) -> str:
    """The word before the colon, where nothing but names stands between it and the end."""
    label, colon, names = before.rpartition(":")
    tokens = re.findall(r"[^\W\d_]+", names)
    if not colon or any(t[0].islower() and t not in ("and", "e", "y", "und", "et", "of", "de", "da", "do", "s", "the", "o", "a") for t in tokens):
        return ""
    return (split_words(label) or [""])[-1]


def _drops(first: str, rest: str, words: EntityWords) -> bool:
    """Whether the first word of a run belongs to the sentence: `Ring Winnie`, `The Otto`, `Para Ana`."""
    low = fold(first)
    if low in _SAINTS or first.lower() in words.names.frequent:
        return False
    if low in words.honorifics and low not in ("don", "nan", "coach", "captain"):
        return False
    if low in STOP or low in words.not_a_name or low in words.asked or low in words.person_verbs:
        return True
    names = words.names
    following = fold(rest.split()[0])
    return following in names.frequent and names.is_common(low) and low not in names.words_too


def _can_name(name: str, words: EntityWords) -> bool:
    tokens = name_words(name)
    if not tokens or len(tokens) > 6 or any(any(c.isdigit() for c in t) for t in tokens):
        return False
    if name.isupper() or (_CAMEL.search(name) and not _SCOTS.search(name)) or len(name) < 2:
        return False
    if name.lower() in words.names.frequent:
        return True
    if all(t in words.not_a_name or t in STOP for t in tokens) or tokens[0] in words.not_a_name:
        return False
    return not any(t in words.products for t in tokens) and not (len(tokens) == 1 and tokens[0] in words.honorifics)


def words_before(spot: Spot) -> tuple[list[str], str]:
    """The folded words before a name without its article, nearest last, and that article."""
    found = list(spot.before)
    if found and found[-1] in _DETERMINERS:
        return found[:-1], found[-1]
    return found, ""
