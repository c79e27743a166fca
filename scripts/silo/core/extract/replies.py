"""How the owner answers the assistant: takes a proposal, chooses an option, turns it down, answers a question.

`reply_to` returns what the first words of a message do to what was said before, and what is left to read on its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard, Option, label_of
from silo.core.extract.changes import figure_key
from silo.core.extract.compose import clause

__all__ = ["Reply", "proposal_text", "reply_to", "without_alternatives"]


@dataclass(frozen=True, slots=True)
class Reply:
    """kind: "accept" (text = the proposal's content), "choose" (text = the option), "reject", "answer" (text = the
    owner's own words), "none". `label` is what it is about, `rest` the words of the sentence still to be read."""

    kind: str
    text: str = ""
    label: str = ""
    rest: str = ""


NONE = Reply("none")
_ORDINALS = {
    "first": 1, "1st": 1, "one": 1, "former": 1, "primeira": 1, "primeiro": 1, "second": 2, "2nd": 2, "two": 2, "latter": 2,
    "segunda": 2, "segundo": 2, "third": 3, "3rd": 3, "three": 3, "terceira": 3, "terceiro": 3, "fourth": 4, "4th": 4, "four": 4,
    "quarta": 4, "quarto": 4, "last": -1, "ultima": -1, "ultimo": -1, "um": 1, "dois": 2, "duas": 2, "tres": 3,
}  # fmt: skip
_PICK = re.compile(
    r"^(?:(?:i'?ll take|let'?s (?:go with|do|take)|go with|i(?:'d)? (?:prefer|like|choose|pick|want)|pick|take|make it|vamos (?:de|com)|prefiro|escolho|quero|fico com|vai|pode ser|acho que)\s+)?"
    r"(?:the\s+|option\s+|number\s+|no\.?\s*|nr\.?\s*|#|a\s+|o\s+|opcao\s+|numero\s+|letra\s+)*(?P<key>\d{1,2}|[a-d]|" + "|".join(_ORDINALS) + r")"
    r"(?:\s+(?:one|option|opcao|please|works|is (?:fine|good|better|perfect)|then|mesmo|por favor|ta bom|e melhor|sounds good))*\s*(?P<rest>[,.!;:–-].*)?$"
)
_BECAUSE = re.compile(r"\s*[,;–-]?\s+(?:because|since|as it|as they|as your|so that|so you|so we|given that|which|it's|porque|pois|já que|ja que|uma vez que|assim você|assim voce|que é|para que)\b.*$", re.I)
_YOUR = {"your": "my", "yours": "mine", "Your": "My"}
_ANAPHOR = re.compile(r"\b(?:that|this|so|it|them|assim|isso|esse|essa|deste jeito|desse jeito)\b", re.I)
_DANGLING = re.compile(r"^(?:to|that|que|de|the|a|it to|o|a|um|uma|with|com|:|-|—|–|,)\s+", re.I)


def reply_to(s: Sentence, heard: Heard | None) -> Reply:
    """What the sentence does to the assistant's last words. `heard` is None where nobody was answered."""
    if heard is None or s.kind != "say":
        return NONE
    if heard.options and (chosen := _choice(s, heard)):
        return chosen
    no = s.opening("reject")
    if no and not s.opens("accept_sure") and (heard.proposals or heard.question or heard.options):
        return _refusal(s, no, heard)
    yes = s.opening("accept")
    if yes and not s.question:
        return _agreement(s, yes, heard)
    if heard.question and not s.question and not heard.proposals and not s.has("later", "retract"):
        return Reply("answer", s.body, label_of(heard.question))
    return NONE


def _choice(s: Sentence, heard: Heard) -> Reply | None:
    low = s.low[s.core :].strip(" .!)")
    match = _PICK.match(low)
    if match and s.size <= 8:
        key = match["key"]
        keyed = [o for o in heard.options if o.key]
        option: Option | None = None
        if keyed:
            option = next((o for o in keyed if o.key == key), None)
        if option is None and key in _ORDINALS:
            at = _ORDINALS[key]
            option = heard.options[at - 1 if at > 0 else -1] if abs(at) <= len(heard.options) else None
        if option:
            rest = s.body[match.start("rest") :].strip(" ,.!;:–-") if match["rest"] else ""
            return Reply("choose", _bare_option(option.text), _label(heard), rest)
    if s.size <= 9 and not s.question and not s.opens("reject"):
        fits = [o for o in heard.options if _named(o, s, list(heard.options))]
        if len(fits) == 1 and not s.verbish:
            return Reply("choose", _fuller(s.body, fits[0].text), _label(heard))
    return None


def _head(option: Option) -> str:
    return re.split(r"\s*[(:,–—-]\s+|\s*\(|\s+(?:at|with|for|a|por|com)\s+", option.text)[0].strip(" \"'“”").lower()


def _named(option: Option, s: Sentence, others: list[Option]) -> bool:
    """The sentence says the option's name: its first words, or, in few words, one that no other option has."""
    head = _head(option)
    if not head or len(head) < 2:
        return False
    if re.search(rf"(?<!\w){re.escape(head)}(?!\w)", s.text.lower()):
        return True
    foreign = {w for o in others if o is not option for w in re.findall(r"\w+", o.text.lower())}
    mine = [w for w in re.findall(r"\w+", head) if (len(w) > 3 or w.isdigit()) and w not in foreign]
    return s.size <= 4 and any(re.search(rf"(?<!\w){re.escape(w)}(?!\w)", s.text.lower()) for w in mine)


def _fuller(said: str, option: str) -> str:
    return said if len(said.split()) >= len(option.split()) or "(" in option else option


def _bare_option(text: str) -> str:
    return text if len(text) <= 90 else re.sub(r"\s*\([^)]*\)", "", text)


def _label(heard: Heard) -> str:
    """What the question of the turn is about, its alternatives left out."""
    if heard.question is None:
        return ""
    first = heard.options[0].text if heard.options and not heard.options[0].key else ""
    at = heard.question.text.find(first) if first else -1
    return label_of(heard.question, at) if at >= 0 else label_of(heard.question)


def _refusal(s: Sentence, no: tuple[int, int], heard: Heard) -> Reply:
    """Turned down. A counter-proposal behind it ("no, Thursday", "neither, 30 tops") is the owner's own answer."""
    if s.has("later"):
        return Reply("reject")
    rest = s.text[no[1] :]
    stopped = not rest.strip() or re.match(r"\s*[,.;:!–—-]", rest)
    if re.match(r"\s*[,.;:!–—-]", rest) and (counter := rest.strip(" ,.;:!–—-")):
        if re.match(r"(?:not|no|don't|skip|não|nao|nada|sem|nem)\b", counter, re.I):
            return Reply("reject")
        return Reply("answer" if heard.question else "none", counter, _label(heard), counter)
    said = frozenset().union(*(x.content for x in heard.proposals), *(x.content for x in heard.sentences if x.question), *(frozenset(o.text.lower().split()) for o in heard.options))
    words = s.content - {"not", "no", "skip", "nao"}
    if stopped or (s.opens("reject_sure") and s.size <= 3) or (words and len(words & said) / len(words) >= 0.3 and s.opens("reject_thing")):
        return Reply("reject")
    return NONE


def _agreement(s: Sentence, yes: tuple[int, int], heard: Heard) -> Reply:
    rest = s.text[max(yes[1], s.core if s.core > yes[0] else yes[1]) :]
    rest = rest.strip(" ,.;:!–—-") if re.match(r"\s*(?:[,.;:!–—-]|$)", s.text[yes[1] :]) or s.core > yes[1] else ""
    whole = not s.text[yes[1] :].strip(" ,.;:!–—-)") or bool(rest) or s.social
    if not whole and s.size > 4:
        return NONE
    if s.has("later"):
        return Reply("none", rest=rest)
    if heard.proposals:
        if heard.one_off:
            return Reply("none", rest=rest)
        text = proposal_text(heard.proposals[-1])
        if _ANAPHOR.search(text) and len(text.split()) <= 4:  # "shall I do that?" means what stands before it
            earlier = [p for p in heard.proposals[:-1]] or [x for x in heard.statements() if x.figures or x.names]
            text = proposal_text(earlier[-1]) if earlier else ""
        if text:
            return Reply("accept", text, _proposal_label(heard), rest)
        return Reply("none", rest=rest)
    if heard.question is not None and not heard.options:
        text = _as_statement(heard.question)
        if text:
            return Reply("accept", text, "", rest)
    if heard.question is None and rest and s.opens("accept_sure") and (same := _restated(rest, heard)):
        return Reply("accept", same, "")
    return Reply("none", rest=rest)


def _restated(rest: str, heard: Heard) -> str:
    """"fechou, 5 mil litros": the assistant's statement whose figure the agreement repeats."""
    figures = {figure_key(f) for f in re.findall(r"\d[\d.,:h]*", rest)}
    if not figures or len(rest.split()) > 5:
        return ""
    for said in heard.statements():
        if figures <= {figure_key(f) for f in said.figures} and said.size <= 20:
            return clause(said.text)
    return ""


def _proposal_label(heard: Heard) -> str:
    """The short question right before the proposal: "Release day? I propose Tuesdays" → "Release day"."""
    at = heard.sentences.index(heard.proposals[-1])
    before = heard.sentences[at - 1] if at else None
    return label_of(before) if before is not None and before.question and before.size <= 8 else ""


def proposal_text(s: Sentence) -> str:
    """The content of a proposal, without its "I'd suggest", its reasons and its question mark."""
    text = s.body.rstrip("?!. ")
    lead = s.opening("propose_ask") or s.opening("propose_mark")
    start = s.core
    if lead:
        start = max(start, lead[1])
    text = s.text[start:].rstrip("?!. ")
    for _ in range(3):
        text = _DANGLING.sub("", text.lstrip(" ,:"))
    text = _BECAUSE.sub("", text)
    text = re.sub(r"\b(?:your|yours|Your)\b", lambda m: _YOUR[m[0]], text)
    text = re.sub(r",?\s*(?:then|instead|right|correct|ok|okay|then|né|certo|tá|pode ser|what do you think|o que acha|shall i|should i)$", "", text.strip(), flags=re.I)
    return clause(text) if re.search(r"\w{2,}|\d", text) else ""


_INVERTED = re.compile(r"^(?:is|are|do|does|did|was|were|will|would|have|has|can|could|should|shall)\b", re.I)


def _as_statement(question: Sentence) -> str:
    """"So the deposit stays at 30%?" as the statement that a yes makes of it; "" where the question is of another kind."""
    body = question.body.rstrip("?!. ")
    if question.opens("question") or _INVERTED.match(body) or question.size < 3 or question.has("one_off") or question.opens("status_question"):
        return ""
    if not (question.figures or question.names or question.dates):
        return ""
    return clause(re.sub(r",?\s*(?:then|right|correct|certo|né|é isso|então|ok)$", "", body, flags=re.I))


def without_alternatives(text: str) -> str:
    return re.sub(r"\s*,?\s+(?:or|ou)\s+.*$", "", text)
