"""Secrets that show only by what is said of them: "the password is …", "a senha do wifi é …", "hunter22 is the PIN".

English and Portuguese. The value must look like one (digits among letters, odd case, quotes, or simply the last word of
a plain statement); words that are said of passwords and keys ("is required", "está errada") are no value. Where only a
long random string stands near such a word, its entropy decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.text.lazy import Lazy
from silo.text.placed import find_fields, find_placed
from silo.text.secretshape import (
    NAME_OF,
    NAMES,
    PLACEHOLDER,
    SAID,
    SAID_ENDINGS,
    about_length,
    bare,
    digits_in,
    entropy,
    is_id,
    keylike,
    mixed,
    path_like,
    random,
    reads_code,
    words,
)
from silo.text.seeds import HINTS, find_seeds
from silo.text.spoken import find_spoken

# What may stand for a secret, by the kind that it is said to be.
_PHRASE = r"pass[- ]?phrases?|frases?[- ](?:senha|passe)|frases? secretas?"
_PASSWORD = rf"{_PHRASE}|pass(?:word|code|wd)s?|pwd|pswd|psw|senhas?|palavras?[- ]passe|contrase[n\u00f1]as?|mots? de passe|(?:wi-?fi|network|wlan|wpa2?) keys?|chave d[aoe] (?:wi-?fi|rede)"
_PLACE = (
    r"(?:alarm|door|gate|safe|entry|entrance|lock(?:box|er)?|padlock|security|backup|recovery|garage|2fa|verification|one[- ]time|scratch|access|unlock|key ?(?:box|pad|safe)"
    r"|building|bike lock|luggage|suitcase|elevator|lift|shed|storage|voicemail|vault|cabinet|panic|disarm|master|phone|card|bank|intercom|lobby|front door|back door|otp)"
)
_LUGAR = (
    r"(?:alarme|port[a\u00e3]o|porta|cofre|cadeado|entrada|pr[e\u00e9]dio|garagem|seguran[c\u00e7]a|backup|recupera[c\u00e7][a\u00e3]o|acesso|verifica[c\u00e7][a\u00e3]o|cart[a\u00e3]o|telem[o\u00f3]vel"
    r"|telefone|celular|multibanco|mala|cacifo|arm[a\u00e1]rio|bicicleta|elevador|arrecada[c\u00e7][a\u00e3]o|voicemail|caixa|portaria|condom[i\u00ed]nio|quarto|chaveiro|desbloqueio|port[a\u00e3]o da garagem|casa|interfone|intercomunicador)"
)
_CODE = (
    rf"{_PLACE}[- ](?:codes?|combinations?|combo|keys?)|(?:codes?|combinations?|combo) (?:to|for|of|on|at) (?:\w+ ){{0,3}}?{_PLACE}"
    rf"|(?:c[o\u00f3]digos?|combina[c\u00e7][a\u00e3]o|segredo) (?:d[aoe]s?|para|pr[ao]|n[ao]) (?:\w+ ){{0,2}}?{_LUGAR}|cvv2?|cvc2?"
)
_PIN = r"pu[kc](?:s|[- ]?codes?)?|pin(?:s|[- ]?(?:code|number))?|c[o\u00f3]digo pin"
_KEY = (
    r"(?:api|access|secret|private|auth|account|license|licence|encryption|master|signing|service|product|activation|recovery|setup|admin|subscription)[-_ ]?(?:key|token|secret)s?"
    r"|(?:client|app|shared|webhook)[-_ ]secrets?|(?:bearer|refresh|bot|session|deploy|gateway|personal access|access|user)[-_ ]tokens?|tokens?|secrets?|credentials?"
    r"|chaves? (?:d[ae] api|d[oe] acesso|d[ae] acesso|d[oe] produto|d[ae] licen[c\u00e7]a|d[ae] ativa[c\u00e7][a\u00e3]o|secretas?|privadas?|mestras?|pix aleat[o\u00f3]ria)|segredos?|credencia(?:l|is)"
)
_SEED = r"(?:seed|recovery|mnemonic|backup|wallet|secret)[- ](?:phrase|words|seed)|seed|mnemonic|frases? (?:semente|de recupera[c\u00e7][a\u00e3]o)|(?:12|15|18|21|24|doze|twelve|vinte e quatro|twenty-four)[- ](?:words?|palavras)|palavras (?:de recupera[c\u00e7][a\u00e3]o|d[ao] (?:carteira|ledger|trezor|metamask))"
_SHORT = r"pass|pw|passe"
_PLAIN_KEY = r"keys?|chaves?|codes?|c[o\u00f3]digos?"

_NOUN = rf"(?P<seed>{_SEED})|(?P<password>{_PASSWORD})|(?P<code>{_CODE})|(?P<pin>{_PIN})|(?P<key>{_KEY})|(?P<short>{_SHORT})|(?P<plain>{_PLAIN_KEY})"
_KINDS = ("seed", "password", "code", "pin", "key", "short", "plain")
_SYMBOL = r"(?:[:=]|:=|->|=>|\u2192|'s)"
_WORDS = (
    r"(?:is(?: now| still| currently)?|was|are|will be|becomes|(?:changed|set|reset|switched|updated|moved)(?: it)? to|to be|reads?|goes"
    r"|\u00e9|era|foi|ser\u00e1|fica|ficou|virou|s\u00e3o|agora \u00e9|passa a ser|passou a ser|continua sendo"
    r"|(?:mud(?:ou|ei|ada|ado|amos)|troc(?:ou|ada|ado|uei|amos)|alterada|redefinida) (?:para|pra|por)"
    r"|(?:to|para|pra|por)(?=[ \t]+(?:[\"'`\u201c]|\S*\d)))"
)
_FROM = r"(?:\*\*|__)?[ \t]*(?:\n[ \t]*(?:[-*\u2022>][ \t]*|\d{1,2}[.)][ \t]+)?)?(?P<open>[\"'`*\u201c\u00ab(]*)"
# "password for the wifi at home is …": up to seven words may stand between, none of them ending the sentence.
_STATED = Lazy(
    rf"(?<![\w-])(?:{_NOUN})(?![\w-])(?P<gap>(?:[ \t]+[^\s.:;=!?,\"'`]+(?:'s)?){{0,7}}?)(?:[ \t]*,)?(?:\*\*|__|`)?"
    rf"(?:[ \t]*(?P<symbol>{_SYMBOL})|[ \t]+(?P<word>{_WORDS})(?:[ \t]*:|(?![\w-]))){_FROM}"
    r"(?P<secret>[^\s\"`\u201d\u00bb]{1,200})",
    re.I,
)
_QUOTED = Lazy(r"[^\"`\u201d\u00bb\n]{3,120}(?=[\"`\u201d\u00bb'])")
# "senha pandeiro2026": nothing between, so the value must show by itself.
_BARE = Lazy(
    rf"(?<![\w-])(?:(?P<password>{_PASSWORD}|pass)|(?P<pin>PINs?))[ \t]+(?P<open>[\"'`\u201c]?)(?P<secret>[^\s\"'`\u201d]{{4,100}})",
    re.I,
)
# "hunter22 is the password": the value first.
_BEFORE = Lazy(
    r"(?P<secret>[^\s\"'`\u201c]{4,200})[\"'`\u201d]?[ \t]+(?:is|was|\u00e9|era|as|como|for|para|still|ainda \u00e9|ainda)[ \t]+"
    r"(?:(?:the|my|our|your|his|her|its|a|o|as|os|minha|meu|nossa|nosso|tua|teu|sua|seu|an?)[ \t]+)?(?:(?:new|old|wifi|wi-fi|master|root|admin|main|nova|novo|atual)[ \t]+){0,2}\Z",
    re.I,
)
_AFTER = Lazy(r"\s*(?:\Z|[.,;:!?)\n]|(?:for|of|to|on|at|in|and|d[aoe]s?|para|pr[ao]|n[ao]s?|e|now|agora)\b)", re.I)
_LOGIN = Lazy(
    r"(?<![\w-])(?:credentials?|logins?|sign[- ]?in|acessos?|credenciais|user(?:name)?[ \t]*(?:/|and|e)[ \t]*(?:pass\w*|senha))(?![\w-])"
    r"(?:[ \t]+[^\s.:;=!?,\"'`]+){0,5}?(?:[ \t]*(?P<symbol>[:=])|[ \t]+(?:is|are|\u00e9|s\u00e3o|with|com))[ \t]*[\"'`]?(?P<user>[^\s/:,\"'`]{2,60})[\"'`]?"
    r"(?P<sep>[ \t]*[/:|][ \t]*|,?[ \t]+(?:and|e|with|com)[ \t]+)[\"'`]?(?P<secret>[^\s\"'`]{4,100})",
    re.I,
)
_DIGIT = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|um|uma|dois|duas|tr[e\u00ea]s|quatro|cinco|seis|meia|sete|oito|nove)"
_SPACED = Lazy(r"[#*]?\d(?:[ .-]?\d){2,15}[#*]?(?![\w%\u20ac$/:])")
_SPOKEN = Lazy(rf"{_DIGIT}(?:[ ,-]+{_DIGIT}){{2,11}}(?!\w)", re.I)
_NEXT = Lazy(
    r"(?:[ \t]*(?:,|;|/|\band\b|\bor\b|\be\b|\bou\b)[ \t]*|[ \t]*\n[ \t]*(?:[-*\u2022>][ \t]*|\d{1,2}[.)][ \t]+)?|[ \t]{2,}|[ \t]+(?:and|or|e|ou)[ \t]+|[ \t]+)"
    r"(?P<secret>[A-Za-z0-9]{3,12}(?:[ -](?=[A-Za-z]*\d)[A-Za-z0-9]{3,12}){0,4})(?![\w/:])"
)
_SEED_WORDS = Lazy(r"(?:\d{1,2}[.):]?[ \t]*)?[a-z]{3,8}(?:[ \t]*[,\n]?[ \t]*(?:\d{1,2}[.):]?[ \t]*)?[a-z]{3,8}(?![\w'])){10,23}", re.I)
_PHRASE_WORDS = Lazy(r"[A-Za-z\u00c0-\u00ff0-9'-]+(?:[ \t]+[A-Za-z\u00c0-\u00ff0-9'-]+){2,8}(?=[ \t]*(?:[.,;!?)\n]|\Z))")
_RANDOM = Lazy(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,200}={0,2}(?![A-Za-z0-9+/_=-])")
_NEAR = Lazy(
    r"secret|token|passw|senha|api.?key|access.?key|private.?key|credential|bearer|auth\b|chave|signing|\bkeys?\b|wallet|segredo", re.I
)
_MARK = re.compile(r"\[REDACTED:[a-z0-9-]*\]")
_HEX = re.compile(r"[0-9a-f]{32,}")
_NAMED_AFTER = Lazy(r"[`\"']?[ \t]*\((?:the |o |a )?(?:\w+ ){0,2}?(?:token|secret|key|segredo|chave)\b", re.I)
_NOT_NEAR = Lazy(r"public|p\u00fablic|finger|commit|sha\d|hash|checksum|integrity|etag|digest|estrangeira|foreign|primary|prim\u00e1ria", re.I)
_OPEN_BEFORE = Lazy(r"\b(?:primary|foreign|partition|sort|cache|public|object|answer|registry|shortcut|hot|error|exit|status|zip|postal|area|country|dress|qr|bar|source|booking|tracking|discount|promo|coupon|reference|product)[ \t]+\Z", re.I)
_OPEN_AFTER = Lazy(r"\b(?:ids?|fingerprints?|hash|names?|number|version|prefix|length|prim[a\u00e1]ria|estrangeira|p[u\u00fa]blic[ao]|produto|erro|postal|artigo|encomenda|reserva|desconto|projeto|model|policy|limit|size|type|count)\b", re.I)
_TICKET = Lazy(r"[A-Z]{1,2}-?\d{1,4}")

LITERALS = ("pass", "pwd", "pswd", "psw", "pw", "senha", "palavra", "contrase", "pin", "code", "codigo", "c\u00f3digo", "key", "token", "secret", "segredo", "chave", "credenc", "credent", "seed", "frase", "phrase", "mnemonic", "words", "cvv", "cvc", "csc", "combina", "combo", "wifi", "wi-fi", "psk", "puk", "bearer", "auth", "login", "acesso", "session", "sess", "sid", "cookie", "sig", "otp", "passe")  # fmt: skip
# Without a noun of these a text may still hold a command or a card.
PLACES = (" -u", "--user", "mysql", "mariadb", "sshpass", "machine ", ":5432:", "$2", "$5$", "$6$", "$y$", "$apr1", "$argon", "://", "card", "cart\u00e3o", "cartao", "visa", "mastercard", "amex", "tarjeta", "cookie", " -b ", "authenticator", "2fa", "licen", "activation", "ativa\u00e7", "redis-cli", "ldap", "docker", "mongo", "zip -p", "7z", "hmac", "curan", "recupera", "recovery", "curl", " -p", " -a", "alarm", "disarm", "desarm", "door", "gate", "porta", "port\u00e3o", "cofre", "keypad", "oath", "totp", "gauth", "mfa", *HINTS)  # fmt: skip


def find_stated(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of every secret that is stated. Overlaps are left to the caller."""
    low = text.lower()
    if len(low) != len(text):  # a letter that grows in lower case: places would not fit
        low = text
    yield from find_placed(text, low)
    yield from find_seeds(text, low)
    yield from find_spoken(text, low)
    starts, names = _starts(low)
    for at in starts:
        if match := _STATED().match(text, at):
            yield from _stated(match, text)
        if match := _BARE().match(text, at):
            yield from _bare_statement(match, text)
        if match := _LOGIN().match(text, at):
            yield from _login(match)
        yield from _inverse(text, at)
    yield from find_fields(text, names)
    for match in _RANDOM().finditer(text):
        value = match[0]
        if random(value) and entropy(value) >= (3.0 if _HEX.fullmatch(value) else 3.5) and not is_id(value) and not path_like(value):
            before = _said_before(text, match.start())
            if (_NEAR().search(before) or _NAMED_AFTER().match(text, match.end())) and not _NOT_NEAR().search(before):
                yield "secret", match.start(), match.end()


