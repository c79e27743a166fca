"""One JSON request to an endpoint that the user configured: https, or this machine; no redirect, a time and a size limit."""

from __future__ import annotations

import ipaddress
import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.parse import SplitResult, urlsplit

from silo.errors import ServiceDown
from silo.text.redact import redact

MOST_BYTES = 64 * 1024 * 1024


class Unanswered(ServiceDown):
    """No usable answer. `status` where there was one; `after`: seconds that the service asks to wait; `hung`: no end of it
    came within the time; `word`: a short one of the service's own for what is wrong."""

    def __init__(
        self, message: str, hint: str = "", *, status: int = 0, after: float | None = None, hung: bool = False, word: str = ""
    ) -> None:
        super().__init__(message, hint)
        self.status, self.after, self.hung, self.word = status, after, hung, word


def check_endpoint(url: str) -> None:
    """Refuse what would send texts in the clear, or a key in an address.

    Raises:
        ServiceDown: neither https nor on this machine, or with a name or password in it.
    """
    parts = _split(url)
    if parts is None or not url.isascii() or not url.isprintable() or " " in url:
        raise ServiceDown("the endpoint is no address", "write it as https://host/path, other characters than ASCII's as %XX")
    if parts.username or parts.password or (not parts.netloc and "@" in url):
        raise ServiceDown("the endpoint has a name or password in its address", "put the key into the environment instead")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_here(parts.hostname))):
        raise ServiceDown(f"{shown(url)} is neither https nor on this machine", "give an https:// address, or http://127.0.0.1:PORT")


def shown(url: str) -> str:
    """An address without what may be secret in it."""
    parts = _split(url)
    if parts is None or (not parts.netloc and "@" in url):
        return "the endpoint"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}" if parts.scheme else url[:80]


def _split(url: str) -> SplitResult | None:
    """The parts of an address, or None where it has none that can be told: an open bracket, a port that is no number."""
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def is_here(host: str) -> bool:
    """Whether the name is this machine's own."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: it would carry texts and key to a place that nobody configured."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post_json(url: str, body: Mapping[str, object], *, key: str, wait: float) -> Any:
    """The JSON answer to a JSON request; `key` goes as a bearer token where there is one.

    Raises:
        Unanswered: no answer in `wait` seconds, a status other than 2xx, a redirect, too much, or no JSON.
        ServiceDown: the address is none that anything may be sent to.
    """
    check_endpoint(url)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
    if is_here(urlsplit(url).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))  # what is for this machine goes through no proxy
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=wait) as answer:
            data = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise _refused(url, error, key) from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise Unanswered(
            f"{shown(url)} gave no answer: {reason if isinstance(reason, str) else type(reason).__name__}",
            "is it running?",
            hung=isinstance(reason, TimeoutError),
        ) from None
    if len(data) > MOST_BYTES:
        raise Unanswered(f"{shown(url)} answered more than {MOST_BYTES:,} bytes", status=200)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Unanswered(f"{shown(url)} did not answer in JSON", status=200) from None


def head_status(url: str, *, wait: float) -> int | None:
    """The status that an address answers a HEAD request with, by the same rules: https or this machine, no redirect followed.

    0 where nothing answers in `wait` seconds, None where the address is none that may be asked.
    """
    try:
        check_endpoint(url)
    except (ServiceDown, ValueError):
        return None
    request = urllib.request.Request(url, method="HEAD", headers={"User-Agent": "memory-silo"})
    handlers: list[urllib.request.BaseHandler] = [_NoRedirect()]
    if is_here(urlsplit(url).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=wait) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except (OSError, HTTPException, ValueError):
        return 0


def _refused(url: str, error: urllib.error.HTTPError, key: str) -> Unanswered:
    """What a status other than 2xx says; the key is in nothing of it, should the service repeat it."""
    try:
        body = error.read(4000).decode("utf-8", "replace")
    except (OSError, HTTPException):
        body = ""
    said = redact(" ".join((body.replace(key, "[REDACTED:key]") if key else body).split())[:200])[0]
    return Unanswered(
        f"{shown(url)} answered {error.code}: {said}",
        "see its section of .silo/config.json",
        status=error.code,
        after=seconds_of(error.headers.get("Retry-After") if error.headers else None),
        word=code_of(body, key),
    )


def seconds_of(retry_after: str | None) -> float | None:
    """The seconds of a Retry-After header; a date in it is taken for a long time."""
    if not retry_after:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        return 3600.0


def code_of(body: str, key: str) -> str:
    """A service's own word for an error (`{"error": {"code": "invalid_api_key"}}`); nothing that could hold text or the key."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    inner = told.get("error") if isinstance(told, dict) else None
    inner = inner if isinstance(inner, dict) else told if isinstance(told, dict) else {}
    words = [inner.get(name) for name in ("code", "type")]
    good = (word for word in words if isinstance(word, str) and re.fullmatch(r"[A-Za-z][a-z_]{1,39}", word))
    return next((word for word in good if not key or key not in word), "")
