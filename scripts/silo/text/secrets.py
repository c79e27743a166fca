"""The table of secrets that show by their form: provider prefixes, JWT, private key blocks, URLs with credentials.

A rule's pattern runs only where one of its literals stands in the text. Forms follow the providers' documents and what
public scanners look for. What shows only by what is said of it ("the password is …") is `stated`'s part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.lazy import Lazy


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """`kind` in kebab case; the secret is group 1, or the whole match where the pattern has no group."""

    kind: str
    literals: tuple[str, ...]
    pattern: Lazy


_L, _R = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"


def _rule(kind: str, pattern: str, *literals: str, flags: int = 0) -> Rule:
    return Rule(kind, literals, Lazy(pattern, flags))


def _token(kind: str, body: str, *prefixes: str) -> Rule:
    """A token of fixed beginnings and a body, with no letter or digit before it and none after it."""
    heads = "|".join(re.escape(prefix) for prefix in prefixes)
    return Rule(kind, prefixes, Lazy(rf"{_L}(?:{heads}){body}{_R}"))


_W = r"[A-Za-z0-9_-]"
_A = r"[A-Za-z0-9]"
_H = r"[0-9a-f]"

# What is left of a secret that a program has masked before us: its first signs, an ellipsis, its last four. No word of prose.
_LAST = r"(?![xX]{4})(?![A-Z]?[a-z]{3,4}(?!\w))[^\s…\"'`)\]>]{4}(?![\w…])"
_FIRST = r"(?:sk-|sk_|pk_|rk_|gsk_|gh[a-z]_|github_|glpat-|xox[a-z]-|AKIA|AIza|hf_|npm_|eyJ)[A-Za-z0-9_-]{0,12}"
_MASKED = rf"(?<![^\s\"'`(\[<=:,])(?=.{{0,10}}\d)(?=.{{0,10}}[A-Za-z])[^\s…\"'`(\[<]{{6}}…{_LAST}|(?<!\w){_FIRST}(?:…|\.{{3}}){_LAST}"

RULES: tuple[Rule, ...] = (
    _token("anthropic-key", _W + "{20,}", "sk-ant-"),
    _token("openrouter-key", _W + "{20,}", "sk-or-"),
    _token("langchain-key", _W + "{20,}", "lsv2_pt_", "lsv2_sk_"),
    _token("openai-key", _W + "{20,}", "sk-proj-", "sk-svcacct-", "sk-admin-"),
    _token("openai-key", _A + "{24,}", "sk-"),
    _token("aws-key", "[A-Z2-7]{16}", "AKIA", "ASIA", "ABIA", "ACCA"),
    _token("github-token", _A + "{30,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _token("github-token", "[A-Za-z0-9_]{40,}", "github_pat_"),
    _token("gitlab-token", "[A-Za-z0-9_.-]{18,}", "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "gloas-", "glsoat-", "glft-"),
    _token("slack-token", _W + "{10,}", "xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-"),
    _rule("slack-webhook", r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})", "hooks.slack.com/"),
    _rule("discord-webhook", r"discord(?:app)?\.com/api/webhooks/(\d+/[A-Za-z0-9_-]{30,})", "/api/webhooks/"),
    _rule("discord-token", _L + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}", "."),
    _token("google-key", _W + "{35}", "AIza"),
    _token("google-oauth", _W + "{20,}", "GOCSPX-", "ya29.", "1//0"),
    _token("stripe-key", _A + "{16,}", "sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"),
    _token("npm-token", _A + "{36}", "npm_"),
    _token("hugging-face-token", _A + "{30,}", "hf_", "api_org_"),
    _rule("telegram-bot-token", r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}" + _R, ":AA"),
    _token("sendgrid-key", r"[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}", "SG."),
    _token("twilio-key", _H + "{32}", "SK"),
    _token("mailgun-key", r"[0-9a-z]{32}", "key-"),
    _rule("mailchimp-key", _L + r"[0-9a-f]{32}-us\d{1,2}" + _R, "-us"),
    _token("brevo-key", r"[0-9a-f]{40,}-\w{10,}", "xkeysib-"),
    _token("resend-key", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}", "re_"),
    _token("pypi-token", _W + "{40,}", "pypi-AgE", "pypi-AgN"),
    _token("docker-token", _W + "{20,}", "dckr_pat_", "dckr_oat_"),
    _token("digitalocean-token", _H + "{60,}", "dop_v1_", "doo_v1_", "dor_v1_"),
    _token("heroku-key", _W + "{30,}", "HRKU-"),
    _token("shopify-token", r"[0-9a-fA-F]{32}", "shpat_", "shpss_", "shpca_", "shppa_"),
    _token("square-token", _W + "{22,}", "sq0atp-", "sq0csp-", "sq0idp-"),
    _token("meta-token", _A + "{60,}", "EAA"),
    _token("linear-key", _A + "{30,}", "lin_api_", "lin_oauth_"),
    _token("notion-token", _A + "{40,}", "ntn_", "secret_"),
    _token("airtable-token", r"[A-Za-z0-9]{14}\.[0-9a-f]{60,}", "pat"),
    _token("figma-token", _W + "{30,}", "figd_", "figu_"),
    _token("databricks-token", _H + r"{32}(?:-\d)?", "dapi"),
    _token("vault-token", _W + "{24,}", "hvs.", "hvb.", "hvr."),
    _rule("terraform-token", _L + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{50,}", ".atlasv1."),
    _token("grafana-token", r"[A-Za-z0-9_+/=-]{30,}", "glsa_", "glc_"),
    _token("new-relic-key", _A + "{20,}", "NRAK-", "NRJS-", "NRII-"),
    _token("sentry-token", r"[A-Za-z0-9_+/=-]{40,}", "sntrys_", "sntryu_"),
    _token("postman-key", _W + "{30,}", "PMAK-"),
    _token("doppler-token", _A + "{38,}", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
    _token("groq-key", _A + "{30,}", "gsk_"),
    _token("xai-key", _A + "{40,}", "xai-"),
    _token("perplexity-key", _A + "{30,}", "pplx-"),
    _token("replicate-token", _A + "{30,}", "r8_"),
    _token("nvidia-key", _W + "{40,}", "nvapi-"),
    _token("tavily-key", _W + "{20,}", "tvly-"),
    _token("brave-key", _W + "{24,}", "BSA"),
    _token("firecrawl-key", _H + "{32}", "fc-"),
    _token("elevenlabs-key", _H + "{40,}", "sk_"),
    _token("supabase-key", _W + "{20,}", "sbp_", "sb_secret_"),
    _token("planetscale-token", r"[A-Za-z0-9_.=-]{30,}", "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
    _token("neon-key", _A + "{30,}", "napi_"),
    _token("fly-token", r"[A-Za-z0-9_+/=-]{30,}", "fo1_", "fm1_", "fm2_"),
    _token("tailscale-key", _W + "{16,}", "tskey-auth-", "tskey-api-", "tskey-client-"),
    _token("atlassian-token", r"[A-Za-z0-9_=-]{40,}", "ATATT3", "ATCTT3", "ATBB"),
    _token("dropbox-token", _W + "{40,}", "sl."),
    _token("contentful-token", _W + "{40,}", "CFPAT-"),
    _token("sonar-token", _H + "{40}", "squ_", "sqp_", "sqa_"),
    _token("mapbox-token", r"[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}", "sk.eyJ"),
    _token("pulumi-token", _H + "{40}", "pul-"),
    _token("rubygems-key", _H + "{48}", "rubygems_"),
    _token("typeform-token", _W + r"{40,}", "tfp_"),
    _token("onepassword-token", _W + "{60,}", "ops_eyJ"),
    _token("aliyun-key", _A + "{16,24}", "LTAI"),
    _token("wallet-key", r"[1-9A-HJ-NP-Za-km-z]{90,115}|[A-Za-z0-9]{100,112}", "xprv", "yprv", "zprv", "tprv"),
    _token("wallet-key", r"[02-9a-z]{50,62}", "nsec1"),
    _rule("wallet-key", _L + r"(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})" + _R, "5H", "5J", "5K", "K", "L"),
    _token("fireworks-key", _A + "{22,}", "fw_"),
    _token("jina-key", _A + "{40,}", "jina_"),
    _token("netlify-token", _A + "{30,}", "nfp_"),
    _token("ntfy-token", r"[a-z0-9]{29}", "tk_"),
    _token("render-key", _A + "{24,}", "rnd_"),
    _token("circleci-token", _W + "{30,}", "CCIPAT_", "CCIPRJ_"),
    _token("buildkite-token", _A + "{30,}", "bkua_"),
    _token("dynatrace-token", r"[A-Z0-9]{24}\.[A-Z0-9]{60,}", "dt0c01.", "dt0s01."),
    _token("hubspot-token", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "pat-na1-", "pat-eu1-"),
    _token("cerebras-key", _A + "{30,}", "csk-"),
    _token("together-key", _A + "{30,}", "tgp_v1_"),
    _token("easypost-key", _A + "{50,}", "EZAK", "EZTK"),
    _token("flutterwave-key", _A + "{20,}", "FLWSECK-", "FLWSECK_TEST-"),
    _token("bedrock-key", r"[A-Za-z0-9+/=]{60,}", "ABSK"),
    _token("artifactory-token", _A + "{60,}", "AKCp"),
    _token("voyage-key", _W + "{40,}", "pa-"),
    _rule("webhook", r"hooks\.zapier\.com/hooks/catch/([\w/-]{8,})", "hooks.zapier.com"),
    _rule("webhook", r"webhook\.office\.com/webhookb2/(\S{30,})", "webhook.office.com"),
    _rule("webhook", r"/(?:web)?hooks?\w*/(?:[\w-]+/)?((?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}(?:/[\w-]+)*)", "hook"),
    _rule("url-token", r"/(?:key|token|secret|apikey|api-key|access_token)s?/((?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,})", "/key", "/token", "/secret", "/api", "/access_token"),
    _token("age-key", r"[0-9A-Z]{50,}", "AGE-SECRET-KEY-1"),
    _rule("azure-secret", r"(?:(?:AccountKey|SharedAccessKey)=)([A-Za-z0-9+/]{40,}={0,2})", "AccountKey=", "SharedAccessKey="),
    _rule("azure-secret", r"[?&]sig=([A-Za-z0-9%+/=]{30,})", "sig="),
    _rule("azure-secret", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])", "Q~"),
    _rule("jwt", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}", "eyJ"),
    _rule("wireguard-key", r"(?:PrivateKey|PresharedKey)\s*=\s*([A-Za-z0-9+/]{43}=)", "PrivateKey", "PresharedKey"),
    _rule("url-token", r"[?&](?:access_token|api_?key|apikey|auth_?token|client_secret|refresh_token|id_token|session|auth|jwt|app_?id|app_?key|subscription-key|x-plex-token|token|key|secret|password|passwd|pwd|code)=([A-Za-z0-9_.~%+/-]{12,})", "="),
    _rule("auth-header", r"\b(?:Authorization|Proxy-Authorization)[\"']?\s*[:=]\s*[\"']?(?:Bearer|Basic|Token|ApiKey|Key|Bot|Negotiate|Digest|GenieKey)\s+([A-Za-z0-9_.~+/=-]{8,})", "uthorization", flags=re.I),
    _rule("auth-header", r"\bBearer\s+(?=[A-Za-z0-9_.~+/=-]*\d)([A-Za-z0-9_.~+/-]{20,}=*)", "Bearer", "bearer", flags=re.I),
    _rule("masked", _MASKED, "…", "..."),
    _rule("auth-header", r"\bX-(?:Api-Key|Auth-Token|Access-Token|Auth-Key|Vault-Token|Plex-Token)\s*:\s*([^\s\"']{8,})", "X-", "x-", flags=re.I),
)  # fmt: skip
