"""What the assistant's words hold for the reading of the owner's: proposals, options, a question, echoes, reports.

The assistant's turn states nothing by itself. It is read as far as the owner's next or last words need it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from silo.core.extract.acts import Sentence
from silo.core.extract.clauses import Piece, pieces
from silo.core.extract.once import Once
from silo.core.extract.options import OR, Option, alternatives, bare, items, may
from silo.core.extract.reading import read
from silo.core.extract.spoken import detect_start
from silo.text.flat import flat_words
from silo.text.language import Language, signs_of

__all__ = ["Heard", "Option", "head_of", "label_of", "offers_deed", "proposed_for", "proposes_inside", "puts_case", "should_be"]


@dataclass(eq=False)
class Heard:
    """An assistant's turn (or several in a row) as the owner heard it: `text` joins them, `ids` are theirs.

    Nothing of it is read before it is asked for; most of what an assistant says bears on nothing. `usual` is the language
    spoken before, `known` are the names of the conversation.
    """

    ids: tuple[str, ...]
    text: str
    languages: tuple[Language, ...]
    usual: Language
    today: date
    known: frozenset[str]

    @Once
    def sentences(self) -> tuple[Sentence, ...]:
        """Its first and last ones."""
        found = detect_start(self.text[:240], self.languages) or (self.usual,)
        return tuple(
            read(p, self.languages, self.usual, self.today, self.known, heard=found)
            for p in _ends(pieces(self.text))
        )

    @Once
    def _signs(self) -> frozenset[str]:
        return signs_of(flat_words(self.text))

    def _hints(self, *kinds: str) -> tuple[str, ...]:
        """What a phrase of the kinds in it must hold; nothing where none can be."""
        return tuple({hint for lang in self.languages for hint in lang.heard.hints(kinds, self._signs)})

    @Once
    def _asking(self) -> tuple[str, ...]:
        return self._hints("question", "question_bare")

    @Once
    def _proposing(self) -> tuple[str, ...]:
        return self._hints("propose_mark")

    @Once
    def _wishing(self) -> tuple[str, ...]:
        return self._hints("propose_wish")

    def asks(self, s: Sentence) -> bool:
        """The sentence of it is a question."""
        return ("?" in s.text or may(s, self._asking)) and s.question

    @Once
    def question(self) -> Sentence | None:
        """The last one asked."""
        return next((s for s in reversed(self.sentences) if s.kind == "say" and self.asks(s)), None)

    @Once
    def proposals(self) -> tuple[Sentence, ...]:
        return tuple(s for s in self.sentences if self._puts_forward(s))

    @Once
    def proposes(self) -> bool:
        """Whether there are proposals; they mostly stand at the end."""
        return any(self._puts_forward(s) for s in reversed(self.sentences))

    def _puts_forward(self, s: Sentence) -> bool:
        return s.kind == "say" and (
            (may(s, self._proposing) and s.opens("propose_mark"))
            or bool(proposes_inside(s))
            or (bool(self._wishing) and may(s, self._wishing) and not self.asks(s) and s.has("propose_wish"))
            or (self.asks(s) and ((s.opens("propose_ask") and not _asks_what(s)) or bool(_SHOULD_BE.match(s.body)) or _offers_name(s) or offers_deed(s)))
        )

    @Once
    def options(self) -> tuple[Option, ...]:
        """What may be chosen from: alternatives, else the items of a list of which several may be taken (`listed`)."""
        return self._alternatives or items(self.sentences, self._proposing)

    @property
    def listed(self) -> bool:
        return not self._alternatives and bool(self.options)

    @Once
    def _alternatives(self) -> tuple[Option, ...]:
        return alternatives(self.text, self.sentences)

    @Once
    def noted(self) -> bool:
        """It says that it has taken something down."""
        hints = self._hints("noted")
        return any(
            s.opens("noted") or (s.has("noted") and s.size <= 6) for s in self.sentences if may(s, hints)
        )

    @Once
    def only_notes(self) -> bool:
        """It does nothing but take in what was said: "Noted.", "All right, I'll keep that in mind."."""
        said = [s for s in self.sentences if s.kind == "say"]
        plain = [s for s in said if not s.social]
        return sum(s.size for s in said) <= 3 or all(
            s.size <= 7 and s.has("noted") and not (s.figures or s.names or self.asks(s)) for s in plain
        )

    @Once
    def dropped(self) -> bool:
        return any(s.opens("dropped") for s in self.sentences)

    @Once
    def done(self) -> bool:
        """It reports that what was asked for is done."""
        hints = self._hints("done")
        return any(s.opens("done") for s in self.sentences if may(s, hints))

    @Once
    def one_off(self) -> bool:
        """Its last proposal is an errand of the moment (shall I look it up?), not something to remember."""
        return bool(self.proposals) and _is_errand(self.proposals[-1])

    def states(self, s: Sentence) -> bool:
        """The sentence of it neither asks nor proposes."""
        return s.kind == "say" and not self.asks(s) and not self._puts_forward(s)

    def statements(self) -> list[Sentence]:
        return [s for s in self.sentences if self.states(s)]


_CLOCK = re.compile(r"\b\d{1,2}(?::\d\d|h\d?\d?|\s?[ap]m)\b")
_END = 6
_THAT = re.compile(r"\b(?:it|that|this|isso|esse|essa|assim)\b")
def _ends(found: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The first and last sentences of a long answer: there it takes things down, proposes and asks."""
    return found if len(found) <= 2 * _END else (*found[:_END], *found[-_END:])


