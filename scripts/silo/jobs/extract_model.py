"""Extraction by a model: parts of sessions are gathered until a prompt is worth it, asked about, and taken in as they came.

A session waits until its end, some idle hours, or enough new words; where the model is not to be had nothing waits, and the
rules read everything. What a model leaves unanswered the rules read, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta

from silo.core.engines.extracting import Found, Window, fresh_tokens, task, windows
from silo.core.engines.task import Task
from silo.core.route import router
from silo.edge.llm.templates import load_head, load_openers, load_schema
from silo.edge.sources.found import SourceSession
from silo.jobs.engines import RULES, Engines
from silo.jobs.intake import Intake, by_rules, take
from silo.jobs.run import Call
from silo.model import Candidate

QUIET = timedelta(hours=1)


class Reader:
    """Parts in, candidates into the intake. `patient`: sessions that go on may wait for a later run."""

    def __init__(self, call: Call, engines: Engines, *, patient: bool) -> None:
        self.engines = engines
        self.waiting = 0  # new turns that a later run will read
        self.piece = max(200, engines.limits.batch_tokens * 2 // 3)  # tokens of talk: the frame of a prompt takes the rest
        self._call, self._patient = call, patient and engines.ready
        self._held: list[tuple[SourceSession, list[Window]]] = []
        self._tokens = 0
        self._task: Task[Window, Found] | None = None

    def due(self, parts: Iterable[SourceSession]) -> Iterator[SourceSession]:
        """The parts that are read now; behind them, since a call is made anyway, what has been quiet for an hour and still
        has room in its prompt.

        A part in which nothing is new goes with what follows it in its place: alone it would put the note of how far that
        place was read back to where it began.
        """
        empty: list[SourceSession] = []
        quiet: list[SourceSession] = []
        tokens = 0
        for part in parts:
            if empty and (empty[-1].where, empty[-1].session.id) != (part.where, part.session.id):
                yield from empty
                empty = []
            if self._waits(part):
                self.waiting += part.fresh
                empty = []
                quiet += [part] if self._idle(part) >= QUIET else []
            elif not part.fresh and not part.quarantined:
                empty.append(part)
            else:
                tokens += fresh_tokens(part.session)
                yield from (*empty, part)
                empty = []
        yield from empty
        for part in quiet if tokens else ():
            more = fresh_tokens(part.session)
            if tokens % self.piece + more <= self.piece:
                tokens += more
                self.waiting -= part.fresh
                yield part

    def _waits(self, part: SourceSession) -> bool:
        """Whether the part is left for a later run, which then reads it with what was said meanwhile."""
        if not self._patient or part.ended or not part.fresh:
            return False
        limits = self.engines.limits
        return self._idle(part) < timedelta(hours=limits.idle_hours) and fresh_tokens(part.session) < limits.new_tokens

    def _idle(self, part: SourceSession) -> timedelta:
        """How long nobody has spoken in it."""
        return self._call.now - max(turn.at for turn in part.session.turns if turn.fresh)

    def put(self, run: Intake, part: SourceSession) -> None:
        """Take the part in now or with those that follow."""
        cut = list(windows(part.session, self.piece, self.engines.kept.ends(part.session.id)))
        self._held.append((part, cut))
        self._tokens += fresh_tokens(part.session)
        if self._tokens >= self.piece:
            self.flush(run)

    def flush(self, run: Intake) -> bool:
        """Ask about what is held and take it in, in the order read; whether there was anything."""
        held, self._held, self._tokens = self._held, [], 0
        inputs = [window for _, cut in held for window in cut]
        answers = iter(self.engines.ask(self._made(run), inputs))
        if inputs:
            self.engines.kept.put_ends(((w.session.id, w.end) for w in inputs), self._call.today)
        for part, cut in held:
            mine = [next(answers) for _ in cut]
            if all(answer.by == RULES for answer in mine):
                take(run, part)  # the part as a whole, as if no model had been asked
                continue
            found: list[Candidate] = []
            dropped: Counter[str] = Counter()
            for answer in mine:
                found += answer.value.candidates
                dropped.update(answer.value.dropped)
            for reason, number in dropped.items():
                run.counts[reason] += number
            take(run, part, found)
        return bool(held)

    def _made(self, run: Intake) -> Task[Window, Found]:
        if self._task is None:
            self._task = task(
                load_head("extract"),
                load_schema("extract-answer"),
                run.topics.infos,
                frozenset(run.topics.private),
                run.languages,
                load_openers(),
                router(run.topics.infos, run.languages),
                lambda session: by_rules(run, session),
            )
        return self._task
