"""Overpaint: restyles a webcam or the desktop live and hands the result to other programs as a camera."""

__version__ = "0.1.0"
