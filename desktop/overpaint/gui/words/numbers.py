"""Numbers, sizes and durations, as the window's locale writes them. Pure functions."""

from __future__ import annotations

from PySide6.QtCore import QLocale


def duration(seconds: int) -> str:
    """A duration in clock format: 0:07, 14:32, 1:02:03."""
    minutes, second = divmod(max(0, seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"


def file_size(count: int) -> str:
    """Bytes in the unit that fits, as the system writes them: 14 MB."""
    return QLocale().formattedDataSize(count, 0, QLocale.DataSizeFormat.DataSizeSIFormat)


def number(value: int) -> str:
    """An integer with the thousands separators of the window's locale."""
    return QLocale().toString(value)


def rate(fps: float) -> str:
    """Frames per second with one decimal of the window's locale, from 100 on without."""
    return QLocale().toString(fps, "f", 0 if fps >= 100 else 1)
