"""Second opinions for a night: what a model says of statements for which the rules find nothing or no winner."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from silo.core.engines.judging import Judge, Opinion, Question, task
from silo.edge.llm.templates import load_head, load_schema
from silo.jobs.choice import AGENT, RULES, choose
from silo.text.redact import redact

if TYPE_CHECKING:
    from silo.edge.workspace import Workspace
    from silo.jobs.call import Call
    from silo.jobs.engines import Engines
    from silo.model import Plan

ROUNDS = 3  # plans at most: an opinion may bring a question that another one answers


class Opinions:
    """The opinions of one night, asked for once; `engines` is None where the rules judge alone."""

    def __init__(self, call: Call, workspace: Workspace) -> None:
        choice = choose(call, "reconcile")
        self.engines: Engines | None = None
        self._known: dict[Question, Opinion] = {}
        self._asked: set[Question] = set()
        if choice.engine not in (RULES, AGENT):
            from silo.jobs.engines import engines_for

            self.engines = engines_for(call, workspace, "reconcile", choice)

    def plan(self, planned: Callable[[Judge | None], Plan]) -> Plan:
        """The plan, with the opinions that it asks for."""
        if self.engines is None or not self.engines.ready:
            return planned(None)
        for _ in range(ROUNDS):
            judge = Judge(self._known)
            plan = planned(judge)
            new = [question for question in judge.wanted if question not in self._asked]
            if not new:
                return plan
            self._ask(new, self.engines)
        return planned(Judge(self._known))

    def _ask(self, questions: list[Question], engines: Engines) -> None:
        shown = {question: _clean(question) for question in questions}
        answers = engines.ask(task(load_head("reconcile"), load_schema("reconcile-answer"), lambda _: None), list(shown.values()))
        self._asked.update(questions)
        for question, answer in zip(questions, answers, strict=True):
            if answer.value is not None:
                self._known[question] = answer.value


def _clean(question: Question) -> Question:
    """Without what looks like a secret."""
    facts = tuple((ident, redact(text)[0], since) for ident, text, since in question.facts)
    return Question(redact(question.said)[0], question.day, facts)
