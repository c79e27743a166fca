"""Orders that work on the text or plan at hand: a line goes, a word sounds wrong, what was put on a plan is taken off again."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.text.tokens import terms

__all__ = ["called_off", "edits", "seems"]

# "sounds like a postcard" judges a wording; it says nothing of anything else.
_SEEMS = re.compile(
    r"(?:^|[,;:.–-]\s*|\b(?:it|that|this|they|because it|as it|porque|que|isso|isto) )(?:just |kind of |a bit |too much )?(?:sounds?|reads?|looks?|feels?|comes across|parece|parecem|soa|soam|fica|fica a parecer|ta parecendo|está parecendo) (?:too |a bit |so |very |really |more |muito |demasiado |tao |meio |um bocado |um pouco )*(?:like|as if|as though|stiff|cheesy|corny|clumsy|pompous|formal|silly|wrong|off|childish|dated|flat|harsh|rude|weird|um|uma|a|coisa|texto|propaganda|estranh[oa]|pirosa?|brega|formal|feio|feia|foleir[oa]|infantil|antiquad[oa]|esquisit[oa]|forcad[oa])\b"
)
_EDIT = re.compile(
    r"(?:(?:please|can you|could you|just|maybe|now|and|also|then|podes|pode|consegues|por favor|agora|e|depois|so) )*"
    r"(?:drop|leave|cut|remove|delete|take|lose|skip|kill|scrap|ditch|trim|shorten|add|put|insert|move|swap|switch|change|replace|make|keep|use|start|end|open|close|write|begin|merge|split|bold|underline|capitali[sz]e"
    r"|tira|tire|retira|corta|corte|apaga|apague|deixa|deixe|risca|remove|remova|elimina|mete|poe|põe|ponha|bota|bote|coloca|coloque|acrescenta|acrescente|adiciona|troca|troque|muda|mude|substitui|comeca|acaba|termina|usa|use|encurta|junta|separa|passa|escreve|faz)\b"
)
_PART = re.compile(
    r"\b(?:lines?|sentences?|paragraphs?|words?|wording|titles?|headings?|headlines?|subtitle|ending|opening|intro|introduction|fonts?|tone|commas?|stanzas?|verses?|bullets?|emojis?|exclamation marks?|hashtags?|captions?|greeting|sign-?off|signature|footnotes?|"
    r"at the (?:bottom|top|end|start|beginning)(?! of (?:the |my |our |each |every )?(?!text|page|draft|letter|e?-?mail|message|post|list|poster|caption|flyer|invit))|bit about|part about|part where|capitals|caps|italics|quotation marks|"
    r"linhas?|frases?|paragrafos?|palavras?|titulos?|subtitulo|cabecalho|tom|virgulas?|versos?|estrofes?|assinatura|saudacao|despedida|maiusculas?|minusculas?|italico|negrito|aspas|pontos? de exclamacao|legendas?|"
    r"(?:no (?:fundo|fim|inicio|final|topo|comeco)|ao (?:fundo|fim|inicio))(?! d[aeo]s? (?!texto|pagina|carta|mensagem|lista|cartaz|convite|postal|e-?mail))|parte d[oaei]s?|parte em que|parte que)\b"
)
_SWAPS = re.compile(r"\b(?:swap|switch|replace|drop|cut|remove|delete|lose|tir[ae]|cort[ae]|troc[ae]|troque|substitui|apag[ae])$")
_SOUNDS = re.compile(r"\b(?:sounds?|reads|comes across) (?:too |a bit |so |very |really |more |a little )*(?:like|as if|as though|\w+)\b|\bsoam? (?:a|como|muito|demasiado|meio|um)\b|\bparecem? (?:nome|titulo|anuncio|propaganda|coisa|slogan|letra) d")
_QUOTE = re.compile(r"[\"“«][^\"”»\n]+[\"”»]")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{18,})[\"”»]")
_LASTS = ("rule", "rule_soft", "remind", "note_any")


def seems(low: str) -> bool:
    """The words judge how a wording sounds."""
    return _SEEMS.search(low) is not None


def edits(s: Sentence, heard: Heard | None, busy: bool) -> bool:
    """ "Leave the second line out", "tira o sorriso, parece um postal": an order about the text that the assistant has
    just made; `busy` says that one was asked for of late."""
    order = _EDIT.match(s.low[s.core :])
    if order is None and heard is not None and s.size <= 12 and (busy or _QUOTED.search(heard.text)) and _SOUNDS.search(s.low):
        return not (s.figures or s.dates or s.has(*_LASTS))
    if order is None or heard is None or s.recurring or s.has(*_LASTS) or any(d.value > s.today.isoformat() for d in s.dates):
        return False
    quoted = " ".join(m[1] for m in _QUOTED.finditer(heard.text))
    if not (busy or quoted):
        return False
    if _PART.search(s.low) or seems(s.low) or (busy and _SWAPS.search(order[0]) and _QUOTE.search(s.text)):
        return True
    thing = re.split(r"[,;:–]\s|\s(?:because|since|porque|pois)\s", s.text[s.core + order.end() :])[0]
    words = frozenset(terms(thing))
    return bool(quoted and words) and words <= frozenset(terms(quoted))


_FRONT = r"(?:(?:actually|no|oh|hm+|wait|sorry|ok|okay|then|so|and|but|well|please|let's|we can|you can|can you|could you|better|just|afinal|nao|ah|olha|entao|mas|pois|espera|bom|podes|pode|por favor|melhor|vamos|no fim) ?,? ?)*"
_AGAIN = r"(?:\s+(?:again|after all|then|please|now|for now|of it|off|out|altogether|from (?:the|my|our|that) (?:list|plan|menu|programme|program|schedule|agenda)|(?:off|out of) (?:the|my|our|that) (?:list|plan|menu|programme|program|schedule|agenda|calendar)|d[aeo] (?:lista|plano|menu|ementa|programa|agenda|calendario|cardapio|roteiro)|outra vez|de novo|afinal|entao|fora|de fora|por favor|por agora|pra la|para la))*"
_END = r"\s*(?:$|[.!]+\s*$|[,;:–(-]\s*(?P<why>.+)$|\s(?:because|since|as|porque|que|pois)\s(?P<cause>.+)$)"
_WHAT = r"(?:the |my |our |that |this |a |an |o |a |os |as |aquel[ea] |ess[ea] |est[ea] )?(?P<what>[^,.;:!?()]{3,40}?)"
_OFF = (
    re.compile(rf"^{_FRONT}(?:take|leave|cross|strike|pull|keep|get|scratch|knock)\s+{_WHAT}\s+(?:off|out)(?:\s+(?:again|after all))?{_AGAIN}{_END}"),
    re.compile(rf"^{_FRONT}(?:leave out|take out|take off|cross out|cross off|strike|drop|skip|remove|scrap|ditch|scratch|forget about|forget|kick out|throw out)\s+{_WHAT}{_AGAIN}{_END}"),
    re.compile(rf"^{_FRONT}(?:tira|tire|tiramos|retira|retire|risca|risque|corta|corte|esquece|esqueca|elimina|remove|remova|salta|pula|pule|exclui|exclua|larga|dispensa)(?:-me)?\s+{_WHAT}{_AGAIN}{_END}"),
    re.compile(rf"^{_FRONT}(?:deixa|deixe|deixamos|fica|poe|põe)\s+(?:(?:de )?fora\s+)?{_WHAT}(?:\s+(?:de )?fora)?{_AGAIN}{_END}"),
    re.compile(rf"^{_FRONT}(?:no|without|sem)\s+{_WHAT}\s+(?:after all|then after all|afinal){_END}"),
    re.compile(rf"^{_FRONT}{_WHAT}\s+(?:is|are|'s) (?:off|out|off the table|cancelled) (?:again|after all|then|now){_END}"),
    re.compile(rf"^{_FRONT}{_WHAT}\s+(?:afinal (?:nao|ja nao|fica de fora|sai)|fica de fora afinal|ja nao vai ser){_END}"),
)  # fmt: skip
_SAID = re.compile(r"\b(?:i (?:said|told|wrote)|that about|disse|falei|contei|escrevi)\b")  # takes a statement back, not a plan
_HINT = re.compile(r"\b(?:off|out|drop|skip|remove|scrap|ditch|scratch|strike|forget|after all|afinal|fora|ja nao|tir\w+|retir\w+|ris\w+|cort\w+|esque\w+|elimina|salta|pul[ae]|exclu\w+|larga|dispensa)\b")  # nothing is called off without one
_OUT = re.compile(r"\bfora\b")


def called_off(s: Sentence) -> tuple[frozenset[str], str] | None:
    """(the words of what is taken off, the reason behind it): "actually take yoga off again, my knee won't like it"."""
    if s.kind != "say" or not _HINT.search(s.low) or s.size > 18 or s.recurring or s.has(*_LASTS) or s.text.endswith("?") or _SAID.search(s.low):
        return None
    for n, pattern in enumerate(_OFF):
        match = pattern.match(s.low)
        if match is None or (n == 3 and not _OUT.search(match[0])):
            continue
        words = frozenset(terms(match["what"]))
        if words and not any(c.isdigit() for c in match["what"]):
            at = match.start("why") if match["why"] else match.start("cause") if match["cause"] else len(s.text)
            return words, s.text[at:]
    return None
