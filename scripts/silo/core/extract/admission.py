"""The owner admits to have mixed up what he told before: values change places, the right one is put in, or the statement goes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.amend import substitute
from silo.core.extract.changes import figure_key
from silo.core.extract.drafts import Draft
from silo.core.extract.editing import called_off
from silo.core.extract.passing import only_scope
from silo.core.extract.revision import Revision
from silo.model import Tag
from silo.text.dates import find_dates
from silo.text.language import framed
from silo.text.tokens import terms

__all__ = ["Admission", "admitted", "exchanged"]

_LEAD = 5  # words before the admission, up to which they only lead over to it
_BACK = 14  # turns within which a statement is what was mixed up
_OFF_BACK = 20  # turns within which a plan is called off by its name alone
_NUMBER = re.compile(r"(?<![\w.,:])\d[\d.,:h]*(?<![.,:])")
_ONE_OTHER = r"(?:^|[\s,:;-]){it_was} {other_one}\b"
_LEADS_ON = r"(?i)^(?:[\s,;:.!–—()-]+|{so_and}\s+)+"


def admitted(s: Sentence) -> tuple[str, str] | None:
    """(the words that admit a mix-up, what stands behind them), or None."""
    spoken = s.words.languages
    if s.kind != "say" or not framed("{admits_sign}", spoken).search(s.low) or s.question or s.size > 30:
        return None
    admits = framed("{admits}", spoken)
    match = admits.search(s.low) or framed(_ONE_OTHER, spoken).search(s.low)
    if match is None:
        return None
    before = s.text[: match.start()]
    if len(re.findall(r"\w+", before)) > _LEAD or any(c.isdigit() for c in before):
        return None
    said, rest = match[0], s.text[match.end() :]
    while again := admits.match(s.low, len(s.low) - len(rest.lstrip(" ,;:.!–—-"))):
        said, rest = f"{said} {again[0]}", s.text[again.end() :]
    return said, framed(_LEADS_ON, spoken).sub("", rest)


def exchanged(body: str, today_of: Sentence) -> str:
    """The statement with its two values in each other's place: two days, two figures, or two names; "" if it has not two."""
    spoken = today_of.words.languages
    days = find_dates(body, today_of.today)
    spans = [(d.start, d.end) for d in days]
    if len(named := [m.span() for m in framed(r"(?i)\b{weekday}\b", spoken).finditer(body)]) == 2:
        spans = named
    if len(spans) != 2:
        figures = [m.span() for m in _NUMBER.finditer(body) if not any(a < m.end() and m.start() < b for a, b in spans)]
        spans = figures if len(figures) == 2 else []
    if len(spans) != 2 and not _NUMBER.search(body):
        names = [m for m in framed("{named}", spoken).finditer(body) if m.start() or " " in m[0] or m[0] in today_of.known]
        spans = [m.span() for m in names] if len(names) == 2 else []
    if len(spans) != 2:
        return ""
    (a, b), (c, d) = spans
    first = body[a:b][:1].lower() + body[a + 1 : b] if " " in body[a:b] and body[a + 1 : a + 2] == " " else body[a:b]
    return body[:a] + body[c:d] + body[b:c] + first + body[d:]


