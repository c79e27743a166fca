"""The engine `http`: `{"prompt": …}` posted to the configured endpoint, which answers `{"text": …}`.

A token goes as a bearer where $SILO_HTTP_TOKEN is set. An endpoint may add `"usage": {"prompt_tokens", "completion_tokens"}`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from silo.edge.http import Unanswered, check_endpoint, is_here, post_json, shown
from silo.edge.llm.transport import Again, Settings, Transport, patiently
from silo.errors import ServiceDown
from silo.formats.llm import Failure, Prompt, Reply, Why

RETRIED = frozenset({408, 429})
_MOST_TOKENS = 100_000_000


class Http:
    """One endpoint."""

    engine = "http"
    most_bytes: int | None = None

    def __init__(self, settings: Settings) -> None:
        self.model = settings.model
        self.local = is_here(urlsplit(settings.endpoint).hostname or "")
        self._settings = settings

    @classmethod
    def make(cls, settings: Settings) -> Transport | Failure:
        """The transport, or why there is none."""
        if not settings.endpoint:
            return Failure(Why.MISSING, "no endpoint is configured (engines.http.endpoint in .silo/config.json, or --endpoint)")
        try:
            check_endpoint(settings.endpoint)
        except ServiceDown as error:
            return Failure(Why.MISSING, str(error))
        return cls(settings)

    def complete(self, prompt: Prompt) -> Reply | Failure:
        return patiently(lambda: self._once(prompt), self._settings.attempts)

    def _once(self, prompt: Prompt) -> Reply | Failure | Again:
        try:
            told = post_json(self._settings.endpoint, {"prompt": prompt.text}, key=self._settings.key, wait=self._settings.wait)
        except Unanswered as error:
            return failure_of(shown(self._settings.endpoint), error.status, hung=error.hung, after=error.after, word=error.word)
        text = told.get("text") if isinstance(told, dict) else None
        if not isinstance(text, str):
            return Failure(Why.UNREADABLE, f"{shown(self._settings.endpoint)} gave no text")
        return Reply(text, *usage_of(told))


def failure_of(where: str, status: int, *, hung: bool = False, after: float | None = None, word: str = "") -> Failure | Again:
    """What an unanswered request means, and whether asking again may help: status 408, 429, 5xx, or no connection.

    A request that hung is not repeated: it may have been worked on, and paid for.
    """
    named = f" ({word})" if word else ""
    if hung:
        return Failure(Why.HUNG, f"{where} did not answer in time")
    if status == 200:
        return Failure(Why.UNREADABLE, f"{where} gave no usable answer")
    if 300 <= status < 400:
        return Failure(Why.REDIRECT, f"{where} answered {status}, a redirect, which is not followed")
    if status in RETRIED or status >= 500:
        return Again(Failure(Why.BUSY, f"{where} answered {status}{named}"), after)
    if not status:
        return Again(Failure(Why.BUSY, f"{where} gave no answer"))
    return Failure(Why.REFUSED, f"{where} answered {status}{named}")


def usage_of(told: Any) -> tuple[int | None, int | None]:
    """Tokens in and out as the service reports them, None where it does not, or where no call could have so many."""
    usage = told.get("usage") if isinstance(told, dict) else None
    counts = [usage.get(name) if isinstance(usage, dict) else None for name in ("prompt_tokens", "completion_tokens")]
    good = [one for one in counts if isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= _MOST_TOKENS]
    return (good[0], good[1]) if len(good) == 2 else (None, None)
