"""Another value for what was said before: "no wait, 14:00", "make it four instead", "it was 33"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.core.extract.acts import Sentence
from silo.core.extract.amend import substitute
from silo.core.extract.changes import change_in, figure_key, figure_keys, slipped
from silo.core.extract.claims import things_of
from silo.core.extract.drafts import Draft
from silo.core.extract.replies import reply_to
from silo.core.extract.revision import Revision
from silo.model import Tag

__all__ = ["Correction"]


@dataclass
class Correction(Revision):
    """Puts values of earlier statements right."""

    def corrects(self) -> bool:
        """ "no wait, 14:00", "no! 13, not 30": the last statement gets the new value; True if that was all."""
        said = [s for s in self.sentences if s.kind == "say"]
        if not said:
            return False
        first = whole = said[0]
        heard = self.talk.heard
        lead = first.opening("correction") or ((first.core, first.core) if self.mistaken else None)
        if lead and heard is not None and reply_to(first, heard, self.part).kind == "accept":
            return False  # another value for what was just proposed
        about: frozenset[str] = frozenset()  # "the delivery, after all, only on the 19th"
        inside = first.spans.get("change_mind", [(0, 0)])[0]
        if lead is None and first.core < inside[0] and first.size <= 10 and not first.question:
            about = self.part(first, first.text[first.core : inside[0]].strip(" ,;–—")).content
            lead = inside if about and first.text[inside[0] - 2 : inside[0]].startswith((",", "–", "—")) else None
        ending = first.spans.get("correction_end")
        if lead is None and (no := self._bare_no(first)):
            lead = no
        if lead is None and ending and first.size <= 8:
            first = (
                self.part(first, re.sub(r"[\s,;–—-]+$", "", first.text[first.core : ending[-1][0]]))
                if ending[-1][0] > first.core + 3
                else first
            )
            lead = (first.core, first.core)
        contrast = next(
            (s for s in said[:2] if s.size <= 5 and change_in(s, self.talk.languages).old and not s.verbish),
            None,
        )
        if lead is None and contrast is None:
            return False
        if contrast is not None:
            part, done = (
                self.part(contrast, re.split(r",\s*(?:not|não|e não|and not)\b", contrast.body)[0]),
                {whole, contrast} if whole.social or whole.size <= 1 else {contrast},
            )
        else:
            assert lead is not None
            rest = first.text[lead[1] :].strip(" ,.;:!–—-")
            if not rest:
                return False
            part, done = self.part(first, rest), {whole}
        if part.question:
            return False
        because = ""  # "make it five, my brother joins us": what stands behind the value is said besides
        if lead is not None and contrast is None and (comma := re.search(r",\s+(?!\d)", part.text)) and part.size > 4:
            value = self.part(part, part.text[: comma.start()])
            if value.size <= 4 and not value.verbish:
                part, because = value, part.text[comma.end() :]
        live = [d for d in self.talk.drafts if not d.gone and d.index >= self.index - 8]
        echoed = self._echoed(part)
        live.sort(key=lambda d: (not _same_figure(d, part), -len(echoed & d.content), -d.index))
        otherwise = not slipped(whole) and (whole.has("change_mind") or _INSTEAD.search(whole.low) is not None)
        named = things_of(part) | about
        for draft in live:
            if not named <= draft.content:
                continue  # it names another thing than this one speaks of
            body = substitute(draft.body, part)
            if body:
                if body != draft.body:
                    self._log_old(draft, body, told=otherwise)
                    draft.body, draft.dates = body, {}
                draft.turn, draft.index = self.turn, self.index
                draft.evidence = [self.turn.id, *[e for e in draft.evidence if e != self.turn.id]]
                self.sentences = [s for s in self.sentences if s not in done]
                reason = self.part(whole, because) if because else None
                if reason is not None and (reason.figures or reason.names or reason.dates):
                    self.sentences.insert(0, reason)
                return not self.sentences
        return False

    def _echoed(self, part: Sentence) -> frozenset[str]:
        """The words beside which the answer repeats a new figure: of what it is the value."""
        keys = figure_keys(part)
        said = [x.content for x in (self.reply.statements() if self.reply and keys else ()) if keys <= figure_keys(x)]
        return frozenset().union(*said) - part.content

    def old_told(self, s: Sentence) -> bool:
        """ "62 a year. Was it 55 before?" "54.": the answer is what the last change has replaced."""
        asked = self.talk.heard.question if self.talk.heard is not None else None
        live = [d for d in self.talk.drafts if not d.gone and d.index >= self.index - 4]
        if asked is None or not live or len(s.figures) != 1 or s.size > 4 or not _WAS_ASKED.search(asked.low):
            return False
        draft = live[-1]
        if draft.old or not draft.figures or figure_key(s.figures[0]) in draft.figures:
            return False
        draft.old, draft.tag = s.figures[0], Tag.CHANGED
        draft.rest_on([self.turn.id])
        return True

    def _bare_no(self, s: Sentence) -> tuple[int, int] | None:
        """ "nope, sunday": nothing was asked or proposed, so the value of the last statement is wrong."""
        heard, no = self.talk.heard, s.opening("reject_sure")
        if no is None or s.question or (heard is not None and (heard.question or heard.proposes or heard.options)):
            return None
        rest = self.part(s, s.text[no[1] :].strip(" ,.;:!–—-"))
        return no if rest.size <= 3 and (rest.dates or rest.figures) and not rest.verbish else None

    def new_value(self, s: Sentence) -> bool:
        """A few words with a value that the assistant puts into what was said before: "and 19:00" → the meeting's time."""
        if (
            self.reply is None
            or s.size > 6
            or not (s.figures or s.dates)
            or s.has("did", "state_self", "will")
            or s.question
        ):
            return False
        recent = [d for d in self.talk.drafts if not d.gone and self.index > d.index >= self.index - 6]
        if not recent:
            return False
        draft, mine = recent[-1], figure_keys(s)
        for said in self.reply.statements():
            theirs = figure_keys(said)
            body = substitute(draft.body, s)
            lost = draft.figures - {figure_key(f) for f in re.findall(r"\d[\d.,:h]*", body)}
            if (
                body
                and mine <= theirs
                and lost
                and not mine & draft.figures
                and not lost & theirs
                and len(said.content & draft.content) >= 2
            ):
                self._log_old(draft, body, told=not slipped(s))
                draft.body, draft.turn, draft.index = body, self.turn, self.index
                draft.evidence = [self.turn.id, *[e for e in draft.evidence if e != self.turn.id]]
                return True
        return False

    def closes(self, s: Sentence) -> bool:
        """ "so that's off my list": the task of a moment ago is done, and nothing new is said."""
        if not s.has("completed") or not s.pronoun or s.figures or s.names:
            return False
        tasks = [
            d for d in self.talk.drafts if not d.gone and d.tag is Tag.TODO and d.index >= self.index - 4
        ]
        if tasks:
            tasks[-1].gone = True
        return True


_INSTEAD = re.compile(r"\b(?:instead|after all|afinal|em vez|antes)\b")
_WAS_ASKED = re.compile(
    r"\b(?:was|were|before|until now|previously|used to|up from|down from|era|eram|antes|ate agora|quanto pagava\w*|quanto custava)\b"
)


def _same_figure(draft: Draft, part: Sentence) -> bool:
    return bool(part.figures) and figure_key(part.figures[-1]) in draft.figures
