"""What extraction by a model comes to in a month, before anybody has paid for it. All tokens are `likely_tokens`.

A day's talk D is read in pieces: the sweep that finds N new tokens or more reads them, so a piece is N and half of what is
said between two sweeps; the rest of the day is read once it has ended. Each call carries the stable head, the lists, a few
old turns for context, and the talk with a frame a turn; the answer has an entry a statement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from silo.core.engines.spending import Price

# Measured on the form of a prompt and its answers: tokens of the frame of a turn, of the end of a prompt, of an answer
# without entries, and of an entry with a sentence of ordinary length.
TURN, TAIL, EMPTY, ENTRY = 20, 60, 14, 70


@dataclass(frozen=True, slots=True)
class Habits:
    """A typical day: tokens and turns of talk, statements worth an entry, hours in which there is talk, minutes between sweeps;
    then what the prompt adds: tokens of the head, of the lists, and of the old turns that a piece begins with."""

    talk: int = 20_000
    turns: int = 200
    statements: int = 12
    hours: float = 14
    sweep_minutes: int = 30
    head: int = 1000
    lists: int = 60
    context: int = 600


@dataclass(frozen=True, slots=True)
class Estimate:
    """A month of it."""

    calls: int
    tokens_in: int
    tokens_out: int

    def cost(self, price: Price) -> float:
        """Dollars."""
        return price.of(self.tokens_in, self.tokens_out)


def month(habits: Habits, *, new_tokens: int = 5000, days: int = 30) -> Estimate:
    """Calls and tokens of a month of such days, with `new_tokens` as in `engines.limits`."""
    calls = calls_a_day(habits, new_tokens)
    talk = habits.talk + habits.turns * TURN
    tokens_in = talk + calls * (habits.head + habits.lists + TAIL) + (calls - 1) * habits.context
    tokens_out = calls * EMPTY + habits.statements * ENTRY
    return Estimate(days * calls, days * tokens_in, days * tokens_out)


def calls_a_day(habits: Habits, new_tokens: int = 5000) -> int:
    """Pieces of a day: the full ones, and what is left at its end."""
    between = habits.talk * habits.sweep_minutes / 60 / habits.hours
    pieces = habits.talk / (new_tokens + between / 2)
    return math.floor(pieces) + (pieces != math.floor(pieces))
