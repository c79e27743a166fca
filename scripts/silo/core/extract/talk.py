"""The walk through a conversation: who answers whom, and the thread of what is talked about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard
from silo.core.extract.amend import substitute
from silo.core.extract.changes import correction_of, doubt_settled, figure_keys, self_corrected
from silo.core.extract.clauses import Piece, pieces
from silo.core.extract.drafts import Draft
from silo.core.extract.passing import without_reproach
from silo.core.extract.pretence import mark_roles
from silo.core.extract.quoting import mark_quotes
from silo.core.extract.reading import read
from silo.core.extract.spoken import detect_start
from silo.model import Origin, Session, Turn
from silo.text.language import Language

__all__ = ["OWN", "Talk", "shorten"]

_MID_NAME = re.compile(r"(?<=[a-zà-ÿ,0-9)] )[A-ZÀ-Ý][\w'’-]*[a-zà-ÿ][\w'’-]*")
_STARTS = re.compile(r"(?:^|[.!?]\s+|\n[-*•]?\s*)([^\W\d_][\w'’-]*)")
HEARD = 800  # characters of an assistant's answer that are read: what it takes down stands at its ends
OWN = 16_000  # of an owner's message; what is longer was pasted
WARM = 3  # messages of the owner for which a subject is still understood


_PLEASE = r"(?:please\s+|pls\s+|plz\s+|por favor,?\s+|pfv,?\s+)?"
_THIS = r"(?:\s+(?:that|this|it|down|disso|disto|isso|isto|aí|ai))*"
_ASKED_LAST = re.compile(
    rf"^(?P<what>.{{8,}}?)\s*[,;.–—-]\s*(?:and\s+|e\s+)?{_PLEASE}(?:remember{_THIS}|note{_THIS}|save{_THIS}|(?:do not|don't|dont) forget{_THIS}|(?:keep|bear) (?:that|this|it) in mind|"
    rf"anot[ae]{_THIS}|guard[ae]{_THIS}|lembr[ae]{_THIS}|registr[ae]{_THIS}|salv[ae]{_THIS}|não (?:se )?esque[cç][ae]{_THIS})(?:\s+(?:please|pls|por favor|pfv|ok|tá|viu))?\s*[.!?]*$",
    re.I,
)
_REMIND_LAST = re.compile(
    rf"^(?P<what>.{{8,}}?)\s*[,;–—-]\s*(?:and\s+|e\s+)?{_PLEASE}(?:(?:do not|don't|dont) forget to remind me{_THIS}|remind me{_THIS}|não (?:se )?esque[cç][ae] de me (?:avisar|lembrar){_THIS}|(?:lembra de )?me (?:avisa|lembra|avise|lembre|avisar|lembrar){_THIS})(?:\s+(?:please|pls|por favor|pfv))?\s*[.!?]*$",
    re.I,
)


# "I'm allergic to penicillin, did I tell you?" asks nothing that matters.
_TOLD_TAG = re.compile(
    r"^(?P<what>.{12,}?)\s*[,;.–—-]\s*(?:did i (?:ever )?(?:tell|mention|say)[^?]{0,25}|have i (?:ever )?(?:told|mentioned|said)[^?]{0,25}|i told you(?: that)?,? (?:right|didn't i)|"
    r"(?:eu )?já (?:te|lhe) (?:tinha )?(?:disse|dito|falei|contei|contado|falado)|(?:eu )?já (?:disse|falei|contei)|tinha-te dito|sabias(?: disso)?|você sabia|sabia)\s*\?+\s*$",
    re.I,
)


def _asked_first(text: str) -> str:
    """ "I moved to Lisbon, please remember it" asks for a note like "remember: I moved to Lisbon"."""
    if match := _TOLD_TAG.match(text):
        return match["what"]
    if match := _REMIND_LAST.match(text):
        return f"{'me lembra' if _PORTUGUESE.search(match[0][len(match['what']) :]) else 'remind me'}: {match['what']}"
    match = _ASKED_LAST.match(text)
    return f"remember: {match['what']}" if match else text


_PORTUGUESE = re.compile(r"esque|avis|lembr", re.I)


def shorten(text: str, most: int = HEARD) -> str:
    """A long text's beginning and end, cut at line ends or spaces; others as they are."""
    if len(text) <= most:
        return text
    head, tail = text[: most // 2], text[-(most // 2) :]
    return head[: max(head.rfind("\n"), head.rfind(" "), most // 4)] + "\n\n" + tail[tail.find(" ") + 1 :]


@dataclass
class Talk:
    """Where the conversation stands."""

    session: Session
    languages: tuple[Language, ...]
    usual: Language
    drafts: list[Draft] = field(default_factory=list)
    heard: Heard | None = None
    subject: str = ""  # what the last messages were about
    subject_at: int = -9
    person: str = ""  # the last person named
    person_at: int = -9
    asked: Sentence | None = None  # the owner's last question
    fiction: int = 0
    role: int = 0  # messages of the owner for which a role play may still go on
    owner_turn: int = 0
    errand_at: int = -9  # the owner's message that last asked for an errand of the moment
    said: tuple[str, int] = ("", -9)  # the owner's last message and its index
    spoke_at: int = -1  # index of the owner's last message of substance
    known: frozenset[str] = frozenset()
    ears: dict[int, Heard] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session, languages: tuple[Language, ...]) -> Talk:
        texts = [t.text for t in session.turns if t.origin in (Origin.OWNER, Origin.AGENT)]
        known = {name for text in texts for name in _MID_NAME.findall(text)}
        # Where the owner begins sentences small, a capital at the start is a name.
        starts = [w for t in session.turns if t.origin is Origin.OWNER for w in _STARTS.findall(t.text)]
        if sum(w[0].islower() for w in starts) > len(starts) / 2:
            small = {w for lang in languages for w in lang.function_words}
            known |= {
                w
                for w in starts
                if w[0].isupper() and len(w) > 2 and not w.isupper() and w.lower() not in small
            }
        return cls(session, languages, languages[0], known=frozenset(known))

    def listen(self, index: int) -> Heard:
        """The assistant's turns from `index` on, up to somebody else's."""
        if index not in self.ears:
            run = []
            for turn in self.session.turns[index:]:
                if turn.origin in (Origin.OWNER, Origin.UNTRUSTED):
                    break
                if turn.origin is Origin.AGENT:
                    run.append(turn)
            text = shorten("\n\n".join(t.text for t in run))
            self.ears[index] = Heard(
                tuple(t.id for t in run), text, self.languages, self.usual, run[0].at.date(), self.known
            )
        return self.ears[index]

    def reply(self, index: int) -> Heard | None:
        """The assistant's answer to an owner's turn; several messages in a row share it. Nobody's, if others spoke first."""
        for later in range(index + 1, len(self.session.turns)):
            origin = self.session.turns[later].origin
            if origin is Origin.AGENT:
                return self.listen(later)
            if origin is Origin.UNTRUSTED:
                return None
        return None

    def sentences(self, turn: Turn) -> list[Sentence]:
        """The sentences of an owner's turn, what is not the owner's own word marked as quotation."""
        found = detect_start(turn.text[:OWN], self.languages)
        self.usual = found[0] if found else self.usual
        made = [
            self.read(_asked_first(self_corrected(said)) if p.kind == "say" else p.text, turn, p)
            for p in pieces(shorten(turn.text, OWN))
            if (said := without_reproach(p.text, self.languages) if p.kind == "say" else p.text)
        ]
        made, self.role = mark_roles(
            made, self.role, self.languages, lambda s, text: self.read(text, turn, Piece(text, "say", s.block))
        )
        made = self._put_right(made, turn)
        made, self.fiction = mark_quotes(made, self.fiction)
        return made

    def _put_right(self, said: list[Sentence], turn: Turn) -> list[Sentence]:
        """A sentence that only corrects the one before it goes into it: "it's on Tuesday. no wait, Wednesday"."""
        out: list[Sentence] = []
        skip = False
        for n, s in enumerate(said):
            if skip:
                skip = False
                continue
            before = out[-1] if out else None
            rest = correction_of(s.text) if s.kind == "say" and not s.question else ""
            if before is not None and s.question and n + 1 < len(said):  # "or was it 4.99? it is 4.99"
                rest = doubt_settled(f"{s.text} {said[n + 1].text}")
                skip = bool(rest)
            if before is None or not rest or before.kind != "say" or before.social:
                out.append(s)
                skip = False
                continue
            part = self.read(rest, turn, Piece(rest, "say", s.block))
            keys = figure_keys(part)
            if any(keys & d.figures for d in self.drafts if not d.gone) or any(
                keys & figure_keys(x) for x in out[:-1]
            ):
                out.append(s)  # it repeats a figure of an earlier statement and changes what stands beside it
                continue
            text = substitute(before.text, part)
            if not text:
                out.append(s)
                continue
            if before.question and before.opens("polite"):
                text = before.lang.shape("asks").sub("", text[before.core :]).rstrip("? ")
            out[-1] = self.read(text, turn, Piece(text, "say", before.block))
        return out

    def read(self, text: str, turn: Turn, piece: Piece) -> Sentence:
        return read(
            Piece(text, piece.kind, piece.block), self.languages, self.usual, turn.at.date(), self.known
        )

    def about(self) -> str:
        """The subject of the talk, while it is still warm."""
        return self.subject if self.owner_turn - self.subject_at <= WARM else ""

    def whom(self) -> str:
        return self.person if self.owner_turn - self.person_at <= 1 else ""

    def turn_to(self, subject: str) -> None:
        if subject:
            self.subject, self.subject_at = subject, self.owner_turn

    def meet(self, person: str) -> None:
        if person:
            self.person, self.person_at = person, self.owner_turn