_SHOULD_BE = re.compile(
    r"^(?:should|shall) (?P<what>(?:the|my|our|your|this)\s[^?,]{2,40}?) (?:be|become|stay) (?P<new>[^?]+)",
    re.I,
)
_INSIDE = re.compile(
    r"^(?:for|in|on|at|as for|with|pra|para|pro|n[oa]s?|quanto a[o]?)\s[^?.:;]{2,50}?,?\s+(?P<mark>i'd (?:also )?(?:use|go with|suggest|propose|recommend|pick|keep|set|make)|how about|what about|que tal|sugiro|eu usaria|eu sugiro|eu iria de|recomendo|proponho)\s+(?=\w)",
    re.I,
)


# "I'd reorder twelve": the assistant's advice.
_WOULD_DO = re.compile(
    r"(?:(?:personally|honestly|then|so|and),? )?(?:i'd|id|i would) (?:also |just |probably |maybe |rather )?"
    r"(?!say|guess|love|like|be|have|think|bet|hope|prefer|never|not|expect|imagine|assume|suppose|been|already|need|want|know|miss|freeze|hate|say|agree|appreciate|say|forgotten|heard|seen|had|gone|said)[a-z]{3,} \S"
    r"|eu (?:tambem )?(?!diria|gostaria|teria|seria|adoraria|queria|podia|poderia|sabia|havia|estaria|estava|tinha|era|ia)(?:[a-z]{2,}ria|[a-z]{3,}ava|(?:ped|escolh|met|pun|far|mant|vend)i?a) \S"
)


_FRONTS = ("i'd ", "id ", "i would ", "eu ", "personally", "honestly", "then ", "so ", "and ")  # one of them begins it


def should_be(s: Sentence) -> str:
    """ "Should the newsletter be monthly?" as what a yes makes of it: "newsletter: monthly"; "" for other sentences."""
    match = _SHOULD_BE.match(s.body) if s.question else None
    return (
        f"{re.sub(r'^(?:the|my|our|your|this) ', '', match['what'], flags=re.I)}: {match['new']}"
        if match
        else ""
    )


def proposes_inside(s: Sentence) -> int:
    """Where the proposal begins behind what it is for ("For the shop I'd use free shipping"); 0 for none."""
    low = s.low[s.core :]
    match = _INSIDE.match(low)
    if match:
        return s.core + match.end()
    would = _WOULD_DO.match(low) if low.startswith(_FRONTS) and not s.question else None
    if would is None:
        return 0
    lead = re.match(r".*?(?:i'd|id|i would|eu)\b(?: also| just| probably| maybe| rather| tambem)? ", low)
    return s.core + lead.end() if lead else 0


def proposed_for(s: Sentence) -> str:
    """What such a proposal is for: "shop"."""
    match = _INSIDE.match(s.low[s.core :])
    if match is None:
        return ""
    words = s.text[s.core : s.core + match.start("mark")].strip(" ,")
    return re.sub(r"^\w+\s+(?:(?:the|a|an|your|o|as|os)\s+)?", "", words, flags=re.I)


def _offers_name(s: Sentence) -> bool:
    """A short question that puts forward a name or a value: "E \"Linha d'Água\"?", "Friday at 10?"."""
    if puts_case(s):
        return False
    if s.size <= 4 and _THAT.search(s.low) and not s.opens("question") and not s.opens("question_bare"):
        return True  # "Take it?" puts forward what was said just before
    return s.size <= 6 and not s.verbish and bool(re.search(r"[\"“«]|\d", s.text)) and not OR.search(s.text)


# "Marco a mesa para as oito?": the assistant asks whether to do it.
_DEED = re.compile(
    r"(?!(?:como|quanto|quando|isso|isto|tudo|algo|certo|caso|mesmo|cedo|novo|outro|ano|dia|preco|prazo|custo|plano|nao|entao|sao|estao|vao|dao)\b)"
    r"[a-z]{2,}[^a\W\d]o(?:-\w{1,3})? (?:ja |tambem |entao |so |antes |mais )*(?:o|a|os|as|um|uma|uns|umas|outr[oa]s?|dois|duas|tres|isso|isto|ess[ea]s?|est[ea]s?|para|pro|pra|com|ao|a|no|na|em|por|de|\d)\b"
)


