"""The selected source: chosen, lost when unplugged, found again at any port, framed as before.

Everything is remembered by a source's identity, never by its number: a camera that got another one's
number neither replaces it nor gets its framing. Runs on one event loop; only ``lost`` is called from the
source's thread. Must not know sessions or outputs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace

from overpaint.errors import SourceError
from overpaint.media.framing import Framer
from overpaint.media.network_camera.camera_address import is_network_address
from overpaint.media.sources import ConsentSource, Source, SourceInfo, SourceSpec, Wishes, parse_source
from overpaint.media.sources.identities import remembered_as, words_for
from overpaint.session.live.camera_logins import CameraLogins
from overpaint.session.output.frame_router import FrameHub
from overpaint.wire.framing import Framing
from overpaint.wire.live import SourceChoice
from overpaint.wire.sources import SourceOffer, SourceOptions

log = logging.getLogger(__name__)

USUAL_FPS = 30.0
"""Frames a second before there is a source."""
RETRY_S = 2.0
RETRY_MOST_S = 30.0
"""Greatest pause between two tries of a network camera; it doubles from ``RETRY_S``."""
_PLUGGED = ("camera:", "screen:")
"""Beginnings of the identities of what is plugged in, and gets a number then."""


class SourceStage:
    """The selected source, kept running while it is available.

    Args:
        make_source: Makes an unstarted source with the user's options. Raises ``SourceError``.
        list_sources: Lists the available sources; may take a moment.
        hub: The frame router.
        size: Size of every frame, pixels.
        changed: Called on the event loop when anything shown has changed.

    Attributes:
        text: The source as ``--source`` names it now; empty before the first.
        title: Its name for the user.
        there: The available sources.
        error: Why it delivers nothing; None while all is well.
        asked: Whether the user chose it; else it was found at the start.
        framings: Framings of sources, by identity.
        options: Options of sources, by identity.
        usual: Options of all others.
        logins: Network cameras that were used.
    """

    def __init__(
        self,
        make_source: Callable[[SourceSpec, Wishes], Source],
        list_sources: Callable[[], list[SourceInfo]],
        hub: FrameHub,
        size: tuple[int, int],
        changed: Callable[[], None],
    ) -> None:
        self._make_source = make_source
        self._list_sources = list_sources
        self._hub = hub
        self._size = size
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._source: Source | None = None
        self._asking: ConsentSource | None = None
        self._beside: frozenset[str] = frozenset()
        self._lock = asyncio.Lock()
        self._retry: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()
        self.text = ""
        self.there: list[SourceInfo] = []
        self.error: SourceError | None = None
        self.asked = False
        self.framings: dict[str, Framing] = {}
        self.options: dict[str, SourceOptions] = {}
        self.usual = SourceOptions()
        self.logins = CameraLogins()
        self._tries = 0

    @property
    def trouble(self) -> SourceError | None:
        """The reason why no new frame comes: the source is lost, or its last good picture stands."""
        return self.error or (self._source.trouble if self._source is not None else None)

    @property
    def title(self) -> str:
        """Its name for the user; empty before the first."""
        return self.logins.names.get(self.text) or (self._source.title if self._source is not None else "")

    @property
    def identity(self) -> str:
        """Its identity; empty before the first."""
        return (self._source.identity or self.text) if self._source is not None else ""

    @property
    def framing(self) -> Framing:
        """Its framing."""
        return self._hub.framer.framing if self._hub.framer is not None else Framing()

    @property
    def offer(self) -> SourceOffer:
        """The options that it offers."""
        return self._source.offer if self._source is not None else SourceOffer()

    @property
    def fps(self) -> float:
        """Its nominal frames a second."""
        return self._source.fps if self._source is not None else USUAL_FPS

    @property
    def wish(self) -> SourceOptions:
        """The options with which it runs."""
        return self._wishes(self.identity)

    @property
    def choices(self) -> list[SourceChoice]:
        """Lists the available sources for a window."""
        return [
            SourceChoice(source=info.source, title=info.title, kind=info.kind, seen=info.seen)
            for info in self.there
        ] + [
            SourceChoice(source=camera, title=self.logins.title(camera), kind="network", keeps_login=kept)
            for camera, kept in self.logins.cameras.items()
        ]

    async def find(self) -> None:
        """Updates the list of cameras, screens and windows; the source's number may have changed."""
        self.there = await asyncio.to_thread(self._list_sources)
        if self._source is not None and self.error is None:
            self._note_others()
            self.text = words_for(self.identity, self.there) or self.text
        self._changed()

    def plugged(self) -> None:
        """Handles a hot-plug event: a lost camera or screen may be back."""
        back = self.error is not None and self.identity.startswith(_PLUGGED) and not self._is_for_user
        self._spawn(self._return() if back else self.find())

    async def choose(self, text: str, ask_again: bool = False) -> None:
        """Changes the source; a desktop that asks its user first is waited for, while the former one goes on.

        Args:
            text: The source as ``--source`` names it.
            ask_again: See ``SourceSpec``.

        Raises:
            SourceError: It cannot be used; the former one goes on.
        """
        await self._choose(text, ask_again=ask_again)

    def frame(self, framing: Framing) -> None:
        """Sets the framing of the present source, by its identity."""
        name = remembered_as(self.identity, self.framings, self.there)
        self.framings = {**self.framings, name: framing}
        if self._hub.framer is not None:
            self._hub.framer.framing = framing
        self._changed()

    async def run_so(self, options: SourceOptions) -> None:
        """Sets the options of the present source, by its identity.

        Raises:
            SourceError: It does not run with them; it goes on as before.
        """
        name, before = remembered_as(self.identity, self.options, self.there), self.options
        anew = options.format != self.wish.format
        if isinstance(self._source, ConsentSource):
            anew = anew or options.pointer != self.wish.pointer
        self.options = {**before, name: options}
        self._changed()
        if not anew:
            return
        async with self._lock:
            source = self._source
            if source is None or self.error is not None:
                return
            await asyncio.to_thread(source.stop)
            try:
                await self._start(source, self.text)
            except SourceError:
                self.options = before
                await self._go_on()
                raise
        self._changed()

    def name_camera(self, camera: str, name: str) -> None:
        """Gives a network camera a name of the user's; none when it is empty."""
        self.logins.rename(camera, name)
        self._changed()

    async def forget_camera(self, camera: str) -> None:
        """Forgets a network camera, and all that was stored of it.

        Raises:
            SourceError: It is the present source.
            CredentialError: Its login cannot be deleted from the keyring.
        """
        if camera == self.text:
            raise SourceError("network_camera_in_use", camera=self.logins.title(camera))
        await asyncio.to_thread(self.logins.forget, camera)
        self.framings = {name: each for name, each in self.framings.items() if name != camera}
        self.options = {name: each for name, each in self.options.items() if name != camera}
        self._changed()

    def lost(self, error: SourceError) -> None:
        """Handles that the source ended by itself; called from its thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._gone, error)

    async def close(self) -> None:
        """Ends the source."""
        if self._retry is not None:
            self._retry.cancel()
        source, self._source = self._source, None
        for each in filter(None, (self._asking, source)):
            await asyncio.to_thread(each.stop)

    # ---- inside ----------------------------------------------------------------------------------

    def _wishes(self, identity: str) -> SourceOptions:
        """Returns the user's options for a source; from any thread."""
        name = remembered_as(identity, self.options, self.there)
        return self.options.get(name, self.usual)

    async def _choose(self, text: str, lost: SourceError | None = None, ask_again: bool = False) -> None:
        """Changes the source; with ``lost`` only where that is still the reason why there is none."""
        spec = replace(parse_source(text), ask_again=ask_again)
        if spec.kind == "network":
            text = spec.name  # without its secrets
            spec = await asyncio.to_thread(self.logins.completed, spec)
        source = self._make_source(spec, self._wishes)
        if lost is None:
            await self._ask(source)
        async with self._lock:
            if lost is not None and self.error is not lost:
                return  # it is back already, or the user has chosen another one meanwhile
            former, self._source = self._source, None
            if former is not None:
                await asyncio.to_thread(former.stop)
            try:
                await self._start(source, text)
            except SourceError:
                self._source = former
                await self._go_on()
                raise
            self.text, self.error, self._tries = text, None, 0
            self.logins.used(spec)
            self._note_others()
        self._changed()

    async def _ask(self, source: Source) -> None:
        """Gets the user's consent where the desktop wants it; ends the dialog of a former choice."""
        former, self._asking = self._asking, None
        if former is not None:
            await asyncio.to_thread(former.stop)
        if isinstance(source, ConsentSource):
            self._asking = source
            try:
                await asyncio.to_thread(source.ask)
            finally:
                if self._asking is source:
                    self._asking = None

    async def _start(self, source: Source, text: str) -> None:
        def remembered() -> Framing:
            name = remembered_as(source.identity or text, self.framings, self.there)
            return self.framings.get(name, Framing())

        self._hub.framer = Framer(source, remembered)
        await asyncio.to_thread(source.start, *self._size, self._hub)
        self._source = source

    async def _go_on(self) -> None:
        """Starts the present source again; a lost one is being waited for already."""
        if self._source is None or self.error is not None:
            return
        try:
            await self._start(self._source, self.text)
        except SourceError as error:
            self._gone(error)

    def _note_others(self) -> None:
        self._beside = frozenset(info.identity for info in self.there) - {self.identity}

    def _gone(self, error: SourceError) -> None:
        if str(error) != str(self.error):  # else each try to get it back would be logged
            log.info("the source is gone: %s", error)
        self.error = error
        if self._retry is not None:
            self._retry.cancel()
        pause_s = RETRY_S
        if is_network_address(self.text):
            pause_s = min(RETRY_MOST_S, RETRY_S * 2**self._tries)
            self._tries = min(self._tries + 1, 10)
        if not self._is_for_user:
            self._retry = self._loop.call_later(pause_s, lambda: self._spawn(self._return()))
        self._changed()

    @property
    def _is_for_user(self) -> bool:
        """Whether the lost source is not tried again by itself.

        Network cameras lock themselves after some wrong passwords, and who ended the capture of a screen in
        the desktop's panel does not want it back.
        """
        denied = self.error is not None and self.error.kind == "denied"
        return denied and (is_network_address(self.text) or isinstance(self._source, ConsentSource))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _return(self) -> None:
        """Tries a lost source again until it is back or another one is chosen."""
        lost = self.error
        if lost is None:
            return
        try:
            await self._choose(await self._where(lost), lost)
        except SourceError as error:
            if self.error is lost:
                self._gone(error)

    async def _where(self, error: SourceError) -> str:
        """Returns its present name. Raises ``error`` while it is missing: its number may be another's."""
        if not self.identity.startswith(_PLUGGED):
            return self.text
        await self.find()
        text = words_for(self.identity, self.there, self._beside)
        if text is None:
            raise error
        return text
