"""The shape of names: runs of capitalised words, the name that leads a line, what a name's words make it.

Knows nothing of sections or graphs, and no list of given names: that is for `weighing`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.entity_words import EntityWords
from silo.text.fold import fold
from silo.text.stopwords import STOP
from silo.text.titles import NOBODY, NOBODY_UNSPACED

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-&+][^\W_]+)*\.?")
_JOINERS = frozenset(
    [
        "de",
        "da",
        "do",
        "das",
        "dos",
        "del",
        "della",
        "di",
        "du",
        "van",
        "von",
        "der",
        "den",
        "ten",
        "ter",
        "la",
        "le",
        "los",
        "las",
        "bin",
        "ibn",
        "of",
        "al",
        "el",
        "af",
        "av",
        "zu",
        "zum",
        "&",
    ]
)
_SENTENCE = re.compile("^.{1,3}[是在]|的|[\u3400-\u9fff]の")  # 老王是房东
_UNSPACED = re.compile(r"[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WRAPPED = re.compile(
    r"\W{0,4}(?:\[\[([^\[\]|]{1,80})(?:\|([^\[\]]{1,80}))?\]\]|\*\*([^*]{1,80}?)[:\uff1a]?\*\*|__([^_]{1,80}?)[:\uff1a]?__)"
)
_SEPARATOR = re.compile(
    r"\s+[\u2014\u2013-]+\s+|\s*\u2014\s*|\s*[:\uff1a](?!//)\s*|\s*[(\uff08]|\s*[,\uff0c\u3001;]\s*|\s+=\s+|\s*\|\s*|\s*\u2192\s*|\s*->\s*"
)
_ABBREVIATED = frozenset(
    ("prof", "profa", "mrs", "dra", "sra", "eng", "engª", "mme", "dipl", "capt", "lic", "arq")
)
_COMPOUNDS = ("verein", "schule", "verlag", "werkstatt", "handel", "kanzlei", "praxis", "apotheke", "backerei", "brauerei", "druckerei", "verband", "sparkasse")  # `Reitverein`
# Made-up names of firms: `Coopervale`, `Hidrosul`, `Lumitech`.
_FIRM = re.compile(
    r"(?:cooper?|agro|hidro|hydro|electro|eletro|auto|tele|bio|petro|ferro|termo|thermo|aqua|euro|trans|info|medi|multi|super|mega)[a-z]{4,}|"
    r"[a-z]{3,}(?:tech|tec|soft|net|labs?|pharma|bank|print|works|ware|mart|corp|motors|lux|plast|prest|cover|pack|hub)"
)
_EDGE = re.compile(r"^[^\w\[*`\"'~@+]+|[\s.;]+$")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of capitalised words, and where it stands in the text."""

    name: str
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class Lead:
    """What stands before the first separator of a line. `marked`: it was bold or a wiki link."""

    head: str
    separator: str  # one of — : ( , = | → or "" at the end of the line
    rest: str
    marked: bool


def runs(text: str) -> list[Run]:
    """Every run of capitalised words: `asked Bettina Krol about Marsh Council` → two."""
    found: list[Run] = []
    tokens = list(_TOKEN.finditer(text))
    at = 0
    while at < len(tokens):
        if not _capital(tokens[at][0]):
            at += 1
            continue
        end = at
        while end + 1 < len(tokens) and _near(text, tokens[end], tokens[end + 1]):
            ahead = tokens[end + 1][0]
            if _capital(ahead):
                end += 1
            elif ahead.lower() in _JOINERS and _joined(text, tokens, end + 1):
                end += 2
            else:
                break
        start, stop = tokens[at].start(), tokens[end].end()
        name = text[start:stop]
        if name.endswith(".") and len(tokens[end][0]) > 3:
            name, stop = name[:-1], stop - 1
        found.append(Run(name, start, stop, end - at + 1))
        at = end + 1
    return found


def _capital(word: str) -> bool:
    return word[0].isupper() and word != "I" and not _UNSPACED.match(word)


