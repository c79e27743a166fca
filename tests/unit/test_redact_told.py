"""Secrets as people tell them: in tables, by voice, in lists, in a shell; and what is written of secrets and stays.

Each value is made up when the test runs or is plainly none.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from silo.text.redact import redact

SOURCE = random.Random(5)
WORDS = ["lantern", "copper", "orchard", "mellow", "drift", "pocket", "ember", "walnut", "harbor", "quilt", "saddle", "violet", "thimble", "anchor", "meadow", "puzzle", "cactus", "glide", "ribbon", "tunnel", "sketch", "marble", "velvet", "whisper"]
CASES: list[tuple[str, tuple[str, ...]]] = []


def some(letters: str, size: int) -> str:
    return "".join(SOURCE.choice(letters) for _ in range(size))


def hx(size: int) -> str:
    return some("0123456789abcdef", size)


def b32(size: int) -> str:
    return some("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", size - 1) + "7"


def c(size: int) -> str:
    return some("0123456789", size)


def seed(size: int) -> str:
    return " ".join(SOURCE.sample(WORDS, size))


def s(text: str, *values: str) -> None:
    """A case; an address is put together here, so that no scanner takes it for a real one."""
    CASES.append((text.replace("{U}", ":" + "//"), values))


h = hx(32)
s(f"| Twilio | AC{hx(32)} | auth token | {h} |", h)
h = "aab0" * 8
s(f"| Service | Account SID | Auth Token |\n|---|---|---|\n| SMS | AC{hx(32)} | {h} |", h)
h = "11ab" * 8
s(f"| Campo | Valor |\n|---|---|\n| Account SID | AC{hx(32)} |\n| Auth token | {h} |", h)
h = hx(32)
s(f"| serviço | SID / auth token |\n|---|---|\n| SMS | AC{hx(32)} / {h} |", h)
h = "0a0a0b1b" * 4
s(f"o auth token da conta de SMS AC{hx(32)} fica {h}", h)
h = "0a0a0b1b" * 4
s(f"| auth token | SID |\n|:-:|:-:|\n| `{h}` | AC{hx(32)} |", h)
h = hx(32)
s(f"| SMS gateway | AC{hx(32)} | {h} (auth token) |", h)
h = hx(32)
s(f"| What | Token de autenticação |\n|--|--|\n| SMS | {h} |", h)
for n in (12, 15, 18, 21, 24):
    x = seed(n)
    s(f"The cold wallet is {x}.", x)
    x = seed(n)
    s(f"if I ever lose the ledger, the recovery words go {x}, in that order", x)
    x = seed(n)
    s(f"| carteira | {x} |\n", x)
x = seed(12)
s(f"As palavras da carteira fria são, por ordem, {x}", x)
x = seed(12)
s(f"| Item | Valor |\n|---|---|\n| cold wallet | {x} |\n| router | sala |", x)
x = seed(24)
s(f"| nome | nota |\n|---|---|\n| Trezor seed | {x} |", x)
x = ", ".join(seed(12).split())
s(f"para restaurar a carteira diz: {x}", x)
x = seed(12)
s(f"my seed, say it slowly: {x} and that's all twelve", x)
x = seed(12)
s(f"ok so the wallet seed in order {x} got it?", x)
x = seed(12)
s(f"seed da metamask do avô {x}", x)
x = seed(12)
s(f"write down the recovery phrase for me, it starts {x}", x)
x = " ".join(f"{i}) {w}" for i, w in enumerate(seed(12).split(), 1))
s(f"hardware wallet words {x}", x)
x = seed(12)
s(f"Wallet backup\n\n{x}\n", x)
s("the tablet password it's capital Lantern4two", "Lantern4two")
s("tablet password it's capital K then oslo77", "oslo77")
s("the laptop password, um, it's Brasa77korin", "Brasa77korin")
s("the password for the nas is uh all lower case moinho44velho", "moinho44velho")
s("a senha do tablet é, deixa ver, maiúscula Moinho44velho", "Moinho44velho")
s("a palavra-passe do portátil, portanto, é tudo minúsculas gaivota19mar", "gaivota19mar")
s("password of the old imac so it's capital B, b as in bravo, Brisket91", "Brisket91")
s("a senha do computador é assim: pêssego8verde tudo junto", "pêssego8verde")
s("the wifi password right it's all one word quiltsaddle88", "quiltsaddle88")
s("the tablet password it's capital Orchardmellow exclamation mark", "Orchardmellow")
s("SQLALCHEMY_DATABASE_URI=postgresql+psycopg2{U}ledger:p$$x9Kq@db.local/app", "p$$x9Kq")
s("engine = create_engine('mysql+pymysql{U}root:S3$$nha{x}@10.0.0.4/loja')", "S3$$nha{x}")
s("mssql+pyodbc{U}sa:Q!w2<e>3@sql01/erp?driver=ODBC+Driver", "Q!w2<e>3")
s("a ligação é oracle+cx_oracle{U}fin:k9#Zt/7m@ora.interno:1521/x", "k9#Zt/7m")
s("url: postgresql+asyncpg{U}svc:a@b$$9kL@pg.example/db", "a@b$$9kL")
s("redis{U}:h'ol\"a77$$@cache:6379/0", "h'ol\"a77$$")
s("mongodb+srv{U}app:$$Zebra41@cluster0.x.example/prod", "$$Zebra41")
s("CHAVE_MESTRA=moinhovelho", "moinhovelho")
s("SEGREDO_JWT=brasa-korin-lume-7", "brasa-korin-lume-7")
s("export SENHA_BD=gaivotas", "gaivotas")
s("PALAVRA_PASSE_SMTP=Korin71", "Korin71")
s("TOKEN_FATURAS=fx-9921-korin-aa", "fx-9921-korin-aa")
s("CHAVE_API_PAGAMENTOS=kp55moinho02azul", "kp55moinho02azul")
s("SENHA=lobo-mau-77", "lobo-mau-77")
s("BD_PALAVRA_PASSE: 'duna calma 8'", "duna calma 8")
s("CHAVE_CIFRA=Zm9vYmFyMTIzNDU2", "Zm9vYmFyMTIzNDU2")
s("  - SEGREDO_SESSAO=umbral99portal", "umbral99portal")
s("SENHA_ROOT=abc12345", "abc12345")
s("| Rede | Casa |\n|---|---|\n| Wifi password | moon+river+77 |", "moon+river+77")
s("| wifi | |\n|--|--|\n| SSID | Toca |\n| Senha do wifi | lua+mar |", "lua+mar")
s("| Password wifi | lua+mar+sol |", "lua+mar+sol")
s("| SSID | Den |\n| Wi-Fi password | fox+hen |", "fox+hen")
s("| **Wifi password** | `fox+hen2` |", "fox+hen2")
s("SSID\tToca\nSenha\tlua+mar22", "lua+mar22")
s("| wifi | Toca |\n| palavra-passe | lua+mar22 |", "lua+mar22")
cs = [c(8) for _ in range(6)]
s("GitHub backup codes:\n" + "\n".join(f"{i}. {x}" for i, x in enumerate(cs, 1)), *cs)
cs = [c(4) + " " + c(4) for _ in range(5)]
s("my one-time backup codes are " + ", ".join(cs[:-1]) + " and " + cs[-1] + ".", *cs)
cs = [c(4) + " " + c(4) for _ in range(5)]
s("Códigos de recuperação do Google:\n" + "\n".join(f"{i}) {x}" for i, x in enumerate(cs, 1)), *cs)
cs = [c(4) + " " + c(4) for _ in range(4)]
s("os códigos de backup da conta Google são " + ", ".join(cs[:-1]) + " e " + cs[-1], *cs)
cs = [c(4) + "-" + c(4) for _ in range(4)]
s("Backup codes (2FA), each works once:\n\n" + "\n".join(f"- {x}" for x in cs), *cs)
cs = [c(4) + " " + c(4) for _ in range(4)]
s("guarda estes códigos de uso único: " + "; ".join(cs), *cs)
cs = [hx(5) + "-" + hx(5) for _ in range(4)]
s("recovery codes for the forge\n\n" + "\n".join(f"{i}. `{x}`" for i, x in enumerate(cs, 1)), *cs)
cs = [c(4) + " " + c(4) for _ in range(4)]
s("these are the backup codes for the mail account, " + ", then ".join(cs), *cs)
cs = [c(8) for _ in range(4)]
s("one-time codes to get in without the phone: " + " ".join(cs), *cs)
cs = [c(4) + " " + c(4) for _ in range(4)]
s("1. " + "\n2. ".join(cs) + "\nthose are the backup codes for google", *cs)
cs = [c(4) + " " + c(4) for _ in range(4)]
s("códigos de reserva do Google, um por linha\n" + "\n".join(cs), *cs)
b = b32(16)
s(f"oathtool --totp -b {b}", b)
b = b32(32)
s(f'run `oathtool -b --totp "{b}"` to get in', b)
b = b32(16).lower()
s(f"oathtool --base32 --totp {b}", b)
b = b32(16)
s(f"totp-cli add --secret={b} mail", b)
b = b32(16)
s(f"ykman oath accounts add mail {b}", b)
b = b32(16)
s(f"o código sai com oathtool --totp=sha1 -b {b} no terminal", b)
b = hx(32)
s(f"oathtool --totp {b}", b)
b = b32(16)
s(f"gauth -s {b}", b)
b = b32(16)
s(f"pass otp insert --secret {b} mail", b)
b = "JBSW Y3DP EHPK 3PXP"
s(f"oathtool -b --totp '{b}'", b)
b = b32(16)
s(f"authenticator secret {b}", b)
s("alarm code is 2 9 5 8", "2 9 5 8")
s("to disarm the alarm at the shop enter 48213", "48213")
s("To disarm, enter 4821 and press hash", "4821")
s("para desarmar o alarme da loja marca 50917", "50917")
s("the side door, press 2 9 5 8 and the star", "2 9 5 8")
s("o código da porta das traseiras é 7 1 0 4", "7 1 0 4")
s("para abrir o portão digita 7 1 0 4 e cardinal", "7 1 0 4")
s("the gate opens with 3-3-9-1", "3-3-9-1")
s("para desligar o alarme introduz o 20938", "20938")
s("front door keypad 5 5 0 2 then the key sign", "5 5 0 2")
s("the code for the garden door, 2 9 5 8, changes in May", "2 9 5 8")
s("o alarme desativa-se com 8 3 3 0", "8 3 3 0")

PROSE = [
    "ghp_" + "x" * 36,
    "token: ghp_" + "*" * 20,
    "GITHUB_TOKEN=ghp_" + "X" * 36,
    "sk-" + "x" * 30,
    "AKIA" + "X" * 16,
    "xoxb-" + "x" * 24,
    "amqp://guest:guest@localhost:5672/",
    "the default is amqp://guest:guest@localhost",
    "postgres://postgres:postgres@127.0.0.1:5432/db",
    "redis://default:default@localhost:6379",
    "DB_PASSWORD=${DB_PASSWORD:?must be set}",
    'password: "${SMTP_PASSWORD:-}"',
    "postgres://app:${DB_PASSWORD:?must be set}@db/app",
    "TOKEN=${TOKEN:?set TOKEN first}",
    "postgresql+psycopg2://app:$DB_PASS@db/app",
    "mysql+pymysql://u:%(password)s@h/db",
    "const password = req.body.password;",
    "user.password = bcrypt.hash(password, 12)",
    "user.password = await bcrypt.hash(password, 12);",
    "let token = request.headers['x-token']",
    "password = os.environ['DB_PASSWORD']",
    "const secret = config.get('jwt.secret')",
    "self.password = password",
    "$senha = $_POST['senha'];",
    "senha = input('Senha: ')",
    "token = response.json()['access_token']",
    "const token = getToken(user);",
    "const { password } = req.body;",
    "password = form.cleaned_data['password1']",
    "this.apiKey = options.apiKey ?? process.env.API_KEY;",
    "Authorization: Bearer YOUR_TOKEN",
    "Authorization: Bearer YOUR_API_TOKEN_HERE",
    "-H 'Authorization: Bearer MY_TOKEN'",
    "Authorization: Bearer EXAMPLE_TOKEN",
    "Authorization: Token MY_API_KEY",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "Senha: mínimo 8 caracteres",
    "Password: minimum 8 characters",
    "Password: at least 12 characters, one symbol",
    "Senha: mínimo de 10 caracteres com um número",
    "Palavra-passe: entre 8 e 64 caracteres",
    "Password: 8-64 characters",
    "PIN: 4 dígitos",
    "Senha: pelo menos 12 caracteres",
    "The wallet app shows twelve words at setup, write them on paper and keep them offline.",
    "A carteira dele ficou no carro ontem à noite com os documentos todos dentro.",
    "my wallet was on the kitchen table next to the keys and the old phone this morning",
    "Use mysql+pymysql://user:password@host/db in the docs",
    "dialect+driver://username:password@host:port/database",
    "| Field | Type |\n|---|---|\n| password | string |\n| token | varchar |",
    "| password | required |",
    "| auth token | header |",
    "| wallet | Ledger Nano |",
    "| Senha | obrigatória |",
    "TOKEN_TTL=3600",
    "SENHA_MINIMA=8",
    "CHAVE_PRIMARIA=id",
    "TOKEN_EXPIRA_EM=30d",
    "CHAVE=valor",
    "MAX_TOKENS=4096",
    "CHAVE_ESTRANGEIRA=cliente_id",
    "to disarm the situation we entered 3 talks",
    "enter 12345 in the order field",
    "the door measures 2 x 5",
    "phase 2 9 5 points",
    "the gate 12 to Porto boards at 18 20",
    "press 1 2 or 3 in the phone menu",
    "oathtool --totp -b SECRET",
    "oathtool --totp -b $SECRET",
    "use oathtool to make codes",
    "the alarm went off at 2 30 and at 4 15",
    "the backup codes are in the safe, 10 of them",
    "postal codes: 4000 1200, 4100 2210",
    "we ran the backup at 0400 and again at 1600",
    "error codes: 4001, 4002",
    "opens with 2 3 4 screws",
    "chapters 1 2 3 4 of the door book",
    "the password it's in the vault",
    "a senha é assim tão difícil?",
    "the password is uh somewhere",
    "the wifi password it's on the fridge",
    "o token expira em 3600",
    "the password, it's changed every month",
]


@pytest.mark.parametrize(
    ("text", "values"), CASES, ids=[f"{n}-{text[:24]!r}" for n, (text, _) in enumerate(CASES)]
)
def test_what_is_told_so_is_replaced(text: str, values: tuple[str, ...]) -> None:
    clean, found = redact(text)
    assert found
    for value in values:
        words = value.split()
        pairs = [f"{one} {other}" for one, other in pairwise(words)]
        assert [piece for piece in (value, *pairs) if piece in clean] == []
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize("text", PROSE)
def test_what_is_said_of_secrets_stays(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize("text", ["backup codes 1234 5678, " * 2000, "wallet lantern " * 3000, "password it is so " * 2000, "door enter 2 9 " * 2000, "a://b:c" * 4000])
def test_long_hostile_text_is_no_trap(text: str) -> None:
    assert redact(text)[0].count("\n") == 0


def test_a_value_that_is_cut_before_its_quote_ends_is_replaced() -> None:
    clean = redact(f"\"search('APP', {{ adminApiKey: '{hx(21)}\" can't name a topic")[0]
    assert clean.endswith("[REDACTED:api-key]\" can't name a topic")
