"""Extraction by rules: a screened conversation → the statements in it that are worth an event.

`extract` is the whole engine, `ground` the check that any engine's candidates must pass.
"""

from __future__ import annotations

from silo.core.extract.engine import extract
from silo.core.extract.grounding import ground

__all__ = ["extract", "ground"]
