"""A workspace and one of its mirrors: which mirror, with which key, and the exchange of files between them.

The cold rows are sent in mirrorrows.py. Knows no verb: sync-critical, restore, consolidate and forget stand on it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from silo.core.mirror import (
    CRITICAL,
    PRIVATE,
    REVIEW,
    Known,
    Step,
    is_hands,
    questions,
    shrunk,
    steps,
    wanted,
)
from silo.edge import crypto
from silo.edge.cold.hrana import Hrana
from silo.edge.crypto import Sealed, Sealer
from silo.edge.fs import Disk, new_file, owner_of
from silo.edge.mirror import GONE, FolderTarget, Item, Target, TursoTarget
from silo.edge.mirror_state import Common, MirrorState
from silo.edge.workspace import Workspace
from silo.errors import Conflict, ServiceDown
from silo.jobs.run import Call, Report, commit
from silo.model import Change, Plan, Remove, Write
from silo.text.lines import decode, encode, sha256, split
from silo.text.redact import redact_lines

ROWS = ".rows"  # a name at the mirror that is no file: who sent cold rows last
SALT = ".salt"
ROUNDS = 4  # exchanges, where another device sends at the same moment
QUICK = 4.0  # seconds that a job which is not about the mirror waits for it


@dataclass(frozen=True, slots=True)
class Where:
    """The mirror as named on the command line; empty parts are looked up in environment and configuration."""

    url: str = ""
    token: str = ""
    folder: str = ""


def target_of(call: Call, where: Where, *, wait: float = 0.0, pauses: Sequence[float] = ()) -> Target | None:
    """The mirror to use, None where none is configured: the flag's, else the environment's, else the configuration's.

    Raises:
        BadInput: an address that would send in the clear, or holds a token.
    """
    settings = call.config.section("mirror")
    given = settings.get("timeout", 10)
    limit = wait or (float(given) if isinstance(given, int | float) and not isinstance(given, bool) and given > 0 else 10.0)
    if where.folder:
        return FolderTarget(Path(where.folder).expanduser())
    url = where.url or os.environ.get("TURSO_URL", "") or str(settings.get("url") or "")
    if url:
        return TursoTarget(Hrana(url, where.token or os.environ.get("TURSO_TOKEN", ""), wait=limit, pauses=pauses))
    folder = str(settings.get("folder") or "")
    return FolderTarget(Path(folder).expanduser()) if folder else None


def sealer_of(call: Call, workspace: Workspace, target: Target) -> Sealed:
    """What encrypts for this mirror.

    Raises:
        ServiceDown: the package or a key is missing; the hint says how to get it.
    """
    passphrase = os.environ.get("SILO_PASSPHRASE", "")
    key = crypto.key_of(passphrase, key_file(workspace), _salt(call, target) if passphrase and not crypto.is_key(passphrase) else b"")
    if key is None:
        raise ServiceDown("there is no key to encrypt with", "memory_cli.py init --mirror makes one, or set SILO_PASSPHRASE")
    return Sealed(key)


def key_file(workspace: Workspace) -> bytes | None:
    """The workspace's own key."""
    place = workspace.root / ".silo" / "key"
    return place.read_bytes() if place.is_file() else None


def adopt_key(workspace: Workspace) -> bool:
    """A key in SILO_PASSPHRASE, as another device printed it, is this device's own from now on, where it has none."""
    passphrase = os.environ.get("SILO_PASSPHRASE", "").strip()
    if not crypto.is_key(passphrase) or key_file(workspace) is not None:
        return False
    new_file(Disk(owner_of(workspace.root)), workspace.root / ".silo" / "key", encode(f"{passphrase}\n"))
    return True


def _salt(call: Call, target: Target) -> bytes:
    """The salt of this mirror's passphrase, made by whoever comes first."""
    agent = call.config.agent
    for _ in range(2):
        found = target.fetch(agent, [SALT]).get(SALT)
        if found is not None:
            return bytes.fromhex(found.data)
        if call.dry_run:
            break
        new = secrets.token_hex(16)
        target.store(agent, [(Item(SALT, sha256(encode(new)), new, 0), None)])
    if call.dry_run:
        return secrets.token_bytes(16)
    raise ServiceDown(f"{target.label} keeps nothing", "see whether it may be written")


@contextmanager
def common(workspace: Workspace) -> Iterator[MirrorState]:
    """What this device and its mirrors had in common last."""
    state = MirrorState(workspace.root / ".silo" / "mirror.db")
    try:
        yield state
    finally:
        state.close()


