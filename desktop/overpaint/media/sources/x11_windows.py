"""Windows of an X11 display: found by title, told apart from panels, and checked for being covered.

Without a compositor (EWMH, ``_NET_WM_CM_S0``) a window has no picture of its own: a captured covered part is
black, or shows what covers it. Sources: Xlib, "VisibilityNotify Events"; ICCCM and EWMH. Must not know Qt.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from overpaint.wire.sources import Visibility

_DEPTH = 4
"""Depth of the search: window managers wrap a window in one or two frames."""


_OWN_CLASS = "overpaint"
"""``WM_CLASS`` of the application's windows."""
_NO_PROGRAMS = ("DESKTOP", "DOCK", "SPLASH", "NOTIFICATION", "TOOLTIP", "DROPDOWN_MENU", "POPUP_MENU", "DND")
"""EWMH's ``_NET_WM_WINDOW_TYPE`` of what belongs to the desktop, or passes."""


def managed_windows() -> dict[str, Visibility | None]:
    """Returns how each window that the window manager knows is seen now, by title.

    None for what is no source: panels, the desktop itself, and this application's own windows, one of which
    would show its own preview within itself, without end. Of two windows of one title the upper one counts.

    Raises:
        OSError: There is no X server, or it was lost meanwhile.
    """
    from Xlib import Xatom, error
    from Xlib.display import Display

    gone = (error.XError, error.ConnectionClosedError, error.DisplayError)
    try:
        display: Any = Display()
    except gone as failure:
        raise OSError("no X display") from failure
    found: dict[str, Visibility | None] = {}
    try:
        listed = display.screen().root.get_full_property(
            display.intern_atom("_NET_CLIENT_LIST_STACKING"), Xatom.WINDOW
        )
        for number in listed.value if listed is not None else ():
            window = display.create_resource_object("window", number)
            with suppress(error.XError):  # it was closed meanwhile
                found[_title(display, window)] = (
                    _seen(display, window) if _is_source(display, window) else None
                )
    except gone as failure:
        raise OSError("the X display is gone") from failure
    finally:
        with suppress(*gone):
            display.close()
    return found


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
            self._whole = not _overlapped(self._display, chain)
        except (*self._gone, OSError) as failure:
            self.close()
            raise OSError("no such window") from failure

    def look(self) -> Visibility:
        """Returns its present visibility, not older than the call, since the server answers in between."""
        from Xlib import X

        try:
            viewable = self._window.get_attributes().map_state == X.IsViewable
            composed = _is_composed(self._display)
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


def _is_composed(display: Any) -> bool:
    """Returns whether a compositor keeps a picture of every window."""
    from Xlib import X

    manager = display.intern_atom(f"_NET_WM_CM_S{display.get_default_screen()}")
    return bool(display.get_selection_owner(manager) != X.NONE)


def _is_source(display: Any, window: Any) -> bool:
    """Returns whether it is a window of another program."""
    from Xlib import Xatom

    named = window.get_wm_class()
    if named is not None and named[1] == _OWN_CLASS:
        return False
    types = window.get_full_property(display.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM)
    refused = {display.intern_atom(f"_NET_WM_WINDOW_TYPE_{name}") for name in _NO_PROGRAMS}
    return types is None or not refused.intersection(types.value)


def _seen(display: Any, window: Any) -> Visibility:
    from Xlib import X

    if window.get_attributes().map_state != X.IsViewable:
        return "minimised"
    if _is_composed(display):
        return "whole"
    root, chain = display.screen().root, [window]
    while (parent := chain[0].query_tree().parent) not in (root, X.NONE):
        chain.insert(0, parent)
    return "covered" if _overlapped(display, chain) else "whole"


def _overlapped(display: Any, chain: list[Any]) -> bool:
    """Returns whether another window covers it now, or a part of it is outside the screen."""
    root = display.screen().root
    own, screen = _place(display, chain[-1]), _place(display, root)
    if own[0] < 0 or own[1] < 0 or own[2] > screen[2] or own[3] > screen[3]:
        return True
    stacked = root.query_tree().children  # from the bottom to the top
    above = stacked[[each.id for each in stacked].index(chain[0].id) + 1 :]
    return any(_covers(display, each, own) for each in above)


def _covers(display: Any, other: Any, place: tuple[int, int, int, int]) -> bool:
    from Xlib import X, error

    try:
        attributes = other.get_attributes()
        if attributes.map_state != X.IsViewable or attributes.win_class != X.InputOutput:
            return False
        left, top, right, bottom = _place(display, other)
    except error.XError:
        return False
    return left < place[2] and right > place[0] and top < place[3] and bottom > place[1]


def _place(display: Any, window: Any) -> tuple[int, int, int, int]:
    """Returns left, top, right and bottom on the display, pixels."""
    shape = window.get_geometry()
    corner = display.screen().root.translate_coords(window, 0, 0)
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
