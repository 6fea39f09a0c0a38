"""The factory of sources: makes a named source, and lists the available ones."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from overpaint.assets import asset_dir
from overpaint.media.sources import Source, SourceInfo, SourceSpec, Wishes
from overpaint.media.sources.qt_loop import MainThread
from overpaint.portal import is_wayland
from overpaint.portal.cast_grants import CastGrants

DEMO_TITLE = "Demo"


def make_source(spec: SourceSpec, main_thread: MainThread, wishes: Wishes, folder: Path) -> Source:
    """Makes an unstarted source.

    Args:
        spec: The source that the user named.
        main_thread: Qt's thread; Qt is started only when needed.
        wishes: Returns the user's options.
        folder: The data folder, in which what the desktop allowed is kept.

    Raises:
        SourceError: It is missing, as far as can be seen before it is started.
    """
    # Each is imported where it is used: Qt's multimedia takes 0.2 s and 60 MB to load, FFmpeg 0.1 s.
    match spec.kind:
        case "camera":
            from overpaint.media.sources.camera_source import CameraSource

            return CameraSource(spec.index, main_thread, wishes)
        case "screen" | "window" if is_wayland():
            return _cast(spec, main_thread, wishes, CastGrants(folder))
        case "screen":
            from overpaint.media.sources.screen_source import ScreenSource

            return ScreenSource(spec.index, main_thread, spec.region, wishes)
        case "window":
            from overpaint.media.sources.screen_source import WindowSource

            return WindowSource(spec.name, main_thread, wishes)
        case "demo":
            from overpaint.media.sources.file_source import FileSource

            return FileSource(asset_dir("demo") / "demo.mp4", DEMO_TITLE)
        case "file":
            from overpaint.media.sources.file_source import FileSource

            return FileSource(Path(spec.name))
        case "network":
            from overpaint.media.sources.network_source import NetworkSource

            assert spec.address is not None
            return NetworkSource(spec.address)
        case _:
            assert_never(spec.kind)


def _cast(spec: SourceSpec, main_thread: MainThread, wishes: Wishes, grants: CastGrants) -> Source:
    """Makes a source of what only the desktop can show."""
    from overpaint.media.sources.portal_source import PortalSource, portal_window
    from overpaint.media.sources.screen_source import cast_target

    if spec.kind == "window":
        return portal_window(spec.name, grants, wishes, spec.ask_again)
    return PortalSource(
        lambda: main_thread.call(lambda: cast_target(spec.index, spec.region)), grants, wishes, spec.ask_again
    )


def available_sources(main_thread: MainThread, folder: Path) -> list[SourceInfo]:
    """Lists cameras, screens and windows, and the demo.

    Args:
        main_thread: Qt's thread.
        folder: The data folder, in which what the desktop allowed is kept.
    """
    from overpaint.media.sources.camera_source import list_cameras
    from overpaint.media.sources.screen_source import list_screens

    return [
        *list_cameras(main_thread),
        *list_screens(main_thread),
        *_windows(main_thread, CastGrants(folder)),
        SourceInfo("demo", DEMO_TITLE, "demo", "demo"),
    ]


def _windows(main_thread: MainThread, grants: CastGrants) -> tuple[SourceInfo, ...]:
    """Lists windows; on Wayland the one that the user allowed."""
    if is_wayland():
        from overpaint.media.sources.portal_source import remembered_windows

        return remembered_windows(grants)
    from overpaint.media.sources.screen_source import list_windows

    return list_windows(main_thread)
