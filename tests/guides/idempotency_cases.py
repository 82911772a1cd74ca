"""What the guide to idempotent handlers promises; `test_idempotency.py` runs it in a project."""

from __future__ import annotations

import pytest
from shop import checkout, tasks
from shop.models import Payment

from jobs.testing import drain, enqueued


class Bank:
    """Charges once for each key."""

    def __init__(self) -> None:
        self.charged: dict[str, int] = {}

    def charge(self, amount: int, *, idempotency_key: str) -> str:
        self.charged.setdefault(idempotency_key, amount)
        return f"charge of {idempotency_key}"


@pytest.fixture
def bank(monkeypatch: pytest.MonkeyPatch) -> Bank:
    made = Bank()
    monkeypatch.setattr(tasks, "bank", made, raising=False)
    return made


@pytest.mark.django_db
def test_a_second_booking_changes_nothing() -> None:
    first, second = tasks.book(7, 100), tasks.book(7, 100)
    assert (first["payment"], first["new"]) == (second["payment"], True)
    assert not second["new"]
    assert Payment.objects.count() == 1


@pytest.mark.django_db
def test_a_second_refund_changes_nothing() -> None:
    Payment.objects.create(order_id=7, amount=100)
    assert tasks.refund(7) == "refunded"
    assert tasks.refund(7) == "was refunded before"


@pytest.mark.django_db
def test_a_checkout_charges_once_however_often_the_job_runs(bank: Bank) -> None:
    job = checkout.check_out(7, 100)
    assert [row.pk for row in enqueued(tasks.charge)] == [job.id]
    drain(raising=True)
    tasks.charge(7)
    assert bank.charged == {"order-7": 100}
    assert Payment.objects.get().reference == "charge of order-7"


@pytest.mark.django_db
def test_numbering_goes_on_where_it_stopped() -> None:
    Payment.objects.bulk_create(Payment(order_id=n, amount=n) for n in range(250))
    Payment.objects.filter(order_id__lt=100).update(reference="done before")
    tasks.number.enqueue()
    drain(raising=True)
    assert Payment.objects.filter(reference__startswith="R").count() == 150
    assert not Payment.objects.filter(reference="").exists()
