"""The queue of transforms against a real service: what is ordered is paid once, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import av
import pytest
from PIL import Image

from helpers import small_media
from helpers.running_service import RunningService, running_service
from helpers.scripted_transformer import ScriptedTransformer
from overpaint.client.http import ServiceClient
from overpaint.errors import MediaError
from overpaint.ledger import LOCAL_PURSE
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.media.opener.picture_conversion import ClipForm, PictureForm, ResultForm
from overpaint.session.backend.service_access import Endpoint
from overpaint.session.batch import job_client
from overpaint.session.batch.item_runner import Saving
from overpaint.session.batch.job_client import Converters, Voucher
from overpaint.session.batch.kept_photos import KeptPhotos
from overpaint.session.batch.queue_history import TransformHistory
from overpaint.session.batch.transform_queue import TransformQueue
from overpaint.transforms.pool import clip_workers
from overpaint.wire import transforms as wire


class At:
    """A service at its address, for a key."""

    alive = True

    def __init__(self, service: RunningService, credits: int = 100) -> None:
        self.service = service
        self.key = service.key(f"queue-{credits}-{id(self)}", credits)
        self.absent = self.free = False

    async def endpoint(self) -> Endpoint:
        url = "http://127.0.0.1:9" if self.absent else self.service.url
        return Endpoint(url, self.key, self.server)

    @property
    def server(self) -> str:
        return "" if self.free else self.service.url

    def keep_standby(self, on: bool) -> None:
        """It has none."""


class Told:
    """What a window would have been told."""

    def __init__(self) -> None:
        self.list: wire.Transforms | None = None
        self.progress: list[wire.TransformsProgress] = []
        self.charges: list[tuple[str, int, str]] = []
        self.form = ResultForm()
        self.outcomes: list[tuple[str, int, str]] = []

    def take(self, news: wire.Transforms | wire.TransformsProgress) -> None:
        if isinstance(news, wire.Transforms):
            self.list = news
        else:
            self.progress.append(news)

    def note(
        self, reason: str, credits: int, what: str, id: str, *, server: str = "", outcome: str = ""
    ) -> None:
        if not outcome:
            self.charges.append((reason, credits, what))
        else:
            self.outcomes.append((what, credits, outcome))

    def expect_change(self) -> None:
        pass

    @property
    def states(self) -> list[str]:
        return [] if self.list is None else [item.state for item in self.list.items]

    def item(self, name: str) -> wire.TransformItem:
        assert self.list is not None
        return next(item for item in self.list.items if Path(item.source).name == name)


@pytest.fixture(autouse=True)
def quick_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are asked for more often than every few seconds."""
    assert ServiceClient.wait.__kwdefaults__ is not None
    monkeypatch.setitem(ServiceClient.wait.__kwdefaults__, "poll_s", 0.05)


@pytest.fixture
def transformer() -> ScriptedTransformer:
    return ScriptedTransformer()


@pytest.fixture
def service(tmp_path: Path, transformer: ScriptedTransformer) -> Iterator[RunningService]:
    (tmp_path / "service").mkdir()
    with running_service(tmp_path / "service", transformer=transformer) as running:
        yield running


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    (folder / "deep" / "deeper").mkdir(parents=True)
    for name in ("a.png", "b.png", "deep/deeper/c.png"):
        (folder / name).write_bytes(small_media.picture())
    (folder / "d.mp4").write_bytes(small_media.clip())
    (folder / "notes.txt").write_text("no picture")
    return folder


@asynccontextmanager
async def queue(access: At, tmp_path: Path, told: Told) -> AsyncIterator[TransformQueue]:
    history = TransformHistory(tmp_path / "transforms.db")
    decoder, clips = PictureDecoder(), clip_workers(tmp_path / "conversions")
    made = TransformQueue(
        access,
        history,
        KeptPhotos(tmp_path / "photos"),
        lambda: Saving(tmp_path / "results", told.form),
        Converters(decoder, clips),
        told.take,
        told,
    )
    await made.open()
    try:
        yield made
    finally:
        await made.close()
        decoder.close()
        await clips.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - of threads and services, which set no event here
            await asyncio.sleep(0.02)


async def added(made: TransformQueue, *paths: Path) -> list[str]:
    await made.add(paths)
    return [item.id for item in made.state().items if item.state == "ready"]


def charged(access: At) -> int:
    record = access.service.ledger.find_key(access.key)
    assert record is not None
    return 100 - access.service.ledger.balance(record.purse)


