"""Restoring what a sentence is about where it does not say so itself: from the question it answers, from the words
that the assistant repeated, or from what was being talked about."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.changes import figure_key, figure_keys
from silo.core.extract.drafts import Draft
from silo.core.extract.talk import Talk
from silo.text.flat import flat
from silo.text.tokens import terms

__all__ = [
    "Restored",
    "is_bare_answer",
    "is_tail",
    "names_nothing",
    "needs_subject",
    "noun_of",
    "person_of",
    "restore",
]

_NO_NOUN = re.compile(
    r"(?:about|around|roughly|maybe|only|just|least|most|less|more|under|over|below|above|between|until|before|after|since|twice|once|two|three|four|five|seven|eight|nine|half|every|each|exactly|almost|nearly|"
    r"cerca|quase|mais|menos|apenas|entre|antes|depois|desde|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|meia|meio|cada|exatamente|umas|talvez|ate)\b"
)


@dataclass(frozen=True, slots=True)
class Restored:
    """The words of a statement, the label put before them, further evidence; or the draft that it belongs to."""

    body: str
    label: str = ""
    evidence: tuple[str, ...] = ()
    onto: Draft | None = None


def restore(
    s: Sentence,
    talk: Talk,
    reply: Heard | None,
    label: str,
    answer: bool,
    last: Draft | None,
    part: Callable[[Sentence, str], Sentence],
    listed: bool = False,
) -> Restored:
    """Make a sentence readable alone. `label` is what the question that it answers is about, `last` the statement before
    it in the same message."""
    needs, lacks_object = needs_subject(s), _has_object_pronoun(s)
    heard = talk.heard
    if answer and not needs and label and _hangs_on(s):
        needs = True
    if not needs and not lacks_object:
        return Restored(s.body)
    if lacks_object and last is not None and s.opens("request") and not answer:
        return Restored(s.body, onto=last)
    echo = _best_echo(s, reply) if needs else None
    if echo is not None and reply is not None and not label and not needs_subject(part(s, _strip_ack(echo))):
        return Restored(_strip_ack(echo), "", reply.ids[:1])
    ante = "" if label or (answer and not needs) else _antecedent(s, heard)
    if ante and heard is not None:
        return Restored(s.body, _fresh(ante, s), heard.ids[-1:])
    if (
        not label
        and last is not None
        and not answer
        and (
            s.pronoun
            or s.subjectless
            or (needs and not listed)
            or (lacks_object and ((not s.figures and not s.dates) or s.opens("request")))
        )
    ):
        return Restored(s.body, onto=last)
    place = s.lang.shape("person").search(s.low[s.core :])
    if label and place and not place.start():
        label = ""  # "And the colours?" "she hates pink"
    if not label and _lacks_subject(s, answer):
        named = [p for x in (heard.proposals if heard else ()) if (p := person_of(x))]
        label = (
            talk.whom() or (named[-1] if named else "") if place and not place.start() else ""
        ) or (talk.about() if answer or talk.owner_turn - talk.subject_at <= 2 else "")
    body, evidence = s.body, heard.ids[-1:] if answer and heard is not None else ()
    if answer and label and echo is not None and reply is not None and not s.verbish:
        body, evidence = _strip_ack(echo), (*evidence, *reply.ids[:1])
    return Restored(body, _fresh(label, part(s, body)), evidence)


def names_nothing(label: str, s: Sentence) -> bool:
    """Time words, "new", "the other one" and the like are no subject of a statement."""
    low = flat(label).strip()
    return bool(s.lang.shape("stray").fullmatch(low) or _POINTS.search(low))


_POINTS = re.compile(r"\b(?:that|it|this|these|those|them|none|isso|isto|aquilo|ele|ela|nenhum|nenhuma)\b")


def is_bare_answer(s: Sentence) -> bool:
    """Nothing but the thing asked for: a noun or a value, no clause of its own."""
    own = {w for w, _, _ in s.tokens} & (s.lang.helpers | {"nada", "nothing"})
    return s.size <= 7 and not s.own_subject and not s.verbish and not own


def _hangs_on(s: Sentence) -> bool:
    """A short answer that leaves out what was asked about: "stopped in 2017", "from March on"."""
    return not s.own_subject and s.size <= 9 and not s.has("remind", "note_any") and not s.opens("note")


def _lacks_subject(s: Sentence, answer: bool) -> bool:
    """A pronoun, a verb in the third person or a bare value; a stray noun or a whole clause takes no subject from before."""
    if s.own_subject:
        return False
    if _THEY.match(s.low[s.core :]) and not answer:
        return False  # a firm, a landlord, people: seldom what was named last
    if s.pronoun or (s.has("did") and _has_object_pronoun(s)):
        return True
    if s.subjectless:
        return (
            bool(_THIRD.match(s.low[s.core :])) if s.lang.subjectless == ("state", "report", "did") else False
        )
    return (
        bool(s.figures)
        and not s.verbish
        and s.size <= (9 if answer else 4)
        and not re.match(r"[^\W\d]{3,}", s.body)
    )


_THEY = re.compile(r"(?:they|they're|their|eles|elas)\b")
_THIRD = re.compile(r"\w+s\b|.*,\s+\w+s\b")


def _fresh(label: str, s: Sentence) -> str:
    """The label, unless it names nothing or the sentence says it already."""
    if names_nothing(label, s):
        return ""
    return "" if set(re.findall(r"\w+", label.lower())) <= set(re.findall(r"\w+", s.text.lower())) else label


def needs_subject(s: Sentence) -> bool:
    """It can't be read alone: a pronoun for a subject, or a fragment that hangs on the words before it."""
    if s.pronoun:
        return True
    if s.own_subject:
        return False
    if s.subjectless:
        return True
    if s.verbish or s.size > 8 or s.has("rule", "rule_soft", "remind"):
        return False
    first = re.match(r"[^\W\d]{4,}", s.body)
    if (
        first
        and s.figures
        and s.size >= 2
        and flat(first[0]) not in s.lang.function_words
        and not _NO_NOUN.match(s.low[s.core :])
    ):
        return False  # "rent 980", "cholesterol 4.8"
    return not (s.names and s.size >= 4) and not re.match(r"^[^\n:]{2,40}:\s", s.body)


