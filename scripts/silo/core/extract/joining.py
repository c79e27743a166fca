"""How a statement of a message joins those that stand already: goes on with one, completes it, says it again, replaces it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from silo.core.extract.acts import Sentence
from silo.core.extract.admission import Admission
from silo.core.extract.amend import clash, given_up_value, merge, named_draft, put_into, says_again
from silo.core.extract.changes import Values, figure_key, figure_keys
from silo.core.extract.compose import clause
from silo.core.extract.correction import Correction
from silo.core.extract.drafts import Draft
from silo.core.extract.replaced import day_given_up, has_day
from silo.core.extract.subject import is_tail, needs_subject
from silo.model import Tag
from silo.text.language import Language
from silo.text.tokens import terms

__all__ = ["Joining"]

LOOK_BACK = 120  # statements within which one is recognised as said again or changed


# "it's 650", "afinal são 38": the figure is of something said before.
_POINTS = re.compile(
    r"\b(?:it's|its|it is|it will be|it'll be|they're|they are|that's|that makes|that is|they (?:now )?want|make (?:it|that|them)|down to|up to|now|instead|after all|sao|e|é|fica|ficam|passa|passam|agora|afinal|ficou|ficaram|vai ser|vao ser)\b[^\d]{0,24}\d"
)
_SMALL = frozenset(["per", "each", "cada", "por", "euros", "euro", "dollars", "pounds", "reais", "para", "pra", "to", "from", "until", "até"])
_COUNTED = re.compile(r"(?P<figure>\d[\d.,:h]*)(?P<behind>(?:\s*[€$£%]|\s+[^\W\d_]+){0,4})")


@lru_cache(maxsize=1024)
def _counted(text: str, lang: Language) -> tuple[tuple[str, str, str], ...]:
    """Each figure of a text with what it counts: (its key, as written, the stemmed noun behind it)."""
    found = []
    for match in _COUNTED.finditer(text):
        words = [w for w in re.findall(r"[^\W\d_]+", match["behind"].lower()) if w not in _SMALL and w not in lang.function_words]
        stems = terms(words[0]) if words else []
        if stems:
            figure = match["figure"].rstrip(".,:")
            found.append((figure_key(figure), figure, stems[0]))
    return tuple(found)


def _alike(a: str, b: str) -> bool:
    """Whether two figures are written alike: both whole, both broken."""
    return bool(re.search(r"[.,]\d", a)) == bool(re.search(r"[.,]\d", b)) and (":" in a) == (":" in b)


@dataclass
class Joining(Admission, Correction):
    """Takes drafts in beside those of the talk."""

    def _before_code(self, s: Sentence) -> bool:
        """What follows is a command block, so the sentence is no heading of a list."""
        at = next((n for n, x in enumerate(self.sentences) if x is s), -1)
        return 0 <= at < len(self.sentences) - 1 and self.sentences[at + 1].kind == "code"

    def _attach_code(self, s: Sentence) -> None:
        """A command block belongs to the how-to that announces it."""
        lines = [line.strip() for line in s.text.split("\n") if line.strip()]
        if (
            self.made
            and len(lines) <= 4
            and len(s.text) <= 240
            and (
                self.made[-1].tag is Tag.PROCEDURE
                or self.sentences[self.sentences.index(s) - 1].text.endswith(":")
            )
        ):
            self.made[-1].tag = Tag.PROCEDURE
            self.made[-1].body += ": " + "; ".join(f"`{line}`" for line in lines)

    def _goes_on(self, s: Sentence) -> bool:
        """It only adds to the statement before it ("and no sugar", "remind me the day before"), or asks for a reminder of
        something that stands already."""
        if s.question and not s.opens("polite"):
            return False
        last = self.made[-1] if self.made else None
        own = self._own_words(s) if s.has("remind") else None
        if last is not None and own is not None and not s.figures and len(own) <= 1:
            last.add(s.body, self.turn.id, ". " if s.size > 5 else ", ")
            last.tag = Tag.TODO
            return True
        if last is None and is_tail(s):
            before = [d for d in self.talk.drafts if not d.gone and d.index == self.talk.spoke_at]
            last = before[-1] if before and len(before[-1].body) < 140 else None
        if last is not None and is_tail(s):
            last.add(s.body, self.turn.id, ", ")
            if last.turn is not self.turn:
                last.turn, last.index = self.turn, self.index
                last.evidence = [self.turn.id, *[e for e in last.evidence if e != self.turn.id]]
                self.made.append(last)
            return True
        if (
            own
            and len(own) <= 2
            and (
                known := named_draft(
                    [d for d in self.talk.drafts if d.tag is Tag.TODO and own <= d.content], own
                )
            )
        ):
            known.evidence.extend(e for e in [self.turn.id] if e not in known.evidence)
            return True
        return False

    def _own_words(self, s: Sentence) -> frozenset[str]:
        """Content words of a reminder beside its dates, its condition and the words that ask for it."""
        text = re.split(r"\b(?:if|unless|when|in case|se|caso|quando)\b", s.low)[0]
        for a, b in sorted([*((d.start, d.end) for d in s.dates), *s.spans["remind"]], reverse=True):
            text = text[:a] + " " + text[b:]
        return self.part(s, text).content - {
            "send",
            "mand",
            "day",
            "before",
            "dia",
            "ante",
            "vesper",
            "plea",
            "pleas",
        }

    def _completes(self, s: Sentence, values: Values) -> bool:
        """ "We don't use X any more." "What then?" "Y since May": one change, not two."""
        for draft in reversed(self.talk.drafts):
            if draft.index < self.index - 4 or draft.gone:
                break
            if draft.open_change and not s.question:
                day = day_given_up(draft.body)
                draft.add(s.body, self.turn.id, "; ")
                draft.old = draft.old or day or values.old
                draft.new, draft.open_change = values.new or clause(s.body), False
                draft.evidence = [self.turn.id, *[e for e in draft.evidence if e != self.turn.id]]
                draft.turn, draft.index = self.turn, self.index
                self.made.append(draft)
                return True
        return False

    def _new_day(self, s: Sentence, values: Values) -> bool:
        """ "Ruben can't make Fridays any more." … "He'll come on Mondays instead.": the day that he comes now."""
        if s.question or not has_day(s.text) or day_given_up(s.text):
            return False
        for draft in reversed(self.talk.drafts):
            if draft.index < self.index - 6 or draft.gone:
                break
            if not draft.open_change or not (day := day_given_up(draft.body)):
                continue
            same = frozenset(terms(s.text)) & (draft.content - frozenset(terms(day)))
            if any(n.lower() not in draft.body.lower() for n in s.names) or not (same or needs_subject(s) or not s.own_subject):
                return False
            return self._completes(s, values)
        return False

    def _overtaken(self, draft: Draft, day: str) -> None:
        """What was told of that day before holds no more, and its sources are those of the change."""
        own = draft.content - frozenset(terms(day))
        for earlier in self.talk.drafts[-LOOK_BACK:]:
            named = re.search(rf"\b{re.escape(day.lower().rstrip('s'))}", earlier.body.lower())
            if not earlier.gone and earlier.index < draft.index and named and earlier.content & own and earlier.tag is not Tag.TODO:
                merge(draft, earlier)

    def _outdated(self, s: Sentence) -> tuple[Draft, str] | None:
        """ "They want 500 copies." … "After some talk it's 650." "650 copies.": the earlier statement of the same count of
        the same thing, as the answer tells, and its figure that holds no more."""
        keys = figure_keys(s)
        if self.reply is None or not keys or not _POINTS.search(s.low) or s.question:
            return None
        for said in self.reply.statements():
            counted = {c[0]: c for c in _counted(said.text, said.lang) if c[0] in keys}
            for draft in reversed(self.talk.drafts[-LOOK_BACK:]) if counted else ():
                if draft.gone or draft.index >= self.index or draft.old:
                    continue
                for key, text, noun in _counted(draft.body, draft.lang):
                    fits = any(noun == n and _alike(text, t) for _, t, n in counted.values())
                    if fits and key not in keys and key not in figure_keys(said):
                        return draft, text
        return None

    def _keep(self, draft: Draft) -> None:
        """Take a draft in, unless it says again what another one says; what it replaces goes."""
        mine = draft.content
        if draft.empty:
            return
        given_up, figure_old = "", any(c.isdigit() for c in draft.old)
        for earlier in self.talk.drafts[-LOOK_BACK:]:
            if earlier.gone:
                continue
            again = says_again(draft, earlier)
            if again == "less":
                earlier.rest_on(draft.evidence)
                self.made.append(earlier)
                return
            if draft.replaces and not mine.isdisjoint(earlier.content) and (value := given_up_value(draft, earlier)):
                given_up = value
                merge(draft, earlier)
            elif figure_old and again != "more" and (body := put_into(draft, earlier)):
                earlier.old, earlier.tag, earlier.body, earlier.dates = draft.old, Tag.CHANGED, body, {}
                earlier.turn, earlier.index = draft.turn, draft.index
                earlier.evidence = list(dict.fromkeys([*draft.evidence, *earlier.evidence]))
                self.made.append(earlier)
                return
            elif again == "more" or clash(draft, earlier):
                merge(draft, earlier)
        if given_up:
            draft.old, draft.tag = given_up, Tag.CHANGED
        self.talk.drafts.append(draft)
        self.made.append(draft)
