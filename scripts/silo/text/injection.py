"""Text of others that tries to instruct the assistant or to plant a memory, and making such text inert.

For what is quoted, forwarded, said by others in a group, or put out by a tool: never for the owner's own words, who may
say "remember that". Works on a folded copy in which look-alikes and hidden characters are gone. It is a net, not a
wall: what it misses is still untrusted and becomes no fact by itself. English and Portuguese, a little Spanish.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from silo.text.lazy import Lazy


@dataclass(frozen=True, slots=True)
class _Order:
    """A kind of order: one word of each of `needs` must stand in the lower-case text before the pattern is tried."""

    reason: str
    needs: tuple[tuple[str, ...], ...]
    pattern: Lazy


def _order(reason: str, needs: tuple[str, ...], *patterns: str) -> _Order:
    return _Order(reason, tuple(tuple(group.split("|")) for group in needs), Lazy("|".join(patterns), re.M))


_OBJECT = r"(?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|context|training|messages?|restrictions?|safety)"
_OBJETO = (
    r"(?:instru[cç][oõ]es|instru[cç][aã]o|regras?|ordens|diretrizes|mensagens|prompts?|instrucciones|reglas)"
)
_AI = r"(?:ai|a\.i\.|assistant|agent|bot|chatbot|llm|model|claude|chatgpt|gpt|openclaw|assistente|agente|rob[oô])"
# "the agent", "the model" and "the bot" alone may be anybody's.
_NAMED = r"(?:(?:ai|llm)(?: (?:assistant|agent|model|bot))?|a\.i\.|assistant|chatbot|claude|chatgpt|gpt|openclaw|assistente)"
# An order stands at the start of a sentence or clause; elsewhere the verb reports one.
_BEFORE = r"please|pls|now|then|and|also|you must|you should|must|always|por favor|favor|agora|e|depois|deve"
_START = rf"(?:^|[.!?;:\n\u201c\"'(>*-]\s*|\b(?:{_BEFORE})\s+)"
_PLACES = r"(?:memory|memories|memory\.md|user\.md|soul\.md|agents\.md|event log|long-term)"
_GOODS = r"(?:api keys?|passwords?|secrets?|tokens?|credentials?|memory|memories|conversation|chat history|files?|contents?)"
_MUST = r"(?:must|should|shall|need to|have to|will now|please|deve|precisa|reading this)"
_CALL = (
    r"(?:note|message|instructions?|attention|important|warning|aten[cç][aã]o|nota|mensagem|instru[cç][oõ]es)"
)

_ORDERS = (
    _order(
        "overrides instructions",
        ("ignor|disregard|forget|overrid|bypass|discard|desconsider|esque|descart|olvid",),
        rf"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{{0,40}}?\b(?:previous|prior|preceding|above|earlier|all|any|your|system|the)\b[^.\n]{{0,30}}?\b{_OBJECT}\b",
        rf"\b(?:ignor[ae]r?|desconsider[ae]|esque[cç]a|descart[ae]|olvid[ae])\b[^.\n]{{0,40}}?\b{_OBJETO}\b",
    ),
    _order(
        "overrides instructions",
        ("instruc|instruç|developer mode|jailbreak|anything now",),
        r"\bnew (?:system )?instructions?\s*:",
        r"\bnovas instru[cç][oõ]es\s*:",
        r"\bdeveloper mode (?:is |now |on|enabled|activated)",
        r"\bjailbreak(?:ed)? mode\b",
        r"\bdo anything now\b",
    ),
    _order(
        "asks to be remembered",
        ("rememb|memori|forget|keep in mind|a note|a permanent note|lembre|esque|recuerda|guarde",),
        rf"{_START}(?:remember|memori[sz]e|don'?t forget|never forget|keep in mind|make a (?:permanent )?note)\s*(?::|that\b|this\b|forever\b|permanently\b|from now on\b)",
        rf"{_START}(?:lembre(?:-se)?|memorize|n[aã]o (?:se )?esque[cç]a|recuerda|guarde(?: bem)?)\s*(?::|de que\b|que\b|disso\b|isso\b|para sempre\b|sempre\b)",
    ),
    _order(
        "asks to be remembered",
        (
            "memor|memór|user.md|soul.md|agents.md|event log|long-term|user profile",
            "save|store|add|writ|append|commit|record|persist|put|insert|log|update|salv|guard|grav|adicion|anot|registr",
        ),
        rf"\b(?:save|store|add|write|append|commit|record|persist|put|insert|log|update)\b[^.\n]{{0,80}}?\b(?:in|to|into|as)\b[^.\n]{{0,30}}?\b{_PLACES}(?![\w/])",
        r"\bupdate (?:your|the) (?:memory|user profile|memories)\b",
        r"\b(?:salv[ae]|guard[ae]|grav[ae]|adicion[ae]|anot[ae]|registr[ae])\b[^.\n]{0,80}?\b(?:na|à|em)(?: \w+)? mem[oó]ria\b",
    ),
    _order(
        "speaks as the system",
        ("system|developer|instruction|inst]|<<sys|<|prompt",),
        r"^\s*\[?(?:system|developer) (?:message|prompt|note)\]?\s*:|^\s*\[(?:system|developer)\]",
        r"^\s*(?:system|developer)\s*:\s*(?:you|your|the (?:user|assistant|owner)|ignore|from now|new |always|never|please|override|obey)\b",
        r"^\s*<\s*/?\s*(?:system|developer|instructions?)\s*>",
        r"^\s*#{1,4}\s*(?:system (?:prompt|message|instructions?)|instructions? (?:for|to) )",
        r"\[/?inst\]|<<sys>>|<\|(?:im_start|im_end|system|endoftext)\|>",
        r"\b(?:your|the) (?:new )?system prompt\b[^.\n]{0,30}\b(?:is|says|now)\b",
        r"\breveal\b[^.\n]{0,30}\bprompt\b",
    ),
    _order(
        "gives the assistant orders",
        (
            "assist|agent|bot|llm|model|claude|gpt|openclaw|rob|ai|a.i.",
            "must|should|shall|need to|have to|will now|please|deve|precisa|reading this|note|message|instruc|instruç|attention|important|warning|aten|nota|mensagem",
        ),
        rf"\b{_CALL}\b[^.\n]{{0,20}}\b(?:to|for|para)\b[^.\n]{{0,20}}\b{_AI}s?\b",
        rf"\b(?:any|all|every|the|dear|hey|hi|hello|ol[aá]|oi|qualquer|todo)\s+{_NAMED}s?\b[^.\n]{{0,40}}?\b{_MUST}\b",
    ),
    _order(
        "gives the assistant orders",
        (
            "you are now|from now on|a partir de agora|agora é|agora e|pretend|act as|the user|owner|human|usu|dono|dona|utilizador",
        ),
        r"\byou are now (?:an? |the |in |free|called|my )",
        r"\byou are now [a-z]{2,12}\b(?=[.,!]|$)",
        r"\bfrom now on,? you (?:must|will|should|shall|are|can|only|always|never)\b",
        r"\ba partir de agora,? voc[eê] (?:deve|vai|é|e|só|so|pode|nunca|sempre)\b",
        r"\bvoc[eê] agora [eé] (?:um|uma|o|a) \w+",
        r"\bpretend (?:to be|you are) (?:an? |the )",
        r"\bact as (?:if you (?:are|were|have)|an? (?:admin|root|unrestricted))",
        r"\b(?:do not|don'?t|never|without)\b[^.\n]{0,15}\b(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying)\b[^.\n]{0,20}\bthe (?:user|owner|human)\b",
        r"\bn[aã]o (?:conte|avise|mencione|informe)\b[^.\n]{0,20}\b(?:ao|para o|pro|à) (?:usu[aá]ri[oa]|dono|dona|utilizador)\b",
    ),
    _order(
        "wants something sent or run",
        (
            "http|@|attacker|server|webhook|curl|wget|command|script|code|comando",
            "send|forward|upload|exfiltrat|post|email|leak|transmit|curl|wget|run|execut|rode",
        ),
        rf"\b(?:send|forward|upload|exfiltrate|post|email|leak|transmit)\b[^.\n]{{0,60}}?\b{_GOODS}\b[^.\n]{{0,60}}?\b(?:to|at)\b[^.\n]{{0,40}}?(?:https?://|@|\battacker|\bserver\b|\bwebhook\b)",
        r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b",
        rf"{_START}(?:run|execute|rode|execute)\b[^.\n]{{0,20}}\b(?:following|this|seguinte|este)\b[^.\n]{{0,15}}\b(?:command|script|code|comando)\b",
    ),
)
_REMEMBER = "asks to be remembered"
# "remember that place we went to?" asks a person.
_QUESTION = re.compile(r"^[^.!\n]{0,80}\?")

_TAG_WORD = r"\[(?:AUTO-)?(?:FACT|DECISION|CHANGED|TODO|EVENT|PROCEDURE)(?::[A-Z]+)?\]"
_MARKS = Lazy(
    rf"^\s*(?:[-*]\s+)?{_TAG_WORD}\s+[\w-]+\s*:|<!--\s*(?:silo:|id:e_|f_[0-9a-f]|CURATED_|SOURCE_|openclaw)"
    r"|</?\s*silo-memory|\u27e6openclaw:|(?:BEGIN|END)_OPENCLAW_INTERNAL|<<<\s*(?:BEGIN|END)_",
    re.I | re.M,
)
_MARK_HINTS = ("[", "<", "\u27e6", "OPENCLAW")

# Unicode tag characters spell ASCII that nobody sees; the others join or hide letters.
_TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufe00-\ufe0f\U000e0000-\U000e007f]"
)
# Cyrillic and Greek letters that are drawn like Latin ones.
_LOOKALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u04bb\u0501\u051b\u03bf\u03b1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425",
    "aeopcyxijhdwoaABEHIKMNOPTXABEKMHOPCTX",
)


def _spelled(text: str) -> str:
    """Tag characters as the ASCII that they spell."""
    if not _TAGS.search(text):
        return text
    return "".join(chr(ord(c) - 0xE0000) if "\U000e0020" <= c <= "\U000e007e" else c for c in text)


def _plain(text: str) -> str:
    """A lower-case copy without hidden characters, with look-alikes and full-width forms as plain letters."""
    if text.isascii():
        return text.lower()
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", _spelled(text))).translate(_LOOKALIKE).lower()


def instruction_like(text: str, *, marks: bool = True) -> str | None:
    """Why a text of somebody else reads as an order to the assistant or its memory; None for plain text.

    `marks` is off for the output of tools, which may well be our own memory files.
    """
    if _TAGS.search(text):
        return "hides characters"
    if marks and any(hint in text for hint in _MARK_HINTS) and _MARKS().search(text):
        return "looks like a memory's own marks"
    plain = _plain(text)
    for order in _ORDERS:
        if not all([word for word in group if word in plain] for group in order.needs):
            continue
        for match in order.pattern().finditer(plain):
            if order.reason == _REMEMBER and _QUESTION.match(plain[match.end() : match.end() + 100]):
                continue
            return order.reason
    return None


_FENCE = re.compile(r"`{3,}|~{3,}")
_TAG_LINE = re.compile(r"\[((?:AUTO-)?[A-Z]{2,}(?::[A-Z]+)?)\](?=\s+[\w-]+\s*:)")
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\u0085\u2028\u2029]+")


def inert(text: str) -> str:
    """One line that can be read and does nothing: comments, fences, tags, false event lines and hidden characters are
    taken apart, so that no parser of ours and no model takes them for structure."""
    text = _HIDDEN.sub("", _spelled(text))
    text = text.replace("<", "\u2039").replace(">", "\u203a").replace("\u27e6", "[ ").replace("\u27e7", " ]")
    text = _TAG_LINE.sub(r"(\1)", _FENCE.sub("'''", text))
    return _BREAKS.sub(" ", text).strip()
