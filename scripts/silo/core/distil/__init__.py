"""A conversation in a few words: one statement, who and what it is about, how it went, and a summary of a tree's width."""

from __future__ import annotations

from silo.core.distil.distilled import Distilled
from silo.core.distil.rules import distil
from silo.core.distil.summary import core_summary

__all__ = ["Distilled", "core_summary", "distil"]
