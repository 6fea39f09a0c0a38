"""Pictures of looks come from a process of their own: small, of the right look, and nothing on the disk."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest

from helpers.clips import portrait
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.errors import UpstreamError
from overpaint.folders import kernel_dir
from overpaint.media import pictures
from overpaint.transforms import picture_transform
from overpaint.transforms.look_pictures import SHOWN, LookPainter

pytestmark = pytest.mark.process


def scene() -> np.ndarray:
    """A person's worth of colour: a red disc on a blue ground, I420 1280×720."""
    bgr = np.full((720, 1280, 3), (180, 90, 30), np.uint8)
    cv2.circle(bgr, (640, 360), 220, (40, 40, 210), -1)
    return pictures.from_bgr(bgr)


@pytest.mark.asyncio
async def test_a_look_is_painted_on_a_frame_that_was_handed_over() -> None:
    painter = LookPainter()
    try:
        colour = await painter.paint("Studio light", scene())
        worker = psutil.Process(painter.pid)
        files = [Path(file.path).suffix for file in worker.open_files()]
        grey = await painter.paint("Black and white", scene())
    finally:
        await painter.close()
    assert not {".jpg", ".png", ".raw", ".webp"} & set(files)
    plain, drained = (
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in (colour, grey)
    )
    assert plain.shape == drained.shape == (SHOWN[1], SHOWN[0], 3)
    middle = plain[90, 160].astype(int)
    assert middle[2] > middle[0] + 60  # still a red disc
    assert np.ptp(drained.astype(int), axis=2).max() < 12  # JPEG's own noise
    assert not psutil.pid_exists(worker.pid) or worker.status() == psutil.STATUS_ZOMBIE


@pytest.mark.asyncio
async def test_a_moving_preview_keeps_its_look_in_one_process_until_another_is_painted() -> None:
    painter = LookPainter()
    scenes = [np.ascontiguousarray(np.roll(scene(), step, axis=1)) for step in (0, 40, 80)]
    try:
        moved = [await painter.paint("Black and white", each, None, moving=True) for each in scenes]
        pid = painter.pid
        still = await painter.paint("Studio light", scene())
        again = await painter.paint("Black and white", scenes[0], None, moving=True)
        assert painter.pid == pid
        assert pid is not None
        psutil.Process(pid).kill()
        with contextlib.suppress(UpstreamError):  # the order that finds the process dead
            await painter.paint("Black and white", scenes[1], None, moving=True)
        after = await painter.paint("Black and white", scenes[1], None, moving=True)
    finally:
        await painter.close()
    drawn = [cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR).astype(int) for each in moved]
    assert all(np.ptp(each, axis=2).max() < 12 for each in drawn), "all in the look that was begun"
    assert np.abs(drawn[0] - drawn[2]).max() > 30, "and each of its own frame"
    colour = cv2.imdecode(np.frombuffer(still, np.uint8), cv2.IMREAD_COLOR).astype(int)
    assert np.ptp(colour, axis=2).max() > 60
    for data in (again, after):
        grey = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).astype(int)
        assert np.ptp(grey, axis=2).max() < 12


@pytest.mark.asyncio
async def test_giving_up_ends_the_process() -> None:
    painter = LookPainter()
    task = asyncio.create_task(painter.paint("Oil painting", scene()))
    while painter.pid is None:  # noqa: ASYNC110 - nothing tells of a process that was started
        await asyncio.sleep(0.01)
    process = psutil.Process(painter.pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await painter.close()
    assert not process.is_running()
    with pytest.raises(UpstreamError):
        await painter.paint("Oil painting", scene())


@pytest.mark.asyncio
@pytest.mark.full
async def test_a_reference_photo_gives_its_colours_and_a_broken_one_nothing() -> None:
    done, photo = cv2.imencode(".jpg", np.full((120, 160, 3), (30, 160, 60), np.uint8))
    assert done
    painter = LookPainter()
    try:
        plain, green, broken = [
            cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).astype(int)
            for data in (
                await painter.paint("Colour grade", scene()),
                await painter.paint("Colour grade", scene(), photo.tobytes()),
                await painter.paint("Colour grade", scene(), b"no picture"),
            )
        ]
    finally:
        await painter.close()
    ground = (slice(10, 40), slice(10, 40))
    assert green[ground][..., 1].mean() > plain[ground][..., 1].mean() + 15  # a green photo's colours
    assert np.abs(broken - plain).mean() < 2


@pytest.mark.asyncio
@pytest.mark.full
async def test_a_files_preview_looks_as_its_result_will(tmp_path: Path) -> None:
    bgr = portrait(960, 1280)
    cv2.imwrite(str(tmp_path / "in.png"), bgr)
    small = cv2.resize(bgr, (720, 960), interpolation=cv2.INTER_AREA)
    painter = LookPainter()
    try:
        jpeg, unchanged = await painter.paint_file("pencil sketch", pictures.from_bgr(small), "image")
        _, nothing = await painter.paint_file("a red hat", pictures.from_bgr(small), "image")
    finally:
        await painter.close()
    assert nothing and not unchanged
    preview = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    engine = CpuEngine(1, kernel_dir())
    picture_transform.transform(tmp_path / "in.png", LookRequest("pencil sketch"), tmp_path / "out", engine)
    result = cv2.imdecode(np.fromfile(tmp_path / "out", np.uint8), cv2.IMREAD_COLOR)
    assert preview.shape == (960, 720, 3) and result.shape == (1280, 960, 3)
    result = cv2.resize(result, (720, 960), interpolation=cv2.INTER_AREA)
    soft = [cv2.GaussianBlur(each.astype(np.float32), (0, 0), 6) for each in (preview, result, small)]
    assert np.abs(soft[0] - soft[1]).mean() < 4 < 20 < np.abs(soft[0] - soft[2]).mean()
