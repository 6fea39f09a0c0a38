"""The factory of sources: makes the one that was named, and lists those that are there."""

from __future__ import annotations

from pathlib import Path

from overpaint.assets import asset_dir
from overpaint.media.sources import Source, SourceInfo, SourceSpec, Wishes
from overpaint.media.sources.qt_loop import MainThread

DEMO_TITLE = "Demo"


def make_source(spec: SourceSpec, main_thread: MainThread, wishes: Wishes) -> Source:
    """Makes a source that is not started yet.

    Args:
        spec: What the user named.
        main_thread: Where Qt's capture classes run; started only when one of them is needed.
        wishes: How the user wants it to be run.

    Raises:
        SourceError: It is missing, as far as that can be seen before it is started.
    """
    # Qt's multimedia takes 0.2 s and 60 MB to load: only for those who capture with it.
    if spec.kind == "camera":
        from overpaint.media.sources.camera_source import CameraSource

        return CameraSource(spec.index, main_thread, wishes)
    if spec.kind == "screen":
        from overpaint.media.sources.screen_source import ScreenSource

        return ScreenSource(spec.index, main_thread, spec.region, wishes)
    if spec.kind == "window":
        from overpaint.media.sources.screen_source import WindowSource

        return WindowSource(spec.name, main_thread, wishes)
    # FFmpeg takes 0.1 s: most people have a camera.
    from overpaint.media.sources.file_source import FileSource

    if spec.kind == "demo":
        return FileSource(asset_dir("demo") / "demo.mp4", DEMO_TITLE)
    return FileSource(Path(spec.name))


def available_sources(main_thread: MainThread) -> list[SourceInfo]:
    """Every camera, screen and window that is there now, and the demo."""
    from overpaint.media.sources.camera_source import list_cameras
    from overpaint.media.sources.screen_source import list_screens, list_windows

    return [
        *list_cameras(main_thread),
        *list_screens(main_thread),
        *dict.fromkeys(list_windows(main_thread)),  # two of one title cannot be told apart
        SourceInfo("demo", DEMO_TITLE, "demo", "demo"),
    ]
