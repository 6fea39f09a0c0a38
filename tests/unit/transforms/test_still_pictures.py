"""Pictures of every kind go in; upright sRGB ones of the same size, without secrets, come out."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from helpers.clips import portrait
from helpers.plain_engine import PlainEngine
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.errors import InvalidRequestError
from overpaint.folders import kernel_dir
from overpaint.media.opener.recognition import recognise
from overpaint.transforms import clip_transform, picture_transform
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES

Pixels = NDArray[np.uint8]


def person(width: int = 160, height: int = 120) -> Image.Image:
    return Image.fromarray(np.ascontiguousarray(portrait(width, height)[..., ::-1]))


def saved(image: Image.Image, form: str, **options: object) -> bytes:
    target = io.BytesIO()
    image.save(target, form, **options)
    return target.getvalue()


def through(folder: Path, content: bytes) -> Image.Image:
    """What becomes of a file under a look that changes nothing."""
    source = folder / "input.bin"
    source.write_bytes(content)
    made = picture_transform.transform(source, LookRequest("x"), folder / "out", PlainEngine("still"))
    image = Image.open(made.path)
    image.load()
    assert made.content_type == Image.MIME[str(image.format)]
    return image


def near(image: Image.Image, expected: Image.Image, within: float) -> None:
    """Mean difference of the channels, of 255."""
    ours, theirs = (np.asarray(one.convert("RGB"), np.float32) for one in (image, expected))
    assert ours.shape == theirs.shape
    assert float(np.abs(ours - theirs).mean()) < within


def heic(image: Image.Image) -> bytes:
    import pillow_heif

    target = io.BytesIO()
    pillow_heif.from_pillow(image).save(target, quality=90)
    return target.getvalue()


@pytest.mark.parametrize(
    ("make", "media", "output"),
    [
        (lambda image: saved(image, "PNG"), "image/png", "PNG"),
        (lambda image: saved(image, "JPEG", quality=95), "image/jpeg", "JPEG"),
        (lambda image: saved(image, "WEBP", quality=95), "image/webp", "JPEG"),
        (lambda image: saved(image, "WEBP", lossless=True), "image/webp", "PNG"),
        (lambda image: saved(image, "AVIF", quality=95), "image/avif", "JPEG"),
        (heic, "image/heic", "JPEG"),
        (lambda image: saved(image.quantize(256), "GIF"), "image/gif", "PNG"),
        (lambda image: saved(image, "TIFF"), "image/tiff", "PNG"),
        (lambda image: saved(image, "BMP"), "image/bmp", "PNG"),
    ],
)
def test_every_format_is_taken_in(
    tmp_path: Path, make: Callable[[Image.Image], bytes], media: str, output: str
) -> None:
    content = make(person())
    format_ = recognise(content[:4096])
    assert format_ is not None and format_.content_type == media
    image = through(tmp_path, content)
    assert image.format == output
    near(image, person(), 8)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_comes_out_as_its_camera_was_held(tmp_path: Path, orientation: int) -> None:
    from PIL import ImageOps

    original = person(96, 80)
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = saved(original, "JPEG", quality=95, exif=exif)
    upright = ImageOps.exif_transpose(Image.open(io.BytesIO(content)))
    source = tmp_path / "input.bin"
    image = through(tmp_path, content)
    assert (image.width, image.height) == ((80, 96) if orientation > 4 else (96, 80))
    assert picture_transform.inspect(source).width == image.width
    near(image, upright, 6)
    assert 0x0112 not in image.getexif()


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (63, 65), (101, 77), (64, 64)])
def test_odd_and_small_pictures_keep_their_size(tmp_path: Path, size: tuple[int, int]) -> None:
    image = through(tmp_path, saved(person(*size), "PNG"))
    assert image.size == size
    near(image, person(*size), 14)


def test_transparency_is_kept_to_the_bit(tmp_path: Path) -> None:
    picture = person(120, 90).convert("RGBA")
    alpha = np.tile(np.linspace(0, 255, 120).astype(np.uint8), (90, 1))
    picture.putalpha(Image.fromarray(alpha))
    image = through(tmp_path, saved(picture, "PNG"))
    assert image.mode == "RGBA"
    assert np.array_equal(np.asarray(image)[..., 3], alpha)


def test_what_lies_under_transparency_leaves_no_trace(tmp_path: Path) -> None:
    """The same visible picture over black and over noise gives the same result."""
    source = tmp_path / "input"
    engine = CpuEngine(1, kernel_dir())
    alpha = np.zeros((160, 160), np.uint8)
    alpha[40:120, 40:120] = 255
    results = []
    for under in (np.zeros((160, 160, 3), np.uint8), np.random.default_rng(5).bytes(160 * 160 * 3)):
        pixels = np.frombuffer(bytes(under), np.uint8).reshape(160, 160, 3).copy()
        pixels[40:120, 40:120] = np.asarray(person(160, 160))[40:120, 40:120]
        source.write_bytes(saved(Image.fromarray(np.dstack([pixels, alpha])), "PNG"))
        made = picture_transform.transform(source, LookRequest("pencil sketch"), tmp_path / "out", engine)
        results.append(np.asarray(Image.open(made.path)))
    assert np.array_equal(results[0], results[1])


@pytest.mark.parametrize("mode", ["P", "1", "L", "LA"])
def test_few_colours_and_greys_are_pictures_too(tmp_path: Path, mode: str) -> None:
    picture = person().convert(mode)
    image = through(tmp_path, saved(picture, "PNG"))
    near(image, picture, 14)  # a dithered palette loses what I420 has of colour at half size
    assert (image.mode == "RGBA") == (mode == "LA" and np.asarray(picture)[..., 1].min() < 255)


def test_a_transparent_colour_of_a_palette_is_transparency(tmp_path: Path) -> None:
    picture = person().quantize(16)
    image = through(tmp_path, saved(picture, "PNG", transparency=3))
    assert np.array_equal(np.asarray(image)[..., 3] == 0, np.asarray(picture) == 3)


def test_sixteen_bits_are_scaled_and_not_clipped(tmp_path: Path) -> None:
    grey = person().convert("L")
    deep = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    for form in ("PNG", "TIFF"):
        near(through(tmp_path, saved(deep, form)), grey, 3)


def test_sixteen_bits_of_colour_are_read(tmp_path: Path) -> None:
    import cv2

    deep = np.asarray(portrait(160, 120)).astype(np.uint16) * 257
    for suffix in (".png", ".tiff"):
        done, content = cv2.imencode(suffix, deep)
        assert done
        if suffix == ".png":
            near(through(tmp_path, content.tobytes()), person(), 6)


def test_inks_become_light(tmp_path: Path) -> None:
    """CMYK, as Adobe writes it (inverted) and as TIFF has it."""
    inks = person().convert("CMYK")
    near(through(tmp_path, saved(inks, "JPEG", quality=95)), inks, 8)
    near(through(tmp_path, saved(inks, "TIFF")), inks, 8)


def test_a_profile_of_other_colours_is_obeyed(tmp_path: Path) -> None:
    """A photograph whose red and green are exchanged, with a profile that says so, looks as it should."""
    swapped = _swapped_profile()
    picture = person()
    red, green, blue = picture.split()
    image = through(tmp_path, saved(Image.merge("RGB", (green, red, blue)), "PNG", icc_profile=swapped))
    near(image, picture, 8)
    embedded = image.info["icc_profile"]
    assert "sRGB" in ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(embedded)))


def test_a_broken_profile_is_left_out(tmp_path: Path) -> None:
    near(through(tmp_path, saved(person(), "PNG", icc_profile=b"no profile" * 20)), person(), 6)


def test_places_and_cameras_are_not_handed_on(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (52.0, 31.0, 12.0)
    content = saved(person(), "JPEG", exif=exif, comment=b"SecretComment")
    assert b"SecretCamera" in content
    image = through(tmp_path, content)
    written = (tmp_path / "out").read_bytes()
    assert b"Secret" not in written and not image.getexif() and "comment" not in image.info


def test_the_first_picture_of_an_animation_is_taken(tmp_path: Path) -> None:
    second = Image.new("RGB", (160, 120), "red")
    content = saved(person(), "WEBP", save_all=True, append_images=[second], lossless=True)
    near(through(tmp_path, content), person(), 6)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "AVIF", "TIFF", "GIF", "BMP"])
def test_a_truncated_picture_is_refused(tmp_path: Path, form: str) -> None:
    content = saved(person(640, 480), form)
    (tmp_path / "input").write_bytes(content[: len(content) * 2 // 3])
    with pytest.raises(InvalidRequestError, match="damaged"):
        picture_transform.inspect(tmp_path / "input")


def test_a_bomb_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    content = bytearray(saved(person(), "PNG"))
    content[16:24] = struct.pack(">II", 60_000, 60_000)
    import zlib

    content[29:33] = struct.pack(">I", zlib.crc32(bytes(content[12:29])))
    (tmp_path / "input").write_bytes(content)
    with pytest.raises(InvalidRequestError, match=r"60000 × 60000.*64 megapixels"):
        picture_transform.inspect(tmp_path / "input")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n",
        b"ffconcat version 1.0\nfile '/etc/passwd'\n",
        b"plain text, which FFmpeg would paint as ANSI art",
        b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom",
    ],
)
def test_what_names_other_files_or_is_no_media_is_not_recognised(tmp_path: Path, content: bytes) -> None:
    assert recognise(content) is None
    (tmp_path / "input.png").write_bytes(content)
    with pytest.raises(InvalidRequestError, match="not a picture"):
        picture_transform.inspect(tmp_path / "input.png")
    with pytest.raises(InvalidRequestError, match="not a video"):
        clip_transform.inspect(tmp_path / "input.png")


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    source = tmp_path / "input"
    source.write_bytes(saved(person(), "PNG"))
    with source.open("r+b") as file:
        file.truncate(32 * 1024 * 1024 + 1)
    with pytest.raises(InvalidRequestError, match="32 MB is the limit"):
        picture_transform.inspect(source)


def test_a_photo_becomes_a_plain_array(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    (tmp_path / "photo").write_bytes(saved(person(3000, 600), "JPEG", exif=exif))
    path = picture_transform.photo(tmp_path / "photo", tmp_path / "photo.npy")
    array = np.load(path, allow_pickle=False)
    assert (array.dtype, array.shape) == (np.uint8, (2048, 410, 3))


def test_a_photo_of_more_than_8_mb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo").write_bytes(saved(person(), "PNG").ljust(REFERENCE_MAX_BYTES + 1, b"\0"))
    with pytest.raises(InvalidRequestError, match="8 MB"):
        picture_transform.photo(tmp_path / "photo", tmp_path / "photo.npy")


def test_a_target_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(saved(person(), "PNG"))
    with pytest.raises(OSError):
        picture_transform.transform(
            tmp_path / "input", LookRequest("x"), tmp_path / "none" / "out", PlainEngine("still")
        )
    assert not (tmp_path / "none").exists()


def _swapped_profile() -> bytes:
    """sRGB with its red and green primaries exchanged: tags rXYZ and gXYZ trade names (ICC.1 9.2)."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    table = {b"rXYZ": b"gXYZ", b"gXYZ": b"rXYZ"}
    content = bytearray(profile)
    for index in range(int.from_bytes(content[128:132], "big")):
        at = 132 + index * 12
        content[at : at + 4] = table.get(bytes(content[at : at + 4]), bytes(content[at : at + 4]))
    return bytes(content)
