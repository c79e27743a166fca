"""How the owner answers the assistant: takes a proposal, chooses an option, turns it down, answers a question.

`reply_to` returns what a sentence does to what was said before, and what is left of it to read on its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import (
    Heard,
    Option,
    label_of,
    offers_deed,
    proposed_for,
    proposes_inside,
    should_be,
)
from silo.core.extract.amend import substitute
from silo.core.extract.changes import figure_key, figure_keys
from silo.core.extract.choice import chosen
from silo.core.extract.compose import clause
from silo.core.extract.likeness import likened
from silo.core.extract.refusals import other_no, refusal, turned_down
from silo.core.extract.reply import NONE, Reply
from silo.core.extract.subject import needs_subject
from silo.text.tokens import terms

__all__ = ["NONE", "Reply", "counter_label", "proposal_text", "reply_to"]


Part = Callable[[Sentence, str], Sentence]  # some words of a sentence, read as one of their own


_BECAUSE = re.compile(
    r"\s*[,;–-]?\s+(?:because|since|as it|as they|as your|so that|so you|so we|given that|which|it's|porque|pois|já que|ja que|uma vez que|assim você|assim voce|que é|para que)\b.*$",
    re.I,
)
_YOUR = {"your": "my", "yours": "mine", "Your": "My"}
_DANGLING = re.compile(r"^(?:to|that|que|de|the|a|it to|o|a|um|uma|with|com|:|-|—|–|,)\s+", re.I)
_ANAPHOR = re.compile(
    r"\b(?:that|this|so|it|them|assim|isso|esse|essa|deste jeito|desse jeito|proceed|go ahead|continue|avançar|avanco|avanço|prosseguir|prossigo|seguir|confirm|confirma|confirmar)\b|^$",
    re.I,
)
_BUT = re.compile(r"^(?:but|only|just|except|mas|só|so|menos|porém|porem)\b\s*", re.I)


def reply_to(s: Sentence, heard: Heard | None, part: Part) -> Reply:
    """What the sentence does to the assistant's last words. `heard` is None where nobody was answered."""
    if heard is None or s.kind != "say":
        return NONE
    if not s.text.endswith("?") and s.size <= 16 and (like := likened(s, heard)) is not None:
        return Reply("choose", like.text, label_before_options(heard)) if isinstance(like, Option) else Reply("open")
    if not s.question and s.size <= 12 and heard.options and (pick := chosen(s, heard)):
        return Reply("choose", pick[0], label_before_options(heard), pick[1])
    if (heard.options or heard.proposes) and (down := turned_down(s, heard, part)):
        return down
    if not s.question and heard.proposes and _dislikes(s, heard):
        return Reply("answer", s.body)
    if heard.proposes and (counter := _counter(s, heard, part)):
        return counter
    if not s.question and (but := _NO_BUT.match(s.body)) and len(but["rest"].split()) > 3:
        return Reply("none", rest=but["rest"])  # "not yet, but the flight leaves at seven"
    no = s.opening("reject") or other_no(s, heard)
    if no and not s.opens("accept_sure"):
        down = refusal(s, no, heard, part, label_before_options(heard))
        if down is not None or heard.proposes or heard.question or heard.options:
            return down or NONE
    if not s.question and (told := _verb_for_yes(s, heard)):
        return told
    yes = s.opening("accept")
    if yes and not s.question:
        return _agreement(s, yes, heard, part)
    if not s.question and not s.has("later", "retract") and heard.question and not heard.proposes:
        return Reply("answer", s.body, label_of(heard.question))
    return NONE


_RATHER = re.compile(
    r"^(?:make (?:it|that)|rather|better|preferably|let's say|how about|melhor|prefiro|que seja|faz|coloca|bota|põe|pode ser|só se for|so se for)\s+(?P<new>.+)$",
    re.I,
)
_INSTEAD = re.compile(
    r"^(?P<new>.{1,30}?),?\s+(?:instead|is better|works better|suits me better|é melhor|fica melhor|melhor)\W*$",
    re.I,
)


