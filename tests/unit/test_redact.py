"""Secrets are replaced, of every kind that we know; prose about keys and passwords stays as it is.

No key-like literal stands here: each is put together from its provider's beginning and a filler.
"""

from __future__ import annotations

import pytest

from privacy import own_cases
from silo.text.redact import redact
from silo.text.secrets import RULES

ALNUM = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ" * 4
HEX = "0123456789abcdef" * 6
UPPER = "A2B3C4D5E6F7G2H3" * 4
JWT = ".".join(["eyJ" + ALNUM[:20], "eyJ" + ALNUM[5:40], ALNUM[:30]])
DASH = "-" * 5


def key(head: str, size: int, fill: str = ALNUM) -> str:
    return head + fill[:size]


FORMED = [
    ("anthropic-key", key("sk-" + "ant-api03-", 60)),
    ("openai-key", key("sk-" + "proj-", 60)),
    ("openai-key", key("sk-" + "svcacct-", 60)),
    ("openai-key", key("sk-", 48)),
    ("openrouter-key", key("sk-" + "or-v1-", 64, HEX)),
    ("langchain-key", key("lsv2" + "_pt_", 40)),
    ("aws-key", key("AKI" + "A", 16, UPPER)),
    ("aws-key", key("ASI" + "A", 16, UPPER)),
    ("github-token", key("ghp" + "_", 36)),
    ("github-token", key("ghs" + "_", 36)),
    ("github-token", key("github" + "_pat_", 82)),
    ("gitlab-token", key("glpat" + "-", 20)),
    ("slack-token", key("xox" + "b-", 40)),
    ("slack-token", key("xapp" + "-", 40)),
    ("masked", key("sk-", 3) + "…" + ALNUM[4:8]),
    ("slack-webhook", "https://hooks.slack" + ".com/services/" + ALNUM[:40]),
    ("discord-webhook", "https://discord" + ".com/api/webhooks/123456789012345678/" + ALNUM[:60]),
    ("discord-token", "M" + ALNUM[:23] + "." + ALNUM[:6] + "." + ALNUM[:27]),
    ("google-key", key("AIz" + "a", 35)),
    ("google-oauth", key("GOCSPX" + "-", 28)),
    ("google-oauth", key("ya29" + ".", 60)),
    ("stripe-key", key("sk_" + "live_", 24)),
    ("stripe-key", key("rk_" + "live_", 24)),
    ("stripe-key", key("whsec" + "_", 32)),
    ("npm-token", key("npm" + "_", 36)),
    ("hugging-face-token", key("hf" + "_", 34)),
    ("telegram-bot-token", "1234567890:" + key("AA", 33)),
    ("sendgrid-key", "SG" + "." + ALNUM[:22] + "." + ALNUM[:43]),
    ("twilio-key", key("S" + "K", 32, HEX)),
    ("mailgun-key", key("key" + "-", 32, HEX)),
    ("mailchimp-key", HEX[:32] + "-us" + "21"),
    ("brevo-key", key("xkeysib" + "-", 64, HEX) + "-" + ALNUM[:16]),
    ("resend-key", key("re" + "_", 8) + "_" + ALNUM[:24]),
    ("pypi-token", key("pypi" + "-AgEIcHlwaS5vcmc", 60)),
    ("docker-token", key("dckr" + "_pat_", 27)),
    ("digitalocean-token", key("dop" + "_v1_", 64, HEX)),
    ("heroku-key", key("HRKU" + "-", 60)),
    ("shopify-token", key("shpat" + "_", 32, HEX)),
    ("square-token", key("sq0" + "atp-", 22)),
    ("meta-token", key("EA" + "A", 90)),
    ("linear-key", key("lin" + "_api_", 40)),
    ("notion-token", key("ntn" + "_", 46)),
    ("airtable-token", "pat" + ALNUM[:14] + "." + HEX[:64]),
    ("figma-token", key("figd" + "_", 40)),
    ("databricks-token", key("dap" + "i", 32, HEX)),
    ("vault-token", key("hvs" + ".", 90)),
    ("terraform-token", ALNUM[:14] + ".atlas" + "v1." + ALNUM[:67]),
    ("grafana-token", key("glsa" + "_", 41)),
    ("new-relic-key", key("NRAK" + "-", 27)),
    ("sentry-token", key("sntrys" + "_", 80)),
    ("postman-key", key("PMAK" + "-", 59)),
    ("doppler-token", key("dp" + ".pt.", 43)),
    ("groq-key", key("gsk" + "_", 52)),
    ("xai-key", key("xai" + "-", 80)),
    ("perplexity-key", key("pplx" + "-", 48)),
    ("replicate-token", key("r8" + "_", 37)),
    ("nvidia-key", key("nvapi" + "-", 64)),
    ("tavily-key", key("tvly" + "-", 32)),
    ("firecrawl-key", key("fc" + "-", 32, HEX)),
    ("elevenlabs-key", key("sk" + "_", 48, HEX)),
    ("supabase-key", key("sbp" + "_", 40, HEX)),
    ("planetscale-token", key("pscale" + "_tkn_", 43)),
    ("neon-key", key("napi" + "_", 64)),
    ("fly-token", key("fo1" + "_", 43)),
    ("tailscale-key", key("tskey" + "-auth-", 40)),
    ("atlassian-token", key("ATAT" + "T3", 80)),
    ("dropbox-token", key("sl" + ".", 60)),
    ("contentful-token", key("CFPAT" + "-", 43)),
    ("sonar-token", key("sqp" + "_", 40, HEX)),
    ("mapbox-token", "sk" + ".eyJ" + ALNUM[:40] + "." + ALNUM[:22]),
    ("pulumi-token", key("pul" + "-", 40, HEX)),
    ("rubygems-key", key("rubygems" + "_", 48, HEX)),
    ("age-key", key("AGE-SECRET" + "-KEY-1", 58, UPPER)),
    ("azure-secret", "AccountName=x;Account" + "Key=" + ALNUM[:86] + "==;"),
    ("azure-secret", ALNUM[:3] + "8" + "Q~" + ALNUM[:34]),
    ("jwt", JWT),
    ("private-key", f"{DASH}BEGIN RSA PRIVATE KEY{DASH}\n{ALNUM}\n{ALNUM}\n{DASH}END RSA PRIVATE KEY{DASH}"),
    ("private-key", f"{DASH}BEGIN OPENSSH PRIVATE KEY{DASH}\n{ALNUM}"),
    ("wireguard-key", "Private" + "Key = " + ALNUM[:43] + "="),
    ("url-password", "postgres://app:" + "tiger7lily" + "@db.example.org:5432/app"),
    ("url-token", "https://example.org/hook?access_" + "token=" + ALNUM[:24]),
    ("auth-header", "curl -H 'Authorization: Bearer " + ALNUM[:32] + "' x"),
    ("auth-header", "X-Api-" + "Key: " + ALNUM[:20]),
]

