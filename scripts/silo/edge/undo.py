"""Taking a run back: a plan that restores its files byte for byte, or takes its part out of what has changed since.

Lines that a run appended go by their content, rewritten files by a three-way merge; where a later change and the undo
meet, the later one stays and both sides wait in review. What was undone is remembered in the table `undone`, so that
extraction and curation do not bring it back. Cursors, chain, health, counts and base copies are never rewound.
Plans only; the commit is as for any other plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from silo.edge.fs import bytes_at, digest
from silo.edge.history import History, refusal
from silo.edge.places import Places, is_lines, is_log, keeps_base
from silo.edge.runs import Run, Step
from silo.edge.state import State
from silo.edge.unwind import Part, Unwind, Unwound, by_lines, twin, without_lines
from silo.errors import Conflict
from silo.formats.decisions import review_line
from silo.formats.events import parse_file
from silo.formats.topics import is_archive, parse_topic, slug_of
from silo.model import Append, Change, Drop, Event, Move, Plan, Put, Remove, StateOp, Write
from silo.text.diff3 import shown
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact

UNDONE = "undone"
RECONCILED = "reconciled"
REVIEW = ".silo/review.jsonl"


@dataclass(slots=True)
class _Files:
    """The files as they will be; what is not changed here is read from the disk."""

    places: Places
    wanted: dict[str, bytes | None] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)  # where a file goes → where it lies
    why: dict[str, str] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        return self.wanted[path] if path in self.wanted else bytes_at(self.places.writable(path), path)

    def write(self, path: str, data: bytes | None) -> None:
        self.wanted[path] = data

    def changes(self) -> list[Change]:
        made: list[Change] = []
        wanted = dict(self.wanted)
        for to, path in self.moves.items():
            there, data = bytes_at(self.places.writable(path), path), wanted.get(to)
            if there is not None and data is not None and wanted.get(path, b"") is None:
                made.append(Move(path, to, sha256(there), "undo"))
                if data != there:
                    made.append(Write(to, sha256(there), data, "undo"))
                del wanted[to], wanted[path]
        for path, data in wanted.items():
            there = bytes_at(self.places.writable(path), path)
            if data == there:
                continue
            if data is not None:
                made.append(Write(path, digest(there), data, "undo"))
            elif there is not None:
                made.append(Remove(path, sha256(there), "undo"))
        return made


class Undo:
    """The undoing of one run, planned on the workspace as it is now."""

    def __init__(
        self,
        places: Places,
        state: State,
        history: History,
        unwind: Unwind | None = None,
        held_back: Collection[str] = (),
    ) -> None:
        self._state = state
        self._held_back = held_back
        self._history = history
        self._unwind = unwind or (lambda part: None)
        self._files = _Files(places)
        self._notes: list[str] = []
        self._review: list[str] = []
        self.copies: list[tuple[str, bytes]] = []  # what can't be put back, to be kept as conflict copies
        self.bases: dict[
            str, bytes
        ] = {}  # base copies, where a person's edit is in the file beside our last write

    def plan(self, run: Run, at: str) -> Plan:
        """The plan that takes `run` back; `at` is the ISO instant that review items get.

        Raises:
            Conflict: it can't be undone, and why.
        """
        past = self._history.all()
        why = refusal(past, run)
        if why is not None:
            raise Conflict(why, "`log` lists the runs")
        moved = _moves(past, run)
        gone = {step.moved_from for step in run.steps if step.moved_from}
        for step in reversed(run.steps):
            if step.path in run.kept or (step.kind == "remove" and step.path in gone):
                continue
            self._take_back(run, step, moved, at)
        if self._review and REVIEW in self._files.wanted:  # the run's own questions go in the same file
            before = self._files.read(REVIEW) or b""
            self._files.write(
                REVIEW, before + (b"" if before.endswith(b"\n") or not before else b"\n") + self._asked()
            )
        changes = self._files.changes()
        if any(change.path in self._held_back for change in changes):
            left = [
                change for change in changes if isinstance(change, Remove) or change.path in self._held_back
            ]
            changes = [change for change in changes if change not in left]
            self._notes += [f"{change.path} is not yet as it was before run {run.id}." for change in left]
        if self._review and REVIEW not in self._files.wanted:
            changes.append(Append(REVIEW, self._asked(), why="undo"))
        return Plan("undo", tuple(changes), tuple(self._remembered(run, past)), notes=tuple(self._notes))

    def _take_back(self, run: Run, step: Step, moved: dict[str, str], at: str) -> None:
        path = step.path
        seen = {path}
        while self._files.read(path) is None and path in moved and moved[path] not in seen:
            path = moved[path]
            seen.add(path)
        now = self._files.read(path)
        if step.kind == "append":
            self._shorten(run, step, path, now, at)
        elif step.moved_from:
            self._move_back(run, step, path, now, at)
        elif digest(now) == step.new:
            self._exactly(run, step, path, path, self._history.before(step, run))
        elif digest(now) != step.old:
            self._merge(run, step, path, path, now, self._history.before(step, run), at)

    def _along(self, run: Run, path: str, to: str) -> None:
        """The file is moved back, and the archive beside it that a later run has made."""
        if self._held_back:
            return
        self._files.moves[to] = path
        beside, there = (name.removesuffix(".md") + ".archive.md" for name in (path, to))
        data = self._files.read(beside)
        ours = any(there in (step.path, step.moved_from) for step in run.steps)
        if "topics/" in path and not is_archive(path) and data is not None and not ours and self._files.read(there) is None:
            self._files.write(beside, None)
            self._files.write(there, data)
            self._files.moves[there] = beside

    def _exactly(self, run: Run, step: Step, path: str, to: str, before: str | None) -> None:
        """Nothing has changed since: the file and its base copy are as they were."""
        self._files.write(to, None if before is None else encode(before))
        was, _ = self._history.bases(step, run)
        if was is not None and self._base(path) is not None:
            self.bases[to] = encode(was)

    def _base(self, path: str) -> str | None:
        """Our last write of a file; None where none is kept."""
        data = bytes_at(self._files.places.base(path), path) if keeps_base(path) else None
        return None if data is None else decode(data)

    def _move_back(self, run: Run, step: Step, path: str, now: bytes | None, at: str) -> None:
        back = self._history.held(step, run)
        if self._files.read(step.moved_from) is not None:
            self._notes.append(f"{path} stays where it is: there is another {step.moved_from} now.")
        elif now is None:
            self._notes.append(f"{step.path} is gone since; {step.moved_from} has its old contents again.")
            self._files.write(step.moved_from, None if back is None else encode(back))
        else:
            self._files.write(path, None)
            self._along(run, path, step.moved_from)
            if digest(now) == step.new and back is not None:
                self._exactly(run, step, path, step.moved_from, back)
            else:
                self._merge(run, step, path, step.moved_from, now, back, at)

    def _merge(
        self, run: Run, step: Step, path: str, to: str, now: bytes | None, before: str | None, at: str
    ) -> None:
        """A file that somebody changed since: the run's part is taken out of it."""
        made = self._history.made(step, run)
        if now is None and not is_lines(path):
            self._notes.append(f"{path} was removed since and stays so.")
            return
        base = self._base(path)
        part = Part(path, step.kind, before, made, "", decode(now or b""), base)
        unwound = self._unwind(part) or by_lines(part)
        if now is None and not unwound.text:
            return
        left = unwound.base
        if left is None and base is not None and step.kind == "put":
            was, after = self._history.bases(step, run)
            left = by_lines(Part(path, step.kind, was, after, "", base)).text
        if left is not None:
            self.bases[to] = encode(left)
        if unwound.clashes and before is not None:
            self.copies.append((to, encode(before)))
        self._files.write(to, None if unwound.text is None else encode(unwound.text))
        self._clashed(run, to, unwound, at)

    def _shorten(self, run: Run, step: Step, path: str, now: bytes | None, at: str) -> None:
        """The lines that the run appended are gone from the file."""
        whole = encode(step.head + step.sep + step.added)
        if now is not None and digest(now) == step.new and now[step.old_size :] == whole:
            self._files.write(path, now[: step.old_size] if step.old is not None else None)
            return
        elsewhere = self._files.read(twin(path)) if is_log(path) else None
        if elsewhere is not None:
            rest = without_lines(Part(twin(path), step.kind, None, None, step.added, decode(elsewhere)))
            self._files.write(twin(path), None if rest.text is None else encode(rest.text))
        if now is None:
            return
        part = Part(path, step.kind, None, None, step.added, decode(now))
        unwound = self._unwind(part) or without_lines(part)
        bare = unwound.text is not None and step.old is None and unwound.text.strip() == step.head.strip()
        self._files.write(path, None if unwound.text is None or bare else encode(unwound.text))
        self._clashed(run, path, unwound, at)

    def _clashed(self, run: Run, path: str, unwound: Unwound, at: str) -> None:
        for clash in unwound.clashes:
            told = (
                f"{path}:{clash.line} was changed after run {run.id}, which is undone now. It stands as it is now:\n"
                f"{shown(clash.theirs) or '(nothing)'}\nBefore that run it was:\n{shown(clash.mine) or '(nothing)'}"
            )
            ident = "r_" + sha256(encode(f"{run.id}\x1f{path}\x1f{clash.mine}\x1f{clash.theirs}"))[:12]
            topic = slug_of(path) if "topics/" in path else ""
            self._review.append(
                review_line(
                    ident, kind="edit", topic=topic, facts=(), events=(), created=at, text=redact(told)[0]
                )
            )
        if unwound.clashes:
            self._notes.append(
                f"{path} was changed since where the run had changed it; that stays, see `review`."
            )

    def _asked(self) -> bytes:
        return encode("".join(line + "\n" for line in self._review))

    # --- what is remembered ---

    def _remembered(self, run: Run, past: Sequence[Run]) -> Iterable[StateOp]:
        """What the run brought is marked undone; what an undo had marked is free again."""
        first, undos = run, 0  # the run at the end of undo of undo of …
        while first.undoes:
            before = next((row for row in past if row.id == first.undoes), None)
            if before is None:
                break
            first, undos = before, undos + 1
        if undos % 2 or first.undoes or first.dropped:
            for op in run.state:
                if op.table == UNDONE:
                    yield (
                        Drop(UNDONE, op.key)
                        if isinstance(op, Put)
                        else Put(UNDONE, op.key, {"run": first.id})
                    )
            return
        keys = self._brought(first)
        known = self._state.items(UNDONE)
        for key in sorted(keys.keys() - known.keys()):
            yield Put(UNDONE, key, {"run": first.id, "events": sorted(keys[key])})

    def _brought(self, run: Run) -> dict[str, set[str]]:
        """The keys of what a run brought (events, their messages, event>fact pairs), each with the events it is about."""
        keys: dict[str, set[str]] = {}
        for step in run.steps:
            if step.path in run.kept:
                continue
            if is_log(step.path):
                for event in self._logged(step, run):
                    for key in (event.id, *messages(event)):
                        keys.setdefault(key, set()).add(event.id)
            elif "topics/" in step.path and step.kind == "put":
                for event_id, fact_id in self._curated(step, run):
                    keys.setdefault(f"{event_id}>{fact_id}", set()).add(event_id)
        return keys

    def _logged(self, step: Step, run: Run) -> list[Event]:
        """The events that a run brought into a log file."""
        if step.kind == "append":
            before, made = "", step.added
        else:
            before, made = self._history.before(step, run) or "", self._history.made(step, run) or ""
        had = {event.id for event in parse_file(before, step.path).events}
        return [event for event in parse_file(made, step.path).events if event.id and event.id not in had]

    def _curated(self, step: Step, run: Run) -> set[tuple[str, str]]:
        """The (event, fact) pairs that a run brought into a topic file, by its changelog and its facts."""
        before, made = self._history.held(step, run) or "", self._history.made(step, run) or ""
        return _pairs(made, step.path) - _pairs(before, step.path)


