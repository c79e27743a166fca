"""What the build of a line says about its tier: orders under a condition, steps in a row, who somebody is, what there is.

Beside the words of `lang/migrate.toml`; English and Portuguese, with Spanish where the forms are the same. Gives weights in the
units of `evidence`, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.core.entities.names import kind_of, name_words, runs
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words

Weighed = tuple[str, float, str]  # tier, weight, why

_ORDER = (
    r"(?:do not|don't|never|no |only|tell|say|ask|answer|reply|send|wait|use|keep|treat|call|write|leave|stop|let|show|read|switch|offer|mention|warn|give|hold|skip|drop|assume|suggest|flag|check with|one |just |"
    r"não|nunca|nada de|só|dizer|diz|diga|avisar|avisa|avise|perguntar|pergunta|pergunte|responder|responde|responda|passar|passa|passe|mandar|manda|mande|esperar|espera|espere|mostrar|mostra|mostre|usar|usa|use|escrever|escreve|escreva|"
    r"telefonar|ligar|lembrar|parar|deixar|tratar|falar|pedir|sugerir|ficar|no |solo |decir|avisar|preguntar|responder|esperar|usar)"
)
_CONDITION = re.compile(
    rf"(?:if|when|whenever|unless|once|before|after|se|quando|caso|sempre que|antes de|si|cuando)\b[^.;]{{3,90}}?[,:]\s*(?:then |please |it is |aí |então )?{_ORDER}\b",
    re.I,
)
_REPORTED = re.compile(
    r"\b(?:asked|asks|pediu|pede|told me|wants me|said|disse|quer que|has asked|pidió)\b[^.;]{0,45}?[:,]?\s(?:that i |me to |to |que |daqui (?:pra|para a) frente |from now on )?(?:not to|nunca|never|não|stop|don't|always|sempre)\b|"
    r"\b(?:daqui (?:pra|para a) frente|daqui em diante|from now on|a partir de agora|de ahora en adelante)\b",
    re.I,
)
_HOW_TO = re.compile(
    r"(?:how to|how we|how i|to (?!do\b)[a-z]+ (?:the|a|an|it)\b[^.]{2,60}[:,]|como (?:se |fazer |[a-zç]+[aei]r\b)|para [a-zç]+[aei]r\b[^.]{2,60}[:,]|cómo )", re.I
)
_INFINITIVE = re.compile(r"\s*(?:e |y |depois |luego |por fim )?[a-zçãõáéíóú]{2,}[aei]r(?:-\w+)?\b", re.I)
_IMPERATIVE = re.compile(
    r"\s*(?:and |then |and then )?(?:open|close|press|hold|wait|turn|lift|pull|push|put|take|fill|drain|empty|rinse|wash|wipe|dry|heat|cool|stir|mix|add|cut|fold|roll|pour|weigh|measure|set|switch|unplug|plug|run|type|click|select|choose|copy|paste|save|"
    r"export|import|upload|download|restart|reboot|log|go|walk|check|count|mark|label|stack|load|unload|lock|unlock|start|stop|write|print|scan|send|book|feed|water|prune|smoke|light|leave|bring|move|replace|repeat|tag|name|move)\b",
    re.I,
)
_HABIT = re.compile(
    r"\b(?:is|are|gets?)\s+(?:always\s+|only\s+|\w+ly\s+)?(?!based|called|named|married|born|allergic|located|owned|run\b|sold|lost|done\b|paid|expected|due)\w+(?:ed|en|wn|pt|nt|ut)\s+(?:on|in|through|with|by|via|from|before|after|at|to|under|into|inside|per|every|as)\b|"
    r"\b(?:é|são)\s+(?!casad|nascid|feita em|sedead)\w+[aio]d[oa]s?\s+(?:em|no|na|nos|nas|por|pelo|pela|com|a|ao|à|antes|depois)\b|"
    r"\b(?:goes|go|live|lives|stay|stays) (?:in|into|on|under|through) (?:the|a) (?:folder|sheet|tray|drawer|box|binder|file|shelf|bin|form|notebook|list|calendar)|\b(?:vai|vão|entra|entram|fica|ficam) (?:n[oa]s?|para [oa]s?) (?:\w+ )?(?:pasta|caderno|folha|gaveta|planilha|livro|caixa|armário|agenda)|"
    r"\bse \w+[ae]n? (?:en (?:la|el)|no|na|ao|à|a la|al)\b|\b\w+[ae]m?-se (?:no|na|ao|à|em|com|até)\b",
    re.I,
)
_DEFINED = re.compile(r"^[^.=]{1,40} = \S[^=]*(?:[,;] [^.=]{1,20} = |$)|\b(?:on|by) the (?:\d{1,2}(?:st|nd|rd|th)|first|last|second|third) (?:of (?:the|every|each) \w+|\w+ of the \w+|,|$)|\bon the \d{1,2}(?:st|nd|rd|th)\b(?! of [A-Z])|\b(?:todo|todos|cada) (?:o |os )?dias? \d", re.I)
_HOURS = re.compile(r"\b\d{1,2}h(?:\d\d)?\s*(?:às|as|a|até|–|-)\s*\d{1,2}h|\b\d{1,2}(?::\d\d)?\s*(?:am|pm)?\s*(?:to|–|-|until)\s*\d{1,2}(?::\d\d)?\s*(?:am|pm)\b", re.I)
_NOT_YET = re.compile(
    r"\b(?:not|n't|nothing|nobody|no one)\b[^.;]{0,40}\byet\b|\byet to\b|\bstill (?:has|have|need|needs|to|no|not|waiting|owe|owes|open|missing|unpaid|looking|thinking)\b|\b(?:has|have) (?:still )?(?:not|n't|to (?!do\b))\b|"
    r"\bainda (?:não|nao|falta|faltam|por|está|estão|sem|à|a ver)\b|\bpor (?:pagar|decidir|fazer|responder|confirmar|marcar|assinar|entregar|resolver|enviar)\b|\bsem (?:resposta|data|confirmação|previsão)\b|\bninguém (?:sabe|respondeu|disse)\b|"
    r"\bnão (?:respondeu|disse|mandou|chegou|confirmou|decidiu|pagou|devolveu|escolheu)\b|\btem (?:de|que) (?:[a-zç]+[aei]r)\b|\btodavía (?:no|falta)\b|\baún no\b|\bfalta(?:m|n)?\b|\bto be (?:decided|confirmed|agreed|signed|paid)\b|\bundecided\b|\bin two minds\b",
    re.I,
)
_ANY_DAY = re.compile(r"\b\d{1,2}[/.]\d{1,2}\b|\d{4}-\d\d|\b(?:by|until|até|due|before) \w", re.I)
_DAY_FIRST = re.compile(
    r"[\W_]*(?:\d{1,2}(?:st|nd|rd|th)?(?: de| of)? (?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez|dic)[^\W\d]*|(?:jan|feb|fev|mar|apr|abr|may|mai|jun|jul|aug|ago|sep|set|oct|out|nov|dec|dez|dic)[^\W\d]{0,7}(?: \d{1,2}(?:st|nd|rd|th)?)?)\s*(?:[:,—–]|\s-\s)",
    re.I,
)
_INVENTORY = re.compile(r"[\W_]*(?:\d{1,4}|one|two|three|four|five|six|um|uma|dois|duas|três|quatro|cinco|seis) (?!de\b|of\b|h\b|am\b|pm\b|min|kg\b|g\b|ml\b|day|dia|week|sem|month|mes|hour|hora|times|vezes)[^\W\d_]{3,}(?: [^\W\d_]+){0,4}\s*(?:$|[,.;(]|\s(?:and|e|y|with|com|in|no|na|at)\s)", re.I)
_IS_A = re.compile(r"\s+(?:is|was|e|é|es) (?:the |a |an |my |our |her |his |o |a |um |uma |el |la |in |from |de |d[oa] )", re.I)
_ROLE_NAME = re.compile(r"([^\W\d_]+(?: [^\W\d_]+){0,2}):\s+([A-ZÀ-ÞА-Я][^\W\d_]+(?: [A-ZÀ-ÞА-Я][^\W\d_]+){0,2})(?=\s*(?:[.,;(—–-]|$))")
_HAS_KIN = re.compile(r"\b(?:has|have|had|tem|tenho|temos|tiene|tengo) (?:an?|one|two|three|four|um|uma|dois|duas|três|un|una|dos|tres) ((?:[^\W\d_]+ ){0,1}[^\W\d_]+)", re.I)
_KIN = re.compile(r"((?:(?:my|our|her|his|their|the|[oa]|minha|meu|nossa|nosso|mi|su|el|la) )?[^\W\d_]+(?: [^\W\d_]+)??) ([^\W\d_]+)\b")
_IS = re.compile(r"\s+(?:is|was|é|es|era|works as|trabalha como)\s+", re.I)
_APART = re.compile(r"\s*(?:,|\(|—|–|:|\s-\s)\s*")
_RELATION = re.compile(r"\b(?:speaks|drives|cooks|works|pays|brings|lends|reads|only answers|never answers|has a key|answers|does the|empresta|leva|faz|paga|atende|traz|so atende|so trabalha|tem a chave|ajuda|lleva|reparte|atiende|ayuda|keeps|looks after|shares|runs|owns|teaches|lives|comes from|come from|supplies|minds|plays|cuida|trata|toma conta|mora|vive|fornece|toca|ensina|gere|partilha|divide) ", re.I)


def build(sentences: list[str], words: EntityWords) -> Iterator[Weighed]:
    """What the sentences of a block (or the lines of an item) are built like; each sort once or by its share."""
    most: dict[str, tuple[float, Weighed]] = {}
    told = 0
    for text in sentences:
        for sort, said in _one(text.lstrip(" *_>"), words):
            told += sort == "who"
            if said[1] > most.get(sort, (0.0, said))[0]:
                most[sort] = said[1], said
    scale = min(1.0, 2.0 / max(1, len(sentences))) ** 0.5
    for _, (tier, weight, why) in most.values():
        yield tier, weight * scale * (1.5 if told > 1 and tier == "ontology" else 1.0), why


def _one(text: str, words: EntityWords) -> Iterator[tuple[str, Weighed]]:
    if hit := _CONDITION.match(text):
        yield "condition", ("directive", 1.5, hit[0].split()[0])
    if hit := _REPORTED.search(text):
        yield "reported", ("directive", 1.5, hit[0].strip())
    if hit := _HOW_TO.match(text):
        yield "how", ("protocols", 1.1, hit[0].strip())
    parts = re.split(r"[,;:]\s*|\.\s+", text[:300])
    steps = max(sum(bool(_INFINITIVE.match(p)) for p in parts), sum(bool(_IMPERATIVE.match(p)) for p in parts))
    if steps >= 3:
        yield "steps", ("protocols", 1.2, "steps in a row")
    elif len(parts) > 1 and not _ANY_DAY.search(text) and (_IMPERATIVE.match(parts[1]) or _INFINITIVE.match(parts[1])) and ":" in text[:40]:
        yield "steps", ("protocols", 0.5 + 0.3 * (steps > 1), "what to do under a label")  # `boiler: press reset twice`
    if hit := _HABIT.search(text):
        yield "habit", ("protocols", 0.7, hit[0])
    if hit := _DEFINED.search(text):
        yield "defined", ("protocols", 0.6, hit[0].strip())
    if hit := _HOURS.search(text):
        yield "hours", ("protocols", 0.6, hit[0])
    if hit := _NOT_YET.search(text):
        yield "not yet", ("active", 1.1, hit[0])
    if hit := _DAY_FIRST.match(text):
        yield "day", ("archive", 1.2, "begins with a day")
    if (hit := _HAS_KIN.search(text)) and any(t in words.roles for t in split_words(hit[1])[-2:]):
        yield "kin", ("ontology", 0.8, hit[0])
    if _INVENTORY.match(text):
        yield "things", ("ontology", 0.6, "a count of things")
    if said := _who(text, words):
        yield "who", said


def _who(text: str, words: EntityWords) -> Weighed | None:
    """A name at the head of a line, and who or what it is: `Josias, eletricista`, `Yusuf Idle shares her office`."""
    label = _ROLE_NAME.match(text)
    if label and any(t in words.roles for t in split_words(label[1])) and fold(label[2]) not in words.not_a_name:
        return "ontology", 0.9, label[1]
    if hit := _KIN.match(text):
        tokens = split_words(hit[1])
        role = next((t for t in tokens if t in words.roles or t in words.honorifics), "")
        if role and hit[2][:1].isupper() and (tokens[-1] == role) and fold(hit[2]) not in words.not_a_name:
            return "ontology", 1.1, f"{role} {hit[2]}"
    found = runs(text[:90])
    article = re.match(r"(?:[oa]s?|the|el|la)\s+", text, re.I)
    start = article.end() if article else 0
    if not found or found[0].start > start or not found[0].name[:1].isupper():
        return None
    run = found[0]
    tokens = name_words(run.name)
    names = words.names
    given = tokens[0] in names.frequent or tokens[0] in words.honorifics
    strange = not any(names.is_common(t) or t in words.not_a_name or t in words.products for t in tokens)
    named = given or (strange and run.words >= 1) or (run.words >= 2 and not names.is_common(tokens[-1])) or kind_of(run.name, words, "") != ""
    if not named or tokens[0] in words.not_a_name or run.name.isupper():
        return None
    rest = text[run.end :]
    known = given or run.words >= 2
    weight = 1.0 if known else 0.6
    if (is_a := _IS_A.match(rest)) and (known or any(t in words.roles for t in split_words(rest[is_a.end() :])[:4])):
        return "ontology", weight + 0.3, f"who {run.name} is"
    if (called := _IS.match(rest)) and any(t in words.roles or t in words.business_roles for t in split_words(rest[called.end() :])[:2]):
        return "ontology", weight + 0.5, f"who {run.name} is"  # `Ana é síndica do prédio`
    if apart := _APART.match(rest):
        said = split_words(re.split(r"[,;.()]", rest[apart.end() :], maxsplit=1)[0])[:5]
        told = any(t in words.roles or t in words.business_roles for t in said)
        its = re.match(r"(?:the|my|our|her|his|their|an?|[oa]s?|uma?|minha|meu|nossa|nosso|la|el|mi) [^\W\d_]", rest[apart.end() :], re.I) is not None
        return "ontology", weight + (0.6 if told or (its and known) else -0.2), f"who {run.name} is"
    if _RELATION.match(fold(rest).lstrip() + " "):
        return "ontology", weight + 0.2, f"what {run.name} does"
    return None


def names_somebody(text: str, words: EntityWords) -> bool:
    """Whether a cell holds a person's or a firm's name and nothing else."""
    found = runs(text)
    if len(found) != 1 or len(found[0].name) < len(text.rstrip(". ")):
        return False
    tokens = name_words(text)
    return tokens[0] in words.names.frequent or tokens[0] in words.titles or kind_of(text, words, "") == "org"
