"""What a section is: by its heading, by its lines, and against a heading that misleads."""

from __future__ import annotations

from functools import cache

import pytest

from silo.core.migrate.classify import classify
from silo.core.migrate.reading import read
from silo.edge.migration_words import load_migration_words
from silo.text.migration_words import MigrationWords


@cache
def words() -> MigrationWords:
    return load_migration_words()


def tiers(text: str) -> dict[int, str]:
    """Tier by line."""
    return {
        n: s.tier.value for s in classify(read(text), words()) for n in range(s.start_line, s.end_line + 1)
    }


@pytest.mark.parametrize(
    ("section", "tier"),
    [
        ("## Rules\n- Never send mail unseen\n", "directive"),
        ("## Regras\n- não responder à noite\n", "directive"),
        ("## Normas\n- no mandar planos sin sello\n", "directive"),
        ("## 沟通偏好\n- 回复要短\n", "directive"),
        ("## ⛔\n- no hablar de precios\n", "directive"),
        ("## Deploy\n```\nmake\n```\n", "protocols"),
        ("## Como se faz\n- faturas na pasta do mês\n", "protocols"),
        ("## Waiting on\n- Greg: generator\n", "active"),
        ("## Licence renewal\n- deadline 2026-07-31\n- missing: two letters\n", "active"),
        ("## À espera\n- Câmara: resposta\n", "active"),
        ("## Done\n- pilot aired\n", "archive"),
        ("## 2026-03-03 Wrong ad on air\n- cause: two files\n", "archive"),
        ("## Lições\n- testar à segunda\n", "archive"),
        ("## People\n- Omar Field — deputy\n", "ontology"),
        ("## Quién es quién\n- Su socio: Mikel Urrutia\n", "ontology"),
        ("## 用户档案\n- 姓名:许知远舟\n", "ontology"),
    ],
)
def test_headings_and_lines(section: str, tier: str) -> None:
    text = "# Memory\n\n" + section
    assert tiers(text)[4] == tier


@pytest.mark.parametrize(
    ("line", "tier"),
    [
        ("If the landlord writes, tell her that it came and leave the rest to her.", "directive"),
        ("When she is on stage, hold everything but the theatre's own calls.", "directive"),
        ("Se a escola telefonar, avisar logo e não prometer nada.", "directive"),
        ("Caso o cliente peça desconto, passar ao Abílio.", "directive"),
        ("como limpar o filtro: fechar a água, tirar a tampa, lavar, montar ao contrário", "protocols"),
        ("Close the tap, drain the tank, rinse twice and label the lid.", "protocols"),
        ("The van is booked through the paper diary, and keys go in the tin.", "protocols"),
        ("As chaves ficam na gaveta e são devolvidas no mesmo dia.", "protocols"),
        ("The insurer has not said yet whether the roof counts.", "active"),
        ("o seguro ainda não respondeu sobre o telhado", "active"),
        ("still has to choose between two tents for the fair", "active"),
        ("6 de janeiro: montra nova, muita gente", "archive"),
        ("14 March: sold the last of the winter stock", "archive"),
        ("Ottoline Marsh is the choir's treasurer and lives above the bank.", "ontology"),
        ("Fausto, canalizador, só de manhã", "ontology"),
        ("Bronwen keeps the spare keys of the hall.", "ontology"),
        ("grandma Rosalind has a key of the back door", "ontology"),
        ("mi vecina Pilar riega las plantas", "ontology"),
        ("boiler: press reset twice, wait a minute", "protocols"),
        ("os pedidos anotam-se no caderno verde", "protocols"),
        ("4 hives behind the wall, 2 nucs, 1 extractor", "ontology"),
    ],
)
def test_a_line_alone_is_told_by_its_build(line: str, tier: str) -> None:
    assert tiers(f"# Memory\n\n## Odds and ends\n- {line}\n")[4] == tier


