"""One message of the owner, sentence by sentence: what each answers, takes or turns down, and what the talk is about then.

What a sentence states by itself is weighed and written in stating.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard, head_of, label_of, offers_deed
from silo.core.extract.amend import substitute
from silo.core.extract.changes import Values
from silo.core.extract.compose import clause
from silo.core.extract.drafts import Draft, settle
from silo.core.extract.editing import edits
from silo.core.extract.passing import asks_for_text
from silo.core.extract.replies import NONE, Reply, counter_label, reply_to
from silo.core.extract.stating import Stating
from silo.core.extract.subject import (
    is_bare_answer,
    names_nothing,
    noun_of,
    person_of,
)
from silo.core.extract.tagging import tag_of
from silo.core.extract.worth import echo_of
from silo.model import Confidence, Tag
from silo.text.tokens import terms

__all__ = ["Message"]


@dataclass
class Message(Stating):
    """Reads one owner's turn into the drafts of the talk."""

    countered: bool = (
        False  # what was proposed is turned down: a bare noun behind it is what is wanted instead
    )

    def process(self) -> None:
        self.whole = tuple(self.sentences)
        self.asking = any(s.kind == "say" and s.question for s in self.sentences)
        self.admits()
        self.calls_off()
        self.owns_up()
        self.settles()
        if self.withdraws() or self.corrects():
            return
        answered = False
        first = True  # nothing of substance was said yet in this message
        for n, s in enumerate(self.sentences):
            first = first and (n == 0 or self.sentences[n - 1].social or self.sentences[n - 1].size <= 1)
            if s.kind == "say" and not s.question and (head := head_of(s)) and not names_nothing(head, s):
                self.head = head
            if s.kind == "code":
                self._attach_code(s)
            if s.kind != "say":
                continue
            if edits(s, self.talk.heard, self.talk.owner_turn - self.talk.errand_at <= _BUSY):
                self.talk.errand_at = self.talk.owner_turn
                continue
            reply = (
                reply_to(s, self.talk.heard, self.part) if not answered and (first or s.size <= 4) else NONE
            )
            if not first and reply.kind in ("answer", "reject", "decline"):
                reply = NONE
            if (self.countered or self.freed) and is_bare_answer(s) and not s.social:
                label = self.freed or (counter_label(self.talk.heard) if self.talk.heard is not None else "")
                self.countered, self.freed = False, ""
                if label:
                    self.instead = True
                    self._statement(s, label=label, answer=True)
                    self.instead = False
                    continue
            self.countered = bool(
                self.talk.heard is not None
                and (
                    (reply.kind == "answer" and s.has("dislike"))
                    or (reply.kind == "reject" and self.talk.heard.proposes)
                )
            )
            if reply.kind == "answer" and s.opens("conditional") and _YES_IF.search(s.low):
                break  # "if I oil it, yes": neither stated nor decided
            answered = answered or reply.kind != "none"
            self.refused = self.refused or s.opens("reject")
            if reply.kind == "accept" and not first:
                reply = NONE
            if reply.kind == "none" and s.opens("accept") and first:
                self.agreed = True
            if reply.kind in ("accept", "choose"):
                if reply.kind == "choose":
                    self._drop_reasons()
                for text in reply.more:
                    self._agreed(Reply("accept", text), s)
                self._agreed(reply, s)
            elif reply.kind == "decline":
                self.declined = True
                self._statement(self.part(s, reply.text), answer=True)
                self.declined = False
            elif reply.kind == "answer" and self.old_told(s):
                continue
            elif reply.kind == "answer":
                self._statement(self.part(s, reply.text), label=self._case() or reply.label, answer=True)
            elif reply.kind == "none":
                self._statement(self.part(s, reply.rest) if reply.rest and reply.rest != s.text else s)
            if reply.kind not in ("none", "answer", "decline") and reply.rest:
                self._statement(self.part(s, reply.rest))
        self._thread()

    # --- answers ---

    def _agreed(self, reply: Reply, s: Sentence) -> None:
        """A proposal or option that the owner takes becomes a decision in the assistant's words."""
        heard = self.talk.heard
        body = clause(reply.text)
        if heard is None or not body:
            return
        if reply.change:
            change = self.part(s, reply.change)
            body = (
                substitute(body, self.part(s, re.split(r",(?!\d)", reply.change)[0]))
                or f"{body}, {clause(change.text)}"
            )
        said = self.part(s, body)
        label = reply.label
        if not label and (reply.kind == "choose" or said.size <= 3):
            # The talk's subject is the choice's only if the assistant spoke of it.
            label = self.talk.about()
            label = label if frozenset(terms(label)) & frozenset(terms(heard.text)) else ""
        if label and label.lower() in body.lower():
            label = ""
        lang = heard.sentences[0].lang if heard.sentences else s.lang
        if self._served(said, heard):
            return
        task = said.has("remind") or (said.has("must", "todo_strong") and tag_of(said, Values(("", ""))) is Tag.TODO)
        tag = Tag.TODO if task else Tag.DECISION
        draft = Draft(
            body,
            tag,
            Confidence.CONFIRMED,
            self.turn,
            self.index,
            lang,
            [self.turn.id, *heard.ids[-1:]],
            label=label,
            score=4.0,
        )
        draft.dates, sources = settle(said, self.reply)
        draft.evidence.extend(e for e in sources if e not in draft.evidence)
        self._keep(draft)

    def _served(self, said: Sentence, heard: Heard) -> bool:
        """ "Shall I add the calories?" "Yes." "640 kcal.": the assistant gives what it offered, and neither takes a decision
        down nor says that something was done."""
        reply = self.reply
        if reply is None or said.figures or said.names or said.dates or said.marks or not heard.proposals:
            return False
        offer = heard.proposals[-1]
        if not (offers_deed(offer) or _OWN_OFFER.match(offer.low[offer.core :])):
            return False
        spoken = [x for x in reply.sentences if x.kind == "say" and not x.text.startswith("|")]
        if not spoken:
            return True  # a table, code
        if echo_of(said, reply) or said.has("rule", "remind") or spoken[0].opens("ack"):
            return False
        return not (reply.noted or reply.done or (reply.only_notes and not any(x.figures for x in spoken)))

    def _drop_reasons(self) -> None:
        """What was said of an option before another one was chosen is the reason, no statement of its own."""
        heard = self.talk.heard
        named = {
            w for o in (heard.options if heard else ()) for w in self.part(self.sentences[0], o.text).content
        }
        for draft in self.made:
            if not draft.figures and draft.content & named:
                draft.gone = True

    def _thread(self) -> None:
        """Remember what the talk is about: "booking site: …", "episode naming. give me options", the last thing stated."""
        talk = self.talk
        for s in self.sentences:
            if s.kind != "say" or s.social:
                continue
            if s.question:
                talk.asked = s
            if (s.has("one_off") and (s.opens("request") or (s.opens("polite") and s.has("request")))) or asks_for_text(s):
                talk.errand_at = talk.owner_turn
            label = (noun_of(s, last=True) if s.question else "") or label_of(s)
            if not label and _announces(s) and not self.made:
                label = clause(s.body)
            if not label and self.made:
                label = noun_of(s)
            talk.turn_to(label)
            talk.meet(person_of(s))


_BUSY = 5  # messages of the owner for which a text that was asked for is still worked on
_YES_IF = re.compile(r"(?:^(?:[^\s,]+\s*){1,5}|,\s+(?:(?:then|entao)\s+)?(?:yes|yeah|no|sure|ok|okay|maybe|sim|nao|claro|pode ser|talvez)\b[^,]*)$")
_OWN_OFFER = re.compile(
    r"(?:shall|should|can|could|may) i\b|(?:do you )?want me to\b|would you like me to\b|(?:posso|devo|(?:(?:voce|vc) )?quer(?:es)? que (?:eu )?)\b"
)


def _announces(s: Sentence) -> bool:
    """A few words that only name what is to be talked about."""
    busy = (
        s.question
        or s.verbish
        or s.figures
        or s.opens("request")
        or s.has("one_off", "evaluation", "ephemeral", "feeling", "weather")
        or s.opens("accept")
        or s.opens("reject")
    )
    return not busy and 1 <= s.size <= 4 and bool(s.content)
