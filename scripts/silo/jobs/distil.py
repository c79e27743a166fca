"""The job behind `distil`: a conversation in a few words, by rule or by a model. Writes nothing but the ledger of calls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from silo.core.distil import Distilled, core_summary, distil
from silo.core.engines.distilling import Conversation, task
from silo.edge.distil_words import load_distil_words
from silo.edge.lang import load_languages
from silo.edge.llm.templates import load_head, load_openers, load_schema
from silo.edge.reader import Reader
from silo.errors import BadInput, Busy
from silo.formats.dialogue import one_speaker_a_line, read_dialogue
from silo.formats.graph import parse_graph
from silo.jobs.choice import RULES, choose
from silo.jobs.run import Call, Report
from silo.model import Origin, Session, Turn
from silo.text.addresses import addresses
from silo.text.budget import size
from silo.text.disguise import visible
from silo.text.lines import decode
from silo.text.redact import redact

if TYPE_CHECKING:
    from silo.jobs.choice import Choice

GRAPHS = ("memory/ontology/graph.jsonl", ".silo/private/graph.jsonl")
WAIT = 30.0  # seconds for another conversation to be done with the model


@dataclass(frozen=True, slots=True)
class DistilOptions:
    """What was asked for. `mode`: rule, llm, or "" for that of the configuration."""

    text: str
    mode: str = ""
    endpoint: str | None = None
    engine: str | None = None
    model: str | None = None
    summary: bool = False


def distilled(call: Call, options: DistilOptions) -> Report:
    """The published object: the fields, how they were made, and sizes in bytes; with every address of the text.

    Raises:
        BadInput: no words in the text, a mode or engine that does not exist.
    """
    clean, _ = redact(visible(options.text))
    if not clean.strip():
        raise BadInput("there is no text to distil", 'memory_cli.py distill --text "User: … Agent: …", or --file FILE')
    session = _session(call, clean)
    report = Report()
    mode, value = "rule", None
    if _mode(call, options) == "llm":
        value, notes = _by_model(call, options, session)
        report.lines += [f"NOTE {note}" for note in notes]
        mode = "rule" if value is None else "llm"
    if value is None:
        value = by_rule(call, session)
    return _tell(report, options, clean, value, mode)


def by_rule(call: Call, session: Session) -> Distilled:
    """The rules' answer, in the sizes of the configuration."""
    return distil(
        session,
        load_languages(),
        load_distil_words(),
        people=_known_people(call),
        most_bytes=_most_bytes(call),
        aggression=_share(call),
    )


def _tell(report: Report, options: DistilOptions, text: str, value: Distilled, mode: str) -> Report:
    found = addresses(text)
    fields = value.as_data()
    data: dict[str, object] = {
        "distilled": fields,
        "mode": mode,
        "original_size": size(options.text),
        "distilled_size": size(json.dumps(fields, ensure_ascii=False)),
        "metadata": {"urls": list(found.urls), "commands": list(found.commands), "paths": list(found.paths)},
        "notes": [line.removeprefix("NOTE ") for line in report.lines],
    }
    if options.summary:
        data["core_summary"] = core_summary(value.fact)
    report.data = report.published = data
    report.lines += [value.fact, *(f"{name}: {', '.join(map(str, part)) if isinstance(part, list) else part}" for name, part in fields.items() if name != "fact" and part)]
    report.lines += [f"summary: {data['core_summary']}"] if options.summary else []
    report.lines += [f"URL {url}" for url in found.urls]
    return report


def _session(call: Call, text: str) -> Session:
    """The text as a conversation; without speakers each paragraph is the owner's."""
    said = read_dialogue(one_speaker_a_line(text), call.config.zone, call.now)
    turns = tuple(
        Turn(one.id, one.role, Origin.OWNER if one.role == "user" else Origin.AGENT, call.now, one.text) for one in said if one.text.strip()
    )
    return Session("distil", "text", call.config.agent, turns)


def _mode(call: Call, options: DistilOptions) -> str:
    return options.mode or ("llm" if options.engine or options.endpoint else str(call.config.section("distillation").get("mode") or "rule"))


def _most_bytes(call: Call) -> int:
    """Bytes of the statement; the default where the setting leaves no room for any."""
    value = call.config.integer("distillation", "max_distilled_bytes", 100)
    return value if value > 0 else 100


def _share(call: Call) -> float:
    value = call.config.section("distillation").get("aggression", 0.7)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 else 0.7


def _known_people(call: Call) -> tuple[str, ...]:
    """Names of the people that the graph knows; none where there is no workspace."""
    if not call.config.workspace.is_dir():
        return ()
    reader = Reader.open(call.config.workspace)
    names: list[str] = []
    for path in GRAPHS:
        data = reader.read(path)
        graph = parse_graph(decode(data), path) if data else None
        names += [name for one in (graph.entities.values() if graph else ()) if one.type == "Person" for name in one.names]
    return tuple(names)


def _by_model(call: Call, options: DistilOptions, session: Session) -> tuple[Distilled | None, list[str]]:
    """(the model's answer, or None where the rules have to do it, what to say)."""
    engine = options.engine or ("http" if options.endpoint else None)
    choice = choose(call, "distil", engine, options.model, options.endpoint)
    if choice.engine == RULES:
        return None, ["no engine is configured for distil: the rules did it (--llm-endpoint URL, or engines.distil.engine in the configuration)"]
    return _asked(call, choice, session)


def _asked(call: Call, choice: Choice, session: Session) -> tuple[Distilled | None, list[str]]:
    from silo.jobs.engines import engines_for

    made = task(
        load_head("distil"), load_schema("distil-answer"), load_openers(), _most_bytes(call),
        lambda _: by_rule(call, session),
    )  # fmt: skip
    workspace = call.open(create=True)
    try:
        with workspace.job("distil", wait=WAIT):
            engines = engines_for(call, workspace, "distil", choice)
            answer = engines.ask(made, [Conversation(session)])[0]
    except Busy as busy:
        return None, [f"{busy}: the rules did it"]
    return (None if answer.by == RULES else answer.value), engines.notes
