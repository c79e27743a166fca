"""What words say wherever they stand: their language, their phrases, and where their substance begins.

Each part is worked out when it is first asked for, and once for all sentences of the same words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from silo.core.extract.once import Once
from silo.text.flat import flat_words
from silo.text.language import Language, Spans, Token, detect, tokens_of

__all__ = ["Code", "Words", "detect_start", "words_of"]

KEPT = 2048  # readings of words that are said again: courtesies, reports, retries
_LABEL = re.compile(r"[^\n:?!.,]{2,30}:\s+(?=[^\W\d])")
_BEHIND = r"(?:\s*:\s*|\s+-+\s+|[\s.!…:]*$)"  # what parts a request to keep from what is to be kept
_MASKS = (("not_rule", ("rule",)), ("not_hypothetical", ("hypothetical",)), ("not_change", ("change", "change_strong", "change_verb")))  # idioms, and what they only look like
_STOPPED = re.compile(r"[,.:;!…-]")
_SAID = re.compile(r"\"[^\"\n]*?\s[^\"\n]*?\s[^\"\n]*\"")
_AFTER_FILLER = re.compile(r"[\s,.:;!…-]*")
_OPENING = frozenset(
    ["filler", "filler_stop", "accept", "accept_sure", "reject", "reject_sure", "reject_thing", "neither", "correction", "retract", "strike", "mistaken", "note", "note_any", "social", "polite",
     "question", "question_bare", "propose_ask", "propose_mark", "ack", "noted", "dropped", "done", "change_mind", "material", "conditional"]
)  # fmt: skip
_AGAINST = frozenset(["reject", "reject_sure", "reject_thing", "neither", "correction", "retract", "strike", "dropped"])  # "don't forget this" takes nothing back


def _blank(match: re.Match[str]) -> str:
    return '"' + "\x00" * (len(match[0]) - 2) + '"'


class Words:
    """Some words as heard in a language. `memo` is for what others work out of them.

    `usual` is the language spoken before, for words that do not tell their own; `heard` is the language of the assistant's
    answer, of which only some phrases are looked for at first: the rest is in `every`.
    """

    def __init__(
        self,
        text: str,
        languages: tuple[Language, ...],
        usual: Language,
        heard: tuple[Language, ...] | None,
    ) -> None:
        self.text, self.languages, self.usual, self.heard = text, languages, usual, heard
        self.memo: dict[str, object] = {}

    @Once
    def low(self) -> str:
        low = flat_words(self.text)
        return _SAID.sub(_blank, low) if '"' in low else low  # what is quoted is not the speaker's own act

    @Once
    def tokens(self) -> tuple[Token, ...]:
        return tuple(tokens_of(self.low))

    @Once
    def _found(self) -> tuple[Language, ...]:
        return detect(self.text, self.tokens, self.languages) if self.heard is None else self.heard

    @Once
    def lang(self) -> Language:
        return self._found[0] if self._found else self.usual

    @Once
    def _scans(self) -> tuple[tuple[Language, int], ...]:
        """Languages, and the length of the words looked up in each: people mix languages, and long words of the other one
        are understood too; its short ones mean something else here."""
        found = self._found
        return tuple((lang, 1 if not found or lang in found else 6) for lang in self.languages)

    @property
    def unread(self) -> bool:
        """Whether `spans` lacks the phrases that matter in the owner's words only."""
        return self.heard is not None

    @Once
    def _all_spans(self) -> Spans:
        spans: Spans = {}
        for lang, shortest in self._scans:
            table = lang.phrases if self.heard is None else lang.heard
            for kind, places in table.scan(self.low, self.tokens, shortest).items():
                spans.setdefault(kind, []).extend(places)
        return spans

    @Once
    def asked(self) -> int:
        """Where the owner's request to keep something ends ("please note this down: "), 0 where there is none."""
        if self.heard is not None:
            return 0
        for start in reversed(_heads(self.low, self._all_spans)):
            for lang in self.languages:
                if request := _request(lang.shapes["keep_ask"]).match(self.low, start):
                    return request.end()
        return 0

    @Once
    def heads(self) -> tuple[int, ...]:
        heads = _heads(self.low, self._all_spans)
        return (*heads, self.asked) if heads[-1] < self.asked < len(self.low) else heads

    @Once
    def spans(self) -> Spans:
        """The phrases by kind. "só pra você saber, …": words of an opening phrase do nothing else."""
        start = max(self.heads[-1], self.asked)
        for mask, kinds in _MASKS:
            if mask in self._all_spans:
                self._mask(self._all_spans[mask], kinds)
        if start <= 0:
            return self._all_spans
        openers = _OPENING - _AGAINST if self.asked else _OPENING
        return {
            kind: kept
            for kind, places in self._all_spans.items()
            if (kept := [p for p in places if p[1] > start or kind in openers])
        }

    def _mask(self, idle: list[tuple[int, int]], kinds: tuple[str, ...]) -> None:
        """Drop the phrases of the kinds that are part of an idiom: "my best time of all", "no change there"."""
        for kind in kinds:
            left = [p for p in self._all_spans.get(kind, ()) if not any(a <= p[0] and p[1] <= b for a, b in idle)]
            if left:
                self._all_spans[kind] = left
            else:
                self._all_spans.pop(kind, None)

    @Once
    def every(self) -> Spans:
        """All phrases, also of words of the assistant's."""
        found: Spans = {}
        for lang, shortest in self._scans if self.unread else ():
            for kind, places in lang.phrases.scan(self.low, self.tokens, shortest).items():
                found.setdefault(kind, []).extend(places)
        return found


