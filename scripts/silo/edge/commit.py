"""The commit: a run is staged, marked, carried out file by file, and closed. The same code rolls a cut-off run forward.

Order of the disk: staged contents and pre-images → manifest (from here on the run will happen) → files → folders →
one transaction of state.db → base copies → the folder's name says done. At every step the memory has, file by file, the
old bytes or the new ones. An edit by somebody else in between stays, and our version waits in .silo/conflicts with an
item in the review queue. Holds no lock: callers do.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from silo.edge import runs
from silo.edge.conflicts import Conflicts
from silo.edge.drafts import Draft, missing_lines
from silo.edge.erase import Needles, erase, without
from silo.edge.fs import (
    bytes_at,
    digest,
    make_folders,
    new_file,
    put_new,
    read,
    remove_tree,
    rename_across,
    set_mode,
    swap_in,
    trouble,
    write_all,
)
from silo.edge.places import SILO, UNDONE_YET, keeps_base
from silo.edge.runs import Run, Step
from silo.edge.site import Site
from silo.errors import Conflict, Trouble
from silo.model import StateOp
from silo.text.diff3 import patch
from silo.text.lines import decode, encode

TRIES = 5  # how often an append is repeated when an editor replaces the file at the same moment


def commit(site: Site, run: Run, drafts: tuple[Draft, ...]) -> Run:
    """The run has happened; returned as recorded, with what was kept for a person.

    Raises:
        Conflict: a file changed since the drafts were made, or the system refused; nothing is written then. Where
            even taking it back is refused, the message says that the next start finishes the run.
    """
    folder = site.places.runs / (run.id + UNDONE_YET)
    try:
        _stage(site, folder, run, drafts)
    except OSError as error:
        _discard(site, folder)
        raise trouble(error, "preparing the change; nothing was written") from error
    for draft in drafts:
        if draft.step.kind != "append" and digest(_now(site, draft.step)) != draft.step.old:
            _discard(site, folder)
            raise Conflict(
                f"{draft.step.path} was changed by somebody else meanwhile; nothing was written",
                "run the command again",
            )
    try:
        return roll(site, folder, run)
    except (OSError, Trouble) as error:
        if site.state.applied() == run.id:
            if not run.forget:
                return run  # all is in; only the closing is left, and the next start does that
            why = trouble(error, "taking words out of past runs") if isinstance(error, OSError) else error
            raise Conflict(f"{why}; the words are out of the memory, but not yet out of its past: the next start finishes it", why.hint) from error
        raise _take_back(site, folder, run, error) from error


def roll(site: Site, folder: Path, run: Run) -> Run:
    """Carry out what is not yet carried out of a marked run, and close it. May be cut off and called again."""
    if site.state.applied() != run.id:
        kept: set[str] = set(run.kept)
        dirty: set[Path] = set()
        arrivals = {step.moved_from: step.path for step in run.steps if step.moved_from}
        for step in run.steps:
            # Nothing leaves a place before it has arrived in the other.
            stays = step.kind == "remove" and arrivals.get(step.path) in kept
            if stays or not _settle(site, folder, run, step, dirty):
                kept.add(step.path)
        for place in sorted(dirty):
            site.fs.sync_folder(place)
        if kept - set(run.kept):
            run = replace(run, kept=tuple(sorted(kept)))
            runs.save(site.fs, folder, run)
        site.state.apply(_ops(run), run.id)
    return close(site, folder, run)


def close(site: Site, folder: Path, run: Run) -> Run:
    """Base copies are renewed, staged contents are gone, and the folder's name says done. May be called again."""
    for step in run.steps:
        staged = folder / f"base-{step.number}"
        if staged.exists() and step.path not in run.kept:
            base = site.places.base(step.path)
            dirty = {base.parent, *make_folders(site.fs, base.parent, 0o700, site.places.root)}
            site.fs.rename(staged, base)
            for place in sorted(dirty):
                site.fs.sync_folder(place)
        gone = step.path if step.kind == "remove" else step.was
        if gone and step.path not in run.kept and site.places.base(gone).exists():
            site.fs.unlink(site.places.base(gone))
    if run.forget:
        erase(site, run.forget, f"it held what was forgotten on {run.at[:10]}")
        run = without(run, Needles(run.forget).in_text)
    if run.dropped:
        run = runs.drop(site.fs, folder, run, run.dropped)
    for entry in sorted(folder.iterdir()):
        if entry.name != runs.MANIFEST and not entry.name.startswith("old-"):
            site.fs.unlink(entry)
    site.fs.rename(folder, site.places.runs / run.id)
    site.fs.sync_folder(site.places.runs)
    return replace(run, done=True)


