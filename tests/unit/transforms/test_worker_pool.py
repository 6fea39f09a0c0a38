"""The pool against real worker processes: work done, limits held, nobody left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
from PIL import Image

from helpers.clips import portrait
from helpers.processes import has_ended, until
from helpers.small_media import clip
from overpaint.engine.cpu import kernels_of
from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.folders import kernel_dir
from overpaint.processes.children import command
from overpaint.processes.sandbox import sandbox
from overpaint.transforms import pool as pool_module
from overpaint.transforms.pool import WorkerPool
from overpaint.transforms.process import WORKSPACE
from overpaint.transforms.worker_watchdog import Guard, Limits

pytestmark = pytest.mark.process


GIB = 1024**3


def a_worker(inputs: Path, outputs: Path) -> subprocess.Popen[bytes]:
    """A worker without a pool, with a workspace of these folders."""
    told = sandbox.environment(**{WORKSPACE: json.dumps([str(inputs), str(outputs)])})
    return subprocess.Popen(command("work"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=told)


@pytest.fixture
async def pool(tmp_path: Path) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(tmp_path / "workers")
    yield pool
    await pool.close()


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "input"
    Image.fromarray(portrait(320, 240)[..., ::-1].copy()).save(path, "JPEG")
    return path


@pytest.fixture
def long_clip(tmp_path: Path) -> Path:
    """Some seconds of work: more of it than a test that interrupts it can take."""
    path = tmp_path / "clip"
    path.write_bytes(clip(width=640, height=360, frames=360))
    return path


def workers() -> list[psutil.Process]:
    """Worker processes of this very process."""
    return [child for child in psutil.Process().children() if "work" in child.cmdline()]


async def gone(process: psutil.Process) -> None:
    """Not by psutil's wait: it would take the exit code away from the pool."""
    while process.is_running():  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def cpu_seconds(process: psutil.Process) -> float:
    """Of a process that may have been killed; 0 then."""
    try:
        return float(process.cpu_times().user)
    except psutil.Error:
        return 0.0


async def ended(busy: asyncio.subprocess.Process, watch: asyncio.Task[None]) -> None:
    """Ends a process that nobody has killed."""
    if not watch.done():
        busy.kill()
    await watch
    await busy.wait()


async def until_there() -> psutil.Process:
    while not (found := workers()):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return found[0]


async def test_a_picture_is_looked_at_and_restyled(pool: WorkerPool, picture: Path, tmp_path: Path) -> None:
    seen = await pool.inspect(picture, "image")
    assert (seen.kind, seen.content_type, seen.width, seen.height) == ("image", "image/jpeg", 320, 240)
    made = await pool.transform(picture, "image", "oil painting", tmp_path / "out", lambda _: None)
    assert (made.path, made.content_type) == (tmp_path / "out", "image/jpeg")
    assert made.size == made.path.stat().st_size and not made.unchanged
    with Image.open(made.path) as image:
        assert image.size == (320, 240)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "input", "out", "workers"}


async def test_a_picture_with_which_nothing_can_be_done_is_told_to_be_unchanged(
    pool: WorkerPool, picture: Path, tmp_path: Path
) -> None:
    made = await pool.transform(picture, "image", "red hat", tmp_path / "out", lambda _: None)
    assert made.unchanged
    with Image.open(picture) as before, Image.open(made.path) as after:
        difference = np.asarray(before.convert("RGB"), int) - np.asarray(after.convert("RGB"), int)
    assert np.abs(difference).mean() < 4