@pytest.mark.parametrize(
    ("line", "tier"),
    [
        ("If it was the pump, nobody found out; the house was sold.", "directive"),
        ("Chapter two was long, chapter three is longer", "ontology"),
        ("Saturday, noon at the latest", "ontology"),
        ("not even the spare tyre was left", "active"),
        ("Os filtros novos são caros", "protocols"),
    ],
)
def test_what_only_looks_like_it_is_not(line: str, tier: str) -> None:
    assert tiers(f"# Memory\n\n## Odds and ends\n- {line}\n")[4] != tier


def test_a_body_outweighs_a_heading_that_misleads() -> None:
    found = tiers("# M\n\n## Preferences\n- [ ] renew the domain\n- [ ] ask Jory\n- [ ] book the hall\n")
    assert set(found.values()) == {"directive", "active"}
    assert found[4] == "active"


def test_a_section_that_mixes_kinds_is_split_where_they_change() -> None:
    text = (
        "# M\n\n## Notes\n- 2026-01-02 web shop closed\n- 2026-01-09 stall sold\n- 2026-01-20 kiln broke, repaired\n"
        "- Never call before ten\n- Never promise a date\n- Always ask before paying\n"
    )
    found = tiers(text)
    assert (found[4], found[9]) == ("archive", "directive")


def test_tables_are_told_by_who_stands_in_their_first_column() -> None:
    found = tiers(
        "# M\n\n| Person | Notes |\n|---|---|\n| Agnes | no speakerphone |\n| Callum | no signal on weekdays |\n\n"
        "| Task | State |\n|---|---|\n| damp in room 2 | surveyor booked 4 June |\n| loft hatch | waiting for the joiner |\n"
    )
    assert (found[5], found[10]) == ("ontology", "active")


def test_a_dated_log_takes_orders_and_procedures_in() -> None:
    found = tiers(
        "# M\n\n## 09/01\n- o portão travou, Valdir abriu na manivela\n\n## 08/03\n- dedetização feita nas áreas comuns\n- dois não abriram a porta\n"
        "- a síndica pediu: daqui pra frente nunca marcar visita sem perguntar antes\n\n## 02/04\n- piscina fechada uma semana\n- areia trocada\n"
        "- como religar a bomba: fechar o registro 2, encher o filtro, ligar, abrir devagar\n"
    )
    assert (found[4], found[7], found[9], found[12], found[14]) == ("archive", "archive", "directive", "archive", "protocols")


@pytest.mark.parametrize("heading", ["Misc", "Odds and ends", "Notas", "Coisas soltas"])
def test_below_a_heading_that_says_nothing_the_kinds_change_with_the_lines(heading: str) -> None:
    found = tiers(
        f"# M\n\n## {heading}\n- [ ] order the second pump\n- never open the valve without asking\n- sold the old mixer in March 2024\n"
    )
    assert (found[4], found[5], found[6]) == ("active", "directive", "archive")


def test_without_headings_runs_of_lines_are_told_apart() -> None:
    text = "- nunca enviar orçamentos sem ela ver\n- tratar por tu\n- à espera do glossário\n- falta responder à editora\n- em março recusou a legendagem\n"
    assert list(tiers(text).values()) == ["directive", "directive", "active", "active", "archive"]


def test_what_nothing_speaks_for_is_unsure_and_goes_to_the_archive() -> None:
    section = classify(read("# M\n\n## Zibaldone\n- blue\n"), words())[-1]
    assert (section.tier.value, section.unsure) == ("archive", True)


def test_two_blank_lines_or_a_rule_end_a_section() -> None:
    text = "# M\n\n## Dropped ideas\n- roof garden\n\n\n- backups: rail to the disk in `safe/`, first Sunday\n- rota file: one tab a month\n"
    assert tiers(text)[7] == "protocols"


def test_the_words_that_decided_are_told() -> None:
    section = classify(read("# M\n\n## Waiting on\n- Greg: generator\n"), words())[-1]
    assert section.why[0] == "heading: waiting on"
    assert section.confidence > 0.9