WORD = "tiger" + "7lily"  # a made-up value that no list holds
STATED = [
    ("password", "my password is {}", WORD),
    ("password", "The wifi password at the cabin is {}.", WORD),
    ("password", "password: {}", "kestrel"),
    ("password", "the password is {}", "marshmallow"),
    ("password", "Password = {}", WORD),
    ("password", "password for the router -> {}", "qwe!rty"),
    ("password", "I changed the password to {} yesterday", WORD),
    ("password", "the wifi password's {}", WORD),
    ("password", 'the passphrase is "{}"', "blue horse seven lamps"),
    ("password", "new passcode: {}", "90210"),
    ("password", "a senha do wifi é {}", "girassol" + "77"),
    ("password", "senha: {}", "girassol"),
    ("password", "SSID Estudio, senha {}", "pandeiro" + "2026"),
    ("password", "a senha do banco agora é {}.", "Lua" + "Nova9"),
    ("password", "a palavra-passe é {}", "Outono" + "2019"),
    ("password", "troquei a senha, mudou para {}", WORD),
    ("password", "login ana, senha {}", WORD),
    ("password", "DB_" + "PASSWORD={}", WORD),
    ("pin", "my PIN is {}", "4821"),
    ("pin", "o PIN do cartão é {}", "4821"),
    ("pin", "PIN {}", "992211"),
    ("pin", "pin: {}", "7731"),
    ("code", "the alarm code is {}", "4821#"),
    ("code", "código do portão: {}", "4521"),
    ("code", "safe combination: {}", "12-34-56"),
    ("api-key", "the API key is {}", ALNUM[:24]),
    ("api-key", "a chave da API é {}", ALNUM[:20]),
    ("api-key", "client secret: {}", ALNUM[:16]),
    ("api-key", "export WEATHER_API_" + "KEY={}", ALNUM[:20]),
    ("api-key", '{{"client_' + 'secret": "{}"}}', ALNUM[:16]),
    ("api-key", "the token for the bot is {}", ALNUM[:20]),
    ("seed-phrase", "seed phrase: {}", "lamp horse blue seven tree moon river stone bread chair green mouse"),
]


