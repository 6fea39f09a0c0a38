"""Sentences about sources: cameras, screens, windows, media files."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_CHOOSE_ONE = "Choose one of these: {choices}."
_CHOOSE_AGAIN = "Choose it again, or another source."
_QUIT_OR_UNPLUG = "Quit other programs that use it, or unplug it and plug it in again."
_USE_A_SMALLER_ONE = "Use a smaller one."
_USE_ANOTHER_FILE = "Use another file."

SENTENCES = {
    "source_unknown": Sentence(
        "There is no file {source}.",
        "Name camera, camera:N, screen, screen:N, window:TITLE, demo, a media file, or the address of a "
        "network camera (rtsp://…, http://…).",
        "missing",
    ),
    "source_is_folder": Sentence("{source} is a folder.", "Name a video or picture file in it."),
    "source_layout_unknown": Sentence(
        "The pictures come in a layout that Overpaint does not read ({layout})."
    ),
    "camera_unknown": Sentence("There is no camera {number} on this computer.", _CHOOSE_ONE, "missing"),
    "camera_missing": Sentence(
        "No camera is connected to this computer.",
        "Connect one, or use the screen or a file as the source.",
        "missing",
    ),
    "camera_denied_linux": Sentence(
        "You may not use the camera.",
        "Join the 'video' group, then log out and in again: sudo usermod -aG video $USER",
        "denied",
    ),
    "camera_denied_macos": Sentence(
        "You may not use the camera.",
        "Allow it in System Settings, Privacy & Security, Camera.",
        "denied",
    ),
    "camera_denied_windows": Sentence(
        "You may not use the camera.",
        "Allow it in Settings, Privacy & security, Camera.",
        "denied",
    ),
    "camera_gives_no_picture": Sentence("{camera} opens but gives no picture.", _QUIT_OR_UNPLUG),
    "camera_silent": Sentence(
        "{camera} gives no pictures any more.", "Unplug it and plug it in again.", "lost"
    ),
    "camera_refused": Sentence("{camera} does not open: {reason}.", _QUIT_OR_UNPLUG),
    "camera_unplugged": Sentence(
        "{camera} was unplugged.", "Plug it in again, or choose another source.", "lost"
    ),
    "camera_busy": Sentence(
        "Another program is using {camera}.",
        "Quit it there (a call, a browser's tab, OBS), then choose the camera again.",
        "busy",
    ),
    "microphone_missing": Sentence(
        "No microphone is connected to this computer.", "Connect one, or record without sound.", "missing"
    ),
    "microphone_unknown": Sentence("There is no microphone called “{microphone}”.", _CHOOSE_ONE, "missing"),
    "microphone_denied": Sentence(
        "Overpaint may not use the microphone.",
        "Allow it in the system's privacy settings, under Microphone.",
        "denied",
    ),
    "microphone_denied_macos": Sentence(
        "Overpaint may not use the microphone.",
        "Allow it in System Settings, Privacy & Security, Microphone, then start Overpaint again.",
        "denied",
    ),
    "microphone_refused": Sentence(
        "{microphone} does not open: another program may hold it.",
        "Quit it there, or choose another.",
        "busy",
    ),
    "microphone_silent": Sentence(
        "{microphone} gives no sound any more.", "Unplug it and plug it in again.", "lost"
    ),
    "microphone_unplugged": Sentence(
        "{microphone} was unplugged.", "Plug it in again, or choose another microphone.", "lost"
    ),
    "sound_server_missing": Sentence(
        "This computer's sound server does not answer.",
        "Start PipeWire or PulseAudio again, or record without sound.",
        "missing",
    ),
    "system_sound_refused": Sentence(
        "What the computer plays cannot be recorded now.",
        "Choose an output in the system's sound settings.",
        "busy",
    ),
    "system_sound_lost": Sentence(
        "What the computer plays is not recorded any more: its output is gone.",
        "Choose an output in the system's sound settings.",
        "lost",
    ),
    "system_sound_windows": Sentence(
        "Overpaint cannot yet record what Windows plays by itself.",
        "Switch “Stereo Mix” on in the system's sound settings, where the sound card has it, and choose it "
        "as the microphone.",
        "missing",
    ),
    "system_sound_macos": Sentence(
        "Overpaint cannot yet record what macOS plays by itself.",
        "Install a sound driver such as BlackHole, and choose it as the microphone.",
        "missing",
    ),
    "system_sound_without_pulse": Sentence(
        "What the computer plays can only be recorded with PipeWire or PulseAudio.",
        "Install libpulse0 (on Fedora pulseaudio-libs), then start Overpaint again.",
        "missing",
    ),
    "network_address_invalid": Sentence(
        "This is not the address of a network camera.",
        "It begins with rtsp://, rtsps://, http:// or https://, then the camera's name or IP address.",
    ),
    "network_camera_unknown": Sentence(
        "There is no {camera} in the network.", "Check the name in the camera's address.", "missing"
    ),
    "network_camera_unreachable": Sentence(
        "{camera} does not answer.",
        "Check that it is on, in the same network, and that the address and port are right.",
        "lost",
    ),
    "network_camera_certificate": Sentence(
        "Nobody vouches for the certificate of {camera}.",
        "Install its certificate on this computer, or name its file in SSL_CERT_FILE. In a network that you "
        "trust wholly, rtsp:// or http:// does, too.",
    ),
    "network_camera_denied": Sentence(
        "{camera} asks for a user name and a password, or refuses these.",
        "Enter those of the camera under “Network camera…”.",
        "denied",
    ),
    "network_camera_not_there": Sentence(
        "{camera} has no video at this address.",
        "Check the part of the address after the name; it is in the camera's manual or app.",
        "missing",
    ),
    "network_camera_refuses": Sentence(
        "{camera} refuses to send its video.",
        "Close other programs that watch it, or restart the camera.",
        "lost",
    ),
    "network_camera_without_video": Sentence(
        "{camera} sends no video that Overpaint can read.",
        "Set it to H.264, H.265 or MJPEG by RTSP over TCP, or to MJPEG by HTTP.",
    ),
    "network_camera_silent": Sentence(
        "{camera} sends no pictures.", "Check the network; it is tried again by itself.", "lost"
    ),
    "network_camera_stalls": Sentence(
        "{camera} sends no new pictures: its last one stands.", "Check the network.", "slow"
    ),
    "network_camera_lost": Sentence(
        "{camera} has ended the connection.", "Check the camera; it is tried again by itself.", "lost"
    ),
    "network_camera_unreadable": Sentence(
        "The pictures of {camera} cannot be decoded.", "Choose another format in the camera's settings."
    ),
    "network_camera_in_use": Sentence(
        "{camera} is in use.", "Choose another source, then forget it under “Network camera…”.", "busy"
    ),
    "network_login_not_deleted": Sentence(
        "{camera} cannot be forgotten: the keyring with its password is missing, locked, or does not answer.",
        "Unlock the keyring, then try again.",
    ),
    "network_login_not_kept": Sentence(
        "The password of {camera} cannot be stored: "
        "this computer's keyring is missing, locked, or does not answer.",
        "Unlock the keyring. Until Overpaint ends, the camera can be used without it.",
    ),
    "display_missing": Sentence(
        "There is no screen to capture here.", "Run Overpaint in a desktop session.", "missing"
    ),
    "display_missing_linux": Sentence(
        "There is no screen to capture here.",
        "Run Overpaint in a desktop session, or on a virtual display: xvfb-run overpaint …",
        "missing",
    ),
    "screen_unknown": Sentence("There is no screen {number} on this computer.", _CHOOSE_ONE, "missing"),
    "screen_disconnected": Sentence(
        "{screen} was disconnected.", "Connect it again, or choose another source.", "lost"
    ),
    "capture_gives_no_picture": Sentence(
        "{source} gives no picture.", "Allow the capture when the system asks for it.", "denied"
    ),
    "screen_denied_macos": Sentence(
        "Overpaint may not record the screen.",
        "Allow it in System Settings, Privacy & Security, Screen & System Audio Recording, then start "
        "Overpaint again.",
        "denied",
    ),
    "capture_gives_no_picture_macos": Sentence(
        "{source} gives no picture.",
        "Allow it in System Settings, Privacy & Security, Screen Recording, and start Overpaint again.",
        "denied",
    ),
    "capture_refused": Sentence("{source} cannot be captured: {reason}.", _CHOOSE_AGAIN),
    "capture_refused_by_system": Sentence("{source} cannot be captured: the system refuses.", _CHOOSE_AGAIN),
    "capture_lost": Sentence("{source} cannot be captured: {reason}.", _CHOOSE_AGAIN, "lost"),
    "capture_lost_to_system": Sentence(
        "{source} cannot be captured: the system refuses.", _CHOOSE_AGAIN, "lost"
    ),
    "capture_not_allowed": Sentence(
        "You have not allowed the capture of {source}.",
        "Choose it again, and allow it in the desktop's dialog.",
        "denied",
    ),
    "capture_ended_by_desktop": Sentence(
        "The desktop has ended the capture of {source}, or its window was closed.", _CHOOSE_AGAIN, "denied"
    ),
    "cast_of_other_screen": Sentence(
        "The desktop's dialog gave another screen than {screen}.",
        "Choose it again, and the same screen in that dialog.",
        "denied",
    ),
    "cast_gives_no_picture": Sentence(
        "{source} gives no picture.",
        "Choose it again; if that does not help, log out and in again, which restarts PipeWire.",
    ),
    "cast_stands_still": Sentence(
        "{source} gives no picture until something changes on it.", "Move a window there."
    ),
    "capture_without_bus": Sentence(
        "The desktop cannot be asked for its screen: this session has no D-Bus.",
        "Start Overpaint from the desktop, not from a bare terminal or as another user.",
        "missing",
    ),
    "capture_portal_missing": Sentence(
        "This desktop has no portal that gives programs its screen.",
        "Install xdg-desktop-portal and its part for your desktop (xdg-desktop-portal-gnome, -kde or -wlr), "
        "then log out and in again.",
        "missing",
    ),
    "capture_of_windows_missing": Sentence(
        "This desktop gives programs whole screens only, no windows.",
        "Use a screen, or a part of one.",
        "missing",
    ),
    "capture_portal_fails": Sentence(
        "The desktop's portal does not give its screen: {reason}.", "Log out and in again."
    ),
    "pipewire_missing": Sentence(
        "PipeWire, which carries the pictures of screens, does not answer.",
        "Install pipewire and libpipewire-0.3-0, then log out and in again.",
        "missing",
    ),
    "window_unknown": Sentence(
        "There is no window called “{window}”.", "Open it, or choose one of these: {choices}.", "missing"
    ),
    "window_unknown_and_no_other": Sentence(
        "There is no window called “{window}”.", "Open it, or capture the screen.", "missing"
    ),
    "window_closed": Sentence("The window “{window}” was closed.", "Open it again.", "lost"),
    "window_minimised": Sentence(
        "The window “{window}” is minimised: its last picture stands.", "Open it again."
    ),
    "window_covered": Sentence(
        "The window “{window}” is covered, or partly outside the screen: there is no new picture of it.",
        "Bring it to the front, or turn on your desktop's compositor.",
    ),
    "played_file_missing": Sentence("There is no file {path}.", "Check the path.", "missing"),
    "played_file_denied": Sentence("{file} may not be read.", "Change its rights.", "denied"),
    "played_file_takes_memory": Sentence(
        "{file} takes more memory to play than is allowed.", _USE_A_SMALLER_ONE
    ),
    "played_file_too_large": Sentence("{file} is too large to be played.", _USE_A_SMALLER_ONE),
    "played_file_slow_to_open": Sentence("{file} takes too long to open.", _USE_ANOTHER_FILE),
    "played_file_disk_slow": Sentence(
        "The disk is too slow for {file}: its last picture stands.",
        "Wait, or copy the file to another disk.",
        "slow",
    ),
    "played_file_crashes_decoder": Sentence(
        "{file} cannot be played: its decoder crashes.", _USE_ANOTHER_FILE
    ),
    "played_file_unreadable": Sentence(
        "{file} is not a video or picture that Overpaint can read.",
        "Use a video (MP4, MOV, MKV, WebM, AVI) or a picture (JPEG, PNG, WebP).",
    ),
    "player_does_not_start": Sentence(
        "No process can be started to play {file}: {reason}.",
        "Close other programs, then choose it again.",
        "lost",
    ),
    "player_stopped": Sentence("It was stopped."),
}
