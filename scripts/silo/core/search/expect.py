"""What kind of answer a question waits for, and whether a line has one: a figure, a sum, how often, how long, a day, an hour,
a name, a place, a cause, a secret.

English and Portuguese question words only; another language waits for nothing. It does not look for the answer itself.
"""

from __future__ import annotations

from silo.text.fold import fold
from silo.text.lazy import Lazy
from silo.text.stopwords import STOP

NUMBER, MONEY, PHONE, OFTEN, LASTS, DAY, CLOCK, NAME, PLACE, CAUSE, SECRET = (
    "number", "money", "phone", "often", "lasts", "day", "clock", "name", "place", "cause", "secret",
)  # fmt: skip
SHOWN = frozenset({NUMBER, MONEY, PHONE, OFTEN, LASTS, CLOCK, NAME, PLACE})  # kinds that only a line which shows one answers; a day may be its date
WHOLE, LIKELY = 1.0, 0.5  # how far a line has an answer of the kind: it surely has one, it has what one may be

# (kind, words of which the question must have one for the pattern to be tried, pattern). What stands first in the folded question
# counts ("who calls when …" asks for a name), of several that begin there the first row.
_ASKS: tuple[tuple[str, tuple[str, ...], Lazy], ...] = (
    (OFTEN, ("often", "frequen", "quanto em quanto", "quantas vezes", "many times"), Lazy(r"\bhow (?:often|frequently)\b|\bcom que frequencia\b|\bde quanto em quanto\b|\bquantas vezes\b|\bhow many times\b")),
    (SECRET, ("pass", "pin", "senha", "key", "cvv"), Lazy(r"\b(?:password|passphrase|passcode|pin code|(?:bank|card|phone|sim|door|safe|my|meu|nosso|our) pin|pin (?:of|for|do|da|number)|senha|palavra-passe|secret key|api key|cvv)\b")),
    (CLOCK, ("time", "horas", "hora"), Lazy(r"\b(?:what|which) time\b|\ba? ?(?:que|qual o?) horas?\b|\bhorario\b")),
    (DAY, ("when", "day", "date", "month", "year", "night", "evening", "morning", "long ago", "quando", "dia", "data", "mes", "ano", "noite", "tarde", "manha"), Lazy(r"^(?:(?!\b(?:what|which|how|que|qual|como|onde|where|porque|why)\b).)*?\b(when|quando)\b|\b(?:what|which) (?:(?:week)?day|date|month|year|night|evening|morning)s?\b|\bhow long ago\b|\b(?:que|quais os|qual o?) ?(?:dias?|datas?|mes|ano|noites?|tardes?|manhas?)\b")),
    (PHONE, ("phone", "mobile", "cell", "fax", "whatsapp", "telefon", "telemovel", "celular"), Lazy(r"\b(?:phone|telephone|mobile|cell|fax|whatsapp) numbers?\b|\bnumero d[eoa] (?:telefone|telemovel|celular|whatsapp)\b|\bqual (?:e )?o telefone\b")),
    (LASTS, ("how long", "quanto tempo", "long does", "quantas horas", "quantos dias"), Lazy(r"\bhow long\b|\bquanto tempo\b|\bquantas horas\b|\bquantos dias\b")),
    (NUMBER, ("how ", "number", "price", "cost", "fee", "size", "age", "budget", "percent", "amount", "total", "score", "quant", "preco", "custo", "valor", "tamanho", "idade", "orcamento", "porcent", "numero"), Lazy(
        r"\bhow (?!do\b|does\b|did\b|is\b|are\b|was\b|were\b|can\b|could\b|should\b|will\b|would\b|come\b|to\b|has\b|have\b|i\b|we\b)\w+"
        r"|\b(?:account|room|house|flight|order|invoice|serial) number\b|\b(?:price|cost|fee|size|age|budget|percentage|amount|total|score)\b"
        r"|\bquant[oa]s?\b|\b(?:preco|custo|valor|tamanho|idade|orcamento|percentagem|porcentagem|numero)\b"
    )),
    (NAME, ("who", "name", "called", "quem", "nome", "chama"), Lazy(r"\bwho(?:m|se)?\b|\b(?:what|which) (?:is|was|are)? ?(?:the |my |our |his |her |their )?names?\b|\bnames? of\b|\bcalled\b|\bquem\b|\bqual (?:e )?o nome\b|\bcomo se chamam?\b|\bnome d[aoe]\b")),
    (PLACE, ("where", "onde", "place", "street", "town", "city", "lugar", "sitio", "rua", "cidade"), Lazy(r"\bwhere\b|\b(?:in |at |to )?(?:what|which) (?:place|street|town|city|country|room)\b|\ba?onde\b|\b(?:em |a )?que (?:lugar|sitio|rua|cidade|pais|sala)\b")),
    (CAUSE, ("why", "how come", "reason", "cause", "what made", "porqu", "por que", "motivo", "razao"), Lazy(r"\bwhy\b|\bhow come\b|\b(?:what|which) (?:is |was )?(?:the )?(?:reason|causes?|caused|made)\b|\bpor ?que\b(?: (?:e|foi) que\b)?|\bpor qu(?:e|al) (?:motivo|razao)\b|\bqual (?:e |foi )?[oa] (?:motivo|razao|causa)\b")),
)  # fmt: skip
_OF_MONEY = Lazy(
    r"\b(?:cost|price|fee|pay|paid|owe|charg|spen[dt]|rent\b|salary|earn|wage|worth|compensat|refund|money|fine\b|budget|sav(?:e|ed|ing)|tip\b|deposit|fare"
    r"|cust|prec|pag[aou]|cobr|dev[eio]\b|devem|dever|gast|renda|alugu|salari|ganh|valor|mult[ao]\b|poup|desembols|orcament|indemni|indeniz|reembols)"
)
_MUCH = ("how much", "price", "cost", "fee", "budget", "amount", "quanto", "preco", "custo", "valor", "orcamento")

