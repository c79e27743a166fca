"""What a sentence does: it asks, decides, changes, promises, jokes … read off the phrases of its language.

A `Sentence` is one piece of a message with everything that later steps ask about it; nothing here looks at other
turns of the conversation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from silo.core.extract.once import OfWords, Once
from silo.core.extract.spoken import Words
from silo.text.dates import DateHit, find_dates
from silo.text.datewords import RECURRING
from silo.text.flat import flat_words
from silo.text.language import HEARD_KINDS, Language, Spans, Token
from silo.text.tokens import terms

__all__ = ["Sentence"]

_FIGURE = re.compile(r"(?<![\w.,/:-])(?:[$€£]|r\$|us\$)?\s?\d[\d.,:/h]*(?:\s?%)?", re.I)
_PLURAL_DAY = re.compile(
    r"\b(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekdays|weekends|mornings|afternoons|evenings|daily|weekly|monthly|yearly|twice a|once a|"
    r"[aà]s (?:segundas|tercas|quartas|quintas|sextas)|aos (?:sabados|domingos)|nas? (?:segundas|tercas|quartas|quintas|sextas)|so (?:de manha|a noite|a tarde)|por (?:dia|semana|mes)|semanal|mensal|diari[oa])\b"
)
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|half a|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vinte|trinta|"
    r"quarenta|cinquenta|cem|cento|duzentos|duzentas|quinhentos|mil|meia duzia)\b"
)
_CODE_MARK = re.compile(
    r"`[^`\n]+`|https?://\S+|(?<!\w)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)+|\b[\w.+-]+@[\w-]+\.\w+|\b[\w-]+\.(?:com|org|net|io|dev|app|br|pt|uk|eu|local|lan)\b"
)
_CODE_NAME = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9_-]{2,}\b|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w+\b")
_QUOTED_NAME = re.compile(r"[\"“«][^\"”»\n]{2,40}[\"”»]")
_COUNTING = re.compile(r"^\d+(?:st|nd|rd|th|h|am|pm|k|x|%)?$", re.I)
_NAME = re.compile(
    r"(?<![.!?:\n] )(?<!^)\b[A-ZÀ-Ý][\w'’-]+(?:\s+(?:(?:d[aeo]s?|of|&|e)\s+)?[A-ZÀ-Ý][\w'’-]*)*"
)
_NEVER_NAMES = frozenset(["I", "I'm", "I'll", "I've", "I'd", "OK", "Ok", "LOL", "BTW", "FYI", "ASAP", "TODO", "AM", "PM", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "VERY", "NOT", "DON", "NEVER", "ALWAYS", "ONLY", "AND", "BUT", "THE", "ALL", "NO", "YES", "NÃO", "SEMPRE", "NUNCA", "SIM", "REDACTED", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"])  # fmt: skip
_DETERMINED = re.compile(
    r"(?:the|a|an|my|our|this|that|his|her|o|a|os|as|um|uma|meu|minha|nosso|nossa|esse|essa)\b"
)
_FIRST = re.compile(r"\W*([\w'’-]+)")
_STEPS = re.compile(r"(?:to|in order to|pra|para)\s+\w{3,}\b[^:]{2,60}:\s+\w")
_HEADED = re.compile(r"[^\n:?!.,]{3,40}:\s+\S")
_WORDS = re.compile(r"\w+(?:[.,:'’-]\w+)*")
_WORD_CHAR = re.compile(r"\w")
# "no deploys on Fridays, ok?" asks nothing.
_DIRECTIVE_TAG = re.compile(
    r"(?:,|\s)\s*(?:ok|okay|deal|agreed|alright|please|combinado|ta|ta bom|beleza|blz|pode ser|por favor|fechado|viu)\s*\?+\W*$"
)


# "quem decide preço é a Joana" asks nothing.
_CLEFT = re.compile(
    r"(?:quem|o que|quando|onde|what|who|whoever)\s+(?!é|e\b|foi|fica|ta\b|esta|is|was|are|sao)[^,?]+\s(?:é|foi|sao|fica|is|are)\s+(?:(?:o|a|the|my|no|na|em|aos|as)\s)?\w+[^?]*$"
)


@dataclass(frozen=True, slots=True)
class _OnDay:
    """The dates of some words as they are meant on a day."""

    today: date
    dates: tuple[DateHit, ...]


def _starts_with(body: str, names: tuple[str, ...]) -> bool:
    return any(body.startswith(name) for name in names)


@dataclass(eq=False)
class Sentence:
    """One sentence of one turn: `low` is the flattened text, `spans` the phrases found in it by kind. It does not change."""

    text: str
    kind: str
    block: int
    today: date
    known: frozenset[str]  # words met as names elsewhere in the conversation
    words: Words
    memo: dict[str, object] = field(repr=False)  # shared by sentences of the same words

    @Once
    def low(self) -> str:
        return self.words.low

    @Once
    def tokens(self) -> tuple[Token, ...]:
        return self.words.tokens

    @Once
    def spans(self) -> Spans:
        return self.words.spans

    @Once
    def lang(self) -> Language:
        return self.words.lang

    @Once
    def unread(self) -> bool:
        """Whether `spans` lacks phrases that `every` has."""
        return self.words.unread

    @Once
    def heads(self) -> tuple[int, ...]:
        """Where it may be said to begin: after a label, at its first letter, after each leading filler, at its core."""
        return self.words.heads

    @Once
    def core(self) -> int:
        """Where its substance begins."""
        return self.heads[-1]

    @Once
    def to_keep(self) -> bool:
        """It asks to keep what stands behind it, in so many words."""
        return self.words.asked > 0

    @Once
    def only_asks(self) -> bool:
        """It does nothing else: "Please remember this."."""
        return 0 < self.words.asked == len(self.low)

    def has(self, *kinds: str) -> bool:
        spans = self.every if self.unread and not HEARD_KINDS.issuperset(kinds) else self.spans
        for kind in kinds:  # noqa: SIM110 - asked so often that a generator would show
            if kind in spans:
                return True
        return False

    @Once
    def every(self) -> Spans:
        """All phrases, for a sentence of the assistant of which only some were looked for."""
        return self.words.every

    def opens(self, kind: str) -> bool:
        """A phrase of the kind stands at the front, before or after leading fillers."""
        spans = self.every if self.unread and kind not in HEARD_KINDS else self.spans
        return kind in spans and self.opening(kind) is not None

    def opening(self, kind: str) -> tuple[int, int] | None:
        """The longest phrase of the kind that stands at the front."""
        spans = self.every if self.unread and kind not in HEARD_KINDS else self.spans
        found = [(a, b) for a, b in spans.get(kind, ()) if a in self.heads]
        return max(found, key=lambda s: s[1]) if found else None

    @OfWords
    def body(self) -> str:
        """The text without leading fillers."""
        return self.text[self.core :]

    @OfWords
    def question(self) -> bool:
        """It asks: a question mark at its end, or it begins as questions do (people leave the mark out)."""
        end = self.text.rstrip("\"'”) ")
        if end.endswith("?"):
            return not _DIRECTIVE_TAG.search(self.low) or self.opens("question")
        if end.endswith((":", "!")) or (self.size >= 4 and _CLEFT.match(self.low[self.core :])):
            return False
        return self.opens("question") or (
            self.opens("question_bare") and self.size <= 6 and not ("," in self.body or ":" in self.body)
        )

    @Once
    def dates(self) -> tuple[DateHit, ...]:
        kept = self.memo.get("dates")
        if isinstance(kept, _OnDay) and kept.today == self.today:
            return kept.dates
        found = tuple(find_dates(self.text, self.today, day_first=self.lang.day_first))
        self.memo["dates"] = _OnDay(self.today, found)
        return found

    @OfWords
    def past(self) -> bool:
        return self.has("did") or bool(self.lang.shape("past").search(self.low))

    @OfWords
    def figures(self) -> tuple[str, ...]:
        return tuple(f for m in _FIGURE.finditer(self.text) if (f := m[0].strip(" .,:/")))

    @OfWords
    def recurring(self) -> bool:
        """It names a repeating day or hour: every Friday, on Sundays, às quartas, daily."""
        return bool(RECURRING().search(self.low) or _PLURAL_DAY.search(self.low))

    @OfWords
    def counts(self) -> bool:
        """A number in words: two rents, three days a week, dois mil litros."""
        return bool(_NUMBER_WORD.search(self.low))

    @Once
    def names(self) -> tuple[str, ...]:
        """Proper names, acronyms and codes (2A, VAT), as written."""
        found = [m[0] for m in _NAME.finditer(self.text)] + [m[0] for m in _CODE_NAME.finditer(self.text)]
        first = _FIRST.match(self.body)
        if first and first[1] in self.known:
            found.insert(0, first[1])
        if self.text[self.core : self.core + 1].islower():
            found += [
                w
                for w in re.findall(r"[\w'’-]+", self.text)
                if w.capitalize() in self.known
                and w.islower()
                and len(w) > 3
                and w not in self.lang.function_words
            ]
        return tuple(
            dict.fromkeys(
                n
                for n in found
                if n.capitalize().removesuffix("s") not in _NEVER_NAMES
                and not _COUNTING.match(n)
                and n not in _NEVER_NAMES
                and not (n.isupper() and flat_words(n).replace("'", "") in self.lang.function_words)
            )
        )

    @OfWords
    def marks(self) -> tuple[str, ...]:
        """Commands, links, paths, addresses."""
        return tuple(m[0] for m in _CODE_MARK.finditer(self.text)) + tuple(
            m[0] for m in _QUOTED_NAME.finditer(self.text)
        )

    @OfWords
    def content(self) -> frozenset[str]:
        """Stemmed content words, for comparing sentences."""
        return frozenset(terms(self.text))

    @OfWords
    def verbish(self) -> bool:
        """It has a finite verb, as far as the tables know."""
        kinds = (
            "state",
            "state_self",
            "did",
            "will",
            "to_come",
            "todo_strong",
            "decision",
            "report",
            "preference",
            "not_doing",
        )
        return self.has(*kinds) or bool(self.lang.shape("verb").search(self.low))

    @OfWords
    def pronoun(self) -> bool:
        """Its subject is a pronoun (or, in Portuguese, left out): it can't be read alone."""
        return bool(self.lang.shape("pronoun").match(self.low[self.core :]))

    @OfWords
    def own_subject(self) -> bool:
        """It says itself what it is about, or gives an order: "we're 13", "the orchard has room", "never show me ads"."""
        low = self.low[self.core :]
        if self.pronoun:
            return False
        if self.lang.shape("own_subject").match(low) or self.opens("request") or self.forbids:
            return True
        start = _DETERMINED.match(low)
        return bool(start or (self.names and _starts_with(self.body, self.names))) and self.verbish

    @OfWords
    def steps(self) -> bool:
        """It tells how: "to reset the printer: unplug it, hold both buttons"."""
        low = self.low[self.core :]
        return ":" in low and (bool(_STEPS.match(low)) or ("(1) " in low and "(2) " in low))

    @OfWords
    def forbids(self) -> bool:
        """A negative order: "don't announce anything before"."""
        low = self.low[self.core :]
        if self.lang.shape("forbids").match(low):
            return True
        other = low.startswith(("no ", "don't ", "nao ", "nada "))  # people mix languages
        return other and any(lang.shape("forbids").match(low) for lang in self.words.languages)

    @OfWords
    def headed(self) -> bool:
        """It is put down like a note: "new address: 14 Quarry Lane"."""
        return ":" in self.body and bool(_HEADED.match(self.body)) and not self.has("social")

    @Once
    def subjectless(self) -> bool:
        """Its first verb has nothing before it: "wants 62k", "strong on data, wants 62k"."""
        kinds = self.lang.subjectless
        verbs = [
            a
            for kind in kinds
            for a, _ in (self.every if self.unread else self.spans).get(kind, ())
            if a >= self.core
        ]
        if not verbs or self.opens("request") or self.opens("setting"):
            return False
        before = self.low[self.core : min(verbs)].rstrip()
        return not before or (
            before.endswith(",") and len(before) < 40 and not self.names and not _DETERMINED.match(before)
        )

    @OfWords
    def social(self) -> bool:
        """Nothing but courtesies: every word belongs to one."""
        covered = [
            *self.spans.get("social", ()),
            *self.spans.get("filler", ()),
            *self.spans.get("accept", ()),
            *self.spans.get("joke", ()),
        ]
        rest = list(self.low)
        for a, b in covered:
            rest[a:b] = " " * (b - a)
        return not _WORD_CHAR.search("".join(rest))

    @OfWords
    def size(self) -> int:
        """Words of the substance."""
        return len(_WORDS.findall(self.body))
