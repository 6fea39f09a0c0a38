"""Every intent of a window reaches the one part that does it, in its turn, and what fails becomes state."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest

from overpaint.errors import OverpaintError, UsageError
from overpaint.session.live.intent_dispatcher import IntentDispatcher
from overpaint.wire import live as wire
from overpaint.wire import transforms
from overpaint.wire.credits import ChargesNoted
from overpaint.wire.framing import Framing, SetFraming
from overpaint.wire.looks import WantedLook, WantLooks
from overpaint.wire.messages import LiveMessage
from overpaint.wire.servers import UseServer
from overpaint.wire.sources import (
    ForgetNetworkCamera,
    NameNetworkCamera,
    SetMuted,
    SetSourceOptions,
    SourceOptions,
    WantSoundLevel,
    WantSourcePictures,
)

LOOKS = (WantedLook(name="ink", prompt="ink comic"),)
PREVIEW = transforms.WantTransformPreview(serial=1, source="a.png", prompt="noir")
PAGE = wire.SetPreferences(preferences=wire.Preferences(page_on=True))
LIT = PREVIEW.model_copy(update={"prompt": "noir, in light"})
SERVER = UseServer(address="https://gpu.example", key="ovp")

CASES: tuple[tuple[wire.Intent, tuple[object, ...]], ...] = (
    (wire.StartSession(), ("live.start",)),
    (wire.StopSession(), ("live.stop",)),
    (wire.SetOnAir(on=True), ("live.set_on_air", True)),
    (wire.SetHold(on=True), ("live.set_hold", True)),
    (wire.SetPrivacy(on=True), ("live.set_private", True)),
    (wire.SetOriginal(on=True), ("live.set_original", True)),
    (wire.SetStyle(prompt="noir", enhance_prompt=False), ("live.style.set_prompt", "noir", False)),
    (wire.SetReference(image_data="cGhvdG8="), ("live.style.set_reference", b"photo")),
    (wire.NextLook(step=-1), ("live.style.next_look", -1)),
    (
        NameNetworkCamera(camera="http://phone/video", name="Phone"),
        ("live.source.name_camera", "http://phone/video", "Phone"),
    ),
    (ForgetNetworkCamera(camera="http://phone/video"), ("live.source.forget_camera", "http://phone/video")),
    (wire.SetSource(source="screen:1"), ("live.set_source", "screen:1", False, False)),
    (SetFraming(framing=Framing(mirror=True)), ("live.source.frame", Framing(mirror=True))),
    (
        SetSourceOptions(options=SourceOptions(pointer=False)),
        (
            "live.source.run_so",
            SourceOptions(pointer=False),
        ),
    ),
    (wire.RefreshSources(), ("live.refresh",)),
    (wire.SetRecording(on=True), ("live.record", True)),
    (wire.SaveReplay(), ("live.save_replay",)),
    (SetMuted(on=True), ("live.set_muted", True)),
    (WantSoundLevel(on=True), ("live.sound.use", "test", True)),
    (wire.TakeStill(), ("live.take_still",)),
    (PAGE, ("live.set_preferences", PAGE)),
    (WantLooks(looks=LOOKS, moving=LOOKS[0]), ("look_pictures.want", LOOKS, LOOKS[0])),
    (WantSourcePictures(on=True), ("source_pictures.want", True)),
    (transforms.AddTransforms(paths=["a.png"]), ("services.queue.add", [Path("a.png")])),
    (transforms.StartTransforms(prompt="noir"), ("services.queue.start", "noir, in light", None, None)),
    (PREVIEW, ("file_previews.want", LIT, None)),
    (transforms.CancelTransforms(ids=["1"], begun_too=False), ("services.queue.cancel", ["1"], False)),
    (transforms.RetryTransforms(ids=["1"]), ("services.queue.retry", ["1"])),
    (transforms.MoveTransform(id="1", before="2"), ("services.queue.move", "1", "2")),
    (transforms.RemoveTransforms(ids=["1"]), ("services.queue.remove", ["1"])),
    (transforms.ResumeTransforms(), ("services.queue.resume",)),
    (ChargesNoted(), ("services.book.expect_change",)),
    (SERVER, ("services.switch.use", SERVER)),
    (wire.Quit(), ("quit",)),
)
"""Intents, and what each does: the part's method, and what it is called with."""


def classes(union: Any) -> set[type[LiveMessage]]:
    """The messages of a union, be it of unions."""
    if isinstance(union, type):
        return {union}
    members = get_args(union)[:1] if get_origin(union) is Annotated else get_args(union)
    return set().union(*(classes(member) for member in members))


class Done:
    """What a part's method returns, be it a coroutine function or none."""

    def __await__(self) -> Generator[None]:
        yield


