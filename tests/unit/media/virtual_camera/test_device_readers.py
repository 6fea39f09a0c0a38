"""Whether a program reads the camera is told when it begins and when it ends, whoever looks beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from overpaint.media.virtual_camera.device_readers import DeviceReaders

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="inotify and /proc are Linux's"),
]

READER = "import sys; file = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"
BEGINS_ANOTHER = """
import os, sys
file = open(sys.argv[1], 'rb')
child = os.fork()
if child == 0:
    sys.stdin.read()
    os._exit(0)
print('open', flush=True)
os.waitpid(child, 0)
"""
"""The moment between fork and exec, for as long as it takes to look at it."""


class Reader:
    """A program that has the device open until it is told to end."""

    def __init__(self, node: Path, program: str = READER) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", program, str(node)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._child.stdout is not None and self._child.stdout.readline() == b"open\n"

    @property
    def pid(self) -> int:
        return self._child.pid

    def end(self) -> None:
        self._child.communicate()


class Told:
    def __init__(self, node: Path, writer: int = 0) -> None:
        self._changed = threading.Condition()
        self.watch = DeviceReaders(str(node), writer, self.change)

    def change(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def wait(self, read: bool) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.watch.read is read, 30)


def a_reader_comes_and_goes(node: Path, told: Told) -> None:
    reader = Reader(node)
    assert told.wait(True)
    reader.end()
    assert told.wait(False)


@pytest.fixture
def node(tmp_path: Path) -> Path:
    file = tmp_path / "video10"
    file.touch()
    return file


@pytest.fixture
def told(node: Path) -> Iterator[Told]:
    told = Told(node)
    yield told
    told.watch.close()
    told.watch.close()


def test_a_program_that_opens_the_camera_is_seen_until_it_closes_it(node: Path, told: Told) -> None:
    assert not told.watch.read
    for _ in range(2):
        reader = Reader(node)
        assert told.wait(True)
        reader.end()
        assert told.wait(False)


def test_as_long_as_one_of_several_reads_it_is_read(node: Path, told: Told) -> None:
    first, second = Reader(node), Reader(node)
    assert told.wait(True)
    first.end()
    third = Reader(node)
    second.end()
    assert told.watch.read
    third.end()
    assert told.wait(False)


def test_a_program_that_was_there_before_is_seen(node: Path) -> None:
    reader = Reader(node)
    told = Told(node)
    assert told.watch.read
    reader.end()
    assert told.wait(False)
    told.watch.close()


def test_what_this_process_does_with_its_own_camera_does_not_stay(node: Path, told: Told) -> None:
    descriptor = os.open(node, os.O_RDWR)
    os.close(descriptor)
    a_reader_comes_and_goes(node, told)


@pytest.mark.parametrize("program", [READER, BEGINS_ANOTHER], ids=["itself", "what it is about to start"])
def test_the_process_that_feeds_it_is_no_reader(node: Path, program: str) -> None:
    holder = Reader(node, program)
    told = Told(node, holder.pid)
    assert not told.watch.read
    a_reader_comes_and_goes(node, told)
    holder.end()
    told.watch.close()


def test_the_next_process_that_feeds_it_is_no_reader_either(node: Path) -> None:
    former = Reader(node)
    told = Told(node, former.pid)
    former.end()
    holder = Reader(node)
    told.watch.follow(holder.pid)
    assert told.wait(False)
    a_reader_comes_and_goes(node, told)
    holder.end()
    told.watch.close()


def test_a_device_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="inotify"):
        DeviceReaders(str(tmp_path / "video99"), 0, lambda: None)