def _counter(s: Sentence, heard: Heard, part: Part) -> Reply | None:
    """Another value for what was proposed: "make it 9:45", "Thursday instead". The rest of the proposal holds."""
    match = _RATHER.match(s.body) or _INSTEAD.match(s.body)
    if match is None or s.question or s.size > 7:
        return None
    new = match["new"].rstrip("?!. ")
    text = _last_proposal(heard)
    if not text or not (body := substitute(text, part(s, new))) or body == text:
        return None
    return Reply("accept", body, _proposal_label(heard))


def _dislikes(s: Sentence, heard: Heard) -> bool:
    """ "she hates pink" turns pink down, and says something that stays true."""
    said = frozenset().union(*(x.content for x in heard.proposals))
    return s.has("dislike") and s.size <= 8 and bool(s.content & said)


def counter_label(heard: Heard) -> str:
    """What the thing named instead of the one proposed is for."""
    return _proposal_label(heard) if heard.proposals else label_before_options(heard)


_NO_BUT = re.compile(
    r"^(?:not yet|not really|no|nope|ainda não|ainda nao|não|nao|por enquanto não),?\s+(?:but|although|mas|porém|porem|só que|so que)\s+(?P<rest>\S.*)$",
    re.I | re.S,
)


def label_before_options(heard: Heard) -> str:
    """What the question of the turn is about, its alternatives left out."""
    if heard.question is None or heard.question in heard.proposals:
        return ""
    if heard.question.size <= 3 and heard.question.body[:5].lower().startswith(("which", "qual", "quais")):
        return ""  # "which one?" names nothing
    first = heard.options[0].text if heard.options and not heard.options[0].key else ""
    at = heard.question.text.find(first) if first else -1
    return label_of(heard.question, at if at >= 0 else None)


def _agreement(s: Sentence, yes: tuple[int, int], heard: Heard, part: Part) -> Reply:
    rest, whole = _after(s, yes)
    asked = heard.question if not heard.proposals and not heard.options else None
    if not whole and s.size > 4:
        # "pode aumentar, mas pra 80"
        return (
            Reply("answer", s.body, label_of(asked))
            if asked and (s.figures or s.dates) and s.size <= 9
            else NONE
        )
    if (
        asked
        and rest
        and whole
        and needs_subject(part(s, rest))
        and not s.has("later")
        and not _as_statement(asked)
    ):
        return Reply("answer", rest, label_of(asked))
    if s.has("later"):
        return Reply("none", rest=rest)
    if heard.proposals:
        text = _last_proposal(heard)
        if not text:
            return Reply("none", rest=rest)
        but, onto = _BUT.match(rest), _ANAPHOR.search(rest) and len(rest.split()) <= 10
        return Reply(
            "accept",
            text,
            _proposal_label(heard),
            "" if but or onto else rest,
            rest[but.end() :] if but else rest if onto else "",
            _together(heard),
        )
    if heard.question is not None and not heard.options and (text := _as_statement(heard.question)):
        return Reply("accept", text, "", rest)
    if heard.question is None and rest and (same := _restated(rest, heard)):
        return Reply("accept", same)
    return Reply("none", rest=rest)


_FIRST_WORD = re.compile(r"\W*([^\W\d_]{2,})(?:-\w+)?(?= sim\b|\s*[,.;:!–—-]|\s*$)")
_VERBS = ("state", "decision", "to_come", "will", "did", "todo", "change_verb", "setting", "deed", "request")


def _verb_for_yes(s: Sentence, heard: Heard) -> Reply | None:
    """ "O nome fica Pé de Vento?" "Fica.", "Marco para as nove?" "Marca": Portuguese says yes by saying the verb again."""
    asked, word = heard.question, _FIRST_WORD.match(s.low)
    if asked is None or word is None or asked.lang.code != "pt" or heard.options or asked.past:
        return None
    if not (heard.proposals or asked.figures or asked.names or asked.dates or asked.marks):
        return None  # "Correu bem?" puts nothing forward
    first = asked.low[asked.core :].split(" ", 1)[0]
    ordered = offers_deed(asked) and word[1][:3] == first[:3] and word[1][-1] in "aes"
    verbs = {asked.low[a:b].split(" ")[0] for kind in _VERBS for a, b in asked.every.get(kind, asked.spans.get(kind, ()))}
    if not ordered and word[1] not in verbs:
        return None
    text = _last_proposal(heard) if heard.proposals else clause(asked.body)
    return Reply("accept", text, "", s.text[word.end() :].strip(" ,.;:!–—-")) if text else None