async def test_a_clip_is_looked_at_and_restyled_with_progress(pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(clip(frames=24))
    shares: list[float] = []
    seen = await pool.inspect(tmp_path / "input", "video")
    made = await pool.transform(tmp_path / "input", "video", "oil painting", tmp_path / "out", shares.append)
    with av.open(str(made.path)) as container:
        assert seen.frames == sum(1 for _ in container.decode(video=0)) == 24
    assert len(shares) > 5 and shares == sorted(shares) and shares[-1] == 1.0


@pytest.mark.full
async def test_a_worker_runs_with_the_lowest_priority_and_is_used_again(
    pool: WorkerPool, picture: Path
) -> None:
    await pool.inspect(picture, "image")
    first = workers()
    await pool.inspect(picture, "image")
    assert workers() == first and len(first) == 1
    lowest = psutil.IDLE_PRIORITY_CLASS if sys.platform == "win32" else 19
    assert first[0].nice() == lowest


@pytest.mark.full
async def test_an_idle_worker_is_ended_and_the_next_task_gets_a_fresh_one(picture: Path) -> None:
    pool = WorkerPool(picture.parent / "workers", idle_s=0.05)
    await pool.inspect(picture, "image")
    for worker in workers():
        await gone(worker)
    assert (await pool.inspect(picture, "image")).width == 320
    await pool.close()
    assert workers() == []
    await pool.close()


async def test_work_that_is_cancelled_ends_its_worker_and_leaves_no_target(
    pool: WorkerPool, picture: Path, tmp_path: Path
) -> None:
    task = asyncio.create_task(pool.transform(picture, "image", "oil", tmp_path / "out", lambda _: None))
    worker = await until_there()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await gone(worker)
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.part").exists()
    assert (await pool.inspect(picture, "image")).width == 320


async def test_a_worker_that_is_killed_fails_its_task_alone(
    pool: WorkerPool, picture: Path, tmp_path: Path
) -> None:
    task = asyncio.create_task(pool.transform(picture, "image", "oil", tmp_path / "out", lambda _: None))
    (await until_there()).kill()
    with pytest.raises(UpstreamError, match="ended unexpectedly"):
        await task
    assert not (tmp_path / "out").exists()
    made = await pool.transform(picture, "image", "oil", tmp_path / "out", lambda _: None)
    assert made.path.is_file()


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(cpu_s=600, memory_bytes=1, blames_input=True), "more memory"),
        (Limits(cpu_s=0.01, memory_bytes=4 * GIB, blames_input=True), "more time"),
    ],
)
async def test_a_file_that_takes_too_much_is_refused(picture: Path, limits: Limits, words: str) -> None:
    pool = WorkerPool(picture.parent / "workers", inspect_limits=limits)
    with pytest.raises(InvalidRequestError, match=words):
        await pool.inspect(picture, "image")
    await pool.close()


async def test_a_transform_over_its_limit_is_a_failure_of_ours(picture: Path, tmp_path: Path) -> None:
    pool = WorkerPool(tmp_path / "workers", picture_limits=Limits(cpu_s=0.01, memory_bytes=4 * GIB))
    with pytest.raises(UpstreamError, match="more time"):
        await pool.transform(picture, "image", "oil", tmp_path / "out", lambda _: None)
    await pool.close()


async def test_no_worker_to_be_had_is_a_failure_of_ours(picture: Path, tmp_path: Path) -> None:
    pool = WorkerPool(tmp_path / "workers", command=[str(tmp_path / "nothing")])
    with pytest.raises(UpstreamError, match="No worker can be started"):
        await pool.inspect(picture, "image")
    await pool.close()


async def test_a_closed_pool_takes_no_work(pool: WorkerPool, picture: Path) -> None:
    await pool.close()
    with pytest.raises(UpstreamError, match="ending"):
        await pool.inspect(picture, "image")
    assert workers() == []


@pytest.mark.full
async def test_closing_ends_the_work_that_is_under_way(pool: WorkerPool, long_clip: Path) -> None:
    begun = asyncio.Event()
    task = asyncio.create_task(
        pool.transform(long_clip, "video", "oil", long_clip.with_name("out"), lambda _: begun.set())
    )
    waiting = asyncio.create_task(
        pool.transform(long_clip, "video", "oil", long_clip.with_name("other"), lambda _: None)
    )
    await begun.wait()
    starting = asyncio.create_task(pool.inspect(long_clip, "video"))
    await asyncio.sleep(0)
    await pool.close()
    results = await asyncio.gather(task, waiting, starting, return_exceptions=True)
    assert [type(result) for result in results] == [UpstreamError] * 3
    assert workers() == []
    assert not list(long_clip.parent.glob("out*"))


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
@pytest.mark.expect_log("a worker hangs")
@pytest.mark.full
async def test_a_worker_that_is_stopped_for_good_is_replaced_and_its_clip_goes_on(
    pool: WorkerPool, long_clip: Path
) -> None:
    begun, told = asyncio.Event(), list[float]()

    def progress(share: float) -> None:
        told.append(share)
        if share > 0.05:
            begun.set()

    target = long_clip.with_name("out")
    clip = asyncio.create_task(pool.transform(long_clip, "video", "oil", target, progress))
    await begun.wait()
    (first,) = workers()
    first.suspend()
    async with asyncio.timeout(10):  # three seconds, on a machine that has nothing else to do
        while first.is_running() or not workers():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    made = await clip
    assert made.path.is_file() and told == sorted(told) and told[-1] == 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
