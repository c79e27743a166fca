"""The engine `openai`: chat completions of any OpenAI-compatible endpoint, by the package `openai`, structured by a schema.

A server that does not know structured output is asked without; the answer is checked in any case. The package is told
everything that it would else take from the environment, follows no redirect, and tries nothing again by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from silo.edge.http import check_endpoint, code_of, is_here, seconds_of, shown
from silo.edge.llm.http import failure_of, usage_of
from silo.edge.llm.transport import Again, Settings, Transport, patiently
from silo.errors import ServiceDown
from silo.formats.llm import Failure, Prompt, Reply, Why
from silo.formats.schema import strict

_NO_SCHEMA = ("response_format", "json_schema", "structured output", "schema")


class OpenAI:
    """One endpoint and model."""

    engine = "openai"
    most_bytes: int | None = None

    def __init__(self, settings: Settings, package: Any) -> None:
        self.model = settings.model
        self.local = is_here(urlsplit(settings.endpoint).hostname or "")
        self._settings, self._package = settings, package
        self._structured = True
        # What is for this machine goes through no proxy.
        http = package.DefaultHttpxClient(follow_redirects=False, trust_env=not self.local)
        self._client = package.OpenAI(
            api_key=settings.key or "none", base_url=settings.endpoint, max_retries=0, timeout=settings.wait, http_client=http
        )
        self._client.organization = self._client.project = None

    @classmethod
    def make(cls, settings: Settings) -> Transport | Failure:
        """The transport, or why there is none, in one sentence."""
        if not settings.endpoint:
            return Failure(Why.MISSING, "no endpoint is configured (engines.openai.endpoint in .silo/config.json, or --endpoint)")
        if not settings.model:
            return Failure(Why.MISSING, "no model is configured (engines.openai.model in .silo/config.json, or --model)")
        try:
            check_endpoint(settings.endpoint)
        except ServiceDown as error:
            return Failure(Why.MISSING, str(error))
        if not settings.key and not is_here(urlsplit(settings.endpoint).hostname or ""):
            return Failure(Why.MISSING, "$OPENAI_API_KEY is not set")
        try:
            import openai
        except ImportError:
            return Failure(Why.MISSING, "the package openai is not installed (pip install openai)")
        return cls(settings, openai)

    def complete(self, prompt: Prompt) -> Reply | Failure:
        return patiently(lambda: self._once(prompt), self._settings.attempts)

    def _once(self, prompt: Prompt) -> Reply | Failure | Again:
        where = shown(self._settings.endpoint)
        try:
            made = self._client.chat.completions.create(**self._request(prompt))
        except self._package.APITimeoutError:
            return failure_of(where, 0, hung=True)
        except self._package.APIConnectionError:
            return failure_of(where, 0)
        except self._package.APIStatusError as error:
            return self._refused(prompt, error, where)
        except (self._package.OpenAIError, ValueError, TypeError, RecursionError):
            return failure_of(where, 200)
        return _read(made, where)

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": prompt.head}, {"role": "user", "content": prompt.body}],
        }
        if self._structured:
            shape = {"name": f"silo_{prompt.name}", "strict": True, "schema": strict(prompt.schema)}
            asked["response_format"] = {"type": "json_schema", "json_schema": shape}
        return asked

    def _refused(self, prompt: Prompt, error: Any, where: str) -> Reply | Failure | Again:
        try:
            body = error.response.text
        except (RuntimeError, ValueError, AttributeError):  # the answer broke off while it was read
            body = ""
        if self._structured and error.status_code in (400, 422) and any(word in body.lower() for word in _NO_SCHEMA):
            self._structured = False  # another request, not the same once more
            return self._once(prompt)
        after = seconds_of(error.response.headers.get("retry-after"))
        return failure_of(where, error.status_code, after=after, word=code_of(body, self._settings.key))


def _read(made: Any, where: str) -> Reply | Failure:
    """The text of a completion. A refusal is an answer, too: one that holds nothing."""
    told: Any = made.model_dump() if hasattr(made, "model_dump") else None
    choices = told.get("choices") if isinstance(told, Mapping) else None
    message = choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else None
    if not isinstance(message, Mapping):
        return Failure(Why.UNREADABLE, f"{where} gave no completion")
    text = message.get("content") or message.get("refusal") or ""
    return Reply(text if isinstance(text, str) else "", *usage_of(told))
