"""Restyled pictures in the form that the user chose: another format, no larger than wished."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from helpers.clips import portrait
from overpaint.errors import MediaError
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.media.opener.picture_conversion import PictureForm, convert

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def decoder() -> Iterator[PictureDecoder]:
    with PictureDecoder() as made:
        yield made


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_file()]


def picture(path: Path, format: str, alpha: bool = False) -> Path:
    image = Image.fromarray(np.ascontiguousarray(portrait(400, 300)[..., ::-1]))
    if alpha:
        image.putalpha(Image.fromarray(np.tile(np.arange(400) % 256, (300, 1)).astype(np.uint8), "L"))
    image.save(path, format)
    return path


@pytest.mark.parametrize(
    ("format", "sent", "said", "suffix"),
    [
        ("keep", "image/jpeg", "image/jpeg", "JPEG"),
        ("keep", "image/avif", "image/png", "PNG"),
        ("png", "image/jpeg", "image/png", "PNG"),
        ("jpeg", "image/png", "image/jpeg", "JPEG"),
        ("webp", "image/png", "image/webp", "WEBP"),
    ],
)
def test_a_picture_is_shrunk_and_gets_the_chosen_format(
    tmp_path: Path, decoder: PictureDecoder, format, sent: str, said: str, suffix: str
) -> None:
    source = picture(tmp_path / "sent", {"image/jpeg": "JPEG"}.get(sent, "PNG"))
    form = PictureForm(format, 200)
    assert form.converts(sent) and form.content_type(sent) == said
    convert(decoder, source, sent, tmp_path / "out", form)
    with Image.open(tmp_path / "out") as made:
        assert (made.format, made.size) == (suffix, (200, 150)) and "icc_profile" in made.info
        here = np.asarray(made.convert("RGB")).astype(int)
    plain = np.asarray(Image.fromarray(portrait(400, 300)[..., ::-1]).resize((200, 150))).astype(int)
    assert np.abs(here - plain).mean() < 6, "the same picture, its colours in their order"
    assert files(tmp_path) == ["out"]


def test_what_is_small_enough_is_not_encoded_again(tmp_path: Path, decoder: PictureDecoder) -> None:
    source = picture(tmp_path / "sent", "JPEG")
    before = source.read_bytes()
    convert(decoder, source, "image/jpeg", tmp_path / "out", PictureForm("keep", 1920))
    assert (tmp_path / "out").read_bytes() == before and not source.exists()
    assert not PictureForm().converts("image/png") and not PictureForm("png").converts("image/png")


@pytest.mark.parametrize("format", ["png", "webp", "jpeg"])
def test_transparency_stays_where_the_format_has_it_and_is_white_elsewhere(
    tmp_path: Path, decoder: PictureDecoder, format
) -> None:
    source = picture(tmp_path / "sent", "PNG", alpha=True)
    convert(decoder, source, "image/png", tmp_path / "out", PictureForm(format, 399))
    with Image.open(tmp_path / "out") as made:
        assert made.mode == ("RGB" if format == "jpeg" else "RGBA")
        edge = made.getpixel((1, 100))
    assert isinstance(edge, tuple)
    assert min(edge[:3]) > 240 if format == "jpeg" else edge[3] < 12


def test_a_clip_is_never_converted() -> None:
    form = PictureForm("webp", 1280)
    assert not form.converts("video/mp4") and form.content_type("video/mp4") == "video/mp4"


def test_what_is_no_picture_is_refused_and_leaves_nothing(tmp_path: Path, decoder: PictureDecoder) -> None:
    (tmp_path / "sent").write_text("no picture")
    with pytest.raises(MediaError):
        convert(decoder, tmp_path / "sent", "image/png", tmp_path / "out", PictureForm("webp"))
    assert files(tmp_path) == ["sent"]
