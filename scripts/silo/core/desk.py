"""The topic files on a person's desk: what a command changes in curated facts, with hand edits told first.

A command that writes a topic file makes it our last write, so an edit by hand that no night has told yet would never reach
the changelog; therefore every text is adopted before it is changed. Decides nothing about what changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from silo.core.adopt import adopt, whereabouts
from silo.core.counts import with_counts
from silo.core.facts import Op, apply_ops, named_facts, read_topic
from silo.core.views import INDEX, plan_index
from silo.formats.topics import TopicFile, fact_id, info, is_archive, parse_topic, set_header
from silo.model import Change, Fact, TopicInfo, Write
from silo.text.lines import decode, encode, sha256

TOPIC_FOLDERS = ("memory/topics/", ".silo/private/topics/")


@dataclass(slots=True)
class Desk:
    """`files`: path → bytes of topic files and the index; `base`: our last write of each topic file, under its present path,
    `renamed`: the path that it had then, where a hand changed it."""

    files: Mapping[str, bytes]
    base: Mapping[str, bytes]
    now: datetime  # aware, in the user's zone
    renamed: Mapping[str, str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _raw: dict[str, TopicFile] = field(default_factory=dict)
    _touched: dict[str, None] = field(default_factory=dict)

    @property
    def today(self) -> str:
        """The user's local day."""
        return self.now.date().isoformat()

    @property
    def paths(self) -> tuple[str, ...]:
        """The topic files, archives left out."""
        return tuple(p for p in sorted(self.files) if p.startswith(TOPIC_FOLDERS) and p.endswith(".md") and not is_archive(p))

    def topic(self, path: str) -> TopicFile:
        """The topic as it stands on the desk, hand edits told."""
        return read_topic(self.text(path), path)

    def raw(self, path: str) -> TopicFile:
        """The topic as it stands on the disk."""
        if path not in self._raw:
            self._raw[path] = parse_topic(decode(self.files[path]), path)
        return self._raw[path]

    def infos(self) -> dict[str, TopicInfo]:
        """Path → what is known of the topic, as the desk holds it."""
        return {path: info(self.topic(path) if path in self._touched else self.raw(path)) for path in self.paths}

    def path_of(self, slug: str) -> str | None:
        """The file of a topic, by its slug or one of its other names."""
        infos = self.infos()
        exact = [path for path, one in infos.items() if one.slug == slug]
        return next(iter(exact or [path for path, one in infos.items() if slug in one.aliases]), None)

    def find(self, ident: str) -> Fact | None:
        """The fact of that id wherever it stands; files that name it are looked at first."""
        named = [path for path in self.paths if encode(ident) in self.files[path]]
        for path in (*named, *(path for path in self.paths if path not in named)):
            for fact in named_facts(self.topic(path)):
                if fact.id == ident:
                    return fact
        return None

    def behind(self, event: str) -> Fact | None:
        """The fact that rests on an event of that id."""
        made = self.find(fact_id(event))
        if made is not None:
            return made
        named = (path for path in self.paths if encode(event) in self.files[path])
        return next((f for path in named for f in named_facts(self.topic(path)) if event in f.source.split(",")), None)

    def change(self, path: str, ops: Iterable[Op]) -> None:
        """The operations have happened on the desk, each with its changelog entry."""
        text = apply_ops(self.text(path), ops, path=path, today=self.today, at=self.now.isoformat(timespec="seconds"))
        self._texts[path] = text
        self._touched[path] = None

    def set_header(self, path: str, key: str, value: str) -> None:
        """One header key is set on the desk."""
        self._texts[path] = set_header(self.text(path), key, value)
        self._touched[path] = None

    def verified(self, path: str) -> None:
        """The owner has confirmed something of the topic today."""
        if self.today > self.topic(path).header.text("last_verified"):
            self.set_header(path, "last_verified", self.today)

    def changes(self, why: str) -> tuple[Change, ...]:
        """What was changed on the desk, and the index where it shows."""
        made: list[Change] = []
        for path in self._touched:
            data = encode(with_counts(self._texts[path]))
            if data != self.files[path]:
                made.append(Write(path, sha256(self.files[path]), data, why, self.renamed.get(path, "")))
        if made:
            made += plan_index(self.infos().values(), self.files.get(INDEX))
        return tuple(made)

    def text(self, path: str) -> str:
        """What the topic file says on the desk."""
        if path not in self._texts:
            self._texts[path] = self._told(path)
        return self._texts[path]

    def _told(self, path: str) -> str:
        data, base = self.files[path], self.base.get(path)
        text = decode(data)
        if base is None or base == data or not self.raw(path).editable:
            return text
        now = {self.raw(other).slug: self.raw(other) for other in self.paths}
        before = {slug: self._before(file) for slug, file in now.items()}
        found = adopt(parse_topic(decode(base), path), read_topic(text, path), whereabouts(now, before)[self.raw(path).slug])
        return apply_ops(found.text, found.ops, path=path, today=self.today, at=self.now.isoformat(timespec="seconds"))

    def _before(self, file: TopicFile) -> TopicFile:
        data = self.base.get(file.path, self.files[file.path])
        return file if data == self.files[file.path] else parse_topic(decode(data), file.path)
