"""``overpaint looks add``: a net of the user's becomes a look of every process of the user."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers import hostile_nets
from helpers.processes import overpaint
from helpers.small_nets import inverting, save_net
from overpaint.commands import net_examination
from overpaint.commands.net_examination import examined
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.errors import EngineError
from overpaint.folders import looks_dir
from overpaint.processes import children
from overpaint.processes.sandbox import sandbox
from overpaint.processes.sandbox.sandbox import Bound


def test_a_net_becomes_a_look_and_goes_again(tmp_path: Path) -> None:
    net = inverting(tmp_path / "night_side.onnx")
    told = json.loads(overpaint("looks", "add", str(net), "--json").stdout)
    assert (told["name"], told["title"], told["live"]) == ("night-side", "Night side", True)
    rows = {row["name"]: row for row in json.loads(overpaint("looks", "--json").stdout)}
    assert rows["night-side"]["own"] and rows["night-side"]["needs"] == ["model"]
    assert not rows["ink-comic"]["own"]

    engine = CpuEngine(1, looks_dir=looks_dir())
    look = engine.compile(LookRequest("night side, warm"), 640, 360)
    assert look.name == "night-side" and look.understood == "Night side, warm"
    frame = np.full((540, 640), 128, np.uint8)
    frame[:360] = 200
    assert look.apply(frame)[:360].mean() < 60, "light became dark"

    again = overpaint("looks", "add", str(net))
    assert "There is a look named night-side" in again.stderr and "--name" in again.stderr
    overpaint("looks", "remove", "night-side")
    assert list(looks_dir().iterdir()) == []
    assert engine.compile(LookRequest("night side"), 640, 360).name != "night-side"


def test_a_net_that_will_not_do_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    from onnx import helper

    two = save_net(
        tmp_path / "two.onnx",
        [helper.make_node("Identity", ["img"], ["out"])],
        size=[1, 3, "h", "w"],
        more_inputs=("style",),
    )
    refused = overpaint("looks", "add", str(two))
    assert "takes 2 inputs (img, style), not one picture" in refused.stderr
    assert not looks_dir().exists() or list(looks_dir().iterdir()) == []


@pytest.mark.full
def test_a_net_that_is_too_slow_says_so_and_works_on_pictures(tmp_path: Path) -> None:
    overpaint("looks", "add", str(inverting(tmp_path / "slow.onnx")), "--name", "Slow motion")
    text = looks_dir() / "slow-motion.toml"
    text.write_text(text.read_text("utf-8").replace("live = true", "live = false"), "utf-8")
    engine = CpuEngine(1, looks_dir=looks_dir())
    with pytest.raises(EngineError, match="too slow for live video") as refused:
        engine.compile(LookRequest("slow motion"), 640, 360)
    assert refused.value.mend == "Use it for pictures and clips."
    assert engine.compile(LookRequest("slow motion"), 640, 360, "still").name == "slow-motion"


@pytest.mark.full
@pytest.mark.expect_log("damaged.toml cannot be read")
def test_a_damaged_look_of_the_user_s_harms_no_other(tmp_path: Path) -> None:
    overpaint("looks", "add", str(inverting(tmp_path / "dark.onnx")), "--name", "Dark side")
    (looks_dir() / "damaged.toml").write_text("name = ", "utf-8")
    engine = CpuEngine(1, looks_dir=looks_dir())
    assert engine.compile(LookRequest("dark side"), 640, 360).name == "dark-side"


def test_a_net_that_reaches_for_other_files_is_refused(tmp_path: Path) -> None:
    refused = overpaint("looks", "add", str(hostile_nets.external_weights(tmp_path / "net.onnx")))
    assert refused.returncode == 1 and "its weights are in another file" in refused.stderr
    assert not looks_dir().exists() or list(looks_dir().iterdir()) == []


TAKEN_OVER = """
import sys
from pathlib import Path
from overpaint.commands import net_examination

def examine(path, threads, devices):
    {conduct}

net_examination.examine = examine
net_examination.MEMORY_BYTES, net_examination.CPU_S = 700 << 20, 1.0
sys.exit(net_examination.run_examiner())
"""


@pytest.mark.parametrize(
    ("bound", "conduct", "reason"),
    [
        pytest.param(
            *("memory", "return bytearray(900 << 20)", "more memory than is allowed"), marks=pytest.mark.full
        ),
        pytest.param(
            *("cpu time", "while True: pass", "more memory or time than is allowed"), marks=pytest.mark.full
        ),
        ("files", "return Path('{secret}').read_text()", "more memory or time than is allowed, or makes"),
    ],
)
def test_a_net_that_takes_over_its_examiner_gets_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: Bound, conduct: str, reason: str
) -> None:
    if bound not in sandbox.available().enforced:
        pytest.skip(f"this system cannot enforce: {bound}")
    (tmp_path / "secret").write_text("the secret")
    program = TAKEN_OVER.format(conduct=conduct.format(secret=tmp_path / "secret"))
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, "-c", program, *words])
    with pytest.raises(EngineError, match=reason):
        examined(inverting(tmp_path / "net.onnx"), 1)


@pytest.mark.parametrize(
    "said",
    [
        "'[' * 50_000",
        "'x' * 1_000_000",
        'json.dumps({"refused": "\\x1b[2J"})',
        'json.dumps({"form": {"values": [0, 1], "fixed": None, "multiple": float("inf")}})',
    ],
)
def test_an_examiner_that_was_taken_over_is_not_listened_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """Nor waited for, where it does not come to its end."""
    tell = f"answers = sys._getframe(1).f_locals['answers']; answers.write({said}); answers.flush()"
    end = "time.sleep(60)" if "1_000_000" in said else "os._exit(0)"
    program = TAKEN_OVER.format(conduct=f"import json, os, time; {tell}; {end}")
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, "-c", program, *words])
    monkeypatch.setattr(net_examination, "WALL_S", 30.0)
    with pytest.raises(EngineError, match="came to nothing"):
        examined(inverting(tmp_path / "net.onnx"), 1)