def _near(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Whether nothing but space (or a joining &) stands between two words, and the left one does not end a sentence."""
    between = text[left.end() : right.start()]
    ends = left[0].endswith(".") and len(left[0]) > 3 and left[0][:-1].lower() not in _ABBREVIATED
    return between in (" ", "  ", "\u00a0", " & ", " + ") and not ends


def _joined(text: str, tokens: list[re.Match[str]], at: int) -> bool:
    return at + 1 < len(tokens) and _near(text, tokens[at], tokens[at + 1]) and _capital(tokens[at + 1][0])


def lead(text: str) -> Lead:
    """The head of a line and what follows: `**Ana** — sister` → Ana, —, sister."""
    text = _EDGE.sub("", text.split("\n", 1)[0])
    if hit := _WRAPPED.match(text):
        head = next(g for g in (hit[2], hit[1], hit[3], hit[4]) if g)
        rest = text[hit.end() :]
        after = _SEPARATOR.match(rest)
        closed = text[hit.start() : hit.end()].rstrip("*_").endswith((":", "\uff1a"))
        mark = after[0].strip()[:1] if after else ":" if closed else " " if rest.strip() else ""
        return Lead(head.strip(), mark, (rest[after.end() :] if after else rest).strip(), True)
    if hit := _SEPARATOR.search(text):
        mark = hit[0].strip()[:1]
        mark = {
            "-": "\u2014",
            "\u2013": "\u2014",
            "\uff1a": ":",
            "\uff08": "(",
            "\uff0c": ",",
            "\u3001": ",",
        }.get(mark, mark)
        return Lead(text[: hit.start()].strip(), mark, text[hit.end() :].strip(), False)
    return Lead(text.strip(), "", "", False)


def is_name(text: str, words: EntityWords) -> bool:
    """Whether a text is nothing but a name: capitalised words (or a short run of an unspaced script), none of them common."""
    if _UNSPACED.search(text):
        return is_unspaced_name(text)
    found = runs(text)
    if len(found) != 1 or found[0].end - found[0].start < len(text.rstrip(".")) or found[0].words > 6:
        return False
    tokens = [fold(t) for t in _TOKEN.findall(text)]
    if tokens[0] in _MONTH_NAMES and len(tokens) >= 2:
        return not tokens[1].isdigit()
    return tokens[0] not in words.not_a_name and not names_nobody(text, words)


def is_unspaced_name(text: str) -> bool:
    """2–8 characters of a script without spaces, nothing else, and no sentence."""
    if re.fullmatch(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af・ ]{2,8}", text) is None or text.strip() in NOBODY_UNSPACED:
        return False
    return len(text) < 3 or _SENTENCE.search(text) is None


def name_words(text: str) -> list[str]:
    """The folded words of a name."""
    return [fold(token.rstrip(".")) for token in _TOKEN.findall(text)]


def names_nobody(text: str, words: EntityWords) -> bool:
    """Whether a text is made of titles, roles, days and other words that name nobody by themselves: `Sra.`, `Neighbour`."""
    tokens = [part for token in name_words(text) for part in token.split("-") if part]
    common = words.not_a_name | words.titles | words.roles | NOBODY
    return all(token in common or token.rstrip("ªº") in common for token in tokens) or text.strip() in NOBODY_UNSPACED


def only_title(text: str, words: EntityWords) -> bool:
    """Whether a name is a title and one word (`Mr Adeyemi`): too little to tell a person by."""
    tokens = name_words(text)
    return len(tokens) == 2 and tokens[0] in words.titles


def kind_of(name: str, words: EntityWords, default: str) -> str:
    """org or loc where a word of the name says so, else the default."""
    tokens = name_words(name)
    if _UNSPACED.search(name):
        ends = name.endswith(words.organisation_endings) and name not in words.organisation_endings
        return "org" if ends else default
    if len(tokens) < 2:
        firm = _FIRM.fullmatch(tokens[0]) if tokens else None
        taken = firm is None or tokens[0] in words.names.frequent or words.names.is_common(tokens[0])
        return "org" if not taken and name[:1].isupper() else default
    if name.split()[-1].rstrip(".,") in words.legal_forms or "&" in name or " + " in name:
        return "org"
    if any(t in words.organisation_words or t.endswith(_COMPOUNDS) for t in tokens):
        return (
            "loc"
            if tokens[-1] in words.place_words or (default == "loc" and tokens[0] in words.place_words)
            else "org"
        )
    if tokens[0] in words.place_words or (tokens[-1] in words.place_words and default != "person"):
        return "loc"
    return default


_NUMBER = re.compile(r"\d{1,4}[a-zA-Z]?")
_ROADS = frozenset(["rua", "avenida", "travessa", "praca", "largo", "alameda", "estrada", "beco", "calle", "plaza", "paseo", "rue", "via", "viale", "piazza"])


def is_address(name: str, words: EntityWords) -> bool:
    """Whether a name is a place's with a house's number before or behind it: `Mill Street 4`, `Rua da Fonte 22`."""
    parts = [part.strip(",.") for part in name.split()]
    numbered = [_NUMBER.fullmatch(part) is not None for part in (*parts[:1], *parts[-1:])]
    if sum(numbered) != 1:
        return False
    rest = parts[1:] if numbered[0] else parts[:-1]
    named = len(rest) > 1 and all(part[:1].isupper() or part in ("da", "de", "do", "das", "dos", "del", "la", "du") for part in rest)
    return named and (fold(rest[-1]) in words.place_words or fold(rest[0]) in _ROADS)


def place_label(name: str, words: EntityWords) -> bool:
    """Whether a label is a name of a place whose last word is not written large: `Orchard yard`."""
    parts = name.split()
    return (
        2 <= len(parts) <= 4
        and parts[0][:1].isupper()
        and parts[-1].islower()
        and all(part[:1].isupper() for part in parts[1:-1])
        and fold(parts[-1]) in words.place_words
        and fold(parts[0]) not in words.not_a_name | STOP
    )


def unspaced_organisations(text: str, words: EntityWords) -> list[str]:
    """Organisations in a script without spaces, told by their ending: 经营清岚工作室 → 清岚工作室."""
    found: list[str] = []
    for ending in words.organisation_endings:
        at = text.find(ending)
        while at > 0:
            start = at
            while (
                start > 0
                and at - start < 10
                and _UNSPACED.match(text[start - 1])
                and text[start - 1] not in _BOUNDARY
            ):
                start -= 1
            head = text[start:at]
            for verb in _VERBS:
                if verb in head:
                    head = head.rsplit(verb, 1)[1]
            quoted = text[at + len(ending) : at + len(ending) + 1] in tuple("「『《“")  # its name follows
            if 1 <= len(head) <= 8 and not quoted and head not in _GENERIC and not head.startswith(_SOME) and not any(head + ending in other for other in found):
                found.append(head + ending)
            at = text.find(ending, at + len(ending))
    return found


_MONTH_NAMES = frozenset(("april", "may", "june", "august", "abril", "julio"))  # given names too
_BOUNDARY = frozenset("在于的和与及是去到给由为找请跟从让、のでがはをにとも은는이가을를의에서")
# Which sort of shop or school it is, and no name: 독립서점.
_GENERIC = frozenset(("독립", "동네", "우리", "근처", "단골", "개인", "대형", "소형", "지역", "시립", "구립", "국립", "중고", "온라인", "대학", "附近", "这家", "一家", "那家", "社区", "市立", "国立", "県立", "地元", "近所", "隣", "総合", "大手"))
_SOME = ("一间", "一家", "一个", "这家", "那家", "这间", "某", "几家", "两家", "附近", "自家", "自己")
_VERBS = (
    "经营",
    "經營",
    "运营",
    "管理",
    "就职",
    "任职",
    "供职",
    "创办",
    "创立",
    "开",
    "经理",
    "代表",
    "勤務",
)


_HONORIFIC = re.compile(
    r"([\u3400-\u9fff\u30a0-\u30ff]{1,6}|[\uac00-\ud7af]{2,4}) ?(?:さん|氏|様|くん|ちゃん|先生|씨|님)"
)


# Whom one calls by what they are.
_CALLED_SO = frozenset(("고객", "부모", "선생", "사장", "원장", "어머", "아버", "팀장", "대표", "작가", "기사", "이웃", "業者", "患者", "大家", "職人", "店員", "生徒", "管理人", "隣人", "旦那", "本屋", "花屋", "社長", "部長", "店長", "院長", "園長", "先輩", "客", "奥"))


def unspaced_people(text: str) -> list[str]:
    """People in a script without spaces, told by what is said after their name: 夫は健一さん → 健一."""
    return [hit[1] for hit in _HONORIFIC.finditer(text) if len(hit[1]) >= 2 and hit[1] not in NOBODY_UNSPACED | _CALLED_SO]


def without_title(name: str, words: EntityWords) -> str:
    """`Dr. Halima Sesay` → Halima Sesay; a name that is nothing but a title and one word stays whole."""
    parts = name.split()
    if len(parts) >= 3 and fold(parts[0].rstrip(".")) in words.titles:
        return " ".join(parts[1:])
    return name