async def test_a_folder_waits_with_its_price_and_is_restyled_when_it_is_ordered(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    told, access = Told(), At(service)
    async with queue(access, tmp_path, told) as made:
        await added(made, media)
        await until(lambda: told.states == ["ready"] * 4)
        assert told.list is not None and told.list.skipped is not None
        assert [Path(item.source).name for item in told.list.items] == ["a.png", "b.png", "d.mp4", "c.png"]
        assert sum(item.price for item in told.list.items) == 26
        assert (told.list.skipped.unfit, told.list.skipped.example) == (1, "notes.txt")
        assert charged(access) == 0
        await made.start("ink comic")
        await until(lambda: told.states == ["done"] * 4)
        assert charged(access) == 26 and sum(credits for _, credits, _ in told.charges) == 26
        assert ("video", 20, "d.mp4") in told.charges
        item = told.item("d.mp4")
        assert (item.prompt, item.charged, Path(item.result).name) == ("ink comic", 20, "d.look.mp4")
        assert Path(item.result).stat().st_size > 0


async def test_two_looks_are_two_orders_and_a_photo_is_sent_once_and_kept_over_a_restart(
    service: RunningService, media: Path, tmp_path: Path, transformer: ScriptedTransformer
) -> None:
    told, access = Told(), At(service)
    photo = small_media.picture(64, 64)
    async with queue(access, tmp_path, told) as made:
        ids = await added(made, media / "a.png", media / "b.png", media / "deep" / "deeper" / "c.png")
        await made.start("oil", ids[:1])
        await until(lambda: told.states.count("done") == 1)
        assert told.states.count("ready") == 2, "the others wait for a look of their own"
        await made.start("backdrop", None, photo)
        await until(lambda: told.states.count("done") == 3)
    assert sorted(transformer.begun) == ["backdrop", "backdrop", "oil"]
    assert transformer.photos == [None, *[b"decoded " + photo] * 2]
    assert charged(access) == 6
    kept = list((tmp_path / "photos").iterdir())
    assert [path.read_bytes() for path in kept] == [photo], "once, for both"
    async with queue(access, tmp_path, told) as made:
        assert list((tmp_path / "photos").iterdir()) == kept
        await made.remove(ids)
    async with queue(access, tmp_path, told):
        assert list((tmp_path / "photos").iterdir()) == [], "no item needs it any more"


async def test_results_are_saved_in_the_form_that_is_chosen_and_one_that_cannot_be_is_fetched_again(
    service: RunningService, media: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, access = Told(), At(service)
    told.form = ResultForm(PictureForm("webp", 48))
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png", media / "d.mp4")
        await made.start("oil")
        await until(lambda: told.states == ["done"] * 2)
        results = sorted(path.name for path in (tmp_path / "results").iterdir())
        assert results == ["a.look.webp", "d.look.mp4"], "a clip stays as it was sent"
        with Image.open(tmp_path / "results" / "a.look.webp") as saved:
            assert saved.format == "WEBP" and max(saved.size) == 48
        monkeypatch.setattr(job_client, "convert", _breaks)
        ids = await added(made, media / "b.png")
        await made.start("oil")
        await until(lambda: told.states.count("failed") == 1)
        item = told.item("b.png")
        assert item.trouble is not None and item.trouble.code == "result_not_converted"
        assert item.charged == 2 and len(list((tmp_path / "results").iterdir())) == 2, (
            "nothing is left behind"
        )
        monkeypatch.undo()
        await made.retry(ids[-1:])
        await until(lambda: told.states == ["done"] * 3)
    assert charged(access) == 24, "paid once"


async def test_a_clip_is_saved_in_the_container_and_size_that_are_chosen(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    told, access = Told(), At(service)
    told.form = ResultForm(clip=ClipForm("mkv", 64))
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "d.mp4")
        await made.start("oil")
        await until(lambda: told.states == ["done"])
        [result] = (tmp_path / "results").iterdir()
        assert result.name == "d.look.mkv"
        with av.open(str(result)) as saved:
            assert saved.format.name.startswith("matroska") and saved.streams.audio
            assert (saved.streams.video[0].width, saved.streams.video[0].height) == (64, 42)
            assert sum(1 for _ in saved.decode(video=0)) == 12
        (media / "d.mp4").unlink()
        [item] = made.state().items
        assert item.charged == 20


def _breaks(*_: object) -> None:
    raise MediaError("media_file_damaged")


async def test_the_list_survives_a_restart(service: RunningService, media: Path, tmp_path: Path) -> None:
    access = At(service)
    async with queue(access, tmp_path, Told()) as made:
        await added(made, media / "a.png")
        await made.start("ink comic")
        await until(lambda: [item.state for item in made.state().items] == ["done"])
        await added(made, media / "b.png")
        before = made.state().items
    async with queue(access, tmp_path, Told()) as made:
        assert made.state().items == before


async def test_what_was_under_way_is_asked_for_again_and_paid_once(
    service: RunningService, transformer: ScriptedTransformer, media: Path, tmp_path: Path
) -> None:
    access = At(service)
    async with queue(access, tmp_path, Told()) as made:
        await added(made, media / "a.png", media / "d.mp4")
        await made.start("slow")
        await until(lambda: len(transformer.begun) == 2)
    transformer.release()
    told = Told()
    async with queue(access, tmp_path, told) as made:
        await until(lambda: told.states == ["done", "done"])
    assert charged(access) == 22
    assert len(transformer.begun) == 2
    assert len(list((tmp_path / "results").iterdir())) == 2


@pytest.mark.parametrize(("free", "paid"), [(False, 2), (True, 0)], ids=["elsewhere", "here"])
async def test_a_result_that_was_saved_before_a_crash_is_done_and_its_charge_listed(
    service: RunningService, media: Path, tmp_path: Path, free: bool, paid: int
) -> None:
    access, told = At(service), Told()
    access.free = free
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png")
    history = TransformHistory(tmp_path / "transforms.db")
    (entry,) = history.load()
    saved, now = tmp_path / "a.look.png", datetime.now(UTC)
    saved.write_bytes(small_media.picture())
    entry.voucher = Voucher(order_key="k", model="service-image-v1", input_url=f"{service.url}/x", at=now)
    entry.item = entry.item.model_copy(update={"state": "working", "result": str(saved)})
    history.keep([entry])
    history.close()
    async with queue(access, tmp_path, told):
        await until(lambda: told.states == ["done"])
    assert told.item("a.png").charged == paid and told.charges == [("image", 2, "a.png")]


async def test_an_order_too_old_to_be_recognised_is_the_users_to_decide(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png")
    history = TransformHistory(tmp_path / "transforms.db")
    (entry,) = history.load()
    old = datetime.now(UTC) - timedelta(hours=30)
    entry.voucher = Voucher(order_key="k", model="service-image-v1", input_url=f"{service.url}/x", at=old)
    entry.item = entry.item.model_copy(update={"state": "working", "prompt": "ink comic"})
    history.keep([entry])
    history.close()
    async with queue(access, tmp_path, told) as made:
        await until(lambda: told.states == ["interrupted"])
        await made.retry([told.item("a.png").id])
        await until(lambda: told.states == ["done"])


async def test_credits_that_do_not_last_are_told_before_anything_is_sent(
    service: RunningService, transformer: ScriptedTransformer, media: Path, tmp_path: Path
) -> None:
    access, told = At(service, credits=3), Told()
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png", media / "b.png")
        await made.start("ink comic")
        await until(lambda: told.list is not None and told.list.halted is not None)
        assert told.list is not None and told.list.halted is not None
        assert told.list.halted.sentence == "This costs 4 credits, and 3 are left. Nothing was sent."
        assert told.states == ["ready", "ready"] and transformer.inspected == 0


async def test_this_computers_own_service_refuses_nothing_for_want_of_credits(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    access.key, access.free = service.ledger.mint_local_key().key, True
    service.ledger.charge(LOCAL_PURSE, 2497, "earlier", "nearly all of it")
    async with queue(access, tmp_path, told) as made:
        await added(made, media)
        await made.start("ink comic")
        await until(lambda: told.states == ["done"] * 4)
        assert told.list is not None and told.list.halted is None
        assert service.ledger.balance(LOCAL_PURSE) >= 500
        assert [item.charged for item in told.list.items] == [0] * 4, "nothing that anybody paid"
        assert sum(credits for _, credits, _ in told.charges) == 26, "the books are true all the same"
    async with ServiceClient(service.url, access.key) as client:
        grants = await client.grants()
        balance = (await client.account()).credits_remaining
    assert len(grants) == 2 and all(each.automatic for each in grants)
    assert sum(each.credits for each in grants) - 2497 - 26 == balance, "each top-up can be seen"


async def test_a_file_of_whose_prompt_nothing_can_be_done_is_done_and_listed_as_refunded(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png", media / "d.mp4")
        await made.start("in vain")
        await until(lambda: told.states == ["done"] * 2)
        assert told.list is not None and [item.charged for item in told.list.items] == [0, 0]
        assert sorted(told.outcomes) == [("a.png", 2, "refunded"), ("d.mp4", 20, "refunded")]
        assert charged(access) == 0


async def test_a_file_that_fails_says_why_and_costs_nothing_and_may_be_tried_again(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    (media / "broken.png").write_text("no picture")
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "a.png", media / "broken.png", media / "d.mp4")
        await made.start("upstream fails")
        await until(lambda: told.states == ["failed"] * 3)
        assert told.list is not None
        assert [item.charged for item in told.list.items] == [0, 0, 0]
        refunds = [("a.png", 2, "refunded"), ("d.mp4", 20, "refunded")]
        assert sorted(told.outcomes) == refunds, "what is no picture was never sold"
        assert all(item.trouble is not None and item.trouble.sentence for item in told.list.items)
        assert charged(access) == 0 and not list((tmp_path / "results").iterdir())
        (media / "broken.png").write_bytes(small_media.picture())
        await made.retry([told.item("broken.png").id])
        await until(lambda: told.states[-1] == "failed" and told.item("broken.png").charged == 0)


async def test_a_service_that_is_away_halts_the_queue_and_loses_nothing(
    service: RunningService, media: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_client, "RETURN_S", 0.05)
    access, told = At(service), Told()
    async with queue(access, tmp_path, told) as made:
        await added(made, media)
        access.absent = True
        await made.start("ink comic")
        await until(lambda: told.list is not None and told.list.halted is not None)
        assert told.list is not None and told.list.halted is not None
        assert told.list.halted.kind == "unreachable" and told.states == ["ready"] * 4
        access.absent = False
        await made.start("ink comic")
        await until(lambda: told.states == ["done"] * 4)
        assert told.list is not None and told.list.halted is None


async def test_waiting_items_are_moved_cancelled_and_removed_and_a_clip_can_be_stopped(
    service: RunningService, transformer: ScriptedTransformer, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    (media / "e.mp4").write_bytes(small_media.clip())
    async with queue(access, tmp_path, told) as made:
        ids = await added(made, media / "d.mp4", media / "e.mp4", media / "a.png", media / "b.png")
        await made.start("slow")
        await until(lambda: "slow" in transformer.begun and told.states == ["working"] * 2 + ["waiting"] * 2)
        await until(lambda: any(run.part == 0.43 for news in told.progress for run in news.running))
        await made.move(ids[3], ids[2])
        await until(lambda: [Path(item.source).name for item in told.list.items][2:] == ["b.png", "a.png"])
        await made.cancel(ids[2:])
        await until(lambda: told.states == ["working"] * 2 + ["cancelled"] * 2)
        assert told.item("a.png").charged == 0
        await made.remove(ids)
        await until(lambda: told.states == ["working"] * 2)
        begun = next(run.id for news in told.progress for run in news.running if run.part == 0.43)
        await made.cancel([begun])
        await until(lambda: sorted(told.states) == ["cancelled", "working"])
        assert {item.charged for item in told.list.items} == {20, None}
        assert [(credits, outcome) for _, credits, outcome in told.outcomes] == [(20, "cancelled")]
        transformer.release()
        await made.retry([begun])
        await until(lambda: told.states == ["done", "done"])
        assert charged(access) == 40


async def test_what_is_cancelled_before_the_service_began_it_comes_back_and_else_goes_on(
    service: RunningService, transformer: ScriptedTransformer, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    (media / "e.mp4").write_bytes(small_media.clip())
    async with queue(access, tmp_path, told) as made:
        ids = await added(made, media / "d.mp4", media / "e.mp4")
        await made.start("slow")
        await until(lambda: any(run.part == 0.43 for news in told.progress for run in news.running))
        await until(lambda: charged(access) == 40)
        await until(lambda: all(each.voucher and each.voucher.job_id for each in made._list.named(ids)))
        await made.cancel(ids, begun_too=False)
        await until(lambda: sorted(told.states) == ["cancelled", "working"])
        waited, begun = sorted(told.list.items, key=lambda item: item.state)
        assert waited.charged == 0 and charged(access) == 20
        assert told.outcomes == [(Path(waited.source).name, 20, "refunded")]
        assert told.list.went_on == Path(begun.source).name
        transformer.release()
        await until(lambda: "done" in told.states)
        await made.retry([waited.id])
        await until(lambda: told.states == ["done", "done"])
        assert charged(access) == 40, "what came back is bought anew"


async def test_what_is_named_like_a_picture_is_never_charged_as_a_clip(
    service: RunningService, media: Path, tmp_path: Path
) -> None:
    access, told = At(service), Told()
    (media / "odd.png").write_bytes(small_media.clip())
    async with queue(access, tmp_path, told) as made:
        await added(made, media / "odd.png")
        await made.start("ink comic")
        await until(lambda: told.states == ["failed"])
        trouble = told.item("odd.png").trouble
        assert trouble is not None and trouble.sentence == "odd.png is named like a picture but is a clip."
        assert charged(access) == 0


@pytest.mark.expect_log("is damaged and put aside")
async def test_a_damaged_history_is_put_aside(service: RunningService, media: Path, tmp_path: Path) -> None:
    (tmp_path / "transforms.db").write_bytes(b"not a database, whatever its name says" * 100)
    async with queue(At(service), tmp_path, Told()) as made:
        await added(made, media / "a.png")
        assert [item.state for item in made.state().items] == ["ready"]
    assert (tmp_path / "transforms.damaged").exists()
