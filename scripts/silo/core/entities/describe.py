"""What a line says of somebody whom it names: role, phone and mail, other names.

The name itself is looked at once more, since what stands where a name may stand is often something else.
"""

from __future__ import annotations

import re

from silo.core.entities.mention import Mention
from silo.core.entities.names import is_name, kind_of, lead, only_title, runs, without_title
from silo.core.migrate.reading import undress
from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.lexicon import split_words

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"(?:\+\d|\b0\d{2,4} )[\d ().-]{5,}\d")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
NICK = re.compile(r"\s*[\"“”'‘’«]([^\"“”'‘’»\s]{1,20})[\"“”'‘’»]\s*")
_ARTICLE = re.compile(r"^(?:o|a|os|as|el|la|los|las|the|der|die|das|le|les|il|lo|de|het)\s+")


class Describer:
    """Makes a mention of a name and the words beside it."""

    def __init__(self, words: EntityWords) -> None:
        self.words = words

    def person(self, name: str, line: int, role: str, rest: str, *, titled: bool = False) -> Mention | None:
        """A person (or the organisation that the name turns out to be); None for what is no name. `titled`: a title and one
        word are enough (`Dona Amélia` in a list of people), and the person is called so."""
        nick = NICK.search(name)
        name = without_title(NICK.sub(" ", name).strip(), self.words)
        if name in self.words.organisation_endings:
            return None  # 도서관, and no name before it
        if UNSPACED.search(name) and " " in name:
            first, last = name.split(" ", 1)
            if first.endswith(("은", "는", "을", "를", "에", "의", "에서")) and len(first) > 2:
                return None
            if last in self.words.roles:  # 서윤 작가
                name, role = first, role or last
            elif any(last.endswith(one) for one in self.words.roles if not one.isascii()):
                return None  # a sentence: 이수진은 간호사
        by_title = only_title(name, self.words)
        if not name or not is_name(name, self.words) or (by_title and not titled) or name.isupper():
            return None
        if kind_of(name, self.words, "person") == "org":
            return Mention(name, "org", line)
        properties = dict(self.about(rest, "role"))
        if role and fold(role) not in self.words.name_labels:
            properties.setdefault("role", role.strip())
        owns = any(word in self.words.owners for word in split_words(f"{role} {rest}"))
        called = [nick[1]] if nick else [name.split(None, 1)[1]] if by_title else []
        aliases = tuple(dict.fromkeys([*called, *self._aliases(rest)]))
        return Mention(name, "person", line, tuple(properties.items()), aliases, owns=owns)

    def about(self, rest: str, key: str = "note") -> tuple[tuple[str, str], ...]:
        """Properties in what stands behind a name: mail, phone, and the rest under `key`."""
        found: list[tuple[str, str]] = []
        if mail := MAIL.search(rest):
            found.append(("email", mail[0]))
        if phone := PHONE.search(rest):
            found.append(("phone", phone[0]))
        plain = undress(PHONE.sub("", MAIL.sub("", rest))).strip(" ,;.")
        if plain.count("(") != plain.count(")"):
            plain = plain.strip("()")
        if 2 <= len(plain) <= 160:
            found.append((key, plain))
        return tuple(found)

    def _aliases(self, text: str) -> tuple[str, ...]:
        tokens = list(re.finditer(r"[^\W_]+", text))
        for hit in self.words.labels.find(text, [fold(t[0]) for t in tokens]):
            if hit.label != "aliases":
                continue
            after = (
                text[tokens[hit.at + hit.length - 1].end() :] if hit.at >= 0 else text.split(hit.entry, 1)[-1]
            )
            if quoted := re.match(r"[\s:]*[\"“”'«「『]([^\"“”'»」』]{1,30})[\"“”'»」』]", after):
                return (quoted[1],)
            if (found := runs(after)) and not after[: found[0].start].strip(" :\"'“"):
                return (found[0].name,)
        return ()


def first_name_of(text: str) -> str:
    """The name at the beginning of a value, an article passed over: `o Rui, pescador` → Rui."""
    head = _ARTICLE.sub("", lead(text).head)
    found = runs(head)
    if found and found[0].start == 0:
        nick = NICK.match(head, found[0].end)
        if nick and len(found) > 1 and found[1].start == nick.end():
            return head[: found[1].end]
        return found[0].name
    return head if UNSPACED.search(head) else ""
