"""Whatever is bought, finished, failed and asked again in whatever order, a few sums tell the outcome."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from helpers.auditor import trial_balance
from helpers.records import job_order, owed, session_record, stored_file
from overpaint.errors import InsufficientCreditsError, InvalidRequestError
from overpaint.ledger import Charge, Idempotency, Ledger

AMOUNTS = st.integers(1, 30)
RETRIES = st.sampled_from(["", "k1", "k2"])
BODIES = st.sampled_from(["one", "two"])


class Shop(RuleBasedStateMachine):
    """One account's business, beside a model of it: a balance, each job's state, each first answer."""

    ledger: Ledger
    numbers: itertools.count[int]
    charges = Bundle("charges")
    jobs = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        self.name = f"shop {next(self.numbers)}"
        self.key = self.ledger.create_key(self.name, "live", credits=60).record
        self.left = 60
        self.states: dict[str, tuple[str, int]] = {}
        self.answers: dict[tuple[str, str], tuple[str, str]] = {}
        self.given_back: set[int] = set()

    def pays(self, amount: int, buy: Any) -> Any:
        """Buys; nothing when the model says that it cannot be paid."""
        if amount > self.left:
            try:
                buy()
            except InsufficientCreditsError:
                return None
            raise AssertionError("more was sold than the balance covers")
        self.left -= amount
        return buy()

    def idempotency(self, route: str, retry: str, body: str) -> Idempotency | None:
        return Idempotency(self.key.id, route, retry, body) if retry else None

    @rule(amount=AMOUNTS)
    def credits_are_added(self, amount: int) -> None:
        self.left += amount
        assert self.ledger.add_credits(self.name, amount) == self.left

    @rule(target=charges, amount=AMOUNTS)
    def something_is_charged(self, amount: int) -> Any:
        charge = self.pays(amount, lambda: self.ledger.charge(self.key.purse, amount, "a thing", self.name))
        if charge is None:
            return multiple()
        assert charge.remaining == self.left
        return charge

    @rule(charge=charges)
    def a_charge_is_given_back(self, charge: Charge) -> None:
        if charge.entry not in self.given_back:
            self.given_back.add(charge.entry)
            self.left += charge.amount
        assert self.ledger.refund(charge, "refund") == self.left

    @rule(amount=AMOUNTS, retry=RETRIES, body=BODIES)
    def a_session_is_sold(self, amount: int, retry: str, body: str) -> None:
        record = session_record(self.key, next(self.numbers))
        repeat = self.idempotency("sessions", retry, body)

        def buy() -> tuple[str, bool]:
            return self.ledger.sell_session(
                self.key.purse, amount, record, lambda left: f"{record.id} {left}", repeat
            )

        known = self.answers.get(("sessions", retry)) if retry else None
        if known is not None:
            self.asks_again(known, body, lambda: buy()[0])
            assert self.ledger.session(record.secret_digest) is None
            return
        sold = self.pays(amount, buy)
        assert (self.ledger.session(record.secret_digest) is not None) == (sold is not None)
        if sold is not None:
            assert sold == (f"{record.id} {self.left}", True)
            self.answers["sessions", retry] = (body, sold[0])

    @rule(target=jobs, amount=AMOUNTS, retry=RETRIES, body=BODIES)
    def a_job_is_sold(self, amount: int, retry: str, body: str) -> Any:
        order = job_order(self.key, next(self.numbers))
        repeat = self.idempotency("jobs", retry, body)
        known = self.answers.get(("jobs", retry)) if retry else None
        if known is not None:
            self.asks_again(known, body, lambda: self.ledger.sell_job(order, amount, repeat)[0].order.id)
            return multiple()
        sold = self.pays(amount, lambda: self.ledger.sell_job(order, amount, repeat))
        if sold is None:
            assert self.ledger.job(order.id) is None
            return multiple()
        assert sold[1] and sold[0].credits_remaining == self.left
        self.states[order.id] = ("processing", amount)
        self.answers["jobs", retry] = (body, order.id)
        return order.id

    def asks_again(self, known: tuple[str, str], body: str, ask: Any) -> None:
        """Is given the first answer, or refused for another body; nothing is charged."""
        first_body, answer = known
        try:
            assert ask() == answer and body == first_body
        except InvalidRequestError:
            assert body != first_body

    @rule(id=jobs)
    def a_job_succeeds(self, id: str) -> None:
        status, amount = self.states[id]
        job = self.ledger.finish_job(id, stored_file(self.key.purse, next(self.numbers)), owed)
        if status == "processing":
            self.states[id] = ("succeeded", amount)
        assert (job.status, job.credits_charged) == self.states[id]

    @rule(id=jobs)
    def a_job_fails(self, id: str) -> None:
        status, amount = self.states[id]
        job = self.ledger.fail_job(id, "It did.", owed)
        if status == "processing":
            self.states[id] = ("failed", 0)
            self.left += amount
            assert job.credits_remaining == self.left
        assert (job.status, job.credits_charged) == self.states[id]

    @invariant()
    def the_balance_is_the_models(self) -> None:
        assert self.ledger.balance(self.key.purse) == self.left

    def teardown(self) -> None:
        final = {id for id, (status, _) in self.states.items() if status != "processing"}
        assert {each.job for each in self.ledger.deliveries(self.name, 1000)} == final


def test_any_order_of_business_ends_as_the_model_says(ledger: Ledger, database_url: str) -> None:
    Shop.ledger, Shop.numbers = ledger, itertools.count()
    run_state_machine_as_test(
        Shop,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    trial_balance(database_url)
