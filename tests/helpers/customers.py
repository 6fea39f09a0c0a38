"""Customers who order of everything at once from a service that dies again and again, and the auditor
who reads its books afterwards. Must not know how the service is built."""

from __future__ import annotations

import itertools
import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

from helpers.auditor import rows, trial_balance
from helpers.served import ACCOUNT, SESSIONS, TRANSFORMS

PRICES = {"session": 25, "image": 2, "video": 20}
_ANSWERS = {"session": {201, 402}, "image": {200, 402, 502}, "video": {202, 402}}


@dataclass
class Order:
    """One order, marked by its prompt.

    Attributes:
        mark: Its prompt; no other order has it.
        kind: session, image or video.
        body: What is posted.
        key: API key that pays.
        repeatable: Whether it has an Idempotency-Key, which is its mark.
        statuses: Answers so far.
        ids: Of what was sold, as answered.
    """

    mark: str
    kind: str
    body: dict[str, Any]
    key: str
    repeatable: bool
    statuses: list[int] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Job:
    """A transform job as the database has it; ``mark`` is its prompt, ``charge`` its entry."""

    id: str
    kind: str
    status: str
    mark: str
    charge: int


class Customers:
    """Threads that order until they are told to stop, at random, whenever the service is up.

    Args:
        url: Of the service.
        keys: API keys to order with.
        picture_url: An input for pictures.
        clip_url: An input for clips.
        webhook_url: Told of every job's end.
    """

    def __init__(self, url: str, keys: list[str], picture_url: str, clip_url: str, webhook_url: str) -> None:
        self.orders: list[Order] = []
        self.surprises: list[str] = []
        self.up = threading.Event()
        self._url, self._keys, self._webhook_url = url, keys, webhook_url
        self._inputs = {"image": picture_url, "video": clip_url}
        self._numbers = itertools.count()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._buy, name=f"customer-{n}") for n in range(4)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        self.up.set()
        for thread in self._threads:
            thread.join()

    def send(self, client: httpx.Client, order: Order) -> int | None:
        """Sends an order, again or for the first time; None when nobody answered to the end."""
        path = SESSIONS if order.kind == "session" else TRANSFORMS
        headers = {"Authorization": f"Bearer {order.key}"}
        if order.repeatable:
            headers["Idempotency-Key"] = order.mark
        try:
            answer = client.post(self._url + path, json=order.body, headers=headers)
        except httpx.TransportError:
            return None
        order.statuses.append(answer.status_code)
        if answer.is_success:
            order.ids.add(answer.json()["id"])
        elif answer.status_code not in _ANSWERS[order.kind]:
            self.surprises.append(f"{order.mark}: {answer.status_code} {answer.text[:200]}")
        return answer.status_code

    def _buy(self) -> None:
        chance = random.Random()
        with httpx.Client(trust_env=False, timeout=30) as client:
            while not self._stop.is_set():
                self.up.wait()
                again = [order for order in self.orders[-40:] if order.repeatable and not order.statuses]
                order = chance.choice(again) if again and chance.random() < 0.5 else self._order(chance)
                if self.send(client, order) is None:
                    self._stop.wait(0.02)

    def _order(self, chance: random.Random) -> Order:
        kind = chance.choice(["session", "image", "image", "video"])
        mark = f"order {next(self._numbers)}{' fails' if chance.random() < 0.3 else ''}"
        body: dict[str, Any] = {"prompt": mark, "model": f"service-{kind}-v1"}
        if kind == "session":
            body["model"] = "service-realtime-720p"
        else:
            body |= {"input_url": self._inputs[kind], "webhook_url": self._webhook_url}
        order = Order(mark, kind, body, chance.choice(self._keys), chance.random() < 0.5)
        self.orders.append(order)
        return order


def audit(database: str) -> list[Job]:
    """Checks, while no core runs, that the books balance and fit what was sold; the jobs as they stand."""
    trial_balance(database)
    jobs = jobs_in(database)
    prompts = rows(database, "SELECT id, prompt FROM sessions")
    entries = rows(database, "SELECT reference, reverses FROM entries")
    charged = Counter(ref for ref, reverses in entries if reverses is None and ref[:4] in ("tfm_", "rts_"))
    assert charged.keys() == {job.id for job in jobs} | {id for id, _ in prompts}
    assert set(charged.values()) <= {1}, "something was charged twice"
    refunded = Counter(reverses for _, reverses in entries if reverses is not None)
    for job in jobs:
        assert refunded[job.charge] == (job.status == "failed"), f"{job.id} is {job.status}"
    marks = Counter([job.mark for job in jobs] + [bytes(prompt).decode() for _, prompt in prompts])
    twice = [mark for mark, count in marks.items() if mark.startswith("order") and count > 1]
    assert not twice, f"sold twice: {twice}"
    return jobs


def jobs_in(database: str) -> list[Job]:
    """The jobs of a ledger."""
    found = rows(database, "SELECT id, kind, status, prompt, charge FROM jobs")
    return [
        Job(id, kind, status, bytes(prompt).decode(), charge) for id, kind, status, prompt, charge in found
    ]


def balance(url: str, key: str) -> int:
    """What ``GET /v1/account`` tells."""
    answer = httpx.get(url + ACCOUNT, headers={"Authorization": f"Bearer {key}"}, trust_env=False)
    left: int = answer.json()["credits_remaining"]
    return left
