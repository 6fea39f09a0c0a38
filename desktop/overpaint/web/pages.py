"""Shipped web pages with a strict content security policy: same origin only. Must not know their content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from fastapi import Response
from fastapi.responses import FileResponse

from overpaint.assets import asset_dir
from overpaint.errors import NotFoundError

# Not ``mimetypes``: on Windows a registry entry may give JavaScript the type text/plain.
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; "
    "connect-src {connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class Pages:
    """A set of shipped files, by name.

    Args:
        files: Path of each file.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = dict(files)

    def page(self, name: str, connect: Iterable[str] = (), camera: bool = False) -> Response:
        """A page with its content security policy.

        Args:
            name: Name of the page.
            connect: Origins that it may connect to besides its own.
            camera: Whether it may use the camera.
        """
        answer = self.file(name)
        answer.headers["Content-Security-Policy"] = _POLICY.format(connect=" ".join(["'self'", *connect]))
        allowed = "(self)" if camera else "()"
        answer.headers["Permissions-Policy"] = f"camera={allowed}, microphone=(), geolocation=()"
        answer.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return answer

    def file(self, name: str) -> Response:
        """One file.

        Raises:
            NotFoundError: There is no file with this name.
        """
        path = self._files.get(name)
        if path is None:
            raise NotFoundError("path_unknown")
        return FileResponse(path, media_type=_TYPES[path.suffix], headers=_HEADERS)


def shipped(*names: str, icons: Iterable[str] = ()) -> dict[str, Path]:
    """The paths of pages' files and of icons, by name.

    Args:
        names: Files of ``resources/pages``.
        icons: Files of ``resources/icons``.
    """
    pages, signs = asset_dir("pages"), asset_dir("icons")
    return {name: pages / name for name in names} | {name: signs / name for name in icons}
