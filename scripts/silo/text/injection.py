"""Text of others that tries to instruct the assistant or to plant a memory, and making such text inert.

For what is quoted, forwarded, said by others in a group, or put out by a tool: never for the owner's own words, who may
say "remember that". Works on a folded copy in which look-alikes and hidden characters are gone. It is a net, not a
wall: what it misses is still untrusted and becomes no fact by itself. English and Portuguese, a little Spanish.
"""

from __future__ import annotations

import re
import unicodedata

_OBJECT = r"(?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|context|training|messages?|restrictions?|safety)"
_OBJETO = r"(?:instru[c\u00e7][o\u00f5]es|instru[c\u00e7][a\u00e3]o|regras?|ordens|diretrizes|mensagens|prompts?|instrucciones|reglas)"
_AI = r"(?:ai|a\.i\.|assistant|agent|bot|chatbot|llm|model|claude|chatgpt|gpt|openclaw|assistente|agente|rob[o\u00f4])"

# (reason, words of which one of each group must stand in the text, pattern). All on the folded, lower-case text. Verbs
# stand at the start of a sentence or clause: an order, not a report of one.
_START = r"(?:^|[.!?;:\n\u201c\"'(>*-]\s*|\b(?:please|pls|now|then|and|also|you must|you should|must|always|por favor|favor|agora|e|depois|deve)\s+)"
_KEPT = ("memor", "mem\u00f3r", "user.md", "soul.md", "agents.md", "event log", "long-term", "user profile")
_RULES: tuple[tuple[str, tuple[tuple[str, ...], ...], str], ...] = (
    (
        "overrides instructions",
        (
            (
                "ignor",
                "disregard",
                "forget",
                "overrid",
                "bypass",
                "discard",
                "desconsider",
                "esque",
                "descart",
                "olvid",
                "new ",
                "novas ",
                "developer",
                "jailbreak",
                "anything now",
            ),
        ),
        rf"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.\n]{{0,40}}?\b(?:previous|prior|preceding|above|earlier|all|any|your|system|the)\b[^.\n]{{0,30}}?\b{_OBJECT}\b"
        rf"|\b(?:ignor[ae]r?|desconsider[ae]|esque[c\u00e7]a|descart[ae]|olvid[ae])\b[^.\n]{{0,40}}?\b{_OBJETO}\b"
        r"|\bnew (?:system )?instructions?\s*:|\bnovas instru[c\u00e7][o\u00f5]es\s*:|\bdeveloper mode\b|\bjailbreak\b|\bdo anything now\b",
    ),
    (
        "asks to be remembered",
        (
            (
                "rememb",
                "memori",
                "forget",
                "keep in mind",
                "a note",
                "lembre",
                "memoriz",
                "esque",
                "recuerda",
                "guarde",
            ),
        ),
        rf"{_START}(?:remember|memori[sz]e|don'?t forget|never forget|keep in mind|make a (?:permanent )?note)\s*(?:,|:|that\b|this\b|forever\b|permanently\b|from now on\b)"
        rf"|{_START}(?:lembre(?:-se)?|memorize|n[a\u00e3]o (?:se )?esque[c\u00e7]a|recuerda|guarde(?: bem)?)\s*(?:,|:|de que\b|que\b|disso\b|isso\b|para sempre\b|sempre\b)",
    ),
    (
        "asks to be remembered",
        (
            _KEPT,
            (
                "save",
                "store",
                "add",
                "writ",
                "append",
                "commit",
                "record",
                "persist",
                "put",
                "insert",
                "log",
                "update",
                "salv",
                "guard",
                "grav",
                "adicion",
                "anot",
                "registr",
            ),
        ),
        r"\b(?:save|store|add|write|append|commit|record|persist|put|insert|log|update)\b[^.\n]{0,80}?\b(?:in|to|into|as)\b[^.\n]{0,30}?\b(?:memory|memories|memory\.md|user\.md|soul\.md|agents\.md|event log|long-term)\b"
        r"|\bupdate (?:your|the) (?:memory|user profile|memories)\b|\b(?:salv[ae]|guard[ae]|grav[ae]|adicion[ae]|anot[ae]|registr[ae])\b[^.\n]{0,80}?\bmem[o\u00f3]ria\b",
    ),
    (
        "speaks as the system",
        (("system", "developer", "instruction", "[inst", "[/inst", "<<sys", "<|", "prompt"),),
        r"^\s*(?:\[?(?:system|developer)\]?(?: message| prompt| note)?\s*:|<\s*/?\s*(?:system|developer|instructions?)\s*>|#{1,4}\s*(?:system|instructions? (?:for|to) )|\[/?inst\]|<<sys>>|<\|)"
        r"|<\|(?:im_start|im_end|system|endoftext)\|>|\b(?:your|the) (?:new )?system prompt\b[^.\n]{0,30}\b(?:is|says|now)\b|\breveal\b[^.\n]{0,30}\bprompt\b",
    ),
    (
        "gives the assistant orders",
        (
            ("assist", "agent", "bot", "llm", "model", "claude", "gpt", "openclaw", "rob", "ai", "a.i."),
            (
                "must",
                "should",
                "shall",
                "need to",
                "have to",
                "will now",
                "please",
                "deve",
                "precisa",
                "reading this",
                "note",
                "message",
                "instruc",
                "instru\u00e7",
                "attention",
                "important",
                "warning",
                "aten",
                "nota",
                "mensagem",
            ),
        ),
        rf"\b(?:note|message|instructions?|attention|important|warning|aten[c\u00e7][a\u00e3]o|nota|mensagem|instru[c\u00e7][o\u00f5]es)\b[^.\n]{{0,20}}\b(?:to|for|para)\b[^.\n]{{0,20}}\b{_AI}s?\b"
        rf"|\b(?:any|all|every|the|dear|hey|hi|hello|ol[a\u00e1]|oi|qualquer|todo)\s+{_AI}s?\b[^.\n]{{0,40}}?\b(?:must|should|shall|need to|have to|will now|please|deve|precisa|reading this)\b",
    ),
    (
        "gives the assistant orders",
        (
            (
                "you are now",
                "from now on",
                "a partir de agora",
                "agora \u00e9",
                "agora e",
                "pretend",
                "act as",
                "the user",
                "owner",
                "human",
                "usu",
                "dono",
                "dona",
                "utilizador",
            ),
        ),
        r"\byou are now\b|\bfrom now on,? you\b|\ba partir de agora,? voc[e\u00ea]\b|\bvoc[e\u00ea] agora [e\u00e9]\b|\bpretend (?:to be|you are)\b|\bact as (?:if you|an? (?:admin|root|unrestricted))"
        r"|\b(?:do not|don'?t|never|without)\b[^.\n]{0,15}\b(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying)\b[^.\n]{0,20}\b(?:the )?(?:user|owner|human)\b"
        r"|\bn[a\u00e3]o (?:conte|avise|mencione|informe)\b[^.\n]{0,20}\b(?:ao|para o|pro|\u00e0) (?:usu[a\u00e1]rio|dono|utilizador|usu[a\u00e1]ria|dona)\b",
    ),
    (
        "wants something sent or run",
        (
            (
                "http",
                "@",
                "attacker",
                "server",
                "webhook",
                "curl",
                "wget",
                "command",
                "script",
                "code",
                "comando",
            ),
            (
                "send",
                "forward",
                "upload",
                "exfiltrat",
                "post",
                "email",
                "leak",
                "transmit",
                "curl",
                "wget",
                "run",
                "execut",
                "rode",
            ),
        ),
        r"\b(?:send|forward|upload|exfiltrate|post|email|leak|transmit)\b[^.\n]{0,60}?\b(?:api keys?|passwords?|secrets?|tokens?|credentials?|memory|memories|conversation|chat history|files?|contents?)\b[^.\n]{0,60}?\b(?:to|at)\b[^.\n]{0,40}?(?:https?://|@|\battacker|\bserver\b|\bwebhook\b)"
        r"|\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b|\b(?:run|execute|rode|execute)\b[^.\n]{0,20}\b(?:following|this|seguinte|este)\b[^.\n]{0,15}\b(?:command|script|code|comando)\b",
    ),
)
_PATTERNS = tuple((reason, needs, re.compile(pattern, re.M)) for reason, needs, pattern in _RULES)
_MARKS = re.compile(
    r"^\s*(?:[-*]\s+)?\[(?:AUTO-)?(?:FACT|DECISION|CHANGED|TODO|EVENT|PROCEDURE)(?::[A-Z]+)?\]\s+[\w-]+\s*:|<!--\s*(?:silo:|id:e_|f_[0-9a-f]|CURATED_|SOURCE_|openclaw)"
    r"|</?\s*silo-memory|\u27e6openclaw:|(?:BEGIN|END)_OPENCLAW_INTERNAL|<<<\s*(?:BEGIN|END)_",
    re.I | re.M,
)
# Unicode tag characters spell ASCII that nobody sees; the rest joins or hides letters.
_TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]")
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufe00-\ufe0f\U000e0000-\U000e007f]"
)
_LOOKALIKE = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u04bb\u0501\u051b\u03bf\u03b1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425", "aeopcyxijhdwoaABEHIKMNOPTXABEKMHOPCTX")  # fmt: skip
_QUESTION = re.compile(r"^[^.!\n]{0,80}\?")


