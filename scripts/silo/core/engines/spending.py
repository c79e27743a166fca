"""What calls cost, what a day may cost, and what a month comes to. Prices are dollars for a million tokens."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens in and out. `known` is false where the table has no row for the model."""

    tokens_in: float
    tokens_out: float
    known: bool = True

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Dollars for a call."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / MILLION


FREE = Price(0.0, 0.0)


def price_of(model: str, table: Mapping[str, object]) -> Price:
    """The row of the model: its whole name, the name without a provider before `/`, then the longest row that it begins
    with; `other` for a model that has none."""
    for name in (model, model.rpartition("/")[2]):
        if name != "other" and (found := _row(table.get(name))):
            return found
    bare = model.rpartition("/")[2]
    near = [name for name in table if name and name != "other" and bare.startswith(f"{name}-")]
    if near and (found := _row(table[max(near, key=len)])):
        return found
    other = _row(table.get("other")) or FREE
    return Price(other.tokens_in, other.tokens_out, known=False)


def _row(value: object) -> Price | None:
    if not isinstance(value, dict):
        return None
    cost = [value.get("in"), value.get("out")]
    numbers = [float(one) for one in cost if isinstance(one, int | float) and not isinstance(one, bool) and one >= 0]
    return Price(numbers[0], numbers[1]) if len(numbers) == 2 else None


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums over calls."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0

    def plus(self, tokens: int, dollars: float) -> Spent:
        return Spent(self.calls + 1, self.tokens + tokens, self.dollars + dollars)


def spent(rows: Iterable[Mapping[str, object]]) -> Spent:
    """The sum of ledger rows."""
    total = Spent()
    for row in rows:
        total = total.plus(int(_number(row.get("tokens_in")) + _number(row.get("tokens_out"))), _number(row.get("cost")))
    return total


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


@dataclass(frozen=True, slots=True)
class Caps:
    """What a day may cost; 0 means no limit."""

    tokens: int
    dollars: float

    def refuses(self, today: Spent, tokens: int, dollars: float) -> str:
        """Why one more call of that size may not be made today, or ''."""
        if self.tokens and today.tokens + tokens > self.tokens:
            return f"today's {self.tokens:,} tokens would be passed ({today.tokens:,} used)"
        if self.dollars and today.dollars + dollars > self.dollars:
            return f"today's ${self.dollars:.2f} would be passed (${today.dollars:.4f} spent)"
        return ""


@dataclass(frozen=True, slots=True)
class Month:
    """A month so far, and what it comes to if it goes on like that."""

    name: str
    so_far: Spent
    forecast: Spent


def month_of(rows: Iterable[Mapping[str, object]], today: date) -> Month:
    """Month to date and forecast: by the mean of the days since the month's first call, today included."""
    name = f"{today:%Y-%m}"
    mine = [row for row in rows if str(row.get("at", ""))[:7] == name]
    so_far = spent(mine)
    if not so_far.calls:
        return Month(name, so_far, so_far)
    first = min(int(str(row["at"])[8:10]) for row in mine)
    days = max(1, today.day - first + 1)
    left = calendar.monthrange(today.year, today.month)[1] - today.day
    more = 1 + left / days
    return Month(name, so_far, Spent(round(so_far.calls * more), round(so_far.tokens * more), so_far.dollars * more))