_MONTHS = (
    r"jan(?:uary|eiro)?|feb(?:ruary)?|fev(?:ereiro)?|mar(?:ch|co)?|apr(?:il)?|abril|may|maio|jun(?:e|ho)?|jul(?:y|ho)?|aug(?:ust)?"
    r"|agosto|sep(?:tember)?|setembro|oct(?:ober)?|outubro|nov(?:ember|embro)?|dec(?:ember)?|dezembro"
)
_DAYS = r"mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?"
_FEASTS = r"christmas|easter|new year|spring|summer|autumn|winter|half-term|natal|pascoa|carnaval|ano novo|primavera|verao|outono|inverno|ferias"
_NUMBERS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|um|uma|dois|duas|tres|quatro|cinco|seis"
    r"|sete|oito|nove|dez|onze|doze|vinte|trinta|cem|mil|meia|metade"
)
_SPANS = r"seconds?(?!-)|minutes?|mins?|hours?|days?|weeks?|months?|years?|segundos?|minutos?|horas?|dias?|semanas?|mes(?:es)?|anos?"
_MEASURES = (
    rf"am\b|pm\b|h\b|{_SPANS}|kg|kilos?|g\b|grams?|gramas?|km|k\b|m\b|cm|mm|metres?|meters?|metros?|miles?|litres?|liters?|litros?|ml|degrees?|graus?|people|persons?|pessoas?"
    rf"|gb\b|mb\b|mega|percent|(?:de |of )?(?:{_MONTHS})\b"
)
_A_NUMBER = rf"(?:\d[\d.,]*|\b(?:a|an|{_NUMBERS}))"
_HAS: dict[str, Lazy] = {  # of a line that has what may be such an answer
    PHONE: Lazy(r"\d(?:[ ()./-]{0,2}\d){5}"),
    MONEY: Lazy(r"%|\b(?:hundred|thousand|million|cem|mil|milhao|milhoes|half|metade)\b"),  # "um" is an article more often than a sum
    CLOCK: Lazy(r"\d|\b(?:noon|midnight|meio-dia|meia-noite)\b"),
    NUMBER: Lazy(rf"\d|\b(?:{_NUMBERS})\b"),
    OFTEN: Lazy(
        r"\b(?:every|each|daily|weekly|monthly|yearly|hourly|once|twice|times|always|never|cada|todos?|todas?|diari\w+|semana\w+|mensal\w*|quinzenal\w*|anual\w*"
        r"|fortnightly|vez|vezes|sempre|nunca)\b|\b(?:per|a|por|ao) (?:day|week|month|year|dia|semana|mes|ano)\b"
    ),
    DAY: Lazy(rf"\d|\b(?:{_MONTHS}|{_DAYS}|{_FEASTS}|yesterday|tomorrow|today|week|month|year|ontem|amanha|hoje|semana|mes|ano)\b"),
    CAUSE: Lazy(r"[,;:—–] (?:\S+ ){2}"),
}  # fmt: skip
_FITS: dict[str, Lazy] = {  # of a line that surely has one
    MONEY: Lazy(
        r"[$€£]|\b(?:eur|usd|gbp|brl|euros?|dollars?|pounds?|quid|reais|cents?|pence|grand|for free|free of charge|gratis|de graca)\b"
        rf"|(?<![\d.,:/-])\d+(?:[.,]\d+)*(?![\d:/%°º-]|[.,]\d|(?:st|nd|rd|th|o|a)\b| ?(?:{_MEASURES})\b)"
    ),
    LASTS: Lazy(rf"{_A_NUMBER}[ -]?(?:and a half |e meia )?(?:{_SPANS}|h|min)\b|\bhalf an hour\b|\bmeia hora\b|\b(?:until|till|ate)\b"),
    CLOCK: Lazy(r"\b\d{1,2}[:h.]\d\d\b|\b\d{1,2} ?(?:am|pm|h|o'clock|horas?)\b|\b(?:noon|midday|midnight|half past|quarter (?:past|to)|meio-dia|meia-noite)\b|\b(?:at|as|until|ate|from|das) (?:as )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze)\b"),
    DAY: Lazy(
        rf"\d{{4}}-\d\d|\b(?:{_MONTHS}|{_DAYS}|{_FEASTS}|yesterday|tomorrow|ontem|amanha|next (?:week|month|year)|(?:proxim[oa]|semana|mes|ano) (?:que vem|semana|mes|ano))\b"
        r"|\bdia \d|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d\d\b|\b\d{1,2}/\d{1,2}\b"
    ),
    PLACE: Lazy(
        r"\b(?:behind|under|underneath|below|above|beside|next to|inside|between|near|opposite|on top|downstairs|upstairs|atras|debaixo|embaixo|dentro|junto|perto|ao lado"
        r"|em cima|por cima|entre|defronte|em frente|no fundo|(?:in|at|on|into|onto|to|for|from|by) (?:the|my|our|his|her|their|an?)|em|na|nas|nos|no|numa|num|para|pra)\b"
    ),
    CAUSE: Lazy(
        r"\b(?:because|due to|owing to|thanks to|so that|in order to|reason|caused?|set off|triggered|since|too \w+|therefore|porque|por causa|pois|devido|ja que|uma vez que|por isso"
        r"|motivo|gracas a|para que|de tanto|demais)\b"
    ),
}  # fmt: skip
_ELSE = {LASTS: NUMBER}  # what may be one where a line does not surely have it
_DATES = """
january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo
"""
NO_NAMES = STOP.union(_DATES.split())
_ISO_DAY = Lazy(r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)")
_CAPITAL = Lazy(
    r"(?<=\w[ ,;:] )[A-ZÀ-ÖØ-Þ]\w+|(?<=\w )[\"“«]?[A-ZÀ-ÖØ-Þ]\w+|[\"“«][^\"”»]+[\"”»]|^[A-ZÀ-ÖØ-Þ]\w+(?=:)"
)
_IN_CAPITAL = Lazy(r"\b(?:in|at|from|to|near|em|no|na|ao|para|pra) ([A-ZÀ-ÖØ-Þ]\w+)")


