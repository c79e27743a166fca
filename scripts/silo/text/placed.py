"""Secrets that show by the place they stand in: settings and fields, command flags, cookies, cards, markup, Wi-Fi codes.

Where a machine would read a secret, whatever it looks like there. The name of a setting is taken apart into words
(`SESSION_TOKEN_TTL` is a number of seconds, `client-key-data` a key). What is said in sentences is the part of `stated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.text.lazy import Lazy
from silo.text.secretshape import (
    NAME_OF,
    NAMES,
    PLACEHOLDER,
    SAID,
    bare,
    digits_in,
    is_id,
    keylike,
    mixed,
    random,
    reads_code,
)
from silo.text.urls import find_urls

Found = tuple[str, int, int]  # kind, start, end

_FIELD = Lazy(
    r"(?<![A-Za-z0-9_.-])(?P<name>[A-Za-z0-9_.-]{2,80}?)\\?(?P<shut>[\"'\]]{0,2})[ \t]*(?:(?P<comma>,)|:=|=>|[:=])[ \t]*(?:u|b|r)?"
    r"(?:\\?(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\n\\]|\\.){1,4000})|(?P<secret>[^\s\"'`,;{}<>\[\]]{3,4000}))"
)
_XML = Lazy(r"<(?P<name>[A-Za-z][\w.:-]{1,60})(?:\s[^<>]*)?>(?P<secret>[^<>\s]{3,4000})</(?P=name)>")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORDS = frozenset(["password", "passwords", "passwd", "passphrase", "passcode", "pass", "pwd", "pswd", "psw", "psk", "pw", "senha", "senhas", "contrasena", "passwort", "palavrapasse"])
_SECRETS = frozenset(["secret", "secrets", "token", "tokens", "credential", "credentials", "apikey", "authtoken", "apitoken", "accesstoken", "bearer", "segredo", "segredos", "jwt"])
_KEYED = frozenset(
    ["access", "account", "admin", "aes", "api", "app", "auth", "cipher", "client", "consumer", "crypto", "data", "deploy", "encryption", "hmac", "host", "instance", "jwt", "licence", "license", "master", "private", "prod", "root", "secret", "security", "service", "session", "shared", "signing", "ssh", "ssl", "storage", "subscription", "team", "tls", "user", "vault", "vapid", "webhook", "workspace", "x", "chave"]
)
_OPEN_KEYS = frozenset(
    ["answer", "arrow", "cache", "composite", "dedupe", "event", "field", "foreign", "group", "hot", "idempotency", "index", "lookup", "map", "message", "object", "partition", "primary", "product", "public", "publishable", "range", "registry", "row", "s3", "search", "shard", "shortcut", "site", "sort", "storage", "tab", "translation", "unique"]
)
# A name that ends so is about the secret, and not the secret.
_ABOUT = frozenset(
    ["algorithm", "alg", "age", "attempts", "budget", "changed", "class", "count", "created", "days", "dir", "enabled", "endpoint", "env", "error", "expires", "expiration", "expiry", "field", "file", "folder", "format", "func", "function", "header", "hint", "hook", "hours", "id", "ids", "in", "label", "len", "length", "level", "limit", "limits", "location", "manager", "max", "mgr", "min", "minutes", "mode", "model", "name", "names", "needed", "option", "options", "param", "path", "per", "policy", "prefix", "provider", "regex", "required", "reset", "rotation", "rounds", "rule", "rules", "seconds", "server", "service", "size", "status", "store", "strength", "suffix", "ttl", "type", "updated", "uri", "url", "usage", "used", "uses", "valid", "var", "version", "window", "at", "by", "on", "backend", "strategy", "issuer", "audience", "scope",
     "algoritmo", "arquivo", "caminho", "comprimento", "dias", "expira", "expiracao", "ficheiro", "formato", "horas", "limite", "maxima", "maximo", "minima", "minimo", "minutos", "modo", "nome", "pasta", "tamanho", "tentativas", "tipo", "validade"]
)
# Which key it is stands behind the word in Portuguese: CHAVE_API_FATURAS; these are keys of a table or a map.
_ABERTAS = frozenset(["primaria", "estrangeira", "publica", "composta", "unica", "externa", "natural", "candidata", "indice", "cache", "ordenacao"])
_DOC_WORDS = frozenset(["admin", "bar", "change_me", "change-me", "changeme", "demo", "dummy", "example", "foo", "foobar", "guest", "pass", "passwd", "password", "postgres", "required", "root", "secret", "sample", "senha", "test", "testing", "user", "hunter"])  # fmt: skip
_COUNTED = frozenset({"tokens", "secrets", "passwords", "credentials", "senhas"})


def name_kind(name: str) -> str:
    """The kind of secret that a setting or field of this name holds: password, api-key, pin, card-code; "" for none."""
    parts = [part.lower() for part in _WORD.findall(name)]
    while parts and parts[-1].isdigit():
        parts.pop()
    if not parts or parts[-1] in _ABOUT or (len(parts) > 2 and parts[-2] in _ABOUT and parts[-1] in ("em", "in")) or "public" in parts or "hash" in parts[-1:]:
        return ""
    joined = "".join(parts)
    if _PASSWORDS.intersection(parts) or joined.endswith(("password", "passwd", "passphrase")):
        return "password"
    if _SECRETS.intersection(parts) or joined.endswith(("secret", "token", "apikey")):
        return "api-key"
    if "palavra" in parts and "passe" in parts:
        return "password"
    if "chave" in parts and name.isupper() and parts[-1] != "chave":
        return "" if _ABERTAS.intersection(parts) else "api-key"
    for at, part in enumerate(parts):
        if part in ("key", "keys", "chave") and at + 3 >= len(parts):
            before = parts[at - 1] if at else ""
            if before in _OPEN_KEYS:
                return ""
            if before in _KEYED or (at and name.isupper()) or set(parts[at + 1 :]) & {"data", "base", "material", "pem"}:
                return "api-key"
            return "random" if len(parts) == 1 or at == len(parts) - 1 else ""
    if parts[-1] in ("pin", "cvv", "cvc", "csc", "otp") or joined in ("securitycode", "cardcode"):
        return "pin" if parts[-1] in ("pin", "otp") else "card-code"
    return "random" if parts[-1] in ("auth", "authorization", "session", "sid", "sig", "signature", "cookie") else ""


def find_fields(text: str, starts: list[int]) -> Iterator[Found]:
    """The values of settings, fields and elements whose names begin at these places."""
    for at in starts:
        if match := _FIELD().match(text, at):
            group = "quoted" if match["quoted"] is not None else "secret"
            yield from _field(match, group, match["quoted"] is not None)
        elif at and text[at - 1] == "<" and (match := _XML().match(text, at - 1)):
            yield from _field(match, "secret", True)


_OPENED = re.compile(r"[^\s\"'`,;]{12,}(?=[\s\"'`,;])")


def _field(match: re.Match[str], group: str, quoted: bool) -> Iterator[Found]:
    kind = name_kind(match["name"])
    if not kind:
        return
    value = match[group].rstrip("\\") if quoted else bare(match[group])
    low = value.lower()
    if not value or PLACEHOLDER().match(value) or low in _DOC_WORDS or NAMES().fullmatch(value):
        return
    if not quoted and reads_code(match[group].rstrip(";,)")):
        return
    plain = match["name"].lower() in _PLAIN and not quoted
    if match.groupdict().get("comma") and not (match["shut"] and quoted and digits_in(value)):
        return  # a list of names, not a name with its value
    if kind in ("pin", "card-code"):
        good = value.isdigit() and (3 if kind == "card-code" else 4) <= len(value) <= 8
    elif plain:
        return  # a plain noun before a colon is a sentence's: the part of `stated`
    elif kind == "password":
        good = _password(match["name"], value, quoted)
    elif kind == "random":
        good = " " not in value and len(value) >= 20 and not is_id(value) and keylike(value)
    else:
        good = _secret(match["name"].lower(), value, quoted) or (match["name"].isupper() and "-" not in match["name"] and _set(match["name"], value))
    if good:
        yield {"random": "secret"}.get(kind, kind), match.start(group), match.start(group) + len(value)
    elif quoted and kind == "api-key" and (head := _OPENED.match(value)) is not None and keylike(head[0], ids=True):
        yield kind, match.start(group), match.start(group) + head.end()  # cut off before its quote ended: another's ends it


_LIKE_NAME = re.compile(r"(?:SECRETO?S?|SEGREDOS?|CHAVE|TOKEN|JWT)(?=_|\Z)|(?<=_)KEY\Z")


def _set(name: str, value: str) -> bool:
    """Whether the value of an environment's variable for a key is one: words joined by dashes too, where a digit or an odd
    sign is among them; plain words where the name has the Portuguese word for it."""
    low = value.lower()
    if _LIKE_NAME.search(name) is None or len(value) < 6 or value.isdigit() or low in SAID or is_id(value) or NAME_OF().fullmatch(value) or value[:1] in "/.":
        return False
    if low.startswith("http") or ("/" in value and value.count("/") > 1):
        return False
    return (digits_in(value) and len(value) >= 8) or (mixed(value) and len(value) >= 8) or (len(value) >= 8 and re.search("CHAVE|SEGREDO", name) is not None)


_PLAIN = frozenset({*_PASSWORDS, "token", "tokens", "secret", "secrets", "credentials", "api-key", "segredo"})


def _password(name: str, value: str, quoted: bool) -> bool:
    low = value.lower()
    if low in SAID or (value.isdigit() and len(value) < 4) or NAME_OF().fullmatch(value):
        return False
    if quoted:
        return len(value) >= 3 and len(value.split()) <= 8 and not any(word in SAID for word in low.split())
    return len(value) >= 4 and ("_" in name or "-" in name or mixed(value)) and not value.isdigit()


def _secret(name: str, value: str, quoted: bool) -> bool:
    if name in _COUNTED and value.isdigit():
        return False
    if keylike(value, ids=not name.endswith(("hash", "digest"))):
        return True
    if not quoted and "=" not in value and "(" not in value and not any(c in "!@#%^&*" for c in value):
        return False
    kinds = sum((any(c.isdigit() for c in value), any(c.isupper() for c in value), any(c.islower() for c in value),
                 any(c in "!@#%^&*()-_=+[]{}|;:,.<>?/~" for c in value)))  # fmt: skip
    return " " not in value and len(value) >= 12 and kinds >= 3 and random(value, 0.15) and not NAME_OF().fullmatch(value)


_VALUE = r"[\"']?(?P<secret>[^\s\"'|;&<>]{3,400})"


def _flag(kind: str, pattern: str, *literals: str) -> tuple[tuple[str, ...], str, Lazy]:
    return literals, kind, Lazy(pattern, re.I)


# Commands that take a secret as an argument.
_FLAGS = (
    _flag("password", rf"\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlimport|mycli)\b[^\n|;]{{0,160}}?[ \t]-p{_VALUE}", "mysql", "mariadb", "mycli"),
    _flag("password", rf"\bsshpass[ \t]+-p[ \t]*{_VALUE}", "sshpass"),
    _flag("password", rf"\b(?:redis-cli[^\n|;]{{0,160}}?[ \t]-a|ldap\w+[^\n|;]{{0,160}}?[ \t]-w|(?:docker|podman|helm|az|oc|mongo\w*|skopeo|kinit|rabbitmqadmin|mosquitto_\w+|unzip|zip|7z)\b[^\n|;]{{0,160}}?[ \t]-[pP])[ \t]*{_VALUE}", "redis-cli", "ldap", "docker", "podman", "helm", "az ", "oc ", "mongo", "skopeo", "rabbitmq", "mosquitto", "zip", "7z"),
    _flag("password", rf"(?<![\w-])--?(?:pass(?:word|wd|phrase|code)?|pw|pgpassword|http-password|ftp-password|proxy-password|admin-?pass\w*|user-?pass\w*)(?:=|[ \t]+){_VALUE}", "-pass", "-pw", "-http-pass", "password", "passw"),
    _flag("password", rf"\b(?:pass:|passin[ \t]+pass:|passout[ \t]+pass:){_VALUE}", "pass:"),
    _flag("api-key", rf"(?<![\w-])--?(?:[a-z]+-)*(?:token|secret|api-?key|apikey|access-?key|secret-?key|auth-?key|auth|client-secret|private-key|license-key)(?:=|[ \t]+){_VALUE}", "-token", "-secret", "key", "--auth"),
    _flag("password", r"(?<![\w-])(?:-u|--user|--proxy-user|-U|-a|--auth|--creds?)(?:=|[ \t]*)[\"']?(?P<user>[^\s:\"'%/]{0,80})[:%](?P<secret>[^\s\"'/][^\s\"']{2,200})", " -u", "--user", "--proxy-user", " -a", "--auth", "--cred"),
    _flag("password", r"\bmachine[ \t\n]+\S+[ \t\n]+login[ \t\n]+\S+[ \t\n]+password[ \t\n]+(?P<secret>\S{3,200})", "machine"),
    _flag("password", r"(?<![\w.*-])[\w.*-]+:(?:\d{2,5}|\*):[\w*-]+:[\w.*-]+:(?P<secret>\S{3,200})", ":5432:", ":*:", ":3306:", ":6432:"),
    _flag("password", r"(?:\bname[\"']?\s*[:=]\s*[\"']?|\bvariable\s+[\"'])(?P<name>[\w.-]{2,80})[\"']?[\s,{]*?[\"']?(?:value|default)[\"']?\s*[:=]\s*[\"']?(?P<secret>[^\s\"'<>{}]{3,400})", "value", "default"),
    _flag("password", r"\b\w*(?:auth|login|connect|credentials?)\w*\s*[=(:]+\s*\(?[\"'](?P<user>[^\"'\n]{1,80})[\"']\s*,\s*[\"'](?P<secret>[^\"'\n]{4,200})[\"']", "auth", "login", "connect", "credential"),
    _flag("session-cookie", r"\t(?:TRUE|FALSE)\t\d+\t[^\t\n]+\t(?P<secret>[^\t\n]{8,4000})", "\ttrue\t", "\tfalse\t"),
    _flag("password-hash", r"(?P<secret>\$(?:2[abxy]|5|6|7|y|apr1|argon2id?|argon2i|scrypt|pbkdf2\S{0,12})\$[./A-Za-z0-9$=,+-]{20,})", "$2", "$5$", "$6$", "$7$", "$y$", "$apr1", "$argon", "$scrypt", "$pbkdf2"),
    _flag("wifi-password", r"\bWIFI:[^\n]{0,200}?\bP:(?P<secret>(?:\\.|[^;\\\n]){3,100});", "wifi:"),
    _flag("totp-seed", r"\botpauth://[^\s\"']*?[?&]secret=(?P<secret>[A-Za-z2-7=]{8,})", "otpauth:"),
    _flag("session-cookie", r"\b(?P<name>[\w.-]*(?:sess(?:ion)?(?:_?id)?|sid|jsessionid|phpsessid|auth|token|remember(?:_me)?|jwt|login|csrf\w*)[\w.-]*)=(?P<secret>[^\s;\"',&]{12,4000})", "sess", "sid=", "auth", "token", "remember", "jwt", "login", "csrf"),
    _flag("signature", r"[?&](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature|sig|hmac)=(?P<secret>[A-Za-z0-9%+/=_.~-]{16,4000})", "signature=", "sig=", "security-token=", "hmac="),
    _flag("url-password", r"\b[a-z][a-z0-9+.-]{1,20}://(?P<secret>[A-Za-z0-9_-]{16,200})@(?=[A-Za-z0-9\[])", "://"),
)  # fmt: skip
_COOKIE = Lazy(r"\b(?:Set-)?Cookie[\"']?[ \t]*:[ \t]*[\"']?(?P<all>[^\n\"']{3,4000})|(?<![\w-])(?:-b|--cookie)(?:=|[ \t]+)[\"'](?P<arg>[^\n\"']{3,4000})", re.I)
_PAIR = re.compile(r"(?:^|;\s*)([^=;\s]+)=([^;\s]{12,})")
_COOKIE_NAMES = re.compile(r"sess|sid|auth|token|login|jwt|remember|csrf|xsrf|^id$|key", re.I)


def find_placed(text: str, low: str) -> Iterator[Found]:
    """Secrets in commands, headers and the like. `low` is the text in lower case."""
    for literals, kind, pattern in _FLAGS:
        if not any(literal in low for literal in literals):
            continue
        for match in pattern().finditer(text):
            value = match["secret"]
            if kind != "password-hash" and PLACEHOLDER().match(value):
                continue
            if not _argument(kind, value, match):
                continue
            if (user := match.groupdict().get("user")) and len(user) >= 20 and keylike(user, ids=True):
                yield "api-key", match.start("user"), match.end("user")
            yield kind, match.start("secret"), match.end("secret")
    if "cookie" in low or " -b " in low:
        for match in _COOKIE().finditer(text):
            group = "all" if match["all"] is not None else "arg"
            for pair in _PAIR.finditer(match[group]):
                if (_COOKIE_NAMES.search(pair[1]) or keylike(pair[2])) and not PLACEHOLDER().match(pair[2]):
                    start = match.start(group) + pair.start(2)
                    yield "session-cookie", start, start + len(pair[2])
    yield from find_urls(text)
    yield from _totp(text, low)
    yield from _cards(text, low)
    yield from _groups(text, low)


def _argument(kind: str, value: str, match: re.Match[str]) -> bool:
    low = value.lower()
    if kind == "session-cookie":
        return keylike(value.replace("%", "").replace(".", ""), ids=True) or (len(value) >= 24 and random(value))
    if kind in ("password-hash", "wifi-password", "totp-seed", "signature"):
        return True
    if kind == "url-password":
        return keylike(value, ids=True)
    if "name" in match.groupdict():
        known = name_kind(match["name"])
        return bool(known) and low not in SAID and low not in _DOC_WORDS and (known == "password" or keylike(value, ids=True))
    if "user" in match.groupdict() and match[0][:1] not in " -":
        return digits_in(value) and mixed(value) and not NAME_OF().fullmatch(value)
    if "user" in match.groupdict():
        return value.lower() not in _DOC_WORDS and not value.isdigit() and low != (match["user"] or "").lower()
    if kind == "api-key":
        return keylike(value, ids=True) or (len(value) >= 8 and mixed(value) and digits_in(value) and not NAMES().fullmatch(value))
    return low not in SAID and low not in _DOC_WORDS and not value.startswith("-") and not NAMES().fullmatch(value) and not NAME_OF().fullmatch(value)


# --- seeds of one-time passwords ------------------------------------------------------------------------------

_TOTP_TOOLS = ("oath", "totp", "hotp", "otp", "2fa", "mfa", "gauth", "authenticator", "autentica")
_OATHTOOL = Lazy(r"\boathtool\b(?P<args>[^\n|;`]{1,240})", re.I)
_OATH_SEED = Lazy(r"(?<![\w-])[\"']?(?P<secret>[A-Z2-7]{16,128}=*|[a-z2-7]{16,128}|[0-9a-fA-F]{20,128}|[A-Za-z2-7]{4}(?: [A-Za-z2-7]{4}){3,15})(?![\w-])")
_TOTP_ARG = Lazy(
    r"\b(?:totp|hotp|otp|2fa|mfa|gauth|authenticator|autentica\w+|mintotp|pyotp|ykman oath|authy|otpauth)\b[^\n|;]{0,120}?[ \t=:('\"`](?P<secret>[A-Z2-7]{16,128})(?![A-Za-z0-9_-])", re.I
)


def _totp(text: str, low: str) -> Iterator[Found]:
    """What a command or a call for one-time passwords is given: base32, or hexadecimal for oathtool."""
    if not any(tool in low for tool in _TOTP_TOOLS):
        return
    for command in _OATHTOOL().finditer(text):
        for match in _OATH_SEED().finditer(command["args"]):
            value = match["secret"]
            if value.isupper() or any(c.isdigit() for c in value):
                yield "totp-seed", command.start("args") + match.start("secret"), command.start("args") + match.end("secret")
    for match in _TOTP_ARG().finditer(text):
        value = match["secret"]
        if (value.isupper() or value.islower()) and sum(c.isdigit() for c in value) >= 1 and not is_id(value):
            yield "totp-seed", match.start("secret"), match.end("secret")


# --- payment cards -------------------------------------------------------------------------------------------

_CARD_WORDS = ("card", "cart\u00e3o", "cartao", "visa", "mastercard", "amex", "cvv", "cvc", "tarjeta", "maestro")
_CARD = Lazy(r"(?<!\w)(?<!\d[-.])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?!\w)|(?<!\w)(?<!\d[-.])3\d{3}[ -]?\d{6}[ -]?\d{5}(?![\w-])")
_CARD_CODE = Lazy(
    r"\b(?:cvv2?|cvc2?|csc|cid|security code|c[o\u00f3]digo de seguran[c\u00e7]a)\b[\"']?(?:[ \t]*[:=#-]+|[ \t]+(?:is|\u00e9|number|code))*[ \t\"']*(?P<secret>\d{3,4})(?!\w)", re.I
)


def _cards(text: str, low: str) -> Iterator[Found]:
    if not any(word in low for word in _CARD_WORDS) and "curan" not in low and "security code" not in low:
        return
    for match in _CARD().finditer(text):
        digits = re.sub(r"\D", "", match[0])
        near = low[max(0, match.start() - 80) : match.end() + 60]
        if 13 <= len(digits) <= 19 and digits[0] in "23456" and any(word in near for word in _CARD_WORDS):
            yield "card-number", match.start(), match.end()
    for match in _CARD_CODE().finditer(text):
        yield "card-code", match.start("secret"), match.end("secret")


# --- keys in groups: licences, authenticators ----------------------------------------------------------------

_SETUP = Lazy(r"(?<![A-Za-z0-9])(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{4}(?![A-Za-z0-9])")
_SETUP_NEAR = ("setup", "set-up", "authenticator", "2fa", "totp", "otp", "mfa", "two-factor", "autentica", "configura", "secret", "dois fat", "duas etapas", "two factor", "manual")
_LICENCE = Lazy(r"(?<![A-Za-z0-9-])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}(?![A-Za-z0-9-])")
_LICENCE_NEAR = ("licen", "product key", "activation", "serial key", "cd key", "produto", "ativa\u00e7", "activa\u00e7", "registration key", "unlock", "recovery", "recupera", "bitlocker", "filevault", "chave")


def _groups(text: str, low: str) -> Iterator[Found]:
    if any(word in low for word in _SETUP_NEAR):
        for match in _SETUP().finditer(text):
            groups = re.split("[ -]", match[0])
            if sum(digits_in(group) for group in groups) >= 2 and any(word in low[max(0, match.start() - 160) : match.start()] for word in _SETUP_NEAR):
                yield "totp-seed", match.start(), match.end()
    if any(word in low for word in _LICENCE_NEAR):
        for match in _LICENCE().finditer(text):
            if any(c.isdigit() for c in match[0]) and any(word in low[max(0, match.start() - 80) : match.start()] for word in _LICENCE_NEAR):
                yield "license-key", match.start(), match.end()
