"""Structure that text of others puts on: roles, tools, event lines, marks of a memory, records, commands.

No sentence is judged here, only shapes that a parser, a shell or a model would take for more than words.
"""

from __future__ import annotations

import re

from silo.text.lazy import Lazy

_TAG = (
    r"(?:AUTO-)?(?:FACTS?|FACTOS?|FATOS?|DECISION|DECIS[A\u00c3]O|CHANGED|MUDAN[C\u00c7]A|TODO|EVENTO?|PROCEDURE|PROCEDIMENTO|PREFERENCE|PREFER[E\u00ca]NCIA|PROTOCOLO?"
    r"|RULE|REGRA|MEMORY|MEM[O\u00d3]RIA|CONTEXTO?|INSIGHT|LESSON|DIRECTIVE|DIRETIVA|INSTRUCTION|INSTRU[C\u00c7][A\u00c3]O)"
)
# What a memory writes itself. Not looked for in the output of tools, which may well be our own files.
_OWN = Lazy(
    rf"(?:^|\s)(?:[-*]\s+)?(?:\d{{4}}-\d\d-\d\d\S*\s+)?\[{_TAG}(?::[A-Z]+)?\]\s+[\w-]+\s*:|<!--\s*(?:silo:|id:e|f_[0-9a-f]|CURATED_|SOURCE_|openclaw)"
    r"|(?<![\w./])(?:CURATED|SOURCE)_(?:START|END)\b|</?\s*silo-memory|\u27e6openclaw:|(?:BEGIN|END)_OPENCLAW_INTERNAL|<<<\s*(?:BEGIN|END)_",
    re.I | re.M,
)
_RECORD = Lazy(r"^\s*(?:topic|t[o\u00f3]pico|slug)\s*:\s*\S.*(?:\n|\s)\s*(?:text|texto|fact|facto)\s*:", re.I | re.M)
_DIALOGUE = Lazy(
    r"(?:\b(?:user|human|utilizador)\s*:.{1,200}?\b(?:assistant|ai|bot|assistente)\s*:.{1,200}?){2,}|(?:\b[QP]\s*:.{1,200}?\b[AR]\s*:.{1,200}?){3,}",
    re.I | re.S,
)
_OWN_HINTS = ("[", "<", "\u27e6", "OPENCLAW", "CURATED_", "SOURCE_")
_ROLE = r"(?:system|sistema|developer|instru\w+|assistant\w*|assistente\w*|user_?message|human|tool_?(?:result|use|call|output)s?|function_?(?:calls?|results?)|invoke|transcript|conversation|prompt|(?:long_?term_?)?memory|memoria|mem\u00f3ria|mensagem)(?:_\w+)?"
_ROLES = Lazy(
    rf"<\s*/?\s*{_ROLE}(?:\s[^<>]*)?>|<\|[\w ]{{2,30}}\|>|\[/?inst\]|<<sys>>|\]\]>\s*</"
    r"|\"(?:role|papel)\"\s*:\s*\"(?:system|tool|assistant|developer|function|sistema)\"|\"type\"\s*:\s*\"(?:tool_(?:result|use|call)|function_call)\""
    r"|\"(?:origin|origem|source|author|autor|trust)\"\s*:\s*\"(?:owner|dono|user|trusted)\"",
    re.I,
)
_ACTS = (
    (("curl", "wget"), Lazy(r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:ba|z)?sh\b|\bcurl\b[^\n]{0,120}(?:-d|--data\S*|-F|-T|--upload-file)[ =]?[\"']?@", re.I)),
    (("rm -",), Lazy(r"\brm\s+-rf?\s+[/~$]", re.I)),
    (("=", "cmd"), Lazy(r"^[\s\"']*=\s*(?:cmd\s*\||[A-Z\u00c0-\u00dc_.]{3,}\s*\([^\n]*(?:https?:|\bcmd\b|&))|\bcmd\s*\|\s*'\s*/c", re.I | re.M)),
    ((";", "insert"), Lazy(r"'\s*\)?\s*;\s*(?:insert|drop|update|delete|select|alter)\b|\binsert\s+into\s+\w+\s+values\s*\(", re.I)),
    (("..",), Lazy(r"\.\.[\\/]\.\.[\\/]")),
    (("(",), Lazy(
        r"(?:memory|memoria|mem\u00f3ria|remember)\w{0,10}_?(?:write|save|add|store|set|put|escreve|guarda|regista|grava)\w{0,10}\s*\("
        r"|\b(?:write|save|add|store|set|update)_(?:memory|fact|note)\w{0,10}\s*\(", re.I)),
    (("?", "&"), Lazy(r"[?&][\w-]{1,20}=(?:\{\{?|<|\[|%7B)?(?:INSERT|OWNER|USER|NOTES?|NOTAS|DATA|DADOS|SECRET|MEMORY|MEMORIA)[A-Z_]*(?:\}|>|\]|\b)")),
)  # fmt: skip
_HEADER = Lazy(
    r"^\s*(?:always_?load|carregar_?sempre|auto_?load|trusted|trust|confian[c\u00e7]a|priority|prioridade|origin|origem|sensitivity|protocolo?|override)\s*:\s*(?:\S+\s*$|.*\n)",
    re.I | re.M,
)
_SETTING = Lazy(r"(?<!\w)(?:always_?load|carregar_?sempre|auto_?load|trusted|trust|confian[c\u00e7]a|priority|prioridade|origin|origem|protocolo?)\s*:", re.I)
_LOUD = Lazy(r"(?:^|[\n:>\"'(\u201c]|\s{2})[ \t*_#>\[-]{0,12}(?:SYSTEM|SISTEMA|DEVELOPER|ADMIN|ROOT|OPERATOR|OWNER|DONO)\b(?:\s+(?:MESSAGE|PROMPT|NOTE|OVERRIDE|MENSAGEM))?\s*[\]*_#]*\s*:")
_BRACKETED = Lazy(r"^\W*\[\s*(?:system|sistema|developer|admin|cron|root)\b[^\]\n]{0,40}\]|#{2,}\s*(?:system|sistema|admin)\b[^\n]{0,20}(?:#{2,}|$)|^\s*#{1,4}\s*(?:system|sistema)\b", re.I | re.M)


