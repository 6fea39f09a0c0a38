"""``overpaint processes`` names what runs for a data folder, in the field's terms, and nothing else."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from helpers.matrix import few_of
from helpers.processes import end_all, overpaint, role_pid, start, until
from helpers.small_media import clip
from overpaint.processes import children
from overpaint.processes.census import census, workers_of
from overpaint.processes.command_lines import start_core, start_live
from overpaint.processes.roles import Role
from overpaint.processes.supervision.standby import StandbyCore


def said(folder: Path) -> list[tuple[str, int]]:
    done = overpaint("processes", "--json", "--data-dir", str(folder))
    assert done.returncode == 0, done.stderr
    return [(each["role"], each["pid"]) for each in json.loads(done.stdout)]


def test_where_nothing_runs_nothing_is_named(data_folder: Path) -> None:
    assert said(data_folder) == []
    assert overpaint("processes").stdout == "Nothing runs.\n"


@pytest.mark.full
def test_each_is_named_by_its_role(data_folder: Path, tmp_path: Path) -> None:
    began = datetime.now(UTC)
    start_live(data_folder)
    start_core(data_folder)
    standby = StandbyCore(data_folder)
    role = Role(data_folder, "one-window")  # this process plays the window, whose child the standby is
    role.take()
    role.announce("nowhere", "")
    try:
        standby.keep()
        until(lambda: standby.pid is not None, 60, "a standby that has loaded")
        live, core = role_pid(data_folder, "live"), role_pid(data_folder, "core")
        named = [each for each in said(data_folder) if each[0] != "worker"]  # kernels may be compiled
        assert named == [("core", core), ("standby", standby.pid), ("live", live), ("window", os.getpid())]
        done = overpaint("processes", "--json", "--data-dir", str(data_folder))
        since = [datetime.fromisoformat(each["since"]) for each in json.loads(done.stdout)[:3]]
        assert all(began.timestamp() - 2 < each.timestamp() < time.time() for each in since)
        words = overpaint("processes").stdout.splitlines()
        assert words[0].split()[:2] == ["core", str(core)] and len(words) >= 4
        assert said(tmp_path / "another") == []
    finally:
        standby.drop()
        role.leave()
        end_all(data_folder)
    assert said(data_folder) == []


def test_a_note_that_a_killed_process_left_names_no_other(data_folder: Path) -> None:
    """Its process id may be another's by now."""
    role = Role(data_folder, "core")
    role.take()
    role.announce("nowhere", "")
    long_ago = psutil.Process().create_time() - 3600
    os.utime(data_folder / "core.json", (long_ago, long_ago))
    assert census(data_folder) == []
    role.leave()


@pytest.mark.full
def test_a_stream_is_a_live_process_and_the_player_of_its_file_a_worker(
    data_folder: Path, tmp_path: Path
) -> None:
    source, folder = tmp_path / "clip.mp4", tmp_path / "named"
    source.write_bytes(clip(frames=30))
    options = ["--prompt", "ink comic", "--output", "null", "--seconds", "60", "--data-dir", str(folder)]
    stream = start("stream", "--source", str(source), *options, log=tmp_path / "stream.log")
    try:
        until(lambda: role_pid(folder, "core"), 60, "a core")
        until(lambda: workers_of(stream.pid), 60, "a player")
        (player,) = workers_of(stream.pid)
        named = said(folder)
        assert {("live", stream.pid), ("worker", player)} < set(named)
        assert [role for role, _ in named].count("live") == 1
        assert said(data_folder) == [], "another folder than the one its environment names"
    finally:
        end_all(folder, [stream])


@pytest.mark.skipif(sys.platform == "win32", reason="hands a socket over")
@pytest.mark.parametrize("command", few_of(sorted(children.WORKERS - {"warm"}), ["work"]))
def test_each_kind_of_worker_is_named(data_folder: Path, tmp_path: Path, command: str) -> None:
    """Whoever has started it: here a program that is none of ours."""
    owner, its = socket.socketpair()
    with owner, subprocess.Popen(children.command(command), stdin=its, stdout=-3, stderr=-3) as worker:
        its.close()
        try:
            assert said(data_folder) == [("worker", worker.pid)]
            assert said(tmp_path / "another") == []
        finally:
            worker.kill()
