"""What a migration is asked for and what it plans: values without behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from silo.core.entities.resolve import Resolved
from silo.core.migrate.evidence import Tier
from silo.core.migrate.ledger import Row
from silo.core.migrate.promoted import Promoted
from silo.model import Append, Problem, Write
from silo.text.migration_words import MigrationWords


@dataclass(frozen=True, slots=True)
class Request:
    """Which file is migrated, when and for whom.

    `source` is its path in the workspace, `at` an ISO instant ending in Z. `settled` are digests of lines (`ledger.digest`)
    that an earlier run left in the file on purpose: they stay.
    """

    source: str
    today: date
    at: str
    agent: str
    words: MigrationWords
    settled: frozenset[str] = frozenset()
    redact_secrets: bool = False


@dataclass(frozen=True, slots=True)
class PlannedSection:
    """Neighbouring lines (from 1, inclusive) of one tier under one heading, and the files that take them."""

    start_line: int
    end_line: int
    heading: str
    tier: Tier
    confidence: float
    why: tuple[str, ...]
    to: tuple[str, ...]
    unsure: bool


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """All that would be done, and the proof that nothing is lost.

    `lost` are lines without a place: where there is one, nothing may be applied. `secrets` are lines that stay because
    they hold one. `kept` is the number of non-blank lines that stay in the file beside the router, `target` its text after,
    `held` its lines with a secret, by the line of the present file that they are. `promoted` are statements for the log.
    """

    sections: tuple[PlannedSection, ...] = ()
    entities: tuple[Resolved, ...] = ()
    secrets: tuple[int, ...] = ()
    changes: tuple[Write | Append, ...] = ()
    ledger: tuple[Row, ...] = ()
    lost: tuple[int, ...] = ()
    topics: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    kept: int = 0
    target: str = ""
    held: Mapping[int, int] = field(default_factory=dict)
    promoted: tuple[Promoted, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
