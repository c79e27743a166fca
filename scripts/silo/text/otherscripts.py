"""What a line in Cyrillic, Han, kana or Hangul speaks of: its words of weight, in the form in which lines are compared.

Han runs count as pairs of characters, as the search counts them, once the words of every day are cut out of them; a single
one counts where a Japanese particle follows. Katakana runs and Hangul words (their particles off) count whole, Russian words
by their stem. No dictionary: the words of every day come in. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from silo.text.fold import fold
from silo.text.stem import stem
from silo.text.stopwords import STOP

_HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"([{_HAN}]+)|([\u30a1-\u30fa\u30fc]+)|([\uac00-\ud7af]+)|([\u0400-\u04ff]+)")
_MIXED = re.compile(rf"([{_HAN}][っいえきぎけげしじせちびみりれ][{_HAN}]+)[いえきけしせちみりれ]?")  # 引っ越し, 申し込み
_OTHER = re.compile(rf"[{_HAN}\u3040-\u30ff\uac00-\ud7af\u0400-\u04ff]")
_KANA = re.compile(r"[\u3041-\u30ff]")
_PARTICLE = re.compile(r"(?:は|が|を|に|の|で|と|も|へ|や|、|。|$)")
_ENDINGS = ("ев", "ов", "еи")  # of Russian, folded, that the search leaves
_NOUNS = frozenset(("바다", "소다", "사이다", "판다"))  # that end as verbs do
_JOSA = tuple(
    sorted(
        ["은", "는", "이", "가", "을", "를", "의", "에", "에서", "에게", "에는", "에도", "으로", "로", "으로는", "와", "과", "도", "만", "부터", "까지", "께", "한테", "이나", "나", "이다", "입니다", "이에요", "예요", "이며", "이고", "처럼", "보다", "마다", "라고", "이라고", "에서는", "들이", "들은", "들을", "들"],
        key=len,
        reverse=True,
    )
)


@dataclass(frozen=True, slots=True)
class Everyday:
    """Words of every day that tell nothing of what a line is about: Russian as stems, the others as written."""

    russian: frozenset[str] = frozenset()
    korean: frozenset[str] = frozenset()
    chinese: re.Pattern[str] | None = field(default=None, repr=False)
    japanese: re.Pattern[str] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, table: Mapping[str, str]) -> Everyday:
        """From lists of words by language (`ru`, `ko`, `zh`, `ja`)."""

        def any_of(key: str) -> re.Pattern[str]:
            return re.compile("|".join(map(re.escape, sorted(table[key].split(), key=len, reverse=True))))

        return cls(frozenset(_russian(fold(word)) for word in table["ru"].split()), frozenset(table["ko"].split()), any_of("zh"), any_of("ja"))

    def cut(self, text: str) -> str:
        """The text with the words of every day blanked out, in the language that its signs show."""
        common = self.japanese if _KANA.search(text) else self.chinese
        return common.sub(lambda hit: "\n" * len(hit[0]), text) if common else text


def is_other(root: str) -> bool:
    """Whether a stem is of one of these scripts."""
    return _OTHER.search(root) is not None


def weighty(text: str, everyday: Everyday) -> dict[str, str]:
    """Root → the word as it is written, for a text that has words of these scripts; empty for one in Latin letters."""
    if not _OTHER.search(text):
        return {}
    japanese = _KANA.search(text) is not None
    found: dict[str, str] = {}
    cut = everyday.cut(text)
    if japanese:
        found.update((hit[1], hit[0]) for hit in _MIXED.finditer(cut))
    for hit in _WORD.finditer(cut):
        han, katakana, hangul, cyrillic = hit.groups()
        if han and len(han) == 1:
            if japanese and _PARTICLE.match(text, hit.end()):
                found.setdefault(han, han)
        elif han:
            found.update((han[at : at + 2], han[at : at + 2]) for at in range(len(han) - 1))
        elif katakana and len(katakana) > 1:
            found.setdefault(katakana, katakana)
        elif hangul:
            word = _bare(hangul)
            if len(word) > 1 and word not in everyday.korean and hangul not in everyday.korean:
                found.setdefault(word, word)
        elif cyrillic:
            word = fold(cyrillic)
            root = _russian(word)
            if word not in STOP and len(root) > 2 and root not in everyday.russian:
                found.setdefault(root, cyrillic)
    return found


def _bare(word: str) -> str:
    """A Korean word without its particle; what ends like a verb is none that names a thing."""
    if (word.endswith("다") and word not in _NOUNS) or (word.endswith(("요", "고", "서", "면", "며", "지")) and len(word) > 2):
        return ""
    for ending in _JOSA:
        if word.endswith(ending) and len(word) - len(ending) > 1:
            return word.removesuffix(ending)
    return word


def _russian(word: str) -> str:
    root = stem(word)
    for ending in _ENDINGS:
        if root.endswith(ending) and len(root) - len(ending) > 3:
            return root.removesuffix(ending)
    return root


def title_of(root: str, texts: Sequence[str], everyday: Everyday) -> str:
    """What the lines call the thing, as a title: the longest Han run about the pair that they share, a Russian word as the
    subject of a sentence."""
    forms: Counter[str] = Counter()
    for text in texts:
        if (said := weighty(text, everyday).get(root)) is not None:
            forms[said.lower()] += 1
    if not forms:
        return root
    if re.fullmatch(rf"[{_HAN}]{{2}}", root):
        return _longest(root, [cut for text in texts if root in (cut := everyday.cut(text))])
    best = _subject(forms) if re.match("[\u0400-\u04ff]", root) else max(forms, key=lambda form: (forms[form], form))
    return best[:1].upper() + best[1:]


def _subject(forms: Mapping[str, int]) -> str:
    """Of the inflected forms of a Russian word the one of a subject, made where no line has it: кухню, кухни → кухня."""
    adjective = [form for form in forms if form.endswith(("ий", "ый"))]
    if adjective and any(form.endswith(("ого", "его", "ому", "ему", "ая", "ую")) for form in forms):
        return max(adjective, key=lambda form: (forms[form], form))
    endings: dict[str, str] = {}
    for form in sorted(forms, key=lambda form: (forms[form], form)):
        endings[form[len(form.rstrip("аеёиоуыэюяйьм")) :]] = form
    womanly = ("у" in endings and {"ы", "и", "ой"} & endings.keys()) or ("ю" in endings and {"и", "ей"} & endings.keys())
    for ending in ("а", "я", "", "о", "е", "ь", "й") if womanly else ("", "а", "я", "о", "е", "ь", "й"):
        if ending in endings and (ending in ("", "а", "я", "о") or not womanly):
            return endings[ending]
        if womanly and ending == "" and not {"а", "я", ""} & endings.keys():
            accusative = endings["у" if "у" in endings else "ю"]
            return accusative[:-1] + ("а" if accusative.endswith("у") else "я")
    return max(forms, key=lambda form: (forms[form], form))


def _longest(pair: str, texts: Iterable[str]) -> str:
    """The longest run of Han characters around the pair that all but a few of its lines hold."""
    lines = list(texts)
    best = pair
    grown = True
    while grown:
        grown = False
        longer: Counter[str] = Counter()
        for text in lines:
            at = text.find(best)
            if at > 0 and re.match(rf"[{_HAN}]", text[at - 1]):
                longer[text[at - 1] + best] += 1
            if at >= 0 and at + len(best) < len(text) and re.match(rf"[{_HAN}]", text[at + len(best)]):
                longer[best + text[at + len(best)]] += 1
        fit = [name for name, number in longer.items() if number * 4 >= len(lines) * 3 and number >= 3]
        if fit and len(best) < 8:
            best = max(fit, key=lambda name: (longer[name], name))
            grown = True
    return best