def offers_deed(s: Sentence) -> bool:
    return s.lang.code == "pt" and bool(_DEED.match(s.low[s.core :]))


_THEN_WHAT = re.compile(
    r"(?:so|then|and then|ok|okay|entao|e|pois)(?: then| entao)?,? (?:where|who|what|which|when|why|how (?!about)|whose|onde|quem|qual|quais|quando|como|quanto|quantos|quantas|porque|por que|o que|que (?!tal))"
)


def _asks_what(s: Sentence) -> bool:
    """ "Then where do you sell?" asks for something to know."""
    return bool(_THEN_WHAT.match(s.low.lstrip()))


def puts_case(s: Sentence) -> bool:
    """ "And if it rains?": what is said to it holds in that case only."""
    return s.question and s.opens("what_if")


def _is_errand(sentence: Sentence) -> bool:
    lead = sentence.opening("propose_ask") or sentence.opening("propose_mark")
    if lead is None and offers_deed(sentence):
        lead = (sentence.core, sentence.core)
    if lead is None:
        return False
    rest = sentence.low[lead[1] :].lstrip()
    start = len(sentence.low) - len(rest)
    if any(len(d.value) == 10 for d in sentence.dates) or _CLOCK.search(sentence.low):
        return False  # "open at 8:30 on Saturday" is an arrangement
    return any(start <= a <= start + 12 for a, _ in sentence.spans.get("one_off", ()))


_TAIL = re.compile(r"\s*(?:,|:|\(|\bor\b|\bou\b| - ).*$")
_HEAD = re.compile(r"^([^\n:?!.]{2,48}):\s+\S")


def head_of(sentence: Sentence) -> str:
    """The label that a sentence itself begins with: "van: the garage called" → "van"; "" for none."""
    head = _HEAD.match(sentence.body)
    return (
        head[1].strip()
        if head and len(head[1].split()) <= 5 and not sentence.opens("note") and not sentence.has("decision")
        else ""
    )


def label_of(sentence: Sentence, end: int | None = None) -> str:
    """What a question or an announcement is about, as a short noun phrase; "" where it does not say.

    "And the length: 25 minutes, or 40?" → "length"; "How much space do you have?" → "space". `end` is where alternatives
    begin that must not be read.
    """
    if not sentence.question and (head := head_of(sentence)):
        return head
    for a, b in (*sentence.spans.get("about", ()), *sentence.spans.get("topic_mark", ())):
        rest = _TAIL.sub("", sentence.text[b:].strip().rstrip("?.! "))
        rest = _strip_words(rest, sentence.lang)
        if 0 < len(rest.split()) <= 6 and a >= 0:
            return rest
    if not sentence.question:
        return ""
    body = sentence.text[sentence.core : end] if end is not None else sentence.body
    body = _SETTING.sub("", body)
    rest = _strip_words(_TAIL.sub("", body.rstrip("?.!:, ")), sentence.lang)
    if noun := _BEHIND_VERB.match(rest):
        rest = noun["noun"]
    return rest if 0 < len(rest.split()) <= 6 else ""


# "for the kitchen, which floor …": what is asked stands behind the comma.
_SETTING = re.compile(
    r"^[^,?]{3,60},\s+(?=(?:what|which|when|where|who|how|do|does|did|is|are|should|any|qual|quais|quando|onde|quem|como|quanto|quantos|quantas|que|tem)\b)",
    re.I,
)
# "começa a obra", "deixar o limite do cartão": the noun behind the verb.
_BEHIND_VERB = re.compile(
    r"^(?:[\wÀ-ÿ]{2,}(?:ar|er|ir|aram|eram|iram|ou|eu|iu|aste)|vale|começa|comeca|fica|termina|acaba|vence|chega|sai|custa|é|foi|vem) (?:o|a|os|as|um|uma|seu|sua|meu|minha|the|your|my)\s+(?P<noun>[\wÀ-ÿ].*)$",
    re.I,
)


def _strip_words(text: str, lang: Language) -> str:
    """Question words, helpers and articles off both ends; what follows a helper in the middle goes ("space do you have")."""
    words = text.split()
    small = lang.question_words
    while words and bare(words[0]) in small:
        words.pop(0)
    while len(words) > 2 and bare(words[0]) in ("last", "ever", "already", "ja"):
        words.pop(0)
    helper = next((n for n, w in enumerate(words) if bare(w) in lang.helpers), None)
    if helper is not None:
        words = words[:helper]
    while words and (
        bare(words[-1]) in small
        or bare(words[-1]) in ("today", "now", "already", "yet", "hoje", "agora", "ja", "booked", "done")
    ):
        words.pop()
    return " ".join(words).strip(" ,;:")
