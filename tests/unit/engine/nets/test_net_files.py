"""A stranger's net holds no other file, no program and no loop, and has bounds while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from helpers import hostile_nets
from helpers.small_nets import inverting, save_net
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.engine.nets import custom_nets, net_files
from overpaint.engine.nets.custom_nets import examine, open_custom_net
from overpaint.engine.nets.net_files import check_net_file
from overpaint.engine.passes.paint import custom_net
from overpaint.errors import EngineError
from overpaint.folders import kernel_dir


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (hostile_nets.external_weights, "in another file"),
        (hostile_nets.external_constant, "in another file"),
        (hostile_nets.external_sparse, "in another file"),
        (hostile_nets.other_file, "refers to another file"),
        (hostile_nets.custom_operator, "operators of 'org.strange'"),
        (hostile_nets.endless_loop, "holds a loop"),
        (hostile_nets.loop_in_a_function, "holds a loop"),
        (hostile_nets.redefined_operator, "redefines an operator"),
        (hostile_nets.huge_picture, "is too large"),
    ],
)
def test_a_net_that_acts_is_refused(tmp_path: Path, make: Callable[[Path], Path], reason: str) -> None:
    with pytest.raises(EngineError, match=reason) as refused:
        examine(make(tmp_path / "net.onnx"))
    assert refused.value.kind == "bad_model"


def test_a_net_that_repaints_is_taken(tmp_path: Path) -> None:
    check_net_file(inverting(tmp_path / "net.onnx").read_bytes())


def test_whatever_is_cut_off_or_changed_is_refused_or_taken_and_never_more(tmp_path: Path) -> None:
    data = inverting(tmp_path / "net.onnx").read_bytes()
    random = np.random.default_rng(5)
    for _ in range(300):
        damaged = bytearray(data[: random.integers(1, len(data))])
        for at in random.integers(0, len(damaged), 3):
            damaged[at] = random.integers(256)
        try:
            check_net_file(bytes(damaged))
        except EngineError as error:
            assert error.kind == "bad_model"
    for nothing in (b"", b"\0", b"\x0b\x0c", b"\xff" * 40, b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"):
        with pytest.raises(EngineError):
            check_net_file(nothing)


def test_what_is_nested_or_long_beyond_measure_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrapped(content: bytes, field: int) -> bytes:
        size, rest = b"", len(content)
        while rest >= 0x80:
            size, rest = size + bytes([rest & 0x7F | 0x80]), rest >> 7
        return bytes([field << 3 | 2]) + size + bytes([rest]) + content

    inner = b""
    for _ in range(40):
        inner = wrapped(wrapped(wrapped(inner, 6), 5), 1)  # graph > node > attribute > graph
    with pytest.raises(EngineError, match="nested"):
        check_net_file(wrapped(inner, 7) + wrapped(b"", 8))
    monkeypatch.setattr(net_files, "NODES_MAX", 50)
    with pytest.raises(EngineError, match="more than 50 operators"):
        check_net_file(hostile_nets.long(tmp_path / "net.onnx", 60).read_bytes())


def test_a_net_that_wants_all_memory_fails(tmp_path: Path) -> None:
    net = open_custom_net(hostile_nets.wide(tmp_path / "net.onnx"), 1, ("cpu",))
    with pytest.raises(EngineError, match="failed") as failed:
        net.run(img=np.zeros((1, 3, 96, 96), np.float32))
    assert failed.value.kind == "net_failed"
    small = open_custom_net(inverting(tmp_path / "small.onnx"), 1, ("cpu",))
    assert small.run(img=np.zeros((1, 3, 96, 96), np.float32)), "the others go on"


def test_a_net_that_takes_for_ever_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hostile_nets.long(tmp_path / "net.onnx")
    net = open_custom_net(path, 1, ("cpu",), run_limit_s=0.2)
    with pytest.raises(EngineError, match=r"more than 0\.2 s"):
        net.run(img=np.zeros((1, 3, 720, 1280), np.float32))
    monkeypatch.setattr(custom_nets, "EXAMINED_RUN_S", 0.001)
    with pytest.raises(EngineError, match="took more than"):
        examine(path)


@pytest.mark.expect_log("does not work any more")
def test_a_net_that_stalls_in_a_stream_is_replaced_by_a_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture as it is never stands in for it."""
    monkeypatch.setattr(custom_net, "LIVE_RUN_S", 0.05)
    hostile_nets.long(tmp_path / "endless.onnx")
    (tmp_path / "endless.toml").write_text(
        'name = "endless"\ntitle = "Endless"\ndescription = ""\ncaptions = ["endless"]\nkeywords = []\n'
        '[[passes]]\npass = "model"\nfile = "endless.onnx"\nlayout = "nchw"\nvalues = [0.0, 1.0]\n'
        "multiple = 4\nrows = 180\n",
        "utf-8",
    )
    picture = np.random.default_rng(3).integers(16, 235, (540, 640), np.uint8)
    engine = CpuEngine(1, kernel_dir(), tmp_path)
    look, plain = (engine.compile(LookRequest(prompt), 640, 360) for prompt in ("endless", ""))
    assert look.name == "endless" and look.work.trouble == ""
    first, second = look.apply(picture), look.apply(picture)
    for made in (first, second):
        assert np.abs(made.astype(int) - picture).mean() > 5, "styled"
    assert np.array_equal(first, plain.apply(picture)), "by the look that everybody has"
    assert "took more than" in look.work.trouble and "Another look stands in" in look.work.trouble


def test_a_pipe_is_no_net(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="no file"):
        examine(tmp_path)


def test_weights_may_be_many_and_large(tmp_path: Path) -> None:
    many = {f"weight{number}": np.ones((64, 3, 3, 3), np.float32) for number in range(200)}
    path = save_net(tmp_path / "net.onnx", [hostile_nets.COPY], size=hostile_nets.ANY, **many)
    check_net_file(path.read_bytes())
