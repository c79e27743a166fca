"""Decides the tier of every block: headings, what lines say, and their neighbours, weighed together.

The best path over all blocks (Viterbi): each block pays for what speaks against its tier, each change of tier between
neighbours costs by how much holds them together (same list, same section, headings or none). A heading's word counts
less per line the more lines say otherwise, so a section whose body contradicts its heading is read by its body, and
one that mixes kinds is split where the kinds change.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from silo.core.migrate.evidence import (
    ARCHIVE,
    DATED_TITLE,
    DIRECTIVE,
    ORDER,
    Evidence,
    Tier,
    block_evidence,
    heading_evidence,
)
from silo.core.migrate.reading import OUTLINE_LEVEL, TEXT_LEVEL, Block, Document, Kind
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.migration_words import MigrationWords

HEADS = (Kind.HEADING, Kind.LABEL)
SILENT = (Kind.RULE, Kind.COMMENT)
_LOG = 0.4  # a dated log takes orders and procedures in as they come
_VAGUE = 1.0  # what a heading like `Misc` or `Notes` says at most
_LOOSE = re.compile(
    r"\b(?:odds|ends|bits|pieces|bobs|and|sundry|stuff|things|loose|assorted|more|handy|coisas|cenas|diversos|diversas|varias|soltas|avulso|avulsas|tralha|miudezas|cosas|sueltas|etc|e|y)\b|杂项|雑多|이것저것"
)
_UNSURE = 0.55  # confidence below which a section is listed as unsure and kept in the archive


@dataclass(frozen=True, slots=True)
class Unit:
    """A block with the headings it stands under (indexes of blocks, outermost first)."""

    index: int
    block: Block
    path: tuple[int, ...]
    anchor: tuple[int, ...]  # the path without labels that only head a list: what holds a section together


@dataclass(frozen=True, slots=True)
class Section:
    """Neighbouring blocks of one tier under one heading. Lines from 1, inclusive; blocks as indexes of the document."""

    start_line: int
    end_line: int
    heading: str
    path: tuple[int, ...]
    tier: Tier
    confidence: float
    why: tuple[str, ...]
    blocks: tuple[int, ...]
    unsure: bool = False


def outline(document: Document) -> tuple[list[Unit], int]:
    """Every block with its path of headings, and the index of the block that titles the file (-1: none)."""
    blocks = document.blocks
    first = next(
        (i for i, b in enumerate(blocks) if b.kind not in (*SILENT, Kind.FRONT_MATTER, Kind.MANAGED)), -1
    )
    tops = [i for i, b in enumerate(blocks) if b.kind is Kind.HEADING and b.level == 1]
    title = first if tops == [first] else -1
    units: list[Unit] = []
    path: list[int] = []
    for index, block in enumerate(blocks):
        if block.kind in HEADS:
            path = [p for p in path if blocks[p].level < block.level and p != title]
            if block.kind is Kind.LABEL and block.level == TEXT_LEVEL:
                path = [p for p in path if blocks[p].level != TEXT_LEVEL]
            units.append(Unit(index, block, tuple(path), _anchor(blocks, path)))
            path.append(index)
            continue
        path = [p for p in path if not _left(blocks, p, index)]
        units.append(Unit(index, block, tuple(path), _anchor(blocks, path)))
    return units, title


def _anchor(blocks: tuple[Block, ...], path: list[int]) -> tuple[int, ...]:
    real = tuple(p for p in path if blocks[p].level < TEXT_LEVEL)
    return real or tuple(p for p in path if blocks[p].level == TEXT_LEVEL)


def _left(blocks: tuple[Block, ...], head: int, index: int) -> bool:
    """Whether a block no longer stands under a heading: labels end with their list, any section after two blanks or a rule."""
    above, block = blocks[head], blocks[index]
    before = blocks[index - 1]
    if above.kind is Kind.LABEL and above.level == OUTLINE_LEVEL:
        return block.kind is not Kind.ITEM or block.indent <= above.indent
    if above.kind is Kind.LABEL and above.level == TEXT_LEVEL and index > head + 1:
        return block.gap > 0 or block.kind is Kind.PARAGRAPH
    return (
        (block.gap >= 2 or before.kind is Kind.RULE) and before.kind not in HEADS and block.kind not in SILENT
    )


def classify(document: Document, words: MigrationWords) -> tuple[Section, ...]:
    """Sections that cover every block of the document once, in its order."""
    units, title = outline(document)
    heads = {
        u.index: heading_evidence(u.block.text, document.lines[u.block.start - 1], words)
        for u in units
        if u.block.kind in HEADS and u.index != title
    }
    priors = {u.index: _prior(u, heads, document.blocks) for u in units}
    sizes: dict[tuple[int, ...], int] = {}
    for unit in units:
        if unit.block.kind not in HEADS and unit.block.kind not in SILENT:
            sizes[unit.anchor] = sizes.get(unit.anchor, 0) + 1
    first_head = next((u.index for u in units if u.index > title and u.block.kind in HEADS), -1)
    body = [u for u in units if u.block.kind not in HEADS and u.block.kind not in SILENT]
    own = {u.index: block_evidence(u.block, words) for u in body}
    emissions = [
        _emission(u, own[u.index], priors[u.index], sizes[u.anchor], title, first_head) for u in body
    ]
    tiers, margins = _best_path(emissions, [_hold(a, b, priors, document) for a, b in pairwise(body)])
    decided = {u.index: t for u, t in zip(body, tiers, strict=True)}
    margin_of = dict(zip((u.index for u in body), margins, strict=True))
    _settle_silent(units, title, decided, priors)
    return tuple(_sections(units, decided, margin_of, own, heads, document))


def _prior(unit: Unit, heads: dict[int, Evidence], blocks: tuple[Block, ...]) -> list[float]:
    """What the headings above say: the innermost that says anything, and less of those around it the clearer it is."""
    total = [0.0] * len(ORDER)
    chain = [*unit.path, *([unit.index] if unit.block.kind in HEADS else [])]
    weight = 1.0
    for index in reversed(chain):
        evidence = heads.get(index)
        if evidence and not evidence.is_empty:
            # `- home` over nested items says less than a heading, and so does `Notes:` where there are headings
            listed = blocks[index].level > TEXT_LEVEL or (
                blocks[index].level == TEXT_LEVEL and any(blocks[p].level < TEXT_LEVEL for p in unit.path)
            )
            share = 0.4 * weight if listed else weight
            total = [a + share * b for a, b in zip(total, evidence.scores, strict=True)]
            weight *= 0.85 if listed else 1 - 0.7 * min(1.0, max(evidence.scores) / 3.0)
        else:
            weight *= 0.85
    return total


def _emission(
    unit: Unit, own: Evidence, prior: list[float], size: int, title: int, first_head: int
) -> list[float]:
    share = size**-0.5  # ten lines outweigh their heading, one or two don't
    scores = [share * p + 1.2 * s for p, s in zip(prior, own.scores, strict=True)]
    scores[ARCHIVE] += 0.15  # where nothing speaks, the safest place
    if unit.block.kind in (Kind.FRONT_MATTER, Kind.MANAGED):
        scores[DIRECTIVE] += 8.0
    elif 0 <= title < unit.index < first_head:
        scores[DIRECTIVE] += (
            1.6  # what stands between the title and the first section is about the file itself
        )
    return scores


def _hold(a: Unit, b: Unit, priors: dict[int, list[float]], document: Document) -> float:
    """What a change of tier between two neighbours costs."""
    if a.anchor != b.anchor:
        shared = [p for p, q in zip(a.anchor, b.anchor, strict=False) if p == q]
        return 1.2 if shared else 0.15
    headed = bool(b.path)
    most = max(priors[b.index])
    loose = headed and not split_words(re.sub(_LOOSE, " ", fold(document.blocks[b.path[-1]].text)))
    cost = 3.2 if most > _VAGUE else 1.6 if most or loose else 2.2 if headed else 1.4  # below `Misc` the kinds change with the lines
    if headed and DATED_TITLE.match(document.blocks[b.path[-1]].text):
        cost *= _LOG
    if b.block.gap:
        cost *= 0.6
    if document.blocks[b.index - 1].kind is Kind.RULE:
        cost *= 0.3
    if a.block.kind is Kind.PARAGRAPH or b.block.kind is Kind.PARAGRAPH:
        cost *= 0.8 if headed else 0.5
    return cost


def _best_path(emissions: list[list[float]], holds: list[float]) -> tuple[list[int], list[float]]:
    """The tier of each block that maximises evidence minus the cost of changes; by how much no other tier does there."""
    if not emissions:
        return [], []
    n = range(len(ORDER))
    before = [list(emissions[0])]
    for scores, hold in zip(emissions[1:], holds, strict=True):
        best = before[-1]
        top = max(best) - hold
        before.append([max(best[k], top) + scores[k] for k in n])
    after = [[0.0] * len(ORDER)]
    for scores, hold in zip(reversed(emissions[1:]), reversed(holds), strict=True):
        best = [a + s for a, s in zip(after[-1], scores, strict=True)]
        top = max(best) - hold
        after.append([max(best[k], top) for k in n])
    path: list[int] = []
    margins: list[float] = []
    for ahead, behind in zip(before, reversed(after), strict=True):
        whole = [a + b for a, b in zip(ahead, behind, strict=True)]
        at = max(n, key=whole.__getitem__)
        path.append(at)
        margins.append(whole[at] - max(v for k, v in enumerate(whole) if k != at))
    return path, margins


def _settle_silent(
    units: list[Unit], title: int, decided: dict[int, int], priors: dict[int, list[float]]
) -> None:
    """Headings go with the first block below them, rules and comments with the block before them."""
    below: int | None = None
    for unit in reversed(units):
        if unit.block.kind in HEADS:
            prior = priors[unit.index]
            own = max(range(len(ORDER)), key=prior.__getitem__) if any(prior) else None
            follows = below is not None and units[below].path[: len(unit.path) + 1] == (
                *unit.path,
                unit.index,
            )
            decided[unit.index] = (
                decided[below] if follows and below is not None else own if own is not None else ARCHIVE
            )
        if unit.block.kind not in SILENT:
            below = unit.index
    if title >= 0:
        decided[title] = DIRECTIVE
    before: int | None = None
    for unit in units:
        if unit.block.kind in SILENT:
            decided[unit.index] = before if before is not None else DIRECTIVE
        before = decided[unit.index]


def _sections(
    units: list[Unit],
    decided: dict[int, int],
    margins: dict[int, float],
    own: dict[int, Evidence],
    heads: dict[int, Evidence],
    document: Document,
) -> list[Section]:
    groups: list[list[Unit]] = []
    for unit in units:
        here = unit.path if unit.block.kind not in HEADS else (*unit.path, unit.index)
        if groups:
            last = groups[-1][-1]
            there = last.path if last.block.kind not in HEADS else (*last.path, last.index)
            if here == there and decided[last.index] == decided[unit.index]:
                groups[-1].append(unit)
                continue
        groups.append([unit])
    return [_section(g, decided, margins, own, heads, document) for g in groups]


def _section(
    group: list[Unit],
    decided: dict[int, int],
    margins: dict[int, float],
    own: dict[int, Evidence],
    heads: dict[int, Evidence],
    document: Document,
) -> Section:
    tier = decided[group[0].index]
    first = group[0]
    path = (*first.path, first.index) if first.block.kind in HEADS else first.path
    sure = [margins[u.index] for u in group if u.index in margins]
    confidence = round(1 / (1 + math.exp(-1.2 * sum(sure) / len(sure))), 2) if sure else 0.8
    unsure = confidence < _UNSURE and tier != DIRECTIVE  # what may be a directive is safest where it is
    if unsure:
        tier = ARCHIVE
    why = dict.fromkeys(
        [w for i in reversed(path) if i in heads for t, w in heads[i].why if t == tier]
        + [w for u in group if u.index in own for t, w in own[u.index].why if t == tier]
    )
    heading = document.blocks[path[-1]].text if path else ""
    return Section(
        first.block.start, group[-1].block.end, heading, path, ORDER[tier], confidence, tuple(why)[:6],
        tuple(u.index for u in group), unsure,
    )  # fmt: skip
