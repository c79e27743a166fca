"""What the value of a secret looks like, and what is none: words that are said of keys, names, placeholders, ids, paths.

Judges a single value; where it stands and what is said of it is the part of `stated`, `placed` and `tabled`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from silo.text.lazy import Lazy

# What is said of a password or key and is no value, in both languages; with the endings below.
_SAID_WORDS = """
a about again agora ainda algo alguma ali all almost already also always an and any anything aquela
aquele aqui as assim at aí back bad before being bem better blank boa bom broken by case case-sensitive
certa certo changed clear com comigo como complete complex confidencial confidential consistency correct
correct-ish curta cá da de dead default dela dele deles demasiado diferente different do done down dumb easy
em empty enough entre errada errado essa essas esse esta estas este está everything exactly false fine for
forgotten forte fraca fraco free from fácil genérica gone good grande great hard here hidden his honesty
igual important importante impossible in incorrect inside intact invalid inválida inválido irrelevant
isso it its just já kept known later left like literally long longa lost love lá mais mandatory me melhor
mesma mesmo meu mine minha missing muito my n/a na nada necessary needed nem nenhum nenhuma never new
nil no none not nothing nova novo now nula null não o obrigatória obrigatório ok okay old on one only
opcional open optional or os ou our out outra outro over para patience pela pelo pending plain please por pra
practice private public pública público qual quase que quem ready really required reset right safe same
secret secreta secreto secure segura seguro sem sempre sensitive ser set seu short shown simple
simplicity so some something soon still strong sua such só talvez também tbd temporary temporária
temporário that the their them there this time to toda todo too trivia trivial true trust tudo um uma
unchanged undefined under undo unique unknown unset up up-to-date useless valid vazia vazio velha
vencida vencido very via visible válida válido weak what when where which who why with without wrong yes
yet you your yours
"""
SAID = frozenset(_SAID_WORDS.split())
SAID_ENDINGS = Lazy(
    r"(?:ed|ing|able|ible|ive|ly|ful|less|ous|ary|ory|ected|tion|ness|ment|ity|ado|ada|ados|adas|ido|ida|idos|idas|ando|endo|indo|mente|ção|ções|ável|ível)$"
)
NAMES = Lazy(
    r"(?:sha-?\d+|md5|oauth\d?|base\d+|utf-?\d+|argon2\w*|pbkdf2|bcrypt\d*|scrypt|aes-?\d+\w*|rsa-?\d+|ed25519|x509|2fa|mfa|totp|v?\d+(?:\.\d+)+|v\d+"
    r"|http/?[123]|ipv[46]|s3|ec2|k8s|i18n|l10n|win\d+|wpa[23]|1password|1pass|bitwarden|keepass\w*|lastpass|h2o|mp[34]|co2|24/7|\d+x\d+|\d+(?:%|st|nd|rd|th|h|am|pm|kb|mb|gb|k|m|s|d)"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[:h]\d{2}|\d{1,2}/\d{1,2}(?:/\d{2,4})?|[r$€£]+\d[\d.,]*|https?://.*|www\..*|.*\.(?:md|txt|json|ya?ml|py|js|ts|env|toml|html?|pdf|png|com|org|net|io|local)(?:[:/].*)?|/.*|~/.*|@\w+|#\d+)$",
    re.I,
)
PLACEHOLDER = Lazy(
    r"\$|%\w+%|<|\{|\*{2,}|x{3,}|X{3,}|\.{3}|…|your[-_ ]?|my[-_]|(?:o[-_])?(?:teu|tua|seu|sua)[-_]|insert[-_]|example|changeme\b.*here|replace[-_]?me|(?:process|os|import\.meta)\.|env\b|getenv|null\b|none\b|true\b|false\b|undefined|redacted|\[|\(|!vault\b|!secret\b|!ref\b|function|string\b|str\b|int\b|bool",
    re.I,
)
NAME_OF = Lazy(
    r"(?:[A-Za-z_][A-Za-z0-9_-]*\.)+[A-Za-z_][A-Za-z0-9_-]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z_][\w.]*\(.*|.*[|<].*|--.*"
)
# Code that reads a secret from somewhere: an attribute, a call, a subscript.
_READ = Lazy(
    r"(?:await |new |new_)?\$?(?:this|self|req|request|res|response|config|cfg|settings|conf|env|environ|process|os|data|form|body|params|query|user|options|opts|args|ctx|context|props|state|event|payload|input|json|row|record|secrets|vault|session|headers|cls|app|account|credentials|creds|client)\??\.[\w.?!]+(?:[\[(].*)?"
    r"|(?:[A-Za-z_]\w*\.)+(?:pass(?:word|wd|phrase)?|pwd|secret|token|senha|key|api_?key|apiKey|value|text|strip|trim)\w*(?:[\[(].*)?|[A-Za-z_][\w.]*\.\w+[\[(].*|\$_[A-Z]+\[.*|(?:params|request|args|data|form|config|env|environ|cfg|settings|row|json|body|headers|creds)\[.*",
    re.S,
)
# What a document writes where a secret would stand: a mask, a name in capitals, a sentence about length.
_MASK = Lazy(
    r"(?:[A-Za-z][A-Za-z0-9]{0,11}[-_.:])*[A-Za-z]{0,6}(?:[xX]{6,}|\*{4,}|\.{4,}|#{6,}|\u2022{4,}|0{16,})(?:[-_.](?:[xX]+|\*+|0+))*"
    r"|(?:YOUR|MY|EXAMPLE|SAMPLE|TEST|DUMMY|THE|INSERT|SOME|REPLACE|TEU|TUA|SEU|SUA|MEU|MINHA|EXEMPLO)(?:[_-][A-Z]+)+|[A-Z]+(?:[_-][A-Z]+)*[_-](?:TOKEN|KEY|SECRET|PASSWORD|SENHA|CHAVE|HERE|AQUI)(?:_HERE|_AQUI)?"
)
_LENGTH = Lazy(
    r"(?:(?:m[i\u00ed]n(?:imum|imo|ima)?|m[a\u00e1]x(?:imum|imo|ima)?|at (?:least|most)|pelo menos|no (?:m[i\u00ed]nimo|m[a\u00e1]ximo)|between|entre|up to|at\u00e9|exactly|exatamente|de|com|with)[ .:]*(?:de |of )?){0,2}"
    r"\d{1,3}(?: ?(?:-|\u2013|to|and|a|e) ?\d{1,3})?\+?[ -](?:or more |ou mais )?(?:char\w*|caract\w+|letters?|letras?|digits?|d[i\u00ed]gitos?|symbols?|s[i\u00ed]mbolos?|numbers?|n[u\u00fa]meros?|bytes?|bits?|words?|palavras|algarismos|alphanum\w*|alfanum\w*)\b",
    re.I,
)
_KEY_SIGNS = Lazy(r"[A-Za-z0-9_.~+/=:%@!#$^&*-]+")
_TRIM = ".,;:)]}'’*…"
_GROUPS = re.compile(r"\d+")
_ID = Lazy(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}",
    re.I,
)


def entropy(text: str) -> float:
    """Bits per character of a text's own letter frequencies."""
    if not text:
        return 0.0
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values())


