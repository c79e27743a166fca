"""Old and new values: what a sentence replaces, and corrections that a speaker makes in mid-sentence.

It finds values by the patterns of the language; whether a change is worth keeping is not decided here.
"""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.text.language import Language

__all__ = ["Values", "aside", "change_in", "correction_of", "doubt_settled", "figure_key", "figure_keys", "self_corrected", "slipped"]


class Values(tuple[str, str]):
    """(old, new) as written; either may be empty."""

    __slots__ = ()

    @property
    def old(self) -> str:
        return self[0]

    @property
    def new(self) -> str:
        return self[1]


_EDGE = re.compile(
    r"^(?:the|a|an|our|my|o|a|os|as|um|uma|até as|até|at|on|for|from|só|dia|do|da|de|em|no|na|to|para|pra)\s+",
    re.I,
)
_VERB_END = re.compile(r"\s+(?:mudou|muda|passou|passa|foi|vai|moved|moves|changed|changes|goes|went|got)$", re.I)
# "Ana as our treasurer" was Ana.
_THEN = re.compile(r"(?<=\w)\s+(?:before|earlier|previously|so far|until now|antes|dantes|até agora)$", re.I)
_AS = re.compile(r"\s+(?:as|como)\s+.*$", re.I)
# A value holds no verb of its own: "de chat foi remarcado para 12" names no old one.
_VERB_INSIDE = re.compile(
    r"(?<!\w)(?:is|are|was|were|has|have|moved|changed|costs?|went|é|são|foi|foram|fica|ficam|ficou|está|estão|mudou|mudaram|passou|passaram|custa|custam|vai|tem)\s+\w", re.I
)
# "mudámos o site da porta 9018 para 9028": the figure's own words.
_LAST_OF = re.compile(r"^[^\d]+\s(?:da|do|das|dos|from)\s+(\S*(?:\s*\w+\s+)?\d[^\s]*(?:\s\w+)?)$", re.I)
_WORTHLESS = re.compile(
    r"^(?:it|that|this|them|there|here|sure|true|the case|needed|necessary|a|an|isso|ele|ela|eles|aqui|lá|la|assim|mais|possivel|preciso|verdade|certo|later|ever|me|you|us)$",
    re.I,
)


def change_in(sentence: Sentence, languages: tuple[Language, ...]) -> Values:
    """The old and the new value that the sentence itself names: "R$ 180 → R$ 210", or two empty strings."""
    best = Values(("", ""))
    if was := aside(sentence.text):
        return Values((was, ""))
    if sentence.figures and (now := _UNTIL_THEN.search(sentence.low)):
        return Values((sentence.text[now.start("old") : now.end("old")].strip(" .,:"), ""))
    for lang in languages:
        for match in lang.changes.matches(sentence.low, sentence.tokens):
            groups = match.groupdict()
            old, new = (_value(sentence, match, name) if groups.get(name) else "" for name in ("old", "new"))
            better = (
                not best.old or bool(new) > bool(best.new) or (_has_digit(old) and not _has_digit(best.old))
            )
            if old and better and not _is_no_change(sentence, match):
                month = _MONTH_OF.fullmatch(new) if old.isdigit() else None
                best = Values((f"{old} {month[1]}" if month else old, new))
    return best if best.old else _contrast(sentence) if not (two := _put_off(sentence)) else Values((two, ""))


_BUT = re.compile(r"(?:,|;)?\s*\b(?:but|then|and now|mas|so que|e agora|e depois)\b")
_SAID_BEFORE = re.compile(r"\b(?:said|was|were|had|planned|set|thought|era|eram|estava|estavam|tinha|tinham|disse|disseram|ficou|marcad[oa]s?)\b")


_UNTIL_THEN = re.compile(
    r"\b(?:goes|go|going|rises?|will (?:go|be|cost|rise)|sobe|sobem|passa|passam|vai|aumenta|desce|baixa)\b[^\d]{0,30}\d[^;]*?[,;(]\s*(?:agora|now|currently|at the moment|right now|neste momento|atualmente|hoje|por enquanto|por agora)\s*(?:it's|it is|is|we pay|são|sao|é|e|esta em|está em|pagamos|paga-se|custa|custam)\s+(?P<old>(?:[$€£]|r\$)?\s?\d[\d.,:h]*)"
)


