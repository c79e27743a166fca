"""One JSON request to an endpoint that the user configured: https, or this machine; no redirect, a time and a size limit."""

from __future__ import annotations

import ipaddress
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from silo.errors import ServiceDown
from silo.text.redact import redact

MOST_BYTES = 64 * 1024 * 1024


def check_endpoint(url: str) -> None:
    """Refuse what would send texts in the clear, or a key in an address.

    Raises:
        ServiceDown: neither https nor on this machine, or with a name or password in it.
    """
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise ServiceDown("the endpoint has a name or password in its address", "put the key into the environment instead")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_here(parts.hostname))):
        raise ServiceDown(f"{url} is neither https nor on this machine", "give an https:// address, or http://127.0.0.1:PORT")


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
        ServiceDown: no answer in `wait` seconds, a status other than 2xx, a redirect, too much, or no JSON.
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
        said = redact(" ".join(error.read(2000).decode("utf-8", "replace").split())[:200])[0]
        raise ServiceDown(f"{url} answered {error.code}: {said}", "see the section semantic of .silo/config.json") from None
    except (OSError, HTTPException) as error:
        raise ServiceDown(f"{url} gave no answer: {getattr(error, 'reason', None) or type(error).__name__}", "is it running?") from None
    if len(data) > MOST_BYTES:
        raise ServiceDown(f"{url} answered more than {MOST_BYTES:,} bytes")
    try:
        return json.loads(data)
    except ValueError:
        raise ServiceDown(f"{url} did not answer in JSON") from None
