"""Secrets taken out of JSON values, where the key may be all that tells one: `"password": "…"`."""

from __future__ import annotations

from typing import Any

from silo.text.redact import redact


def cleaned(value: Any) -> Any:
    """The value with a placeholder for every secret in its texts."""
    if isinstance(value, str):
        return redact(value)[0]
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {key: _of_key(key, item) for key, item in value.items()}
    return value


def _of_key(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return cleaned(value)
    text, found = redact(f"{key}: {value}")
    return text.partition(": ")[2] if found and text.startswith(f"{key}: ") else redact(value)[0]