def _put_off(sentence: Sentence) -> str:
    """ "They said Tuesday, but it was moved to Thursday": the first of two days, of which the second one holds; "" for none."""
    if not sentence.has("change") or _BUT.search(sentence.low) is None:
        return ""
    days = sentence.dates
    if len(days) != 2 or days[0].value == days[1].value:
        return ""
    turn = _BUT.search(sentence.low, days[0].end, days[1].start)
    if turn is None or not _SAID_BEFORE.search(sentence.low[: days[0].start]):
        return ""
    return sentence.text[days[0].start : days[0].end]


_NOT = re.compile(
    r"(?P<new>[^,;:]+),\s+(?:and\s+|e\s+)?(?:not|nao)\s+(?:(?:as|a|o|at|on|the|in|no|na|dia)\s+)?(?P<old>[^,;.()]+)"
)


_NOT_BUT = re.compile(
    r"^(?:no,?\s+|nao,?\s+)?(?:not|nao e mais|nao mais)\s+(?:(?:the|a|o|on|at|no|na)\s+)?(?P<old>[^,;.()]{2,30}?)(?:\s+after all|\s+any ?more|\s+afinal)?\s*[,;:]\s*(?P<new>\w.+)"
)


def _contrast(sentence: Sentence) -> Values:
    """ "at 7:30, not at 6": the value turned down, where it is a figure."""
    match = _NOT_BUT.search(sentence.low)
    if match is not None:
        old = sentence.text[match.start("old") : match.end("old")].strip()
        if old[:1].isupper() or any(c.isdigit() for c in old) or sentence.has("change_mind"):
            return Values((old, ""))
    match = _NOT.search(sentence.low)
    if (
        match is None
        or not any(c.isdigit() for c in match["old"])
        or not any(c.isdigit() for c in match["new"])
    ):
        return Values(("", ""))
    old = sentence.text[match.start("old") : match.end("old")].strip()
    return Values((old, "")) if len(old.split()) <= 4 else Values(("", ""))


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _value(sentence: Sentence, match: re.Match[str], name: str) -> str:
    text = sentence.text[match.start(name) : match.end(name)].strip(" \"'.,;:")
    if (
        name == "new"
    ):  # the nearest words count: "the shop now opens at 9" is long, its last words are the value
        text = " ".join(text.split()[-5:])
    while (bare := _EDGE.sub("", text)) != text:
        text = bare
    if name == "old":
        if _FROM.match(match[0]) and _VERB_END.search(text):
            return ""  # "a porta da sala mudou para 9018": what changed, not what it was
        text = _THEN.sub("", _AS.sub("", _VERB_END.sub("", text)))
        if _VERB_INSIDE.search(text):
            return ""
        if last := _LAST_OF.search(text):
            text = last[1]
    if (
        not text
        or len(text) > 60
        or len(text.split()) > 8
        or (_WORTHLESS.match(text) and not text[0].isdigit())
    ):
        return ""
    return text


_ASIDE = re.compile(
    r"\((?:was|before|previously|formerly|instead of|not|antes|era|antes era|em vez de|anteriormente)[: ]\s*([^()]{1,60})\)",
    re.I,
)


def aside(text: str) -> str:
    """The old value in brackets: "rent 980 (was 910)" → "910"; "" if none."""
    match = _ASIDE.search(text)
    return match[1].strip(" .,;:") if match else ""


_WAS = re.compile(r"\b(?:was|were|era|eram|foi)\b")


_DAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?|january|february|march|april|june|july|august|september|october|november|december|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|mornings?|afternoons?|evenings?|nights?|manha|tarde|noite)\b"
)
_MONTH_OF = re.compile(r"\d{1,2} ((?:de )?(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez)\w*)", re.I)
_PARTICIPLE = re.compile(r"(?:\w{3,}ed|\w{2,}(?:ad|id)[oa]s?|built|made|born|bought|sold|sent|set|paid|found|taken|given|put|feit[oa]s?|post[oa]s?)\b(?! #)")
_TO = re.compile(r"^(?:chang|switch|mov|renam)\w*\s(?!from\b).*\sto\s")
_THING = re.compile(r"^\w+\s+(?:the|my|our|his|her|their|your)\s")
_FROM = re.compile(r"^(?:from|de)\b")


