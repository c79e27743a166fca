"""Secrets that show only by what is said of them: "the password is …", "a senha do wifi é …", `API_TOKEN=…`.

English and Portuguese. The value must look like one (digits among letters, odd case, quotes, or simply the last word of
a plain statement); words that are said of passwords and keys ("is required", "está errada") are no value. Where only a
long random string stands near such a word, its entropy decides.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from silo.text.lazy import Lazy

# What may stand for a secret, by the kind that it is said to be.
_PASSWORD = r"pass(?:word|code|phrase|wd)s?|pwd|senhas?|palavras?[- ]passe|contrase[nñ]as?|frase[- ]senha|wi-?fi key|chave do wi-?fi"
_PIN = r"pin(?:[- ]?(?:code|number))?|c[oó]digo pin"
_CODE = (
    r"(?:alarm|door|gate|safe|entry|lock(?:box)?|security|backup|recovery|garage|2fa|verification|one[- ]time)[- ](?:code|combination|key)s?"
    r"|c[oó]digos? (?:d[oae]s? (?:alarme|port[aã]o|porta|cofre|cadeado|entrada|pr[eé]dio|garagem|seguran[cç]a|backup)|de (?:seguran[cç]a|recupera[cç][aã]o|acesso|verifica[cç][aã]o|backup))"
    r"|cvv|cvc|combina[cç][aã]o do (?:cofre|cadeado)"
)
_KEY = (
    r"(?:api|access|secret|private|auth|account|license|licence|encryption|master|signing|service)[-_ ]?(?:key|token|secret)s?"
    r"|(?:client|app|shared|webhook)[-_ ]secrets?|(?:bearer|refresh|bot|session|deploy|gateway|personal access)[-_ ]tokens?|tokens?|secrets?|credentials?"
    r"|chaves? (?:d[ae] api|d[oe] acesso|d[ae] acesso|secretas?|privadas?|mestras?|pix aleat[oó]ria)|segredos?|credencia(?:l|is)"
)
_SEED = r"(?:seed|recovery|mnemonic)[- ](?:phrase|words)|frase (?:semente|de recupera[cç][aã]o)"

_NOUN = rf"(?P<seed>{_SEED})|(?P<password>{_PASSWORD})|(?P<code>{_CODE})|(?P<pin>{_PIN})|(?P<key>{_KEY})"
_SYMBOL = r"(?:[:=]|:=|->|=>|\u2192|'s)"
_WORDS = (
    r"(?:is(?: now| still| currently)?|was|are|will be|becomes|(?:changed|set|reset|switched|updated|moved)(?: it)? to|to be"
    r"|\u00e9|era|foi|ser\u00e1|fica|ficou|virou|s\u00e3o|agora \u00e9|passa a ser|passou a ser|continua sendo"
    r"|(?:mud(?:ou|ei|ada|ado|amos)|troc(?:ou|ada|ado|uei|amos)|alterada|redefinida) (?:para|pra|por)"
    r"|(?:to|para|pra|por)(?=[ \t]+(?:[\"'`\u201c]|\S*\d)))"
)
# "password for the wifi at home is …": up to seven words may stand between, none of them ending the sentence.
_STATED = Lazy(
    rf"(?<![\w-])(?:{_NOUN})(?![\w-])(?P<gap>(?:[ \t]+[^\s.:;=!?,\"'`]+){{0,7}}?)(?:[ \t]*,)?"
    rf"(?:[ \t]*(?P<symbol>{_SYMBOL})|[ \t]+(?P<word>{_WORDS})(?:[ \t]*:|(?![\w-])))[ \t]*(?:\n[ \t]*)?"
    r"(?P<open>[\"'`*\u201c\u00ab(]*)(?P<secret>[^\s\"`\u201d\u00bb]{3,200})",
    re.I,
)
_QUOTED = Lazy(r"[^\"`\u201d\u00bb\n]{3,120}(?=[\"`\u201d\u00bb'])")
# "senha pandeiro2026": nothing between, so the value must show by itself.
_BARE = Lazy(
    rf"(?<![\w-])(?:(?P<password>{_PASSWORD})|(?P<pin>PIN))[ \t]+(?P<open>[\"'`\u201c]?)(?P<secret>[^\s\"'`\u201d]{{4,100}})",
    re.I,
)
_ASSIGNED = Lazy(
    r"(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z0-9_.-]{0,60}?(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?key|credential|senha)s?"
    r"[A-Za-z0-9_.-]{0,40})[\"']?[ \t]*(?::=|=>|[:=])[ \t]*(?P<open>[\"']?)(?P<secret>[^\s\"'`,;{}]{6,400})",
    re.I,
)
_WORDS_12 = Lazy(r"(?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8}")
_RANDOM = Lazy(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,200}={0,2}(?![A-Za-z0-9+/_=-])")
_NEAR = Lazy(
    r"secret|token|passw|senha|api.?key|access.?key|private.?key|credential|bearer|auth\b|chave|signing", re.I
)

LITERALS = ("pass", "pwd", "senha", "palavra", "contrase", "pin", "code", "codigo", "c\u00f3digo", "key", "token", "secret", "segredo", "chave", "credenc", "credent", "seed", "frase", "phrase", "mnemonic", "cvv", "cvc", "combina", "wifi", "wi-fi", "bearer", "auth")  # fmt: skip

# What is said of a password or key and is no value, in both languages; with the endings below.
_SAID_WORDS = """
a about again agora ainda algo alguma ali all almost already also always an and any anything aquela
aquele aqui as assim at aí back bad before being bem better blank boa bom broken by case case-sensitive
certa certo changed clear com comigo como complete complex confidencial confidential consistency correct
correct-ish curta cá da de dead default dela dele deles diferente different do done down dumb easy em
empty enough errada errado essa essas esse esta estas este está everything exactly false fine for
forgotten forte fraca fraco free from fácil genérica gone good grande great hard here hidden honesty
igual important importante impossible in incorrect inside intact invalid inválida inválido irrelevant
isso it its just já kept known later left literally long longa lost love lá mais mandatory me melhor
mesma mesmo meu mine minha missing muito my n/a na nada necessary needed nem nenhum nenhuma never new
nil no none not nothing nova novo now nula null não o obrigatória obrigatório ok okay old on one only
opcional open optional or os ou our out outra outro over para patience pela pending plain please por pra
practice private public pública público qual quase que quem ready really required reset right safe same
secret secreta secreto secure segura seguro sem sempre sensitive ser set seu short shown simple
simplicity so some something soon still strong sua such só talvez também tbd temporary temporária
temporário that the their them there this time toda todo too trivia trivial true trust tudo um uma
unchanged undefined under undo unique unknown unset up up-to-date useless valid vazia vazio velha
vencida vencido very via visible válida válido weak what when where which who why with without wrong yes
yet you your yours
"""
_SAID = frozenset(_SAID_WORDS.split())
_SAID_ENDINGS = Lazy(
    r"(?:ed|ing|able|ible|ive|ly|ful|less|ous|ary|ory|ected|tion|ness|ment|ity|ado|ada|ados|adas|ido|ida|idos|idas|ando|endo|indo|mente|\u00e7\u00e3o|\u00e7\u00f5es|\u00e1vel|\u00edvel)$"
)
_NAMES = Lazy(
    r"(?:sha-?\d+|md5|oauth\d?|base\d+|utf-?\d+|argon2\w*|pbkdf2|bcrypt\d*|scrypt|aes-?\d+\w*|rsa-?\d+|ed25519|x509|2fa|mfa|totp|v?\d+(?:\.\d+)+|v\d+"
    r"|http/?[123]|ipv[46]|s3|ec2|k8s|i18n|l10n|win\d+|wpa[23]|1password|1pass|bitwarden|keepass\w*|lastpass|h2o|mp[34]|co2|24/7|\d+x\d+|\d+(?:%|st|nd|rd|th|h|am|pm|kb|mb|gb|k|m|s|d)"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[:h]\d{2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|[r$\u20ac\u00a3]+\d[\d.,]*|https?://.*|www\..*|.*\.(?:md|txt|json|ya?ml|py|js|ts|env|toml|html?|pdf|png|com|org|net|io|local)(?:[:/].*)?|/.*|~/.*|@\w+|#\d+)$",
    re.I,
)
_PLACEHOLDER = Lazy(
    r"\$|%\w+%|<|\{|\*{2,}|x{3,}|\.{3}|\u2026|your[-_ ]?|my[-_]|example|changeme\b.*here|(?:process|os|import\.meta)\.|env\b|getenv|null\b|none\b|true\b|false\b|undefined|redacted|\[|\(|function|string\b|str\b|int\b|bool",
    re.I,
)
_TRIM = ".,;:)]}'\u2019*\u2026"


def entropy(text: str) -> float:
    """Bits per character of a text's own letter frequencies."""
    if not text:
        return 0.0
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values())


