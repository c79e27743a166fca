"""What may become of a new statement beside a fact, with what a night needs to write it down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The four outcomes, and `outdated`: evidence older than the fact that says otherwise; it changes nothing."""

    DUPLICATE = "duplicate"
    UPDATE = "update"
    CONTRADICTION = "contradiction"
    NEW = "new"
    OUTDATED = "outdated"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision with its values as they stand in the texts ('' where there are none) and one phrase of reason.

    `merged` is the text of the fact after an update, None where the new statement itself is it. `field` names what changed
    in a word or two. `exact` and `closeness` tell which of several facts a statement is about: one whose subject it names
    in full comes first, then the closer one. `loose`: found by the words as a whole (`loose.py`), so that one fact alone may be
    meant.
    """

    kind: Kind
    old_value: str = ""
    new_value: str = ""
    merged: str | None = None
    field: str = ""
    why: str = ""
    closeness: float = 0.0
    exact: bool = True
    loose: bool = False
