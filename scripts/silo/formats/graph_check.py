"""The known relations of the graph: what each may start from and lead to."""

from __future__ import annotations

from collections.abc import Mapping

_WHO = ("Person", "Org")
# Each known relation: what it may start from and lead to; () is anything.
RELATIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "member_of": (_WHO, ("Org", "Project")),
    "owns": (_WHO, ()),
    "collaborates_on": (_WHO, ("Project",)),
    "interested_in": (_WHO, ()),
    "guides": (("Person", "Org", "Project"), ()),
    "uses": ((), ()),
    "listed_by": (("Property",), _WHO),
    "located_at": ((), ("Location", "Property")),
}
