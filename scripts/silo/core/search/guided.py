"""An answer by words, guided by the categories that a tree search chose: what is filed there rises, nothing is dropped."""

from __future__ import annotations

from collections.abc import Mapping

from silo.core.search.answer import Answer, Result

BOOST = 0.25  # of the best score, for a result in a category of relevance 1
FILL = 0.5  # of the weakest score, for a result that stands in a category and has no word of the question


def guided(found: Answer, filed: Mapping[str, float], beside: tuple[Result, ...], limit: int) -> Answer:
    """`filed`: id of an event or fact → relevance of the category it is filed under; `beside`: other results in those
    categories, which fill what room is left."""
    best = max((one.score for one in found.results), default=1.0)
    risen = [_with(one, BOOST * best * filed[one.id]) if filed.get(one.id) else one for one in found.results]
    risen.sort(key=lambda one: -one.score)
    known = {one.id for one in risen}
    last = min((one.score for one in risen), default=1.0)
    spare = [one for one in beside if one.id in filed and one.id not in known]
    spare.sort(key=lambda one: (-filed[one.id], -one.score))
    fill = [one._replace(score=round(FILL * last * filed[one.id], 4), parts=(("category", round(FILL * last * filed[one.id], 4)),)) for one in spare]
    return found._replace(results=(*risen, *fill)[:limit])


def _with(one: Result, more: float) -> Result:
    more = round(more, 4)
    return one._replace(score=one.score + more, parts=(*one.parts, ("category", more)))
