"""Daily notes of the host into the event log: each line once, whatever its age.

A line is known by the note's path and a hash of its words, so an interrupted run goes on where it stopped and a line added
later is found. What a line is (tag, confidence, topic) is told by the caller; secrets are replaced, text that instructs
waits in the review queue. The notes themselves are never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from silo.core.dedupe import Log
from silo.core.doors import Numbering
from silo.formats.decisions import review_id, review_line
from silo.formats.events import MAX_TEXT
from silo.formats.fields import sentence_end
from silo.formats.notes import Note, Statement, parse_note
from silo.model import Confidence, Event, Put, StateOp, Tag
from silo.text.injection import forged_marks, inert, instruction_like
from silo.text.lines import decode, encode, one_line, sha256
from silo.text.redact import redact, redact_lines

Tagger = Callable[[Statement, str], tuple[Tag, Confidence] | None]  # a line of a note and its day; None: nothing to keep
Router = Callable[[str], str]  # text → slug


@dataclass(slots=True)
class Ingested:
    """What the notes bring: events for the log, lines for the review queue, what is remembered of it."""

    events: list[Event] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    state: list[StateOp] = field(default_factory=list)
    restated: int = 0


def ingest(
    notes: Mapping[str, bytes], known: Mapping[str, object], log: Callable[[], tuple[Log, Numbering]], tagger: Tagger, router: Router, today: str
) -> Ingested:
    """The new lines of daily notes (path → bytes) as events.

    `known` is what earlier runs remembered (`Ingested.state`): a note whose hash stands there is not even read. `log` gives
    the log so far; it is asked for only where there is a new line.
    """
    found = Ingested()
    held: tuple[Log, Numbering] | None = None
    for path, data in sorted(notes.items()):
        digest = sha256(data)
        if known.get(path) == digest:
            continue
        text = redact_lines(decode(data))  # a key of several lines shows as a whole only
        note = parse_note(text, path)
        around = _around(note, text)
        for key, said in _fresh(note, known):
            held = held or log()
            _take(found, note, key, said, around[said.line], held, tagger, router, today)
        found.state.append(Put("ingested", path, digest))
    return found


def _fresh(note: Note, known: Mapping[str, object]) -> Iterable[tuple[str, Statement]]:
    """The statements that no earlier run has seen, each with its key. What the assistant said in a session's dump is the
    transcript's business."""
    seen: set[str] = set()
    for said in note.statements:
        key = f"{note.path}#{sha256(encode(one_line(said.text)))[:16]}"
        if key not in known and key not in seen and said.speaker != "assistant":
            seen.add(key)
            yield key, said


def _around(note: Note, text: str) -> dict[int, str]:
    """For each statement, by its line, the lines of the note that are its own and those next to it: marks of a memory that
    stand there make it a forgery, and the statement's own text has none left."""
    lines = text.split("\n")
    starts = [said.line for said in note.statements]
    ends = [*starts[1:], len(lines) + 1]
    return {start: "\n".join(lines[max(0, start - 3) : end]) for start, end in zip(starts, ends, strict=True)}


def _take(
    found: Ingested, note: Note, key: str, said: Statement, around: str, held: tuple[Log, Numbering], tagger: Tagger, router: Router, today: str
) -> None:
    log, numbering = held
    found.state.append(Put("ingested", key, note.date))
    if said.text.startswith(">"):
        return  # a quotation, in a list
    reason = instruction_like(said.text, own=True) or forged_marks(around)
    if reason is not None:
        text = f"{reason} ({note.path}:{said.line}): {inert(redact(said.text)[0])}"
        ident = review_id([], [key])
        found.review.append(review_line(ident, kind="quarantine", topic="", facts=(), events=(), created=today, text=text, more={"said": inert(redact(said.text)[0]), "day": note.date, "source": f"note/{note.path}#{said.line}"}))
        return
    told = tagger(said, note.date)
    if told is None:
        return
    tag, confidence = told
    for text in parts(redact(one_line(said.text))[0]):
        event = Event(note.date, tag, router(text), text, confidence=confidence, source=f"note/{note.path}#{said.line}")
        same = log.restates(event)
        if same is not None:
            found.state.append(Put("restated", f"{same}@{event.date}", event.source))
            found.restated += 1
            continue
        event = numbering.number(event)
        log.add([event])
        found.events.append(replace(event, path=f"memory/events/{event.date}.md"))


def parts(text: str) -> list[str]:
    """The text in pieces of at most 500 characters, cut at sentence ends where there are any, else between words."""
    found: list[str] = []
    while len(text) > MAX_TEXT:
        end, stop = 0, sentence_end(text, 0)
        while stop <= MAX_TEXT and stop > end:
            end, stop = stop, sentence_end(text, stop + 1)
        if not end:
            end = text.rfind(" ", 0, MAX_TEXT) if " " in text[:MAX_TEXT] else MAX_TEXT
        found.append(text[:end].strip())
        text = text[end:].strip()
    return [*found, text] if text else found
