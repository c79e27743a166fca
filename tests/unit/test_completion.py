"""Which statements close which to-dos. In doubt none does."""

from __future__ import annotations

import pytest

from silo.edge.completion import load_completions
from silo.text.completion import completes

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
]


@pytest.mark.parametrize(("task", "said"), DONE)
def test_what_closes_a_to_do(task: str, said: str) -> None:
    assert completes(said, task, load_completions())


@pytest.mark.parametrize(("task", "said"), OPEN)
def test_what_leaves_it_open(task: str, said: str) -> None:
    assert not completes(said, task, load_completions())
