"""``overpaint transform`` against the real service, its real workers and real files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
from PIL import Image

from helpers import small_media
from helpers.processes import end_all, overpaint, role_pid, until
from helpers.served import Served
from overpaint import cli
from overpaint.ledger import Ledger, Purse, ledger_url


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    folder.mkdir()
    (folder / "b.jpg").write_bytes(small_media.picture(form="JPEG", quality=95))
    (folder / "a.png").write_bytes(small_media.picture())
    (folder / "c.mp4").write_bytes(small_media.clip())
    (folder / "notes.txt").write_text("no picture")
    return folder


@pytest.fixture
def local(data_folder: Path) -> Iterator[Path]:
    yield data_folder
    end_all(data_folder)


def form(path: Path) -> str | None:
    with Image.open(path) as picture:
        return picture.format


def colours(path: Path) -> float:
    """How far apart the channels of a picture are, on average."""
    with Image.open(path) as picture:
        rgb = np.asarray(picture.convert("RGB"), np.int16)
    return float(np.abs(rgb[..., 0] - rgb[..., 2]).mean())


def at(service: Served, name: str, credits: int) -> dict[str, str]:
    return {"OVERPAINT_API_KEY": service.key(name, credits)}


@pytest.mark.full
def test_words_that_nothing_can_be_done_with_are_named_before_anything_is_ordered(
    local: Path, media: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    refused = overpaint("transform", str(media / "a.png"), "--prompt", "a red hat", "-o", out)
    assert refused.returncode == 2 and "red hat" in refused.stderr and "GPU" in refused.stderr
    assert not Path(out).exists()
    prompt = "pencil sketch with a hat"
    done = overpaint("transform", str(media / "a.png"), "--prompt", prompt, "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    assert "Not understood: hat" in done.stderr.splitlines()
    said = json.loads(done.stdout)
    assert (said["not_understood"], said["hint"]) == (
        ["hat"],
        "Ask a computer with a GPU whose service has a generative model (--server).",
    )


def test_a_folder_is_restyled_by_this_computers_own_service(local: Path, media: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.look.png").write_text("mine")
    done = overpaint("transform", str(media), "--prompt", "pencil sketch", "-o", str(out), "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["files"]
    assert [Path(row["input"]).name for row in rows] == ["a.png", "b.jpg", "c.mp4"]
    assert [Path(row["output"]).name for row in rows] == ["a.look-2.png", "b.look.jpg", "c.look.mp4"]
    assert [row["job"]["credits_charged"] for row in rows] == [2, 2, 20]
    assert (out / "a.look.png").read_text() == "mine"
    assert len(list(out.iterdir())) == 4
    assert form(out / "a.look-2.png") == "PNG" and form(out / "b.look.jpg") == "JPEG"
    assert colours(out / "a.look-2.png") < colours(media / "a.png")
    with av.open(str(out / "c.look.mp4")) as clip:
        assert sum(1 for _ in clip.decode(video=0)) == 12
        assert len(clip.streams.audio) == 1
    assert f"{media / 'c.mp4'}: restyling" in done.stderr
    assert done.stderr.startswith("2 pictures and 1 clip\n") and "(3 of 3)" in done.stderr
    assert "credits" not in done.stderr, "nothing to pay on this computer"


@pytest.mark.full
def test_pictures_are_saved_in_the_format_and_size_that_are_asked_for(
    local: Path, media: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    form = ("--format", "webp", "--longest-side", "80")
    done = overpaint("transform", str(media / "a.png"), "--prompt", "oil", "-o", str(out), *form)
    assert done.returncode == 0, done.stderr
    with Image.open(out / "a.look.webp") as made:
        assert made.format == "WEBP" and max(made.size) == 80
    assert [each.name for each in out.iterdir()] == ["a.look.webp"]


@pytest.mark.full
def test_a_file_that_fails_does_not_stop_the_others(public: Served, media: Path, tmp_path: Path) -> None:
    broken = media / "broken.png"
    broken.write_bytes((media / "a.png").read_bytes()[:200])
    done = overpaint(
        *("transform", str(broken), str(tmp_path / "nowhere.png"), str(media / "a.png")),
        *("--prompt", "ink comic", "-o", str(tmp_path / "out"), "--server", public.url),
        **at(public, "partial", 10),
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr
    plan, *lines = done.stderr.splitlines()
    assert plan == "3 pictures: 6 credits", "told before anything is sent"
    assert sum(line.endswith(" of 3)") for line in lines) == 3
    failures = [line for line in lines if not line.endswith(("uploading", "restyling", "saving", " of 3)"))]
    assert len(failures) == 2
    assert failures[0].startswith(f"{broken}: ") and "nowhere.png" in failures[1]
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["a.look.png"]
    assert f"a.png → {tmp_path / 'out' / 'a.look.png'}" in done.stdout


@pytest.mark.full
def test_a_balance_that_does_not_last_is_told_for_each_file(
    public: Served, media: Path, tmp_path: Path
) -> None:
    done = overpaint(
        *("transform", str(media / "a.png"), str(media / "b.jpg"), "--prompt", "ink comic"),
        *("-o", str(tmp_path / "out"), "--server", public.url, "--json"),
        **at(public, "nearly spent", 3),
    )
    rows = json.loads(done.stdout)["files"]
    assert done.returncode == 1 and sorted(row["error"] is None for row in rows) == [False, True]
    assert [row["error"]["type"] for row in rows if row["error"]] == ["insufficient_credits"]
    assert len(list((tmp_path / "out").iterdir())) == 1


@pytest.mark.full
def test_a_result_takes_the_suffix_of_what_it_is(public: Served, media: Path, tmp_path: Path) -> None:
    arguments = ("transform", str(media / "a.png"), "--prompt", "watercolour", "--server", public.url)
    key = at(public, "suffixes", 10)
    done = overpaint(*arguments, "-o", str(tmp_path / "mine.jpg"), **key)
    assert done.returncode == 0 and str(tmp_path / "mine.png") in done.stdout, done.stderr
    assert form(tmp_path / "mine.png") == "PNG" and not (tmp_path / "mine.jpg").exists()
    again = overpaint(*arguments, "-o", str(tmp_path / "mine.png"), **key)
    assert again.returncode == 2 and "already a file" in again.stderr


def test_orders_that_make_no_sense_cost_nothing(
    media: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    place = str(tmp_path / "out")
    for arguments, words in (
        ((str(media), "-o", f"{place}.mp4"), "cannot hold 3 results"),
        ((str(media / "a.png"), "-o", f"{place}.mp4"), "would not be one"),
        ((str(tmp_path / "empty"), "-o", place), "no picture or clip"),
        ((str(media / "a.png"), "-o", str(media / "notes.txt")), "not a folder"),
        ((str(media / "a.png"),), "--output"),
    ):
        assert cli.run(["transform", *arguments, "--prompt", "ink comic"]) == 2
        assert words in capsys.readouterr().err


@pytest.mark.full
def test_a_core_that_dies_under_a_clip_costs_neither_the_clip_nor_a_second_payment(
    local: Path, tmp_path: Path
) -> None:
    source, out, log = tmp_path / "long.mp4", tmp_path / "out", tmp_path / "log"
    source.write_bytes(small_media.clip(640, 360, frames=120))
    words = ["transform", str(source), "--prompt", "oil painting", "-o", str(out)]
    with log.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "overpaint", *words, "--json"],
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
    until(lambda: list((local / "jobs").glob("tfm_*/input*")), what=log.read_text)
    time.sleep(1.0)  # its input is kept a moment before its sale is answered
    core = role_pid(local, "core")
    assert core is not None
    psutil.Process(core).kill()
    said, _ = process.communicate(timeout=60)
    (row,) = json.loads(said)["files"]
    assert process.returncode == 0 and row["job"]["credits_charged"] == 20, (row, log.read_text())
    with av.open(row["output"]) as clip:
        assert sum(1 for _ in clip.decode(video=0)) == 120
    listed = json.loads(overpaint("keys", "list", "--json").stdout)
    assert {key["credits"] for key in listed} == {row["job"]["credits_remaining"]}


@pytest.mark.skipif(sys.platform == "win32", reason="a console's Ctrl+C cannot be sent to one process there")
@pytest.mark.full
def test_ctrl_c_ends_it_leaves_no_half_file_and_says_what_was_charged(public: Served, tmp_path: Path) -> None:
    source, out = tmp_path / "long.mp4", tmp_path / "out"
    source.write_bytes(small_media.clip(1280, 720, frames=450))
    later = shutil.copy(source, tmp_path / "later.mp4")
    words = ["transform", str(source), str(later), "--prompt", "oil painting", "-o", str(out)]
    words += ["--server", public.url]
    log = tmp_path / "log"
    with log.open("wb") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "overpaint", *words],
            stdout=told,
            stderr=told,
            env=os.environ | at(public, "hasty", 40),
            # Whoever runs the tests in the background of a shell hands down that Ctrl+C is to be ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def left() -> int:
        ledger = Ledger(ledger_url(public.folder))
        try:
            return ledger.balance(Purse("hasty", "live"))
        finally:
            ledger.close()

    until(lambda: log.read_text().count("restyling") == 2, what=log.read_text)
    until(lambda: left() == 0, what=log.read_text)
    time.sleep(1.0)  # both are sold, and that is answered; one is begun
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130  # as shells name an end by SIGINT
    assert "Traceback" not in log.read_text() and list(out.iterdir()) == []
    said = log.read_text().splitlines()[-1]
    assert said.startswith("Cancelled. 20 credits were charged: 20 for 1 file that the service had begun, ")
    assert said.endswith("nothing for 1 file that it had not begun.") and left() == 20
