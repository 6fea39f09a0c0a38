"""Sentences about the virtual camera and the camera process."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_MAKE = "Make one: {command}"
_SET_UP = "Set it up once: {command}"
_SET_UP_SIGNED = (
    "Secure Boot is on: enrol the driver's key when the installation asks. Set it up once: {command}"
)
_QUIT = "Quit that program (sudo fuser -v {node} names it), then try again."

SENTENCES = {
    "virtual_camera_missing": Sentence(
        "There is no virtual camera on this computer.",
        _MAKE,
        "missing",
    ),
    "virtual_camera_name_unknown": Sentence(
        "There is no virtual camera called {camera} on this computer.",
        _MAKE,
        "missing",
    ),
    "virtual_camera_driver_missing": Sentence(
        "There is no virtual camera on this computer, because the v4l2loopback driver is not loaded.",
        _SET_UP,
        "missing",
    ),
    "virtual_camera_driver_missing_secure_boot": Sentence(
        "There is no virtual camera on this computer, because the v4l2loopback driver is not loaded.",
        _SET_UP_SIGNED,
        "missing",
    ),
    "virtual_camera_name_driver_missing": Sentence(
        "There is no virtual camera called {camera} on this computer, because the v4l2loopback driver is not"
        " loaded.",
        _SET_UP,
        "missing",
    ),
    "virtual_camera_name_driver_missing_secure_boot": Sentence(
        "There is no virtual camera called {camera} on this computer, because the v4l2loopback driver is not"
        " loaded.",
        _SET_UP_SIGNED,
        "missing",
    ),
    "obs_camera_missing": Sentence(
        "There is no virtual camera on this computer.",
        "Install OBS Studio from obsproject.com, start its virtual camera once, and quit it.",
        "missing",
    ),
    "obs_camera_library_missing": Sentence(
        "On this system the virtual camera needs pyvirtualcam, which is not installed.",
        'Install it: pip install "{requirement}". Or use --output with a file\'s name.',
        "unsupported",
    ),
    "obs_camera_refused": Sentence(
        "The virtual camera cannot be opened: {reason}.",
        "Stop the virtual camera in OBS and quit other programs that feed it, then try again.",
        "busy",
    ),
    "virtual_camera_busy": Sentence(
        "Another program is using the virtual camera {camera}.",
        _QUIT,
        "busy",
    ),
    "virtual_camera_busy_at_size": Sentence(
        "Another program is using the virtual camera {camera} with {width}×{height} pixels.",
        _QUIT,
        "busy",
    ),
    "virtual_camera_denied": Sentence(
        "You may not use the virtual camera {camera}.",
        "Join the 'video' group, then log out and in again: sudo usermod -aG video $USER",
        "denied",
    ),
    "virtual_camera_stuck": Sentence(
        "The virtual camera {camera} does not open again ({reason}).",
        "Load its driver again: {command}",
        "busy",
    ),
    "virtual_camera_refused": Sentence(
        "The virtual camera {camera} cannot be opened: {reason}.",
        "Quit the program that uses it (sudo fuser -v {node} names it), then try again.",
        "busy",
    ),
    "virtual_camera_gone": Sentence(
        "The virtual camera {camera} is gone: pictures no longer reach it.",
        "Load it again: {command}",
    ),
    "virtual_camera_size_odd": Sentence(
        "A virtual camera of {width}×{height} pixels is not possible.",
        "Choose an even width and height.",
        "unsupported",
    ),
    "virtual_camera_other_size": Sentence(
        "The virtual camera is open for {width}×{height} pixels, not for {frame_width}×{frame_height}.",
        kind="unsupported",
    ),
    "virtual_camera_not_open": Sentence("The virtual camera is not open."),
    "virtual_camera_fed_already": Sentence("Overpaint feeds the camera already.", kind="busy"),
    "camera_holder_not_open": Sentence("The camera is not open."),
    "camera_holder_does_not_start": Sentence("The process that holds the camera does not start."),
    "camera_holder_does_not_stay": Sentence("The process that holds the camera does not stay."),
    "camera_holder_silent": Sentence("The process that holds the camera does not answer."),
    "camera_holder_of_another_version": Sentence(
        "The process that holds the camera speaks another language."
    ),
    "camera_writer_of_another_version": Sentence("The live process speaks another version of Overpaint."),
    "virtual_camera_failed": Sentence("The virtual camera has failed.", "Overpaint tries again by itself."),
    "virtual_camera_shows_another": Sentence(
        "What Overpaint writes to {camera} does not come out of it.",
        "Close the programs that use that camera, then check again.",
    ),
}