def _ops(run: Run) -> tuple[StateOp, ...]:
    """The run's state operations, without those about files that a person's edit kept us from writing."""
    return tuple(op for op in run.state if op.file not in run.kept and not (op.table == "chain" and op.key in run.kept))


# --- before the mark --------------------------------------------------------------------------------------


def _stage(site: Site, folder: Path, run: Run, drafts: tuple[Draft, ...]) -> None:
    site.fs.mkdir(folder, 0o700)
    for draft in drafts:
        number = draft.step.number
        if draft.step.kind == "put":
            assert draft.data is not None
            mode = 0o666 if draft.step.mode is None else draft.step.mode
            _staged(site, folder / f"new-{number}", draft.data, mode, exact=draft.step.mode is not None)
            base = _base(site, draft)
            if base is not None:
                new_file(site.fs, folder / f"base-{number}", base)
        if draft.step.kind != "append" and draft.old is not None:
            new_file(site.fs, folder / f"old-{number}", draft.old)
    runs.save(site.fs, folder, run)
    site.fs.sync_folder(site.places.runs)


def _staged(site: Site, path: Path, data: bytes, mode: int, *, exact: bool) -> None:
    new_file(site.fs, path, data, mode)
    if exact:  # the umask takes bits away that the old file has
        set_mode(site.fs, path, mode)


def _base(site: Site, draft: Draft) -> bytes | None:
    """The base copy to keep of a file; None for logs and the machine's own, which nobody merges by it.

    A file that is only moved takes its base along, or edits made by hand since our last write would look like ours.
    """
    step = draft.step
    if not keeps_base(step.path):
        return None
    if draft.base is not None:
        return draft.base
    before = read(site.places.base(step.moved_from)) if step.moved_from else None
    moved = read(site.places.at(step.moved_from)) if step.moved_from else None
    return before if before is not None and moved == draft.data else draft.data


def _discard(site: Site, folder: Path) -> None:
    """The run was never there. The manifest goes first: without it nothing is rolled forward."""
    try:
        if (folder / runs.MANIFEST).exists():
            site.fs.unlink(folder / runs.MANIFEST)
        if folder.exists():
            remove_tree(site.fs, folder)
    except OSError as error:
        raise trouble(error, "clearing a change that was given up") from error


# --- file by file -----------------------------------------------------------------------------------------


def _now(site: Site, step: Step) -> bytes | None:
    return bytes_at(site.places.writable(step.path), step.path)


def _settle(site: Site, folder: Path, run: Run, step: Step, dirty: set[Path]) -> bool:
    """The file of a step is as the run wants it; False if a person's edit stays in its place."""
    place = site.places.writable(step.path)
    if step.kind != "remove":
        mode = 0o700 if step.path.startswith(f"{SILO}/") else 0o777
        dirty.update(make_folders(site.fs, place.parent, mode, site.places.root))
    dirty.add(place.parent)
    if step.kind == "append":
        _append(site, place, step)
        return True
    settled = _put(site, folder, place, step) if step.kind == "put" else _remove(site, folder, place, step)
    if not settled:
        ours = _wanted(folder, step) if step.kind == "put" else None
        Conflicts(site.places, site.fs).keep(run.id, step.path, theirs=read(place), ours=ours, at=run.at)
    return settled


def _put(site: Site, folder: Path, place: Path, step: Step) -> bool:
    staged, held = folder / f"new-{step.number}", folder / f"held-{step.number}"
    found = digest(read(place))
    if found not in (step.old, step.new):
        return False
    if found == step.old:
        _clear(site, held, known=(step.old, step.new))
        if digest(read(staged)) != step.new:
            _clear(site, staged, known=(step.old, step.new))
            _staged(site, staged, _wanted(folder, step), step.mode or 0o666, exact=step.mode is not None)
        if step.old is not None:
            swap_in(site.fs, staged, place, held)
        elif not put_new(site.fs, staged, place):
            return False
    return not _give_back(site, folder, place, step, (held, staged))


def _remove(site: Site, folder: Path, place: Path, step: Step) -> bool:
    held = folder / f"held-{step.number}"
    found = digest(read(place))
    if found is not None:
        if found != step.old:
            return False
        _clear(site, held, known=(step.old,))
        rename_across(site.fs, place, held)
    return not _give_back(site, folder, place, step, (held,))


