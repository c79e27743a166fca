"""One message of the owner, sentence by sentence: what it answers, takes back, corrects and states."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard, head_of, label_of, offers_deed, puts_case
from silo.core.extract.amend import substitute
from silo.core.extract.changes import Values, change_in, slipped
from silo.core.extract.claims import states
from silo.core.extract.compose import clause, directive
from silo.core.extract.drafts import Draft, settle
from silo.core.extract.editing import edits
from silo.core.extract.joining import Joining
from silo.core.extract.passing import asks_for_text
from silo.core.extract.replaced import day_given_up, has_day, hedged_tail, old_elsewhere
from silo.core.extract.replies import NONE, Reply, counter_label, reply_to
from silo.core.extract.subject import (
    Restored,
    is_bare_answer,
    names_nothing,
    needs_subject,
    noun_of,
    person_of,
    restore,
)
from silo.core.extract.tagging import tag_of
from silo.core.extract.worth import Verdict, echo_of, judge
from silo.model import Confidence, Tag
from silo.text.tokens import terms

__all__ = ["Message"]


@dataclass
class Message(Joining):
    """Reads one owner's turn into the drafts of the talk."""

    agreed: bool = False  # the message begins with a yes: a fragment behind it is what was agreed
    head: str = ""  # "dentist: done. next check in 6 months": holds for what follows in the message
    countered: bool = (
        False  # what was proposed is turned down: a bare noun behind it is what is wanted instead
    )
    instead: bool = False  # the sentence at hand is such a noun
    refused: bool = False  # it begins with a no
    declined: bool = False  # the sentence at hand turns something down and says why
    asking: bool = False  # it asks something
    laughing: bool = False  # the owner's message before or after this one is laughter
    opener: Sentence | None = None
    best_echo: float = -1.0  # the gist, once it was asked for
    heading: Sentence | None = None  # "decided last night:" holds for the list under it

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

    def _gist(self) -> float:
        """How well the answer repeats the best repeated sentence."""
        if self.best_echo < 0:
            self.best_echo = max(echo_of(s, self.reply) for s in self.whole) if len(self.whole) > 2 else 0.0
        return self.best_echo

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

    # --- statements ---

    def _statement(self, s: Sentence, *, label: str = "", answer: bool = False) -> None:
        if s.only_asks or (s.text.endswith(":") and s.size <= 12 and not self._before_code(s)):
            self.heading = s
            return
        if answer and label and not s.figures and set(terms(s.body)) <= set(terms(label)):
            return  # "Correu bem?" "Correu." is a yes to what was no proposal, and tells nothing by itself
        main = s
        if self.opener is not None:
            s, self.opener = self.part(s, f"{self.opener.text.rstrip('.!')}: {s.body}"), None
        elif (
            s.size <= 3
            and s.has("did", "decision")
            and not s.has("ephemeral")
            and not s.figures
            and not s.names
            and s is not self.sentences[-1]
            and not answer
            and s.text.endswith(("!", "."))
        ):
            self.opener = s  # "signed yesterday!" tells of what comes next
            return
        if self._goes_on(s):
            return
        tail = hedged_tail(s)
        if tail:
            self._statement(self.part(s, s.text[:tail]), label=label, answer=answer)
            self._statement(self.part(s, s.text[tail:].lstrip(" ,;")))
            return
        if self.new_value(s) or self.closes(s):
            return
        values = change_in(s, self.talk.languages)
        if self._edits(s, values) or self._new_day(s, values):
            return
        listed = self.heading is not None and self.heading.block <= s.block
        about = "no" if self.declined else label if answer and self._lasting_question(s, label) else ""
        case = answer and bool(self._case())
        verdict = judge(
            s,
            self.reply,
            values,
            answer=answer,
            listed=listed,
            gist=self._gist,
            laughing=self.laughing or case,
            doubted=self.doubted(s),
            asking=self.asking and not s.question,
            about=about,
        )
        if main is not s:
            verdict = replace(verdict, tag=judge(main, self.reply, values).tag)
        if answer and not self.declined and not s.social and (s.content or s.figures) and self._completes(s, values):
            return
        told = bool(self.told_label and not label) or (self.mistaken and states(s) and not s.has("will", "later", "hedge"))
        if not verdict.keep and not (told and verdict.score > -1.5):
            return
        if case:
            verdict = replace(verdict, tag=Tag.DECISION if verdict.tag is Tag.FACT else verdict.tag)
            self._keep(self._draft(s, values, verdict, Restored(s.body, label, self.talk.heard.ids[-1:] if self.talk.heard else ()), answer))
            return
        found = self._worded(s, label, answer=answer, listed=listed)
        if found.onto is not None:
            found.onto.add(s.body, self.turn.id)
            if verdict.tag is Tag.TODO:
                found.onto.tag = Tag.TODO
            return
        if (
            self.head
            and not (answer or found.label or s.verbish)
            and self.head.lower() not in found.body.lower()
        ):
            found = Restored(found.body, self.head, found.evidence)
        self._keep(self._draft(s, values, verdict, found, answer))

    def _worded(self, s: Sentence, label: str, *, answer: bool, listed: bool) -> Restored:
        """The sentence with what it is about, where it leaves that to what was said before."""
        if self.told_label and not label:
            label, self.told_label = self.told_label, ""
            return Restored(s.body, "" if label.lower() in s.text.lower() else label)
        label = label or (self.head if not answer and needs_subject(s) else "")
        return restore(s, self.talk, self.reply, label, answer, self.made[-1] if self.made else None, self.part, listed)

    def _edits(self, s: Sentence, values: Values) -> bool:
        """ "write me a caption" … "change cake to pie": the old word is one of the assistant's text, which the errand is about."""
        heard, talk = self.talk.heard, self.talk
        busy = heard is not None and talk.owner_turn - talk.errand_at <= 3 and (s.opens("request") or s.opens("setting"))
        if heard is None or not busy or not values.old or s.figures or s.dates or values.old.lower() not in heard.text.lower():
            return False
        if any(not d.gone and values.old.lower() in d.body.lower() for d in talk.drafts):
            return False
        talk.errand_at = talk.owner_turn
        return True

    def _case(self) -> str:
        """The case that the assistant put: "And if it rains?" → "If it rains"."""
        asked = self.talk.heard.question if self.talk.heard is not None else None
        return _WHAT.sub("", clause(asked.body)) if asked is not None and puts_case(asked) else ""

    def _lasting_question(self, s: Sentence, label: str) -> bool:
        """The assistant asks for something to know, not how to do the errand at hand."""
        heard, talk = self.talk.heard, self.talk
        if self.instead:
            return True
        if heard is None or heard.question is None or not label or names_nothing(label, s):
            return False
        if heard.options or not is_bare_answer(s) or self.refused:
            return False
        return (
            talk.owner_turn - talk.errand_at > 2
            and not heard.question.has("one_off")
            and not heard.question.opens("status_question")
        )

    def _draft(
        self, s: Sentence, values: Values, verdict: Verdict, found: Restored, answer: bool = False
    ) -> Draft:
        evidence = [self.turn.id, *found.evidence]
        old = values.old
        if not old:
            old, source = old_elsewhere(s, self.reply, self.talk.heard, self.talk.languages, self.part)
            evidence.extend(source)
        before = self._outdated(s) if not old else None
        if before is not None:
            before[0].gone, old = True, before[1]
            evidence.extend(before[0].evidence)
        draft = Draft(
            directive(s, found.body),
            verdict.tag,
            verdict.confidence,
            self.turn,
            self.index,
            s.lang,
            list(dict.fromkeys(evidence)),
            label=found.label,
            old=old,
            new=values.new,
            score=verdict.score,
        )
        if (self.settled and draft.tag is Tag.FACT) or (self.declined and draft.tag in (Tag.FACT, Tag.EVENT)):
            draft.tag = Tag.DECISION
        if draft.confidence is Confidence.CONFIRMED and s.has("soft_hedge") and self.unchecked(s):
            draft.confidence = Confidence.TENTATIVE
        if (
            self.heading is not None
            and self.heading.has("decision", "decision_sure")
            and draft.tag is Tag.FACT
        ):
            draft.tag = Tag.DECISION
        heard = self.talk.heard
        if (
            draft.tag is Tag.FACT
            and answer
            and is_bare_answer(s)
            and heard
            and heard.question
            and heard.question.has("chooses")
        ):
            draft.tag = Tag.DECISION
        if self.agreed and draft.tag is Tag.FACT and not s.verbish:
            draft.tag = Tag.DECISION
        if (old or self.mistaken) and draft.tag in (Tag.FACT, Tag.EVENT, Tag.DECISION):
            draft.tag = Tag.CHANGED
        unsaid = not values.new and not s.figures and not s.dates and not _SAYS_NEW.search(s.low)
        draft.open_change = (
            s.has("change_strong") and unsaid and (draft.tag is Tag.CHANGED or bool(values.old))
        )
        day = day_given_up(draft.body) if has_day(draft.body) and not s.opens("conditional") else ""
        if day:
            draft.open_change = True
            self._overtaken(draft, day)
        if draft.open_change:
            draft.tag = Tag.CHANGED
        draft.replaces = s.has("change", "change_strong", "decision", "correction", "change_mind") or bool(
            values.old
        ) or self.mistaken
        draft.slip = slipped(s)
        draft.corrects = s.has("correction", "change_mind") or bool(values.old) or self.mistaken
        draft.dates, sources = settle(s, self.reply, self.talk.heard)
        draft.evidence.extend(e for e in sources if e not in draft.evidence)
        return draft


_BUSY = 5  # messages of the owner for which a text that was asked for is still worked on
_YES_IF = re.compile(r"(?:^(?:[^\s,]+\s*){1,5}|,\s+(?:(?:then|entao)\s+)?(?:yes|yeah|no|sure|ok|okay|maybe|sim|nao|claro|pode ser|talvez)\b[^,]*)$")
# "the palette is now green": what is instead is said.
_SAYS_NEW = re.compile(r"\b(?:(?:is|are) now|now (?:it's|it is|they're)|(?:moved|moves|switched|changed|turned) (?:in)?to|agora (?:é|e|sao|fica|ficam|esta|estao)|(?:pass(?:a|ou|am|aram)|mud(?:a|ou|aram)(?:-se)?) (?:a ser|para|pra|a)) \w")
_OWN_OFFER = re.compile(
    r"(?:shall|should|can|could|may) i\b|(?:do you )?want me to\b|would you like me to\b|(?:posso|devo|(?:(?:voce|vc) )?quer(?:es)? que (?:eu )?)\b"
)
_WHAT = re.compile(r"^what (?=if\b)", re.I)


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
