"""The invented life of one user, made from a seed: what is said, stored, edited and decided each day, and what is true.

Knows nothing of the program. What is true is written down as the life is made: for each subject the values that it had,
the days on which each held, and the nights since when a memory can know it. The words stand in tests/data/life.toml.

A memory may take in at `NIGHT` what was said before that day; what a person decides by command it knows at once.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

WORDS: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "data" / "life.toml").read_text(encoding="utf-8"))
MONTHS = {
    "en": ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
    "pt": ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
}
SETTLES = 3  # days for which a subject is left alone after a hand's edit or a night taken back
OPEN = 10**9
# What a text says is over: "instead of 8 kg", "moved from the attic to", "já não 8 kg", "passou de … para".
OVER = re.compile(
    r"\b(?:instead of(?: in| at)?|(?:is )?no longer(?: in| at)?|, not|has replaced|replaced|em vez d\w+(?: a)?|já não(?: está| estão)?|substituiu(?: a)?"
    r"|(?:from|da|do|das|de|passou d\w|mudou d\w+|mudad[ao] d\w)(?= (?:port |porta |the |a |o )?(?:[^,]|,\d){1,30}? (?:to|para) ))"
    r" (?:a cada |every )?(?:(?!,| to | para | como | as | any more)[^.]|\.(?=\d))+",
    re.I,
)
TAKEN = re.compile(r"(\btook over .+?) from (?-i:[A-ZÀ-Þ])\w+ \w+(?=\.|$)", re.I)  # from whom: no more


# --- what happens ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """The owner says it in a conversation; `before` is what the assistant said just before."""

    text: str
    answer: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """The assistant stores it. `of`: the words of the fact as it stands are to be put in the place of {fact}."""

    text: str
    topic: str
    tag: str = "FACT"
    confidence: str = "confirmed"
    of: Subject | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """A hand at the topic's file: changed, deleted, added, moved (to another heading), carried (to another topic)."""

    how: str
    subject: Subject
    value: str = ""
    text: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command of the owner about the fact of a subject: correct, confirm, accept, reject, merge or defer."""

    verb: str
    subject: Subject
    text: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """A to-do is ticked: by its box, or by command."""

    todo: Todo
    by: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """A command about topics: rename, merge, archive; accept of a suggestion that names the word `to`."""

    verb: str
    topic: str
    to: str = ""


@dataclass(frozen=True, slots=True)
class Travelled:
    """The owner's clocks are those of another zone from this day on."""

    zone: str


@dataclass(frozen=True, slots=True)
class TookBack:
    """The last night is undone; `again`: and what was undone is wanted after all. By the undo's own undo, or by `--again`."""

    again: str


Act = Told | Stored | Edited | Commanded | Done | Ordered | Travelled | TookBack


# --- what is true ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a subject: how it is said in each language, and how a reader finds it in a text."""

    key: str
    said: Mapping[str, tuple[str, ...]]
    pattern: str


@dataclass(slots=True)
class Held:
    """A value held from day `start` to before `end`, and stood in a memory from the end of day `known` to before `lost`."""

    value: Value
    start: int
    known: int
    end: int = OPEN
    lost: int = OPEN


@dataclass(slots=True, eq=False)
class Subject:
    """One thing and one property of it."""

    topic: str
    thing: Mapping[str, str]
    kind: str
    language: str
    stored: bool
    held: list[Held] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)  # value → the last day on which somebody said so
    was: list[Value] = field(default_factory=list)
    busy: int = -1  # no act before this day
    opened: int = OPEN
    doubt: int = -1  # the day of a contradiction that nobody has decided
    maybe: Value | None = None
    by_hand: bool = False

    @property
    def values(self) -> list[Value]:
        """What holds now."""
        return [one.value for one in self.held if one.end == OPEN]

    def anchor(self) -> str:
        """A pattern of the thing's name."""
        return "|".join(rf"(?<!\w){re.escape(name.partition(' ')[2])}(?!\w)" for name in self.thing.values())

    def shown(self, texts: Iterable[str]) -> set[str]:
        """Which values of the subject some texts show."""
        about = [OVER.sub("", TAKEN.sub(r"\1", text)) for text in texts if re.search(self.anchor(), text, re.I)]
        every = {one.key: one.pattern for one in self.was}
        return {key for key, pattern in every.items() if any(re.search(pattern, text, re.I) for text in about)}

    def true_on(self, day: int) -> set[str]:
        """The values that were true on a day."""
        return {one.value.key for one in self.held if one.start <= day < one.end}

    def known_on(self, day: int) -> set[str]:
        """The values that a memory held at the end of a day."""
        return {one.value.key for one in self.held if one.known <= day < one.lost}


