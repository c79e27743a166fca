"""The walk through a conversation: who answers whom, what is accepted, corrected, withdrawn, said again.

It keeps the drafts and the thread of the talk; what one sentence is worth is decided by `worth`, what it is about is
restored by `subject`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from silo.core.extract.acts import Sentence, read
from silo.core.extract.agent import Heard, label_of, listen
from silo.core.extract.changes import change_in, figure_key, self_corrected
from silo.core.extract.clauses import Piece, pieces
from silo.core.extract.compose import clause
from silo.core.extract.drafts import Draft, settle
from silo.core.extract.replies import NONE, Reply, reply_to
from silo.core.extract.subject import antecedent, best_echo, needs_subject, object_pronoun, strip_ack
from silo.core.extract.worth import judge
from silo.model import Confidence, Origin, Session, Tag, Turn
from silo.text.flat import flat_words
from silo.text.language import Language, detect, words_of

__all__ = ["walk"]


@dataclass
class _Talk:
    """Where the conversation stands."""

    languages: tuple[Language, ...]
    usual: Language
    drafts: list[Draft] = field(default_factory=list)
    heard: Heard | None = None
    subject: str = ""
    subject_at: int = -9
    fiction: int = 0  # turns of the owner for which edits of a text are still expected
    owner_turn: int = 0
    last_said: str = ""
    spoke_at: int = -1  # index of the owner's last message of substance


def walk(session: Session, languages: tuple[Language, ...]) -> list[Draft]:
    """All drafts of a conversation in order, the withdrawn ones marked gone."""
    talk = _Talk(languages, languages[0])
    turns = session.turns
    for index, turn in enumerate(turns):
        if turn.origin is Origin.OWNER:
            _owner(talk, turn, index, _reply(talk, turns, index))
            talk.heard = None
        elif turn.origin is Origin.AGENT:
            if talk.heard is None or turns[index - 1].origin is not Origin.AGENT:
                talk.heard = _listen(talk, turns, index)
        elif turn.origin is Origin.UNTRUSTED:
            talk.heard = None
    return talk.drafts


def _listen(talk: _Talk, turns: tuple[Turn, ...], index: int) -> Heard:
    """The assistant's turns from `index` on, up to somebody else's."""
    run = []
    for turn in turns[index:]:
        if turn.origin in (Origin.OWNER, Origin.UNTRUSTED):
            break
        if turn.origin is Origin.AGENT:
            run.append(turn)
    text = "\n\n".join(t.text for t in run)
    return listen(tuple(t.id for t in run), text, talk.languages, talk.usual, turns[index].at.date())


def _reply(talk: _Talk, turns: tuple[Turn, ...], index: int) -> Heard | None:
    """The assistant's answer to an owner's turn; a message that was sent twice shares the answer to its last copy."""
    for later in range(index + 1, len(turns)):
        turn = turns[later]
        if turn.origin is Origin.AGENT:
            return _listen(talk, turns, later)
        if turn.origin is Origin.UNTRUSTED or (turn.origin is Origin.OWNER and turn.text != turns[index].text):
            return None
    return None


def _owner(talk: _Talk, turn: Turn, index: int, reply: Heard | None) -> None:
    if turn.text == talk.last_said and talk.heard is None:
        return  # sent again
    talk.last_said = turn.text
    talk.owner_turn += 1
    found = detect(turn.text, words_of(flat_words(turn.text)), talk.languages)
    talk.usual = found[0] if found else talk.usual
    sentences = [_read(talk, turn, p) for p in pieces(turn.text)]
    sentences = _quoting(talk, sentences)
    message = _Message(talk, turn, index, reply, sentences)
    message.process()
    if any(s.content and not s.social and s.size > 2 for s in sentences):
        talk.spoke_at = index


def _read(talk: _Talk, turn: Turn, piece: Piece) -> Sentence:
    if piece.kind == "say":
        piece = Piece(self_corrected(piece.text), piece.kind, piece.block)
    return read(piece, talk.languages, talk.usual, turn.at.date())


def _quoting(talk: _Talk, sentences: list[Sentence]) -> list[Sentence]:
    """Mark what is somebody else's text: pasted material that the owner wants worked on, and work on fiction."""
    asks = next((n for n, s in enumerate(sentences) if s.has("material") and (s.has("material_ask") or s.question or s.text.endswith(":") or len(sentences) > n + 1)), None)
    writes = next((n for n, s in enumerate(sentences) if s.has("creative") and s.has("creative_ask")), None)
    if writes is not None:
        talk.fiction = 6
        return [_as_quote(s) for s in sentences]
    if asks is not None:
        before = sentences[:asks]
        pasted = sum(s.size for s in before) >= 25 and len({s.block for s in before} | {sentences[asks].block}) > 1
        return [_as_quote(s) if n >= asks or pasted else s for n, s in enumerate(sentences)]
    if talk.fiction:
        talk.fiction -= 1
        if any(s.has("remind", "decision_sure") or s.opens("note") for s in sentences):
            talk.fiction = 0
            return sentences
        return [_as_quote(s) for s in sentences]
    return sentences