@pytest.mark.expect_log("a worker hangs")
@pytest.mark.full
async def test_an_idle_worker_that_is_stopped_costs_the_next_picture_a_moment(
    pool: WorkerPool, picture: Path
) -> None:
    await pool.inspect(picture, "image")
    (first,) = workers()
    first.suspend()
    async with asyncio.timeout(20):
        assert (await pool.inspect(picture, "image")).width == 320
    assert first not in workers()


async def test_the_clock_of_a_whole_task_is_not_reset_by_progress() -> None:
    busy = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
    guard = Guard(busy.pid, Limits(cpu_s=60, memory_bytes=4 * GIB, whole_cpu_s=0.5))
    watch, process = asyncio.create_task(guard.watch()), psutil.Process(busy.pid)
    while not watch.done() and cpu_seconds(process) < 3.0:
        guard.advanced()
        await asyncio.sleep(0.02)
    await ended(busy, watch)
    assert "more time" in guard.verdict and isinstance(guard.error, UpstreamError)


@pytest.mark.parametrize(("pixels", "least_s"), [(200, 0.4), (10**15, 0.6)])
async def test_a_clip_has_time_for_its_pixels_and_no_more_than_may_be_is_believed(
    pixels: int, least_s: float
) -> None:
    limits = Limits(cpu_s=60, memory_bytes=4 * GIB, whole_cpu_s=0.2, cpu_ns_per_pixel=1e6, pixels_max=400)
    busy = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
    guard, process, used_s = Guard(busy.pid, limits), psutil.Process(busy.pid), 0.0
    guard.begun(pixels)
    watch = asyncio.create_task(guard.watch())
    while not watch.done() and used_s < 3.0:
        guard.advanced()
        used_s = max(used_s, cpu_seconds(process))
        await asyncio.sleep(0.01)
    await ended(busy, watch)
    assert "more time" in guard.verdict and used_s >= least_s - 0.1


@pytest.mark.skipif(sys.platform != "linux", reason="no lower priority elsewhere")
@pytest.mark.full
async def test_long_work_stands_back_behind_another_tenants_and_a_fresh_worker_does_not(
    picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "YIELDS_AFTER_S", 0.0)
    monkeypatch.setattr(pool_module, "PICTURE_WORKERS", 1)
    pool = WorkerPool(picture.parent / "workers")
    await pool.inspect(picture, "image", tenant="alone")
    (first,) = workers()
    assert os.sched_getscheduler(first.pid) == os.SCHED_OTHER
    await pool.transform(picture, "image", "oil", picture.with_name("out"), lambda _: None, tenant="greedy")
    assert {os.sched_getscheduler(thread.id) for thread in first.threads()} == {os.SCHED_IDLE}
    monkeypatch.setattr(pool_module, "YIELDS_AFTER_S", 60.0)
    await pool.inspect(picture, "image", tenant="greedy")
    assert workers() == [first]
    await pool.inspect(picture, "image", tenant="alone")
    (fresh,) = workers()
    assert fresh != first and os.sched_getscheduler(fresh.pid) == os.SCHED_OTHER
    await pool.close()


@pytest.mark.full
async def test_one_tenants_long_pictures_keep_nobody_elses_waiting(tmp_path: Path, picture: Path) -> None:
    """However many they are, and while they are worked on."""
    script = (
        "import sys, time\n"
        "for line in sys.stdin:\n"
        "    time.sleep(60 if 'video' in line else 0)\n"
        '    print(\'{"answer": "done", "width": 7}\', flush=True)\n'
    )
    pool = WorkerPool(tmp_path / "workers", command=[sys.executable, "-c", script])
    bomb = tmp_path / "bomb"
    bomb.touch()
    bombs = [asyncio.create_task(pool.inspect(bomb, "video", tenant="greedy")) for _ in range(12)]
    await asyncio.sleep(0.05)
    async with asyncio.timeout(20):
        for tenant in ("honest", "another", "honest"):
            assert (await pool.inspect(picture, "image", tenant=tenant)).width == 7
    assert not any(each.done() for each in bombs)
    await pool.close()
    assert {type(each) for each in await asyncio.gather(*bombs, return_exceptions=True)} == {UpstreamError}


@pytest.mark.full
async def test_a_long_clip_holds_up_no_picture(pool: WorkerPool, long_clip: Path, picture: Path) -> None:
    begun = asyncio.Event()
    target = long_clip.with_name("out")
    clip = asyncio.create_task(pool.transform(long_clip, "video", "oil", target, lambda _: begun.set()))
    await begun.wait()
    assert (await pool.inspect(picture, "image")).width == 320
    assert not clip.done()
    clip.cancel()
    with pytest.raises(asyncio.CancelledError):
        await clip
    assert not list(long_clip.parent.glob("out*"))


