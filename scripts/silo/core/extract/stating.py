"""A sentence of the owner as a statement: whether it is kept, what it is about, and the draft that it becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import puts_case
from silo.core.extract.changes import Values, change_in, slipped
from silo.core.extract.claims import states
from silo.core.extract.compose import clause, directive
from silo.core.extract.drafts import Draft, settle
from silo.core.extract.joining import Joining
from silo.core.extract.replaced import day_given_up, has_day, hedged_tail, old_elsewhere
from silo.core.extract.subject import (
    Restored,
    is_bare_answer,
    names_nothing,
    needs_subject,
    restore,
)
from silo.core.extract.worth import Verdict, echo_of, judge
from silo.model import Confidence, Tag
from silo.text.tokens import terms

__all__ = ["Stating"]


@dataclass
class Stating(Joining):
    """Makes drafts of the statements of one message."""

    agreed: bool = False  # the message begins with a yes: a fragment behind it is what was agreed
    head: str = ""  # "dentist: done. next check in 6 months": holds for what follows in the message
    instead: bool = False  # the sentence at hand is a bare noun, wanted instead of what was proposed
    refused: bool = False  # it begins with a no
    declined: bool = False  # the sentence at hand turns something down and says why
    asking: bool = False  # it asks something
    laughing: bool = False  # the owner's message before or after this one is laughter
    opener: Sentence | None = None
    best_echo: float = -1.0  # the gist, once it was asked for
    heading: Sentence | None = None  # "decided last night:" holds for the list under it

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

    def _gist(self) -> float:
        """How well the answer repeats the best repeated sentence."""
        if self.best_echo < 0:
            self.best_echo = max(echo_of(s, self.reply) for s in self.whole) if len(self.whole) > 2 else 0.0
        return self.best_echo


# "the palette is now green": what is instead is said.
_SAYS_NEW = re.compile(r"\b(?:(?:is|are) now|now (?:it's|it is|they're)|(?:moved|moves|switched|changed|turned) (?:in)?to|agora (?:é|e|sao|fica|ficam|esta|estao)|(?:pass(?:a|ou|am|aram)|mud(?:a|ou|aram)(?:-se)?) (?:a ser|para|pra|a)) \w")
_WHAT = re.compile(r"^what (?=if\b)", re.I)