@pytest.mark.parametrize(("kind", "secret"), FORMED, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(FORMED)])
def test_a_key_of_this_form_is_replaced(kind: str, secret: str) -> None:
    clean, found = redact(f"Here it is: {secret} and keep it")
    assert [one.kind for one in found] == [kind]
    assert f"[REDACTED:{kind}]" in clean
    assert ALNUM[:20] not in clean
    assert clean.startswith("Here it is: ")
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize(("kind", "sentence", "secret"), STATED, ids=[sentence for _, sentence, _ in STATED])
def test_a_stated_secret_is_replaced(kind: str, sentence: str, secret: str) -> None:
    clean, found = redact(sentence.format(secret))
    assert clean == sentence.format(f"[REDACTED:{kind}]")
    assert [one.kind for one in found] == [kind]
    assert redact(clean) == (clean, ())


PROSE = """
The password is required.
My password is the same as before.
The password is wrong, try again.
I forgot my password again
the password is in the vault
The password is stored in 1Password.
password reset link expired
Please change your password every year.
The password must have 12 characters.
password: see the shared note
The wifi password is on the fridge.
passwords are hashed with bcrypt
The password is case-sensitive
Password is too short
We use SHA256 for password hashing.
the password field is empty
Is the password still valid?
What is the wifi password?
never put a password into the repo
The password policy changed to something stricter
I need to add a password to the router
the password is now optional
The token is expired.
The token is missing
the API key is invalid
API keys are rotated every 90 days
We pay per token.
The token limit is 128000 tokens.
the context holds 8192 tokens
Store the API key in the environment.
API key: optional
api key -> see docs
The API key belongs to the staging account.
The key is under the mat.
The key is to listen.
The key to the cellar hangs in the hall.
Patience is the key: wait.
the secret is patience
The secret ingredient is cinnamon.
It's no secret: I like tea.
the secret is two cups of flour
The access key is kept by Ana.
the private key is on the yubikey
secret santa is on the 12th
my PIN arrived by post
The PIN is four digits long.
pin the message, please
GPIO pin 13 is broken
pin 4 goes to ground
Pinned 3 messages
the alarm code changed
I gave Ana the door code yesterday.
The door code is on the card
the area code is 020
The postal code is 1200-195.
the dress code is casual
the error code is 404
exit code: 0
status code 500
The QR code is on the ticket.
code review is on Friday
The discount code is on the flyer
a senha é obrigatória
A senha está errada.
esqueci a senha de novo
a senha do wifi é a mesma de sempre
a senha é muito fraca
Preciso trocar a senha do banco.
a senha fica com a Ana
qual é a senha do wifi?
a senha expirou
a senha é secreta
guardei a senha no cofre
a chave está debaixo do tapete
a chave do carro é nova
A chave da API expirou.
o segredo é a paciência
o código do projeto é aberto
O código postal é 1200-195.
o token venceu ontem
a palavra-chave é consistência
The meeting is at 10:30 in room 4B.
My flight is TP1234 on 3 May.
The invoice is 2026/0042.
Order number: 9938-2211-7
The serial is C-5512.
IBAN details are with the accountant
Commit 3f786850e387550fdab836ed7e6d890de3c6f9b1 fixed it.
The id is 2388c5e3-b51c-423e-a5fa-ae330875e391.
https://example.org/reset?lang=en&page=2
See https://github.com/acme/token-tools/blob/main/README.md
git@github.com:acme/secrets.git
ssh robin@192.168.1.10 -p 2222
postgres://localhost:5432/app
The file is /srv/keys/readme.txt
set PASSWORD=$DB_PASSWORD in the shell
export TOKEN=<your token>
token: ${API_TOKEN}
password: ********
api_key=your-key-here
password = os.environ["DB_PASSWORD"]
def get_token(user): return cache[user]
if token is None: raise ValueError
const password = process.env.PASSWORD
The passkey prompt appears twice.
Turnkey projects are expensive
The keyboard is a Keychron K8.
monkeys, donkeys and turkeys
Passed the exam with 18 points!
I passed 2FA setup
compass bearing 270
Author: Ana; authorised by Bob
The bearer of the ticket may enter.
Sign in with Google, no password needed.
The seed phrase is in the safe.
The recovery code is printed and in the drawer.
sk- is how such keys begin, and ghp_ the others
keys that begin with AKIA belong to AWS
A JWT has three parts, joined by dots.
""".strip().split("\n")


