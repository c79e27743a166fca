"""Choosing an option by how it is: "the cheaper one", "a que tem piscina", "the later one", "the blue one"."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence
from silo.core.extract.agent import Heard, Option
from silo.text.dates import find_dates
from silo.text.tokens import terms

__all__ = ["likened"]

_LEAD = (
    r"(?:(?:hm+|hmm|ok|okay|well|oh|then|definitely|probably|obviously|maybe|acho que|entao|olha|bom|ah) ?,? ?)*"
    r"(?:(?:i'?ll take|i'll have|we'?ll take|let'?s (?:go with|go for|do|take|book|get)|(?:i'?d |i |we )?(?:go with|go for|take|pick|choose|prefer|want|book|rather have|like)|give me|book|get|vamos (?:de|com|para|pr[oa]|n[oa])|fico com|ficamos com|fica|quero|queremos|prefiro|preferimos|pode ser|leva|levo|levamos|escolho|escolhemos|marca|reserva|compra) )?"
)
_MORE = (
    r"(?P<more>cheap(?:er|est)|(?:less|least|more|most) expensive|pric(?:ier|iest)|dear(?:er|est)|earl(?:ier|iest)|lat(?:er|est)|soon(?:er|est)|bigg(?:er|est)|larg(?:er|est)|small(?:er|est)|long(?:er|est)|short(?:er|est)"
    r"|mais (?:barat[oa]s?|em conta|car[oa]s?|cedo|tarde|pequen[oa]s?|grandes?|curt[oa]s?|compri?d[oa]s?|long[oa]s?)|menos car[oa]s?|maior(?:es)?|menor(?:es)?)"
)
_END = r"(?=\s*(?:$|[,.;:!)–-]|(?:then|please|i guess|i think|obviously|of course|for sure|definitely|again|thanks|mesmo|entao|claro|por favor|se faz favor|sem duvida|acho|since|because|as we|porque|que)\b))"
_HINT = re.compile(r"(?:er|est|iest)\b|\bones?\b|\bmais\b|\bmenos\b|\bmaior|\bmenor|expensive|\b(?:o|a|aquel[ea]) (?:que|com|perto|junto|outr|melhor|d|n|em|a)")  # none of the patterns below fits without
_BY_MORE = re.compile(rf"^{_LEAD}(?:the |o |a |os |as |aquel[ea] |ess[ea] )?{_MORE}(?: (?:one|ones|option|of the two|of them|d[oa]s (?:dois|duas|tres)|deles|delas|\w+)\b)?{_END}")
_BY_WHAT = re.compile(
    rf"^{_LEAD}(?:(?:the|that) one (?:(?:with|near|by|at|in|on|from|without|next to|close to|that has|which has|that is|that's|which is) )+(?:the |a |an |its )?(?P<what>[^,.;:!]{{2,40}}?)"
    rf"|(?:the|that) (?P<mark>(?!(?:other|first|second|third|fourth|last|next|former|latter|same|right|only)\b)[\w-]+) one|(?:o|a|aquel[ea]) (?:(?:que tem|que fica|que e|que é|que esta|que está|com|perto|junto|em|no|na|n[oa]s|d[oae]s?|ao|a) )+(?:o |a |um |uma )?(?P<que>[^,.;:!]{{2,40}}?)){_END}"
)
_BY_TASTE = re.compile(rf"^{_LEAD}(?:the (?:\w+er|\w+est|other|more \w+|most \w+|better|best) one|o outro|a outra|[oa] (?:mais|menos|melhor) ?\w*){_END}")
_LEAST = re.compile(r"cheap|less|least exp|earl|soon|small|short|barat|em conta|menos|cedo|pequen|curt|menor")
_WHEN = re.compile(r"earl|lat(?:er|est)|soon|cedo|tarde")
_CLOCK = re.compile(r"(?<![\d.,])(\d{1,2})(?:[:h](\d\d)|h\b|\s?([ap])\.?m\b)", re.I)
_PRICE = re.compile(r"(?:R\$|US\$|[$€£])\s?(\d[\d.,]*)|(\d[\d.,]*)\s?(?:€|£|euros?\b|reais\b|dollars?\b|pounds?\b|quid\b|eur\b)", re.I)
_NUMBER = re.compile(r"(?<![\w.,:])\d[\d.,]*(?![\w:])")
_FREE = re.compile(r"\b(?:free|gr[áa]tis|gratuit[oa]|de borla|de gra[çc]a)\b", re.I)
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


def likened(s: Sentence, heard: Heard) -> Option | str | None:
    """The option meant, "" where it can't be told which, None where nothing is chosen so."""
    if not _HINT.search(s.low):
        return None
    low = s.low[s.core :].strip()
    if by := _BY_MORE.match(low):
        return _extreme(by["more"], heard.options, s) or ""
    by = _BY_WHAT.match(low)
    if by is not None and len(heard.options) > 1:
        what = frozenset(terms(by["what"] or by["mark"] or by["que"] or ""))
        fits = [o for o in heard.options if what and what <= frozenset(terms(o.text))]
        if len(fits) == 1:
            return fits[0]
        if by["que"] is None:
            return ""
    taste = _BY_TASTE.match(low)
    if taste is not None and (heard.options or heard.question is not None or heard.proposes or taste[0].rstrip().endswith(" one")):
        return ""
    return None


def _extreme(more: str, options: tuple[Option, ...], s: Sentence) -> Option | None:
    """The option that has the most or the least of it, as the figures beside each tell."""
    if len(options) < 2:
        return None
    values = _hours(options, s) if _WHEN.search(more) else _prices(options)
    if values is None or len(set(values)) < len(values):
        return None
    return options[values.index((min if _LEAST.search(more) else max)(values))]


def _hours(options: tuple[Option, ...], s: Sentence) -> list[float] | None:
    days = [[d.value for d in find_dates(o.text, s.today)] for o in options]
    if all(len(d) == 1 and len(d[0]) == 10 for d in days):
        return [float(d[0].replace("-", "")) for d in days]
    clocks = [_CLOCK.findall(o.text) for o in options]
    if all(len(c) == 1 for c in clocks):
        return [int(h) % (12 if half else 24) + (12 if half.lower() == "p" else 0) + int(m or 0) / 60 for ((h, m, half),) in clocks]
    return _plain(options)


def _prices(options: tuple[Option, ...]) -> list[float] | None:
    found = [[a or b for a, b in _PRICE.findall(o.text)] or (["0"] if _FREE.search(o.text) else []) for o in options]
    return [_value(f[0]) for f in found] if all(len(f) == 1 for f in found) else _plain(options)


def _plain(options: tuple[Option, ...]) -> list[float] | None:
    found = [_NUMBER.findall(_CLOCK.sub(" ", o.text)) or (["0"] if _FREE.search(o.text) else []) for o in options]
    return [_value(f[0]) for f in found] if all(len(f) == 1 for f in found) else None


def _value(figure: str) -> float:
    bare = figure.rstrip(".,")
    if _THOUSANDS.fullmatch(bare):
        return float(re.sub(r"[.,]", "", bare))
    whole, _, cents = bare.replace(",", ".").rpartition(".")
    return float(f"{whole.replace('.', '')}.{cents}" if whole else cents)