def _plain(text: str) -> str:
    """A copy without hidden characters, with look-alike letters and full-width forms as plain ones."""
    if text.isascii():
        return text
    text = (
        "".join(chr(ord(c) - 0xE0000) if "\U000e0020" <= c <= "\U000e007e" else c for c in text)
        if _TAGS.search(text)
        else text
    )
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text)).translate(_LOOKALIKE)


def instruction_like(text: str, *, marks: bool = True) -> str | None:
    """Why a text of somebody else reads as an order to the assistant or its memory; None for plain text.

    `marks` is off for the output of tools, which may well be our own memory files.
    """
    if _TAGS.search(text):
        return "hides characters"
    if (
        marks
        and ("[" in text or "<" in text or "\u27e6" in text or "OPENCLAW" in text)
        and _MARKS.search(text)
    ):
        return "looks like a memory's own marks"
    plain = _plain(text).lower()
    for reason, needs, pattern in _PATTERNS:
        if not all([word for word in group if word in plain] for group in needs):
            continue
        for match in pattern.finditer(plain):
            if reason == "asks to be remembered" and _QUESTION.match(plain[match.end() : match.end() + 100]):
                continue  # "remember that place we went to?" asks a person
            return reason
    return None


_FENCE = re.compile(r"`{3,}|~{3,}")
_TAG_LINE = re.compile(r"\[((?:AUTO-)?[A-Z]{2,}(?::[A-Z]+)?)\](?=\s+[\w-]+\s*:)")
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f\u0085\u2028\u2029]+")


def inert(text: str) -> str:
    """One line that can be read and does nothing: comments, fences, tags, false event lines and hidden characters are
    taken apart, so that no parser of ours and no model takes them for structure."""
    if _TAGS.search(text):
        text = "".join(chr(ord(c) - 0xE0000) if "\U000e0020" <= c <= "\U000e007e" else c for c in text)
    text = _HIDDEN.sub("", text)
    text = text.replace("<", "\u2039").replace(">", "\u203a").replace("\u27e6", "[ ").replace("\u27e7", " ]")
    text = _TAG_LINE.sub(r"(\1)", _FENCE.sub("'''", text))
    return _BREAKS.sub(" ", text).strip()