def expected(question: str) -> tuple[str, str]:
    """The kind of answer that the question waits for, and the words that say so; two empty strings if none do."""
    low = fold(question)
    hits = ((kind, asks().search(low)) for kind, words, asks in _ASKS if any(word in low for word in words))
    found = [(hit.start(hit.lastindex or 0), row, kind, hit[hit.lastindex or 0]) for row, (kind, hit) in enumerate(hits) if hit is not None]
    _, _, kind, said = min(found, default=(0, 0, "", ""))
    if kind == NUMBER and any(word in low for word in _MUCH) and _OF_MONEY().search(low):
        return MONEY, said
    return kind, said


_KIND_ASKED = Lazy(r"(?<!\bo )\b(?:what|which|que|qua(?:l|is)(?: (?:e|era|foi|sao))?(?: [oa]s?)?) (?:(?:kind|sort|type|tipo|especie)s? (?:of|de) )?(\w[\w-]+)")


def kind_asked(question: str) -> str:
    """The word for the kind of thing of which one is asked for ("which fruit", "que cor"), folded; empty if none is."""
    hit = _KIND_ASKED().search(fold(question))
    return hit[1] if hit is not None and hit[1] not in STOP else ""


def has(kind: str, text: str, known: frozenset[str]) -> bool:
    """Whether a line holds an answer of the kind; `known` are the folded words of the question, which no name may be."""
    return kind in (PLACE, CAUSE) or fits(kind, text, known) > 0  # where and why are told in too many ways


def fits(kind: str, text: str, known: frozenset[str]) -> float:
    """How far (0..1) a line holds an answer of the kind: surely, or what may be one."""
    pattern = _FITS.get(kind)
    if pattern is not None and pattern().search(fold(text)) is not None:
        return WHOLE
    if kind == PLACE:
        return WHOLE if any(fold(name) not in known for name in _IN_CAPITAL().findall(text)) else 0.0
    likely = _loosely(_ELSE.get(kind, kind), text, known)
    return 0.0 if not likely else LIKELY if pattern is not None else WHOLE


def _loosely(kind: str, text: str, known: frozenset[str]) -> bool:
    if kind == NAME:
        names = (fold(hit.strip('"“”«»')) for hit in _CAPITAL().findall(text))
        return any(name not in known and name not in NO_NAMES for name in names)
    if kind == SECRET:
        return False  # no secret is ever stored
    pattern = _HAS.get(kind)
    low = fold(text)
    if kind == PHONE:
        low = _ISO_DAY().sub(" ", low)  # eight digits, and no number to call
    return pattern is None or pattern().search(low) is not None
