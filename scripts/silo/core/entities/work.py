"""Lines and headings about live work: which of them name a project. Builds no topic and no graph."""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo.core.entities.kept import is_kept, is_worked_on
from silo.core.entities.mention import Mention
from silo.core.entities.names import Lead, is_name, lead, name_words, runs
from silo.core.entities.people import People
from silo.core.migrate.reading import OUTLINE_LEVEL, TEXT_LEVEL, Document, Kind, undress
from silo.text.fold import fold
from silo.text.lexicon import split_words
from silo.text.migration_words import MigrationWords
from silo.text.stopwords import STOP

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STATUS = re.compile(r"\s*[(\[][^()\[\]]{0,40}[)\]]\s*$|\s+[\u2014\u2013-]\s+.*$|\s*[:\uff1a].*$")
_NUMBERED = re.compile(r"^[\W_]*(?:\d{1,3}[.)]|#\d+|[A-Z]\d?[.)]|[A-Z]{1,5}-\d+:?)\s+")
_DATE = re.compile(
    r"^(?:(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?)[\s:\u2014\u2013-]+(?=\S)"
)
_DATED_WORK = re.compile(
    r"(?:the |o |a |el |la )?((?!\d)[\w'’-]+(?: [\w'’-]+){1,3}) (?:on|due|by|until|starts|em|dia|até|a|el|para el|hasta el|am) "
    r"(?:\d{4}-\d\d|\d{1,2}(?:[/.]\d|\.? (?:de )?(?i:jan|feb|fev|ene|mar|mär|apr|abr|avr|may|mai|jun|jul|aug|ago|sep|set|oct|okt|out|nov|dec|dez|dic)))"
)
_CLOSING = re.compile(
    r"(?:the |o |a |el |la )?((?!\d)[\w'’-]+(?: [\w'’-]+){1,3}), (?:closes|due|deadline|starts|begins|ends|expires|fecha|termina|acaba|começa|prazo|entrega|empieza|cierra|vence)\b[^,.;]{0,12}\d"
)
_PLACED = re.compile(r" (?:in|on|at|under|behind) ")  # `disk 3 in the tower` is where a thing is
_UNDER_WAY = re.compile(
    r"(?:(?:The|Our|Her|His|My|O|A|El|La|Le|Il)\s+([\w'’ -]{4,50}?)|([A-ZÀ-Þ][\w'’-]+(?: [\w'’-]+){1,3}))\s+(?:is|are|está|esta|ist|est|è)\s+(?:still\s+|well\s+|ainda\s+)?"
    r"(?:under way|underway|in progress|ongoing|on hold|stuck|in draft|in review|half (?:done|finished|written|built|way)|nearly (?:done|finished|ready)|the (?:live|current|open|main) (?:thing|one|piece|job|work)|"
    r"em curso|em andamento|a meio|em obra|em obras|em revisão|em provas|parad[oa]|por acabar|quase pront[oa]|en curso|en marcha|en obras|a medias|im Gange|en cours|in corso)\b"
)