@dataclass(slots=True, eq=False)
class Todo:
    """Something to be done."""

    verb: Mapping[str, tuple[str, str]]
    thing: Mapping[str, str]
    language: str
    topic: str
    stored: bool
    opened: int
    done: int = OPEN

    @property
    def words(self) -> str:
        """A pattern of it."""
        return rf"{re.escape(self.verb[self.language][0].split()[0])}.*{re.escape(self.thing[self.language].partition(' ')[2])}"


class Life:
    """Days of acts and what is true. `days` is how long; the first day is number 0."""

    def __init__(self, seed: int, days: int, start: date = date(2026, 1, 5)) -> None:
        self.random = random.Random(seed)
        self.days, self.start, self.seed = days, start, seed
        self.acts: list[list[Act]] = [[] for _ in range(days)]
        self.topics: dict[str, Mapping[str, Any]] = dict(WORDS["topics"])
        self.subjects: list[Subject] = []
        self.todos: list[Todo] = []
        self.archived: dict[str, int] = {}
        self.names: dict[str, str] = {slug: slug for slug in self.topics}  # topic → the name that it has now
        self._numbers: set[int] = set()
        length = 14 if days >= 200 else 3
        first = days * 11 // 20
        self.outage = range(first, first + length)
        self.undone = {days * 3 // 10: "undo", days * 7 // 10: "again"}  # day → how the night of that day comes back
        self._plan()

    # --- time ---

    def day(self, number: int) -> date:
        """The calendar day of a day of this life."""
        return self.start + timedelta(days=number)

    def night_after(self, day: int) -> int:
        """The day in whose small hours a memory takes in what was said on `day`."""
        night = day + 1
        while night in self.outage:
            night += 1
        return night

    # --- the plan of it ---

    def _plan(self) -> None:
        for slug, topic in self.topics.items():
            things = [dict(zip(("en", "pt"), (f"the {en}", pt), strict=True)) for en, pt in (one.split(" | ") for one in topic["things"])]
            for n, thing in enumerate(things):
                kinds = self.random.sample(topic["kinds"], min(3, len(topic["kinds"])))
                for kind in kinds:
                    stored = bool(topic.get("hidden")) or (n + len(kind)) % 2 == 0
                    self.subjects.append(Subject(slug, thing, kind, self.random.choice(["en", "en", "pt"]), stored))
        self.random.shuffle(self.subjects)
        hidden = [one for one in self.subjects if self.topics[one.topic].get("hidden")]
        open_to_all = [one for one in self.subjects if one not in hidden]
        self.subjects = [*hidden[: 3 + self.days // 20], *open_to_all[: 20 + self.days]]
        self._special: dict[int, list[Act]] = {}
        self._topic_orders()
        for day in range(self.days):
            for act in self._special.get(day, ()):
                self.acts[day].append(act)
            if day in self.undone:
                self._take_back(day)
            self._live(day)

    def _topic_orders(self) -> None:
        d = self.days
        self._order(d * 2 // 10, Ordered("rename", "client-varga", "varga-web"))
        self._order(d * 6 // 10 + d // 12, Ordered("merge", "boat", "flat"))
        self._order(d * 8 // 10, Ordered("archive", "iceland-trip"))
        self._hidden_until = d // 3 + min(14, d // 6)
        self._order(self._hidden_until, Ordered("accept", "telescope", "telescope"))
        self._order(d * 4 // 10, Travelled("America/Sao_Paulo"))
        self._order(d * 5 // 10, Travelled("Europe/Lisbon"))

    def _order(self, day: int, act: Act) -> None:
        while day in self.outage or day in self.undone or day - 1 in self.undone:
            day += 1
        self._special.setdefault(day, []).append(act)
        match act:
            case Ordered("archive", topic):
                self.archived[topic] = day
            case Ordered("accept"):
                self._hidden_until = day

    def _take_back(self, day: int) -> None:
        """What the last night took in is away until the undo is undone (the same day), or asked for again."""
        again = self.undone[day]
        self.acts[day].append(TookBack(again))
        if again == "again":
            for subject in self.subjects:
                for held in subject.held:
                    held.known = day + 1 if held.known == day else held.known
                    held.lost = day + 1 if held.lost == day else held.lost
        for subject in self.subjects:
            if subject.busy >= day - 1:
                subject.busy = max(subject.busy, day + SETTLES)

    # --- a day ---

    def _live(self, day: int) -> None:
        wanted = self.random.choices([4, 5, 6, 7, 8], [1, 2, 3, 2, 1])[0]
        target = 12 + (len(self.subjects) - 12) * day / (self.days * 0.75)
        said: list[Act] = []
        for _ in range(wanted):
            opened = [one for one in self.subjects if one.opened < OPEN]
            if len(opened) < target and (fresh := self._fresh(day)):
                said += self._open(fresh, day)
            else:
                said += self._something(day)
        said += self._chatter(day)
        self.acts[day] += said

    def quiet(self, day: int) -> bool:
        """Whether no person is at the memory: no job runs, or a night near this day is taken back."""
        return day in self.outage or not self.undone.keys().isdisjoint((day - 1, day, day + 1))

    def _fresh(self, day: int) -> Subject | None:
        for one in self.subjects:
            hidden = bool(self.topics[one.topic].get("hidden"))
            lag = day >= self.days // 3 if hidden else True
            if one.opened == OPEN and one.busy < day and day < self.archived.get(one.topic, OPEN) and lag:
                return one
        return None

    def _open(self, subject: Subject, day: int) -> list[Act]:
        subject.opened = day
        value = self._value(subject)
        how = self.random.random()
        hidden = bool(self.topics[subject.topic].get("hidden")) and day < self._hidden_until
        if subject.stored and how < 0.08 and not self.quiet(day) and not hidden:
            night = self.night_after(day)
            self._hold(subject, value, night, night)
            subject.busy, subject.by_hand = night + SETTLES, True
            return [Edited("added", subject, value.key, self._say(subject, value, "say"))]
        if how < 0.2 and not hidden:
            subject.maybe, subject.busy = value, day + 2
            return [self._maybe(subject, value)]
        known = self.night_after(max(day, self._hidden_until)) if hidden else self.night_after(day)
        self._hold(subject, value, day, known)
        subject.busy = known
        text = self._say(subject, value, "say")
        return [self._uttered(subject, text, topic="general" if hidden else "")]

    def _something(self, day: int) -> list[Act]:
        """One act about something that is known."""
        free = [s for s in self.subjects if s.opened < OPEN and s.busy < day and day < self.archived.get(s.topic, OPEN)]
        self.random.shuffle(free)
        acts = ["change"] * 34 + ["restate"] * 22 + ["todo"] * 6 + ["done"] * 6 + ["contradict"] * 4 + ["decide"] * 6 + ["wrong"] * 4
        acts += ["twice"] * 3 + ["gone"] * 2 + ["sure"] * 6 + ["effective"] * 3 + ["back"] * 4
        acts += [] if self.quiet(day) else ["hand"] * 8 + ["correct"] * 2 + ["confirm"] * 2
        act = self.random.choice(acts)
        if act in ("todo", "done"):
            return self._todo(day, act)
        for subject in free:
            made = self._about(subject, act, day)
            if made:
                return made
        return []

    def _about(self, subject: Subject, act: str, day: int) -> list[Act]:
        """The act on this subject; nothing where it does not fit."""
        if subject.maybe is not None:
            return self._sure(subject, day) if act == "sure" else []
        if act == "sure" or (subject.doubt >= 0) != (act == "decide"):
            return []
        if not subject.values:
            return []
        match act:
            case "change" | "wrong" | "effective":
                return self._change(subject, day, act)
            case "back":
                older = [one for one in subject.was if one.key not in {v.key for v in subject.values}]
                return self._change(subject, day, "change", older[0]) if older and subject.kind not in ("order", "approval", "booking") else []
            case "twice":
                return [*self._change(subject, day, "change"), *self._change(subject, day, "change")] if subject.stored else []
            case "restate":
                return self._restate(subject, day)
            case "contradict":
                return self._contradict(subject, day)
            case "decide":
                return self._decide(subject, day)
            case "gone":
                return self._gone(subject, day)
            case "hand":
                return self._hand(subject, day)
            case "correct" | "confirm":
                return self._command(subject, day, act)
        return []

    # --- acts ---

    def _hold(self, subject: Subject, value: Value, start: int, known: int) -> None:
        for one in subject.held:
            if one.end == OPEN:
                one.end = max(start, one.start)
            if one.lost == OPEN:
                one.lost = max(known, one.known)
        subject.held.append(Held(value, start, known))
        subject.said[value.key] = max(start, subject.said.get(value.key, -1))
        if value.key not in {one.key for one in subject.was}:
            subject.was.append(value)

    def _change(self, subject: Subject, day: int, how: str, value: Value | None = None) -> list[Act]:
        old = subject.values[-1]
        value = value or self._value(subject)
        if value.key == old.key:
            return []
        start, known = day, self.night_after(day)
        language = subject.language
        if how == "wrong":
            text = self._pick("talk", "wrong", language).format(now=self._say(subject, value, "say"))
            if subject.stored:
                text = self._was(self._say(subject, value, "say"), subject, old)
        elif how == "effective":
            if not subject.stored or day + 12 >= self.days:
                return []
            start = day + self.random.choice([-3, -1, 4, 9])
            start = max(start, subject.held[-1].start + 1)
            word = "Effective" if language == "en" else "Vigente desde"
            text = f"{self._was(self._say(subject, value, 'say'), subject, old)} {word} {self.day(start).isoformat()}."
        elif subject.stored:  # an assistant names the old value, as it is told to
            text = self._was(self._say(subject, value, self.random.choice(["say", "say", "change"]), old), subject, old)
        else:
            text = self._say(subject, value, "change", old)
        self._hold(subject, value, start, known)
        subject.said[value.key] = day
        subject.busy = max(known, start)
        tag = "CHANGED" if self.random.random() < 0.6 else "FACT"
        return [self._uttered(subject, text, tag)]

    def _was(self, text: str, subject: Subject, old: Value) -> str:
        word = "Was" if subject.language == "en" else "Era"
        return f"{text} {word}: {self._bare(old.said[subject.language][0], subject)}."

    def _restate(self, subject: Subject, day: int) -> list[Act]:
        value = subject.values[-1]
        subject.said[value.key] = day
        return [self._uttered(subject, self._say(subject, value, "say"))]

    def _contradict(self, subject: Subject, day: int) -> list[Act]:
        if subject.kind not in ("price", "length", "weight", "capacity", "port", "date", "time") or not subject.stored:
            return []
        value = self._value(subject)
        if value.key in {one.key for one in subject.was}:
            return []
        known = self.night_after(day)
        subject.held.append(Held(value, day, known))
        subject.was.append(value)
        subject.said[value.key] = day
        subject.busy, subject.doubt = known, day
        return [self._uttered(subject, self._say(subject, value, "say"), "FACT")]

    def _decide(self, subject: Subject, day: int) -> list[Act]:
        """One of the two holds: by decision, or by a later word that names the other."""
        if self.quiet(day) or len(subject.values) != 2:
            return []
        old, new = [one for one in subject.held if one.end == OPEN]
        verb = self.random.choice(["accept", "reject", "merge", "said", "defer"])
        if verb == "defer":
            return [Commanded("defer", subject)]
        subject.doubt, subject.busy = -1, day + 1
        if verb == "said":
            text = self._was(self._say(subject, new.value, "say"), subject, old.value)
            old.end, old.lost = day, self.night_after(day)
            subject.said[new.value.key] = day
            subject.busy = self.night_after(day)
            return [self._uttered(subject, text, "CHANGED")]
        stays, goes = (old, new) if verb == "reject" else (new, old)
        goes.end, goes.lost = day if verb == "merge" else new.start, day  # what was decided holds from when it was said; what was rejected never did
        if verb != "merge":
            subject.said[stays.value.key] = day
            return [Commanded(verb, subject)]
        value = self._value(subject)
        stays.end, stays.lost = day, day
        self._hold(subject, value, day, day)
        return [Commanded("merge", subject, self._say(subject, value, "say"))]

    def _gone(self, subject: Subject, day: int) -> list[Act]:
        value = subject.values[-1]
        text = self._say(subject, value, "say")
        for one in subject.held:
            one.end, one.lost = min(one.end, day), min(one.lost, self.night_after(day))
        subject.busy = OPEN
        if subject.stored:
            word = "Withdrawn" if subject.language == "en" else "Retirado"
            return [Stored(f"{word}: {{fact}}", subject.topic, "CHANGED", of=subject)]
        return [self._told(self._pick("talk", "gone", subject.language).format(was=text), subject.language)]

    def _maybe(self, subject: Subject, value: Value) -> Act:
        then = self._say(subject, value, "say")
        text = self._pick("talk", "maybe", subject.language).format(then=then[0].lower() + then[1:] if not then.startswith(value.said[subject.language]) else then)
        if subject.stored:
            return Stored(then, subject.topic, "FACT", "tentative")
        return self._told(text, subject.language)

    def _sure(self, subject: Subject, day: int) -> list[Act]:
        assert subject.maybe is not None
        value, subject.maybe = subject.maybe, None
        known = self.night_after(day)
        self._hold(subject, value, day, known)
        subject.busy = known
        now = self._say(subject, value, "say")
        if subject.stored:
            return [Stored(now, subject.topic, "FACT")]
        return [self._told(self._pick("talk", "sure", subject.language).format(now=now), subject.language)]

    def _hand(self, subject: Subject, day: int) -> list[Act]:
        """A hand at the file; told in the changelog by the next night."""
        if not subject.stored or self.topics[subject.topic].get("hidden") or len(subject.values) != 1:
            return []
        night = self.night_after(day)
        how = self.random.choices(["changed", "deleted", "moved", "carried"], [4, 2, 2, 2])[0]
        subject.busy = night + SETTLES
        match how:
            case "changed":
                if subject.kind in ("insured", "works", "order", "approval", "booking"):
                    return []
                value = self._value(subject)
                if value.key == subject.values[-1].key:
                    return []
                self._hold(subject, value, night, night)
                subject.said[value.key] = night
                return [Edited("changed", subject, value.key, self._say(subject, value, "say"))]
            case "deleted":
                for one in subject.held:
                    one.end, one.lost = min(one.end, night), min(one.lost, night)
                subject.busy = OPEN
                return [Edited("deleted", subject)]
            case "moved":
                return [Edited("moved", subject)]
        others = [slug for slug, topic in self.topics.items() if slug not in (subject.topic, "telescope") and day < self.archived.get(slug, OPEN) and slug != "boat"]
        if subject.topic == "boat":
            return []
        subject.topic = self.random.choice(others)
        return [Edited("carried", subject, to=subject.topic)]

    def _command(self, subject: Subject, day: int, verb: str) -> list[Act]:
        if not subject.stored or len(subject.values) != 1 or self.topics[subject.topic].get("hidden"):
            return []
        subject.busy = day + SETTLES
        if verb == "confirm":
            subject.said[subject.values[-1].key] = day
            return [Commanded("confirm", subject)]
        value = self._value(subject)
        if value.key == subject.values[-1].key:
            return []
        self._hold(subject, value, day, day)
        return [Commanded("correct", subject, self._say(subject, value, "say"))]

    def _todo(self, day: int, act: str) -> list[Act]:
        waiting = [one for one in self.todos if one.done == OPEN and one.opened + 2 < day and one.topic not in self.archived]
        if act == "todo" or not waiting:
            language = self.random.choice(["en", "pt"])
            topic = self.random.choice([slug for slug in self.topics if slug not in ("telescope", "iceland-trip")])
            en, pt = self.random.choice(self.topics[topic]["things"]).split(" | ")
            pair = self.random.choice(WORDS["todo"]["verbs"][language]).split(" | ")
            todo = Todo({language: (pair[0], pair[1])}, {"en": f"the {en}", "pt": pt}, language, topic, self.random.random() < 0.5, day)
            if any(one.words == todo.words for one in self.todos):
                return []
            self.todos.append(todo)
            words = {"verb": pair[0], "thing": todo.thing[language]}
            text = self._pick("todo", "open", language).format(**words)
            if todo.stored:
                plain = f"{pair[0].capitalize()} {todo.thing[language]}."
                return [Stored(plain, topic, "TODO")]
            return [self._told(text, language)]
        todo = self.random.choice(waiting)
        todo.done = day
        by = self.random.choice(["said", "said", "box", "command"])
        if by != "said" and not self.quiet(day) and todo.stored:
            return [Done(todo, by)]
        verb, past = todo.verb[todo.language]
        text = self._pick("todo", "done", todo.language).format(verb=verb, past=past, Past=past.capitalize(), thing=todo.thing[todo.language])
        return [Stored(text, todo.topic, "EVENT") if todo.stored else self._told(text, todo.language)]

    def _chatter(self, day: int) -> list[Act]:
        """What should leave no fact."""
        language = self.random.choice(["en", "pt"])
        made: list[Act] = [self._told(self._pick("talk", "small", language), language) for _ in range(self.random.randint(0, 2))]
        if self.random.random() < 0.15:
            subject = self.random.choice(self.subjects)
            made.append(self._told(self._fill(self._pick("talk", "if", language), subject, language), language))
        return made

    # --- words ---

    def _uttered(self, subject: Subject, text: str, tag: str = "FACT", topic: str = "") -> Act:
        if subject.stored:
            return Stored(text, topic or subject.topic, tag)
        return self._told(text, subject.language)

    def _told(self, text: str, language: str) -> Told:
        return Told(text, self._pick("talk", "agent", language))

    def _pick(self, table: str, name: str, language: str) -> str:
        found: Sequence[str] = WORDS[table][name][language]
        return self.random.choice(found)

    def _say(self, subject: Subject, value: Value, how: str, old: Value | None = None) -> str:
        language = subject.language
        text: str = self.random.choice(WORDS["kinds"][subject.kind][how][language])
        return self._fill(text, subject, language, value, old)

    def said_of(self, subject: Subject, day: int) -> str:
        """What the owner says of the subject where asked for it on a day."""
        value = next(one.value for one in subject.held if one.start <= day < one.end)
        text: str = WORDS["kinds"][subject.kind]["say"][subject.language][0]
        return self._fill(text, subject, subject.language, value)

    def question(self, subject: Subject) -> str:
        """A question about the subject."""
        return self._fill(self.random.choice(WORDS["kinds"][subject.kind]["ask"][subject.language]), subject, subject.language)

    def _bare(self, said: str, subject: Subject) -> str:
        return said.replace("{a}", _ending(subject.thing["pt"])) if "{a}" in said else said

    def _fill(self, text: str, subject: Subject, language: str, value: Value | None = None, old: Value | None = None) -> str:
        the, o = subject.thing["en"], subject.thing["pt"]
        said = {"v": self.random.choice(value.said[language]) if value else "", "w": old.said[language][0] if old else ""}
        filled = text.format(
            the=the, The=the[0].upper() + the[1:], o=o, O=o[0].upper() + o[1:], do="d" + o, no="n" + o, pelo="pel" + o, a="{a}", **said
        )
        return self._bare(filled, subject)

    # --- values ---

    def _value(self, subject: Subject) -> Value:
        """A value that the subject has not had; of few states the one after the present one."""
        kind: str = WORDS["kinds"][subject.kind]["value"]
        if kind in WORDS["values"]:
            table = WORDS["values"][kind]
            had = [one.key for one in subject.was]
            keys = list(table)
            if kind == "room":
                key = self.random.choice([one for one in keys if one not in had[-3:]])
            elif not had:
                key = keys[0]
            else:
                now = subject.values[-1].key if subject.values else had[-1]
                at = keys.index(now)
                key = keys[(at + 1) % len(keys)] if kind in ("works", "insured") else keys[min(at + 1, len(keys) - 1)]
            row = table[key]
            return Value(key, {"en": (row["en"],), "pt": (row["pt"],)}, row["pattern"])
        return {
            "money": self._money, "length": self._length, "weight": self._weight, "litres": self._litres, "port": self._port,
            "date": self._date, "time": self._time, "weeks": self._weeks, "person": self._person, "firm": self._firm,
        }[kind](subject)  # fmt: skip

    def _number(self, low: int, high: int) -> int:
        while True:
            number = self.random.randint(low, high)
            if number not in self._numbers:
                self._numbers.add(number)
                return number

    def _money(self, subject: Subject) -> Value:
        n = self._number(101, 8999)
        en, pt = f"{n:,}", f"{n:,}".replace(",", ".")
        return Value(str(n), {"en": (f"{en} euros", f"€{en}"), "pt": (f"{pt} euros", f"€ {pt}")}, _figure(n))

    def _length(self, subject: Subject) -> Value:
        n = self._number(105, 995)
        metres = f"{n / 100:.2f}".rstrip("0").rstrip(".")
        comma = metres.replace(".", ",")
        pattern = rf"(?<![\d.,])(?:{n} ?(?:cm|cent)|{metres.replace('.', '[.,]')}0? ?m)"
        return Value(str(n), {"en": (f"{metres} m", f"{n} cm"), "pt": (f"{comma} m", f"{n} cm")}, pattern)

    def _weight(self, subject: Subject) -> Value:
        n = self._number(11, 990)
        return Value(str(n), {"en": (f"{n} kg", f"{n} kilos"), "pt": (f"{n} kg", f"{n} quilos")}, _figure(n))

    def _litres(self, subject: Subject) -> Value:
        n = self._number(11, 990)
        return Value(str(n), {"en": (f"{n} litres",), "pt": (f"{n} litros",)}, _figure(n))

    def _port(self, subject: Subject) -> Value:
        n = self._number(9000, 9999)
        return Value(str(n), {"en": (str(n),), "pt": (str(n),)}, rf"(?<![\d.,]){n}(?!\d)")

    def _date(self, subject: Subject) -> Value:
        while True:
            month, day = self.random.randint(1, 12), self.random.randint(1, 28)
            if f"{month}-{day}" not in {one.key for one in subject.was}:
                break
        en, pt = MONTHS["en"][month - 1], MONTHS["pt"][month - 1]
        pattern = rf"\b{day} {en}\b|\b{en} {day}\b|\b{day} de {pt}\b|\d{{4}}-{month:02}-{day:02}"
        return Value(f"{month}-{day}", {"en": (f"{day} {en}", f"{en} {day}"), "pt": (f"{day} de {pt}",)}, pattern)

    def _time(self, subject: Subject) -> Value:
        while True:
            hour, minute = self.random.randint(8, 21), self.random.choice([5, 10, 15, 20, 25, 35, 40, 45, 50, 55])
            if f"{hour}:{minute}" not in {one.key for one in subject.was}:
                break
        text = f"{hour}:{minute:02}"
        return Value(f"{hour}:{minute}", {"en": (text,), "pt": (f"{hour}h{minute:02}", text)}, rf"\b0?{hour}[:h]{minute:02}\b")

    def _weeks(self, subject: Subject) -> Value:
        n = self.random.choice([n for n in range(2, 30) if str(n) not in {one.key for one in subject.was}])
        return Value(str(n), {"en": (str(n),), "pt": (str(n),)}, rf"(?:every|cada|de) {n} (?:weeks|semanas|em)")

    def _person(self, subject: Subject) -> Value:
        while True:
            name = f"{self.random.choice(WORDS['names']['given'])} {self.random.choice(WORDS['names']['family'])}"
            if name not in {one.key for one in subject.was}:
                return Value(name, {"en": (name,), "pt": (name,)}, re.escape(name))

    def _firm(self, subject: Subject) -> Value:
        name = self.random.choice([one for one in WORDS["names"]["firms"] if one not in {v.key for v in subject.was}])
        return Value(name, {"en": (name,), "pt": (name,)}, re.escape(name))


def _ending(name: str) -> str:
    """The gender's ending of a Portuguese thing."""
    return "a" if name.startswith("a ") else "o"


def _figure(n: int) -> str:
    """A pattern of a whole number, with or without its thousands' mark."""
    digits = f"{n // 1000}[.,]?{n % 1000:03}" if n > 999 else str(n)
    return rf"(?<![\d.,]){digits}(?!\d|[.,]\d)"
