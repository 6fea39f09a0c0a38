"""The dispatcher of intents: the one place that hands each message of a window to the part that handles it.

Intents are started in order, each in its own task. The window server handles messages about a connection
itself (``Hello``, ``SetPreview``). Must not know channels, nor how a part handles an intent.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from overpaint.errors import UsageError
from overpaint.session.batch.file_previews import FilePreviews
from overpaint.session.live.live_process import Live
from overpaint.session.live.look_previews import LookPictures
from overpaint.session.live.service_coordinator import ServiceCoordinator
from overpaint.session.live.source_previews import SourcePictures
from overpaint.wire import live as wire
from overpaint.wire import transforms
from overpaint.wire.credits import ChargesNoted
from overpaint.wire.framing import SetFraming
from overpaint.wire.looks import WantLooks
from overpaint.wire.servers import UseServer
from overpaint.wire.sources import (
    ForgetNetworkCamera,
    NameNetworkCamera,
    SetMuted,
    SetSourceOptions,
    WantSoundLevel,
    WantSourcePictures,
)


class IntentDispatcher:
    """The dispatcher, created on the event loop that handles intents.

    Args:
        live: The live process.
        services: Choice of service, transform queue, credits.
        look_pictures: Previews of looks.
        source_pictures: Previews of screens and windows.
        file_previews: Previews of files.
        quit: Ends the live process.
        done: Called on the event loop after each intent.
    """

    def __init__(
        self,
        live: Live,
        services: ServiceCoordinator,
        look_pictures: LookPictures,
        source_pictures: SourcePictures,
        file_previews: FilePreviews,
        quit: Callable[[], None],
        done: Callable[[], None],
    ) -> None:
        self._live = live
        self._services = services
        self._look_pictures = look_pictures
        self._source_pictures = source_pictures
        self._file_previews = file_previews
        self._quit = quit
        self._done = done
        self._loop = asyncio.get_running_loop()
        self._work: set[asyncio.Task[None]] = set()

    def take(self, intent: wire.Intent) -> None:
        """Accepts an intent, from any thread; returns at once."""
        self._loop.call_soon_threadsafe(self._begin, intent)

    def _begin(self, intent: wire.Intent) -> None:
        task = self._loop.create_task(self.dispatch(intent), name=intent.type)
        self._work.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._work.discard(task)
        self._done()

    async def dispatch(self, intent: wire.Intent) -> None:
        """Handles an intent; a failure becomes part of the snapshot."""
        match intent:
            case wire.Quit():
                self._quit()
            case WantLooks(looks=looks, moving=moving):
                self._look_pictures.want(looks, moving)
            case WantSourcePictures(on=on):
                self._source_pictures.want(on)
            case UseServer():
                await self._services.switch.use(intent)
            case ChargesNoted():
                self._services.book.expect_change()
            case transforms.AddTransforms(paths=paths):
                await self._services.queue.add([Path(path) for path in paths])
            case transforms.StartTransforms(prompt=prompt, ids=ids):
                with self._live.noticing(intent.type):
                    await self._services.queue.start(
                        self._live.style.in_light(prompt), ids, self._photo(intent)
                    )
            case transforms.WantTransformPreview(prompt=prompt):
                wish = intent.model_copy(update={"prompt": self._live.style.in_light(prompt)})
                try:
                    self._file_previews.want(wish, self._photo(intent))
                except UsageError as error:
                    self._file_previews.refuse(wish, error)
            case transforms.CancelTransforms(ids=ids, begun_too=begun_too):
                await self._services.queue.cancel(ids, begun_too=begun_too)
            case transforms.RetryTransforms(ids=ids):
                await self._services.queue.retry(ids)
            case transforms.MoveTransform(id=id, before=before):
                await self._services.queue.move(id, before)
            case transforms.RemoveTransforms(ids=ids):
                await self._services.queue.remove(ids)
            case transforms.ResumeTransforms():
                await self._services.queue.resume()
            case _:
                with self._live.noticing(intent.type):
                    await self._to_live(intent)

    def _photo(self, order: transforms.StartTransforms | transforms.WantTransformPreview) -> bytes | None:
        """The reference photo of files: their own, else the live picture's where it is wanted.

        Raises:
            UsageError: Their own did not arrive whole.
        """
        if order.image_data:
            return _decoded(order.image_data)
        return self._live.runner.style.reference if order.with_photo else None

    async def _to_live(self, intent: wire.LiveIntent) -> None:
        """Handles an intent about the live picture. Raises ``OverpaintError``."""
        match intent:
            case wire.StartSession():
                await self._live.start()
            case wire.StopSession():
                await self._live.stop()
            case wire.SetOnAir(on=on):
                self._live.set_on_air(on)
            case wire.SetHold(on=on):
                self._live.set_hold(on)
            case wire.SetPrivacy(on=on):
                self._live.set_private(on)
            case wire.SetOriginal(on=on):
                await self._live.set_original(on)
            case wire.SetStyle(prompt=prompt, enhance_prompt=enhance_prompt):
                self._live.style.set_prompt(prompt, enhance_prompt)
            case wire.SetReference(image_data=image_data):
                self._live.style.set_reference(_decoded(image_data))
            case wire.NextLook(step=step):
                self._live.style.next_look(step)
            case wire.SetSource(source=source, keep_login=keep_login, ask_again=ask_again):
                await self._live.set_source(source, keep_login, ask_again)
            case SetFraming(framing=framing):
                self._live.source.frame(framing)
            case SetSourceOptions(options=options):
                await self._live.source.run_so(options)
            case NameNetworkCamera(camera=camera, name=name):
                self._live.source.name_camera(camera, name)
            case ForgetNetworkCamera(camera=camera):
                await self._live.source.forget_camera(camera)
            case wire.RefreshSources():
                await self._live.refresh()
            case wire.SetRecording(on=on):
                await self._live.record(on)
            case wire.SaveReplay():
                await self._live.save_replay()
            case SetMuted(on=on):
                self._live.set_muted(on)
            case WantSoundLevel(on=on):
                self._live.sound.use("test", on)
            case wire.TakeStill():
                await self._live.take_still()
            case wire.SetPreferences():
                await self._live.set_preferences(intent)
            case _:
                assert_never(intent)


def _decoded(data: str | None) -> bytes | None:
    if data is None:
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError("reference_photo_incomplete") from error
