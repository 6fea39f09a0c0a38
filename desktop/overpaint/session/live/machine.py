"""Dependencies of a live process on its machine: handed in by ``app``, which alone knows the parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from overpaint.media.sinks import Sink
from overpaint.media.sources import Source, SourceInfo, SourceSpec, Wishes
from overpaint.session.backend.service_access import Fallback, ServiceAccess
from overpaint.session.output.recorder import Shelf
from overpaint.session.realtime.connection import LinkMaker
from overpaint.wire import live as wire


class Watch(Protocol):
    """Something that goes on until it is closed."""

    def close(self) -> None:
        """Ends it; may take a moment."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a live process needs of the machine around it.

    Attributes:
        access: Finds the service.
        fallback: Finds this computer's own service while another is chosen and is away.
        make_link: Makes the desktop's end for a room.
        make_source: Makes an unstarted source, which is run as the user wishes.
        list_sources: What can be restyled now; may take a moment.
        watch_sources: Calls back, from any thread, whenever one was plugged in or pulled out, until the watch
            is closed; takes a moment.
        make_camera: Makes an unopened virtual camera; None for a process without one.
        shelf: Where recordings and snapshots are kept.
        set_priority: Gives this process and the core a low priority, or their own again.
        looks: What the engine can do, for the window.
        network: What this computer's way to others looks like now; may take a moment.
    """

    access: ServiceAccess
    fallback: Fallback
    make_link: LinkMaker
    make_source: Callable[[SourceSpec, Wishes], Source]
    list_sources: Callable[[], list[SourceInfo]]
    watch_sources: Callable[[Callable[[], None]], Watch]
    make_camera: Callable[[], Sink] | None
    shelf: Shelf
    set_priority: Callable[[bool], None]
    looks: Callable[[], list[wire.LookChoice]]
    network: Callable[[], Hashable]
