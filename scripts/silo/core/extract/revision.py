"""Words of the owner that take back or put right what was said before: the half of a message that looks behind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.amend import changed_words, named_draft, says_again, substitute
from silo.core.extract.claims import BEHIND, DENIES, FRONT, SETTLED, states
from silo.core.extract.clauses import Piece
from silo.core.extract.compose import clause
from silo.core.extract.drafts import Draft
from silo.core.extract.subject import noun_of
from silo.core.extract.talk import Talk
from silo.model import Confidence, Tag, Turn
from silo.text.tokens import terms

__all__ = ["Revision"]


@dataclass
class Revision:
    """One owner's turn against the drafts that stand already; `sentences` shrinks by what is dealt with."""

    talk: Talk
    turn: Turn
    index: int
    reply: Heard | None
    sentences: list[Sentence]
    made: list[Draft] = field(default_factory=list)
    freed: str = ""  # what the statement was about that the message takes back: a bare noun behind it is its new value
    told_label: str = ""  # what a message takes up anew
    whole: tuple[Sentence, ...] = ()  # all its sentences, also those that are dealt with
    settled: bool = False  # it says that what it states is decided
    mistaken: bool = False  # it says that what was told before is wrong: what it states stands instead

    def part(self, s: Sentence, text: str) -> Sentence:
        """Some words of a sentence, or the assistant's, read as a sentence of their own."""
        return self.talk.read(text, self.turn, Piece(text, "say", s.block))

    def owns_up(self) -> None:
        """ "Sorry, I got that wrong. The rent is 980": what follows puts something right, whatever was said last."""
        for n, s in enumerate(self.sentences):
            if s.kind != "say" or not s.has("mistaken"):
                continue
            end = max(b for _, b in s.spans["mistaken"])
            rest = re.sub(r"^[\s,.;:–—-]+", "", s.text[end:]) if re.match(r"\s*[:,;–—-]", s.text[end:]) else ""
            whole = self.part(s, rest) if rest else None
            if whole is not None and states(whole):
                self.mistaken = True
                self.sentences[n] = whole
                return
            left = [x for x in self.sentences[n + 1 :] if x.kind == "say"]
            if not (s.figures or s.names or s.dates) and s.size <= 8 and not rest and left and states(left[0]):
                self.mistaken = True
                del self.sentences[n]
                return

    def settles(self) -> None:
        """ "It's settled: the club meets in the annex": what stands behind is what counts, as decided or as a fact."""
        for n, s in enumerate(self.sentences):
            lead = SETTLED.match(s.low) if s.kind == "say" and ":" in s.low else None
            rest = self.part(s, s.text[lead.end() :]) if lead else None
            if lead is None or rest is None or not states(rest):
                continue
            self.sentences[n] = rest
            self.settled = self.settled or lead["decided"] is not None

    def unchecked(self, s: Sentence) -> bool:
        """ "I think it is in the hall. I still have to check": the next sentence says that the one before is not sure."""
        at = next((n for n, x in enumerate(self.whole) if x is s), -1)
        after = self.whole[at + 1] if 0 <= at < len(self.whole) - 1 else None
        return after is not None and after.kind == "say" and after.has("later") and after.size <= 8 and not after.question

    def doubted(self, s: Sentence) -> bool:
        """ "He says the roof will hold. Nonsense": the next sentence says that nobody need believe it."""
        at = next((n for n, x in enumerate(self.whole) if x is s), -1)
        after = self.whole[at + 1] if 0 <= at < len(self.whole) - 1 else None
        return after is not None and after.kind == "say" and after.has("disbelief") and after.size <= 8

    def _struck(self, n: int, s: Sentence) -> bool:
        """ "forget this: the mast is insured": the statement behind the colon is taken back, whoever heard it when."""
        lead = s.opening("strike")
        told = BEHIND.match(s.text, lead[1]) if lead and lead[0] <= FRONT else None
        said = self.part(s, s.text[told.end() :]) if told else None
        if said is None or said.size < 3 or said.question:
            return False
        draft = Draft(
            clause(said.body), Tag.CHANGED, Confidence.CONFIRMED, self.turn, self.index, s.lang, [self.turn.id], withdrawn=True
        )  # fmt: skip
        target = next((d for d in reversed(self.talk.drafts) if not d.gone and says_again(draft, d)), None)
        if target is not None:
            self._take_back(target, s)
        else:
            self.talk.drafts.append(draft)
        after = self.sentences[n + 1 :]
        while after and after[0].kind == "say" and after[0].size <= 6 and DENIES.match(after[0].low):
            after.pop(0)
        self.sentences = [*self.sentences[:n], *after]
        return True

    def withdraws(self) -> bool:
        """ "scratch that", "esquece a cadeira": takes back what was said; True if the message does nothing else."""
        talk = self.talk
        for n, s in enumerate(self.sentences):
            if s.kind == "say" and self._struck(n, s):
                return not self.sentences
            if s.kind == "say" and (told := self._told_anew(s)):
                self.sentences[n] = told
                return False
            cut = s.kind == "say" and s.size > 10 and s.opens("retract")
            if cut:
                s = self.part(s, re.split(r"[,;:–—]\s", s.text)[0])  # what stands behind is why
            if (
                s.kind != "say"
                or not s.has("retract")
                or s.size > 10
                or s.has("decision_sure")
                or (s.has("change_mind") and s.figures)
            ):
                continue
            if talk.heard is not None and talk.heard.proposals and s.opens("reject") and n == 0:
                return False
            spans = s.spans["retract"]
            named = self._named(s, s)
            target = named_draft(talk.drafts, named)
            before = self.sentences[:n]
            if target is None and any(not x.social and x.kind == "say" for x in before):
                self.sentences = self.sentences[n + 1 :]  # the same message said it
                if s.has("retract_task") and (
                    open_tasks := [d for d in talk.drafts if not d.gone and d.tag is Tag.TODO]
                ):
                    open_tasks[-1].gone = True
                return not self.sentences
            if target is None and not named:
                recent = [d for d in talk.drafts if not d.gone and d.index == talk.spoke_at]
                target = recent[-1] if recent else None
            if target is not None:
                self._take_back(target, s)
                self.freed = target.label or noun_of(self.part(s, target.body))
            rest = re.sub(r"^[\s,.;:–—-]+", "", s.text[max(b for _, b in spans) :])
            left = self.sentences[n + 1 :]
            if (
                not cut
                and len(rest.split()) >= 2
                and not self.part(s, rest).social
                and not named & {t for d in talk.drafts for t in d.content}
            ):
                left.insert(0, self.part(s, rest))
            self.sentences = [*before, *left]
            return not self.sentences
        return False

    def _cut(self, target: Draft, named: frozenset[str]) -> bool:
        """Take only the clause that names the thing out of a statement that says more; False if it says nothing else."""
        parts = re.split(r",\s+(?!\d)", target.body)
        kept = [p for p in parts if not named & frozenset(terms(p))]
        if not kept or kept[0] != parts[0] or not target.turn.fresh:
            return False
        target.body = ", ".join(kept)
        return True

    def _named(self, s: Sentence, head: Sentence) -> frozenset[str]:
        """The words of `head` that say what is taken back: those outside the phrases, or inside "the … thing"."""
        said: set[str] = set()
        for a, b in s.spans["retract"]:
            if any(c.isdigit() for c in s.low[a:b]):
                continue  # "scratch the 7.50": the figure names what was said
            thing = _THING.match(s.low[a:b])
            said |= (
                self.part(s, s.text[a:b]).content
                if thing is None
                else set(terms(thing["verb"] + " " + thing["noun"]))
            )
        return frozenset(w for w in self.part(s, head.body).content - said if len(w) > 2)

    def _take_back(self, target: Draft, s: Sentence) -> None:
        """A statement of this run simply goes; one that an earlier run has logged is answered by an event of its own."""
        target.gone = True
        if self.turn.fresh and not target.turn.fresh:
            evidence = [self.turn.id, *(e for e in target.evidence if e != self.turn.id)]
            back = Draft(
                target.body,
                Tag.CHANGED,
                Confidence.CONFIRMED,
                self.turn,
                self.index,
                s.lang,
                evidence,
                label=target.label,
                dates=target.dates,
                withdrawn=True,
            )
            self.talk.drafts.append(back)

    def _log_old(self, draft: Draft, body: str, *, told: bool = False) -> None:
        """What an earlier run has logged already, or what held until now as the owner has `told`, is changed by an event that
        names the old value; a slip of the tongue leaves none."""
        if (told or not draft.turn.fresh) and not draft.old:
            draft.old, draft.tag = changed_words(draft.body, body), Tag.CHANGED

    def _told_anew(self, s: Sentence) -> Sentence | None:
        """ "forget what I said about the move-in, the landlord put it off to the 15th": what counts is the second half."""
        lead = s.opening("retract")
        behind = lead[1] - (s.text[lead[1] - 1] in ",;:") if lead else 0  # a figure takes its comma along
        comma = re.search(r"[,;:–—]\s+(?!\d)", s.text[behind:]) if lead else None
        if lead is None or comma is None:
            return None
        rest = self.part(s, s.text[behind + comma.end() :])
        head = self.part(s, s.text[: behind + comma.start()])
        target = named_draft(self.talk.drafts, self._named(s, head))
        instead = s.text[behind + comma.start()] == ":" and rest.size >= 3 and not rest.question
        if rest.social or not (instead or rest.figures or rest.dates or rest.names or rest.has("change", "decision")):
            return None
        if target is not None and rest.size <= 4 and (body := substitute(target.body, rest)):
            self._log_old(target, body, told=True)
            target.body, target.dates, target.turn, target.index = body, {}, self.turn, self.index
            target.evidence = [self.turn.id, *[e for e in target.evidence if e != self.turn.id]]
            return self.part(s, "ok")
        if _GIVEN_UP.search(rest.low) and not (rest.figures or rest.dates or rest.names):
            return None
        if target is not None and not self._cut(target, self._named(s, head)):
            self._take_back(target, s)
        self.told_label = noun_of(head, last=True)
        return rest


_THING = re.compile(r"(?P<verb>\w+) (?:the|that|my) (?P<what>.+) (?P<noun>\w+)$")
# "scratch that about the gym, i cancelled it": why it no longer holds; nothing holds instead.
_GIVEN_UP = re.compile(
    r"\b(?:cancel\w*|quit|gave up|dropped (?:it|that|out)|called (?:it )?off|desisti\w*|cancel(?:ei|amos|ou|ado|ada)|larguei|sai de la)\b"
)