def _has_object_pronoun(s: Sentence) -> bool:
    return bool(s.lang.shape("object").search(s.low[s.core :]))


def is_tail(s: Sentence) -> bool:
    """A few words without a verb that go on with "and": "and no sugar", "e sem emoji"."""
    return (
        bool(re.match(r"(?:and|but|plus|e|mas)\b", s.text, re.I))
        and s.size <= 5
        and not (
            s.verbish or s.question or s.social or s.has("change_strong", "change_verb", "remind", "todo")
        )
    )


# --- nouns ------------------------------------------------------------------------------------------------

_VERBS = ("state", "did", "event_verb", "will", "report", "decision", "change_strong", "todo_strong")


def noun_of(s: Sentence, *, last: bool = False) -> str:
    """A noun phrase that the sentence is likely about: the first (or last) one with an article or possessive, or ""."""
    found = list(s.lang.shape("noun").finditer(s.text, s.core if s.core < len(s.text) else 0))
    if not found:
        return ""
    match = found[-1 if last else 0]
    if whole := match.groupdict().get("whole"):
        return "" if whole.split()[0].lower() in s.lang.function_words else whole.strip()
    stops = {a for kind in _VERBS for a, _ in s.spans.get(kind, ())}
    kept: list[str] = []
    at = match.start("words")
    for word in re.finditer(r"[\w'’-]+", match["words"]):
        place = at + word.start()
        if (
            word[0].lower().replace("’", "'").replace("'", "") in s.lang.function_words
            or place in stops
            or word[0][0].isdigit()
        ):
            break
        kept.append(word[0])
    return " ".join(kept[:3])


def person_of(s: Sentence) -> str:
    """The last name in the sentence that may be a person's."""
    found = [n for n in s.names if n[0].isupper() and not n.isupper() and not any(c.isdigit() for c in n)]
    if found:
        return found[-1]
    kin = _KIN.search(s.text)
    return kin[0] if kin else ""