def _as_quote(s: Sentence) -> Sentence:
    return Sentence(s.text, s.low, s.words, s.spans, s.lang, "quote", s.block, s.today, s.heads)


@dataclass
class _Message:
    """One message of the owner, sentence by sentence."""

    talk: _Talk
    turn: Turn
    index: int
    reply: Heard | None
    sentences: list[Sentence]
    made: list[Draft] = field(default_factory=list)
    label: str = ""

    def process(self) -> None:
        talk = self.talk
        if self._withdraws() or self._corrects():
            return
        answered = False
        for n, s in enumerate(self.sentences):
            if s.kind == "quote":
                continue
            if s.kind == "code":
                self._attach_code(s)
                continue
            reply = reply_to(s, talk.heard) if not answered and (n == 0 or s.size <= 4 or all(x.social or x.size <= 1 for x in self.sentences[:n])) else NONE
            if n and reply.kind in ("answer", "reject") and not all(x.social or x.size <= 1 for x in self.sentences[:n]):
                reply = NONE
            if reply is not NONE:
                if reply.kind in ("accept", "choose", "reject"):
                    answered = True
                    self._answered(reply, s)
                    if reply.rest:
                        self._statement(self._part(s, reply.rest), n)
                    continue
                if reply.kind == "answer" and not (s.opens("conditional") and n == 0):
                    answered = True
                    self._statement(self._part(s, reply.text), n, label=reply.label, answer=True)
                    continue
                if reply.rest and reply.rest != s.text:
                    s = self._part(s, reply.rest)
            self._statement(s, n)
        self._topic()

    def _part(self, s: Sentence, text: str) -> Sentence:
        return read(Piece(text, "say", s.block), self.talk.languages, s.lang, s.today)

    # --- answers ---

    def _answered(self, reply: Reply, s: Sentence) -> None:
        heard = self.talk.heard
        if reply.kind == "reject" or heard is None:
            return
        label = reply.label or (self._running() if reply.kind == "choose" or len(reply.text.split()) <= 3 else "")
        body = clause(reply.text)
        if not body:
            return
        piece = self._part(s, body)
        lang = heard.sentences[0].lang if heard.sentences else s.lang
        tag = Tag.TODO if piece.has("remind") else Tag.DECISION
        draft = Draft(body, tag, Confidence.CONFIRMED, self.turn, self.index, lang, [self.turn.id, *heard.ids[-1:]], label=label, score=4.0)
        draft.dates = settle(piece, list(self.reply.sentences) if self.reply else [])
        self._keep(draft)

    def _running(self) -> str:
        """The subject of the talk, while it is still warm."""
        return self.talk.subject if self.talk.owner_turn - self.talk.subject_at <= 3 else ""

    def _topic(self) -> None:
        """Remember what the owner started to talk about: "booking site: …", "episode naming. give me options"."""
        for s in self.sentences:
            if s.kind != "say" or s.social:
                continue
            label = label_of(s)
            if not label and not s.question and not s.verbish and not s.opens("request") and not s.has("one_off") and 1 <= s.size <= 4 and not s.figures and not self.made and s.content and not s.opens("accept") and not s.opens("reject"):
                label = clause(s.body)
            if label and not self.made and self.talk.subject_at != self.talk.owner_turn:
                self.talk.subject, self.talk.subject_at = label, self.talk.owner_turn

    # --- withdrawing and correcting ---

    def _withdraws(self) -> bool:
        """"scratch that", "esquece a cadeira": takes back what was said; True if the message does nothing else."""
        talk = self.talk
        for n, s in enumerate(self.sentences):
            if s.kind != "say" or not s.has("retract") or s.size > 10 or s.has("decision_sure"):
                continue
            if n and not self.made:
                self.sentences = [x for k, x in enumerate(self.sentences) if k > n or (k < n - 1)]
                return False
            if talk.heard is not None and talk.heard.proposals and s.opens("reject"):
                return False
            covered = max(b for _, b in s.spans["retract"])
            rest = re.sub(r"^[\s,.;:–—-]+", "", s.text[covered:])
            named = s.content - {t for a, b in s.spans["retract"] for t in self._part(s, s.text[a:b]).content}
            target = self._target(named)
            if target is None and len(named) <= 1:
                recent = [d for d in talk.drafts if not d.gone and d.index == talk.spoke_at]
                target = recent[-1] if recent else None
            if target is not None:
                target.gone = True
            left = [x for k, x in enumerate(self.sentences) if k > n]
            if rest and len(rest.split()) >= 2 and not self._part(s, rest).social and not named:
                left.insert(0, self._part(s, rest))
            self.sentences = left
            return not left
        return False

    def _target(self, named: frozenset[str] | set[str]) -> Draft | None:
        best, weight = None, 0.0
        for draft in self.talk.drafts:
            shared = len(draft.content & named)
            if not draft.gone and shared and shared >= weight:
                best, weight = draft, shared
        return best

    def _corrects(self) -> bool:
        """"no wait, 14:00", "sorry, I meant Tuesday": the last statement gets the new value."""
        first = next((s for s in self.sentences if s.kind == "say"), None)
        if first is None or not first.opens("correction"):
            return False
        lead = first.opening("correction")
        assert lead is not None
        rest = first.text[lead[1] :].strip(" ,.;:!–—-")
        part = self._part(first, rest) if rest else None
        live = [d for d in self.talk.drafts if not d.gone and d.index >= self.index - 6]
        if part is None or not live or part.question:
            return False
        for draft in reversed(live):
            body = _substitute(draft.body, part)
            if body:
                draft.body, draft.evidence = body, [self.turn.id, *[e for e in draft.evidence if e != self.turn.id]]
                draft.turn, draft.index, draft.dates = self.turn, self.index, {}
                self.sentences = [s for s in self.sentences if s is not first]
                return not self.sentences
        return False

    # --- statements ---

    def _attach_code(self, s: Sentence) -> None:
        """A command block belongs to the how-to that announces it."""
        if self.made and self.made[-1].turn.id == self.turn.id and self.made[-1].tag is Tag.PROCEDURE:
            lines = [line.strip() for line in s.text.split("\n") if line.strip()]
            if len(lines) <= 4:
                self.made[-1].body += ": " + "; ".join(f"`{line}`" for line in lines)

    def _statement(self, s: Sentence, n: int, *, label: str = "", answer: bool = False) -> None:
        talk = self.talk
        values = change_in(s, talk.languages)
        last = self.made[-1] if self.made else None
        if last is not None and self._hangs_on(s):
            last.add(s.body, self.turn.id, ", " if s.size <= 5 and not s.verbish else ". ")
            if s.has("remind"):
                last.tag = Tag.TODO
            return
        verdict = judge(s, self.reply, values, answer=answer)
        if not verdict.keep:
            if answer and not s.social and s.content:
                self._complete_open(s)
            return
        if answer and self._complete_open(s):
            return
        body = s.body
        evidence = [self.turn.id]
        needs = needs_subject(s)
        heard = talk.heard
        if needs or object_pronoun(s):
            echo = best_echo(s, self.reply)
            ante = antecedent(s, heard)
            if needs and not label and echo is not None and not needs_subject(self._part(s, strip_ack(echo))) and self.reply:
                body = strip_ack(echo)
                evidence.append(self.reply.ids[0])
            elif not label and ante:
                label = ante[0]
                evidence.extend(heard.ids[-1:] if heard else ())
            elif not label and needs and last is not None and s.pronoun:
                last.add(s.body, self.turn.id)
                return
            elif not label and (needs or last is None):
                label = self._running()
            if answer and label and needs and echo is not None and self.reply and not s.verbish:
                body = strip_ack(echo)
                evidence.append(self.reply.ids[0])
        elif not answer:
            label = ""
        if label and set(label.lower().split()) <= set(body.lower().split()):
            label = ""
        if answer and not needs:
            label = ""
        if answer and label and heard:
            evidence.extend(heard.ids[-1:])
        old = values.old
        if not old:
            old, source = self._old_elsewhere(s)
            evidence.extend(source)
        draft = Draft(_directive(s, body), verdict.tag, verdict.confidence, self.turn, self.index, s.lang, evidence, label=label, old=old, new=values.new, score=verdict.score)
        if old and draft.tag in (Tag.FACT, Tag.EVENT, Tag.DECISION):
            draft.tag = Tag.CHANGED
        draft.open_change = draft.tag in (Tag.CHANGED, Tag.PROCEDURE) and not values.new and not s.figures and not s.dates and s.has("change_strong")
        if draft.open_change:
            draft.tag = Tag.CHANGED
        draft.dates = settle(s, [*(self.reply.sentences if self.reply else ()), *(heard.sentences if heard else ())])
        self._keep(draft)

    def _hangs_on(self, s: Sentence) -> bool:
        """It only goes on with the statement before it: "and no sugar", "remind me the day before"."""
        if s.question or s.social:
            return False
        if s.has("remind") and not s.figures and len(self._own_words(s)) <= 1:
            return True
        joined = bool(re.match(r"(?:and|but|plus|e|mas)\b", s.text, re.I))
        return joined and not s.verbish and s.size <= 5

    def _own_words(self, s: Sentence) -> frozenset[str]:
        """Content words of a reminder beside its dates, its condition and the words that ask for it."""
        text = re.split(r"\b(?:if|unless|when|in case|se|caso|quando)\b", s.low)[0]
        for a, b in sorted([*((d.start, d.end) for d in s.dates), *s.spans["remind"]], reverse=True):
            text = text[:a] + text[b:]
        return self._part(s, text).content - {"send", "mand", "day", "before", "dia", "ante", "vesper", "plea"}

    def _complete_open(self, s: Sentence) -> bool:
        """"We don't use X any more." "What then?" "Y since May": one change, not two."""
        for draft in reversed(self.talk.drafts):
            if draft.index < self.index - 4 or draft.gone:
                break
            if draft.open_change and not s.question:
                draft.add(s.body, self.turn.id, "; ")
                values = change_in(s, self.talk.languages)
                draft.old = draft.old or values.old
                draft.new, draft.open_change = values.new or clause(s.body), False
                draft.evidence.remove(self.turn.id)
                draft.evidence.insert(0, self.turn.id)
                draft.turn, draft.index = self.turn, self.index
                return True
        return False

    def _old_elsewhere(self, s: Sentence) -> tuple[str, tuple[str, ...]]:
        """The old value from the assistant's words about the same thing, and whose: its "(was X)", or what it said before."""
        if self.reply is not None and (s.has("change") or s.has("change_strong")):
            for said in self.reply.sentences:
                if said.kind == "say" and not said.question and s.content & said.content:
                    values = change_in(said, self.talk.languages)
                    if values.old and figure_key(values.old) not in {figure_key(f) for f in s.figures}:
                        return values.old, self.reply.ids[:1]
        heard = self.talk.heard
        if heard is None or not s.has("change", "change_strong"):
            return "", ()
        for said in heard.sentences:
            if said.kind == "say" and not said.question and s.dates and said.dates and len(s.content & said.content) >= 1 and any(n.lower() in said.low for n in s.names):
                mine = {d.value for d in s.dates}
                old = next((d for d in said.dates if d.value not in mine), None)
                if old is not None:
                    return said.text[old.start : old.end], heard.ids[-1:]
        return "", ()

    def _keep(self, draft: Draft) -> None:
        """Take a draft in, unless it says again what another one says; then the fuller one stays."""
        for earlier in self.talk.drafts:
            if earlier.gone:
                continue
            said = _says_again(draft, earlier)
            if said == "less":
                earlier.evidence.extend(e for e in draft.evidence if e not in earlier.evidence)
                return
            if said == "more":
                earlier.gone = True
                draft.evidence.extend(e for e in earlier.evidence if e not in draft.evidence)
                draft.old = draft.old or earlier.old
        self.talk.drafts.append(draft)
        self.made.append(draft)


