"""The update check asks only whom the user agreed to be asked, at most once a day, and fails in silence."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from helpers.release_host import ReleaseHost
from helpers.virtual_time import in_virtual_time
from overpaint import __version__
from overpaint.errors import UnreachableError
from overpaint.updates.update_check import DAY_S, FILE, HOUR_S, UpdateCheck
from overpaint.wire.preferences import Release, Updates

NEWER = Release(version="99.0.0", page="https://example.org/99", new={"en": ("Hats.",)})


class Asked:
    """Somebody who is asked in virtual time: notes when, and answers."""

    def __init__(self, answer: Release | Exception = NEWER) -> None:
        self.answer = answer
        self.times: list[float] = []
        self.began = 1_800_000_000.0

    def now_s(self) -> float:
        return self.began + asyncio.get_running_loop().time()

    async def __call__(self, address: str) -> Release:
        self.times.append(self.now_s())
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def check(
        self, folder: Path, told: list[Updates], address: str = "https://a.example/n.json"
    ) -> UpdateCheck:
        return UpdateCheck(folder, address, told.append, self, self.now_s)


@in_virtual_time
async def test_nobody_is_asked_before_the_user_agrees(tmp_path: Path) -> None:
    asked, told = Asked(), list[Updates]()
    check = asked.check(tmp_path, told)
    check.follow(False)
    await asyncio.sleep(10 * DAY_S)
    assert asked.times == [] and told == [Updates(host="a.example")]
    assert not (tmp_path / FILE).exists()
    check.follow(True)
    await asyncio.sleep(1)
    assert len(asked.times) == 1 and told[-1].newer == NEWER
    check.follow(False)
    await asyncio.sleep(10 * DAY_S)
    assert len(asked.times) == 1, "nor after the user has changed their mind"
    assert told[-1].newer is None
    await check.close()


@in_virtual_time
async def test_one_question_a_day_however_often_it_is_started(tmp_path: Path) -> None:
    asked = Asked()
    for _ in range(48):
        told = list[Updates]()
        check = asked.check(tmp_path, told)
        check.follow(True)
        check.follow(True)
        await asyncio.sleep(HOUR_S)
        assert told[-1].newer == NEWER, "told at each start, without a question"
        await check.close()
    assert len(asked.times) == 2
    check = asked.check(tmp_path, [])
    check.follow(True)
    await asyncio.sleep(10.5 * DAY_S)
    await check.close()
    gaps = [later - former for former, later in zip(asked.times, asked.times[1:], strict=False)]
    assert len(asked.times) >= 11 and min(gaps) >= DAY_S


@in_virtual_time
async def test_without_a_network_nothing_is_said_and_it_is_tried_an_hour_later(tmp_path: Path) -> None:
    asked, told = Asked(UnreachableError("releases_unreachable", host="a.example")), list[Updates]()
    check = asked.check(tmp_path, told)
    check.follow(True)
    await asyncio.sleep(2.5 * HOUR_S)
    assert len(asked.times) == 3 and all(each.newer is None for each in told)
    asked.answer = NEWER
    await asyncio.sleep(HOUR_S)
    assert told[-1].newer == NEWER
    await check.close()


@in_virtual_time
async def test_who_answers_nonsense_is_asked_again_a_day_later(tmp_path: Path) -> None:
    asked = Asked(UnreachableError("releases_unreadable", host="a.example"))
    check = asked.check(tmp_path, [])
    check.follow(True)
    await asyncio.sleep(DAY_S - 1)
    assert len(asked.times) == 1
    await check.close()


@in_virtual_time
async def test_a_clock_that_was_set_back_does_not_end_the_check(tmp_path: Path) -> None:
    asked = Asked()
    (tmp_path / FILE).write_text(json.dumps({"ask_at": asked.began + 400 * DAY_S}))
    check = asked.check(tmp_path, [])
    check.follow(True)
    await asyncio.sleep(1)
    assert len(asked.times) == 1
    await check.close()


@in_virtual_time
async def test_this_version_and_older_ones_are_not_told(tmp_path: Path) -> None:
    for version in (__version__, "0.0.1"):
        asked, told = Asked(Release(version=version, page="https://example.org")), list[Updates]()
        check = asked.check(tmp_path / version, told)
        (tmp_path / version).mkdir()
        check.follow(True)
        await asyncio.sleep(1)
        assert len(asked.times) == 1 and all(each.newer is None for each in told)
        await check.close()


@in_virtual_time
async def test_without_an_address_nobody_is_asked(tmp_path: Path) -> None:
    asked, told = Asked(), list[Updates]()
    check = asked.check(tmp_path, told, address="")
    check.follow(True)
    await asyncio.sleep(2 * DAY_S)
    assert asked.times == [] and told == [Updates()]
    await check.close()


@in_virtual_time
async def test_a_damaged_file_and_a_folder_that_cannot_be_written_do_no_harm(tmp_path: Path) -> None:
    asked, told = Asked(), list[Updates]()
    (tmp_path / FILE).write_text("{")
    (tmp_path / f"{FILE}.tmp").mkdir()  # in the way of the draft
    check = asked.check(tmp_path, told)
    check.follow(True)
    await asyncio.sleep(HOUR_S)
    assert len(asked.times) == 1 and told[-1].newer == NEWER
    await check.close()


async def test_a_real_host_is_asked_and_its_answer_kept(host: ReleaseHost, tmp_path: Path) -> None:
    told: asyncio.Queue[Updates] = asyncio.Queue()
    check = UpdateCheck(tmp_path, host.url, told.put_nowait)
    check.follow(True)
    assert (await told.get()) == Updates(host="localhost")
    newer = (await asyncio.wait_for(told.get(), 10)).newer
    assert newer is not None and newer.version == "99.1.0"
    await check.close()
    host.close()
    again = UpdateCheck(tmp_path, host.url, told.put_nowait)
    again.follow(True)
    assert (await told.get()).newer == newer, "known without a question"
    await again.close()
    assert len(host.asked) == 1
