"""The hot state: what every session should know, at most 5 KB as its file. Updates, limits, and what they put out.

Whatever goes out is returned as `Left`, for the caller to write into the log: nothing is destroyed here, and nothing is cut.
Items that stand for a logged event (promoted by their score) carry its `id`; they go first and need no new line. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from silo.errors import BadInput
from silo.formats.hot import LESSON_WEIGHT, LISTS, PARTS, number, told
from silo.formats.warm import render_hot
from silo.text.budget import size
from silo.text.fold import fold

Hot = dict[str, Any]
KEYS = ("identity", "owner_profile", "lesson", "event", "task", "project")
_NAMES = {"lesson": "text", "event": "text", "task": "text", "project": "name"}
# What a status says of a task or project that is over, as its first word.
OVER = frozenset(
    ["done", "complete", "completed", "finished", "closed", "cancelled", "canceled", "archived", "abandoned", "dropped", "shipped", "launched", "feito", "feita", "concluido", "concluida", "terminado", "terminada", "encerrado", "encerrada", "cancelado", "cancelada", "arquivado", "arquivada"]
)


@dataclass(frozen=True, slots=True)
class Limits:
    """At most so many bytes of the file, lessons, events, and pending tasks."""

    max_bytes: int = 5120
    lessons: int = 20
    events: int = 10
    tasks: int = 10


@dataclass(frozen=True, slots=True)
class Left:
    """What went out of the hot state: its kind (a key of `KEYS`), its words, and whether it is over or had no room."""

    kind: str
    text: str
    over: bool = False
    category: str = ""
    importance: float | None = None
    timestamp: float = 0.0


def size_of(state: Mapping[str, Any]) -> int:
    """Bytes of the file."""
    return size(render_hot(state))


def list_of(state: Hot, kind: str) -> list[Any]:
    """The list in which lessons, events, tasks or projects stand."""
    found: list[Any] = state["critical_lessons"] if kind == "lesson" else state["active_context"][f"{kind}s"]
    return found


# --- updates ----------------------------------------------------------------------------------------------


def updated(state: Mapping[str, Any], key: str, value: Any, now: float) -> tuple[Hot, tuple[Left, ...], Any]:
    """(the state with the update, what is over by it, the item that came). Objects are merged key by key, null takes one
    out; items are told by their text or name.

    Raises:
        BadInput: no such key, or a value of the wrong shape.
    """
    if key not in KEYS:
        raise BadInput(f"{key!r} is no part of the hot state", f"parts are {', '.join(KEYS)}")
    out: Hot = deepcopy(dict(state))
    if key in ("identity", "owner_profile"):
        if not isinstance(value, dict) or not value:
            raise BadInput(f"{key} takes a JSON object", f"hot --update {key} '{{\"timezone\": \"Europe/Lisbon\"}}'")
        for name, one in value.items():
            if one is None:
                out[key].pop(name, None)
            else:
                out[key][name] = one
        return out, (), out[key]
    item = _item(key, value, now)
    known = list_of(out, key)
    name = _NAMES[key]
    same = next((one for one in known if isinstance(one, dict) and fold(str(one.get(name, ""))) == fold(item[name])), None)
    if same is not None:
        given = value if isinstance(value, dict) else {}
        same.update({field: one for field, one in item.items() if field != name and (field in given or field not in same)})
        same.pop("id", None)  # what somebody says is theirs, and does not leave by its score
        item = same
    else:
        known.append(item)
    if key in ("task", "project") and is_over(item):
        known.remove(item)
        return out, (left(key, item, over=True),), None
    return out, (), item


def _item(key: str, value: Any, now: float) -> dict[str, Any]:
    name = _NAMES[key]
    given = {name: value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else {}
    if not isinstance(given.get(name), str) or not given[name].strip():
        raise BadInput(f"a {key} needs a {name}", f"hot --update {key} '{{\"{name}\": \"…\"}}'")
    given[name] = " ".join(given[name].split())
    weight = given.get("importance")
    if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1):
        raise BadInput(f"importance {weight!r} is out of range", "give a number from 0.0 to 1.0")
    if key == "lesson":
        given = {"text": given["text"], "category": str(given.get("category", "")), "importance": LESSON_WEIGHT, **given}
    elif key == "task":
        given = {"text": given["text"], "status": "pending", **given}
    elif key == "project":
        given = {"name": given["name"], **given}
    if key != "project":
        given.setdefault("timestamp", int(now))
    return given


def is_over(item: Mapping[str, Any]) -> bool:
    """Whether the status of a task or project says that it is over."""
    words = fold(str(item.get("status", ""))).replace("-", " ").replace(":", " ").replace(",", " ").split()
    return bool(words) and words[0].strip(".!") in OVER


# --- limits -----------------------------------------------------------------------------------------------


def settled(state: Mapping[str, Any], limits: Limits, came: Any = None) -> tuple[Hot, tuple[Left, ...]]:
    """(the state within its limits, what went out for it), the least important first.

    Lists over their number: promoted items, then lessons of the lowest importance, the oldest events and tasks. Bytes:
    promoted items, events, tasks, lessons, projects, then the longest values of the profile. What just `came` goes last.
    """
    out: Hot = deepcopy(dict(state))
    newest = next((one for kind in _NAMES for one in list_of(out, kind) if one == came), None) if came is not None else None
    gone: list[Left] = []
    for kind in ("task", "project"):
        for one in [one for one in list_of(out, kind) if isinstance(one, dict) and is_over(one)]:
            _take(out, kind, one, gone, over=True)
    for kind, most in (("lesson", limits.lessons), ("event", limits.events), ("task", limits.tasks)):
        while len(list_of(out, kind)) > most:
            _take(out, kind, _least(kind, list_of(out, kind), newest), gone)
    while size_of(out) > limits.max_bytes:
        found = _next(out, newest)
        if found is not None:
            _take(out, *found, gone)
        elif not _shed(out, gone):
            break
    return out, tuple(gone)


def _next(state: Hot, newest: Any) -> tuple[str, Any] | None:
    """What goes next for want of bytes."""
    promoted = [(kind, one) for kind in _NAMES for one in list_of(state, kind) if isinstance(one, dict) and one.get("id")]
    if promoted:
        return min(promoted, key=lambda pair: (number(pair[1], "score"), number(pair[1], "timestamp")))
    last: tuple[str, Any] | None = None
    for kind in ("event", "task", "lesson", "project"):
        known = list_of(state, kind)
        if known:
            one = _least(kind, known, newest)
            if one is not newest:
                return kind, one
            last = (kind, one)
    return last


def _least(kind: str, items: list[Any], newest: Any) -> Any:
    def weight(pair: tuple[int, Any]) -> tuple[bool, bool, float, float, int]:
        at, one = pair
        fields = one if isinstance(one, dict) else {}
        value = number(fields, "importance", LESSON_WEIGHT) if kind == "lesson" else 0.0
        return one is newest, not fields.get("id"), value, number(fields, "timestamp"), at

    return min(enumerate(items), key=weight)[1]


def _take(state: Hot, kind: str, item: Any, gone: list[Left], *, over: bool = False) -> None:
    known = list_of(state, kind)
    del known[next(at for at, one in enumerate(known) if one is item)]
    if not (isinstance(item, dict) and item.get("id")):
        gone.append(left(kind, item, over=over))


def _shed(state: Hot, gone: list[Left]) -> bool:
    """The longest value goes: unknown parts, then the profile's, then the identity's. False where nothing is left to take."""
    extra = [name for name in state if name not in PARTS]
    deep = [name for name in state["active_context"] if name not in LISTS]
    for place, names in ((state, extra), (state["active_context"], deep), (state["owner_profile"], None), (state["identity"], None)):
        keys = list(place) if names is None else names
        if keys:
            name = max(keys, key=lambda one: size(str(place[one])))
            kind = "identity" if place is state["identity"] else "owner_profile"
            gone.append(Left(kind, f"{name.replace('_', ' ').capitalize()}: {told(place.pop(name))}"))
            return True
    return False


def left(kind: str, item: Any, *, over: bool = False) -> Left:
    """The item as words for the log."""
    fields = item if isinstance(item, dict) else {_NAMES[kind]: told(item)}
    at = number(fields, "timestamp")
    rest = {k: v for k, v in fields.items() if k not in ("text", "name", "category", "importance", "timestamp", "status", "description")}
    more = "".join(f" {k.replace('_', ' ')}: {told(v)}." for k, v in rest.items() if v not in ("", None))
    if kind == "project":
        about = f": {fields['description']}" if fields.get("description") else ""
        words = _sentence(f"{fields.get('name', '')}{about}") + (_sentence(f" Status: {fields['status']}") if fields.get("status") else "")
        return Left(kind, f"Project {words}{more}", over, timestamp=at)
    text = _sentence(str(fields.get("text", ""))) + more if more else str(fields.get("text", ""))
    return Left(kind, text, over, str(fields.get("category", "")), number(fields, "importance", LESSON_WEIGHT) if kind == "lesson" else None, at)


def _sentence(text: str) -> str:
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text}."


# --- promotion --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bright:
    """A logged event whose score makes it hot. `is_task`: a to-do that is open."""

    id: str
    text: str
    score: float
    timestamp: int
    is_task: bool = False


def promoted(state: Mapping[str, Any], bright: Iterable[Bright], limits: Limits) -> Hot:
    """The state with the events that are hot now in the room that is left, the highest score first; those that no longer
    are hot have left. An event whose words stand there already is not said twice."""
    out: Hot = deepcopy(dict(state))
    found = {one.id: one for one in bright}
    for kind in ("event", "task"):
        known = list_of(out, kind)
        known[:] = [one for one in known if not (isinstance(one, dict) and one.get("id")) or one["id"] in found]
        for one in known:
            if isinstance(one, dict) and one.get("id") and one.get("text") != found[one["id"]].text:
                one["text"] = found[one["id"]].text
    said = {fold(str(one.get("text", ""))) for kind in ("event", "task", "lesson") for one in list_of(out, kind) if isinstance(one, dict)}
    for new in sorted(found.values(), key=lambda one: (-one.score, -one.timestamp, one.id)):
        if fold(new.text) in said:
            continue
        kind = "task" if new.is_task else "event"
        known = list_of(out, kind)
        if len(known) >= (limits.tasks if new.is_task else limits.events):
            continue
        known.append({"text": new.text, **({"status": "pending"} if new.is_task else {}), "timestamp": new.timestamp, "id": new.id})
        if size_of(out) > limits.max_bytes:
            known.pop()
        else:
            said.add(fold(new.text))
    return out


# --- taking back ------------------------------------------------------------------------------------------


def unwound(before: Mapping[str, Any], made: Mapping[str, Any], now: Mapping[str, Any], limits: Limits) -> tuple[Hot, tuple[Left, ...]]:
    """(the state as it is now without what a run changed from `before` to `made`, what should come back and has no room)."""
    out: Hot = deepcopy(dict(now))
    for part in ("identity", "owner_profile"):
        old, new = before[part], made[part]
        for name in old.keys() | new.keys():
            if old.get(name) != new.get(name) and out[part].get(name) == new.get(name):
                if name in old:
                    out[part][name] = old[name]
                else:
                    out[part].pop(name, None)
    if size_of(out) > max(limits.max_bytes, size_of(now)):
        out = deepcopy(dict(now))
    lost: list[Left] = []
    for kind, name in _NAMES.items():
        lost += _unwind_items(out, kind, _by_name(before, kind, name), _by_name(made, kind, name), limits)
    return out, tuple(lost)


def _unwind_items(out: Hot, kind: str, old: Mapping[str, Any], new: Mapping[str, Any], limits: Limits) -> Iterator[Left]:
    known = list_of(out, kind)
    for key in new.keys() - old.keys():
        if new[key] in known:
            known.remove(new[key])
    here = _by_name(out, kind, _NAMES[kind])
    for key, one in old.items():
        if key not in new and key not in here:
            known.append(one)
            if settled(out, limits)[0] != out:
                known.pop()
                if not one.get("id"):
                    yield left(kind, one, over=is_over(one))
        elif key in new and new[key] != one and here.get(key) == new[key]:
            at = known.index(new[key])
            known[at] = one
            if settled(out, limits)[0] != out:
                known[at] = new[key]


def _by_name(state: Mapping[str, Any], kind: str, name: str) -> dict[str, Any]:
    return {fold(str(one.get(name, ""))): one for one in list_of(dict(state), kind) if isinstance(one, dict)}
