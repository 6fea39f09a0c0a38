"""Dependencies of a live process on its machine, passed in by ``app``, which alone knows the parts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from overpaint.media.sinks import Sink
from overpaint.media.sources import Source, SourceInfo, SourceSpec, Wishes
from overpaint.session.backend.service_access import Fallback, ServiceAccess
from overpaint.session.output.output_files import OutputFiles
from overpaint.session.output.sound_stage import SoundInputs
from overpaint.session.realtime.connection import LinkMaker
from overpaint.wire import live as wire


class Watch(Protocol):
    """A watch that runs until it is closed."""

    def close(self) -> None:
        """Ends it; may take a moment."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The dependencies of a live process on its machine.

    Attributes:
        access: Finds the service.
        fallback: Finds the local core while the chosen service is away.
        make_link: Makes the desktop's end of a room's link.
        make_source: Makes an unstarted source with the user's options.
        list_sources: Lists the available sources; may take a moment.
        watch_sources: Calls back, from any thread, whenever one was plugged in or pulled out, until the watch
            is closed; takes a moment.
        make_camera: Makes an unopened virtual camera; None for a process without one.
        sound_inputs: Lists and makes inputs of sound.
        output_files: Makes recordings, and the paths of recordings and snapshots.
        set_priority: Sets a low or the usual priority for this process and the core.
        looks: The engine's looks, for the window.
        network: A value that changes with the network of this computer; may take a moment.
    """

    access: ServiceAccess
    fallback: Fallback
    make_link: LinkMaker
    make_source: Callable[[SourceSpec, Wishes], Source]
    list_sources: Callable[[], list[SourceInfo]]
    watch_sources: Callable[[Callable[[], None]], Watch]
    make_camera: Callable[[], Sink] | None
    sound_inputs: SoundInputs
    output_files: OutputFiles
    set_priority: Callable[[bool], None]
    looks: Callable[[], list[wire.LookChoice]]
    network: Callable[[], Hashable]