@pytest.mark.parametrize("text", PROSE)
def test_prose_about_keys_stays(text: str) -> None:
    assert redact(text) == (text, ())


def test_the_cases_are_enough() -> None:
    assert len(FORMED) + len(STATED) >= 60
    assert len({kind for kind, *_ in FORMED}) >= 40
    assert len(PROSE) >= 100
    tried = {kind for kind, *_ in FORMED}
    tried |= {redact(case.text)[1][0].kind for case in own_cases()}
    rare = {"brave-key", "ntfy-token", "typeform-token", "onepassword-token", "render-key", "circleci-token", "buildkite-token", "dynatrace-token", "hubspot-token", "cerebras-key",
            "together-key", "easypost-key", "flutterwave-key", "bedrock-key", "artifactory-token", "voyage-key"}  # fmt: skip
    assert {rule.kind for rule in RULES} - tried <= rare


def test_findings_say_where_in_the_text_as_given() -> None:
    text = f"a {FORMED[0][1]} b {FORMED[8][1]}"
    _, found = redact(text)
    assert [(one.kind, text[one.start : one.end]) for one in found] == [FORMED[0], FORMED[8]]


def test_several_secrets_in_one_line() -> None:
    clean, found = redact(f"wifi password is {WORD}, PIN 4821, key {FORMED[8][1]}")
    assert clean == "wifi password is [REDACTED:password], PIN [REDACTED:pin], key [REDACTED:github-token]"
    assert len(found) == 3


def test_a_random_string_counts_only_beside_such_a_word() -> None:
    random = "Zk3vQ9xLr7TmB2nW5yHd"
    assert redact(f"the webhook signing secret, {random}")[0] == "the webhook signing secret, [REDACTED:secret]"
    assert redact(f"the file {random}.png is mine")[0] == f"the file {random}.png is mine"


@pytest.mark.parametrize("text", ["A" * 700_000, "password " * 60_000, "password_" * 60_000, "://" * 100_000, "key-" * 100_000, "a.b" * 100_000])
def test_long_hostile_text_is_no_trap(text: str) -> None:
    assert redact(text)[0].count("\n") == 0


def test_addresses_one_behind_the_other_are_all_replaced_at_once() -> None:
    text = "ab://user:" + "pw1" + "@cd://user:" + "pw2" + "@ef://user:" + "pw3" + "@host"
    clean, found = redact(text)
    assert len(found) == 3
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize("mask", ["sk-Zq7…7Zq7", "ghp_ab…9f3d", "AIzaSy…x9Q2", "Tr0ub4…r&3!", "0f3a9c…1b2e", "sk-...aB3d", "sk-proj-Zq7...7Zq7"])
@pytest.mark.parametrize("around", ["The tide service's API key is {}.", "A chave é {}, e mais nada.", "TOKEN={}", '"{}"', "({})"])
def test_what_a_program_has_masked_before_us_is_no_value_either(mask: str, around: str) -> None:
    clean, found = redact(around.format(mask))
    assert clean == around.format("[REDACTED:masked]")
    assert [one.kind for one in found] == ["masked"]
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize(
    "prose",
    ["before…then we go", "step-1…done", "day-12…next", "keys begin with sk-… and sk-...", "sk-...xxxx", "v1.2.3…then", "in 2024…2025 we", "wait...what 3", "então…isto", "às 18h30…2 vezes"],
)  # fmt: skip
def test_prose_with_dots_is_no_mask(prose: str) -> None:
    assert redact(prose) == (prose, ())
