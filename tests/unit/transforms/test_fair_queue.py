"""Places between tenants: bounds, turns, and nobody forgotten."""

from __future__ import annotations

import asyncio

import pytest

from overpaint.transforms.fair_queue import FairQueue


class Town:
    """Tenants at one queue, whose work takes as long as the test says."""

    def __init__(self, places: int, per_tenant: int) -> None:
        self.time = 0.0
        self.queue = FairQueue(places, per_tenant, lambda: self.time)
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        """The tenant is a name's first letter."""
        for name in names:
            self.ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._work(name))
        await asyncio.sleep(0.001)

    async def end(self, name: str, after: float = 1.0) -> None:
        self.time += after
        self.ends[name].set()
        await self.tasks[name]
        await asyncio.sleep(0.001)

    async def _work(self, name: str) -> None:
        async with self.queue.place(name[0]):
            self.begun.append(name)
            await self.ends[name].wait()


async def test_a_tenant_has_at_most_its_share_and_all_together_the_places() -> None:
    town = Town(places=3, per_tenant=2)
    await town.ask("a1", "a2", "a3", "b1", "b2")
    assert town.begun == ["a1", "a2", "b1"]
    assert (town.queue.held, town.queue.waiting) == (3, 2)
    await town.end("b1")
    assert town.begun[3:] == ["b2"]
    for name in ("a1", "a2", "b2"):
        await town.end(name)
    await town.end("a3")
    assert (town.queue.held, town.queue.waiting) == (0, 0)


async def test_who_waits_is_served_in_turns_however_many_one_has_waiting() -> None:
    town = Town(places=1, per_tenant=1)
    await town.ask("a1", "a2", "a3", "a4", "b1", "c1", "b2")
    for _ in range(7):
        await town.end(town.begun[-1])
    assert town.begun == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


async def test_long_turns_count_for_more_than_short_ones() -> None:
    town = Town(places=1, per_tenant=1)
    await town.ask("a1", "a2", *(f"b{n}" for n in range(6)))
    await town.end("a1", after=30)
    for _ in range(6):
        assert town.begun[-1][0] == "b"
        await town.end(town.begun[-1], after=5)
    assert town.begun[-1] == "a2"
    await town.end("a2")


async def test_who_was_away_is_not_ahead_for_it() -> None:
    town = Town(places=1, per_tenant=1)
    await town.ask("a1", "a2", "a3", "a4")
    await town.end("a1", after=100)
    await town.end("a2", after=100)
    await town.ask("b1", "b2", "b3")
    for _ in range(5):
        await town.end(town.begun[-1])
    assert town.begun == ["a1", "a2", "a3", "b1", "a4", "b2", "b3"]


@pytest.mark.parametrize("granted", [False, True])
async def test_who_gives_up_waiting_holds_nothing(granted: bool) -> None:
    town = Town(places=1, per_tenant=1)
    await town.ask("a1", "b1", "c1")
    if granted:
        town.ends["a1"].set()
        await asyncio.sleep(0)  # b1 is given its place, and has not begun
        await asyncio.sleep(0)
    town.tasks["b1"].cancel()
    with pytest.raises(asyncio.CancelledError):
        await town.tasks["b1"]
    if not granted:
        await town.end("a1")
    await asyncio.sleep(0.001)
    assert town.begun[-1] == "c1"
    await town.end("c1")
    assert (town.queue.held, town.queue.waiting) == (0, 0)


async def test_tenants_that_are_gone_are_forgotten() -> None:
    town = Town(places=2, per_tenant=1)
    for name in "abcdefgh":
        await town.ask(f"{name}1")
        await town.end(f"{name}1")
    assert not town.queue._served and not town.queue._turns
