"""The jobs behind `init` and `topic`: a workspace made ready, topics listed and opened."""

from __future__ import annotations

from silo.core.views import INDEX, plan_index
from silo.errors import BadInput
from silo.formats.events import slug_for, valid_slug
from silo.formats.topics import new_topic
from silo.jobs.memory import PRIVATE_TOPICS, TOPICS, read_topics
from silo.jobs.run import Call, Report, commit
from silo.model import GENERAL, Plan, TopicInfo, Write
from silo.text.lines import encode
from silo.text.redact import redact


def init(call: Call) -> Report:
    """The workspace exists and holds the topic index; what was there stays as it was."""
    workspace = call.open(create=not call.dry_run)
    topics = read_topics(workspace)
    report = Report(data={"workspace": str(workspace.root), "topics": len(topics.infos)})
    commit(call, workspace, Plan("init", plan_index(topics.infos, workspace.read(INDEX))), report)
    report.lines.insert(0, f"OK {workspace.root} is ready: {len(topics.infos)} topics")
    report.problems(topics.problems)
    report.lines.append("NEXT extract_session.py reads the sessions; curate_nightly.py brings them into topics; see SKILL.md for schedules")
    return report


def list_topics(call: Call, *, archived: bool, audience: str = "owner") -> Report:
    """Every topic with its type, status and summary; for a group those that it may know of."""
    workspace = call.open()
    topics = read_topics(workspace)
    if audience == "group":
        topics = topics.seen_by(call.config.agent, group=True)
    shown = [one for one in topics.infos if archived or one.status != "archived"]
    report = Report(
        data={
            "topics": [
                {
                    "slug": one.slug,
                    "type": one.type,
                    "status": one.status,
                    "tags": list(one.tags),
                    "summary": one.summary,
                    "sensitivity": one.sensitivity,
                    "last_verified": one.last_verified,
                    "file": one.file,
                }
                for one in shown
            ]
        }
    )
    report.lines = [f"{one.slug} | {one.type} | {one.status} | {one.summary}" for one in shown]
    if not shown:
        report.lines.append('OK no topics yet\nNEXT memory_cli.py topic new SLUG --summary "what belongs here"')
    if audience == "owner":
        report.problems(topics.problems)  # they name files
    return report


def new(
    call: Call,
    *,
    slug: str | None,
    kind: str,
    summary: str,
    tags: tuple[str, ...],
    entities: tuple[str, ...],
    private: bool,
) -> Report:
    """Exactly one new topic file, and the index that names it.

    Raises:
        BadInput: no slug, a bad one, or one that has a file.
    """
    if not slug:
        raise BadInput("topic new needs a slug", "memory_cli.py topic new boat-rental --summary \"what belongs here\"")
    if valid_slug(slug) is None or slug == GENERAL:
        near = slug_for(redact(slug)[0])
        raise BadInput(f"{slug!r} can't name a topic", f"try {near}" if near and near != GENERAL else "use a-z, 0-9 and single inner dashes")
    workspace = call.open()
    topics = read_topics(workspace)
    if slug in topics.slugs:
        raise BadInput(f"the topic {slug} exists already", f"memory_cli.py load {slug}")
    clean, found = redact(" ".join(summary.split()))
    text = new_topic(
        slug,
        type=kind,
        created=call.today.isoformat(),
        summary=clean,
        tags=tags,
        entities=entities,
        extra={"sensitivity": "private"} if private else None,
    )
    path = f"{PRIVATE_TOPICS if private else TOPICS}/{slug}.md"
    fresh = TopicInfo(slug, type=kind, tags=tags, summary=clean, sensitivity="private" if private else "normal", file=path)
    changes = (Write(path, None, encode(text), "new topic"), *plan_index((*topics.infos, fresh), workspace.read(INDEX)))
    report = Report(data={"slug": slug, "file": path})
    commit(call, workspace, Plan("topic", changes), report)
    report.lines.insert(0, f"OK {'would open' if call.dry_run else 'opened'} topic {slug}: {path}")
    if found:
        report.lines.append("NOTE a secret in the summary was replaced")
    return report