class Work:
    """Tells named pieces of work. `kind` of a heading (tasks, waiting, people, …) is the caller's."""

    def __init__(self, document: Document, words: MigrationWords, people: People) -> None:
        self.document = document
        self.words = words
        self.people = people
        self._containers: dict[int, bool] = {}

    def names_work(self, index: int, path: tuple[int, ...]) -> bool:
        """Whether a heading names a piece of live work (`Licence renewal`) rather than a kind of content (`Open tasks`)."""
        head = self.document.blocks[index]
        name = project_name(head.text)
        tokens = split_words(name)
        if not tokens or len(tokens) > 8 or name.isdigit() or self.people.is_label(name):
            return False
        if head.level >= TEXT_LEVEL and len(tokens) < 2 and not _UNSPACED.search(name):
            return False
        if tokens[0] in STOP and not re.match(
            r"(?:The|O|A|Os|As|El|La|Los|Las|Der|Die|Das|Le|Les) [^\W\d_a-z]", name
        ):
            return False  # `On the bench`, `A tratar`
        found = self.words.headings.find(name)
        hits = [h for h in found if h.at >= 0]
        covered = {k for h in hits for k in range(h.at, h.at + h.length)} | {
            k for k, t in enumerate(tokens) if t in STOP
        }
        strong = [h for h in hits if h.label in ("active.strong", "archive.strong")]
        if strong and (
            len(covered) * 2 >= len(tokens) or any(h.at + h.length == len(tokens) for h in strong)
        ):
            return False
        lists = [h for h in hits if h.label == "active.plain" and tokens[h.at + h.length - 1].endswith("s")]
        if any(h.at == 0 or h.at + h.length == len(tokens) for h in lists):
            return False  # `Client projects`, `Obras abertas`
        if any(h.at < 0 and h.length * 2 >= len(name) for h in found) or self._contains_work(index):
            return False
        if is_kept(name, self.words.entities) and not is_worked_on(f"{head.text[len(name) :]}\n{self._below(index)}", self.words.entities):
            return False
        inner = bool(path) and index != path[0]
        return len(covered) < len(tokens) * (0.99 if inner else 0.6)

    def _below(self, index: int) -> str:
        """The text below a heading, up to the next one of its level or above."""
        head = self.document.blocks[index]
        found: list[str] = []
        for block in self.document.blocks[index + 1 :]:
            if block.kind in (Kind.HEADING, Kind.LABEL) and block.level <= head.level:
                break
            found += self.document.raw(block)
        return "\n".join(found)

    def _contains_work(self, index: int) -> bool:
        """Whether pieces of work stand below a heading, each under its own name: then it is their list."""
        if index not in self._containers:
            self._containers[index] = self._looks_like_list(index)
        return self._containers[index]

    def _looks_like_list(self, index: int) -> bool:
        head = self.document.blocks[index]
        if head.level >= OUTLINE_LEVEL:
            return False
        heads = items = labelled = 0
        for block in self.document.blocks[index + 1 :]:
            if block.kind is Kind.HEADING and block.level <= head.level:
                break
            if block.kind in (Kind.HEADING, Kind.LABEL) and block.level < TEXT_LEVEL:
                heads += 1
            elif not heads and block.kind is Kind.ITEM and block.indent == 0:
                items += 1
                part = lead(block.text)
                labelled += (
                    block.box is None
                    and self.labels_work(part, more=False)
                    and len(split_words(part.head)) >= 2
                )
        return (heads >= 2 and not items) or (labelled >= 2 and labelled * 5 >= items * 3)

    def line(
        self, text: str, line: int, kind: str, project: str, *, nested: bool, more: bool, below: str = ""
    ) -> Iterator[Mention]:
        """What a line of live work names: a project by its label, organisations, and who stands in the project above it.
        `below`: the lines nested under it."""
        head = lead(text)
        name = undress(head.head)
        free = not project and not nested and kind not in ("people", "organisations", "places", "waiting")
        free = free and not (is_kept(name, self.words.entities) and not is_worked_on(f"{head.rest}\n{below}", self.words.entities))
        if kind == "tasks":
            free = free and (head.marked or (name[:1].isupper() and len(split_words(name)) >= 2))
        if free and self.labels_work(head, more=more):
            yield Mention(name, "proj", line)
        elif free and kind != "tasks" and (dated := self._dated(head, text, more=more)):
            yield Mention(dated, "proj", line)
        if project and not nested and fold(name).startswith(f"{fold(project)} ") and self.labels_work(head, more=more):
            yield Mention(project, "proj", line, aliases=(name,))  # `Estufa`, and below it `estufa de secagem: …`
        if project:
            for run in runs(text):
                if not all(word in self.words.entities.not_a_name for word in name_words(run.name)):
                    yield Mention(project, "works", line, of=(run.name,))
        for mention in self.people.others(text, line, comma=False):
            if mention.type == "org" and mention.name != name:
                yield mention

    def _dated(self, head: Lead, text: str, *, more: bool) -> str:
        """`summer concert on 27 June`: what has a day of its own."""
        hit = None if head.marked else _DATED_WORK.match(text) or _CLOSING.match(text)
        return hit[1] if hit and self.labels_work(Lead(hit[1], ":", "", False), more=more) else ""

    def sentence(self, text: str, line: int) -> Iterator[Mention]:
        """`The catalogue merge is under way.`"""
        hit = _UNDER_WAY.match(text)
        name = (hit[1] or hit[2]) if hit else ""
        somebody = name and (name_words(name)[0] in self.words.entities.names.frequent or (hit and hit[2] and is_name(name, self.words.entities)))
        if name and not somebody and not self.people.is_label(name):
            yield Mention(name, "proj", line)

    def labels_work(self, head: Lead, *, more: bool) -> bool:
        """Whether the head of a line is the name of a piece of work; `more`: lines are nested below it."""
        name = undress(head.head)
        tokens = split_words(name)
        if not tokens or len(tokens) > 6 or len(name) > 60 or self.people.is_label(name) or name[0].isdigit():
            return False
        if re.search(r"[`@/]|\d{4}-\d\d", name) or _PLACED.search(name) or tokens[0] in self.words.entities.roles:
            return False
        hits = [h for h in self.words.headings.find(name, tokens) if h.at >= 0]
        if len({k for h in hits for k in range(h.at, h.at + h.length)}) == len(tokens):
            return False  # `Open:`, `Deadline:`, `Task:` tell a kind of line
        if head.separator == "" and more:
            return len(tokens) >= 2 or _UNSPACED.search(name) is not None
        if head.separator not in (":", "\u2014") and not (head.marked and head.separator):
            return False
        asks = any(h.at == 0 and h.label == "active" for h in self.words.starts.find(name, tokens))
        if asks and not head.marked:
            return False
        if _UNSPACED.search(name):
            return len(name) >= 2
        if len(tokens) == 1:
            person = is_name(head.head, self.words.entities) and head.rest[:1].islower()
            return head.marked or (len(name) >= 4 and name[0].isupper() and not person)
        return True


def project_name(text: str) -> str:
    """A heading as the name of a piece of work: no number or date before it, no status behind it."""
    name = re.sub(r"^[^\w\"'«「]+", "", undress(text))
    name = _DATE.sub("", _NUMBERED.sub("", name))
    for _ in range(2):
        shorter = _STATUS.sub("", name)
        if split_words(shorter):
            name = shorter
    return re.sub(r"[^\w)\"'»」]+$", "", name).strip()