def _is_no_change(sentence: Sentence, match: re.Match[str]) -> bool:
    """ "it was great", "from 9 to 12": such words tell of a change only beside one, or with a figure against another."""
    if _FROM.match(match[0]):
        both = all(_has_digit(match[name]) or _DAY.search(match[name]) for name in ("old", "new"))
        return not (sentence.has("change_strong") or (both and sentence.has("change_verb")))
    if _TO.match(match[0]) and _THING.search(match[0]):
        return True  # "changed the booking to 8": the booking is what changed, not what it was
    if match[0].startswith("sai ") and "í" not in sentence.text[match.start() : match.end()].split(" ", 1)[0]:
        return True  # "sai de Confins às sete" leaves now; "saí da Vivo" left
    if match[0].startswith(("sai ", "saimos ")) and not match.groupdict().get("new"):
        return not sentence.text[match.start("old") : match.end("old")].strip()[:1].isupper()  # "saí da reunião" changes nothing
    if match[0].startswith(("antes ", "before ", "previously ")):
        return False
    if not _WAS.search(match[0]) or "used to" in match[0]:
        return False
    if _PARTICIPLE.match(match["old"]):
        return True  # "was planted on 2 March" tells what was done
    digits = _has_digit(sentence.text[: match.start()] + sentence.text[match.end() :])
    named = any(c.isdigit() for c in match["old"]) or _DAY.search(match["old"])
    return not named or not (digits or sentence.has("change"))


_NO_DIGITS = re.compile(r"^\D+")
_CENTS = re.compile(r"[.,]00$")
_SEPARATORS = str.maketrans("", "", "".join(chr(n) for n in range(128) if not chr(n).isdigit()))


def figure_key(figure: str) -> str:
    """One form of a figure, for comparing: "R$ 1.480,00" and "1480" → "1480", "18h30" and "18:30" → "1830"."""
    bare = _NO_DIGITS.sub("", figure.lower().rstrip(" .,:;/h%-"))
    if bare.endswith("00"):
        bare = _CENTS.sub("", bare)
    return (
        bare.translate(_SEPARATORS).lstrip("0") or "0"
        if bare.isascii()
        else "".join(c for c in bare if c.isdigit())
    )


def figure_keys(sentence: Sentence) -> frozenset[str]:
    """The keys of a sentence's figures."""
    kept = sentence.memo.get("figure keys")
    if isinstance(kept, frozenset):
        return kept
    sentence.memo["figure keys"] = keys = frozenset(figure_key(f) for f in sentence.figures)
    return keys


# --- corrections in mid-sentence --------------------------------------------------------------------------

_NUMBER_WORD = (
    r"twenty-(?:one|two|three|four|five|six|seven|eight|nine)|vinte e (?:um|dois|três|tres|quatro|cinco|seis|sete|oito|nove)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"um|uma|dois|duas|três|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|vinte|trinta|quarenta|cinquenta|meio-dia|noon"
)
_DAY_WORD = (
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow|segunda(?:-feira)?|terça(?:-feira)?|quarta(?:-feira)?|quinta(?:-feira)?|sexta(?:-feira)?|"
    r"sábado|sabado|domingo|hoje|amanhã|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro"
)
_FIGURE = r"(?:R\$|US\$|[$€£])?\s?\d[\d.,:h/]*(?:\s?(?:%|k|am|pm|h|euros?|reais|dollars?|minutes|minutos|hours|horas|people|pessoas|kg|km|th|st|nd|rd)\b)?%?"
_ORDINAL_WORD = r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|twentieth|primeiro|primeira|segundo|terceiro|terceira"
_VALUES = (
    ("figure", rf"(?:{_FIGURE}|\b(?:{_NUMBER_WORD})\b)"),
    ("day", rf"\b(?:{_DAY_WORD})\b"),
    ("ordinal", rf"\b(?:{_ORDINAL_WORD})\b"),
    ("name", r"\b(?!I['’]|I\b)[A-ZÀ-Ý][\w'’-]+(?:\s[A-ZÀ-Ý][\w'’-]+)?"),
)
_MARK = (
    r"\s*[,;.—–-]*\s*\(?(?:(?:no|não|er|uh|hm+|ah|oh),?\s+)?(?:no,? wait,?(?: no,?)?|wait,?(?: no,?)?|no,? sorry,?|sorry,?(?: no,?)?|no,? no,?|i mean,?|i meant|make (?:that|it)|scratch that,?|strike that,?|correction:?|or rather,?|actually,?|uh no,?|er,? no,?|hang on,?|"
    r"não,? (?:espera|pera|péra|peraí|perai),?(?: não,?)?|péra,?(?: não,?)?|pera(?:í|i)?,?(?: não,?)?|espera(?: aí)?,?(?: não,?)?|não,? não,?|quer dizer,?|quero dizer,?|digo,?|minto,?|ou melhor,?|melhor,?|aliás,?|desculpa,?|desculpe,?|corrigindo:?|na verdade,?|ops,?)"
    r"\s*(?:it's|its|it is|that's|é|eh|at|on|on the|the|for|às|as|dia|no dia|na|no|o|a|para|pra|to)?\s*(?:dia\s)?"
)
_SELF = tuple(
    re.compile(
        rf"(?P<old>{value})(?P<between>(?:\s+(?!no\b|wait\b|não\b|sorry\b)[\w%]+){{0,2}}?){_MARK}(?P<new>{value})",
        re.I if kind != "name" else 0,
    )
    for kind, value in _VALUES
)
# The mark may stand behind the new value: "twenty hours, twenty-four actually".
_BEHIND = tuple(
    re.compile(
        rf"(?P<old>{value})(?P<between>(?:\s+[\w%]+){{0,2}}?)\s*[,;—–-]+\s*(?P<new>{value})\s+(?:actually|i mean|sorry|rather|na verdade|aliás|alias|quer dizer|digo|desculpa)\b",
        re.I if kind != "name" else 0,
    )
    for kind, value in _VALUES
)
_MAYBE_SELF = re.compile(
    r"wait|sorry|i mean|make (?:that|it)|scratch|strike|correction|rather|actually|hang on|uh no|er,? no|no,? no|espera|pera|péra|quer dizer|quero dizer|digo|minto|melhor|aliás|desculp|corrigindo|na verdade|não,? não|ops",
    re.I,
)


