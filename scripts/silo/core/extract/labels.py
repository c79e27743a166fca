"""A label before a colon that names the talk and not what is talked of: "New session: …", "Today's recap: …", "PS: …".

All its words are of talk (session, chat, notes, recap) or tell which talk (new, quick, today's, scratch). One more word and it
is a subject: "Session length: 45 minutes", "Yoga session: Tuesdays". What stands behind it must be able to stand alone.
"""

from __future__ import annotations

import re

from silo.text.fold import fold

__all__ = ["without_label"]

_TALK = frozenset(
    ["session", "sessions", "chat", "chats", "conversation", "conversations", "talk", "thread", "dialogue", "dialog", "transcript", "recap", "roundup", "summary", "tldr", "tl", "ps", "pps",
     "postscript", "context", "background", "news", "info", "information", "note", "notes", "memo", "memos", "update", "updates", "log", "entry", "record", "message", "messages", "remark", "aside",
     "fyi", "nb", "disclaimer", "preface", "preamble", "announcement", "reminder", "thing", "thought", "fact", "facts", "point", "decision", "decisao",
     "sessao", "conversa", "papo", "bate-papo", "recado", "resumo", "contexto", "novidade", "novidades", "noticia", "noticias", "informacao", "informacoes", "nota", "notas", "anotacao",
     "anotacoes", "apontamento", "apontamentos", "registo", "registro", "registar", "registrar", "aviso", "atualizacao", "observacao", "obs", "mensagem", "lembrete", "enquadramento", "fato", "facto"]
)  # fmt: skip
_WHICH = frozenset(
    ["new", "quick", "short", "another", "one", "more", "last", "first", "next", "latest", "final", "small", "brief", "some", "scratch", "test", "testing", "demo", "temporary", "throwaway", "fresh",
     "daily", "today", "todays", "tonight", "tonights", "morning", "mornings", "evening", "afternoon", "this", "that", "the", "a", "an", "my", "our", "your", "of", "from", "for", "about", "on", "in",
     "to", "and", "self", "myself", "you", "here", "just", "only", "little", "general", "random", "misc", "miscellaneous", "side", "working", "voice", "spoken", "typed", "text", "chatbot", "assistant",
     "dr", "extra", "additional", "further", "important", "useful", "interesting", "good", "bad", "also", "so", "know",
     "nova", "novo", "rapida", "rapido", "curta", "outra", "outro", "mais", "uma", "um", "ultima", "ultimo", "primeira", "seguinte", "pequena", "pequeno", "breve", "rascunho", "teste", "testes",
     "temporaria", "diario", "diaria", "hoje", "esta", "este", "desta", "deste", "a", "o", "as", "os", "minha", "meu", "nossa", "nosso", "de", "da", "do", "das", "dos", "para", "pra", "por", "sobre",
     "mim", "mesmo", "mesma", "so", "apenas", "aqui", "geral", "avulsa", "avulso", "voz", "importante", "util", "boa", "ma", "tambem", "em", "com", "e"]
)  # fmt: skip
_LABEL = re.compile(r"^\W{0,3}(?P<label>(?:[^\W\d_]\.){1,3}[^\W\d_]?|[^\s:.!?][^:.!?\n]{0,38}?)\s*:\s+(?=\S)")
_PARTS = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
# A clause: it begins as one, or holds a verb that hardly is anything else.
_BEGINS = re.compile(
    r"(?:i|we|you|he|she|it|they|there|this|that|the|a|an|my|our|his|her|their|its|some|all|both|no|not|never|always|every|each|from now on|as of|on|in|at"
    r"|eu|nos|ele|ela|eles|elas|isto|isso|o|os|as|um|uma|uns|umas|meu|minha|meus|minhas|nosso|nossa|nossos|nossas|seu|sua|todo|toda|todos|todas|nao|nunca|sempre|cada|ja|a partir)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|has|have|had|will|won't|can|can't|must|should|needs?|wants?|costs?|closes|opens|takes|gets|works|lives|uses|runs|goes|comes|starts|ends|became|moved|decided|agreed|bought|sold|paid"
    r"|e|sao|foi|foram|esta|estao|tem|temos|vai|vao|fica|ficam|custa|custam|passa|passou|abre|fecha|mudou|mudamos|decidimos|comprei|compramos|pagamos|precisa|quer|usa|usamos|trabalha|mora|vive)\b"
)


def without_label(text: str) -> str:
    """The sentence without such a label, else as it is."""
    hit = _LABEL.match(text)
    if hit is None:
        return text
    label = fold(hit["label"]).replace(".", "").replace("'s", "s").replace("\u2019s", "s")
    words = [part for word in _PARTS.findall(label) for part in ([word] if word in _TALK else word.split("-"))]
    if not words or len(words) > 6 or not _TALK.intersection(words) or not all(word in _TALK or word in _WHICH for word in words):
        return text
    rest = text[hit.end() :]
    flat = fold(rest)
    return rest if len(flat.split()) >= 3 and (_BEGINS.match(flat) or _VERB.search(flat)) else text
