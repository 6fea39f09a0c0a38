"""The user wishes for another look or photo in the very moment of a fault: so it is afterwards."""

from __future__ import annotations

import base64

import cv2
import numpy as np

from helpers.faults import ELSEWHERE, HERE, HERE_RTC, Fault
from helpers.network_faults import PARTS
from helpers.on_air import COLOUR_MAX, OnAir
from helpers.processes import until
from overpaint.wire.live import SetReference, SetStyle

TINT = 10
"""So far off grey is a picture that took on the photo's brown; the watermark would stand 90 off."""


def other_look(call: OnAir) -> None:
    call.seen.intend(SetStyle(prompt="black and white, brighter"))


def photo(call: OnAir) -> None:
    brown = np.empty((64, 64, 3), np.uint8)
    brown[:], brown[::2] = (90, 130, 160), (60, 100, 130)
    data = cv2.imencode(".png", brown)[1].tobytes()
    call.seen.intend(SetReference(image_data=base64.b64encode(data).decode()))


def is_brown(call: OnAir) -> None:
    until(lambda: TINT < call.seen.shown[-1].colour < COLOUR_MAX, 20, "the photo's colours")


def look_while_core_is_down(call: OnAir) -> None:
    core = call.core
    call.kill(core)
    other_look(call)
    call.new_core(core)


def photo_while_core_is_down(call: OnAir) -> None:
    core = call.core
    call.kill(core)
    photo(call)
    call.new_core(core)


def look_while_core_is_stopped(call: OnAir) -> None:
    with call.stopped([call.core], 5.0):
        other_look(call)


def look_while_all_is_cut(call: OnAir) -> None:
    with call.fault(), call.net.trouble(*PARTS, cut=True):
        call.pause(1)
        other_look(call)
        call.pause(3)


def photo_while_socket_is_cut(call: OnAir) -> None:
    with call.fault(), call.net.trouble("socket", cut=True):
        photo(call)
        call.pause(2)


def looks_while_socket_is_silent(call: OnAir) -> None:
    with call.fault(), call.net.trouble("socket", silent=True):
        call.seen.intend(SetStyle(prompt="black and white, a little darker"))
        call.pause(1)
        other_look(call)
        call.pause(2)


def both_while_it_joins_again(call: OnAir) -> None:
    """The socket comes back at once, its room a second later: in between, both wishes are changed."""
    with call.fault(), call.net.trouble("http", silent=True):
        call.net.set("socket", cut=True)
        call.net.set("socket", cut=False)
        call.pause(0.5)
        photo(call)
        other_look(call)
        call.pause(1.5)


FAULTS = [
    Fault(
        "core: kill -9, another look meanwhile",
        HERE,
        look_while_core_is_down,
        understood="Black and white, bright",
    ),
    Fault("core: kill -9, a photo meanwhile", HERE_RTC, photo_while_core_is_down, holds=is_brown),
    Fault(
        "core: stopped 5 s, another look meanwhile",
        HERE,
        look_while_core_is_stopped,
        understood="Black and white, bright",
    ),
    Fault(
        "everything cut 3 s, another look meanwhile",
        ELSEWHERE,
        look_while_all_is_cut,
        understood="Black and white, bright",
    ),
    Fault("socket cut 2 s, a photo meanwhile", ELSEWHERE, photo_while_socket_is_cut, holds=is_brown),
    Fault(
        "socket silent 2 s, two looks meanwhile",
        ELSEWHERE,
        looks_while_socket_is_silent,
        understood="Black and white, bright",
    ),
    Fault(
        "socket cut, HTTP silent 2 s, look and photo meanwhile",
        ELSEWHERE,
        both_while_it_joins_again,
        understood="Black and white, bright",
        holds=is_brown,
    ),
]
