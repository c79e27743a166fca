"""Screening: raw messages of a host → turns that extraction may read, and what goes to the review queue instead.

Pure. Envelopes off (formats.envelope), machine prompts and their answers out (formats.prompts), retries made one turn,
whose word each turn is, secrets replaced (text.redact), instruction-like text of others quarantined (text.injection).
Decides nothing about what a sentence means: that is `core.extract`'s part.
"""

from __future__ import annotations

from silo.core.screen.turns import screen

__all__ = ["screen"]
