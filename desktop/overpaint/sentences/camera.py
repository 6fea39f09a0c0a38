"""Sentences about the virtual camera and the camera process."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_MAKE = "Make one: {command}"
_SET_UP = "Set it up once: {command}"
_NOT_INSTALLED = "There is no virtual camera on this computer: its driver, v4l2loopback, is not installed."
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
        _NOT_INSTALLED,
        _SET_UP,
        "missing",
    ),
    "virtual_camera_driver_missing_secure_boot": Sentence(
        _NOT_INSTALLED,
        "Secure Boot is on: enrol the driver's key when the installation asks. Set it up once: {command}",
        "missing",
    ),
    "virtual_camera_driver_missing_fusion": Sentence(
        _NOT_INSTALLED,
        "It comes from RPM Fusion, a package source that has to be added first. Set it up once: {command}",
        "missing",
    ),
    "virtual_camera_driver_missing_unknown_system": Sentence(
        _NOT_INSTALLED,
        "Install v4l2loopback by this system's package manager, then load it at each start: {command}",
        "missing",
    ),
    "virtual_camera_driver_not_built": Sentence(
        "There is no virtual camera on this computer: its driver is not built for the running kernel "
        "({kernel}).",
        "Build it: {command}",
        "missing",
    ),
    "virtual_camera_driver_headers_missing": Sentence(
        "There is no virtual camera on this computer: its driver is not built for the running kernel "
        "({kernel}), whose headers are missing.",
        "Install them: {command}",
        "missing",
    ),
    "virtual_camera_driver_not_loaded": Sentence(
        "There is no virtual camera on this computer: its driver is installed, but not loaded.",
        "Load it now and at each start: {command}",
        "missing",
    ),
    "virtual_camera_driver_not_loaded_secure_boot": Sentence(
        "There is no virtual camera on this computer: its driver is installed, but not loaded.",
        "Secure Boot is on, and may refuse it until its key is enrolled. Load it now and at each start: "
        "{command}",
        "missing",
    ),
    "virtual_camera_driver_refused": Sentence(
        "Secure Boot refuses the virtual camera's driver, because its key is not enrolled.",
        "Enrol it with a password of your choice, restart, and confirm it (Enroll MOK) with that password: "
        "{command}",
        "missing",
    ),
    "virtual_camera_restart_needed": Sentence(
        "There is no virtual camera until the computer is restarted: its kernel was updated.",
        "Restart the computer.",
        "missing",
    ),
    "virtual_camera_kernel_takes_no_drivers": Sentence(
        "There can be no virtual camera here: this system loads no drivers (a container, or WSL).",
        "Use the page for OBS, or run Overpaint on the computer itself.",
        "missing",
    ),
    "pipewire_library_missing": Sentence(
        "PipeWire's library is not installed, so Overpaint cannot have a camera in PipeWire.",
        "Install the package of libpipewire-0.3 (on Debian libpipewire-0.3-0, on Fedora pipewire-libs).",
        "missing",
    ),
    "pipewire_not_running": Sentence(
        "PipeWire is not running, so Overpaint cannot have a camera in it.",
        "Start it: systemctl --user start pipewire wireplumber",
        "missing",
    ),
    "pipewire_silent": Sentence(
        "PipeWire does not answer.",
        "Start it again: systemctl --user restart pipewire wireplumber",
        "busy",
    ),
    "pipewire_refused": Sentence(
        "PipeWire refuses Overpaint's camera: {reason}.",
        "Start it again: systemctl --user restart pipewire wireplumber",
        "busy",
    ),
    "pipewire_gone": Sentence(
        "PipeWire has ended, and with it Overpaint's camera.",
        "The camera is back as soon as PipeWire runs again: systemctl --user start pipewire wireplumber",
        "lost",
    ),
    "obs_camera_missing": Sentence(
        "There is no virtual camera on this computer.",
        "Install OBS Studio from obsproject.com, start its virtual camera once, and quit it.",
        "missing",
    ),
    "obs_camera_extension_missing": Sentence(
        "There is no virtual camera on this computer.",
        "Install OBS Studio 30 or later from obsproject.com, press Start Virtual Camera there, allow its "
        "camera extension in System Settings (General, Login Items & Extensions), stop it, and quit OBS.",
        "missing",
    ),
    "obs_camera_extension_off": Sentence(
        "OBS Studio is installed, but its virtual camera has never been started.",
        "Press Start Virtual Camera in OBS, allow its camera extension in System Settings (General, Login "
        "Items & Extensions), stop it, and quit OBS.",
        "missing",
    ),
    "obs_camera_extension_waiting": Sentence(
        "OBS's camera extension waits for you to allow it.",
        "Allow it in System Settings (General, Login Items & Extensions, Camera Extensions), then try again.",
        "denied",
    ),
    "obs_camera_extension_restart_needed": Sentence(
        "OBS's camera extension is replaced at the next start of the computer.",
        "Restart the computer.",
        "missing",
    ),
    "obs_camera_not_in_bundle": Sentence(
        "This package of Overpaint cannot feed OBS's virtual camera.",
        "Use the page for OBS (Settings, Streaming), or an installation by pip with pyvirtualcam.",
        "unsupported",
    ),
    "obs_camera_library_missing": Sentence(
        "On this system the virtual camera needs pyvirtualcam, which is not installed.",
        'Install it: pip install "{requirement}"',
        "unsupported",
    ),
    "obs_camera_busy": Sentence(
        "Another program feeds OBS's virtual camera, or still shows what it was fed last.",
        "Stop the virtual camera in OBS, close programs that show it, then try again.",
        "busy",
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
    "driver_setup_not_allowed": Sentence(
        "An administrator's password could not be asked for, or was refused.",
        "Run it in a terminal: {command}",
        "denied",
    ),
    "driver_setup_packages_busy": Sentence(
        "Another program is installing packages.",
        "Wait until it has finished, then try again.",
        "busy",
    ),
    "driver_setup_offline": Sentence(
        "The driver could not be downloaded: {reason}.",
        "Check the connection to the internet, then try again.",
        "missing",
    ),
    "driver_setup_headers_gone": Sentence(
        "The headers of the running kernel ({kernel}) are not offered any more.",
        "Update the system, restart the computer, then try again.",
        "missing",
    ),
    "driver_setup_package_unknown": Sentence(
        "This system's package sources do not have the driver.",
        "Add the one that does (on Ubuntu: universe), then try again.",
        "missing",
    ),
    "driver_setup_not_built": Sentence(
        "The driver could not be built for the running kernel ({kernel}).",
        "Update the system, restart the computer, then try again.",
        "missing",
    ),
    "driver_setup_in_use": Sentence(
        "The driver cannot be loaded again while a program uses it.",
        "Close the programs that use a camera, then try again.",
        "busy",
    ),
    "driver_setup_failed": Sentence(
        "The driver could not be set up: {reason}.",
        "Run it in a terminal to see everything that is said: {command}",
        "missing",
    ),
}