# --- files ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Exchanged:
    """What an exchange did: paths written here, sent, left as they are here; places that were changed on both sides."""

    written: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    collisions: int = 0
    files: int = 0


def critical(workspace: Workspace) -> dict[str, bytes]:
    """Every file of the critical state as it is here, raw."""
    found: dict[str, bytes] = {}
    for pattern in CRITICAL:
        for path in workspace.paths(pattern):
            data = workspace.read(path)
            if data is not None:
                found[path] = data
    return found


def outgoing(files: Mapping[str, bytes], sealer: Sealer) -> dict[str, bytes]:
    """The files as they may leave: without secrets, and without what is private unless they are encrypted."""
    return {path: encode(redact_lines(decode(data))) for path, data in files.items() if sealer.sealed or not path.startswith(PRIVATE)}


def exchange(
    call: Call, workspace: Workspace, target: Target, sealer: Sealer, report: Report, *, restoring: bool = False, smaller: bool = False
) -> Exchanged:
    """Files here and there are brought together: what is new there is written here as one run, what is new here is sent.

    While restoring nothing is sent, and what is missing here comes back.

    Raises:
        ServiceDown: the mirror did not answer, or did not keep what was sent.
        Conflict: the memory here looks like a loss, which the mirror is not told without `smaller`.
    """
    agent = call.config.agent
    done = Exchanged()
    with common(workspace) as state:
        for _ in range(ROUNDS):
            raw = critical(workspace)
            local = outgoing(raw, sealer)
            base = {path: Known(one.mark, one.data) for path, one in state.base(target.key, agent).items() if path != ROWS}
            if not restoring and not smaller and (why := shrunk(local, base)):
                raise Conflict(
                    f"nothing was sent: {why}",
                    "restore --from-mirror brings them back; sync-critical --allow-smaller sends the memory as it is here",
                )
            plan, marks, fetched = _planned(target, sealer, agent, local, base, restoring=restoring)
            done.files = len(plan)
            done.left = [step.path for step in plan if step.left]
            done.collisions += _write_here(call, workspace, plan, raw, local, fetched, report, done)
            if call.dry_run:
                done.sent = [step.path for step in plan if step.send and not restoring]
                return done
            open_ones = [] if restoring else [step for step in plan if step.send]
            kept = _send(call, target, sealer, open_ones)
            done.sent += [step.path for step in open_ones if step.path in kept]
            state.keep(target.key, agent, _agreed(plan, marks, kept, sealer, restoring=restoring))
            if all(step.path in kept for step in open_ones):
                return done
    raise ServiceDown(f"{target.label} did not keep what was sent", "another device may be sending; run sync-critical again")


def _planned(
    target: Target, sealer: Sealer, agent: str, local: Mapping[str, bytes], base: Mapping[str, Known], *, restoring: bool
) -> tuple[tuple[Step, ...], dict[str, str], dict[str, bytes]]:
    """(the steps, the mirror's marks by path, what was fetched of it)."""
    named = target.marks(agent)
    for own in (ROWS, SALT):
        named.pop(own, None)
    names = wanted(base, named, sealer.name, frozenset(local), restoring=restoring)
    _same_key(target, sealer, agent, named, names, changed=any(path in base and sealer.mark(path, data) != base[path].mark for path, data in local.items()))
    fetched: dict[str, bytes] = {}
    paths = {sealer.name(path): path for path in (*base, *local)}
    for name, item in target.fetch(agent, names).items():
        if item.mark != GONE:
            path, data = sealer.open(agent, name, item.data)
            paths[name], fetched[path] = path, data
            named[name] = item.mark
    marks = {paths[name]: mark for name, mark in named.items() if name in paths}
    return steps(local, base, marks, fetched, mark_of=sealer.mark, restoring=restoring), marks, fetched


def _same_key(target: Target, sealer: Sealer, agent: str, named: Mapping[str, str], names: Collection[str], *, changed: bool) -> None:
    """What is sent has to be readable where the rest is: one file of the mirror is opened, unless others are opened anyway.

    Raises:
        BadInput: the mirror's files are under another key than this one; nothing was sent.
    """
    there = sorted(name for name, mark in named.items() if mark != GONE)
    if not (sealer.sealed and changed and there) or not set(names).isdisjoint(there):
        return
    for name, item in target.fetch(agent, there[:1]).items():
        sealer.open(agent, name, item.data)


