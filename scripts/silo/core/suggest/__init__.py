"""Topic suggestions: what the unfiled lines of the log are about, named as a person would name it. Pure."""

from __future__ import annotations

from silo.core.suggest.find import Suggestion, suggest
from silo.core.suggest.groups import LEAST
from silo.core.suggest.proposals import COOLDOWN, Proposal, opened, proposals, reroute

__all__ = ["COOLDOWN", "LEAST", "Proposal", "Suggestion", "opened", "proposals", "reroute", "suggest"]