MAIL = Lazy(
    r"^[ \t]*(?:-{2,}[ \t]*(?:forwarded|original|begin forwarded|mensagem (?:encaminhada|reencaminhada|original))[^\n]*|begin forwarded message:"
    r"|on [^\n]{6,80} wrote:|(?:em|a|no dia) [^\n]{6,80} escreveu:|(?:from|de): [^\n]{2,80}\n(?:(?:sent|date|to|subject|cc|enviad[ao]|data|para|assunto): ?[^\n]{0,120}\n){1,5})",
    re.M | re.I,
)
_MARKERS = Lazy(r"<!--\s*(?:silo:[\w-]+:(?:begin|end)|(?:CURATED|SOURCE)_(?:START|END))|(?<![\w./])(?:CURATED|SOURCE)_(?:START|END)\b", re.I)


def looks_own(text: str) -> bool:
    """Whether marks of a managed block, or a header of settings under a rule, stand in lines of a file."""
    return _MARKERS().search(text) is not None or ("---" in text and _HEADER().search(text) is not None)


def _own_marks(text: str) -> bool:
    if any(hint in text for hint in _OWN_HINTS) and _OWN().search(text):
        return True
    return ":" in text and (_RECORD().search(text) is not None or (text.count(":") >= 4 and _DIALOGUE().search(text) is not None))


def forged(text: str, *, marks: bool) -> str | None:
    """What a text pretends to be, None where it is words alone. `text` is bare, its letter case kept.

    `marks` looks for a memory's own lines too, and for headers of settings.
    """
    if marks and _own_marks(text):
        return "looks like a memory's own marks"
    if ("<" in text or '"' in text or "[" in text) and _ROLES().search(text):
        return "pretends to be a part of the conversation"
    if _LOUD().search(text) or (("[" in text or "#" in text) and _BRACKETED().search(text)):
        return "speaks as the system"
    low = text.lower()
    if any(pattern().search(text) for hints, pattern in _ACTS if any(hint in low for hint in hints)):
        return "holds something to be run or sent"
    if marks and (":" in text or "--" in text) and (mail := MAIL().search(text)) is not None and not text[: mail.start()].strip():
        return "is another's mail"
    if marks and text.lstrip().startswith("---") and _SETTING().search(text):
        return "looks like settings of a memory"
    if marks and ":" in text and _HEADER().search(text) and (text.lstrip().startswith("---") or len(text.strip()) < 200):
        return "looks like settings of a memory"
    return None
