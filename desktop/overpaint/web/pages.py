"""Shipped web pages: few files, a strict content policy, nothing from other hosts.

Whatever a page runs, shows and calls comes from the server that it came from. Must not know what is
on the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from fastapi import Response
from fastapi.responses import FileResponse

from overpaint.assets import asset_dir
from overpaint.errors import NotFoundError

# Not the system's table: on Windows a registry entry may call a module plain text.
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
    """Some shipped files, each under the one name that a page asks for.

    Args:
        files: Where each lies.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = dict(files)

    def page(self, name: str, connect: Iterable[str] = (), camera: bool = False) -> Response:
        """A page with its policy.

        Args:
            name: Of the page.
            connect: Origins that it may call beside its own.
            camera: Whether it may ask for the camera.
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
            NotFoundError: There is none of that name.
        """
        path = self._files.get(name)
        if path is None:
            raise NotFoundError("path_unknown")
        return FileResponse(path, media_type=_TYPES[path.suffix], headers=_HEADERS)


def shipped(*names: str, icons: Iterable[str] = ()) -> dict[str, Path]:
    """Pages' files and the app's own icons, by their names.

    Args:
        names: Files of ``resources/pages``.
        icons: Files of ``resources/icons``.
    """
    pages, signs = asset_dir("pages"), asset_dir("icons")
    return {name: pages / name for name in names} | {name: signs / name for name in icons}
