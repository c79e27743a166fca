"""What kind of answer a question waits for, and whether a line has one: a figure, how often, a day, a name, a secret.

English and Portuguese question words only; another language waits for nothing. It does not look for the answer itself.
"""

from __future__ import annotations

from silo.text.fold import fold
from silo.text.lazy import Lazy

NUMBER, PHONE, OFTEN, DAY, NAME, SECRET = "number", "phone", "often", "day", "name", "secret"

# (kind, words of which the question must have one for the pattern to be tried, pattern). The first fitting row counts;
# all over the folded question.
_ASKS: tuple[tuple[str, tuple[str, ...], Lazy], ...] = (
    (OFTEN, ("often", "frequen", "quanto em quanto", "quantas vezes", "many times"), Lazy(r"\bhow (?:often|frequently)\b|\bcom que frequencia\b|\bde quanto em quanto\b|\bquantas vezes\b|\bhow many times\b")),
    (SECRET, ("pass", "pin code", "senha", "key"), Lazy(r"\b(?:password|passphrase|passcode|pin code|senha|palavra-passe|secret key|api key)\b")),
    (DAY, ("when", "day", "date", "time", "month", "year", "long ago", "quando", "dia", "data", "mes", "ano", "horas"), Lazy(r"\bwhen\b|\b(?:what|which) (?:day|date|time|month|year)\b|\bhow long ago\b|\bquando\b|\b(?:que|qual o?) ?(?:dia|data|mes|ano)\b|\ba? ?que horas\b")),
    (PHONE, ("phone", "mobile", "cell", "fax", "whatsapp", "telefon", "telemovel", "celular"), Lazy(r"\b(?:phone|telephone|mobile|cell|fax|whatsapp) numbers?\b|\bnumero d[eoa] (?:telefone|telemovel|celular|whatsapp)\b|\bqual (?:e )?o telefone\b")),
    (NUMBER, ("how ", "number", "price", "cost", "fee", "size", "age", "budget", "percent", "amount", "total", "score", "quant", "preco", "custo", "valor", "tamanho", "idade", "orcamento", "porcent", "numero"), Lazy(
        r"\bhow (?!do\b|does\b|did\b|is\b|are\b|was\b|were\b|can\b|could\b|should\b|will\b|would\b|come\b|to\b|has\b|have\b|i\b|we\b)\w+"
        r"|\b(?:account|room|house|flight|order|invoice|serial) number\b|\b(?:price|cost|fee|size|age|budget|percentage|amount|total|score)\b"
        r"|\bquant[oa]s?\b|\b(?:preco|custo|valor|tamanho|idade|orcamento|percentagem|porcentagem|numero)\b"
    )),
    (NAME, ("who", "name", "called", "quem", "nome", "chama"), Lazy(r"\bwho(?:m|se)?\b|\b(?:what|which) (?:is|was|are)? ?(?:the |my |our |his |her |their )?names?\b|\bnames? of\b|\bcalled\b|\bquem\b|\bqual (?:e )?o nome\b|\bcomo se chamam?\b|\bnome d[aoe]\b")),
)  # fmt: skip

_MONTHS = (
    r"jan(?:uary|eiro)?|feb(?:ruary)?|fev(?:ereiro)?|mar(?:ch|co)?|apr(?:il)?|abril|may|maio|jun(?:e|ho)?|jul(?:y|ho)?|aug(?:ust)?"
    r"|agosto|sep(?:tember)?|setembro|oct(?:ober)?|outubro|nov(?:ember|embro)?|dec(?:ember)?|dezembro"
)
_DAYS = r"mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?"
_NUMBERS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|um|uma|dois|duas|tres|quatro|cinco|seis"
    r"|sete|oito|nove|dez|onze|doze|vinte|trinta|cem|mil|meia|metade"
)
_HAS: dict[str, Lazy] = {
    PHONE: Lazy(r"\d(?:[ ()./-]{0,2}\d){5}"),
    NUMBER: Lazy(rf"\d|\b(?:{_NUMBERS})\b"),
    OFTEN: Lazy(
        r"\b(?:every|each|daily|weekly|monthly|yearly|hourly|once|twice|times|always|never|cada|todos?|todas?|diari\w+|semana\w+|mensal\w*"
        r"|vez|vezes|sempre|nunca)\b|\b(?:per|a|por|ao) (?:day|week|month|year|dia|semana|mes|ano)\b"
    ),
    DAY: Lazy(rf"\d|\b(?:{_MONTHS}|{_DAYS}|yesterday|tomorrow|today|week|month|year|ontem|amanha|hoje|semana|mes|ano)\b"),
}  # fmt: skip
_ISO_DAY = Lazy(r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)")
_CAPITAL = Lazy(
    r"(?<=\w[ ,;:] )[A-ZÀ-ÖØ-Þ]\w+|(?<=\w )[\"“«]?[A-ZÀ-ÖØ-Þ]\w+|[\"“«][^\"”»]+[\"”»]|^[A-ZÀ-ÖØ-Þ]\w+(?=:)"
)


def expected(question: str) -> tuple[str, str]:
    """The kind of answer that the question waits for, and the words that say so; two empty strings if none do."""
    low = fold(question)
    hits = ((kind, asks().search(low)) for kind, words, asks in _ASKS if any(word in low for word in words))
    return next(((kind, hit[0]) for kind, hit in hits if hit is not None), ("", ""))


def has(kind: str, text: str, known: frozenset[str]) -> bool:
    """Whether a line holds an answer of the kind; `known` are the folded words of the question, which no name may be."""
    if kind == NAME:
        return any(fold(hit.strip('"“”«»')) not in known for hit in _CAPITAL().findall(text))
    if kind == SECRET:
        return False  # no secret is ever stored
    pattern = _HAS.get(kind)
    low = fold(text)
    if kind == PHONE:
        low = _ISO_DAY().sub(" ", low)  # eight digits, and no number to call
    return pattern is None or pattern().search(low) is not None
