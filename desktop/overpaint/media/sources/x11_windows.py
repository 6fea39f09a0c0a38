"""Windows of an X11 display: found by title, and checked for being covered.

Without a compositor (EWMH, ``_NET_WM_CM_S0``) a window has no picture of its own: a captured covered part is
black, or shows what covers it. Sources: Xlib, "VisibilityNotify Events"; ICCCM and EWMH. Must not know Qt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

Visibility = Literal["whole", "covered", "minimised"]

_DEPTH = 4
"""Depth of the search: window managers wrap a window in one or two frames."""


def chain_of(display: Any, title: str) -> list[Any]:
    """Finds a window by title; returns it with its frames, the outermost first; empty where there is none.

    Raises:
        Xlib.error.XError: A window vanished meanwhile.
    """
    root = display.screen().root
    return next((chain for chain in _chains([root]) if _title(display, chain[-1]) == title), [])


class X11Visibility:
    """The visibility of one window, read over its own X11 connection.

    Args:
        title: Title of the window.

    Raises:
        OSError: There is no X server, or no such window.
    """

    def __init__(self, title: str) -> None:
        from Xlib import X, error
        from Xlib.display import Display

        self._gone = (error.XError, error.ConnectionClosedError, error.DisplayError)
        try:
            self._display: Any = Display()
        except self._gone as failure:
            raise OSError("no X display") from failure
        try:
            chain = chain_of(self._display, title)
            if not chain:
                raise OSError("no such window")
            self._window: Any = chain[-1]
            self._window.change_attributes(event_mask=X.VisibilityChangeMask)
            self._manager = self._display.intern_atom(f"_NET_WM_CM_S{self._display.get_default_screen()}")
            self._whole = not self._overlapped(chain)
        except (*self._gone, OSError) as failure:
            self.close()
            raise OSError("no such window") from failure

    def look(self) -> Visibility:
        """Returns its present visibility, not older than the call, since the server answers in between."""
        from Xlib import X

        try:
            viewable = self._window.get_attributes().map_state == X.IsViewable
            composed = self._display.get_selection_owner(self._manager) != X.NONE
            while self._display.pending_events():
                event = self._display.next_event()
                if event.type == X.VisibilityNotify:
                    self._whole = event.state == X.VisibilityUnobscured
        except self._gone:
            return "whole"  # it was closed, which its capture reports
        if not viewable:
            return "minimised"
        return "whole" if composed or self._whole else "covered"

    def close(self) -> None:
        """Ends the connection; idempotent."""
        try:
            self._display.close()
        except self._gone:
            pass

    def _overlapped(self, chain: list[Any]) -> bool:
        """Returns whether another window covers it now, or a part of it is outside the screen.

        Needed once, since events report only changes.
        """
        root = self._display.screen().root
        own = self._place(self._window)
        screen = self._place(root)
        if own[0] < 0 or own[1] < 0 or own[2] > screen[2] or own[3] > screen[3]:
            return True
        stacked = root.query_tree().children  # from the bottom to the top
        above = stacked[[each.id for each in stacked].index(chain[0].id) + 1 :]
        return any(self._covers(each, own) for each in above)

    def _covers(self, other: Any, place: tuple[int, int, int, int]) -> bool:
        from Xlib import X

        try:
            attributes = other.get_attributes()
            if attributes.map_state != X.IsViewable or attributes.win_class != X.InputOutput:
                return False
            left, top, right, bottom = self._place(other)
        except self._gone:
            return False
        return left < place[2] and right > place[0] and top < place[3] and bottom > place[1]

    def _place(self, window: Any) -> tuple[int, int, int, int]:
        """Returns left, top, right and bottom on the display, pixels."""
        shape = window.get_geometry()
        corner = self._display.screen().root.translate_coords(window, 0, 0)
        return corner.x, corner.y, corner.x + shape.width, corner.y + shape.height


def _chains(above: list[Any]) -> Iterator[list[Any]]:
    if len(above) > _DEPTH:
        return
    for window in above[-1].query_tree().children:
        chain = [*above[1:], window]
        yield chain
        yield from _chains([above[0], *chain])


def _title(display: Any, window: Any) -> str:
    name = window.get_full_text_property(display.get_atom("_NET_WM_NAME"))
    return str(name or window.get_wm_name() or "")
