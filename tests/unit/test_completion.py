"""Which statements close which to-dos. In doubt none does."""

from __future__ import annotations

import pytest

from silo.edge.completion import load_completions
from silo.text.completion import completes, names

DONE = [
    ("Pay the rent for March", "Paid the rent for March."),
    ("Pay the rent", "The rent is paid."),
    ("Call the plumber about the boiler", "Called the plumber about the boiler this morning."),
    ("Call the plumber", "Done: call the plumber."),
    ("Book the flights to Porto", "Flights to Porto are booked."),
    ("Send invoice 114 to Acme", "I sent invoice 114 to Acme yesterday."),
    ("Renew the domain", "The domain renewal is done."),
    ("Write the handover notes", "Wrote the handover notes."),
    ("Need to submit the tax return", "Submitted the tax return."),
    ("Fix the fence", "The fence is fixed."),
    ("Buy paint for the hall", "Bought the paint for the hall."),
    ("Pagar o aluguel", "Paguei o aluguel."),
    ("Pagar o aluguel de março", "O aluguel de março está pago."),
    ("Ligar para o canalizador", "Liguei para o canalizador."),
    ("Marcar a consulta do dentista", "Marquei a consulta do dentista."),
    ("Enviar o relatório à Ana", "O relatório foi enviado à Ana."),
    ("Comprar tinta para a sala", "Tinta para a sala comprada."),
    ("Renovar o passaporte", "Feito: renovar o passaporte."),
    ("Preciso entregar a declaração", "A declaração foi entregue."),
    ("Tratar do seguro do carro", "O seguro do carro está tratado."),
    # the day by which it was to be done is not what was done
    ("I need to call the plumber by Friday", "Called the plumber this morning."),
    ("Submit the tax return by 5 March", "Submitted the tax return."),
    ("Send the report before the end of the week", "The report was sent."),
    ("Call Ana tomorrow", "Called Ana."),
    ("Tenho de comprar tinta para a cerca até sexta", "Comprei a tinta para a cerca."),
    ("Pagar a conta da luz até dia 20", "Paguei a conta da luz."),
    ("Ligar à Ana na próxima semana", "Liguei à Ana."),
    ("Renovar o seguro antes de 12/05/2026", "O seguro foi renovado."),
]
OPEN = [
    ("Pay the rent", "Did you pay the rent?"),
    ("Pay the rent", "The rent is not paid yet."),
    ("Pay the rent", "Will pay the rent tomorrow."),
    ("Pay the rent", "Paid the electricity bill."),
    ("Pay the rent", "The rent went up to 900 euros."),
    ("Send invoice 114 to Acme", "Sent invoice 115 to Acme."),
    ("Book the flights to Porto", "Looked at flights to Porto."),
    ("Book the flights to Porto", "Booked the flights to Lisbon for Rui."),
    ("Call the plumber about the boiler", "The boiler is done for."),
    ("Renew the domain", "The domain is almost done."),
    ("Write the handover notes", "Ana read the handover notes."),
    ("Fix the fence", "Started to fix the fence."),
    ("Buy paint for the hall", "Painted the hall."),
    ("Pay the rent", "Paid."),
    ("Pagar o aluguel", "Ainda não paguei o aluguel."),
    ("Pagar o aluguel", "Vou pagar o aluguel amanhã."),
    ("Pagar o aluguel", "O aluguel subiu para 900 euros."),
    ("Enviar o relatório à Ana", "A Ana pediu o relatório."),
    ("Marcar a consulta do dentista", "A consulta do dentista foi cancelada."),
    ("Comprar tinta para a sala", "Pintei a sala."),
    # a month that tells which one is meant is no such day
    ("Pay the rent for March", "Paid the rent for April."),
    ("Pagar o aluguel de março", "Paguei o aluguel de abril."),
    ("Submit the tax return by 5 March", "Submitted the grant proposal on 5 March."),
]


@pytest.mark.parametrize(("task", "said"), DONE)
def test_what_closes_a_to_do(task: str, said: str) -> None:
    assert completes(said, task, load_completions())


@pytest.mark.parametrize(("task", "said"), OPEN)
def test_what_leaves_it_open(task: str, said: str) -> None:
    assert not completes(said, task, load_completions())


@pytest.mark.parametrize(
    ("asked", "task", "named"),
    [
        ("Did you renew the domain?", "Renew the domain", True),
        ("E a tinta para a cerca, já compraste?", "Tenho de comprar tinta para a cerca até sexta", True),
        ("Has the plumber been called?", "I need to call the plumber by Friday", True),
        ("Was the tax return sent?", "Send the tax return by 5 March", True),
        ("Pagaste a conta da luz?", "Pagar a conta da luz até dia 20", True),
        ("Did you pay the rent for April?", "Pay the rent for March", False),
        ("Compraste o verniz para a porta?", "Comprar tinta para a cerca", False),
    ],
)
def test_which_question_names_a_to_do(asked: str, task: str, named: bool) -> None:
    assert names(asked, task, load_completions()) is named