_KIN = re.compile(
    r"\b(?:my|our|o meu|a minha|o nosso|a nossa|meu|minha|nosso|nossa) (?:(?:older|younger|little|big|late) )?(?:father|mother|dad|mum|mom|sister|brother|daughter|son|wife|husband|partner|boyfriend|girlfriend|aunt|uncle|cousin|niece|nephew|grandma|grandpa|grandmother|grandfather|boss|neighbour|neighbor|"
    r"pai|mãe|irmã|irmão|filha|filho|mulher|marido|esposa|namorado|namorada|tia|tio|prima|primo|sobrinha|sobrinho|avó|avô|sogra|sogro|chefe|vizinha|vizinho)\b",
    re.I,
)


# --- the assistant's words --------------------------------------------------------------------------------


def _strip_ack(s: Sentence) -> str:
    """The assistant's sentence without its opening "Noted:", "OK,", "Atualizado:"."""
    text = s.text
    for _ in range(3):
        spans = [
            b
            for k in ("ack", "noted", "filler", "filler_stop")
            for a, b in s.spans.get(k, ())
            if a == len(s.text) - len(text)
        ]
        rest = s.text[max(spans) :] if spans else ""
        if not re.match(r"\s*[:,.!;—–-]", rest):
            break
        text = rest.lstrip(" :,.!;—–-")
    return _NOTED_LAST.sub("", _PROMISE.sub("", text))


_NOTED_LAST = re.compile(
    r"\s*[,;–—-]\s*(?:noted|got it|understood|added|saved|anotado|anotei|certo|entendido|registrado|combinado)\s*[.!]*$",
    re.I,
)
_PROMISE = re.compile(
    r"^(?:I'll|I will) (?:remind you|make a note|note|put down)(?: to| about| of| that| on)?\s+|^(?:vou |eu )?(?:te lembro|te lembrar|te aviso|te avisar)(?: de| do| da| que)?\s+",
    re.I,
)


_ACKS = frozenset(
    terms(
        "noted got it ok okay understood added saved updated then so right anotado certo entendido atualizado combinado registrado então ok"
    )
)


def _best_echo(s: Sentence, reply: Heard | None) -> Sentence | None:
    """The sentence of the answer that says the same in full: all figures of `s`, some of its words, and more."""
    if reply is None:
        return None
    mine = figure_keys(s)
    best, weight = None, 0
    for said in reply.sentences:
        if (
            said.kind != "say"
            or said.question
            or said.lang.code != s.lang.code
            or said.size > 28
            or said.has("unsure", "dropped")
        ):
            continue
        theirs = figure_keys(said)
        shared = s.content & said.content
        strength = len(shared) + 2 * len(mine & theirs)
        enough = mine or len(shared) >= 2 or len(shared) >= 0.5 * len(s.content)
        more = said.content - s.content - _ACKS
        if (
            mine <= theirs
            and enough
            and more
            and strength > weight
            and len(said.content) >= 2
            and len(said.figures) <= len(s.figures) + 2
        ):
            best, weight = said, strength
    return best


_SEGMENT = re.compile(r"\s*(?:[;:(),]|\band\b|\be\b|\bbut\b|\bmas\b|\.\s)\s*")
_SMALL_END = re.compile(
    r"(?:\s+(?:the|a|an|of|for|to|on|at|in|is|are|by|from|o|os|as|de|do|da|dos|das|para|pra|no|na|em|é|e|with|com|was|until|até))+$",
    re.I,
)
_SMALL_START = re.compile(
    r"^(?:(?:the|a|an|your|our|and|o|a|os|as|e|seu|sua|um|uma|you|noted|that)\s+)+", re.I
)


def _antecedent(s: Sentence, heard: Heard | None) -> str:
    """What the assistant said the same figure or name is of: "fee 13,200 payable by 15 July" → "fee"."""
    if heard is None:
        return ""
    keys = {figure_key(f) for f in s.figures if len(figure_key(f)) >= 2}
    names = [n for n in s.names if len(n) > 1]
    for said in heard.statements():
        for figure in said.figures:
            if figure_key(figure) in keys:
                return _before(said.text, said.text.find(figure))
        for name in names:
            at = said.low.find(name.lower())
            if at > 0:
                return _before(said.text, at)
    return ""


def _before(text: str, at: int) -> str:
    words = _SEGMENT.split(text[:at])[-1].strip()
    label = _SMALL_START.sub("", _SMALL_END.sub("", words)).strip(" ,;:-")
    return label if label and len(label.split()) <= 5 and re.search(r"[^\W\d]{3,}", label) else ""
