"""What a statement says is over of what a fact says: the gym is cancelled, the oil heating gone, what was for sale is sold.

The part that says so must speak of nothing but the fact; what came instead may follow. It says that the fact holds no more, not
what holds since.
"""

from __future__ import annotations

import re

_ACTS = (  # who does it; what it is done to stands behind
    r"(?:cancell?ed|closed|quit|left|leaving|sold|dropped|ended|terminated|ditched|given up|gave up|got rid of|scrapped|switched(?: away)? from|resigned from|done with|no longer|not (?:at|with|in|on)|stopped (?:using|going to)|moved (?:away |out )?(?:from|of)|"
    r"cancel(?:ei|ou|ámos|amos|aram)|desist(?:i|iu|imos)(?: d[eoa])?|rescind(?:i|iu|imos)(?: com| o)?|deix(?:ei|ou|ámos|amos|aram)|saí(?:mos|ram)?(?: d[eoa])?|saiu d[eoa]|fech(?:ei|ou|ámos|amos)|encerr(?:ei|ou|ámos|amos)|"
    r"vend(?:i|eu|emos|eram)|acab(?:ei|ámos|amos) com|larg(?:uei|ou|ámos|amos)|abandon(?:ei|ou|ámos|amos)|tir(?:ei|ámos|amos)|já não)"
)
_STATES = (  # what it is done to stands before
    r"(?:(?:is|are|has|have|was|were|'s)(?: been| all| finally| already| now)* (?:gone|cancelled|canceled|sold|over|scrapped|removed|no more|history)|no longer exists?|"
    r"foi-se|foram-se|acabou|acabaram|já não existe|já era|(?:foi|foram|está|estão) (?:vendid|cancelad|desligad|retirad|removid|rescindid)[oa]s?)"
)
_OVER = re.compile(rf"(?:^|(?<=\s)){_ACTS}(?!\w)|(?:(?<=\s)|(?<=')){_STATES}(?!\w)", re.IGNORECASE)
_BEHIND = re.compile(rf"{_ACTS}\Z", re.IGNORECASE)
_UNSAID = re.compile(
    r"\b(?:if|when|unless|want(?:s|ed)? to|would|will|might|may|going to|plan(?:s|ning)?|almost|nearly|not yet|haven't|hasn't|didn't|never|isn't|aren't|wasn't|"
    r"(?<!-)se|quando|quer(?:o|emos|em)?|vou|vai|vamos|talvez|quase|ainda|penso|pensamos|nunca)\b|\?\s*\Z|\bnão\b(?<!já não)",
    re.IGNORECASE,
)
_PART = re.compile(r"\s*[,;.–—]\s+|\s+(?:and|e|but|mas)\s+(?=(?:i|we|he|she|they|it|now|agora|eu|passei|passámos|passamos|mudei|mudámos|mudamos|fomos|fui|temos|tenho|estou|estamos|inscrevi)\b)", re.IGNORECASE)
# What ties somebody to a firm or a club, and says nothing of which.
TIES = frozenset(["account", "membership", "subscription", "contract", "plan", "policy", "conta", "assinatura", "subscricao", "contrato", "inscricao", "mensalidade", "plano", "apolice"])
_SALE = re.compile(r"\b(?:for|on|up for) sale\b|(?<!\w)à venda\b|\bsel(?:l|ling)\b|\b(?:a|para) vender\b", re.IGNORECASE)
_SOLD = re.compile(r"\bsold\b|\bvend(?:i|eu|emos|eram|id[oa]s?)\b", re.IGNORECASE)


def ended_part(text: str) -> tuple[str, str, bool] | None:
    """The part of a text that says something is over: the part, its words but those that say so, whether they stand before what is
    over."""
    part = _PART.split(text.strip())[0].rstrip(".! ")
    found = _OVER.search(part)
    if found is None or _UNSAID.search(text):
        return None
    behind = _BEHIND.match(found[0]) is not None
    what = f"{part[: found.start()]} {part[found.end() :]}".strip(" '")
    return (part, what, behind) if what else None


def says_over(text: str) -> bool:
    """Whether a text itself tells something as over."""
    return _OVER.search(text) is not None


def sale_done(fact: str, text: str) -> bool:
    """Whether what the fact says is for sale is said to be sold."""
    return _SALE.search(fact) is not None and _SOLD.search(text) is not None