@dataclass
class Admission(Revision):
    """Puts right what the owner says he has mixed up."""

    def admits(self) -> None:
        """ "I got those the wrong way round. Juno is the one on 45": the statement before is put right, and neither the
        admission nor what it already says is one of its own."""
        for n, s in enumerate(self.sentences):
            found = admitted(s)
            if found is None or (framed(_ONE_OTHER, self.talk.languages).search(s.low) and self.talk.heard is not None and (self.talk.heard.options or self.talk.heard.proposals)):
                continue
            said, rest = found
            left = ([self.part(s, rest)] if re.search(r"\w", rest) else []) + self.sentences[n + 1 :]
            earlier = self.sentences[n - 1] if n else None
            if earlier is not None and not left and earlier.kind == "say" and (text := exchanged(earlier.text, s)):
                self.sentences = [*self.sentences[: n - 1], self.part(earlier, text)]
                return
            self.mistaken = True
            figures = {figure_key(f) for x in left for f in x.figures}
            if earlier is not None and earlier.kind == "say" and figures & {figure_key(f) for f in earlier.figures}:
                self.sentences = [*self.sentences[: n - 1], *left]  # the same message said it wrong
                return
            self.sentences = [*self.sentences[:n], *self._put_right(s, said, left)]
            return

    def calls_off(self) -> None:
        """ "Leave out the boat tour after all, Meg gets seasick": the plan of some messages ago goes, and is not denied besides."""
        left: list[Sentence] = []
        for s in self.sentences:
            if s.kind == "say" and only_scope(s):  # "just for this test": what was ordered before holds no longer than that
                if left and left[-1].kind == "say" and not (left[-1].dates or left[-1].past):
                    left.pop()
                elif not left:
                    for draft in self.talk.drafts:
                        if draft.index == self.talk.spoke_at and not draft.gone and draft.tag in (Tag.PROCEDURE, Tag.DECISION):
                            self._take_back(draft, s)
                continue
            off = called_off(s)
            target = self._planned(off[0]) if off is not None else None
            if off is None or target is None:
                left.append(s)
                continue
            if not self._cut_out(target, off[0]):
                if s.has("retract"):
                    left.append(s)  # is taken back as a whole by these words
                    continue
                self._take_back(target, s)
            reason = self.part(s, off[1]) if off[1] else None
            if reason is not None and reason.names and reason.size > 2:
                left.append(reason)
        self.sentences = left

    def _planned(self, words: frozenset[str]) -> Draft | None:
        """The latest plan that names all the words."""
        heard = self.talk.heard
        offered = frozenset().union(*(x.content for x in heard.proposals)) if heard is not None else frozenset()
        if words <= offered:
            return None  # that is a no to what was just proposed
        today = self.turn.at.date().isoformat()
        for draft in reversed(self.talk.drafts):
            if draft.gone or draft.withdrawn or not self.index - _OFF_BACK <= draft.index < self.index or not words <= draft.content:
                continue
            ahead = any(h.value > today for h in find_dates(draft.body, self.turn.at.date()))
            if draft.tag in (Tag.TODO, Tag.DECISION) or ahead or framed(r"(?i){puts}\b", self.talk.languages).match(draft.body):
                return draft
        return None

    def _cut_out(self, target: Draft, words: frozenset[str]) -> bool:
        """Take only the clause that names it out of a plan of several."""
        parts = re.split(r",\s+(?!\d)", target.body)
        kept = [p for p in parts if not words & frozenset(terms(p))]
        if not kept or not target.turn.fresh or not any(find_dates(p, target.turn.at.date()) for p in kept):
            return False
        target.body = ", ".join(kept)
        return True

    def _put_right(self, s: Sentence, said: str, left: list[Sentence]) -> list[Sentence]:
        """Puts the statement meant right and returns what is still to be read of the message."""
        told = [x for x in left if x.kind == "say" and not x.social]
        words = frozenset(terms(said)).union(*(x.content for x in told))
        answer = frozenset().union(*(x.content for x in self.reply.statements())) if self.reply is not None else frozenset()
        live = [d for d in self.talk.drafts if not d.gone and self.index - _BACK <= d.index < self.index]
        live.sort(key=lambda d: (len(d.content & words), len(d.content & answer), d.index), reverse=True)
        if not live:
            return left
        target = live[0]
        if told and not target.content & (words | answer):
            return left  # what is told now has nothing to do with it
        fresh = next((x for x in told if self._new_in(x, target)), None)
        if fresh is None and framed("{swaps}", self.talk.languages).search(said) and self._exchange(target, live, s):
            return [x for x in left if x not in told]
        if fresh is None:
            self._take_back(target, s)
            return left
        value = self.part(fresh, re.split(r",\s+(?!\d)|;\s", fresh.text)[0])
        own = {w for w in value.content if not any(c.isdigit() for c in w)} - {w for n in value.names for w in terms(n)}
        body = substitute(target.body, value) if own <= target.content or value.pronoun else ""
        if not body or body == target.body:
            self._take_back(target, s)
            return left
        self._says(target, body)
        behind = fresh.text[len(value.text) :].lstrip(" ,;")
        return [y for x in left for y in ([x] if x is not fresh else [self.part(x, behind)] if behind else [])]

    def _new_in(self, s: Sentence, target: Draft) -> bool:
        """The sentence has a value that the statement has not."""
        text = f"{target.label} {target.body}".lower()
        return any(figure_key(f) not in target.figures for f in s.figures) or any(n.lower() not in text for n in s.names) or any(
            s.low[d.start : d.end] not in text for d in s.dates if not s.figures
        )

    def _exchange(self, target: Draft, live: list[Draft], s: Sentence) -> bool:
        if body := exchanged(target.body, s):
            self._says(target, body)
            return True
        other = next((d for d in live[1:] if abs(d.index - target.index) <= 4), None)
        if other is None:
            return False
        first, second = _NUMBER.findall(target.body), _NUMBER.findall(other.body)
        days = [[target.body[h.start : h.end] for h in find_dates(target.body, s.today)], [other.body[h.start : h.end] for h in find_dates(other.body, s.today)]]
        mine, theirs = (first, second) if len(first) == len(second) == 1 else (days[0], days[1])
        if len(mine) != 1 or len(theirs) != 1:
            return False
        bodies = target.body.replace(mine[0], theirs[0]), other.body.replace(theirs[0], mine[0])
        sources = [*target.evidence, *other.evidence]
        for draft, text in zip((target, other), bodies, strict=True):
            self._says(draft, text)
            draft.rest_on(sources)
        return True

    def _says(self, draft: Draft, body: str) -> None:
        """The statement as it should have been from the beginning."""
        self._log_old(draft, body)
        draft.body, draft.dates, draft.turn, draft.index = body, {}, self.turn, self.index
        draft.evidence = [self.turn.id, *[e for e in draft.evidence if e != self.turn.id]]
