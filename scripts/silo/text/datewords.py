"""Words of dates in English and Portuguese, and the patterns made of them. Data for `dates`; no date arithmetic here.

Each pattern is compiled when a text first needs it: most texts need few. All run over flattened text (`flat`: lower case, no accents). Named groups: d day, m month, y year, w weekday,
n number, u unit, p the word that points (next, last, …), r the rest of a recurring phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from silo.text.lazy import Lazy


def _w(words: str) -> list[str]:
    return words.split()


_MONTHS = {
    1: "january jan janeiro",
    2: "february feb fevereiro fev",
    3: "march mar marco",
    4: "april apr abril abr",
    5: "may maio mai",
    6: "june jun junho",
    7: "july jul julho",
    8: "august aug agosto ago",
    9: "september sept sep setembro set",
    10: "october oct outubro out",
    11: "november nov novembro",
    12: "december dec dezembro dez",
}
MONTHS = {word: number for number, words in _MONTHS.items() for word in words.split()}
_WEEKDAYS = {
    0: "monday mon segunda-feira segunda",
    1: "tuesday tues tue terca-feira terca",
    2: "wednesday weds wed quarta-feira quarta",
    3: "thursday thurs thur thu quinta-feira quinta",
    4: "friday fri sexta-feira sexta",
    5: "saturday sat sabado",
    6: "sunday sun domingo",
}
WEEKDAYS = {word: number for number, words in _WEEKDAYS.items() for word in words.split()}
_NUMBERS = (
    "one um uma a an|two dois duas|three tres|four quatro|five cinco|six seis|seven sete|eight oito|nine nove|ten dez|"
    "eleven onze|twelve doze|thirteen treze|fourteen quatorze catorze|fifteen quinze"
)
NUMBERS = {word: value for value, words in enumerate(_NUMBERS.split("|"), 1) for word in words.split()}
NUMBERS |= {"couple of": 2, "a couple of": 2, "twenty": 20, "vinte": 20, "thirty": 30, "trinta": 30}
_ONES = _w("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
_UNITS_PT = _w("um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove")
SPELLED = {word: n for n, word in enumerate(_ONES, 1)} | {word: n for n, word in enumerate(_UNITS_PT, 1)}  # days of a month in words
SPELLED |= {"catorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19, "primeiro": 1, "twentieth": 20, "thirtieth": 30, "vinte": 20, "trinta": 30, "trinta e um": 31, "thirty-first": 31}
SPELLED |= {f"twenty-{word}": 20 + n for n, word in enumerate(_ONES[:9], 1)} | {f"vinte e {word}": 20 + n for n, word in enumerate(_UNITS_PT[:9], 1)}
NEAR_DAYS = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "hoje": 0, "esta noite": 0,
    "end of day": 0, "end of the day": 0, "eod": 0, "fim do dia": 0, "final do dia": 0,
    "tomorrow": 1, "tmrw": 1, "tmr": 1, "amanha": 1, "yesterday": -1, "last night": -1, "ontem": -1, "anteontem": -2,
    "day after tomorrow": 2, "depois de amanha": 2, "day before yesterday": -2,
}  # fmt: skip

NEXT_WORDS = frozenset(_w("next proximo proxima seguinte vem following coming"))
LAST_WORDS = frozenset(_w("last past passado passada ultimo ultima previous"))


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted((re.escape(w) for w in words), key=len, reverse=True)) + ")"


_LONG_EN = _w("january february march april may june july august september october november december")
_MON_EN = _any([*_LONG_EN, *_w("jan feb mar apr jun jul aug sept sep oct nov dec")])
_LONG_PT = _w("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro")
_MON = _any(MONTHS)
_FULL_DAY = _any([w for w in WEEKDAYS if w.endswith(("day", "-feira")) or w in ("terca", "sabado", "domingo")])
_ORDINAL_DAY = "(?:segunda|quarta|quinta|sexta)"  # also "second", "fourth" …: a weekday only where the sentence says so
_SHORT_DAY = "(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)"  # sat and sun are words too
_DAY_NAME = f"(?:{_FULL_DAY}|{_ORDINAL_DAY}|{_SHORT_DAY})"
_D = r"(?P<d>[0-3]?\d)"
_SUF = r"(?:st|nd|rd|th|o|º|°|ª)?"
_Y = r"(?P<y>(?:19|20)\d\d)"
_NUM = rf"(?P<n>\d{{1,3}}|{_any(NUMBERS)})"
_UNIT = r"(?P<u>days?|dias?|weeks?|semanas?|fortnights?|months?|mes(?:es)?|years?|anos?)"
# What may follow "the 7th" or "sexta": a plain noun would make an ordinal of it (the 7th floor, a sexta vez).
_NO_NOUN = r"(?=\s*(?:$|[^\w\s]|\n)|\s+(?:" + "|".join(_w(
    "a ao as and ante antes as at ate because before but by cedo com da das de depois dia do e ela ele em eu evening feira for from i "
    "if in instead is it its ja late later latest logo mas mesmo morning na nao no night noite noon not now o of ok on or os ou para "
    "passada passado pela pelo please por pra pro proxima que quando rather right same se sem shall so tambem tarde tem temos that the "
    "then there they this to too tomorrow um uma until vai vamos vem vence voce vou was we week when will with works you "
    "anymore afternoon instead already since unless whatever thanks obrigado obrigada btw ate logo apos onde as"
)) + r")\b)"  # fmt: skip
_IN = (
    r"(?:in|by|until|till|since|from|starting|starting in|beginning|as of|effective|through|before|after|of|this|next|last|early|late|mid|end of|during|for|em|ate|desde|de|"
    r"a partir de|antes de|depois de|para|pra|no|neste|nesse|inicio de|comeco de|meados de|fim de|final de)"
)
_COUNTED = (  # a figure of something else: 2000 reais, 2019 rows
    r"(?!\s*(?:%|[.,:/-]\d|h\b|k\b|(?:reais|euros?|dollars?|dolares|bucks|km|kg|g|gb|mb|ms|ml|rows|linhas|people|pessoas|steps|passos|"
    r"items|itens|users|usuarios|unidades|units|words|palavras|w|watts?|rpm|hz|px|calories|calorias|followers|seguidores)\b))"
)

MAYBE = Lazy(  # where nothing of these stands, no date does: the cheap look before the careful one
    r"\d|day|dia|week|seman|month|mes|year|ano|hoje|manha|ontem|tonight|tomorrow|tmr|end of|fim d|final d|eod|eom|"
    r"night|morning|noon|evening|segund|terc|quart|quint|sext|sabado|doming|fortnight|"
    + "|".join([*_LONG_EN, *_LONG_PT])
    + r"|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)"
)
RECURRING = Lazy(  # every Friday, todo dia 5, the 1st of each month, Monday to Friday: no date
    rf"\b(?:every|each|tod[oa]s?(?: [oa]s)?|cada)\s+(?:other\s+|outr[oa]\s+|single\s+)?"
    rf"(?:dias?\s+\d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)|{_DAY_NAME}s?)(?:(?:,|\s+and|\s+e|\s+or|\s+ou)\s+{_DAY_NAME}s?)*\b"
    rf"|\b(?:dias?\s+\d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th))\s+(?:of|de)\s+(?:every|each|cada|todo)\s+(?:o\s+)?(?:month|mes)\b"
    rf"|\b{_DAY_NAME}(?:\s+(?:to|through|a|ate)\s+|\s*-\s*){_DAY_NAME}\b"
    r"|\bde\s+[\w.,]+\s+em\s+[\w.,]+\s+(?:dias?|semanas?|meses|anos?)\b"
    rf"|\b(?:a|nas?|as)s?\s+(?:segundas|tercas|quartas|quintas|sextas|sabados|domingos)\b"
)

# What must stand in a text for the patterns of a kind to be tried at all: d digit, m month, w weekday, e end, u unit of
# time, s week, n near day.
_SIGNS = {
    "d": r"\d",
    "m": "|".join([*_LONG_EN, *_LONG_PT, *(rf"\b{m}\b" for m in MONTHS if len(m) <= 4)]),
    "w": r"day\b|day\s|\b(?:mon|tues?|weds?|thu|thurs?|fri|sat|sun)\b|segunda|terca|quarta|quinta|sexta|sabado|domingo",
    "e": r"\bend\b|-end|\beo[mw]\b|\bfim\b|final|last day|ultimo dia",
    "u": r"\b(?:days?|dias?|weeks?|semanas?|fortnights?|months?|mes(?:es)?|years?|anos?)\b",
    "s": r"week|semana|\bfds\b",
    "n": "|".join(_any([w]) for w in ("today", "tonight", "this ", "hoje", "esta noite", "eod", "end of", "fim do dia", "final do dia", "tomorrow", "tmr", "amanha", "yesterday", "last night", "ontem")),
}
SIGNS = {sign: Lazy(pattern) for sign, pattern in _SIGNS.items()}
NEEDS = {
    "ymd": "d", "ym": "d", "dmy": "d", "my": "d", "range": "dm", "dm": "m", "numeric": "d", "end-month": "em", "end": "e", "end-next": "e",
    "end-year": "e", "end-week": "e", "end-next-week": "e", "weekday-week": "ws", "weekend": "s", "near": "n", "in": "u", "ago": "u",
    "of-month": "u", "weekday": "w", "day": "", "next-month": "u", "year-month": "mu", "next-year": "u", "next-week": "u", "month": "m", "year": "d",
}  # fmt: skip

PATTERNS: tuple[tuple[str, Lazy], ...] = tuple(
    (name, Lazy(pattern))
    for name, pattern in (
        ("ymd", r"(?<![\d-])(?P<y>(?:19|20)\d\d)[-/.](?P<m>0?[1-9]|1[0-2])[-/.](?P<d>[0-3]?\d)(?![\d-])"),
        ("ym", r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])"),
        ("dmy", r"(?<![\d./-])(?P<d>[0-3]?\d)(?P<sep>[/.-])(?P<m>[0-3]?\d)(?P=sep)(?P<y>(?:19|20)\d\d|\d\d)(?![\d/-]|\.\d)"),
        ("my", r"(?<![\d/.])(?P<m>0[1-9]|1[0-2])/(?P<y>20\d\d)(?![\d/])"),
        (
            "range",  # 3-5 March, de 3 a 5 de março: the first day; the last is met by the next pattern
            rf"(?<![\d.,])(?P<d>[0-3]?\d){_SUF}(?=(?:\s*-\s*|\s+(?:to|a|ao|and|e|or|ou)\s+(?:(?:o\s+)?dia\s+|the\s+)?)[0-3]?\d{_SUF}\s+(?:of\s+|de\s+)?(?P<m>{_MON})\b(?:(?:\s+de|,)?\s+{_Y})?)",
        ),
        (
            "range",  # from 2 until 5 July, de 2 até 5 de julho; "chapter 2 until 3 July" is no range
            rf"(?:\b(?:de|do|dia|from|the)\s+(?:dia\s+|the\s+)?)(?P<d>[0-3]?\d){_SUF}(?=\s+(?:until|ate)\s+(?:(?:o\s+)?dia\s+|the\s+)?[0-3]?\d{_SUF}\s+(?:of\s+|de\s+)?(?P<m>{_MON})\b(?:(?:\s+de|,)?\s+{_Y})?)",
        ),
        ("dm", rf"(?<![\d.,:/$€£-]){_D}{_SUF}\s*(?:of\s+|de\s+|/|-)?(?P<m>{_MON_EN})\b(?!\s+(?:be|have|not|need|take|cost|get|go)\b)\.?(?:,?\s+(?:of\s+)?{_Y}\b)?"),
        ("dm", rf"(?<![\d.,:/$€£-]){_D}{_SUF}\s*(?:de\s+|/)(?P<m>{_MON})\b(?:(?:\s*/|\s+de|\s+do ano de|,)?\s*{_Y}\b)?"),
        ("dm", rf"(?<![\d.,:/$€£-]){_D}{_SUF}\s+(?P<m>{_any(_LONG_PT)})\b(?:\s+(?:de\s+)?{_Y}\b)?"),
        ("dm", rf"\b(?P<m>{_MON_EN})\.?\s+(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:%]|[.,/]\d|\s*(?:am|pm|h|k|%|euros?|people)\b)(?:,?\s+{_Y}\b)?"),
        ("dm", rf"\b(?P<d>{_any(w for w in SPELLED if not w.startswith(('um', 'dois')) or w == 'dois')})\s+(?:of\s+|de\s+)(?P<m>{_any([*_LONG_EN, *_LONG_PT])})\b(?:(?:\s+de|,)?\s+{_Y})?"),
        ("dm", rf"\b(?P<m>{_any(_LONG_EN)})\s+(?:the\s+)?(?P<d>{_any([*_ONES, 'twentieth', 'thirtieth', 'thirty-first', *(w for w in SPELLED if w.startswith('twenty-'))])})\b(?:,?\s+{_Y})?"),
        ("numeric", r"(?<![\d.,:/$€£-])(?P<d>\d{1,2})/(?P<m>\d{1,2})(?![\d/%]|[.,]\d|\s*(?:cup|of\b|xicara|tsp|tbsp|stars|estrelas|inch))"),
        ("end-month", rf"\b(?:end|fim|final|last day|ultimo dia)\s+(?:of|de|do mes de)\s+(?P<m>{_any([*_LONG_EN, *_LONG_PT])})\b(?:,?\s+(?:de\s+)?{_Y}\b)?"),
        ("end", r"\b(?:end\s+of\s+(?:the|this)\s+month|month[- ]end|eom|(?:fim|final)\s+(?:do|deste|desse)\s+mes)\b"),
        ("end-next", r"\b(?:end\s+of\s+next\s+month|(?:fim|final)\s+do\s+(?:mes\s+que\s+vem|proximo\s+mes))\b"),
        ("end-year", r"\b(?:end\s+of\s+(?:the|this)\s+year|year[- ]end|(?:fim|final)\s+d(?:o|este|esse)\s+ano)\b"),
        ("end-week", r"\b(?:end\s+of\s+(?:the|this)\s+week|eow|(?:fim|final)\s+d(?:a|esta|essa)\s+semana)\b(?!\s+que)"),
        ("end-next-week", r"\b(?:end\s+of\s+next\s+week|(?:fim|final)\s+da\s+(?:semana\s+que\s+vem|proxima\s+semana))\b"),
        (
            "weekday-week",
            (
                rf"\b(?P<w>{_DAY_NAME})\s+(?:of\s+)?(?:d[ae]\s+)?(?:(?P<p>next|this|last)\s+week|(?P<q>proxima|outra)\s+semana|semana\s+(?P<s>que\s+vem|passada))\b"
                rf"|\b(?:next\s+week\s+(?:on\s+)?|semana\s+que\s+vem,?\s+(?:na\s+)?)(?P<v>{_DAY_NAME})\b"
            ),
        ),
        ("weekend", r"\b(?:(?P<p>this|next|last|the|n?esse|n?este|proximo|no)\s+)(?:weekend|fim\s+de\s+semana|fds)\b(?!\s+(?:of|do dia)\b)(?:\s+(?P<s>que\s+vem|passado))?"),
        ("near", r"\b(?P<n>(?:the\s+)?day\s+after\s+tomorrow|(?:the\s+)?day\s+before\s+yesterday|depois\s+de\s+amanha|" + _any(NEAR_DAYS).replace(r"\ ", r"\s+") + r")\b"),
        ("in", rf"\b(?:in|within|em|daqui\s+a|dentro\s+de)\s+{_NUM}\s+{_UNIT}\b(?!\s+(?:old|de\s+idade))"),
        ("in", rf"(?<!every )(?<!each )\b{_NUM}\s+{_UNIT}\s+(?:from\s+(?:now(?! on\b)|today)|a\s+partir\s+de\s+hoje)\b"),
        ("ago", rf"\b(?:ha|faz)\s+{_NUM}\s+{_UNIT}\b(?!\s+\d)(?:\s+atras)?"),
        ("ago", rf"\b{_NUM}\s+{_UNIT}\s+(?:ago|atras)\b"),
        ("of-month", r"\b(?:the\s+|dia\s+)(?P<d>[0-3]?\d)(?:st|nd|rd|th|º)?\s+(?:of|d[eo])\s+(?:(?P<p>this|next|last)\s+month|(?P<q>proximo)\s+mes|mes\s+(?P<s>que\s+vem|passado)|(?P<t>este|deste)\s+mes)\b"),
        ("day", rf"\b{_FULL_DAY}\s+(?:the\s+)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)\b"),
        ("day", rf"\b(?:{_ORDINAL_DAY}|terca|sabado|domingo)(?:-feira)?\s+(?P<d>[12]\d|3[01]|0?[1-9])\b(?!\s*(?:h|:|/|de\b|anos?|horas|min|e\s+\d|%|x\b|[.,]\d)|[:h/]|\s+(?!as\b|a\b|com\b|no\b|na\b|e\b|de\b)\w)"),
        (
            "weekday",
            rf"\b(?:(?P<p>this|next|last|coming|n?esta|n?essa|n?este|n?esse|(?:n?[ao]\s+|d[ao]\s+)?(?:proxim|ultim)[ao])\s+)?(?P<w>{_FULL_DAY})\b(?:\s+(?P<s>que\s+vem|passad[ao]|agora))?(?!\s+(?:mornings|afternoons|evenings|nights)\b)",
        ),
        (
            "weekday",
            rf"\b(?:(?P<p>n?esta|n?essa|(?:n?a\s+|da\s+)?(?:proxim|ultim)a|na|ate|ate\s+a|pra|para|da|de|hoje\s+e|que)\s+)(?P<w>{_ORDINAL_DAY})\b(?:\s+(?P<s>que\s+vem|passada|agora))?{_NO_NOUN}",
        ),
        ("weekday", rf"(?:^|(?<=[,.;:!?\n] )|(?<=\be ))(?P<w>{_ORDINAL_DAY})(?=\s+(?:tenho|tem|temos|eu|a gente|vou|vai|vamos|o|ele|ela|eles|nao|ja|preciso|precisa|chega|vence|viajo|volto|comeca|sai|e|ai)\b)"),
        ("weekday", rf"\b(?P<w>{_ORDINAL_DAY})\b(?:\s+(?P<s>que\s+vem|passada|agora)\b|(?=,?\s+(?:as|de\s+manha|a\s+tarde|a\s+noite|cedo|dia)\b)|(?=\s*(?:$|[.!?;\n])))"),
        ("weekday", rf"\b(?P<p>on|by|until|till|before|this|next|last|from)\s+(?P<w>{_SHORT_DAY})\b"),
        ("weekday", r"\b(?P<w>mon|tues?|weds?|thu(?:rs?)?|fri)\b(?=\s*(?:$|[.!?;,\n])|\s+(?:at|by|the|morning|afternoon|evening|night|\d))"),
        ("day", rf"\bdia\s+(?P<d>{_any(w for w in SPELLED if SPELLED[w] < 32 and not w.endswith(('th', 'nd', 'rd', 'st')))})\b(?!\s+(?:de\s+(?!manha|tarde)[a-z]|dias?\b))"),
        ("day", r"\b(?:dias?)\s+(?P<d>[0-3]?\d)(?:º|o)?\b(?!\s*(?:/|%|de\s+(?!manha|tarde)[a-z]))"),
        ("day", rf"\bthe\s+(?P<d>[0-3]?\d)(?:st|nd|rd|th)\b{_NO_NOUN}"),
        ("day", r"\b(?:on|by|until|till|before|after|from)\s+(?P<d>[0-3]?\d)(?:st|nd|rd|th)\b"),
        ("next-month", r"\b(?:(?P<p>this|next|last)\s+month|(?P<q>este|deste|neste|esse|desse|nesse|proximo)\s+mes|mes\s+(?P<s>que\s+vem|passado))\b"),
        ("year-month", rf"\b(?P<p>next|this|last)\s+year,?\s+(?:in\s+)?(?P<m>{_any([*_LONG_EN, *_LONG_PT])})\b(?!\s+\d)"),
        ("year-month", rf"\b(?:(?P<q>proximo|este|neste|esse|nesse)\s+ano|ano\s+(?P<s>que\s+vem|passado)),?\s+(?:em\s+|la\s+(?:por|em)\s+)?(?P<m>{_any([*_LONG_EN, *_LONG_PT])})\b"),
        ("year-month", rf"\b(?P<m>{_any([*_LONG_EN, *_LONG_PT])}),?\s+(?:of\s+|d[eo]\s+)?(?:(?P<p>next|this|last)\s+year|(?P<q>proximo|este|deste|esse|desse)\s+ano|ano\s+(?P<s>que\s+vem|passado))\b"),
        ("next-year", r"\b(?:(?P<p>this|next|last)\s+year|(?P<q>este|deste|neste|esse|desse|nesse|proximo)\s+ano|ano\s+(?P<s>que\s+vem|passado))\b"),
        ("next-week", r"\b(?:(?P<p>this|next|last)\s+week|(?P<q>esta|nesta|essa|nessa|proxima)\s+semana|semana\s+(?P<s>que\s+vem|passada))\b"),
        ("month", rf"\b(?P<m>{_any([*_LONG_EN, *_LONG_PT])})(?:\s+of|\s+de|,)?\s+{_Y}\b"),
        ("month", rf"\b(?P<p>{_IN})\s+(?P<m>{_any([*_LONG_EN, *_LONG_PT])})\b(?!\s+\d)"),
        ("month", rf"\b(?P<m>{_any([w for w in _LONG_PT if w != 'marco'])})\b"),
        ("year", rf"\b(?:in|since|by|until|till|from|before|after|of|em|desde|ate|de|ano|year|late|early|mid)\s+(?:o ano de\s+)?{_Y}\b{_COUNTED}"),
    )
)
