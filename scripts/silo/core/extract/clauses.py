"""A message into pieces: its sentences, with quoted material, code and pasted text told apart.

It knows the shape of text (fences, quotes, lists, stops), not its meaning: which sentence asks or decides is for `acts`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Piece", "pieces"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence as written (list marker and outer space off). kind: "say", "quote" or "code"; `block` counts paragraphs."""

    text: str
    kind: str
    block: int


_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S)
_BULLET = re.compile(r"^\s*(?:[-*•+]\s+|\d{1,2}[.)]\s+|[a-dA-D]\)\s+|\[[ xX]\]\s+)")
_LONE_FIGURE = re.compile(r"^\s*(?!1[.)])\d{1,2}[.]\s")  # "62. no, 64" answers; it is no item of a list
_ANGLE = re.compile(r"^\s*>")
# A mail or letter pasted into the message: from its first line on, all is somebody else's text.
_LETTER = re.compile(
    r"^\s*(?:-{3,} ?(?:forwarded|original|mensagem encaminhada|mensagem original).*|(?:fwd?|enc|res|re): .*|(?:from|de|to|para|subject|assunto|sent|enviado)\s*: .+"
    r"|(?:dear|prezad[oa]s?|car[oa]s?|estimad[oa]s?|exm[oa]s?\.?(?:\(a\))?) [^\n]{2,60},.*|begin forwarded message.*)$",
    re.I,
)
_LOG = re.compile(
    r"^\s*(?:Traceback \(most recent|File \"[^\"]+\", line \d+|at [\w.$<>]+\([^)]*\)|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b"
    r"|[\w.]+(?:Error|Exception): |\$ \S|#include|import \w+$|def \w+\(|(?:const|let|var) \w+ =|[{}\[\]<>();|\\/=+*&%~^-]{4,}\s*$)"
)
# Stops: end of a sentence followed by space; not after a short form, an initial or a numeral.
_STOP = re.compile(r"(?:[.!?…]+[\"'”’)\]]*|[;])(?=\s|$)|\n+")
_SHORT = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|exm[oa]s?|v\.? ?exa|mr|mrs|ms|dr|dra|sr|sra|srta|prof|profa|st|nr|pp|pg|pag|approx|aprox|jr|inc|ltd|ltda|corp|dept|fig|vol|tel|obs|jan|feb|apr|aug|sept?|oct|nov|dec|fev|abr|ago|"
    r"a\.m|p\.m|u\.s|u\.k)\.$",
    re.I,
)
_INITIAL = re.compile(r"(?<![\w.])(?<!\d )[A-Z]\.$")
# Inside a sentence, words that begin another statement.
_TURN = re.compile(
    r"(?:,|\s+-|\s+—|\s+–)\s+(?=(?:and also|oh and|also|btw|by the way|and btw|plus|another thing|one more thing|and another thing|"
    r"ah,? e|ali[áa]s(?!,? (?:(?:é|são|era|eram|às|as|a|no|na|o|dia|de) )*\d)|e também|e tambem|outra coisa|e outra|mais uma coisa|fora isso|além disso)\b)"
    r"|\s+(?=(?:oh and|and also|and btw|btw,? (?:i|we|the|my|our|can)|by the way|ah,? e (?:o|a|os|as|eu|me)|aliás,)\s)"
    r"|,?\s+(?:and\s+)(?=(?:tell me|can you|could you|would you|remind me|please|do (?:we|you|i) |is (?:it|there|the) |what's |what is |how |when is )\b)"
    r"|,?\s+(?:e\s+)(?=(?:me (?:diz|lembra|avisa|fala)|você pode|voce pode|vc pode|dá pra|qual |quando é|como (?:é|está|tá))\b)"
    r"|,\s+(?=(?:and|e)\s+(?:always|never|remind|please|can you|could you|sempre|nunca|me lembra|me avisa|não esquece)\b)",
    re.I,
)
# One of these begins whatever `_TURN` finds.
_TURN_WORDS = frozenset(
    ["and", "oh", "also", "btw", "by", "plus", "another", "one", "ah", "aliás", "alias", "e", "outra", "mais", "fora", "além"]
)  # fmt: skip
_WORD = re.compile(r"\w+")
_SAYS = re.compile(r"\w|[\U0001f300-\U0001faff\u2600-\u27bf]")
_SHORT_ROOM = 16  # characters that hold any short form and what stands before it
_QUOTED = re.compile(r"“[^”\n]{12,}”|\"[^\"\n]{12,}\"|«[^»\n]{12,}»")
_LONGEST = 1200  # characters of what may still be a sentence; longer runs without a stop are data
_LONG_QUOTE = 6  # words from which a quotation is somebody's speech and not a name


# A how-to with numbered steps is one statement, whether its steps stand in lines or one behind the other.
_HOW = r"(?:how (?:to|we|i)|steps?|to \w{3,}|procedure|recipe|routine|checklist|como|passos?|passo a passo|para \w{3,}|pra \w{3,}|procedimento|receita|rotina|roteiro)\b"
_STEPS = re.compile(
    rf"^[^\n]{{0,30}}?\b{_HOW}[^\n:]{{0,80}}:\s*(?:\n\s*(?:\d{{1,2}}[.)]|[-*•])\s+[^\n]+){{2,12}}|^[^\n]{{0,30}}?\b{_HOW}[^\n:]{{0,80}}:\s*1[.)]\s[^\n]+?\s2[.)]\s[^\n]+",
    re.I | re.M,
)
_STEP = re.compile(r"\s*(?:\n\s*(?:\d{1,2}[.)]|[-*•])|(?<![\d.,])(?<=\s)\d{1,2}[.)])\s+")


