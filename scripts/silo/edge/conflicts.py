"""What a person and a run both changed: the person's version stays, the run's is kept here and offered in the review queue.

Copies lie under .silo/conflicts/<run id>/<path>. Everything may be called again for the same collision and changes
nothing then. Decides nothing: accepting or rejecting an item is the job of `review`.
"""

from __future__ import annotations

import os

from silo.edge.fs import FileSystem, digest, make_folders, new_file, read, write_all
from silo.edge.places import Places, check
from silo.formats.decisions import read_decisions, review_line
from silo.formats.topics import slug_of
from silo.text.diff3 import shown, unified
from silo.text.lines import decode, encode, sha256
from silo.text.redact import redact

REVIEW = ".silo/review.jsonl"
SHOWN = 40  # lines of difference that a review item shows; the whole stands in the copy


class Conflicts:
    """Writes to .silo/conflicts and the review queue of one workspace, under the commit lock of the caller."""

    def __init__(self, places: Places, fs: FileSystem) -> None:
        self._places = places
        self._fs = fs

    def keep(self, run_id: str, path: str, *, theirs: bytes | None, ours: bytes | None, at: str) -> None:
        """Our version of `path` is in .silo/conflicts and an open item tells both sides.

        `theirs` is what the file holds, None if it is gone; `ours` None where the run wanted it gone.
        """
        copy = ""
        if ours is None:
            told = f"{path} was changed while a run was about to remove or move it. Your version stays."
        else:
            copy = self.copy(run_id, path, ours)
            change = "changed" if theirs is not None else "removed"
            told = f"{path} was {change} by hand while a run wrote it. Your version stays; the other is in {copy}."
            difference = unified(path, decode(theirs or b""), decode(ours))
            told += f"\nYours (-) and the run's (+):\n{shown(difference, SHOWN)}"
        self._review(path, run_id, told, at, copy)

    def copy(self, run_id: str, path: str, data: bytes) -> str:
        """The bytes are kept; returns where, relative to the workspace. The same bytes are kept once."""
        wanted = self._places.conflicts / run_id / check(path)
        number = 1
        place = wanted
        while (there := read(place)) is not None and digest(there) != digest(data):
            number += 1
            place = wanted.with_name(f"{wanted.name}.{number}")
        if there is None:
            dirty = {place.parent, *make_folders(self._fs, place.parent, 0o700, self._places.root)}
            new_file(self._fs, place, data)
            for folder in sorted(dirty):
                self._fs.sync_folder(folder)
        return place.relative_to(self._places.root).as_posix()

    def _review(self, path: str, run_id: str, told: str, at: str, copy: str) -> None:
        """An item of kind `edit` stands in the review queue once; its id comes from file and run."""
        ident = "r_" + sha256(encode(f"{path}\x1f{run_id}"))[:12]
        place = self._places.root / REVIEW
        before = read(place) or b""
        if ident in read_decisions(decode(before), REVIEW).items:
            return
        topic = slug_of(path) if "topics/" in path else ""
        text = redact(told)[0]
        line = review_line(
            ident,
            kind="edit",
            topic=topic,
            facts=(),
            events=(),
            created=at,
            text=text,
            more={"path": path, "copy": copy},
        )
        fd = self._fs.open_append(place, 0o600)
        try:
            whole = not before or before.endswith(b"\n")
            write_all(self._fs, fd, encode(f"{line}\n" if whole else f"\n{line}\n"))
            self._fs.sync(fd)
        finally:
            os.close(fd)