def _said_before(text: str, at: int) -> str:
    """What stands before a place on its line; on the line above it too, where that one announces something."""
    before = _MARK.sub("", text[max(0, at - 160) : at])
    line = before.rsplit("\n", 1)[-1]
    if line.strip(" \t>*-\u2022`|") or "\n" not in before:
        return line[-60:]
    above = before.rstrip("\n >\t*-`").rsplit("\n", 1)[-1].rstrip()
    return above if above.endswith(":") else ""


def _starts(low: str) -> tuple[list[int], list[int]]:
    """Where a noun of a secret may begin (its word, and up to two words before it), and where a name that holds one may.

    Matching there alone is ten times cheaper than searching the patterns through the text.
    """
    found: set[int] = set()
    names: set[int] = set()
    for literal in LITERALS:
        at = low.find(literal)
        while at >= 0:
            start = _back(low, at, "_-")
            names.add(_back(low, at, "_-."))
            found.add(start)
            for _ in range(2):
                if start < 2 or low[start - 1] not in " \t":
                    break
                start = _back(low, start - 1, "_-")
                found.add(start)
            at = low.find(literal, at + len(literal))
    return sorted(found), sorted(names)


def _back(low: str, at: int, also: str) -> int:
    """The start of the word at a place; no name of anything is over 80 characters long."""
    least = max(0, at - 80)
    while at > least and (low[at - 1].isalnum() or low[at - 1] in also):
        at -= 1
    return at


