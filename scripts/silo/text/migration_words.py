"""The words by which a flat memory is told apart, as one frozen value. Loads nothing: see edge/migration_words.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.given_names import GivenNames
from silo.text.lexicon import Lexicon

TIERS = ("directive", "protocols", "active", "archive", "ontology")
STRENGTHS = ("strong", "plain", "weak")


@dataclass(frozen=True, slots=True)
class MigrationWords:
    """Word lists of lang/migrate.toml, ready to be looked up.

    Labels of `headings` are `<tier>.<strength>`, those of `strong_starts`, `starts` and `anywhere` are tiers. `emoji` maps one emoji to a
    tier. `past` are folded word endings, `past_accented` those that only count with their accent.
    """

    headings: Lexicon
    strong_starts: Lexicon
    starts: Lexicon
    anywhere: Lexicon
    emoji: Mapping[str, str]
    columns: Mapping[str, frozenset[str]]  # folded names of table columns by tier
    next_action: Lexicon  # labels: start, any
    past: tuple[str, ...]
    past_accented: tuple[str, ...]
    not_past: frozenset[str]
    entities: EntityWords

    @classmethod
    def of(cls, tables: Mapping[str, Any], names: GivenNames) -> MigrationWords:
        """From the file's tables: heading.<tier>.<strength>, body.<tier>.strong|start|any, emoji, table, next_action, past, entity, property."""
        heading, body, past = tables["heading"], tables["body"], tables["past"]
        endings = [ending for name in sorted(past) if name.startswith("endings") for ending in past[name]]
        return cls(
            headings=Lexicon({f"{tier}.{s}": heading[tier].get(s, []) for tier in TIERS for s in STRENGTHS}),
            strong_starts=Lexicon({tier: body[tier].get("strong", []) for tier in TIERS}),
            starts=Lexicon({tier: body[tier].get("start", []) for tier in TIERS}),
            anywhere=Lexicon({tier: body[tier].get("any", []) for tier in TIERS}),
            emoji={mark: tier for tier in TIERS for mark in tables["emoji"].get(tier, [])},
            columns={tier: frozenset(fold(c) for c in tables["table"].get(tier, [])) for tier in TIERS},
            next_action=Lexicon({where: tables["next_action"][where] for where in ("start", "any")}),
            past=tuple(e for e in endings if e.isascii()),
            past_accented=tuple(e for e in endings if not e.isascii()),
            not_past=frozenset(past["not_past"]),
            entities=EntityWords.of(tables["entity"], tables["property"], names),
        )