def find_stated(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of every secret that is stated. Overlaps are left to the caller."""
    low = text.lower()
    if len(low) != len(text):  # a letter that grows in lower case: places would not fit
        low = text
    words, names = _starts(low)
    for at in words:
        if match := _STATED().match(text, at):
            yield from _stated(match, text)
        if match := _BARE().match(text, at):
            yield from _bare_statement(match)
    for at in names:
        if match := _ASSIGNED().match(text, at):
            yield from _assigned(match)
    for match in _RANDOM().finditer(text):
        value = match[0]
        if _random(value) and entropy(value) >= 3.5 and not _hexlike_id(value) and not _path_like(value):
            before = text[max(0, match.start() - 40) : match.start()]
            if _NEAR().search(before.rsplit("\n", 1)[-1]):
                yield "secret", match.start(), match.end()


def _starts(low: str) -> tuple[list[int], list[int]]:
    """Where a noun of a secret may begin (its word, and up to two words before it), and where a name that holds one may.

    Matching there alone is ten times cheaper than searching the patterns through the text.
    """
    words: set[int] = set()
    names: set[int] = set()
    for literal in LITERALS:
        at = low.find(literal)
        while at >= 0:
            start = _back(low, at, "_-")
            names.add(_back(low, at, "_-."))
            words.add(start)
            for _ in range(2):
                if start < 2 or low[start - 1] not in " \t":
                    break
                start = _back(low, start - 1, "_-")
                words.add(start)
            at = low.find(literal, at + len(literal))
    return sorted(words), sorted(names)


def _back(low: str, at: int, also: str) -> int:
    """The start of the word at a place; no name of anything is over 80 characters long."""
    least = max(0, at - 80)
    while at > least and (low[at - 1].isalnum() or low[at - 1] in also):
        at -= 1
    return at


def _bare_statement(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    value = _bare(match["secret"])
    digits = value.isdigit() and 4 <= len(value) <= 8
    if match["pin"]:
        if digits and match["pin"] == "PIN":
            yield _span("pin", match, value)
    elif (
        (digits or (_mixed(value) and any(c.isdigit() for c in value)))
        and not _NAMES().fullmatch(value)
        and not _PLACEHOLDER().match(value)
    ):
        yield _span("password", match, value)


_PLAIN_NAMES = frozenset(
    (
        "token",
        "tokens",
        "secret",
        "secrets",
        "password",
        "passwords",
        "senha",
        "senhas",
        "credentials",
        "passphrase",
    )
)


def _assigned(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    value = _bare(match["secret"])
    name = match["name"].lower()
    if name in _PLAIN_NAMES or len(value) < 6 or _PLACEHOLDER().match(value) or _NAMES().fullmatch(value):
        return  # a plain noun is the part of the statements above
    if value.isdigit() or (value.isalpha() and value.islower() and value in _SAID):
        return
    if "pass" in name or "senha" in name:
        if "_" in name or "-" in name or match["open"] or _mixed(value):
            yield _span("password", match, value)
    elif _keylike(value):
        yield _span("api-key", match, value)


def _span(kind: str, match: re.Match[str], value: str) -> tuple[str, int, int]:
    return kind, match.start("secret"), match.start("secret") + len(value)


def _stated(match: re.Match[str], text: str) -> Iterator[tuple[str, int, int]]:
    kind = match.lastgroup and next(
        name for name in ("seed", "password", "code", "pin", "key") if match[name]
    )
    start, opened = match.start("secret"), bool(match["open"].strip("("))
    symbol = match["symbol"] is not None and match["symbol"] != "'s"
    value = _bare(match["secret"])
    if _PLACEHOLDER().match(value):
        return
    if kind == "seed":
        words = _WORDS_12().match(text, start)
        if words:
            yield "seed-phrase", start, words.end()
        return
    if kind == "key" and match["word"] and match["word"].lower() in ("to", "para", "pra", "por"):
        return
    if opened and kind == "password":
        whole = _QUOTED().match(text, start)
        if whole and len(whole[0].split()) <= 8 and not _NAME_OF().fullmatch(whole[0]):
            yield "password", start, whole.end()
            return
    if _is_value(str(kind), value, opened, symbol, text[start + len(value) : start + len(value) + 2]):
        yield {"key": "api-key"}.get(str(kind), str(kind)), start, start + len(value)


def _is_value(kind: str, value: str, opened: bool, symbol: bool, after: str) -> bool:
    low = value.lower()
    if not value or _NAMES().fullmatch(value):
        return False
    if kind == "pin":
        return re.fullmatch(r"\d{3,10}", value) is not None
    if kind == "code":
        return re.fullmatch(r"[#*]?\d[\d#*-]{2,15}", value) is not None or (_mixed(value) and len(value) >= 4)
    if kind == "key":
        return _keylike(value)
    if value.isdigit():
        return len(value) >= 4
    if _mixed(value) or opened:
        return low not in _SAID and not _NAME_OF().fullmatch(value)
    if low in _SAID or _SAID_ENDINGS().search(low) or len(value) < 4:
        return False
    # A plain word: the value only where the statement ends with it.
    ends = not after.strip() or after[0] in ".,;!?)\n" or after[:1] == "\n"
    return ends and (symbol or len(value) >= 5)


def _bare(value: str) -> str:
    return value.rstrip(_TRIM) if not value.endswith("...") else ""


def _mixed(value: str) -> bool:
    """Letters beside digits, a capital inside a word, or a sign inside: what a word of prose has not."""
    letters = any(c.isalpha() for c in value)
    if any(c.isdigit() for c in value):
        return letters or any(c in "!@#$%^&*_+" for c in value)
    if not letters:
        return False
    inner = value[1:]
    odd_case = any(c.isupper() for c in inner) and any(c.islower() for c in value) and not value.isupper()
    return odd_case or any(c in "!@#$%^&*+=~" for c in inner)


_NAME_OF = Lazy(
    r"(?:[A-Za-z_][A-Za-z0-9_-]*\.)+[A-Za-z_][A-Za-z0-9_-]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|.*[(|<].*|--.*"
)
_KEY_SIGNS = Lazy(r"[A-Za-z0-9_.~+/=:%@!#$^&*-]+")


def _keylike(value: str) -> bool:
    """What a key may look like: letters and digits, and if it is long as mixed as chance has it. No name of a setting."""
    if (
        len(value) < 8
        or not _KEY_SIGNS().fullmatch(value)
        or _NAME_OF().fullmatch(value)
        or _hexlike_id(value)
    ):
        return False
    digits = sum(c.isdigit() for c in value)
    if not digits or digits == len(value) or _path_like(value):
        return False
    return (len(value) < 12 and not any(c in "-/._" for c in value)) or _random(value)


def _random(value: str) -> bool:
    """Whether letters, capitals and digits change about as often as chance has it; words joined by dashes do not."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    if "d" not in kinds:
        return False
    changes = sum(a != b for a, b in pairwise(kinds))
    return changes >= 0.22 * len(kinds)


def _hexlike_id(value: str) -> bool:
    """A UUID or a commit's hash: names, not secrets."""
    return (
        re.fullmatch(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}", value, re.I)
        is not None
    )


def _path_like(value: str) -> bool:
    return value.count("/") >= 2 or value.startswith(("./", "../", "/"))


_HEADING = Lazy(
    rf"(?:(?:user(?:name)?|login|conta|utilizador|usu[aá]rio)[ \t]*/[ \t]*)?(?:the |your |my |a |o )?"
    rf"(?:(?P<seed>{_SEED})|(?P<password>{_PASSWORD}|pass)|(?P<code>{_CODE})|(?P<pin>{_PIN})|(?P<key>{_KEY}|key|chave))"
    r"(?:[ \t]*\([^)]*\))?[ \t]*:?"
)  # fmt: skip


def column_kind(heading: str) -> str:
    """The kind of secret that a table's column of this heading holds, "" for none."""
    match = re.fullmatch(_HEADING().pattern, heading.strip().strip("*_` ").strip(), re.I)
    if match is None:
        return ""
    kind = next(name for name, value in match.groupdict().items() if value is not None)
    return {"key": "api-key", "seed": "seed-phrase"}.get(kind, kind)


def stands_for_secret(kind: str, cell: str) -> bool:
    """Whether a cell of such a column is the secret itself and not a word about it."""
    if not cell or cell.startswith("[REDACTED:") or _PLACEHOLDER().match(cell):
        return False
    if kind == "seed-phrase":
        return len(cell.split()) >= 11
    if " " in cell or len(cell) < 3:
        return False
    low = cell.lower()
    if kind == "api-key":
        return _keylike(cell) or (len(cell) >= 6 and _mixed(cell) and not _NAMES().fullmatch(cell))
    if kind in ("pin", "code"):
        return cell.strip("#*").isdigit() or (_mixed(cell) and len(cell) >= 4)
    return low not in _SAID and not _NAMES().fullmatch(cell) and len(cell) >= 4 and not _SAID_ENDINGS().search(low)
