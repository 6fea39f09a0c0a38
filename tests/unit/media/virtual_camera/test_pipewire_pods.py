"""What the camera tells PipeWire is, byte for byte, what PipeWire's own library writes.

The bytes were written by libspa 0.2 (``spa_pod_builder``, PipeWire 0.3.65).
"""

from __future__ import annotations

import ctypes
import sys

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.media import pictures
from overpaint.media.virtual_camera.pipewire import client_library as library
from overpaint.media.virtual_camera.pipewire import layouts, pods
from overpaint.media.virtual_camera.pipewire.layouts import Layout

pytestmark = pytest.mark.skipif(sys.byteorder != "little", reason="the bytes are those of a PC")

NV12_OFFER = (
    "a00000000f00000003000400030000000100000000000000040000000300000002000000000000000200000000000000"
    "040000000300000001000000000000000100020000000000040000000300000017000000000000000300020000000000"
    "080000000a0000008007000038040000040002000000000028000000130000000100000000000000080000000b000000"
    "1e0000000100000001000000010000003c00000001000000"
)
YUY2_BUFFERS = (
    "980000000f000000040004000500000001000000000000001c0000001300000001000000000000000400000004000000"
    "040000000200000008000000000000000200000000000000040000000400000001000000000000000300000000000000"
    "040000000400000000201c000000000004000000000000000400000004000000000a0000000000000600000000000000"
    "04000000040000000400000000000000"
)
HEADER_META = (
    "380000000f00000005000400060000000100000000000000040000000300000001000000000000000200000000000000"
    "04000000040000002000000000000000"
)
YUY2_AGREED = (
    "b80000000f00000003000400040000000100000000000000040000000300000002000000000000000200000000000000"
    "040000000300000001000000000000000100020000000000040000000300000004000000000000000300020000000000"
    "080000000a00000000050000d00200000400020000000000080000000b0000003c000000010000000500020000000000"
    "28000000130000000100000000000000080000000b0000003c0000000100000001000000010000003c00000001000000"
)


def test_an_offer_is_what_libspa_writes() -> None:
    offers = layouts.offers(1920, 1080)
    assert offers[1].hex() == NV12_OFFER
    agreed = [layouts.agreed(offer) for offer in offers]
    assert agreed == [
        Layout(name, width, height, 30.0)
        for width, height in ((1920, 1080), (1280, 720))
        for name in ("I420", "NV12", "YUY2")
    ]


def test_buffers_and_their_header_are_what_libspa_writes() -> None:
    buffers, meta = layouts.buffers(Layout("YUY2", 1280, 720, 30), ctypes.sizeof(library.MetaHeader))
    assert (buffers.hex(), meta.hex()) == (YUY2_BUFFERS, HEADER_META)


def test_what_was_agreed_is_read_with_properties_that_we_do_not_know() -> None:
    assert layouts.agreed(bytes.fromhex(YUY2_AGREED)) == Layout("YUY2", 1280, 720, 60.0)


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (1440, 1080)])
def test_a_smaller_size_is_offered_only_in_the_same_shape(size: tuple[int, int]) -> None:
    sizes = {(each.width, each.height) for offer in layouts.offers(*size) if (each := layouts.agreed(offer))}
    assert sizes == {size}


@given(st.integers(0, len(NV12_OFFER) // 2 - 1))
def test_a_pod_that_is_cut_off_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="object"):
        pods.read_item(bytes.fromhex(NV12_OFFER)[:length])


@given(st.binary(max_size=200))
def test_no_bytes_whatsoever_break_the_reader(data: bytes) -> None:
    try:
        layouts.agreed(data)
    except ValueError as error:
        assert "object" in str(error)


def test_a_layout_that_was_not_offered_is_none() -> None:
    rgb = pods.item(0x40003, 4, {0x20001: pods.identifier(15), 0x20003: pods.rectangle(1920, 1080)})
    assert layouts.agreed(rgb) is None


def test_structures_have_the_sizes_of_the_c_headers() -> None:
    kinds = (library.MetaHeader, library.Data, library.Chunk, library.SpaBuffer, library.Meta)
    assert [ctypes.sizeof(kind) for kind in kinds] == [32, 40, 16, 24, 16]


@pytest.mark.parametrize(
    ("name", "back"), [("NV12", cv2.COLOR_YUV2BGR_NV12), ("YUY2", cv2.COLOR_YUV2BGR_YUY2)]
)
@pytest.mark.parametrize("size", [(64, 36), (128, 72)])
def test_every_layout_shows_the_same_picture(
    name: layouts.LayoutName, back: int, size: tuple[int, int]
) -> None:
    gradient = np.indices((72, 128)).sum(axis=0).astype(np.uint8)
    bgr = np.dstack([gradient, 255 - gradient, np.full_like(gradient, 90)])
    image = pictures.from_bgr(bgr)
    layout = Layout(name, *size, 30)
    out = np.zeros(layout.size, np.uint8)
    layout.write(image, out)
    shape = (size[1], size[0], 2) if name == "YUY2" else (size[1] * 3 // 2, size[0])
    shown = cv2.cvtColor(out.reshape(shape), back)
    expected = pictures.to_bgr(pictures.resize(image, *size))
    assert np.abs(shown.astype(int) - expected).max() <= 2


def test_i420_arrives_byte_for_byte() -> None:
    image = np.random.default_rng(0).integers(0, 256, (54, 64), np.uint8)
    layout = Layout("I420", 64, 36, 30)
    out = np.zeros(layout.size, np.uint8)
    layout.write(image, out)
    assert np.array_equal(out, image.reshape(-1))
