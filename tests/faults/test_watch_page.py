"""The page for OBS: in a real browser it shows what the camera shows, and outlives whatever ends."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.browser import Browser, Page, browser, program
from helpers.live_camera import LiveCamera
from helpers.processes import role_pid, until
from helpers.scripted_machine import RENEW_BEFORE_S
from helpers.stamps import read
from overpaint.cli import run
from overpaint.media import pictures
from overpaint.session.output.slate import slate
from overpaint.wire.live import SetHold, SetOnAir, SetOriginal, SetPrivacy, SetSource, SetStyle, StartSession

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(sys.platform != "linux", reason="plays v4l2loopback with LD_PRELOAD"),
    pytest.mark.skipif(program() is None, reason="no Chromium on this machine"),
]

PATIENCE_S = 60.0
SOON_RENEWED = {RENEW_BEFORE_S: "48"}
"""Of a session's 60 seconds: the next one is opened after twelve."""
SLATE = cv2.resize(pictures.to_bgr(slate(1920, 1080)), (96, 54), interpolation=cv2.INTER_AREA)


def look(page: Page) -> tuple[str, int | None]:
    """What a page shows: nothing, the slate, or a styled picture and its number."""
    picture = page.picture("#picture")
    if picture is None:
        return "nothing", None
    height, width, _ = picture.shape
    # Half of 1920 by 1080; smaller while a busy machine has less to send.
    assert (height * 16, height <= 540, height >= 270) == (width * 9, True, True), picture.shape
    small = cv2.resize(picture, (96, 54), interpolation=cv2.INTER_AREA)
    if np.abs(small.astype(int) - SLATE).mean() < 25:
        return "slate", None
    assert _colour(small) < 18, "a raw frame"
    return "styled", read(cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (1920, 1080)))


def _colour(picture: NDArray[np.uint8]) -> float:
    """How far a picture is from grey, in the mean: the raw clip 31, the slate 9."""
    return float(np.ptp(picture.astype(int), axis=2).mean())


def shows(page: Page, what: str) -> None:
    until(lambda: look(page)[0] == what, PATIENCE_S, lambda: f"{what}, not {look(page)} {page.complaints}")


def moves(page: Page) -> None:
    """Waits for two further pictures."""
    numbers: set[int] = set()

    def enough() -> bool:
        kind, number = look(page)
        if kind == "styled" and number is not None:
            numbers.add(number)
        return len(numbers) > 1

    until(enough, PATIENCE_S, lambda: f"{numbers} {look(page)} {page.complaints}")


@pytest.fixture(scope="module")
def obs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("obs")) as running:
        yield running


@pytest.fixture
def camera(tmp_path: Path, data_folder: Path, stamped: Path) -> Iterator[LiveCamera]:
    """On the way to a stamped clip in black and white, not on air yet; sessions are renewed soon."""
    settings = {"ttl_seconds": 60, "prompt": "black and white", "source": str(stamped)}
    (data_folder / "settings.json").write_text(json.dumps(settings))
    camera = LiveCamera(tmp_path, data_folder, environment=SOON_RENEWED)
    try:
        camera.intend(SetSource(source=str(stamped)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(stamped), PATIENCE_S)
        yield camera
    finally:
        camera.close()


def address_of(capsys: pytest.CaptureFixture[str]) -> str:
    """Switches the page on, from the command line."""
    assert run(["live", "page"]) == 0
    return capsys.readouterr().out.strip()


@pytest.mark.timeout(300)
def test_it_shows_what_the_camera_shows_and_outlives_whatever_ends(
    camera: LiveCamera,
    obs: Browser,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    data_folder: Path,
    stamped: Path,
) -> None:
    assert run(["live", "page"]) == 0
    address = capsys.readouterr().out.strip()
    page, other = obs.page(address), obs.page(address)
    page.run("window.loaded = 'once'")
    camera.intend(StartSession())
    first = camera.wait(lambda snapshot: snapshot.state == "live", PATIENCE_S).session
    assert first is not None
    shows(page, "slate")  # a preview is for its user alone
    camera.intend(SetOnAir(on=True))
    moves(page)
    moves(other)
    assert run(["live", "status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["page"], told["page_viewers"]) == (address, 2)

    camera.intend(SetHold(on=True))
    camera.wait(lambda snapshot: snapshot.hold)
    until(lambda: camera.shown[-1].number == camera.shown[-20].number, PATIENCE_S, "the camera's held frame")
    until(lambda: look(page) == ("styled", camera.shown[-1].number), PATIENCE_S, "the same frame")
    camera.intend(SetHold(on=False))
    moves(page)
    camera.intend(SetPrivacy(on=True))
    shows(page, "slate")
    camera.intend(SetPrivacy(on=False))
    moves(page)
    # Nothing but the picture, on nothing.
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.run("getComputedStyle(document.querySelector('#picture')).objectFit") == "contain"
    assert page.text().strip() == "" and page.run("document.querySelector('#picture').controls") is False

    camera.wait(lambda snapshot: snapshot.session and snapshot.session.id != first.id, PATIENCE_S)
    moves(page)  # a renewal
    core = role_pid(data_folder, "core")
    assert core is not None
    os.kill(core, signal.SIGKILL)
    until(lambda: role_pid(data_folder, "core") not in (None, core), seconds=PATIENCE_S, what="another core")
    moves(page)
    assert page.complaints == []
    # The live process itself: its successor has the same address, and nobody touches OBS; nor when OBS starts
    # while there is none.
    camera.process.kill()
    camera.process.wait(10)
    page.call("Page.reload")
    page.wait("document.querySelector('#picture') !== null && window.loaded === undefined")
    (tmp_path / "again").mkdir()
    again = LiveCamera(tmp_path / "again", data_folder)
    try:
        again.wait(lambda snapshot: snapshot.page.address == address, PATIENCE_S)
        again.intend(SetSource(source=str(stamped)), StartSession(), SetOnAir(on=True))
        moves(page)
        moves(other)
        assert run(["live", "page", "--off"]) == 0
        assert "closed" in capsys.readouterr().out
    finally:
        for each in (page, other):
            each.close()
        again.close()


@pytest.mark.timeout(240)
def test_an_original_leaves_it_with_its_process(
    camera: LiveCamera, obs: Browser, capsys: pytest.CaptureFixture[str], tmp_path: Path, data_folder: Path
) -> None:
    """Nobody is left who could take it away: what comes back is restyled."""
    page = obs.page(address_of(capsys))
    camera.intend(StartSession(), SetOnAir(on=True))
    moves(page)
    camera.intend(SetOriginal(on=True))
    camera.wait(lambda snapshot: snapshot.original and snapshot.state == "live", PATIENCE_S)
    until(lambda: camera.shown[-1].colour > 25, PATIENCE_S, "the original")
    camera.process.kill()
    camera.process.wait(10)
    page.wait("document.querySelector('#picture').style.visibility === 'hidden'")
    page.wait("document.querySelector('#picture').style.visibility === 'visible'")
    moves(page)
    page.close()