class Part:
    """Notes each call of each method of it, and of its own parts."""

    def __init__(self, name: str, calls: list[tuple[object, ...]]) -> None:
        self._name = name
        self._calls = calls

    def __getattr__(self, name: str) -> Part:
        return Part(f"{self._name}.{name}", self._calls)

    def __call__(self, *values: object, **named: object) -> Done:
        self._calls.append((self._name, *values, *named.values()))
        return Done()


class ScriptedStyle(Part):
    """Words prompts."""

    def in_light(self, prompt: str) -> str:
        return f"{prompt}, in light"


class ScriptedLive(Part):
    """Also notes what was tried for the live picture, and how that failed."""

    def __init__(self, calls: list[tuple[object, ...]]) -> None:
        super().__init__("live", calls)
        self.tried: list[str] = []
        self.failures: list[OverpaintError] = []
        self.style = ScriptedStyle("live.style", calls)

    @contextmanager
    def noticing(self, wish: str) -> Iterator[None]:
        self.tried.append(wish)
        try:
            yield
        except OverpaintError as error:
            self.failures.append(error)


class Process:
    """A dispatcher whose parts note what they are told."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.done = 0
        self.live = ScriptedLive(self.calls)
        others = (
            Part(name, self.calls)
            for name in ("services", "look_pictures", "source_pictures", "file_previews", "quit")
        )
        parts: list[Any] = [self.live, *others, self._count]
        self.dispatcher = IntentDispatcher(*parts)

    def _count(self) -> None:
        self.done += 1


def test_every_intent_of_a_window_is_known_here() -> None:
    """A message that is new needs a line above, as it needs a case in the dispatcher."""
    assert {type(intent) for intent, _ in CASES} == classes(wire.Intent)
    assert classes(wire.AnyIntent) - classes(wire.Intent) == {wire.Hello, wire.SetPreview}


@pytest.mark.parametrize("kind", sorted(classes(wire.Intent), key=lambda kind: kind.__name__))
async def test_an_intent_reaches_its_part_and_no_other(kind: type[LiveMessage]) -> None:
    process = Process()
    intent, call = next(case for case in CASES if type(case[0]) is kind)
    await process.dispatcher.dispatch(intent)
    assert process.calls == [call]
    noticed = classes(wire.LiveIntent) | {transforms.StartTransforms}  # a photo may come with it
    assert bool(process.live.tried) is (kind in noticed)


async def test_files_get_their_own_photo_rather_than_the_live_picture_s() -> None:
    process = Process()
    own = {"with_photo": True, "image_data": "cGhvdG8="}
    order = transforms.StartTransforms(prompt="noir", **own)
    preview = PREVIEW.model_copy(update=own)
    for intent in (order, preview):
        await process.dispatcher.dispatch(intent)
    assert process.calls == [
        ("services.queue.start", "noir, in light", None, b"photo"),
        ("file_previews.want", preview.model_copy(update={"prompt": "noir, in light"}), b"photo"),
    ]


async def test_a_photo_that_did_not_arrive_whole_is_the_live_picture_s_trouble() -> None:
    process = Process()
    await process.dispatcher.dispatch(wire.SetReference(image_data="half a photo"))
    assert [type(error) for error in process.live.failures] == [UsageError] and not process.calls
    await process.dispatcher.dispatch(wire.SetReference(image_data=None))
    assert process.calls == [("live.style.set_reference", None)]


async def test_a_photo_of_files_that_did_not_arrive_whole_is_told() -> None:
    process = Process()
    half = {"image_data": "half a photo"}
    order = transforms.StartTransforms(prompt="noir", **half)
    await process.dispatcher.dispatch(order)
    assert [type(error) for error in process.live.failures] == [UsageError] and not process.calls
    await process.dispatcher.dispatch(PREVIEW.model_copy(update=half))
    [(told, wish, error)] = process.calls
    assert (told, wish) == ("file_previews.refuse", LIT.model_copy(update=half))
    assert isinstance(error, UsageError)


async def test_intents_of_any_thread_are_begun_in_their_order_and_each_end_is_told() -> None:
    process = Process()
    intents = [wire.SetOnAir(on=False), wire.StopSession(), wire.SetSource(source="demo"), wire.Quit()]

    def say() -> None:
        for intent in intents:
            process.dispatcher.take(intent)

    window = threading.Thread(target=say)
    window.start()
    async with asyncio.timeout(10):
        while process.done < len(intents):  # noqa: ASYNC110 - what it waits for sets no event
            await asyncio.sleep(0.001)
    window.join()
    assert [call[0] for call in process.calls] == ["live.set_on_air", "live.stop", "live.set_source", "quit"]
