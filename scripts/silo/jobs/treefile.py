"""The tree of an agent read, counted and written, whoever asks: its own verb, a store, what a commit brings along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from silo.core import tree as trees
from silo.core.dedupe import id_of
from silo.core.importance import HOT, WARM, importance, score, tier
from silo.core.tree import Counted, Filed, Tree
from silo.edge.reader import Reader
from silo.formats.topics import TopicFile, info
from silo.formats.warm import parse_tree, parse_warm, render_tree
from silo.jobs.call import Call
from silo.jobs.reading import PRIVATE, Topics, read_events, read_topics
from silo.jobs.warmread import read_tree as read_tree
from silo.jobs.warmread import tree_path as tree_path
from silo.model import Event, Fact, TopicInfo, Write
from silo.text.fold import fold
from silo.text.lines import decode, encode, sha256


def limits_of(call: Call) -> trees.Limits:
    """How large a tree may grow, under the published keys."""
    whole = call.config.integer
    return trees.Limits(
        whole("tree", "max_nodes", trees.MOST_NODES), whole("tree", "max_depth", trees.MOST_DEPTH), whole("tree", "max_size_bytes", trees.MOST_BYTES)
    )


def tree_lines(call: Call, workspace: Reader) -> str:
    """The tree as text for the session's start; empty where there is none."""
    nodes, _ = read_tree(workspace, call.config.agent)
    return "\n".join(list(trees.shown(counted_tree(call, workspace, nodes)))[2:-3]) if nodes else ""


def unwound_tree(before: str, made: str, now: str) -> str:
    """The text of a tree without what a run changed in it; counts are those of the next run."""
    back = trees.taken_back(parse_tree(before, "")[0], parse_tree(made, "")[0], parse_tree(now, "")[0])
    return render_tree(back.values())


def shape(nodes: Tree) -> list[tuple[object, ...]]:
    """All of a tree but when it was last asked for."""
    return sorted((one.path, one.desc, one.warm_count, one.cold_count, one.children) for one in nodes.values())


def tree_write(workspace: Reader, agent: str, nodes: Tree) -> Write | None:
    """The change of the file; None where nothing differs."""
    path = tree_path(agent)
    before = workspace.read(path)
    after = encode(render_tree(nodes.values()))
    if before == after or (before is None and not nodes):
        return None
    return Write(path, sha256(before) if before is not None else None, after, "tree")


def store_writes(
    call: Call, workspace: Reader, topics: Topics, events: Iterable[Event], new: Event, warm: frozenset[str] | None = None
) -> tuple[tuple[Write, ...], tuple[str, ...]]:
    """(the tree's change with a store, notes): the new event counted, its category grown within the limits.

    `warm`: the ids of the warm set once the statement is in. A full tree counts it in the nearest category; a damaged one is
    left alone. Neither is an error.
    """
    nodes, problems = read_tree(workspace, new.agent)
    if problems:
        return (), (f"{problems[0].where} {problems[0].code}: the tree is left alone",)
    if new.category:
        nodes = trees.grow(nodes, new.category, call.now.timestamp(), limits_of(call))
    if not nodes:
        return (), ()
    counted = _counted(call, workspace, nodes, topics, [*events, new], warm)
    if counted.size > limits_of(call).size:
        return (), ("the tree is full: the statement counts in it, the file is not rewritten",)
    write = tree_write(workspace, new.agent, counted.nodes)
    return ((write,) if write else ()), ()


# --- counting ---------------------------------------------------------------------------------------------


def counted_tree(call: Call, workspace: Reader, nodes: Tree, warm: frozenset[str] | None = None, *, group: bool = False) -> Counted:
    """The nodes with the counts of all facts of the agent as they are now; `warm`: the warm set, if not that of the file;
    for a group of what it may see."""
    events = [one for file in read_events(workspace) for one in file.events]
    topics = read_topics(workspace)
    if group:
        events = [one for one in events if one.slug not in topics.private and not one.path.startswith(PRIVATE)]
        topics = topics.seen_by(call.config.agent, group=True)
    return _counted(call, workspace, nodes, topics, events, warm)


def for_group(workspace: Reader, nodes: Tree) -> Tree:
    """The tree without categories that bear a private topic's name, and all below them."""
    private = {fold(name) for name in read_topics(workspace).private}
    return trees.linked({path: node for path, node in nodes.items() if private.isdisjoint(fold(path).split("/"))})


def filed_facts(call: Call, workspace: Reader) -> list[Filed]:
    """Every fact of the agent as the tree sees it."""
    events = [one for file in read_events(workspace) for one in file.events]
    return list(_filed(call, workspace, read_topics(workspace), events))


def _counted(
    call: Call, workspace: Reader, nodes: Tree, topics: Topics, events: list[Event], warm: frozenset[str] | None = None
) -> Counted:
    return trees.count(nodes, _filed(call, workspace, topics, events, warm), call.now.timestamp())


def _filed(
    call: Call, workspace: Reader, topics: Topics, events: list[Event], warm: frozenset[str] | None = None
) -> Iterator[Filed]:
    """Each fact once: events of the agent, and curated facts that rest on no event of the log.

    An event is warm where the warm set holds it; before there is one, where its score says so. Curated facts stay warm.
    """
    agent = call.config.agent
    infos = {one.slug: one for one in topics.infos}
    warm_ids = warm if warm is not None else _warm_ids(workspace, agent)
    access = workspace.state.items("access")
    for event in events:
        if event.agent != agent:
            continue
        ident = id_of(event)
        number, last = _used(access.get(ident))
        is_warm = ident in warm_ids if warm_ids is not None else _is_warm(call, event, number)
        yield Filed(_places(event, infos.get(event.slug)), is_warm, _at(max(event.date, last)))
    logged = {event.id for event in events if event.id}
    for file in topics.files:
        about = infos.get(file.slug) or info(file)
        if not about.agents or agent in about.agents:
            for fact in _own_facts(file, logged):
                place = (about.path, about.slug) if about.path else (about.slug,)
                yield Filed(place, True, _at(fact.seen or fact.since))


def _own_facts(file: TopicFile, logged: set[str]) -> Iterator[Fact]:
    return (fact for fact in file.facts if not logged.intersection(fact.source.split(",")))


def _places(event: Event, topic: TopicInfo | None) -> tuple[str, ...]:
    found = (event.category, topic.path if topic is not None else "", event.slug)
    return tuple(dict.fromkeys(place for place in found if place))


def _is_warm(call: Call, event: Event, used: int) -> bool:
    weight = importance(event.tag, event.confidence, event.importance)
    return tier(score(weight, event.date, call.today, used)) in (HOT, WARM)


def _warm_ids(workspace: Reader, agent: str) -> frozenset[str] | None:
    path = f".silo/agents/{agent}/warm-memory.json"
    data = workspace.read(path)
    return frozenset(entry.id for entry in parse_warm(decode(data), path)[0]) if data is not None else None


def _used(value: object) -> tuple[int, str]:
    if not isinstance(value, dict):
        return 0, ""
    number, last = value.get("count"), value.get("last")
    return (number if isinstance(number, int) else 0), (last if isinstance(last, str) else "")


def _at(day: str) -> float:
    """Noon of a day as seconds since 1970; 0 for no day."""
    try:
        return datetime.fromisoformat(day[:10]).replace(hour=12, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
