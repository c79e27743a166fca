"""The text of an event: the statement as it was said, its subject restored, dates made absolute, old values named.

It adds no word that the conversation does not hold, except the fixed labels of the format (Was, Due, Effective).
"""

from __future__ import annotations

import re
from datetime import date

from silo.core.extract.acts import Sentence
from silo.core.extract.labels import without_label
from silo.text.dates import DateHit, find_dates
from silo.text.language import Language

__all__ = ["LIMIT", "capital", "clause", "dated", "directive", "says_nothing", "text_of"]

LIMIT = 480
_EMOJI = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")
_LAUGH = re.compile(
    r"\s*,?\s*\b(?:lol|lmao|haha(?:ha)*|hehe(?:he)*|k{2,}|rs(?:rs)*|btw|by the way|fyi|tho|né|viu|hein|please|pls|por favor|pfv|thanks|thx|obrigad[oa]|valeu|vlw|ok|tá bom)\b(?=\s*[.!,?]*\s*$)",
    re.I,
)
_MIDDLE = re.compile(r"\s*,?\s+\b(?:btw|by the way)\b(?=\s*,)", re.I)
_HESITATION = re.compile(r"(?<![\w-])(?:u+h+m+|uu+m+|um+(?=\s*[,.…])|umm+|u+h+|e+r+m?|hã|hum+|éé+)(?![\w-])\s*[,.…]*\s*", re.I)
_APOLOGY = re.compile(r"^(?:sorry|apologies|desculp[ae]|perdão|perdao)(?: lá| aí)? (?:for|about|a|o|as|os|pela|pelo|por)(?: (?!that\b|this\b|isso\b)[\w'-]+){1,4},\s+(?=\S+\s+\S+\s+\S)", re.I)
_SECRET = re.compile(r"[^,;.()]*\[REDACTED:[^\]]*\][^,;.()]*")
_COMMAS = re.compile(r"\s*,(?:\s*,)+")
_SPACE = re.compile(r"\s+")


def clause(text: str) -> str:
    """A sentence ready to stand in a log: one line, no hesitation, laughter, emoji, closing courtesy or secret."""
    if "[REDACTED:" in text:
        text = _COMMAS.sub(",", _SECRET.sub("", text))
    text = _EMOJI.sub(" ", _SPACE.sub(" ", text))
    text = _APOLOGY.sub("", _HESITATION.sub("", text))
    before = ""
    while before != text:
        before = text
        text = _LAUGH.sub("", text).strip(" ,;:-–—")
        text = re.sub(r"[\s.!?…]+$", "", text) if not text.endswith(("a.m.", "p.m.")) else text
    return _MIDDLE.sub("", text).strip()


_WORD = re.compile(r"\w+(?:['’]\w+)?")


def says_nothing(body: str, label: str, lang: Language) -> bool:
    """Nothing is left to say: no word at all, or, with no label before it, small words only ("then", "it is")."""
    small = lang.function_words
    for found in _WORD.finditer(body):
        word = found[0].lower().replace("’", "'")
        if label or (word not in small and word.replace("'", "") not in small):
            return False
    return True


_REMIND = re.compile(
    r"^(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|pls\s+|(?:você |vc )?(?:pode|poderia)\s+(?:por favor\s+)?|por favor,?\s+)?"
    r"(?:(?:remind (?:me|us)|set (?:me )?a reminder|add a reminder|don't let me forget|me lembr[ae](?:r)?|lembr[ae](?:-(?:me|te|se|nos))?|me avis[ae](?:r)?|(?:lembrete|reminder)(?!\s+\w+\s*:)|"
    r"note down|note|make a note|remember|please remember|anot[ae](?: aí)?|registr[ae](?: aí)?|guard[ae](?: aí)?|atualiz[ae](?: aí)?|salv[ae]|grav[ae]|keep in mind|bear in mind|for the record|todo|to-do|update)(?![\w-])"
    r"(?:\s+(?:to|that|about|of|de|que|do|da|pra|para)\b|\s*:)?)\s*[:,]?\s*",
    re.I,
)


def directive(s: Sentence, body: str) -> str:
    """A reminder or note without the words that ask for it: "remind me to file X" → "file X"."""
    if s.has("remind", "note_any") or s.opens("note"):
        bare = _REMIND.sub("", body)
        if len(bare.split()) >= 2:
            return clause(bare)
    return without_label(clause(body))


def capital(text: str) -> str:
    """First letter upper case, unless the word is a name written in its own way (iPhone, pg_dump, example.com)."""
    first = text.split(" ", 1)[0]
    if not first[:1].isalpha() or re.search(r"[A-Z_/@\d]|\.\w", first[1:]):
        return text
    return text[0].upper() + text[1:]


def dated(
    text: str,
    today: date,
    known: dict[str, str],
    *,
    skip: frozenset[str],
    prefer: str,
    day_first: bool | None,
    gone: tuple[int, int] = (0, 0),
) -> tuple[str, list[DateHit]]:
    """Write the absolute date behind every date that leaves the day, month or year open, as "(2026-03-07)".

    `known` maps an own reading of a date to the one that the dialogue settled on; `skip` are values that the text
    will name anyway, `gone` is where a value stands that holds no more. Returns the text and the hits with settled values.
    """
    hits = [
        DateHit(h.start, h.end, known.get(h.value, h.value), h.kind)
        for h in find_dates(text, today, prefer=prefer, day_first=day_first)
    ]
    out = text
    seen: set[str] = set(skip)
    for hit in reversed(hits):
        if hit.kind == "absolute" and re.match(r"\d{4}-", text[hit.start : hit.end]):
            continue
        said = text[hit.start : hit.end]
        if (
            hit.value in seen
            or hit.kind == "week"
            or len(hit.value) == 4
            or hit.value in text
            or (len(hit.value) == 7 and hit.kind == "absolute")
            or (gone[0] <= hit.start < gone[1])
        ):
            continue
        seen.add(hit.value)
        out = out[: hit.start] + said + f" ({hit.value})" + out[hit.end :]
    return out, hits


def text_of(
    body: str, lang: Language, *, label: str = "", old: str = "", effective: str = "", due: str = ""
) -> str:
    """Put the parts together: "Label: body. Was: X. Effective D. Due D."."""
    label = label.strip(" :.,")
    words = capital(without_label(f"{label}: {body}" if label else body))
    tail = ""
    if old:
        tail += f" {lang.labels['was']}: {old.strip(' .')}."
    if effective:
        tail += f" {lang.labels['effective']} {effective}."
    if due:
        tail += f" {lang.labels['due']} {due}."
    room = LIMIT - len(tail)
    if len(words) > room:
        words = words[:room].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    return (words if words.endswith((".", "!", "?", "…")) else words + ".") + tail
