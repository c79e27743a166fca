"""What language models have cost: month to date, forecast, today, by engine and model. Reads the ledger, writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from silo.core.engines.spending import Month, Spent, month_of, spent
from silo.edge.reader import Reader
from silo.jobs.choice import table
from silo.jobs.run import Call

CALLS = "calls"


def costs(call: Call, workspace: Reader) -> dict[str, object]:
    """`{"month", "calls", "tokens", "usd", "forecast": {"calls", "tokens", "usd"}, "today", "limits", "by_model", "outcomes"}`;
    dollars are those of the price table, tokens as reported or, where a service reports none, estimated (`estimated` calls)."""
    rows = [row for row in workspace.state.items(CALLS, f"{call.today:%Y-%m}").values() if isinstance(row, dict)]
    month: Month = month_of(rows, call.today)
    day = call.today.isoformat()
    limits = table(call, "limits")
    return {
        "month": month.name,
        **_sums(month.so_far),
        "estimated": sum(row.get("estimated") is True for row in rows),
        "unpriced": sum(row.get("price_known") is False for row in rows),
        "forecast": _sums(month.forecast),
        "today": _sums(spent(row for row in rows if str(row.get("at", ""))[:10] == day)),
        "limits": {name: limits.get(name) for name in ("daily_tokens", "daily_usd")},
        "by_model": _by_model(rows),
        "outcomes": _counted(str(row.get("outcome", "")) for row in rows),
    }


def cost_lines(told: Mapping[str, object]) -> list[str]:
    """The same for a person, one line where nothing was spent."""
    if not told["calls"]:
        return [f"OK no model was called in {told['month']}"]
    forecast = told["forecast"]
    assert isinstance(forecast, dict)
    so_far = f"{told['calls']} calls to models, {told['tokens']:,} tokens, ${told['usd']:.4f}"
    lines = [f"OK {told['month']}: {so_far} so far; forecast {forecast['calls']} calls, ${forecast['usd']:.4f}"]
    by_model = told["by_model"]
    assert isinstance(by_model, list)
    lines += [f"NOTE {one['engine']} {one['model'] or '(its own choice)'}: {one['calls']} calls, ${one['usd']:.4f}" for one in by_model]
    if told["unpriced"]:
        lines.append(f"NOTE {told['unpriced']} calls were to models without a row in engines.prices; `other` was taken for them")
    return lines


def _sums(total: Spent) -> dict[str, object]:
    return {"calls": total.calls, "tokens": total.tokens, "usd": round(total.dollars, 6)}


def _by_model(rows: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
    groups: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for row in rows:
        groups.setdefault((str(row.get("engine", "")), str(row.get("model", ""))), []).append(row)
    return [{"engine": engine, "model": model, **_sums(spent(mine))} for (engine, model), mine in sorted(groups.items())]


def _counted(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found
