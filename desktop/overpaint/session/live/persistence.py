"""Persistent state of a live process: source, prompt, photo, preferences and orders, saved on change.

With it the next live process resumes where this one was, however it ended, and in the session that is paid
for. Whether it goes on air again is not decided here. Must not know windows.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from overpaint.errors import SourceError
from overpaint.media.sources import SourceInfo
from overpaint.media.sources.identities import words_for
from overpaint.private_folder import write_private
from overpaint.session.live.live_process import Live
from overpaint.session.realtime.purchase_records import Kept
from overpaint.settings import Settings, load_settings, save_settings
from overpaint.wire.framing import Framing
from overpaint.wire.live import Preferences, SetPreferences
from overpaint.wire.messages import LiveMessage
from overpaint.wire.sources import SourceOptions

log = logging.getLogger(__name__)

Told = TypeVar("Told", bound=LiveMessage)

PHOTO_FILE = "reference-photo"
ORDERS_FILE = "orders.json"

_ORDERS = TypeAdapter(tuple[Kept, ...])


class LiveMemory:
    """The saved state of a live process: restores it, and saves it.

    Args:
        folder: The data folder.

    Attributes:
        settings: The settings on disk.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._photo = _read(folder / PHOTO_FILE)
        self._orders = _orders(_read(folder / ORDERS_FILE))
        self._restored = self._troubled = False
        self.settings = load_settings(folder)

    @property
    def restored(self) -> bool:
        """Whether the live process has its preferences by now."""
        return self._restored

    def restore_style(self, live: Live) -> None:
        """Restores prompt, photo, framings and orders."""
        for order in self._orders:
            live.runner.purchases.orders.keep(order)
        live.source.framings = _readable(self.settings.framings, Framing)
        live.source.options = _readable(self.settings.source_options, SourceOptions)
        live.source.logins.cameras = dict(self.settings.network_cameras)
        live.source.logins.names = dict(self.settings.network_camera_names)
        live.page.folder, live.page.outdated = self._folder, bool(self.settings.page_token)
        live.style.set_prompt(self.settings.prompt, True)
        live.style.set_reference(self._photo)

    async def restore_devices(self, live: Live) -> None:
        """Restores preferences, devices, and the last source (else a camera, else the demo)."""
        wishes = self.settings
        kept = Preferences.model_validate(wishes.model_dump(include=set(Preferences.model_fields)))
        with live.noticing("restoring the preferences"):
            await live.set_preferences(SetPreferences(preferences=kept))
        self._restored = True
        await live.prepare()
        wanted = remembered_source(wishes, live.source.there)
        for source in dict.fromkeys((wanted, "camera", "demo")):
            if live.source.asked:
                return  # the user has chosen one meanwhile
            try:
                await live.source.choose(source)
            except SourceError as error:
                log.info("source %s: %s", source, error)
            else:
                return

    async def keep(self, live: Live) -> None:
        """Saves changes; a write error only means that they are not saved."""
        if not self._restored:
            return
        snapshot = live.snapshot()
        changes = {
            "prompt": snapshot.prompt,
            "framings": {name: each.model_dump() for name, each in live.source.framings.items()},
            "source_options": {name: each.model_dump() for name, each in live.source.options.items()},
            "network_cameras": live.source.logins.cameras,
            "network_camera_names": live.source.logins.names,
            **snapshot.preferences.model_dump(),
            "page_token": self.settings.page_token if live.page.outdated else "",
        }
        # A substitute for a missing source is not what the user wants next time.
        if live.source.asked and snapshot.source:
            changes |= {"source": snapshot.source, "source_identity": live.source.identity}
        settings, photo = self.settings.model_copy(update=changes), live.runner.style.reference
        orders = live.runner.purchases.orders.all
        try:
            if settings != self.settings:
                await asyncio.to_thread(save_settings, self._folder, settings)
                self.settings = settings
            if photo is not self._photo:
                await asyncio.to_thread(_write, self._folder / PHOTO_FILE, photo)
                self._photo = photo
            if orders != self._orders:
                await asyncio.to_thread(_write, self._folder / ORDERS_FILE, _ORDERS.dump_json(orders))
                self._orders = orders
        except OSError as error:
            # Tried again with the next snapshot, but logged only once.
            if not self._troubled:
                log.warning("what was set cannot be remembered: %s", error)
            self._troubled = True
        else:
            self._troubled = False

    async def keep_server(self, address: str, fall_back: bool, allowed_http: str) -> None:
        """Saves the chosen service (empty: the local core) and the user's permissions for it."""
        changes = {"server": address, "fall_back": fall_back, "allowed_http": allowed_http}
        self.settings = self.settings.model_copy(update=changes)
        try:
            await asyncio.to_thread(save_settings, self._folder, self.settings)
        except OSError as error:
            log.warning("the service cannot be remembered: %s", error)


def remembered_source(settings: Settings, there: list[SourceInfo]) -> str:
    """Returns the last source under its present name; any camera where it is missing, since its number may
    belong to another camera.
    """
    if not settings.source_identity.startswith(("camera:", "screen:")):
        return settings.source
    return words_for(settings.source_identity, there) or "camera"


def _readable(kept: Mapping[str, object], kind: type[Told]) -> dict[str, Told]:
    """Returns the valid entries; a file edited by hand may have invalid ones."""
    known = {}
    for source, values in kept.items():
        with contextlib.suppress(ValidationError):
            known[source] = kind.model_validate(values)
    return known


def _orders(kept: bytes | None) -> tuple[Kept, ...]:
    """Reads the saved orders; none from a file that cannot be read."""
    with contextlib.suppress(ValidationError):
        return _ORDERS.validate_json(kept) if kept is not None else ()
    return ()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _write(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_private(path, content)


__all__ = ["LiveMemory", "remembered_source"]
