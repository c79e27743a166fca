"""One statement said in the plainest of its ways: who lives where, what something is, who does it, on what it runs.

"Peer's flat is on the fourth floor" and "Peer lives on the second floor" have one property between them that no word of theirs
shares. Each pattern turns one way of saying it into another; what it makes is only compared, never written. A text that has none
of the ways stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from silo.core.reconcile.exchanged import MATERIALS
from silo.text.fold import fold

Turn = str | Callable[[re.Match[str]], str]

_AT = r"(?:in|on|at|by|near|next to|above|below|beside|behind|opposite|over|under|across|close to)\b.+"
_EM = r"(?:em|n[oa]s?|num|numa|ao lado|à beira|junto|perto|por cima|por baixo|acima|abaixo|atrás|em frente|ao pé)\b.+"
_FUELS = {
    "en": r"(?:diesel|petrol|gasoline|gas|lpg|hydrogen|electric(?:ity)?|hybrid)",
    "pt": r"(?:gasóleo|gasolina|diesel|etanol|álcool|gpl|hidrogénio|hidrogênio|el[ée]tric[oa]|eletricidade|híbrid[oa])",
}
_ANY_FUEL = re.compile(rf"\b(?:{_FUELS['en']}|{_FUELS['pt']})\b", re.IGNORECASE)
_DOSE = re.compile(
    r"\b(?:takes?|taking|gives?|given|gets?|swallows?|has|pills?|tablets?|drops|dose|toma|tomo|tomam|tomar|dá|dou|damos|dar|dão|comprimidos?|gotas|xarope)\b",
    re.IGNORECASE,
)
# The time of day of what is done at a meal or on going to bed.
_PARTS = (
    (re.compile(r"\b(?:in the morning|at breakfast|(?:before|with|after) breakfast|on an empty stomach|(?:on|when) (?:waking|getting)(?: up)?|first thing)\b", re.IGNORECASE), "in the morning"),
    (re.compile(r"\b(?:at lunch(?:time)?|at (?:noon|midday)|(?:before|with|after) lunch)\b", re.IGNORECASE), "at noon"),
    (re.compile(r"\b(?:in the evening|at (?:bedtime|night|dinner|supper)|(?:before|with|after) (?:dinner|supper)|before (?:bed|sleep|going to bed))\b", re.IGNORECASE), "in the evening"),
    (re.compile(r"\b(?:de|pela) manhã\b|\b(?:ao|com o|antes do|depois do) pequeno-almoço\b|\bno café da manhã\b|\bem jejum\b|\bao (?:acordar|levantar)\b", re.IGNORECASE), "de manhã"),
    (re.compile(r"\b(?:ao|com o|antes do|depois do) almoço\b|\bao meio-dia\b", re.IGNORECASE), "ao meio-dia"),
    (re.compile(r"(?<!\w)à noite\b|\b(?:ao|com o|antes do|depois do) jantar\b|\b(?:ao|antes de(?: se)?) (?:deitar|dormir)\b|\bna hora de dormir\b", re.IGNORECASE), "à noite"),
)  # fmt: skip
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|segundas?|terças?|quartas?|quintas?|sextas?|sábados?|domingos?)"
)


def _fuel(match: re.Match[str]) -> str:
    fuel = match["v"].lower()
    said = "electricity" if fuel.startswith("electric") else fuel
    return f"{match['x']} runs on {said}."


def _combustivel(match: re.Match[str]) -> str:
    fuel, subject = match["v"].lower(), match["x"]
    if "combustível" in subject.lower():
        return match[0]  # it says so already
    said = "eletricidade" if re.match(r"el[ée]tric", fuel) else fuel
    of = {"o": "do", "a": "da", "os": "dos", "as": "das"}
    first, _, rest = subject.partition(" ")
    owner = f"{of[first.lower()]} {rest}" if first.lower() in of and rest else f"de {subject}"
    return f"O combustível {owner} é {said}."


def _lives(match: re.Match[str]) -> str:
    """The owner as who lives there: "our landlady's house", "the Hansens' house"."""
    many = match[0][match.end("x")] in "'’" and match["x"].endswith("s") and not match[0].startswith("s", match.end("x") + 1)
    return f"{match['x']} live{'' if many else 's'} {match['p']}"


def _moved(match: re.Match[str]) -> str:
    """What opens a sentence, at its end."""
    said, opening = match["r"], match["p"]
    return f"{said[:1].upper()}{said[1:]} {opening[:1].lower()}{opening[1:]}."


def _made(match: re.Match[str]) -> str:
    return f"{match['b']} de {match['v']}" if fold(match["v"]) in MATERIALS else match[0]


def _mora(match: re.Match[str]) -> str:
    article = {"o": "O ", "a": "A ", "os": "Os ", "as": "As "}.get(match["g"].lower(), "")
    return f"{article}{match['x']} mora {match['p']}"


def _same(match: re.Match[str]) -> str:
    article = {"o": "O ", "a": "A ", "os": "Os ", "as": "As "}.get(match["g"].lower(), "")
    return f"{article}{match['x']} é {match['v']}"


def _turns(*pairs: tuple[str, Turn]) -> tuple[tuple[re.Pattern[str], Turn], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), turn) for pattern, turn in pairs)


_X = r"(?P<x>[^,.;:?!]+?)"
_TURNS = {
    "en": _turns(
        (r"^it(?:'s| is) (?P<x>[^,.;]+?) (?:who|that) (?P<v>.+)$", r"\g<x> \g<v>"),
        (r"^(?:the one|the person) (?:who|that) (?P<v>.+?) is (?P<x>[\w' -]+?)\.?$", r"\g<x> \g<v>."),
        (r"\bresides (?=in\b|on\b|at\b)", "lives "),
        (r"\bis the (?:one|house|flat|building|place) (?=in\b|on\b|at\b|by\b|near|next|above|below|beside|behind|opposite)", "is "),
        (rf"^(?P<p>(?:in|on|every|each|during) {_MONTHS}(?:s|days?)?),? (?P<r>(?!and\b)[^,;]+?)\.?$", _moved),
        (r"^(?P<p>(?:in|on|at) [^,.;]+), (?P<r>[^,;]+?)\.?$", _moved),
        (rf"^{_X}(?:['’]s|(?<=s)['’]) (?:house|flat|apartment|home) (?:is|stands|lies)(?: located| situated)? (?P<p>{_AT})$", _lives),
        (rf"^{_X}(?:['’]s|(?<=s)['’]) (?:breed|job|profession|occupation|trade|make|brand|engine|colou?r|material) is (?P<v>an? .+|.+)$", r"\g<x> is \g<v>"),
        (rf"^the (?:breed|job|profession|occupation|trade|make|brand|engine|colou?r|material) of {_X} is (?P<v>.+)$", r"\g<x> is \g<v>"),
        (r"\b(?P<b>am|is|are) (?:intolerant (?:to|of)|not able to tolerate)\b", lambda m: f"{'does' if m['b'].lower() == 'is' else 'do'}n't tolerate"),
        (r"\b(?P<b>have|has) an? (?P<v>\w+) intolerance\b", lambda m: f"do{'es' if m['b'].lower() == 'has' else ''}n't tolerate {m['v']}"),
        (rf"\b(?:is|are) (?:closed|shut) (?P<d>(?:in|on|during) {_MONTHS})", r"closes \g<d>"),
        (rf"^{_X} (?:has|have|uses|got) an? (?P<v>{_FUELS['en']})[ -](?:engine|motor|powered engine)\.?$", _fuel),
        (rf"^{_X} (?:is|are) (?:an? |all |fully )?(?P<v>{_FUELS['en']})(?:[ -](?:powered|driven|car|one|model))?\.?$", _fuel),
        (rf"^{_X} (?:runs on|takes|burns|drinks|needs|uses|goes on|is powered by) (?P<v>{_FUELS['en']})\.?$", _fuel),
    ),
    "pt": _turns(
        (r"^quem (?P<v>[^,;]+?) é (?P<x>[^,.;]+?)(?P<r>,.+|\.)?$", lambda m: f"{m['x']} {m['v']}{m['r'] or ''}"),
        (r"\b(?P<b>é|são) (?:feit[oa]s? (?:de|em)|em) (?P<v>[\w-]+)", _made),
        (r"\b(?:vive|reside) (?=em\b|n[oa]s?\b)", "mora "),
        (r"\bdeix(?P<v>ou|aram|ei|ámos|amos) de (?:ser|estar|ficar)\b", lambda m: f"já não {'é' if m['v'] == 'ou' else 'são'}"),
        (r"\bé [oa] (?:que|casa que) (?=fica\b|está\b)", ""),
        (rf"^(?P<p>(?:em|às?|aos?|n[oa]s?|todas as|todos os) {_MONTHS}(?:-feiras?)?),? (?P<r>(?!e\b)[^,;]+?)\.?$", _moved),
        (r"^(?P<p>(?:em|n[oa]s?) [^,.;]+), (?P<r>[^,;]+?)\.?$", _moved),
        (rf"^a (?:casa|morada) d(?P<g>[oae]s?) {_X} (?:é|fica|está)(?: situada)? (?P<p>{_EM})$", _mora),
        (rf"^o (?:apartamento|andar|flat) d(?P<g>[oae]s?) {_X} (?:é|fica|está)(?: situado)? (?P<p>{_EM})$", _mora),
        (rf"^(?:a|o) (?:raça|profissão|ofício|trabalho|marca|cor|material|motor) d(?P<g>[oae]s?) {_X} é (?P<v>.+)$", _same),
        (r"\b(?:é|são) intolerantes? (?=à|ao|a )", "não tolera "),
        (r"\btem intolerância (?=à|ao|a )", "não tolera "),
        (r"\b(não tolera(?:m)?) (?:à|ao) ", r"\1 o "),
        (rf"\b(?:está|estão|fica|é) (?:encerrad|fechad)[oa]s? (?P<d>(?:em|às?|aos?|n[oa]) {_MONTHS})", r"fecha \g<d>"),
        (rf"\bencerra (?P<d>(?:em|às?|aos?|n[oa]) {_MONTHS})", r"fecha \g<d>"),
        (rf"^{_X} (?:tem|leva) (?:um )?motor (?:a |de )?(?P<v>{_FUELS['pt']})\.?$", _combustivel),
        (rf"^{_X} (?:é|anda|trabalha|funciona|circula)(?: movid[oa])? (?:a |com )?(?P<v>{_FUELS['pt']})\.?$", _combustivel),
        (rf"^{_X} (?:leva|gasta|bebe|usa|consome) (?P<v>{_FUELS['pt']})\.?$", _combustivel),
    ),
}  # fmt: skip


def recast(text: str, language: str, *, timed: bool = False, moved: bool = False) -> str:
    """The text in the plainest way that is known for what it says, itself where none is. `timed`: the time of a dose as a part
    of the day as well; `moved`: what opens the sentence at its end, where no circumstance is told apart any more."""
    said = text.strip()
    for pattern, turn in _TURNS.get(language, ()):
        if moved or turn is not _moved:
            said = pattern.sub(turn, said, count=1)
    return _timed(said) if timed else said


class Fuel(NamedTuple):
    """On what something runs: as a key of both languages and as said; `neutral` says something else of the same thing."""

    fuel: str
    said: str
    neutral: str


_ONE_FUEL = {"gasóleo": "diesel", "gasoline": "petrol", "gasolina": "petrol", "etanol": "ethanol", "álcool": "ethanol", "gpl": "lpg", "gas": "petrol"}


def fuel_of(text: str, language: str) -> Fuel | None:
    """On what something is said to run, None where a text does not say it."""
    for pattern, turn in _TURNS.get(language, ()) if turns_fuel(text) else ():
        found = pattern.match(text.strip()) if turn in (_fuel, _combustivel) else None
        if found is not None:
            said = found["v"]
            low = said.lower()
            kind = next((key for start, key in (("el", "electric"), ("h", low[:3])) if low.startswith(start)), _ONE_FUEL.get(low, low))
            return Fuel(kind, said, f"{found['x']} {'is red' if language == 'en' else 'é vermelho'}.")
    return None


def turns_fuel(text: str) -> bool:
    """Whether a text names a fuel at all."""
    return _ANY_FUEL.search(text) is not None


_MINE = re.compile(r"^(?P<o>.+?) (?:é|são|fica|ficam|is|are) (?:comigo|a minha parte|tarefa minha|mine|my job|my task|on me|up to me)\.?$", re.IGNORECASE)
_ME = re.compile(r"^(?:eu|i) (?P<o>.+?)\.?$", re.IGNORECASE)


def own_part(part: str) -> tuple[str, bool] | None:
    """What somebody says is theirs to do, and whether no verb says what is done with it: "the laundry is mine", "I do the laundry"."""
    found = _MINE.match(part.strip())
    if found is None:
        acts = _ME.match(part.strip())
        return (acts["o"], False) if acts else None
    return found["o"], True


def is_dose(text: str) -> bool:
    """Whether a text may tell of a medicine or the like that is taken or given."""
    return _DOSE.search(text) is not None


def _timed(text: str) -> str:
    """The text of a dose with its time as a part of the day; one of several times a day stays as it is."""
    spans = [(m.start(), m.end(), part) for pattern, part in _PARTS for m in pattern.finditer(text)]
    if len({part for _, _, part in spans}) != 1:
        return text
    first, *rest = sorted(spans)
    for start, end, _ in reversed(rest):
        text = text[:start].rstrip() + text[end:]
    return text[: first[0]] + first[2] + text[first[1] :]
