"""When two statements count as the same one for the log."""

from __future__ import annotations

import pytest

from silo.text.similar import fingerprint, jaccard, same_statement

SAME = [
    ("The gateway listens on port 8080.", "The gateway listens on port 8080"),
    ("The gateway listens on port 8080.", "the Gateway listens on the port 8080!"),
    ("O gateway escuta na porta 8080.", "o gateway escuta na porta 8080"),
    ("Ana is allergic to peanuts", "Ana is also allergic to peanuts."),
    ("网关监听八零八零端口并且写入日志", "网关监听八零八零端口并且写入日志。"),
    ("サーバーは毎晩三時にバックアップを取る", "サーバーは毎晩三時にバックアップを取る。"),
    ("서버는 매일 밤 세 시에 백업한다", "서버는 매일 밤 세 시에 백업한다."),
    ("The budget is 1,250 euros", "The budget is 1250 euros"),
]
OTHER = [
    ("The gateway listens on port 8080.", "The gateway listens on port 9090."),
    ("网关监听8080端口并且写入日志", "网关监听9090端口并且写入日志"),
    ("The dentist for the children is Paulo Mota", "The dentist for the children is Rita Mota"),
    ("The big release of the new shop is on Tuesday morning", "The big release of the new shop is on Thursday morning"),
    ("The trip to the coast with the team starts in May", "The trip to the coast with the team starts in June"),
    ("The nightly backup job on the office server is enabled", "The nightly backup job on the office server is disabled"),
    ("The alarm system in the workshop at the back is on", "The alarm system in the workshop at the back is off"),
    ("A loja da esquina aceita cheque de cliente antigo", "A loja da esquina não aceita cheque de cliente antigo"),
    ("We deploy to the cluster on Mondays before lunch", "We never deploy to the cluster on Mondays before lunch"),
    ("The farm has three dairy cows and an old red barn", "The farm has four dairy cows and an old red barn"),
    ("", ""),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_in_other_dress(a: str, b: str) -> None:
    assert same_statement(a, b)
    assert same_statement(b, a)


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_another_value_is_never_the_same(a: str, b: str) -> None:
    assert not same_statement(a, b)
    assert not same_statement(b, a)


def test_jaccard_of_two_empty_sets_is_nothing_shared() -> None:
    assert jaccard(frozenset(), frozenset()) == 0.0
    assert jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)


def test_figures_have_one_form() -> None:
    assert fingerprint("R$ 250,00").figures == fingerprint("R$ 250").figures