def _write_here(
    call: Call,
    workspace: Workspace,
    plan: Sequence[Step],
    raw: Mapping[str, bytes],
    local: Mapping[str, bytes],
    fetched: Mapping[str, bytes],
    report: Report,
    done: Exchanged,
) -> int:
    """What is news here is written, as one run; returns how many places both sides had changed."""
    asked = questions([one for step in plan for one in step.collisions], call.today.isoformat())
    results = {step.path: step.data for step in plan if step.write}
    if asked:
        before = results.get(REVIEW, local.get(REVIEW)) or b""
        new = [line for line in asked if line.partition(',"status"')[0] not in decode(before)]
        results[REVIEW] = before + encode("".join(f"{line}\n" for line in new))
    changes: list[Change] = []
    for path, data in sorted(results.items()):
        old = raw.get(path)
        if data is None:
            if old is not None:
                changes.append(Remove(path, sha256(old), "mirror"))
            continue
        whole = _with_own_secrets(old, local.get(path), data)
        if data != fetched.get(path) and path.endswith("/warm-memory.json"):
            whole = _within(call, workspace, whole, path)
        if whole != old:
            changes.append(Write(path, sha256(old) if old is not None else None, whole, "mirror"))
    if not changes:
        return len(asked)
    made = Plan("sync", tuple(changes), counts={"files": len(changes)})
    if call.dry_run or any(data != fetched.get(path) for path, data in results.items()):
        commit(call, workspace, made, report)
    else:
        # Another device's files, byte for byte: they carry their own warm entries and keep their own limits.
        result = workspace.apply(made, now=call.now, command=call.command, scheduled=call.scheduled)
        report.lines += [f"NOTE {note}" for note in result.notes]
    done.written += [change.path for change in changes]
    return len(asked)


def _within(call: Call, workspace: Workspace, data: bytes, path: str) -> bytes:
    """A merged warm set within its limit; who leaves stands in the log, which is where the archive comes from."""
    from silo.core.tiers.warm import fit, render, rescored
    from silo.formats.warm import parse_warm
    from silo.jobs.warming import day_of, rules_of, uses

    rules, used = rules_of(call.config), uses(workspace)
    entries, problems = parse_warm(decode(data), path)
    if problems:
        return data
    stay, _ = fit((rescored(one, day_of(call, one), used.get(one.id, one.access_count), rules, call.today) for one in entries), rules, call.today)
    return encode(render(stay))


def _with_own_secrets(raw: bytes | None, redacted: bytes | None, data: bytes) -> bytes:
    """The new contents, with the person's own lines where the mirror has a placeholder for a secret in them."""
    if raw is None or redacted is None or raw == redacted:
        return data
    # Redaction keeps the number of lines, so each placeholder has its own line here.
    own: dict[str, list[str]] = {}
    for sent, here in zip(split(decode(redacted)), split(decode(raw)), strict=False):
        if sent != here:
            own.setdefault(sent, []).append(here)
    return encode("".join(own[line].pop(0) if own.get(line) else line for line in split(decode(data))))


def _send(call: Call, target: Target, sealer: Sealer, plan: Sequence[Step]) -> frozenset[str]:
    """The paths that the mirror was seen to hold as sent."""
    agent, at = call.config.agent, int(call.now.timestamp())
    named = {sealer.name(step.path): step.path for step in plan}
    items = [
        (Item(sealer.name(step.path), GONE, "", at), step.expect)
        if step.data is None
        else (Item(sealer.name(step.path), sealer.mark(step.path, step.data), sealer.seal(agent, step.path, step.data), at), step.expect)
        for step in plan
    ]
    return frozenset(named[name] for name in target.store(agent, items)) if items else frozenset()


def _agreed(plan: Sequence[Step], marks: Mapping[str, str], kept: frozenset[str], sealer: Sealer, *, restoring: bool) -> dict[str, Common | None]:
    """What both sides have now."""
    found: dict[str, Common | None] = {}
    for step in plan:
        if step.send and step.path not in kept:
            # What was merged is here and not yet there: the base is the mirror's version only where nothing was merged.
            continue
        if step.left:
            continue
        if step.data is None:
            found[step.path] = Common(GONE, None) if step.path in kept or marks.get(step.path) == GONE else None
        else:
            found[step.path] = Common(sealer.mark(step.path, step.data), None if is_hands(step.path) else step.data)
    return found
