"""What a migration tells: a summary that is read in a minute, the data for programs, a hand-over's instruction."""

from __future__ import annotations

from collections import Counter

from silo.core.migrate.handover import Handover
from silo.core.migrate.request import MigrationPlan, PlannedSection
from silo.formats.tiers import LIMITS, PATHS
from silo.jobs.migrate_input import Given
from silo.jobs.run import Report
from silo.text.lines import decode, split


def nothing(given: Given) -> Report:
    """There is no file, or nothing in it."""
    what = "is empty" if given.text is not None else "does not exist"
    data = {"source": given.source, "sections": [], "entities": [], "secrets": [], "totals": {}}
    return Report([f"OK {given.source} {what}: nothing to organise"], data)


def summary(given: Given, made: MigrationPlan) -> list[str]:
    """What a person reads in a minute: where how much goes, each section with its reason, what is unsure, what stays."""
    lines = [f"OK {given.source}: {len(split(given.text or ''))} lines in {len(made.sections)} sections"]
    sizes = Counter(path for section in made.sections for path in section.to)
    for path in sorted(sizes):
        lines.append(f"OK {sizes[path]} sections → {path}{' (stays)' if path == given.source else ''}")
    lines += [_section_line(section, given.source) for section in made.sections]
    by_type = Counter(e.type for e in made.entities)
    if by_type:
        lines.append("OK entities: " + ", ".join(f"{kind} {n}" for kind, n in sorted(by_type.items())))
        lines.append("OK " + "; ".join(f"{e.name} ({e.id})" for e in made.entities[:40]))
    unsure = [s for s in made.sections if s.unsure]
    if unsure:
        where = ", ".join(f"{s.start_line}–{s.end_line}" for s in unsure)
        lines.append(f"NOTE not sure about lines {where}: kept word for word in {PATHS['archive']}")
    if made.secrets:
        lines.append(
            f"NOTE lines {', '.join(map(str, made.secrets))} hold a secret: they stay where they are (--redact-secrets moves them without it)"
        )
    return [*lines, *limits(made)]


def _section_line(section: PlannedSection, source: str) -> str:
    to = ", ".join("stays" if path == source else path for path in section.to) or "nothing to keep"
    why = f" ({'; '.join(section.why[:3])})" if section.why else ""
    name = f" {section.heading}" if section.heading else ""
    return (
        f"{section.start_line}–{section.end_line}{name}: {section.tier} {section.confidence:.2f} → {to}{why}"
    )


def limits(made: MigrationPlan) -> list[str]:
    """Files that would be longer than they should."""
    found: list[str] = []
    for name, limit in LIMITS.items():
        size = len(split(made.texts.get(PATHS[name], "")))
        if size >= limit:
            found.append(
                f"NOTE {PATHS[name]} has {size} lines, the target is under {limit}: move what rarely matters to the archive"
            )
    return found


def plan_data(given: Given, made: MigrationPlan) -> dict[str, object]:
    """The plan for `--json` (schemas/migrate-plan.schema.json)."""
    return {
        "source": given.source,
        "sections": [
            {
                "start_line": s.start_line,
                "end_line": s.end_line,
                "heading": s.heading,
                "tier": s.tier.value,
                "confidence": s.confidence,
                "why": list(s.why),
                "to": list(s.to),
                "unsure": s.unsure,
            }
            for s in made.sections
        ],
        "entities": [
            {"id": e.id, "type": e.type, "name": e.name, "line": e.line, "new": e.new} for e in made.entities
        ],
        "secrets": list(made.secrets),
        "totals": {
            "lines": len({row.line for row in made.ledger}),
            "kept": made.kept,
            "topics": len(made.topics),
            "entities": len(made.entities),
            "unsure": sum(s.unsure for s in made.sections),
            "files": {c.path: len(split(decode(c.data))) for c in made.changes},
        },
        "files": sorted(c.path for c in made.changes),
        "script_may_write": not given.host.forbids(given.source),
        "host": given.host.trouble,
    }


def handed(handover: Handover) -> list[str]:
    """What the agent does next."""
    return [
        f"NOTE waiting for the agent: the host's ledger knows {handover.path}, so no script edits it (hand-over {handover.id})",
        f"NEXT {handover.instruction}",
        "NEXT migrate_memory.py verify tells when it is done",
    ]


def handover_data(handover: Handover) -> dict[str, object]:
    """A hand-over for `--json`."""
    return {
        "id": handover.id,
        "path": handover.path,
        "file": handover.file,
        "target": handover.target,
        "instruction": handover.instruction,
    }