def self_corrected(text: str) -> str:
    """A sentence as its speaker ended up meaning it: "at three, no wait, four on Thursday" → "at four on Thursday"."""
    if not _MAYBE_SELF.search(text):
        return text
    said = text
    for _ in range(3):
        for pattern in (*_SELF, *_BEHIND):
            match = pattern.search(text)
            if match and match["old"].strip().lower() != match["new"].strip().lower():
                lead = match["old"][: len(match["old"]) - len(match["old"].lstrip())]
                text = (
                    text[: match.start("old")]
                    + lead
                    + match["new"].strip()
                    + match["between"]
                    + text[match.end() :]
                )
                break
        else:
            break
    return _TWICE.sub(r"\1", text) if text != said else text


_TWICE = re.compile(r"\b(\w{3,}),?\s+\1\b", re.I)  # "moves to Wednesday, Wednesday at ten"


_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|ah|ops|opa|oops|hm+|err?)\W+)?(?:no,? wait|wait,? no|wait|no,? sorry|sorry,? no|sorry|i mean|i meant|make (?:that|it)|scratch that|strike that|correction|or rather|actually,? no|no,? no|hang on|hold on|"
    r"não,? (?:espera|pera|péra|peraí|perai)|pera(?:í|i)?|péra|espera(?: aí)?|não,? não|quer dizer|quero dizer|digo|minto|ou melhor|corrigindo|desculpa|errei)\b(?:[\s,.:;!–—-]+(?:no|não|nope))*[\s,.:;!–—-]*"
    r"(?:(?:it's|it is|that's|é|eh)\s+)?(?P<rest>.*)$",
    re.I | re.S,
)
_SLIP = re.compile(
    r"\b(?:wait|sorry|i mean|i meant|meant to|i said|typo|misread|misspoke|mistake|oops|no no|hang on|hold on|wrong|mixed up|espera|pera|perai|desculp\w*|enganei|engano|errei|erro meu|digo|minto|quer dizer|quero dizer|ops|perdao|confundi)\b"
)


def slipped(s: Sentence) -> bool:
    """It puts a slip of the tongue right; the value before was never so."""
    return bool(_SLIP.search(s.low))


_DOUBTED = re.compile(
    r"^\W*(?:or was it|or is it|was it|ou era|ou é|ou foi|era)\b[^?]{1,40}?[,;.?…–—-]+\s*(?:(?:no|yes|yeah|right|sim|não|isso)\W+)*(?:it is|it's|it was|is|é|era|foi)\s+(?P<rest>.+)$",
    re.I | re.S,
)


def doubt_settled(text: str) -> str:
    """The value that a doubt ends with: "or was it 4.99? it is 4.99"; "" if it is none."""
    match = _DOUBTED.match(text)
    rest = match["rest"].strip(" .,;:!?") if match else ""
    return rest if 0 < len(rest.split()) <= 6 else ""


def correction_of(text: str) -> str:
    """The new value of a sentence that does nothing but correct: "no wait, 16:00", "or was it Nayar, it is Nayar"; "" if none."""
    match = _DOUBTED.match(text) or _CORRECTS.match(text)
    rest = match["rest"].strip(" .,;:!?") if match else ""
    return rest if 0 < len(rest.split()) <= 6 else ""
