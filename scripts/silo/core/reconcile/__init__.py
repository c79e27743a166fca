"""Reconciling: what becomes of a new statement beside a curated fact (references/curation.md has the rules)."""

from silo.core.reconcile.decide import decide
from silo.core.reconcile.outcome import Kind, Outcome
from silo.core.reconcile.reconciler import Reconciler, reconcile

__all__ = ["Kind", "Outcome", "Reconciler", "decide", "reconcile"]
