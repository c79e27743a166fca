#!/usr/bin/env python3
"""How well name, description and trigger phrases of SKILL.md tell utterances that are for this skill from near misses.

    python bench/triggers.py            the figures
    python bench/triggers.py --wrong    and which utterances stand on the wrong side
    python bench/triggers.py --record   keep the figures as those that a change of wording must not fall below

A proxy for the host's model, which alone decides: it shows that a change of wording matters, not how a model will choose.
Score of an utterance: the largest weighted share of a trigger phrase's words that it holds (weight: rarity over the phrases),
plus a tenth of the share of its own words that name and description have.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from silo.text.fold import fold  # noqa: E402
from silo.text.stem import stem  # noqa: E402

SET = ROOT / "tests/data/triggers.tsv"
RECORDED = ROOT / "tests/data/triggers.json"
_QUOTED = re.compile(r'"([^"]+)"')
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Folded stems, stop words included: in "what did we decide" they are what tells."""
    return [stem(word) for word in _WORD.findall(fold(text))]


def phrases(skill: str) -> list[list[str]]:
    """The quoted phrases of the trigger list, without the dots that leave a place open."""
    listed = skill.partition("**Use it when")[2].partition("\n## ")[0]
    return [found for quoted in _QUOTED.findall(listed) if (found := words(quoted))]


def scorer(skill: str) -> Scorer:
    """The scorer for one wording of SKILL.md."""
    head = re.search(r"^name: (.*)$", skill, re.M)
    about = re.search(r"^description: (.*)$", skill, re.M)
    return Scorer(phrases(skill), set(words(f"{head[1] if head else ''} {about[1] if about else ''}")))


class Scorer:
    """Utterance → score, about 0 to 1.1."""

    def __init__(self, listed: list[list[str]], described: set[str]) -> None:
        self.listed = listed
        self.described = described
        held: dict[str, int] = {}
        for phrase in listed:
            for word in set(phrase):
                held[word] = held.get(word, 0) + 1
        self.weight = {word: math.log(1 + len(listed) / n) for word, n in held.items()}

    def __call__(self, utterance: str) -> float:
        said = words(utterance)
        have = set(said)
        best = max((self._share(phrase, have) for phrase in self.listed), default=0.0)
        return best + 0.1 * sum(word in self.described for word in said) / max(1, len(said))

    def _share(self, phrase: list[str], have: set[str]) -> float:
        whole = sum(self.weight[word] for word in phrase)
        return sum(self.weight[word] for word in phrase if word in have) / whole if whole else 0.0


def read_set() -> list[tuple[bool, str, str]]:
    """(is for this skill, language, utterance)."""
    rows = [line.split("\t") for line in SET.read_text("utf-8").splitlines()]
    return [(label == "yes", language, text) for label, language, text in rows]


def auc(scores: Iterable[tuple[bool, float]]) -> float:
    """The share of pairs, one of each side, in which the one that is for this skill scores higher; ties count half."""
    rows = list(scores)
    yes, no = [s for is_ours, s in rows if is_ours], [s for is_ours, s in rows if not is_ours]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no))


def figures(skill: str) -> dict[str, float]:
    """AUC over all and by language, and recall at the threshold where one in twenty near misses is let in."""
    score = scorer(skill)
    rows = [(is_ours, language, score(text)) for is_ours, language, text in read_set()]
    missed = sorted((s for is_ours, _, s in rows if not is_ours), reverse=True)
    threshold = missed[len(missed) // 20]
    ours = [s for is_ours, _, s in rows if is_ours]
    made = {"auc": auc((a, s) for a, _, s in rows), "recall_at_5_percent": sum(s > threshold for s in ours) / len(ours)}
    made |= {f"auc_{code}": auc((a, s) for a, language, s in rows if language == code) for code in ("en", "pt")}
    return {name: round(value, 4) for name, value in made.items()} | {"n": len(rows)}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="the utterances on the wrong side of the best threshold")
    parser.add_argument("--record", action="store_true", help="keep the figures")
    args = parser.parse_args()
    skill = (ROOT / "SKILL.md").read_text("utf-8")
    found = figures(skill)
    print(json.dumps(found))
    if args.record:
        RECORDED.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    if args.wrong:
        score = scorer(skill)
        rows = sorted(((score(text), is_ours, text) for is_ours, _, text in read_set()), reverse=True)
        best = max((sum((s >= cut) == is_ours for s, is_ours, _ in rows), cut) for cut, _, _ in rows)[1]
        for value, is_ours, text in rows:
            if (value >= best) != is_ours:
                print(f"{value:.2f} {'missed ' if is_ours else 'let in '} {text}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
