"""Which tag a sentence of the owner gets: fact, event, decision, change, procedure or to-do, and what speaks for each."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.changes import Values
from silo.model import Tag

__all__ = ["PROHIBITS", "ahead", "decides", "tag_of"]


def ahead(s: Sentence) -> bool:
    """It names a day after the day of the message."""
    return any(d.value > s.today.isoformat() for d in s.dates)


def decides(s: Sentence) -> bool:
    return not s.has("agenda") and (
        s.has("decision", "not_doing")
        or _consents(s)
        or (s.has("settled") and s.size <= 6)
        or bool(_THEN.match(s.low[s.core :]))
        or bool(_INS_OUTS.search(s.low[s.core :]))
        or bool(_IT_IS.match(s.low[s.core :]) or _LETS.match(s.low[s.core :]))
    )


# "the soup goes in, the quiche doesn't", "entra a sopa, a quiche não": what is to be on a list, and what not.
_INS_OUTS = re.compile(
    r"\b(?:goes|go|going|is|are|stays?|comes?) (?:in|on)(?: \w+){0,3}?\s*[,;]\s*(?:and |but |while )?[^,;.]{2,40}? (?:doesn't|don't|does not|do not|isn't|aren't|won't|not|(?:goes|go|is|are|stays?|comes?) (?:out|off))\W*$"
    r"|\b(?:goes|go|is|are|stays?) (?:out|off)\s*[,;]\s*(?:and |but |while )?[^,;.]{2,40}? (?:does|do|(?:goes|go|is|are|stays?|comes?) (?:in|on))\W*$"
    r"|\bentram?\b[^,;.]{0,40}?\s*(?:[,;]| e| mas)\s*(?:e |mas )?[^,;.]{2,40}? (?:nao|nao entram?|saem|sai|fica de fora|ficam de fora|fora)\W*$|\b(?:sai|saem)\b[^,;.]{2,40}?\s*(?:[,;]| e)\s*(?:e )?(?:entram?\b[^,;.]{2,40}|[^,;.]{2,40} entram?)\W*$"
)
_LETS = re.compile(
    r"^(?:let's (?!see|say|talk|start with|look|check|try|test|continue|move on|begin|not|hope|assume|pretend|play|imagine|focus|think|discuss|go over|recap|review|be honest|do it|do that|face it)\w+\s+\w"
    r"|vamos (?!ver|la\b|supor|falar|nessa|embora|testar|tentar|olhar|pensar|dizer|conversar|imaginar|discutir|revisar|continuar|dar uma olhada)\w{2,}r\s+\w)"
)


_ELSE = re.compile(r"\b(?:otherwise|or else|if not|senao|caso contrario|se nao)\b")


_WOULD = re.compile(r"\b(?:would|i'd|we'd|\w+ria|\w+riamos)\b")


_IT_IS = re.compile(r"^(?:the )?(?!what|that|how|this|it|as|where|who)[\w'-]+(?: [\w'-]+){0,3} it is\b")


def _consents(s: Sentence) -> bool:
    return (
        s.has("report")
        and s.has("consent")
        and not s.has("not_yet")
        and not any(len(d.value) == 10 for d in s.dates)
    )


# Somebody else does it: "Marta delivers the sofa by Friday" is no task of the owner.
_ANOTHERS = re.compile(
    r"(?:[A-ZÀ-Ý][\w'’-]+|(?:the|our|my|o|a|meu|minha) [\w-]+) (?!(?:is|are|has|have|needs|must|due|é|está|tem|precisa|vence)\b)(?:\w+(?:s|rá|rão)|vai|vão|will|entrega|termina|manda|traz)\b"
)


def _deadline(s: Sentence) -> bool:
    """Something is to be done by a day that is still ahead; not what merely lasts until then."""
    before = s.lang.shape("deadline")
    ahead = [d for d in s.dates if d.value > s.today.isoformat() and before.search(s.low[: d.start])]
    if _ANOTHERS.match(s.body) and not s.has("must", "todo_strong", "attribute"):
        return False
    return bool(ahead) and not s.has("valid_until", "did", "not_doing") and not s.past


_DOSE = re.compile(r"\d\s?(?:mg|mcg|ml|iu|ui)\b")


_TAKES = re.compile(r"\b(?:(?:i|he|she) takes?|tomo|toma) (?!(?:the|a|o|conta|care|cuidado|banho|cafe)\b)\w")


PROHIBITS = re.compile(
    r"^(?:nobody|no one)\b(?! (?:wants|knows|likes|cares|came|said|is|has|was|seems|really|here|told|can tell))|^(?:no \w+ (?:may|can|is allowed)|ninguem (?!quer|sabe|gosta|liga|veio|disse|me |ta|está|foi|merece)\w+|nenhum\w*)\b|\b(?:must not|mustn't|may not|not allowed|is forbidden|e proibido|é proibido|proibido|nao pode(?:m)?)\b"
)


# "the orchard then, it's cheaper"
_THEN = re.compile(r"(?:the |o |a |os |as )?[\w'-]+(?: [\w'-]+){0,3} (?:then|entao)\s*(?:[,;–—-]|$)")
_EVERY = re.compile(r"(?:every|each|tod[oa]s?|cada)\b")
# Somebody else's habit is a fact: "the cleaner comes every Friday", "o cliente quer 40 toda terça".
_THEIRS = re.compile(
    r"(?:the|my|our|his|her|o|a|os|as|meu|minha|nosso|nossa)\s(?:[\w-]+\s){1,4}?(?:is|are|comes?|gets?|wants?|has|works?|takes?|pays?|goes|vem|quer|querem|paga|tem|trabalha|recebe|toma|vai|passa|fica)\b"
)


# "every two weeks, not weekly": how often, and how often no longer.
_RATE = re.compile(r"\w,? (?:not|nao|nao mais|e nao) (?:daily|weekly|monthly|yearly|every \w+|tod[oa]s? \w+|diari\w+|semanal|mensal)\W*$")


def _habit_of_others(s: Sentence) -> bool:
    if s.forbids or s.has("must", "remind") or not _THEIRS.match(s.low[s.core :]):
        return False
    return all(_EVERY.match(s.low[a:b]) for a, b in s.spans.get("rule", ())) and not s.has("rule_soft", "limit")


# "the date for the audit is 5 May", "a vistoria está marcada para 5 de maio": what the date of a thing is, until another is said.
_DATE_IS = re.compile(
    r"(?:the|our|my|his|her|their) (?:new |next )?(?:(?:due|start|end|closing|opening|delivery|moving) )?(?:date|day|appointment|deadline|slot|term) (?:for|of|with) (?:[\w'-]+ ){1,6}(?:is|falls)\b"
    r"|(?:the|our|my|his|her|their) (?:[\w'-]+ ){1,5}(?:is|are|has been|have been) (?:now )?(?:scheduled|rescheduled|planned|set|fixed|slated) (?:for|on|to)\b"
    r"|(?:a|o|nossa|nosso|minha|meu) (?:nova |novo |proxima |proximo )?(?:data|marcacao|prazo|dia|consulta) (?:d[aoe]s?|para|com) (?:[\w'-]+ ){1,6}(?:e|é|fica|cai|calha)\b"
    r"|(?:a|o|as|os|nossa|nosso|minha|meu) (?:[\w'-]+ ){1,6}(?:esta|estao|fica|ficou|ficaram) (?:agora )?(?:re)?(?:marcad|agendad|programad|previst)[oa]s? para\b"
)


# "a Rita não pode", "Beatriz can't eat gluten": somebody's own limits, no rule.
_CANNOT = re.compile(r"(?:[OoAa] |(?:o|a|my|our|the|meu|minha|os|as) )?(?P<who>[\w'’-]+)(?: [A-ZÀ-Ý][\w'’-]+)?(?: e a? ?[A-ZÀ-Ý][\w'’-]+)? (?:já |ainda )?(?:não pode|nao pode|não podem|can't|cannot|can not|may not)\b")


# "a Leonor fica com a professora Graça": how it is with somebody, settled by others.
_STAYS_WITH = re.compile(r"(?:[OoAa] )?[A-ZÀ-Ý][\w'’-]+(?: e [oa] [A-ZÀ-Ý][\w'’-]+)? fica(?:m|ram|rá)? (?:com|em|n[oa]s?)\b")


# "Wes wants it by May, I told him no".
_TOLD_NO = re.compile(
    r"\b(?:i|we) (?:told|said|answered|replied)(?: (?:him|her|them|that))?(?: to)? (?:no|nope|no way|forget it)\b|\b(?:disse|dissemos|respondi|falei)(?:-lhe|-lhes| pra ele| pra ela)?(?: logo)? (?:que nao|nao|nem pensar)\b"
)


def _cannot(s: Sentence) -> bool:
    found = _CANNOT.match(s.body)
    return found is not None and (found["who"] in s.known or any(found["who"] in n for n in s.names))


def tag_of(s: Sentence, values: Values) -> Tag:
    day = any(len(d.value) == 10 and not (d.value == s.today.isoformat() and s.has("state")) for d in s.dates)
    if s.steps:
        return Tag.PROCEDURE
    if s.has("rule") and _habit_of_others(s):
        return Tag.FACT
    if (
        (s.has("dose") or _DOSE.search(s.low) or _TAKES.search(s.low))
        and (s.recurring or s.has("rule"))
        and not (s.has("remind", "todo_strong", "change_strong") or s.forbids)
    ):
        return Tag.FACT
    if s.has("must") and s.recurring and not s.has("remind"):
        return Tag.PROCEDURE
    if _cannot(s) and not s.has("remind", "rule", "must"):
        return Tag.CHANGED if values.old or s.has("change_strong") else Tag.FACT
    if (s.forbids or PROHIBITS.search(s.low)) and not day and not s.has("remind"):
        return Tag.PROCEDURE
    if _TOLD_NO.search(s.low):
        return Tag.DECISION
    if (
        s.has("remind")
        or (s.has("todo_strong") and not s.has("rule") and (not values.old or s.has("must")))
        or (s.has("rule_soft", "todo") and day and s.has("must"))
    ):
        return Tag.TODO
    if (
        s.has("rule", "rule_soft")
        or s.steps
        or s.forbids
        or (s.has("howto") and (s.marks or s.figures))
        or any(" " in m for m in s.marks if m[0] == "`")
    ):
        return Tag.PROCEDURE
    if values.old or s.has("change_strong") or _RATE.search(s.low):
        return Tag.CHANGED
    if s.has("completed") and not s.dates:
        return Tag.EVENT
    if s.opens("conditional") and (_ELSE.search(s.low) or not (s.has("event") or _WOULD.search(s.low))):
        return Tag.DECISION
    if _deadline(s) and not s.opens("conditional"):
        return Tag.TODO
    if day and not s.has("not_doing") and (s.has("will", "to_come")):
        return Tag.TODO if s.has("will") and not s.has("event", "outing") else Tag.EVENT
    if s.opens("request") and day and not s.opens("setting"):
        return Tag.TODO
    if s.opens("setting") and s.figures:
        return Tag.CHANGED if s.has("change_verb") else Tag.DECISION
    if _STAYS_WITH.match(s.body) and s.has("state") and (s.known or s.names) and not s.has("not_doing"):
        return Tag.FACT
    if decides(s) or (s.has("limit") and not s.has("state", "did", "report")):
        return Tag.DECISION
    if day and _DATE_IS.match(s.low[s.core :]) and not s.has("hedge"):
        return Tag.FACT
    if day and not s.has("lasting") and (s.has("event", "did") or s.past):
        return Tag.EVENT
    if s.has("did") and not s.has("state_self", "preference", "state"):
        return Tag.EVENT
    return Tag.FACT
