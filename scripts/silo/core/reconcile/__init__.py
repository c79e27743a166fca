"""Reconciling: what becomes of a new statement beside a curated fact (references/curation.md has the rules)."""

from silo.core.reconcile.decide import Kind, Outcome, Reconciler, decide, reconcile

__all__ = ["Kind", "Outcome", "Reconciler", "decide", "reconcile"]