class Code(Words):
    """What is no talk: it has neither words nor phrases."""

    def __init__(self, text: str, usual: Language) -> None:
        super().__init__(text, (), usual, None)
        self.low, self.tokens, self._found = "", (), ()
        self._all_spans, self.heads = {}, (0,)


@lru_cache(maxsize=8)
def _request(shape: str) -> re.Pattern[str]:
    """Such words, and the mark that parts them from what is to be kept."""
    return re.compile(f"{shape}{_BEHIND}")


@lru_cache(maxsize=KEPT)
def words_of(
    text: str, languages: tuple[Language, ...], usual: Language, heard: tuple[Language, ...] | None
) -> Words:
    """The words of a text, the same object for those that are said again."""
    return Words(text, languages, usual, heard)


@lru_cache(maxsize=256)
def detect_start(text: str, languages: tuple[Language, ...]) -> tuple[Language, ...]:
    """The languages of a message, by its beginning."""
    return detect(text, tokens_of(flat_words(text)), languages)


def _heads(low: str, spans: Spans) -> tuple[int, ...]:
    """Where the sentence may be said to begin: leading fillers are taken off one after another.

    A filler that is also a plain word ("right", "good", "não") counts only with a stop after it.
    """
    heads = [len(low) - len(low.lstrip("-–—*• ("))]
    loose = {low[a:b] for a, b in spans.get("filler", ())}
    stopped = {low[a:b] for a, b in spans.get("filler_stop", ())}
    fillers = sorted(loose | stopped, key=len, reverse=True)
    moved = True
    while moved:
        moved = False
        for word in fillers:
            end = heads[-1] + len(word)
            if not low.startswith(word, heads[-1]) or (
                end < len(low) and (low[end].isalnum() or low[end] in "'-")
            ):
                continue
            gap = _AFTER_FILLER.match(low, end)
            after = gap.end() if gap else end
            if after < len(low) and (word in loose or _STOPPED.search(low[end:after])):
                heads.append(after)
                moved = True
                break
    label = _LABEL.match(low[heads[-1] :]) if ":" in low else None
    return (heads[-1] + label.end(), *heads) if label else tuple(heads)