def _bare_statement(match: re.Match[str], text: str) -> Iterator[tuple[str, int, int]]:
    value = bare(match["secret"])
    digits = value.isdigit() and 4 <= len(value) <= 8
    if match["pin"]:
        if digits and match["pin"].startswith("PIN"):
            yield _span("pin", match, value)
    elif (
        (digits or (mixed(value) and any(c.isdigit() for c in value)))
        and not NAMES().fullmatch(value)
        and not PLACEHOLDER().match(value)
        and not (_TICKET().fullmatch(value) and match["password"].lower().startswith("senha"))  # a number in a queue
    ):
        yield _span("password", match, value)


def _login(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    value = bare(match["secret"])
    slashed = match["sep"].strip() in ("/", ":", "|")
    if PLACEHOLDER().match(value) or NAMES().fullmatch(value) or value.lower() in SAID:
        return
    if (mixed(value) and digits_in(value)) or (slashed and match["symbol"] and len(value) >= 5 and value.lower() not in ("password", "senha")):
        yield _span("password", match, value)


_HEAD = Lazy(rf"(?<![\w-])(?:{_NOUN})(?![\w-])", re.I)


def _inverse(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The value that stands before a noun: "hunter22 is the password", "use 4821 as the PIN"."""
    before = text[max(0, at - 120) : at]
    if not before.endswith((" ", "\t")) or not any(c.isdigit() for c in before):
        return
    match = _BEFORE().search(before)
    noun = _HEAD().match(text, at) if match else None
    if match is None or noun is None or not _AFTER().match(text, noun.end()):
        return
    kind = next(name for name in _KINDS if noun[name])
    value = bare(match["secret"]).lstrip("(")
    start = at - len(before) + match.start("secret")
    good = {
        "pin": value.isdigit() and 4 <= len(value) <= 8,
        "code": value.strip("#*").isdigit() and 4 <= len(value) <= 10,
        "password": len(value) >= 6 and mixed(value) and digits_in(value),
        "short": len(value) >= 6 and mixed(value) and digits_in(value),
        "key": keylike(value, ids=True),
        "plain": keylike(value) and not _OPEN_BEFORE().search(before),
    }.get(kind, False)
    if good and not NAMES().fullmatch(value) and not PLACEHOLDER().match(value):
        yield _NAMED.get(kind, kind), start, start + len(value)


_NAMED = {"key": "api-key", "plain": "api-key", "short": "password", "seed": "seed-phrase"}


def _span(kind: str, match: re.Match[str], value: str) -> tuple[str, int, int]:
    return kind, match.start("secret"), match.start("secret") + len(value)


def _stated(match: re.Match[str], text: str) -> Iterator[tuple[str, int, int]]:
    kind = next(name for name in _KINDS if match[name])
    start, opened = match.start("secret"), bool(match["open"].strip("(*"))
    symbol = match["symbol"] is not None and match["symbol"] != "'s"
    value = bare(match["secret"])
    if PLACEHOLDER().match(value) or about_length(text, start) or (symbol and reads_code(match["secret"].rstrip(";,"))):
        return
    if kind == "seed":
        yield from _seed(text, start)
        return
    if kind in ("key", "plain", "short") and match["word"] and match["word"].lower() in ("to", "para", "pra", "por"):
        return
    if kind == "plain" and (_OPEN_BEFORE().search(text[max(0, match.start() - 30) : match.start()]) or _OPEN_AFTER().search(match["gap"])):
        return
    if kind == "password" and (whole := _whole(match, text, start, opened)):
        yield "password", start, start + len(whole)
        return
    run = (_SPACED().match(text, start) or _SPOKEN().match(text, start)) if kind in ("code", "pin") else None
    if run is not None and (run.re is _SPOKEN() or sum(c.isdigit() for c in run[0]) >= 3):
        yield kind, start, run.end()
        yield from _more(kind, match, text, run.end())
        return
    if _is_value(kind, value, opened, symbol, text[start + len(value) : start + len(value) + 2], _OPEN_AFTER().search(match["gap"]) is None):
        yield _NAMED.get(kind, kind), start, start + len(value)
        yield from _more(kind, match, text, start + len(value))


def _seed(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Twelve words or more, with not more words of grammar among them than a list of nouns has."""
    run = _SEED_WORDS().match(text, start)
    if run and sum(word in SAID for word in re.findall(r"[a-z]+", run[0].lower())) <= 2:
        yield "seed-phrase", start, run.end()


def _whole(match: re.Match[str], text: str, start: int, opened: bool) -> str:
    """A password of several words: between quotes, or where the noun says that it is a phrase."""
    if opened:
        whole = _QUOTED().match(text, start)
        return whole[0] if whole and len(whole[0].split()) <= 8 and not NAME_OF().fullmatch(whole[0]) else ""
    phrase = _PHRASE_WORDS().match(text, start)
    if phrase is None or not (re.fullmatch(_PHRASE, match["password"], re.I) or match["symbol"]):
        return ""
    found = words(phrase[0])
    return phrase[0] if found and not SAID_ENDINGS().search(found[0]) else ""


def _more(kind: str, match: re.Match[str], text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The other codes of a list, where the noun is plural."""
    noun = match[kind].lower().split()
    if kind not in ("code", "pin", "key") or not any(word.endswith("s") and not word.endswith("ss") for word in noun):
        return
    while found := _NEXT().match(text, at):
        value = found["secret"]
        if not any(c.isdigit() for c in value) or (kind == "key" and not keylike(value)):
            return
        yield _NAMED.get(kind, kind), found.start("secret"), found.end()
        at = found.end()


def _is_value(kind: str, value: str, opened: bool, symbol: bool, after: str, named: bool) -> bool:
    """Whether the word behind such a noun is the secret. `named` is false where the sentence speaks of its id or hash."""
    low = value.lower()
    if len(value) < 3 or NAMES().fullmatch(value) or low in ("password", "passwd", "passphrase", "senha", "token", "secret"):
        return False
    if kind == "pin":
        return re.fullmatch(r"\d{3,10}", value) is not None
    if kind == "code":
        return re.fullmatch(r"[#*]?\d[\d#*-]{2,15}", value) is not None or (mixed(value) and len(value) >= 4 and digits_in(value))
    if kind == "key":
        return keylike(value, ids=named)
    if kind == "plain":
        return keylike(value, ids=True) and digits_in(value)
    if value.isdigit():
        return len(value) >= 4 and kind == "password"
    if kind == "short":
        return digits_in(value) and len(value) >= 5
    if mixed(value) or opened:
        return low not in SAID and not NAME_OF().fullmatch(value)
    if low in SAID or SAID_ENDINGS().search(low) or len(value) < 4:
        return False
    # A plain word: the value only where the statement ends with it.
    ends = not after.strip() or after[0] in ".,;!?)\n" or after[:1] == "\n"
    return ends and (symbol or len(value) >= 5)


_HEADING = Lazy(
    rf"(?:(?:user(?:name)?|login|conta|utilizador|usu[aá]rio)[ \t]*/[ \t]*)?(?:the |your |my |a |o )?"
    rf"(?:(?P<seed>{_SEED})|(?P<password>{_PASSWORD}|pass)|(?P<code>{_CODE})|(?P<pin>{_PIN})|(?P<key>{_KEY}|key|chave))"
    r"(?:[ \t]*\([^)]*\))?[ \t]*:?"
)  # fmt: skip


_LABEL = Lazy(
    rf"(?:[\w&-]+[ \t]+){{0,3}}?(?:(?P<seed>{_SEED})|(?P<password>{_PASSWORD}|pass)|(?P<code>{_CODE})|(?P<pin>{_PIN})|(?P<key>{_KEY}|key|chave))"
    r"(?:[ \t]*\([^)]*\)|[ \t]+(?:(?:for|of|to|d[aoe]s?|de|para|n[ao])[ \t]+)?[\w&-]+(?:[ \t]+[\w&-]+){0,2})?[ \t]*:?",
    re.I,
)


def column_kind(heading: str, *, label: bool = False) -> str:
    """The kind of secret that a table's column of this heading holds, "" for none.

    `label` takes what stands before the value in a row too: "Wifi password", "Senha do portal".
    """
    bared = heading.strip().strip("*_` ").strip()
    match = _LABEL().fullmatch(bared) if label else re.fullmatch(_HEADING().pattern, bared, re.I)
    if match is None or (label and (len(bared.split()) > 6 or _OPEN_AFTER().search(bared) or _OPEN_BEFORE().search(bared + " "))):
        return ""
    kind = next(name for name, value in match.groupdict().items() if value is not None)
    return {"key": "api-key", "seed": "seed-phrase"}.get(kind, kind)


def stands_for_secret(kind: str, cell: str) -> bool:
    """Whether a cell of such a column is the secret itself and not a word about it."""
    if not cell or cell.startswith("[REDACTED:") or PLACEHOLDER().match(cell):
        return False
    if kind == "seed-phrase":
        return len(cell.split()) >= 11
    if " " in cell or len(cell) < 3:
        return False
    low = cell.lower()
    if kind == "api-key":
        return keylike(cell) or (len(cell) >= 6 and mixed(cell) and not NAMES().fullmatch(cell))
    if kind in ("pin", "code"):
        return cell.strip("#*").isdigit() or (mixed(cell) and len(cell) >= 4)
    return low not in SAID and not NAMES().fullmatch(cell) and len(cell) >= 4 and not SAID_ENDINGS().search(low)