def reads_code(value: str) -> bool:
    """Whether a value is an expression that reads the secret: `req.body.password`, `hash(password, 12)`."""
    return _READ().fullmatch(value) is not None


def masked(value: str) -> bool:
    """Whether a value is a mask (`ghp_xxxx…`) or a placeholder in capitals (`YOUR_TOKEN`)."""
    return _MASK().fullmatch(value) is not None


def about_length(text: str, at: int) -> bool:
    """Whether a policy stands at this place and no secret: "at least 8 characters"."""
    return _LENGTH().match(text, at) is not None


def bare(value: str) -> str:
    """A value without the punctuation of the sentence behind it."""
    return value.rstrip(_TRIM) if not value.endswith("...") else ""


def mixed(value: str) -> bool:
    """Letters beside digits, a capital inside a word, or a sign inside: what a word of prose has not."""
    letters = any(c.isalpha() for c in value)
    if any(c.isdigit() for c in value):
        return letters or any(c in "!@#$%^&*_+" for c in value)
    if not letters:
        return False
    inner = value[1:]
    odd_case = any(c.isupper() for c in inner) and any(c.islower() for c in value) and not value.isupper()
    return odd_case or any(c in "!@#$%^&*+=~" for c in inner)


def digits_in(value: str) -> bool:
    """Letters beside at least one digit."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def keylike(value: str, *, ids: bool = False) -> bool:
    """What a key may look like: letters and digits, and if it is long as mixed as chance has it. No name of a setting.

    `ids` takes UUIDs and hexadecimal hashes too: for a name that can only be a secret's.
    """
    if ids and is_id(value):
        return True
    if len(value) < 8 or not _KEY_SIGNS().fullmatch(value) or NAME_OF().fullmatch(value) or is_id(value):
        return False
    digits = sum(c.isdigit() for c in value)
    if not digits or digits == len(value) or path_like(value):
        return False
    plain = value.isalnum()
    if plain and len(value) >= 16 and len(_GROUPS.findall(value)) >= 2:
        return True
    return (len(value) < 12 and not any(c in "-/._" for c in value)) or random(value)


def random(value: str, least: float = 0.22) -> bool:
    """Whether letters, capitals and digits change about as often as chance has it; words joined by dashes do not."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    if "d" not in kinds:
        return False
    changes = sum(a != b for a, b in pairwise(kinds))
    return changes >= least * len(kinds)


def is_id(value: str) -> bool:
    """A UUID or a commit's hash: names, not secrets, unless something says so."""
    return _ID().fullmatch(value) is not None


def path_like(value: str) -> bool:
    """A path: slashes between words. Base64 has slashes too, between letters and digits that chance has mixed."""
    if value.startswith(("./", "../", "~/")):
        return True
    if value.count("/") < 2 and not value.startswith("/"):
        return False
    return not (len(value) >= 24 and random(value, 0.33) and any(c.isupper() for c in value))


def words(value: str) -> list[str]:
    """The words of a phrase that may be a secret, [] where a word of grammar shows that it is a sentence."""
    found = value.lower().split()
    return [] if any(word in SAID for word in found) else found
