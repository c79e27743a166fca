"""The name of a suggested topic, in the language of its lines, as a person would choose it.

A known theme gives the title, unless the lines call it by another of its names; a theme that is about one named thing
gets that name too. Without a theme the words that the lines share make the title.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from silo.core.suggest.lines import Line, tells, towards
from silo.formats.events import slug_for
from silo.model import GENERAL
from silo.text.otherscripts import is_other, title_of
from silo.text.romanise import latin
from silo.text.themes import Theme, Themes, spoken
from silo.text.tokens import words

WORDS = 8  # shared words that are kept
ABOUT = 3  # lines that bear a name: it stands in the title
_SMALL = frozenset(
    ["a", "an", "and", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with", "o", "os", "e", "de", "do", "da",
     "dos", "das", "em", "no", "na", "nos", "nas", "ao", "aos", "com", "para"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A topic's name and what its header says: shared words and proper names as they were written."""

    slug: str
    title: str
    type: str
    words: tuple[str, ...]
    names: tuple[str, ...]


def name_of(
    inside: Sequence[Line], outside: Sequence[Line], theme: Theme | None, themes: Themes, used: set[str], recurs: frozenset[str] = frozenset()
) -> Name | None:
    """The name of a group of lines, or None where nothing in it can name a topic. `used` slugs are not given again; `recurs` are
    words of every day that may name one all the same."""
    language = _language(inside)
    words = _words(inside, outside, themes, theme, recurs)
    names = _names(inside, outside, theme, themes)
    if theme is None:
        titles = [_capital(" ".join(words[:count])) for count in (1, 2, 3) if len(words) >= count]
        kind = "project"
    else:
        title = _title(theme, language, inside, themes)
        proper = [name for name in names if spoken(name).forms.keys().isdisjoint(theme.names)]
        titles = [f"{title}: {proper[0]}"] if proper and (theme.named or _about(proper[0], inside)) else [title]
        titles += [f"{title}: {extra}" for extra in (*proper[:1], *(_capital(word) for word in words[:2]))]
        kind = theme.type
    for title in titles:
        slug = slug_for(latin(_bare(title)))
        if slug is not None and slug not in used and slug != GENERAL:
            return Name(slug, title, kind, words, names)
    return None


def _language(lines: Sequence[Line]) -> str:
    spoken_in = Counter(line.said.language for line in lines if line.said.language)
    return "pt" if spoken_in["pt"] > spoken_in["en"] else "en"


def _bare(title: str) -> str:
    return " ".join(word for word in title.replace(":", " ").split() if word.casefold() not in _SMALL)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _title(theme: Theme, language: str, lines: Sequence[Line], themes: Themes) -> str:
    """The theme's title; another of its names where the lines use that one and none of the title's words; with a word that
    names the theme, as it is listed, where at most one line says the title and more say that; the word that half of them
    say, where none says the title."""
    title = theme.titles[language]
    said = Counter(root for line in lines for root in line.said.forms)
    own = sum(said[root] for root in spoken(title).forms)
    calls = [(_times(lines, word), -place, word) for place, word in enumerate(theme.alternatives)]
    count, _, word = max(calls, default=(0, 0, ""))
    if count > own + 1 or (count >= 2 and not own):
        return theme.patterns.get(language, "{}").format(_capital(word.replace("-", " ")))
    if own < 2 and not theme.named:
        forms = {root: _form(lines, root, root) for root in said if said[root] > max(1, own) and root not in themes.everyday}
        core = [root for root in forms if themes.names_theme(root, theme, forms[root])]
        if core:
            return f"{title}: {forms[max(core, key=lambda root: (said[root], root))]}"
        called = {root for line in lines for name in line.names for root in spoken(name).forms}
        apart = {root for root in forms if not own and root not in called and said[root] >= ABOUT}
        half = [root for root in apart if said[root] * (2 if _tells(root, theme, themes) else 3) >= len(lines)]
        if half:
            return _capital(forms[max(half, key=lambda root: (said[root], root))])
    return title


def _tells(root: str, theme: Theme, themes: Themes) -> bool:
    """Whether a word is one of those by which a theme shows."""
    return any(themes.all[number] is theme for number, *_ in themes.index.get((root,), ()))


def _times(lines: Sequence[Line], word: str) -> int:
    """How many lines say a word in one of its listed forms: who sings is no song."""
    said = next(iter(spoken(word).forms.items()), ("", ""))
    return sum(_singular(line.said.forms.get(said[0], "")) & _singular(said[1]) != set() for line in lines)


def _singular(word: str) -> set[str]:
    """A word and what it may be the plural of."""
    return {word, word.removesuffix("s"), word.removesuffix("es")} - {""}


@lru_cache(maxsize=4096)
def _root(word: str) -> str:
    return next(iter(spoken(word).forms), "")


def _form(lines: Sequence[Line], root: str, otherwise: str) -> str:
    """A stem as the lines write it most often, its accents kept."""
    written = Counter(word for line in lines if root in line.said.forms for word in line.event.text.split() if _root(word) == root)
    best = max(written, key=lambda word: (written[word], word), default=otherwise)
    return best.strip(".,;:!?()\"'“”«»").lower().removesuffix("'s").removesuffix("’s")


def _words(inside: Sequence[Line], outside: Sequence[Line], themes: Themes, theme: Theme | None, recurs: frozenset[str]) -> tuple[str, ...]:
    """What the lines share and others do not say, best first, as written."""
    here = Counter(root for line in inside for root in line.said.forms)
    there = Counter(root for line in outside for root in line.said.forms)
    ranked = []
    for root, count in here.items():
        if (root in themes.everyday and root not in recurs) or any(c.isdigit() for c in root) or not tells(root) or there[root] > count:
            continue
        known = theme is not None and any(themes.all[n] is theme for n, *_ in themes.index.get((root,), ()))
        if count >= 2 or known:
            ranked.append((-(count - 0.5 * there[root]) - (0.5 if known else 0.0), root))
    best = [root for _, root in sorted(ranked)]
    texts = [line.event.text for line in inside] if any(map(is_other, best)) else []
    said = dict.fromkeys(title_of(root, texts, themes.scripts) if is_other(root) else _form(inside, root, root) for root in best[:WORDS])
    return tuple(said)


def _names(inside: Sequence[Line], outside: Sequence[Line], theme: Theme | None, themes: Themes) -> tuple[str, ...]:
    """Proper names of the lines that others do not hold: those first that stand beside the theme's name, or often; where one
    goes to, for a theme that is called by it.

    Days and months are written like names, but are none.
    """
    there = {name for line in outside for name in line.names}
    first = {name: number for number, line in reversed(list(enumerate(inside))) for name in line.names}
    rank: Counter[str] = Counter()
    for name in first:
        if name in there or all(themes.names_nobody(root, word) for root, word in spoken(name).forms.items()):
            continue
        for line in inside:
            if _bears(line, name):
                beside = theme is not None and not theme.names.isdisjoint(line.said.forms)
                rank[name] += (6 if beside else 2) + (theme is not None and theme.named and towards(line.event.text, name))
    return tuple(sorted(rank, key=lambda name: (-rank[name], first[name], name))[:4])


def _bears(line: Line, name: str) -> bool:
    """Whether a line holds a name, at its beginning too."""
    return name in line.names or f" {' '.join(words(name))} " in f" {' '.join(words(line.event.text))} "


def _about(name: str, lines: Sequence[Line]) -> bool:
    """Whether so many of the lines bear a name that they are about it."""
    count = sum(_bears(line, name) for line in lines)
    return count >= ABOUT and count * 3 >= len(lines)