async def test_progress_starts_the_clock_again() -> None:
    """A clip may take long as a whole; only one that does not come forward is ended."""
    busy = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
    guard = Guard(busy.pid, Limits(cpu_s=0.3, memory_bytes=4 * GIB))
    watch = asyncio.create_task(guard.watch())
    process = psutil.Process(busy.pid)
    while process.cpu_times().user < 0.8:
        guard.advanced()
        await asyncio.sleep(0.02)
    assert not watch.done()
    await watch
    await busy.wait()
    assert "more time" in guard.verdict and isinstance(guard.error, UpstreamError)


UNHEARD_OF = """
import time
print('{"answer": "refused", "input_is_wrong": true, "code": "made_up", "params": {}}', flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    "script",
    [
        "print('hello', flush=True); import time; time.sleep(60)",
        "raise SystemExit(3)",
        "print('{}', flush=True)",
        UNHEARD_OF,
    ],
)
async def test_a_worker_that_talks_nonsense_or_dies_at_once_is_not_believed(
    picture: Path, script: str
) -> None:
    pool = WorkerPool(picture.parent / "workers", command=[sys.executable, "-c", script])
    with pytest.raises(UpstreamError, match="ended unexpectedly"):
        await pool.inspect(picture, "image")
    await pool.close()


@pytest.mark.expect_log("was not ordered")
@pytest.mark.parametrize("says", ["elsewhere", "link", "page", "nothing"])
async def test_a_worker_that_was_taken_over_has_no_other_file_served(
    tmp_path: Path, picture: Path, says: str
) -> None:
    """Neither by its name nor by a link, and never as something that a browser would run."""
    secret, target = tmp_path / "secret", tmp_path / "target"
    secret.write_text("key")
    script = (
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    target = json.loads(line)['target']\n"
        f"    says, secret = {says!r}, {str(secret)!r}\n"
        "    if says == 'link': os.symlink(secret, target)\n"
        "    elif says != 'nothing': open(target, 'w').write('made')\n"
        "    path = secret if says == 'elsewhere' else target\n"
        "    kind = 'text/html' if says == 'page' else 'image/png'\n"
        "    answer = {'answer': 'done', 'path': path, 'content_type': kind, 'size': 3}\n"
        "    print(json.dumps(answer), flush=True)\n"
    )
    pool = WorkerPool(tmp_path / "workers", command=[sys.executable, "-c", script])
    with pytest.raises(UpstreamError, match="failed"):
        await pool.transform(picture, "image", "oil", target, lambda _: None)
    if says != "page":  # a photo has one type alone
        with pytest.raises(UpstreamError, match="failed"):
            await pool.photo(picture)
    await pool.close()
    assert secret.read_text() == "key"
    assert not os.path.lexists(target), "nothing of it is in its place"


@pytest.mark.skipif(sys.platform == "win32", reason="crashes otherwise")
async def test_a_decoder_that_crashes_on_a_file_is_the_files_fault(picture: Path) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    pool = WorkerPool(picture.parent / "workers", command=[sys.executable, "-c", script])
    with pytest.raises(InvalidRequestError, match="damaged"):
        await pool.inspect(picture, "image")
    await pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.full
def test_a_worker_does_not_outlive_a_killed_core(picture: Path) -> None:
    script = (
        "import asyncio, sys, psutil\n"
        "from pathlib import Path\n"
        "from overpaint.transforms.pool import WorkerPool\n"
        "async def main():\n"
        "    pool = WorkerPool(Path(sys.argv[1]) / 'workers')\n"
        f"    await pool.inspect(Path({str(picture)!r}), 'image')\n"
        "    print(psutil.Process().children()[0].pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    core = subprocess.Popen([sys.executable, "-c", script, str(picture.parent)], stdout=subprocess.PIPE)
    assert core.stdout is not None
    with core.stdout as output:
        worker = psutil.Process(int(output.readline()))
    os.kill(core.pid, signal.SIGKILL)
    core.wait()
    until(lambda: has_ended(worker), 10, "the end of its worker")


@pytest.mark.full
def test_a_worker_ends_with_its_input_also_in_the_middle_of_a_clip(long_clip: Path) -> None:
    target = long_clip.with_name("out")
    order = {"task": "transform", "kind": "video", "source": str(long_clip), "target": str(target)}
    with a_worker(long_clip.parent, long_clip.parent) as worker:
        assert worker.stdin is not None and worker.stdout is not None
        worker.stdin.write(json.dumps({**order, "prompt": "ink"}).encode() + b"\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline()) == {"answer": "begun", "pixels": 640 * 360 * 360}
        assert json.loads(worker.stdout.readline())["answer"] == "advanced"
        worker.stdin.close()
        assert worker.wait(5) == 0
    assert not target.exists()


@pytest.mark.full
def test_a_worker_says_nothing_but_answers(picture: Path) -> None:
    order = json.dumps({"task": "inspect", "source": str(picture), "kind": "image"})
    with a_worker(picture.parent, picture.parent) as worker:
        assert worker.stdin is not None and worker.stdout is not None
        worker.stdin.write(order.encode() + b"\n")
        worker.stdin.flush()
        answer = json.loads(worker.stdout.readline())
        worker.stdin.close()
        assert worker.stdout.read() == b""
    assert answer["answer"] == "done" and answer["width"] == 320


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")
def test_a_worker_sees_its_workspace_and_no_other_jobs(picture: Path, tmp_path: Path) -> None:
    """A worker that was taken over reads neither another account's job nor another worker's workspace."""
    own, made, others = (tmp_path / each for each in ("workers/0/in", "workers/0/out", "workers/1/in"))
    for folder in (own, made, others, tmp_path / "jobs" / "tfm_b"):
        folder.mkdir(parents=True)
    for path in (own / "1-input", others / "1-input", tmp_path / "jobs" / "tfm_b" / "input"):
        path.write_bytes(picture.read_bytes())
    enforced = sandbox.available().enforced
    with a_worker(own, made) as worker:
        assert worker.stdin is not None and worker.stdout is not None

        def told(task: str, source: Path, target: Path | str = "") -> dict[str, str]:
            assert worker.stdin is not None and worker.stdout is not None
            order = {"task": task, "source": str(source), "target": str(target), "kind": "image"}
            worker.stdin.write(json.dumps(order).encode() + b"\n")
            worker.stdin.flush()
            answer: dict[str, str] = json.loads(worker.stdout.readline())
            return answer

        assert told("inspect", own / "1-input")["answer"] == "done"
        assert told("transform", own / "1-input", made / "1-output")["answer"] == "done"
        status = Path(f"/proc/{worker.pid}/status").read_text("ascii")
        if "network" in enforced:
            assert "Seccomp:\t2" in status
        if "files" in enforced:
            for path in (others / "1-input", tmp_path / "jobs" / "tfm_b" / "input"):
                assert told("inspect", path)["code"] == "media_file_denied"
            for path in (own / "1-output", tmp_path / "jobs" / "tfm_b" / "output"):
                assert told("transform", own / "1-input", path)["answer"] == "refused"
                assert not path.exists()
        assert b"DATABASE" not in Path(f"/proc/{worker.pid}/environ").read_bytes()
        worker.stdin.close()


async def test_a_workspace_has_one_order_and_nothing_after_it(
    pool: WorkerPool, picture: Path, tmp_path: Path
) -> None:
    await pool.transform(picture, "image", "oil", tmp_path / "out", lambda _: None)
    decoded = await pool.photo(picture)
    assert decoded == picture.with_name("input.npy") and decoded.is_file()
    assert [each for each in (tmp_path / "workers").rglob("*") if not each.is_dir()] == []
    assert picture.is_file()


def test_a_worker_writes_no_kernels_that_a_core_or_another_worker_loads() -> None:
    from overpaint.transforms.worker import _own_kernels

    own = _own_kernels()
    assert own != kernel_dir() and kernel_dir() not in own.parents and own not in kernel_dir().parents
    left_behind = own.parent / "999999999"
    left_behind.mkdir()
    planted = own / "planted"
    planted.touch()
    again = _own_kernels()
    assert again.name == str(os.getpid()), "each process has its own"
    assert not planted.exists() and not left_behind.exists(), "nothing of a former one is loaded"


def test_a_worker_compiles_no_kernel_that_the_engine_has_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba keeps a folder for each folder of sources: those that a look needs are in them."""
    from overpaint.transforms import worker

    kernel = kernels_of(tmp_path) / "passes_0e2b" / "drawing._ink-20.py311.1.nbc"
    kernel.parent.mkdir(parents=True)
    kernel.write_bytes(b"compiled")
    monkeypatch.setattr(worker, "kernel_dir", lambda: tmp_path)
    assert (kernels_of(worker._own_kernels()) / kernel.relative_to(kernels_of(tmp_path))).is_file()
