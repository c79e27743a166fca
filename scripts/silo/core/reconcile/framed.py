"""What a statement says behind the clause that only tells that it was decided or agreed: "we agreed at the meeting that …".

The frame says when or by whom it was settled, never what. One that denies, doubts or only reports is none: it turns the sense.
"""

from __future__ import annotations

import re

_AROUND = r"(?:[^\W\d_]+[ ]){0,6}?"  # in the team, with Noor, on Monday
_FRAME = re.compile(
    rf"(?:(?:and |so )?(?:we|they|i|it (?:was|is|has been)|the \w+(?: \w+)?)(?: have| has| had)? )?(?:now |finally |all |jointly )?"
    rf"(?:agreed|decided|settled|resolved|determined)[ ]{_AROUND}that[ ]"
    rf"|(?:(?:e |então )?(?:nós|eles|elas|[oa] \w+)[ ])?(?:já )?(?:(?:foi|ficou|está|ficámos|ficamos) )?"
    rf"(?:decidid[oa]|combinad[oa]|acordad[oa]|assente|resolvid[oa]|definid[oa]|decidimos|combinámos|combinamos|acordámos|acordamos|decidiram|combinaram|decidiu-se|combinou-se|resolvemos|decidi|decidiu)"
    rf"[ ]{_AROUND}que[ ]",
    re.IGNORECASE,
)
_TURNS = re.compile(r"\b(?:not|never|nor|or|whether|if|unless|almost|nearly|against|não|nunca|nem|ou|se|quase|contra)\b|n't\b", re.IGNORECASE)


# What only announces a decision: "…, final call: the app gets rewritten".
_ANNOUNCED = re.compile(
    r"(?:(?<=^)|(?<=[,;.] ))(?:the |a )?(?:(?:final|last|latest) (?:call|decision|word|verdict|choice|answer)|verdict|decision|"
    r"(?:decisão|palavra|resposta|escolha) (?:final|tomada)|última palavra|veredicto|veredito|decisão): ",
    re.IGNORECASE,
)


def unframed(text: str) -> str:
    """The text without the frame that opens it, itself where it has none."""
    text = _ANNOUNCED.sub("", text)
    found = _FRAME.match(text.strip())
    if found is None or _TURNS.search(found[0]):
        return text
    rest = text.strip()[found.end() :]
    return f"{rest[:1].upper()}{rest[1:]}"
