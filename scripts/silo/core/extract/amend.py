"""Later words that undo or change earlier ones: withdrawing, correcting a value, saying something again or otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable

from silo.core.extract.acts import Sentence
from silo.core.extract.changes import figure_key
from silo.core.extract.drafts import Draft
from silo.text.dates import DateHit, find_dates
from silo.text.tokens import terms

__all__ = ["changed_words", "clash", "given_up_value", "merge", "named_draft", "put_into", "says_again", "substitute"]


def named_draft(drafts: Iterable[Draft], named: frozenset[str]) -> Draft | None:
    """The live draft that shares most words with `named`, the latest of equals."""
    best, weight = None, 0
    for draft in drafts:
        shared = len(draft.content & named)
        if not draft.gone and shared and shared >= weight:
            best, weight = draft, shared
    return best


FEW = 4  # content words up to which a statement of an old value need not name the thing again
_MONEY_OR_FIGURE = re.compile(r"(?:R\$|US\$|[$€£])?\s?\d[\d.,:h]*\s?%?")


def substitute(body: str, part: Sentence) -> str:
    """`body` with its value of the same kind replaced by the one that `part` names; "" where there is none.

    Kinds: a date for a date, a time for a time, a figure for a figure, a name for the only name.
    """
    if part.size > 8:
        return ""
    swapped = _named_swap(body, part)
    if swapped:
        return swapped
    if mine := _RANGE.search(part.text):
        theirs = _RANGE.search(body)
        return body[: theirs.start()] + mine[0] + body[theirs.end() :] if theirs else ""
    if not part.figures and (counted := _counted_swap(body, part.text)):
        return counted
    if part.dates:
        hit, olds = part.dates[-1], find_dates(body, part.today)
        if olds:
            old = _after_shared(body, part, olds)
            front, new = body[: old.start], part.text[hit.start : hit.end]
            lead = new.split(" ", 1)[0].lower()
            if front.lower().rstrip().endswith(f" {lead}"):
                new = new.split(" ", 1)[-1]
            led = _LED.match(body[old.start : old.end])
            if led and not _LED.match(new):
                new = led[0] + new
            tail = part.text[hit.end :].rstrip(" .!")
            if _CLOCK_TAIL.match(tail) and not _CLOCK.search(body):
                new += tail
            return front + new + body[old.end :]
        return ""
    if code := _other_code(body, part):
        return code
    if not part.figures:
        return _other_name(body, part)
    if (day := _DAY_ONLY.match(part.text)) and (olds := find_dates(body, part.today)):
        at = olds[-1].start
        number = re.match(r"\d{1,2}", body[at:])
        if number and int(day[1]) <= 31:
            return body[:at] + day[1] + body[at + number.end() :]
    new = part.figures[-1]
    if other := _other_word(body, part, new):
        return other
    days = find_dates(body, part.today)
    found = [
        m
        for m in _MONEY_OR_FIGURE.finditer(body)
        if not any(d.start < m.end() and m.start() < d.end for d in days)
    ]
    is_time = ":" in new or "h" in new
    fitting = [m for m in found if (":" in m[0] or "h" in m[0]) == is_time] or found
    if not fitting:
        return ""
    last = fitting[-1]
    lead = " " if last[0].startswith(" ") else ""
    tail = " " if last[0].endswith(" ") else ""
    return body[: last.start()] + lead + new + tail + body[last.end() :]


_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|a dozen|"
    "um|uma|dois|duas|três|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|quarenta|cinquenta|uma dúzia"
)
_NEW_COUNT = re.compile(rf"^(?:(?:it's|they're|são|é|only|só|just|make (?:it|that|them)|para|pra) )*(?P<number>{_NUMBERS})(?: (?P<noun>[^\W\d_]{{3,}}))?(?: (?:instead|then|after all|afinal|antes))?\W*$", re.I)
_OLD_COUNT = re.compile(rf"(?<![\w.,:])(?P<number>\d{{1,4}}(?![\d.,:]\d)|(?:{_NUMBERS})\b)(?: (?P<noun>[^\W\d_]{{3,}}))?", re.I)


def _counted_swap(body: str, said: str) -> str:
    """ "make it four": the count of the same noun, or the only count there is."""
    new = _NEW_COUNT.match(said)
    if new is None:
        return ""
    olds = list(_OLD_COUNT.finditer(body))
    noun = terms(new["noun"] or "")
    if noun and noun[:1] != ["instead"]:
        olds = [o for o in olds if terms(o["noun"] or "")[:1] == noun[:1]]
    if len(olds) != 1 or olds[0]["number"].lower() in ("um", "uma", "one"):
        return ""
    at = olds[0]
    return body[: at.start("number")] + new["number"] + body[at.end("number") :]


_DAY_ONLY = re.compile(r"^(?:(?:só|so|only|não|mesmo|para|pra|no|it's|é) )*(?:a|dia|the|on the|para o|para) (\d{1,2})(?:st|nd|rd|th)?\W*$", re.I)
_LED = re.compile(r"(?:até|ate|by|until|till|before|antes de)\s+", re.I)
_RANGE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\s*(?:to|until|till|-|–|a|até|ao)\s*(?:the\s+|dia\s+|o\s+)?\d{1,2}(?:st|nd|rd|th)?\b(?![:.,]\d)", re.I
)
_CLOCK = re.compile(r"\b\d{1,2}(?::\d\d|h(?:\d\d)?\b|\s?[ap]m\b)|\b(?:at|às|as) \d", re.I)
_CLOCK_TAIL = re.compile(r",?\s+(?:at|às|as)\s+\d[\d:hapm ]*$", re.I)


_SWAP = re.compile(
    r"^(?:(?:it's|it is|that's|é|eh|são|the|o|a)\s+)*(?P<new>[^,;]{2,40}?),?\s+(?:and\s+|e\s+)?(?:not|não|nao)\s+(?:(?:the|a|an|o|um|uma)\s+)?(?P<old>[^,;.]{2,40}?)\W*$",
    re.I,
)


def _named_swap(body: str, part: Sentence) -> str:
    """ "it's the dermatologist, not the dentist": the old words are named and stand in the body."""
    match = _SWAP.match(part.text)
    place = re.search(rf"(?<!\w){re.escape(match['old'])}(?!\w)", body, re.I) if match else None
    return body[: place.start()] + match["new"] + body[place.end() :] if match and place else ""


def _after_shared(body: str, part: Sentence, olds: list[DateHit]) -> DateHit:
    """The date to replace: the one behind a word that both share ("the return is the 3rd"), else the last."""
    low, marked = body.lower(), part.text.lower()[: part.dates[-1].start]
    for word in re.findall(r"[^\W\d]{4,}", marked):
        at = low.find(word)
        behind = [d for d in olds if at >= 0 and d.start > at]
        if behind:
            return behind[0]
    return olds[-1]


_CODE = re.compile(r"\b(?=\w*\d)[A-Za-z]+[\w-]*\b")


_PROPER = re.compile(
    r"(?<!^)(?<![.!?] )\b[A-ZÀ-Ý][\w'’-]*[a-zà-ÿ][\w'’-]*(?:\s+[A-ZÀ-Ý][\w'’-]*[a-zà-ÿ][\w'’-]*)*"
)
_JUST_NAME = re.compile(
    r"^(?:(?:it's|it is|with|com|é|eh|o|a|the)\s+)*(?P<name>[A-ZÀ-Ý][\w'’-]+(?:\s+[A-ZÀ-Ý][\w'’-]+)*)\W*$"
)


def _other_name(body: str, part: Sentence) -> str:
    """A name for the only name, or for the one most like it: "Priya Nayar" for "Priya Nair"."""
    new = _JUST_NAME.match(part.text)
    olds = list(_PROPER.finditer(body))
    if new is None or not olds:
        return ""
    name = new["name"]
    words = [w for old in olds for w in re.finditer(r"[\w'’-]+", body[old.start() : old.end()])]
    if len(name.split()) == 1:
        for old in olds:
            for word in re.finditer(r"[\w'’-]+", old[0]):
                if word[0][:2].lower() == name[:2].lower() and word[0] != name:
                    at = old.start() + word.start()
                    return body[:at] + name + body[at + len(word[0]) :]
    if len(olds) != 1 or not words:
        return ""
    return body[: olds[0].start()] + name + body[olds[0].end() :]


def _other_code(body: str, part: Sentence) -> str:
    """A model or serial for another one of the same shape: KX10 for KX11."""
    new = _CODE.search(part.text)
    if new is None:
        return ""
    letters = re.sub(r"\d", "", new[0]).lower()
    match = next(
        (m for m in reversed(list(_CODE.finditer(body))) if re.sub(r"\d", "", m[0]).lower() == letters), None
    )
    return body[: match.start()] + new[0] + body[match.end() :] if match else ""


def _other_word(body: str, part: Sentence, figure: str) -> str:
    """ "3rd right" for "3rd left": the figure stands in both, the word behind it changes."""
    mine = re.search(re.escape(figure) + r"[.ºª°\w]*\s+(\w+)", part.text)
    theirs = re.search(r"(?<!\d)" + re.escape(figure) + r"[.ºª°\w]*\s+(\w+)", body)
    if mine is None or theirs is None or mine[1].lower() == theirs[1].lower():
        return ""
    return body[: theirs.start(1)] + mine[1] + body[theirs.end(1) :]


def changed_words(old: str, new: str) -> str:
    """The words of `old` between what both have in common at the front and at the end."""
    a, b = old.split(), new.split()
    front = 0
    while front < min(len(a), len(b)) and a[front] == b[front]:
        front += 1
    end = 0
    while end < min(len(a), len(b)) - front and a[-1 - end] == b[-1 - end]:
        end += 1
    return " ".join(a[front : len(a) - end]).strip(" ,;.")


def says_again(new: Draft, old: Draft) -> str:
    """ "more" if `new` says all that `old` does, "less" if it adds nothing, "" if they are two statements: each names
    something of its own, were it one word of ten, or one of them denies, unless `new` looks back at what was wrong."""
    a, b = new.content, old.content
    if not a or not b or (not new.corrects and ((a - b and b - a) or new.denies != old.denies)):
        return ""
    shared = len(a & b)
    if shared / len(a) >= 0.8 and new.figures <= old.figures:
        return "less"
    if shared / len(b) >= 0.8 and old.figures <= new.figures:
        return "more"
    return ""


def clash(new: Draft, old: Draft) -> bool:
    """`new` puts something else in the place of what `old` says: it names it as the old value, or gives another figure
    for the same thing. Two that each name something of their own, or share no figure of several, are about two things,
    unless the later one looks back at what was wrong."""
    if (
        new.old
        and len(new.old) > 2
        and re.search(rf"(?<!\w){re.escape(new.old.lower())}(?!\w)", f"{old.label} {old.body}".lower())
        and (len(new.content) <= FEW or (new.content & old.content) - frozenset(terms(new.old)))
    ):
        return True
    if not new.replaces or not new.figures or not old.figures or new.figures & old.figures:
        return False
    mine, theirs = _plain(new), _plain(old)
    parted = (mine - theirs and theirs - mine) or min(len(new.figures), len(old.figures)) > 1 or _on_other_days(new, old)
    if parted and not new.corrects:
        return False
    shared = mine & theirs
    if shared and theirs <= mine and len(theirs) <= FEW and len(old.figures) == 1 and old.index < new.index:
        return True  # it says nothing but the figure of the thing
    return len(shared) >= 2 and len(shared) / min(len(mine), len(theirs)) >= 0.6


_FIGURE = re.compile(r"\d[\d.,:h]*\d|\dh?")
_CAPITALS = re.compile(r"(?<=\w )[A-ZÀ-Ý][\w'’-]+(?: [A-ZÀ-Ý][\w'’-]+)*")


def _name_given_up(new: Draft, old: Draft) -> str:
    """ "the launch is in Coimbra" … "the launch moves to Braga": the name that another one of the same thing replaces, ""
    for none."""
    mine, theirs = new.content, old.content
    if not new.replaces or new.old or new.figures or old.figures or not mine & theirs:
        return ""
    names = [n for n in _CAPITALS.findall(old.body) if n not in new.body]
    others = [n for n in _CAPITALS.findall(new.body) if n not in old.body]
    if len(names) != 1 or len(others) != 1 or _subject(names[0], old) or _subject(others[0], new):
        return ""
    if ";" in old.body:
        return ""  # it says more than one thing
    rest = theirs - mine - frozenset(terms(names[0]))
    return names[0] if not rest and theirs - mine else ""


def _figure_given_up(new: Draft, old: Draft) -> str:
    """The one figure of the earlier statement of a thing, which a later one replaces; "" where a slip of the tongue was put
    right, or it is not clear which."""
    if new.old or new.slip or not new.figures or len(old.figures) != 1 or not clash(new, old):
        return ""
    figures = _FIGURE.findall(old.body)
    if len(figures) != 1:
        return ""
    return "" if find_dates(old.body, old.turn.at.date()) else figures[0]


def given_up_value(new: Draft, old: Draft) -> str:
    """What of the earlier statement the later one replaces, a name or a figure; "" for nothing."""
    return (_name_given_up(new, old) or _figure_given_up(new, old)) if old.index < new.index else ""


def put_into(new: Draft, old: Draft) -> str:
    """ "The party is on Saturday at 20h in the barn." … "It starts at 19h30 instead of 20h": the fuller statement with the new
    figure in it, where the later one says little else; "" for none."""
    figures = [f for f in _FIGURE.findall(new.body) if figure_key(f) != figure_key(new.old)]
    if not old.turn.fresh or old.old or len(figures) != 1 or not re.search(r"\d", new.old) or not clash(new, old):
        return ""
    before = _FIGURE.search(new.old)
    place = re.search(rf"(?<![\d.,:]){re.escape(before[0])}(?:h(?!\d))?(?!\d|[.,:]\d)", old.body) if before else None
    if place is None or len(_plain(old)) <= len(_plain(new)):
        return ""
    own = _plain(new) - _plain(old)
    return old.body[: place.start()] + figures[0] + old.body[place.end() :] if len(own) <= 1 else ""


def _subject(name: str, draft: Draft) -> bool:
    """The name is what the statement is about: "a Marta mudou-se"."""
    return len(draft.body[: draft.body.find(name)].split()) < 2


def _on_other_days(new: Draft, old: Draft) -> bool:
    """Each names another day or month, and a figure besides: flat 12 for April, flat 14 for May."""
    days = []
    for draft in (new, old):
        hits = find_dates(draft.body, draft.turn.at.date())
        rest = "".join(c for n, c in enumerate(draft.body) if not any(hit.start <= n < hit.end for hit in hits))
        days.append({hit.value for hit in hits} if any(c.isdigit() for c in rest) else set())
    return bool(days[0] and days[1]) and not days[0] & days[1]


def _plain(draft: Draft) -> set[str]:
    return {w for w in draft.content if not any(c.isdigit() for c in w)}


def merge(new: Draft, old: Draft) -> None:
    """`new` takes the place of `old` and inherits its sources and what it replaced."""
    old.gone = True
    new.rest_on(old.evidence)
    if not new.old and old.old and figure_key(old.old) not in new.figures:
        new.old = old.old
