"""Invented talk for the benches: statements that a memory should keep, and the small talk around them, en and pt."""

from __future__ import annotations

import random

THINGS = (
    "gateway", "backup", "printer", "invoice", "archive", "greenhouse", "ledger", "scanner", "workshop",
    "boiler", "fence", "router", "kiln", "trailer", "orchard",
)
PEOPLE = (
    "Ana", "Bruno", "Clara", "Diego", "Elena", "Farid", "Greta", "Hugo", "Iris", "Jonas", "Keiko", "Lucas",
    "Marta", "Nuno", "Olga", "Pedro",
)
PLACES = (
    "Porto", "Leiria", "Ghent", "Turku", "Bergen", "Zadar", "Split", "Graz", "Lyon", "Cork", "Aveiro",
    "Tomar",
)

STATEMENTS = (
    "We decided to use {thing} {n} for the {other}.",
    "The {thing} runs on port {n} now, it was {m} before.",
    "Please remember that {person} looks after the {thing} in {place}.",
    "I need to send the {thing} report to {person} by Friday.",
    "{person} moved to {place} last month.",
    "The {thing} costs {n} euros a month.",
    "Decidimos trocar o {thing} pelo modelo {n}.",
    "O aluguer do armazém em {place} passou de {m} para {n} euros.",
    "Tenho de enviar o relatório do {thing} à {person} até sexta.",
    "A {person} mudou-se para {place}.",
)
REMARKS = (
    "ok, thanks",
    "could you have a look at the {thing} again?",
    "hm, let me think about it",
    "what was the name of the person in {place}?",
    "good morning!",
    "show me the last lines of the log please",
    "maybe we could paint the {thing} some day, not sure",
    "obrigado, fica assim",
    "podes ver isso outra vez?",
    "e o {thing}, como está?",
)
REPLIES = (
    "Done. The {thing} answered within {n} milliseconds and nothing looks out of place.",
    "I looked at it: {person} left a note about the {thing}, and {place} has {n} entries. Shall I go on with the rest?",
    "Here is what I found so far.\n\n- {thing}: {n} items\n- {other}: {m} items\n\nTell me which one you want first.",
    "Feito. O {thing} está em ordem e a {person} foi avisada.",
)


def fill(template: str, rng: random.Random) -> str:
    """A template with its places filled."""
    thing, other = rng.sample(THINGS, 2)
    return template.format(
        thing=thing, other=other, person=rng.choice(PEOPLE), place=rng.choice(PLACES), n=rng.randint(2, 9999), m=rng.randint(2, 9999)
    )


def event_line(rng: random.Random, number: int, slugs: list[str]) -> str:
    """One line of an event log, no two alike."""
    tag = rng.choice(("FACT", "DECISION", "CHANGED", "TODO", "EVENT"))
    return f"[{tag}] {rng.choice(slugs)}: {fill(rng.choice(STATEMENTS), rng)} Item {number}."
