"""The text of a fact after an update, and the word or two that name what changed.

The new statement itself is the new fact, in the person's own words, unless the old bullet says more than the changed value:
then only the value, or the clause that holds it, is replaced.
"""

from __future__ import annotations

from silo.core.reconcile.clauses import Clause
from silo.core.reconcile.compare import Comparison
from silo.core.reconcile.pairing import Difference
from silo.core.reconcile.statement import Statement, standing
from silo.core.reconcile.tokens import Token
from silo.text.values import Value, comparable

_WORDED = ("name", "words", "list", "negation", "state")  # replacing these inside a sentence could break its grammar


def merged_text(before: Statement, clause: Clause, after: Statement, found: Comparison, difference: Difference) -> str | None:
    """The fact's new text, None where the new statement is it."""
    others = any(c is not clause and (c.terms or c.values) for c in standing(before))
    missing = bool(clause.subject - _all_terms(after)) or found.less_values
    value = difference.old_value
    if (others or missing) and value is not None and difference.kind not in _WORDED and not difference.kind.startswith("contrast."):
        return _with_value(before.text, clause, value, _fitting(difference, after))
    if others:
        end = clause.end
        tail = before.text[end:]
        kept = before.text[clause.start : end]
        said = after.text.strip().rstrip(".")
        closing = kept[len(kept.rstrip(" .;,")) :]
        if clause.start and before.text[: clause.start].rstrip().endswith((";", ",")):
            said = said[:1].lower() + said[1:] if said[1:2].islower() and not said.split()[0].istitle() else said
        return f"{before.text[: clause.start]}{said}{closing}{tail}"
    return None


def _with_value(text: str, clause: Clause, value: Value, new: str) -> str:
    """The text with the new value in the old one's place; where it tells what the old one had replaced ("8088 instead of
    80"), the old one is what was replaced now."""
    places = [(value.start, value.end, new)]
    going = [v for v in clause.values if v.start in clause.outgoing and v != value and comparable(v, value)]
    if len(going) == 1:
        places.append((going[0].start, going[0].end, value.text))
    for start, end, words in sorted(places, reverse=True):
        text = text[:start] + words + text[end:]
    return text


def field_of(before: Statement, old: Clause, new: Clause) -> str:
    """The words that both statements share and that are no value, as they stand: 'gateway port', 'rent for the hall';
    '' where there are none. A verb is told only where nothing else is shared."""

    def shared(token: Token) -> bool:
        terms = frozenset(token.terms) & old.terms & new.terms
        property_ = frozenset(token.keys("attribute")) & old.attributes & new.attributes and len(token.word) > 2
        return bool(terms or property_)

    def acts(token: Token) -> bool:
        return not token.is_in("noun", "role") and (token.start == old.verb or token.is_in("verb", "act"))

    words = [token for token in old.tokens if shared(token)]
    return _named(before, old, [t for t in words if not acts(t)]) or subject_of(before, old) or _named(before, old, words)


def subject_of(before: Statement, clause: Clause) -> str:
    """The words of a clause's subject as they stand, '' where it has none."""
    return _named(before, clause, [t for t in clause.tokens if t.start < clause.verb and clause.subject & frozenset(t.terms)])


_LINKS = frozenset(["of", "the", "for", "a", "an", "in", "on", "at", "to", "with", "our", "my", "de", "do", "da", "dos", "das", "em", "no", "na", "para", "o", "com"])
_LONGEST = 40  # characters of a field's name


def _named(before: Statement, clause: Clause, words: list[Token]) -> str:
    """Words as they stand, with the little ones between them; a comma where more than that stands between."""
    name = ""
    for i, token in enumerate(words):
        said = before.text[token.start : token.end]
        if not i:
            name = said
            continue
        start = words[i - 1].end
        little = all(t.word in _LINKS for t in clause.tokens if start <= t.start < token.start)
        plain = little and not any(start <= v.start < token.start for v in clause.values) and "," not in before.text[start : token.start]
        longer = name + (before.text[start:token.start] if plain else ", ") + said
        if len(longer) > _LONGEST:
            break
        name = longer
    return name[:_LONGEST].strip()


def _all_terms(statement: Statement) -> frozenset[str]:
    return frozenset(term for clause in statement.clauses for term in clause.terms | clause.front)


def _fitting(difference: Difference, after: Statement) -> str:
    """The new value as it is said, with the old one's unit where it came without."""
    old, new = difference.old_value, difference.new_value
    if old is None or new is None or old.kind == new.kind:
        return difference.new
    digits_old = "".join(c for c in old.text if c.isdigit() or c in ".,")
    return old.text.replace(digits_old, difference.new) if digits_old and digits_old in old.text else difference.new