_ALSO = re.compile(r"\b(?:also|além disso|também|tambem)\b", re.I)


def _together(heard: Heard) -> tuple[str, ...]:
    """The proposals before one that says "also": a yes takes them all."""
    if len(heard.proposals) < 2 or not _ALSO.search(heard.proposals[-1].text):
        return ()
    earlier = [p for p in heard.proposals[:-1] if not p.question]
    return tuple(
        f"{what}: {text}" if (what := proposed_for(p)) else text for p in earlier if (text := proposal_text(p))
    )


def _after(s: Sentence, yes: tuple[int, int]) -> tuple[str, bool]:
    """What stands behind the yes, and whether the yes is one: alone, or set off from the rest."""
    tail = s.text[yes[1] :]
    if s.core > yes[1]:
        return s.text[s.core :].strip(" ,.;:!–—-"), True
    rest = tail.strip(" ,.;:!–—-)")
    set_off = bool(re.match(r"\s*[,.;:!–—-]", tail)) or bool(_BUT.match(rest))
    return (rest if set_off else ""), not rest or set_off or s.social


def _last_proposal(heard: Heard) -> str:
    text = proposal_text(heard.proposals[-1])
    if not _ANAPHOR.search(text) or len(text.split()) > 4:
        return "" if heard.one_off else text
    # "Shall I do that?" means what stands before it.
    earlier = list(heard.proposals[:-1]) or [x for x in heard.statements() if x.figures or x.names]
    return proposal_text(earlier[-1]) if earlier else ""


def _restated(rest: str, heard: Heard) -> str:
    """ "fechou, 5 mil litros": the assistant's statement whose figure the agreement repeats."""
    figures = {figure_key(f) for f in re.findall(r"\d[\d.,:h]*", rest)}
    words = frozenset(terms(rest))
    if not words or len(rest.split()) > 5 or re.match(r"(?:it|that|this|they|é|fica|isso)\b", rest, re.I):
        return ""
    for said in heard.statements():
        if figures and said.size <= 20 and figures <= figure_keys(said):
            return clause(said.text)
        if not figures and words <= said.content:
            return clause(re.sub(r"\s+(?:then|it is|então|entao|mesmo)$", "", rest))
    return ""


def _proposal_label(heard: Heard) -> str:
    """What the proposal is for, or the short question right before it: "Release day? I propose Tuesdays" → "Release day"."""
    if what := proposed_for(heard.proposals[-1]):
        return what
    at = heard.sentences.index(heard.proposals[-1])
    before = heard.sentences[at - 1] if at else None
    return label_of(before) if before is not None and before.question and before.size <= 8 else ""


def proposal_text(s: Sentence) -> str:
    """The content of a proposal, without its "I'd suggest", its reasons and its question mark."""
    lead = s.opening("propose_ask") or s.opening("propose_mark")
    start = max(s.core, lead[1]) if lead else proposes_inside(s) or s.core
    text = (should_be(s) or s.text[start:]).rstrip("?!. ")
    for _ in range(3):
        text = _DANGLING.sub("", text.lstrip(" ,:"))
    text = _BECAUSE.sub("", text)
    text = re.sub(r"\b(?:your|yours|Your)\b", lambda m: _YOUR[m[0]], text)
    text = re.sub(
        r",?\s*(?:then|instead|right|correct|ok|okay|né|certo|tá|pode ser|what do you think|o que acha|shall i|should i)$",
        "",
        text.strip(),
        flags=re.I,
    )
    return clause(text) if re.search(r"\w{2,}|\d", text) else ""


_INVERTED = re.compile(r"^(?:is|are|do|does|did|was|were|will|would|have|has|can|could|should|shall)\b", re.I)


def _as_statement(question: Sentence) -> str:
    """ "So the deposit stays at 30%?" as the statement that a yes makes of it; "" where the question is of another kind."""
    body = question.body.rstrip("?!. ")
    if (
        question.opens("question")
        or _INVERTED.match(body)
        or question.size < 3
        or question.has("one_off")
        or question.opens("status_question")
    ):
        return ""
    if not (question.figures or question.names or question.dates):
        return ""
    return clause(re.sub(r",?\s*(?:then|right|correct|certo|né|é isso|então|ok)$", "", body, flags=re.I))