def again(state: State, ids: Iterable[str]) -> tuple[Drop, ...]:
    """Operations after which the events, or all of the runs, of these ids may be extracted and curated again: the marks go,
    and what curation remembers of an event that it is to look at anew."""
    wanted = set(ids)
    found: list[Drop] = []
    for key, value in state.items(UNDONE).items():
        about = {key, *(value.get("events", ()) if isinstance(value, dict) else ())}
        run = value.get("run") if isinstance(value, dict) else None
        if wanted & about or run in wanted:
            found.append(Drop(UNDONE, key))
            event, pair, _ = key.partition(">")
            if pair and Drop(RECONCILED, event) not in found:
                found.append(Drop(RECONCILED, event))
    return tuple(found)


def messages(event: Event) -> tuple[str, ...]:
    """`<session>#<message>` for each message of an event's source `<source>/<session>#<message>[,<message>…]`."""
    session, mark, ids = event.source.partition("/")[2].rpartition("#")
    return tuple(f"{session}#{message}" for message in ids.split(",") if message) if mark else ()


def _pairs(text: str, path: str) -> set[tuple[str, str]]:
    topic = parse_topic(text, path)
    found = {(event, fact.id) for fact in topic.facts for event in fact.source.split(",")}
    found |= {
        (event, fact) for entry in topic.changes for fact in entry.facts for event in entry.source.split(",")
    }
    return {(event, fact) for event, fact in found if event and fact}


def _moves(past: Iterable[Run], run: Run) -> dict[str, str]:
    """Where files went that runs after this one have moved."""
    return {
        step.moved_from: step.path
        for later in past
        if later.done and later.id > run.id
        for step in later.steps
        if step.moved_from and step.path not in later.kept
    }
