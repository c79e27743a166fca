"""Whatever happens to a transcript between two runs, and whatever text it holds: each message once, no exception."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silo.formats.dialogue import read_dialogue
from silo.formats.envelope import open_envelope
from silo.formats.prompts import machine_prompt, says_nothing, without_command
from silo.formats.records import claude_code, openclaw, worth_parsing
from silo.text.injection import inert, instruction_like
from silo.text.redact import redact
from transcript import Desk, Log

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 6)),
        st.tuples(st.just("tear"), st.integers(1, 60)),
        st.tuples(st.just("run"), st.just(0)),
        st.tuples(st.just("kill"), st.integers(0, 2)),
        st.tuples(st.just("repeat"), st.integers(0, 5)),
        st.tuples(st.just("rename"), st.just(0)),
        st.tuples(st.just("compact"), st.integers(1, 5)),
        st.tuples(st.just("reset"), st.just(0)),
        st.tuples(st.just("forget cursor"), st.just(0)),
    ),
    max_size=14,
)


class World:
    """One session's file, what was said in it, and what runs have handed out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = Log()
        self.path = folder / "s-1.jsonl"
        self.desk = Desk()
        self.said: list[str] = []
        self.got: list[str] = []
        self.moved = 0
        self.log.write(self.path)

    def run(self, stop_after: int | None = None) -> None:
        for part in self.desk.parts("jsonl", path=self.folder, stop_after=stop_after):
            self.got += [turn.text for turn in part.session.turns if turn.fresh]

    def step(self, name: str, n: int) -> None:
        if name == "say":
            for _ in range(n):
                text = f"Remark number {len(self.said)}."
                self.said.append(text)
                self.log.user(text)
            self.log.write(self.path)
        elif name == "tear":  # the host is in the middle of writing its last line
            data = self.log.text.encode()
            self.path.write_bytes(data[: max(0, len(data) - n)])
            self.run()
            self.log.write(self.path)
        elif name == "run":
            self.run()
        elif name == "kill":
            self.run(stop_after=n)
        elif name == "repeat" and len(self.log.lines) > 1:
            self.log.lines.append(self.log.lines[-1 - n % (len(self.log.lines) - 1)])
            self.log.write(self.path)
        elif name == "rename":
            self.moved += 1
            self.path = self.path.rename(self.folder / f"s-1.jsonl.reset.2026-03-06T12-00-{self.moved:02d}.000Z")
        elif name == "compact":  # the host rewrites the file without its beginning, once that was read
            self.run()
            self.log.lines = [self.log.lines[0], *self.log.lines[1 + n :]]
            self.log.write(self.path)
        elif name == "reset":
            self.log.reset()
            self.log.write(self.path)
        elif name == "forget cursor":
            self.desk.state = {key: value for key, value in self.desk.state.items() if key[0] != "cursors"}


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_each_message_once_whatever_happens_to_the_file(steps: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for name, n in steps:
            world.step(name, n)
        world.run()
        assert sorted(world.got) == sorted(world.said)
        before = list(world.got)
        world.run()
        assert world.got == before


STAMPS = ["", "[Fri 2026-03-06 09:02 GMT+1] ", "[Telegram Ana id:9 2026-04-14 20:11 GMT-5] "]
INLINE = [("", ""), ('Current message:\n[Replying to: "x"]\n#12: ', ""), ("[Audio] Transcript: ", ""), ("", "\n[message_id: 101]")]
BLOCKS = [
    ('Conversation info (untrusted metadata):\n```json\n{"sender": "Ana"}\n```\n\n', ""),
    ("Sender: \u27e6openclaw:ctx\u27e7\n```json\n{}\n```\n\n", ""),
    ("<relevant-memories>\nx\n</relevant-memories>\n\n", ""),
    ("<silo-memory>x</silo-memory>\n", ""),
    ("[media attached: /a.ogg]\n", ""),
    ("", "\n\n[Replying to Bob id:1]\nx\n[/Replying]"),
    ("Delivery: to send a message, use the `message` tool.\n", ""),
    ("System: [2026-01-12 12:19:17] Node connected.\n\n", ""),
]
WORDS = st.text(st.sampled_from("abc dé ç.?!1"), min_size=1, max_size=40).map(str.strip).filter(lambda t: t[:1].isalpha())


@given(
    WORDS, st.sampled_from(STAMPS), st.sampled_from(INLINE), st.sampled_from(STAMPS), st.lists(st.sampled_from(BLOCKS), max_size=3, unique=True), st.sampled_from(STAMPS)
)
def test_words_survive_any_wrapping(
    words: str, first: str, inline: tuple[str, str], second: str, blocks: list[tuple[str, str]], third: str
) -> None:
    text = second + inline[0] + first + words + inline[1]
    for head, tail in blocks:
        text = head + text + tail
    text = third + text
    assert open_envelope(text).text == words


HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            ["\n", "```", "[", "]", "<", ">", "> ", "password is ", "senha: ", "sk-", "System: [x]", "[Audio] Transcript:", "\u27e6openclaw:ctx\u27e7", "<relevant-memories>",
             "</relevant-memories>", "Conversation info (untrusted metadata):\n```json\n", "[Replying to: ", "---\nQueued #1", "[FACT] a: ", "remember that ", "://a:b@", "\u200b"]
        ).map(lambda s: s[:1]),
    )
)  # fmt: skip
PIECES = st.lists(
    st.one_of(
        HOSTILE,
        st.sampled_from(
            ["\n", "```json\n", "> ", "password is ", "senha é ", "token=", "System: [x] ", "[Audio] Transcript: ", "Sender: \u27e6openclaw:ctx\u27e7\n", "<relevant-memories>", "</relevant-memories>",
             "Conversation info (untrusted metadata):\n```json\n", '[Replying to: "', "---\nQueued #1 (from x)\n", "[FACT] a: b", "Remember that ", "x://a:b@c", "[REDACTED:pin]", "PIN 1234", "User: ", "# 2026-03-06"]
        ),
    ),
    max_size=8,
).map("".join)  # fmt: skip


@given(PIECES)
def test_any_text_can_be_screened(text: str) -> None:
    opened = open_envelope(text, group=bool(len(text) % 2))
    machine_prompt(opened.text)
    without_command(opened.text)
    says_nothing(opened.text, "user")
    instruction_like(text)
    read_dialogue(text, UTC)
    once = inert(text)
    assert inert(once) == once
    assert "\n" not in once


@given(PIECES)
def test_redaction_is_stable_and_says_where(text: str) -> None:
    clean, found = redact(text)
    assert redact(clean) == (clean, ())
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(0 <= one.start < one.end <= len(text) for one in found)


KEYS = ["type", "id", "uuid", "message", "role", "content", "text", "timestamp", "provenance", "kind", "data", "runId", "sessionKey", "__openclaw", "isMeta", "toolUseResult", "attachment", "prompt", "commandMode", "origin", "x"]
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault of the reader
@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=8), st.sampled_from(["message", "user", "assistant", "session", "leaf", "custom", "attachment"]))
def test_any_record_can_be_read(record: dict[str, object], kind: str) -> None:
    record["type"] = kind
    openclaw(record)
    claude_code(record)
    claude_code({**record, "attachment": {**record, "type": "queued_command"}, "type": "attachment"})
    worth_parsing(json.dumps(record).encode())
