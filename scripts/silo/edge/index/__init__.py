"""The search index of a workspace: `.silo/index.db`, derived from the files and never the truth."""

from silo.edge.index.index import Index
from silo.edge.index.keeping import Refreshed

__all__ = ["Index", "Refreshed"]
