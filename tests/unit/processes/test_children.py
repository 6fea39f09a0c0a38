"""A process of ours is started once, says when it is ready, and its last words are heard when it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from helpers.processes import end_all, role_pid
from overpaint.errors import ProcessError
from overpaint.processes import children
from overpaint.processes.children import said, set_priority
from overpaint.processes.command_lines import await_core, begin_core, start_core

pytestmark = pytest.mark.process


def test_it_is_ready_when_start_returns_and_a_second_one_gives_way(data_folder: Path) -> None:
    start_core(data_folder)
    first = role_pid(data_folder, "core")
    assert first is not None
    log = (data_folder / "core.log").read_text("utf-8")
    start_core(data_folder)
    assert role_pid(data_folder, "core") == first
    assert (data_folder / "core.log").read_text("utf-8").startswith(log), "it keeps its log"
    end_all(data_folder)


def test_no_process_of_ours_runs_what_lies_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of downloads may hold a program that is called like a module."""
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    said("--version")
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no resource tracker")
def test_neither_does_the_tracker_of_shared_memory(tmp_path: Path) -> None:
    """Begun by the interpreter of the window and of ``overpaint stream``, which their users have begun."""
    program, downloads = tmp_path / "overpaint", tmp_path / "downloads"
    downloads.mkdir()
    for name in ("signal", "json", "ctypes", "multiprocessing"):
        (downloads / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})\n")
    program.write_text(
        "from multiprocessing import resource_tracker\n"
        "from overpaint.media.links.frame_ring import RingPort\n"
        "class Silent:\n"
        "    def send(self, message): pass\n"
        "    def close(self): pass\n"
        "port = RingPort(Silent(), 4096)\n"
        "port.close()\n"
        "resource_tracker._resource_tracker._stop()\n"
    )
    done = subprocess.run([sys.executable, program], cwd=downloads, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a thread's priority")
def test_a_priority_is_that_of_every_thread() -> None:
    program = "import threading; [threading.Thread(target=threading.Event().wait).start() for _ in range(3)]"
    with subprocess.Popen([sys.executable, "-c", program + "; print(flush=True)"], stdout=-1) as child:
        assert child.stdout is not None and child.stdout.readline()
        set_priority("lowered", child.pid)
        threads = psutil.Process(child.pid).threads()
        assert [os.getpriority(os.PRIO_PROCESS, thread.id) for thread in threads] == [10] * 4
        child.kill()


def test_one_that_cannot_start_says_why(data_folder: Path) -> None:
    (data_folder / "ledger.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(ProcessError) as refused:
        start_core(data_folder)
    assert str(refused.value).startswith("The service core does not start: ")
    assert "core.log" in refused.value.mend


@pytest.mark.full
def test_a_core_that_somebody_else_has_begun_is_waited_for(data_folder: Path) -> None:
    core = begin_core(data_folder)
    await_core(data_folder, core.pid)
    assert role_pid(data_folder, "core") == core.pid, "there is one core, and it answers"
    core.wait()
    end_all(data_folder)


@pytest.mark.full
def test_a_core_whose_beginning_failed_is_started_again(data_folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    await_core(data_folder, ended.pid)
    assert role_pid(data_folder, "core") not in (None, ended.pid)
    end_all(data_folder)


def test_a_process_that_has_no_room_even_for_its_last_words_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    monkeypatch.setattr(children.shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    with pytest.raises(ProcessError, match="no space left for the data folder"):
        children.Starting("The service core", [], tmp_path / "core.log").wait()