def _give_back(site: Site, folder: Path, place: Path, step: Step, caught: tuple[Path, ...]) -> bool:
    """True if one of the files caught by the exchange is an edit made in the last instant: it is in its place again."""
    for path in caught:
        edit = read(path)
        if edit is None or digest(edit) in (step.old, step.new):
            continue
        again = folder / f"again-{step.number}"
        _clear(site, again, known=(step.old, step.new, digest(edit)))
        if digest(read(place)) == step.new and step.new is not None:
            swap_in(site.fs, path, place, again)
        elif not place.exists():
            put_new(site.fs, path, place)
        lost = next((data for data in (edit, read(again)) if digest(data) not in known_at(place, step)), None)
        if lost is not None:  # edited once more: the last edit stays, the other is not lost either
            Conflicts(site.places, site.fs).copy(
                folder.name.removesuffix(UNDONE_YET), f"{step.path}.edit", lost
            )
        return True
    return False


def known_at(place: Path, step: Step) -> tuple[str | None, ...]:
    """Digests of contents that are safe: those of the run, and what the file holds."""
    return (None, step.old, step.new, digest(read(place)))


def _clear(site: Site, path: Path, known: tuple[str | None, ...]) -> None:
    """A leftover of a step that was cut off is gone; it must hold what the run knows anyway."""
    data = read(path)
    if data is None:
        return
    if digest(data) not in known:
        raise Conflict(f"{path} holds an edit that is nowhere else", "look at it, then move it away")
    site.fs.unlink(path)


def _wanted(folder: Path, step: Step) -> bytes:
    """The new bytes of a put, from the staged file or else from pre-image and delta."""
    staged = read(folder / f"new-{step.number}")
    if staged is not None and digest(staged) == step.new:
        return staged
    old = read(folder / f"old-{step.number}")
    return encode(patch(decode(old or b""), list(step.delta)))


def _append(site: Site, place: Path, step: Step) -> None:
    """The lines stand in the file once, in one write of whole lines, also if an editor replaces the file meanwhile."""
    for _ in range(TRIES):
        rest = missing_lines(step, read(place))
        if not rest:
            return
        fd = site.fs.open_append(place, step.mode or 0o666)
        try:
            write_all(site.fs, fd, rest)
            site.fs.sync(fd)
        finally:
            os.close(fd)
    raise Conflict(
        f"{step.path} is being replaced again and again by another program", "try again in a moment"
    )


# --- taking back ------------------------------------------------------------------------------------------


def _take_back(site: Site, folder: Path, run: Run, error: Exception) -> Trouble:
    """What was carried out is taken back; the trouble to raise. Where that fails too the run stays marked."""
    why = trouble(error, f"writing the change of {run.job}") if isinstance(error, OSError) else error
    assert isinstance(why, Trouble)
    half = Conflict(
        f"{why}; the change is half done and the next start finishes it",
        why.hint or "run any command when it is mended",
    )
    try:
        if not all(_unsettle(site, folder, step) for step in reversed(run.steps)):
            return half
        _discard(site, folder)
    except (OSError, Trouble):
        return half
    return Conflict(f"{why}; nothing was changed", why.hint)


def _unsettle(site: Site, folder: Path, step: Step) -> bool:
    """The file has its old bytes again; False if somebody built on ours, so that only going on is left."""
    place = site.places.writable(step.path)
    found = read(place)
    if digest(found) == step.old:
        return True
    held, old = folder / f"held-{step.number}", folder / f"old-{step.number}"
    if step.kind == "append":
        before = found is not None and digest(found[: step.old_size]) == (step.old or digest(b""))
        whole = encode(step.head + step.sep + step.added)
        if found is None or not before or not whole.startswith(found[step.old_size :]):
            return False
        if step.old is None:
            site.fs.unlink(place)
        else:
            site.fs.truncate(place, step.old_size)
        return True
    if digest(found) != step.new:
        return True  # a person's edit stands there; it stays
    if step.old is None:
        site.fs.unlink(place)
        return True
    before_it = held if digest(read(held)) == step.old else old
    if before_it == old:  # the pre-image is still needed if we are cut off here
        before_it = folder / f"back-{step.number}"
        data = read(old)
        if data is None:
            return False
        _staged(site, before_it, data, step.mode or 0o666, exact=step.mode is not None)
    rename_across(site.fs, before_it, place)
    return True
