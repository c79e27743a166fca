"""Secrets as they are told by voice: a password with words of hesitation before it, the code of a door or an alarm digit by
digit, a list of one-time codes. English and Portuguese.

A value counts only behind what announces it in the same sentence, or, for codes of a list, in the lines around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.text.lazy import Lazy
from silo.text.secretshape import NAME_OF, NAMES, PLACEHOLDER, SAID, digits_in, mixed

Found = tuple[str, int, int]  # kind, start, end

# --- passwords with filler ------------------------------------------------------------------------------------

_NOUN = r"(?:pass(?:word|code|phrase)|senha|palavra[- ]passe|(?:wi-?fi|network) key)"
_CASE = (
    r"(?:(?:with )?(?:a )?(?:capital|upper[- ]?case|big)|(?:all )?(?:in )?lower[- ]?case|all (?:one word|caps|small|capitals)|one word|no spaces"
    r"|(?:com )?(?:letra )?mai\u00fasculas?|(?:tudo )?(?:em )?min\u00fasculas?|tudo (?:junto|pegado|em mai\u00fasculas)|sem espa\u00e7os)"
)
_FILL = (
    rf"(?:u+h*m*|e+r+m*|so|right|ok|okay|well|now|like|hang on|let me (?:see|think)|i think|wait|yes|yeah|it'?s|it is|is|that'?s|goes|spelled"
    rf"|deixa(?:-me)? ver|portanto|ent\u00e3o|hum+|pronto|tipo|olha|acho que|ora|sim|\u00e9|fica|assim|escreve-se|s\u00f3 que|{_CASE}"
    rf"|[a-z],? (?:as in|for|like|de) \w+|[a-z](?:,? (?:then|depois|and|e))?|then|depois)"
)
_TOLD = Lazy(
    rf"\b{_NOUN}\b(?P<gap>(?:[ \t]+[\w'\u00c0-\u024f-]+){{0,6}}?)(?P<fill>(?:[ \t]*[,:;\u2026.-]{{0,3}}[ \t]+{_FILL}(?![\w'])){{1,8}})[ \t]*[,:;\u2026.-]{{0,3}}[ \t]+[\"'`\u201c]?"
    r"(?P<secret>[^\s\"'`\u201d,;]{3,80})",
    re.I,
)
_SAID_CASE = Lazy(rf"{_CASE}(?:[ \t]+[a-z](?:,? (?:then|depois|and|e))?)?[ \t]*[,:]?[ \t]*\Z", re.I)
_LETTER = Lazy(r"(?:[A-Za-z\d](?:,? (?:then|depois|and|e))?[ \t,]+){1,6}\Z", re.I)
_IS = re.compile(r"\b(?:it'?s|it is|is|that'?s|goes|\u00e9|fica|escreve-se)\b", re.I)
_TAIL = Lazy(
    r"(?:[ \t,]+(?:exclamation (?:mark|point)|question mark|dash|hyphen|hash|underscore|at sign|dollar(?: sign)?|asterisk|star|plus|percent|dot"
    r"|ponto(?: de (?:exclama\u00e7\u00e3o|interroga\u00e7\u00e3o))?|h\u00edfen|tra\u00e7o|arroba|cifr\u00e3o|cardinal|asterisco|mais|\d+)(?!\w))+",
    re.I,
)


def _passwords(text: str) -> Iterator[Found]:
    for match in _TOLD().finditer(text):
        if _IS.search(match["fill"]) is None:
            continue
        start, value = match.start("secret"), match["secret"].rstrip(".!?)\u2026:")
        if len(value) < 3 or value.lower() in SAID or NAMES().fullmatch(value) or PLACEHOLDER().match(value) or NAME_OF().fullmatch(value):
            continue
        cased = _SAID_CASE().search(match["fill"])
        if not (mixed(value) and digits_in(value)) and cased is None:
            continue
        if cased and (letter := _LETTER().search(match["fill"])):
            start = match.start("fill") + letter.start()
        end = match.start("secret") + len(value)
        tail = _TAIL().match(text, end)
        yield "password", start, tail.end() if tail else end


# --- doors and alarms -----------------------------------------------------------------------------------------

_DOOR = (
    r"(?:alarm|door|gate|safe|lock ?box|padlock|entry|entrance|keypad|garage|shed|lobby|intercom|elevator|lift|building"
    r"|alarme|port\u00e3o|porta|cofre|cadeado|fechadura|garagem|entrada|teclado|pr\u00e9dio|portaria|elevador|arrecada\u00e7\u00e3o)"
)
_PRESS = (
    r"(?:enter|press|punch|type|dial|tap|key|use|put|hit|code|combination|pin|opens? with|keypad|number"
    r"|marc[ae]r?|digit[ae]r?|introdu[zc]a?\w*|insere|inserir|met[ae]r?|p\u00f5e|carreg[ae]r?|tecl[ae]r?|us[ae]r?|prim[ae]|pression[ae]r?|c\u00f3digo|combina\u00e7\u00e3o|segredo|abre(?:-se)? com|desativa(?:-se)? com|desliga(?:-se)? com|teclado|n\u00famero)"
)
_ONE_BY_ONE = Lazy(r"\d(?<![\w.,:/-]\d)(?<!\d \d)(?:(?:[ ]|-|, ?)\d){3,7}(?![\w%:/]|[.,]\d| \d| ?(?:x|of|de|to|a|at\u00e9|and|or|ou|percent)\b \d)")
_DISARM = Lazy(
    rf"\b(?:disarm\w*|desarm\w+|(?:turn|switch) off the alarm|(?:deslig|desativ|silenci)\w+ (?:o )?alarme|(?:open|unlock|abrir|destrancar|desbloquear|get (?:in|through)|entrar)\b[^.\n]{{0,30}}\b{_DOOR})\b"
    rf"[^.!?\n]{{0,60}}?\b{_PRESS}(?:[ \t:,]+(?:in|the|o|a|no|na|code|c\u00f3digo|number|n\u00famero|teclado|keypad|on)\b){{0,4}}[ \t:,]+[\"'`]?(?P<secret>[#*]?\d{{4,8}}[#*]?)(?![\w:/]|[.,]\d)",
    re.I,
)
_CUE = Lazy(rf"\b{_PRESS}\b", re.I)
_AT_DOOR = Lazy(rf"\b{_DOOR}\b", re.I)


def _doors(text: str, low: str) -> Iterator[Found]:
    for match in _DISARM().finditer(text):
        yield "code", match.start("secret"), match.end("secret")
    for match in _ONE_BY_ONE().finditer(text):
        before = re.split(r"[.!?\n](?:\s|$)", low[max(0, match.start() - 120) : match.start()])[-1]
        door = _AT_DOOR().search(before) or _AT_DOOR().match(low[match.end() : match.end() + 40])
        if door and _CUE().search(before[-60:]):
            yield "code", match.start(), match.end()


# --- lists of one-time codes ----------------------------------------------------------------------------------

_LIST = Lazy(
    r"\b(?:(?:back-?up|recovery|one[- ]time|single[- ]use|scratch|emergency|2fa|two-factor|rescue|spare|login)[ -](?:\w+ )?codes?"
    r"|c[o\u00f3]digos? (?:\w+ )?(?:de (?:backup|back-up|recupera[c\u00e7][a\u00e3]o|uso [u\u00fa]nico|emerg[e\u00ea]ncia|reserva|seguran[c\u00e7]a|resgate|uma s[o\u00f3] vez)|descart[a\u00e1]ve(?:l|is)|de acesso [u\u00fa]nico))\b",
    re.I,
)
_ITEM = r"(?:\d{4}[ -]\d{4}|\d{6,10}|(?=[a-z\d-]*\d)[a-z\d]{4,6}(?:-[a-z\d]{4,6}){1,3}|(?=[a-z]*\d)[a-z\d]{8,12})"
_CODE = Lazy(rf"(?<![\w.,/-])(?<!\d )(?P<secret>{_ITEM})(?![\w/-]|[.,]\d| \d{{4}}(?!\d| \d))", re.I)
_LINE = Lazy(rf"[ \t>]*(?:[-*\u2022|]|\[[ x]\]|\d{{1,2}}[.):]|#\d{{1,2}})?[ \t|]*(?:\d{{1,2}}[ \t]*\|)?[ \t]*[`\"]?{_ITEM}[`\"]?(?:[ \t,;|]+(?:\d{{1,2}}[.)] )?[`\"]?{_ITEM}[`\"]?)*[ \t|]*(?:\([^)\n]{{1,20}}\)|\u2713|x|used|usado)?[ \t]*", re.I)
_REACH = 30  # lines of a list


def _lists(text: str) -> Iterator[Found]:
    done = 0  # a line is looked through once, whatever stands in it
    for match in _LIST().finditer(text):
        if match.start() < done:
            continue
        first = text.rfind("\n", 0, match.start()) + 1
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        said = [*_CODE().finditer(text, match.end(), stop), *_CODE().finditer(text, first, match.start())]
        if len(said) >= 2:
            yield from (("code", one.start("secret"), one.end("secret")) for one in said)
        done = stop
        yield from _below(text, stop)
        yield from _above(text, first)


def _below(text: str, at: int) -> Iterator[Found]:
    """The lines of codes that follow; one empty line or one of other words may stand before the first."""
    passed = 0
    for _ in range(_REACH):
        if at >= len(text):
            return
        stop = text.find("\n", at + 1)
        stop = len(text) if stop < 0 else stop
        if _LINE().fullmatch(text, at + 1, stop):
            yield from (("code", one.start("secret"), one.end("secret")) for one in _CODE().finditer(text, at + 1, stop))
            passed = 2
        elif text[at + 1 : stop].strip() and passed:
            return
        else:
            passed += text[at + 1 : stop].strip() != ""
        at = stop


def _above(text: str, first: int) -> Iterator[Found]:
    for _ in range(_REACH):
        if first <= 0:
            return
        start = text.rfind("\n", 0, first - 1) + 1
        if _LINE().fullmatch(text, start, first - 1):
            yield from (("code", one.start("secret"), one.end("secret")) for one in _CODE().finditer(text, start, first - 1))
        elif text[start : first - 1].strip():
            return
        first = start


def find_spoken(text: str, low: str) -> Iterator[Found]:
    """(kind, start, end) of what is told so; `low` is the text in lower case."""
    if any(word in low for word in ("password", "passcode", "passphrase", "senha", "passe", "fi key", "work key")):
        yield from _passwords(text)
    if any(c.isdigit() for c in low):
        if any(word in low for word in ("arm", "door", "gate", "safe", "lock", "entr", "keypad", "garag", "shed", "lobby", "intercom", "lift", "elev", "building", "port", "cofre", "cadeado", "fechadura", "teclado", "pr\u00e9dio", "arrecada")):
            yield from _doors(text, low)
        if "code" in low or "digo" in low:
            yield from _lists(text)
