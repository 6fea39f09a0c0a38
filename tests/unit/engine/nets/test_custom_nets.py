"""A net that a user brings is recognised and tried, or refused with a reason, and becomes a look."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from helpers.small_nets import Size, inverting, reddening, save_net
from overpaint.engine.canvas import Canvas
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import CLIP, STILL, Detail
from overpaint.engine.interface import LookRequest
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.nets.custom_nets import Examination, ModelForm, examine
from overpaint.engine.passes.paint.custom_net import Model
from overpaint.engine.passes.paint.small_copy import SmallCopy
from overpaint.engine.passes.pass_interface import Stage
from overpaint.errors import EngineError
from overpaint.folders import kernel_dir

ANY: Size = [1, 3, "h", "w"]


def copying(path: Path, **options: object) -> Path:
    return save_net(path, [helper.make_node("Identity", ["img"], ["out"])], **options)  # type: ignore[arg-type]


class TestRecognition:
    def test_a_bounded_net_that_uses_negative_values(self, tmp_path: Path) -> None:
        found = examine(reddening(tmp_path / "red.onnx"))
        assert found.form == ModelForm("nhwc", (0.0, 1.0), 4, None)
        assert found.live and "good for live video" in found.verdict

    def test_a_net_of_255_levels(self, tmp_path: Path) -> None:
        assert examine(reddening(tmp_path / "red.onnx", high=255.0)).form.values == (0.0, 255.0)

    def test_a_net_of_minus_one_to_one(self, tmp_path: Path) -> None:
        nodes = [
            helper.make_node("Mul", ["img", "slope"], ["steep"]),
            helper.make_node("Tanh", ["steep"], ["out"]),
        ]
        path = save_net(tmp_path / "tanh.onnx", nodes, size=ANY, slope=np.float32(1.5))
        assert examine(path).form == ModelForm("nchw", (-1.0, 1.0), 4, None)

    def test_a_net_of_one_size(self, tmp_path: Path) -> None:
        found = examine(copying(tmp_path / "fixed.onnx", size=[1, 3, 144, 256]))
        assert found.form.fixed == (256, 144) and found.rows == 144

    def test_a_net_that_wants_multiples(self, tmp_path: Path) -> None:
        nodes = [
            helper.make_node("SpaceToDepth", ["img"], ["deep"], blocksize=16),
            helper.make_node("DepthToSpace", ["deep"], ["out"], blocksize=16),
        ]
        assert examine(save_net(tmp_path / "blocks.onnx", nodes, size=ANY)).form.multiple == 16

    def test_a_net_that_enlarges(self, tmp_path: Path) -> None:
        nodes = [helper.make_node("Resize", ["img", "", "scales"], ["out"], mode="nearest")]
        scales = np.array([1, 1, 2, 2], np.float32)
        path = save_net(tmp_path / "larger.onnx", nodes, size=ANY, out_size=[1, 3, "h2", "w2"], scales=scales)
        assert examine(path).form.multiple == 4


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "reason"),
        [
            ({"size": ANY, "more_inputs": ("style", "alpha")}, r"takes 3 inputs \(img, style, alpha\)"),
            ({"size": [1, 1, "h", "w"]}, "black-and-white"),
            ({"size": [1, 7, "h", "w"]}, "not three colours"),
            ({"size": [1, 1000]}, "shape 1 × 1000"),
            ({"size": [8, 3, "h", "w"]}, "not that of one picture"),
            ({"size": [1, 3, "h", 256]}, "one side of its picture is fixed"),
        ],
    )
    def test_a_net_that_takes_something_else(
        self, tmp_path: Path, options: dict[str, object], reason: str
    ) -> None:
        with pytest.raises(EngineError, match=reason) as refused:
            examine(copying(tmp_path / "net.onnx", **options))
        assert refused.value.kind == "bad_model" and refused.value.mend

    def test_a_net_that_gives_a_mask(self, tmp_path: Path) -> None:
        nodes = [helper.make_node("ReduceMean", ["img"], ["out"], axes=[1], keepdims=1)]
        path = save_net(tmp_path / "mask.onnx", nodes, size=ANY, out_size=[1, 1, "h", "w"])
        with pytest.raises(EngineError, match="no colour picture"):
            examine(path)

    def test_a_net_that_ignores_its_picture(self, tmp_path: Path) -> None:
        nodes = [helper.make_node("Mul", ["img", "nothing"], ["out"])]
        path = save_net(tmp_path / "flat.onnx", nodes, size=ANY, nothing=np.float32(0))
        with pytest.raises(EngineError, match="nothing to do with the picture"):
            examine(path)

    def test_numbers_that_are_none(self, tmp_path: Path) -> None:
        nodes = [helper.make_node("Div", ["img", "nothing"], ["out"])]
        path = save_net(tmp_path / "infinite.onnx", nodes, size=ANY, nothing=np.float32(0))
        with pytest.raises(EngineError, match="numbers that are none"):
            examine(path)

    def test_words_instead_of_numbers(self, tmp_path: Path) -> None:
        nodes = [helper.make_node("Cast", ["img"], ["out"], to=TensorProto.FLOAT)]
        path = save_net(tmp_path / "ints.onnx", nodes, size=ANY, kind=TensorProto.INT64)
        with pytest.raises(EngineError, match="not numbers of a picture"):
            examine(path)

    def test_a_file_that_is_no_net_or_is_not_there(self, tmp_path: Path) -> None:
        (tmp_path / "cat.onnx").write_bytes(b"\xff\xd8 a jpeg")
        with pytest.raises(EngineError, match="no ONNX file"):
            examine(tmp_path / "cat.onnx")
        with pytest.raises(EngineError, match="cannot be read"):
            examine(tmp_path / "gone.onnx")


def test_a_net_of_the_user_s_paints_the_canvas(tmp_path: Path) -> None:
    found: Examination = examine(inverting(tmp_path / "dark.onnx"))
    canvas = Canvas(640, 360)
    canvas.source[:] = 200
    canvas.source[:, 320:] = 40
    canvas.begin()
    form = found.form
    model = Model(
        Stage(canvas, Bands(1)),
        file=str(tmp_path / "dark.onnx"),
        layout=form.layout,
        values=form.values,
        multiple=form.multiple,
        rows=180,
    )
    model.apply(canvas)
    assert canvas.low[:, :140].max() < 70 and canvas.low[:, 180:].min() > 180, "light became dark"
    assert abs(canvas.u.astype(int) - 128).max() <= 2 and abs(canvas.v.astype(int) - 128).max() <= 2
    for detail in (0.5, 1.5):
        canvas.begin()
        model.set_detail(detail)
        model.apply(canvas)
        assert canvas.low[:, :140].max() < 70, "another size changes nothing but the detail"


def blurring(path: Path) -> Path:
    """A net of 0..1 that averages 13 × 13 pixels and takes what lies outside for black, as many do."""
    weight = np.zeros((3, 3, 13, 13), np.float32)
    for channel in range(3):
        weight[channel, channel] = 1 / 169
    node = helper.make_node("Conv", ["img", "weight"], ["out"], pads=[6, 6, 6, 6])
    return save_net(path, [node], size=ANY, weight=weight)


def own_look(folder: Path, net: Path, rows: int) -> str:
    text = [
        'name = "mine"\ntitle = "Mine"\ndescription = "Mine."\ncaptions = ["mine"]\nkeywords = []\n',
        f'[[passes]]\npass = "model"\nfile = "{net.name}"\nlayout = "nchw"\nvalues = [0.0, 1.0]\n',
        f"multiple = 4\nrows = {rows}\n",
    ]
    (folder / "mine.toml").write_text("".join(text), "utf-8")
    return "mine"


@pytest.mark.parametrize("size", [(640, 360), (362, 642)])
def test_a_net_darkens_no_rim(tmp_path: Path, size: tuple[int, int]) -> None:
    look = own_look(tmp_path, blurring(tmp_path / "blur.onnx"), 180)
    width, height = size
    picture = np.full((height * 3 // 2, width), 150, np.uint8)
    picture[height:] = 128
    engine = CpuEngine(1, kernel_dir(), tmp_path)
    out = engine.compile(LookRequest(look), width, height, "still").apply(picture)
    assert abs(out[:height].astype(int) - 150).max() <= 3


def test_pictures_and_clips_get_more_of_a_slow_net_than_a_stream() -> None:
    canvas, rows = Canvas(1920, 1080), {}
    for detail in (Detail(), CLIP, STILL):
        stage = Stage(canvas, Bands(1), detail=detail.net, rows=detail.rows)
        rows[detail] = SmallCopy(stage, multiple=4, rows=180).size[1]
    assert rows == {Detail(): 180, CLIP: 360, STILL: 540}


@pytest.mark.parametrize("size", [(2400, 1800), (1800, 2400), (6000, 1200), (1200, 8000)])
def test_a_net_takes_no_more_memory_for_a_picture_of_another_shape(size: tuple[int, int]) -> None:
    stage = Stage(Canvas(*size), Bands(1), detail=STILL.net, rows=STILL.rows)
    width, height = SmallCopy(stage, multiple=4, rows=180).size
    assert width * height <= 1.02 * 960 * 540
    assert width / height == pytest.approx(size[0] / size[1], rel=0.02)
