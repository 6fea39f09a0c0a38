"""A live process asks a real host for the newest release where the user agreed, and tells its window."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.release_host import ReleaseHost, release_host
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.settings import Settings, load_settings, save_settings
from overpaint.wire.live import Hello, LiveSnapshot, Quit, SetPreferences, parse_news
from overpaint.wire.preferences import Preferences, Updates

WAIT_S = 60.0


@pytest.fixture
def host(tmp_path: Path) -> Iterator[ReleaseHost]:
    with release_host(tmp_path) as made:
        yield made


@contextmanager
def window_of_live(folder: Path, host: ReleaseHost) -> Iterator[Channel]:
    """A live process of its own, and a connection as the window has it."""
    words = [sys.executable, "-m", "overpaint", "attend", "--data-dir", str(folder)]
    with (folder / "said.log").open("wb") as log:
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=log, env=os.environ | {"SSL_CERT_FILE": str(host.authority)}
        )
    assert process.stdout is not None
    with process.stdout as said:
        assert said.readline() == b"ready\n", (folder / "said.log").read_text()
    channel = roles.call(folder, "live")
    assert channel is not None
    channel.send(Hello(role="window").model_dump_json().encode())
    try:
        yield channel
    finally:
        channel.send(Quit().model_dump_json().encode())
        assert process.wait(WAIT_S) == 0
        channel.close()


def updates_of(channel: Channel, *, newer: bool) -> Updates:
    """The next word about updates that has, or has not, a newer release."""
    ends = time.monotonic() + WAIT_S
    while time.monotonic() < ends:
        message = channel.receive(timeout=WAIT_S)
        news = parse_news(message) if message is not None else None
        if isinstance(news, Updates) and (news.newer is not None) is newer:
            return news
    raise AssertionError("nothing was told")


@pytest.mark.full
@pytest.mark.timeout(300)
def test_the_host_is_asked_once_and_only_after_the_user_has_agreed(
    data_folder: Path, host: ReleaseHost
) -> None:
    save_settings(data_folder, Settings(source="demo", releases_address=host.url))
    with window_of_live(data_folder, host) as window:
        assert updates_of(window, newer=False) == Updates(host="localhost")
        while not isinstance(parse_news(window.receive(timeout=WAIT_S) or b""), LiveSnapshot):
            pass
        assert host.asked == []
        wish = SetPreferences(preferences=Preferences(check_updates=True))
        window.send(wish.model_dump_json().encode())
        told = updates_of(window, newer=True)
        assert told.newer is not None and told.newer.version == "99.1.0"
    assert load_settings(data_folder).check_updates
    with window_of_live(data_folder, host) as window:
        assert updates_of(window, newer=True).newer == told.newer
    assert len(host.asked) == 1, "asked a second time on the same day"