def _says_again(new: Draft, old: Draft) -> str:
    """"more" if `new` says all that `old` does, "less" if it adds nothing, "" if they are two statements."""
    a, b = new.content, old.content
    if not a or not b:
        return ""
    shared = len(a & b)
    if shared / len(a) >= 0.8 and new.figures <= old.figures:
        return "less"
    if shared / len(b) >= 0.8 and old.figures <= new.figures:
        return "more"
    return ""


_REMIND = re.compile(
    r"^(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|pls\s+|(?:você |vc )?(?:pode|poderia)\s+(?:por favor\s+)?|por favor,?\s+)?"
    r"(?:(?:remind (?:me|us)|set (?:me )?a reminder|add a reminder|don't let me forget|me lembr[ae](?:r)?|lembr[ae](?:-me)?|me avis[ae](?:r)?|lembrete|reminder|note|note down|make a note|remember|please remember|anot[ae](?: aí)?|registr[ae](?: aí)?|guard[ae](?: aí)?|atualiz[ae](?: aí)?|salv[ae]|grav[ae]|keep in mind|bear in mind|for the record|todo|to-do|update)"
    r"(?:\s+(?:to|that|about|of|de|que|do|da|pra|para)\b|\s*:)?)\s*[:,]?\s*",
    re.I,
)


def _directive(s: Sentence, body: str) -> str:
    """A reminder or note without the words that ask for it: "remind me to file X" → "file X"."""
    if s.has("remind") or s.opens("note") or s.has("note_any"):
        bare = _REMIND.sub("", body)
        if len(bare.split()) >= 2:
            return clause(bare)
    return clause(body)


def _substitute(body: str, part: Sentence) -> str:
    """`body` with the value of the same kind replaced by the one that `part` names; "" if there is none."""
    from silo.text.dates import find_dates

    if part.size > 8:
        return ""
    if part.dates:
        hit = part.dates[-1]
        old = find_dates(body, part.today)
        if old:
            return body[: old[-1].start] + part.text[hit.start : hit.end] + body[old[-1].end :]
        return ""
    if part.figures:
        new = part.figures[-1]
        shape = ":" in new or "h" in new
        olds = list(re.finditer(r"(?:R\$|[$€£])?\s?\d[\d.,:h]*%?", body))
        same = [m for m in olds if ((":" in m[0] or "h" in m[0]) == shape)] or olds
        if same:
            m = same[-1]
            lead = " " if m[0].startswith(" ") else ""
            return body[: m.start()] + lead + new + body[m.end() :]
    return ""