def _one_line(match: re.Match[str]) -> str:
    head, *steps = [part.strip().rstrip(".;") for part in _STEP.split(match[0])]
    return f"{head} " + ", ".join(f"({n}) {step.replace('. ', ', ')}" for n, step in enumerate(steps, 1))


def pieces(text: str) -> tuple[Piece, ...]:
    """The pieces of a message in order. Text between fences is one piece of kind code."""
    out: list[Piece] = []
    at, block = 0, 0
    text = _STEPS.sub(_one_line, text)
    for fence in _FENCE.finditer(text):
        block = _lines(text[at : fence.start()], out, block)
        body = fence[2].strip("\n")
        if body.strip():
            out.append(Piece(body, "code", block))
        at, block = fence.end(), block + 1
    _lines(text[at:], out, block)
    return tuple(out)


def _lines(text: str, out: list[Piece], block: int) -> int:
    lines = text.split("\n")
    # Somebody who begins every line with ">" quotes nobody: it is their way to write.
    angled = [line for line in lines if line.strip()]
    own_angle = bool(angled) and len(angled) <= 3 and all(_ANGLE.match(line) for line in angled)
    letter, paragraph = False, ""
    for line in [*lines, ""]:
        bare = line.strip()
        opens = (":" in bare or "," in bare or bare.startswith(("-", "B", "b"))) and bool(_LETTER.match(line))
        logged = len(bare) > 7 and bool(_LOG.match(line))
        listed = bool(_BULLET.match(line)) and not (len(lines) == 1 and _LONE_FIGURE.match(line))
        starts = (
            not bare or opens or logged or listed or (bare[0] == ">" and not own_angle)
        )
        if paragraph and (starts or letter):
            _sentences(paragraph, "quote" if letter else "say", block, out)
            paragraph = ""
        if not bare:
            block += 1
            continue
        letter = letter or opens
        if letter or (bare[0] == ">" and not own_angle):
            _sentences(bare.lstrip("> "), "quote", block, out)
        elif logged:
            out.append(Piece(bare, "code", block))
        else:
            bare = _BULLET.sub("", bare.lstrip("> ") if own_angle else line) if listed or own_angle else line
            bare = bare.strip()
            # Lines of one paragraph are sentences of their own in a chat, unless the line was merely wrapped.
            if paragraph and len(paragraph.split("\n")[-1]) > 60 and bare[:1].islower():
                paragraph += " " + bare
            else:
                if paragraph:
                    _sentences(paragraph, "say", block, out)
                paragraph = bare
    return block


def _sentences(text: str, kind: str, block: int, out: list[Piece]) -> None:
    for bare, what in _cut(text):
        if what != "mark":
            out.append(Piece(bare, what or kind, block))
        elif out and out[-1].block == block:  # a question mark set off from its sentence
            out[-1] = Piece(out[-1].text + bare, out[-1].kind, block)


@lru_cache(maxsize=2048)
def _cut(text: str) -> tuple[tuple[str, str], ...]:
    """The sentences of a paragraph, and what each is by itself: quote, code, a mere mark, or nothing special."""
    spans = [m.span() for m in _quotations(text)]
    out: list[tuple[str, str]] = []
    start = 0
    cuts = [(m.end(), False) for m in _STOP.finditer(text)]
    if not _TURN_WORDS.isdisjoint(_WORD.findall(text.lower())):
        cuts = sorted([*cuts, *((m.end(), True) for m in _TURN.finditer(text))])
    for end, inner in cuts:
        if any(a < end < b for a, b in spans) or (not inner and _is_short(text, start, end)):
            continue
        _add(text[start:end], out)
        start = end
    _add(text[start:], out)
    return tuple(out)


def _is_short(text: str, start: int, end: int) -> bool:
    """The dot before `end` belongs to a short form or an initial."""
    if text[end - 1] not in ".\n":
        return False
    last = text[max(start, end - _SHORT_ROOM) : end]
    return bool(_SHORT.search(last) or _INITIAL.search(last))


def _quotations(text: str) -> list[re.Match[str]]:
    """What is quoted at length: somebody's speech."""
    if '"' not in text and "“" not in text and "«" not in text:
        return []
    return [m for m in _QUOTED.finditer(text) if len(m[0].split()) >= _LONG_QUOTE]


def _add(text: str, out: list[tuple[str, str]]) -> None:
    bare = text.strip().rstrip(",;").strip()
    if not _SAYS.search(bare):
        if bare.startswith("?"):
            out.append((bare, "mark"))
    elif len(bare) > _LONGEST:
        out.append((bare, "code"))
    else:
        quoted = sum(len(m[0]) for m in _quotations(bare))
        out.append((bare, "quote" if quoted > len(bare) / 2 else ""))
