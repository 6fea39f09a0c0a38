"""The WebRTC link and its rooms: real HTTP, real sockets, real codecs, both ends."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import numpy as np
import pytest
from aioice import stun
from aiortc import RTCPeerConnection, RTCRtpSender, RTCSessionDescription

from helpers.bad_network import Impairment, on_sockets
from helpers.chooser import Chooser
from helpers.matrix import few_of
from helpers.media_rooms import HttpSignalling, echo, request_for, served
from helpers.numbered_pictures import colour_error, read_stamps, stamped
from helpers.received_stream import file_pictures
from overpaint.errors import LinkError, OverpaintError
from overpaint.media import pictures
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.links import Caller
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.webrtc import desktop_link, ice_sockets, rate_control
from overpaint.media.webrtc.av_frames import to_picture
from overpaint.media.webrtc.desktop_link import WebRtcLink, WebRtcRoom
from overpaint.media.webrtc.peer import SlotTrack, new_connection
from overpaint.session.output import sink_stage
from overpaint.session.output.sink_stage import SinkStage

pytestmark = pytest.mark.live


WIDTH, HEIGHT = 320, 180


class Place:
    """One served room with an echoing engine."""

    def __init__(self, room: WebRtcRoom, base_url: str) -> None:
        self.room = room
        self.base_url = base_url
        self.url = f"{base_url}/v1/rtc/{room.name}"
        self.signalling = HttpSignalling()

    def link(self) -> WebRtcLink:
        return WebRtcLink(request_for(self.room, self.base_url), self.signalling)


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    rooms: dict[str, WebRtcRoom] = {}
    async with served(rooms) as base_url:
        room = rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url)
        engine = asyncio.create_task(echo(room))
        yield Place(room, base_url)
    await engine


class Taker:
    """Reads a link's styled frames in a thread of its own, as a camera does."""

    def __init__(self, link: WebRtcLink) -> None:
        self.frames: list[StyledFrame] = []
        self._times: dict[int, int] = {}
        self._link = link
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while (frame := self._link.received.take(30)) is not None:
            with self._arrived:
                self.frames.append(frame)
                self._times[frame.number] = now_ns()
                self._arrived.notify_all()

    def timed(self, frames: list[StyledFrame]) -> list[tuple[StyledFrame, int]]:
        """Frames and when they came."""
        return [(frame, self._times[frame.number]) for frame in frames]

    async def wait_for(self, count: int) -> None:
        """Until so many frames have come; fails after 10 s."""

        def work() -> bool:
            with self._arrived:
                return self._arrived.wait_for(lambda: len(self.frames) >= count, 10)

        assert await asyncio.to_thread(work), f"{len(self.frames)} frames came"

    def join(self) -> None:
        self._thread.join()


async def send(
    link: WebRtcLink, count: int, first: int = 0, size: tuple[int, int] = (WIDTH, HEIGHT)
) -> dict[int, int]:
    """Sends stamped frames at 50 a second; returns their capture times by number."""
    times = {}
    for number in range(first, first + count):
        times[number] = now_ns()
        link.send(RawFrame(stamped(number, *size), number, times[number]))
        await asyncio.sleep(0.02)
    return times


def no_loss(error: OverpaintError) -> None:
    raise AssertionError(error)


class TestTheLink:
    async def test_frames_come_back_whole_in_order_once_and_known(self, place: Place) -> None:
        link = place.link()
        await link.open(no_loss)
        taker = Taker(link)
        times = await send(link, 60)
        await taker.wait_for(15)  # a machine without time leaves some out
        async with asyncio.timeout(10):  # and is late with others
            while link.dropped + place.room.dropped + len(taker.frames) < 60:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await link.close()
        taker.join()
        numbers = [frame.number for frame in taker.frames]
        assert numbers == sorted(set(numbers))
        for frame in taker.frames:
            assert read_stamps(frame.image) == (frame.number, frame.number), "torn or mistaken"
            assert frame.captured_ns == times[frame.number]
            assert colour_error(frame.image, frame.number) < 3
        assert link.dropped + place.room.dropped + len(numbers) >= 60

    @pytest.mark.full
    async def test_full_hd_comes_back_exactly_so_large(self) -> None:
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            room = rooms["hd"] = WebRtcRoom("hd", 1920, 1080, 30, base_url)
            engine = asyncio.create_task(echo(room))
            link = WebRtcLink(request_for(room, base_url), HttpSignalling())
            await link.open(no_loss)
            taker = Taker(link)
            number = 0
            while len(taker.frames) < 5 and number < 400:
                link.send(RawFrame(stamped(number, 1920, 1080), number, now_ns()))
                number += 1
                await asyncio.sleep(0.05)
            await taker.wait_for(5)
            await link.close()
            taker.join()
        await engine
        for frame in taker.frames:
            assert (frame.width, frame.height) == (1920, 1080)
            assert read_stamps(frame.image) == (frame.number, frame.number)
            assert colour_error(frame.image, frame.number) < 3

    async def test_leaving_ends_both_resources_and_may_be_done_twice(self, place: Place) -> None:
        link = place.link()
        await link.open(no_loss)
        await link.close()
        await link.close()
        assert len(place.signalling.deleted) == 2
        link.send(RawFrame(stamped(0, WIDTH, HEIGHT), 0, now_ns()))
        assert link.dropped == 1

    async def test_a_link_may_be_opened_after_another(self, place: Place) -> None:
        for first in (0, 100):
            link = place.link()
            await link.open(no_loss)
            taker = Taker(link)
            await send(link, 5, first)
            await taker.wait_for(3)
            await link.close()
            taker.join()
            assert all(frame.number in range(first, first + 5) for frame in taker.frames)

    async def test_a_frame_that_nobody_sent_is_dropped_and_counted(self, place: Place) -> None:
        sender, watcher = place.link(), place.link()
        await watcher.open(lambda sentence: None)
        await sender.open(no_loss)
        taker = Taker(sender)
        await send(sender, 10)
        await taker.wait_for(5)
        assert watcher.dropped >= 5
        assert watcher.received.take(0) is None
        await asyncio.gather(sender.close(), watcher.close())
        taker.join()

    async def test_the_end_of_the_room_is_told_once(self, place: Place) -> None:
        link, sentences, told = place.link(), [], asyncio.Event()

        def lost(error: LinkError) -> None:
            sentences.append(str(error))
            told.set()

        await link.open(lost)
        await send(link, 3)
        await place.room.close()
        await asyncio.wait_for(told.wait(), 5)
        await link.close()
        assert len(sentences) == 1 and sentences[0].endswith(".")

    async def test_silence_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(desktop_link, "SILENCE_SECONDS", 0.3)
        monkeypatch.setattr(desktop_link, "FIRST_FRAME_SECONDS", 0.6)
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            room = rooms["mute"] = WebRtcRoom("mute", WIDTH, HEIGHT, 30, base_url)
            link = WebRtcLink(request_for(room, base_url), HttpSignalling())
            told: asyncio.Future[LinkError] = asyncio.get_running_loop().create_future()
            await link.open(told.set_result)
            await asyncio.sleep(0.8)
            assert not told.done(), "nothing was sent, so nothing is missing"
            await send(link, 60)
            assert "No styled picture" in str(await asyncio.wait_for(told, 5))
            await link.close()

    async def test_refusals_say_so(self, place: Place) -> None:
        request = request_for(place.room, place.base_url)
        for change in ({"token": "wrong"}, {"url": f"{place.base_url}/v1/rtc/nowhere"}):
            fields = {name: getattr(request, name) for name in request.__slots__} | change
            link = WebRtcLink(type(request)(**fields), HttpSignalling())
            with pytest.raises(LinkError, match="refuses") as refusal:
                await link.open(no_loss)
            assert refusal.value.kind == "refused"

    async def test_nobody_there_says_so(self, place: Place) -> None:
        request = request_for(place.room, "http://127.0.0.1:9")
        with pytest.raises(LinkError, match="Nobody answers"):
            await WebRtcLink(request, HttpSignalling()).open(no_loss)


class StunServer(asyncio.DatagramProtocol):
    """Hears who asks; answers or does not."""

    def __init__(self, answers: bool) -> None:
        self.askers: set[tuple[str, int]] = set()
        self._answers = answers
        self._transport: asyncio.DatagramTransport

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        self.askers.add(address)
        if self._answers:
            asked = stun.parse_message(data)
            reply = stun.Message(asked.message_method, stun.Class.RESPONSE, asked.transaction_id)
            reply.attributes["XOR-MAPPED-ADDRESS"] = address
            self._transport.sendto(bytes(reply), address)


async def stun_server(*, answers: bool) -> tuple[asyncio.DatagramTransport, IceServer, StunServer]:
    loop = asyncio.get_running_loop()
    transport, heard = await loop.create_datagram_endpoint(
        lambda: StunServer(answers), local_addr=("127.0.0.1", 0)
    )
    return transport, IceServer(f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}"), heard


class Naming(HttpSignalling):
    """Of a service that names a server which its room does not ask: who asks is the link."""

    def __init__(self, server: IceServer) -> None:
        super().__init__()
        self._server = server

    async def post_sdp(self, url: str, sdp: str, token: str) -> tuple[str, str, list[str]]:
        answer, resource, links = await super().post_sdp(url, sdp, token)
        return answer, resource, [*links, self._server.link()]


async def test_servers_that_the_service_names_are_asked_by_the_link_too() -> None:
    transport, server, heard = await stun_server(answers=True)
    rooms: dict[str, WebRtcRoom] = {}
    async with served(rooms) as base_url:
        room = rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url)
        engine = asyncio.create_task(echo(room))
        signalling = Naming(server)
        link = WebRtcLink(request_for(room, base_url), signalling)
        await link.open(no_loss)
        assert signalling.posted == ["whip", "whip", "whep"], "the servers were known the second time"
        assert len(signalling.deleted) == 1
        assert len(heard.askers) >= 2
        taker = Taker(link)
        await send(link, 20)
        await taker.wait_for(3)
        await link.close()
        taker.join()
        assert len(signalling.deleted) == 3
    await engine
    transport.close()


class TestABadNetwork:
    @pytest.mark.parametrize("share", few_of([0.02, 0.3], [0.02]))
    async def test_lost_packets_never_show_as_a_torn_or_old_picture(
        self, place: Place, monkeypatch: pytest.MonkeyPatch, share: float
    ) -> None:
        arrive, chance = ice_sockets.RoomyStunProtocol.datagram_received, random.Random(3)

        def lossy(protocol: ice_sockets.RoomyStunProtocol, data: bytes, address: tuple[str, int]) -> None:
            media = data[0] in range(128, 192)
            if not media or chance.random() > share:
                arrive(protocol, data, address)

        link = place.link()
        await link.open(no_loss)
        monkeypatch.setattr(ice_sockets.RoomyStunProtocol, "datagram_received", lossy)
        taker = Taker(link)
        await send(link, 100)
        monkeypatch.setattr(ice_sockets.RoomyStunProtocol, "datagram_received", arrive)
        seen = len(taker.frames)
        sending = asyncio.create_task(send(link, 60, 100))
        await taker.wait_for(seen + 20)
        await sending
        await link.close()
        taker.join()
        numbers = [frame.number for frame in taker.frames]
        assert numbers == sorted(set(numbers))
        for frame in taker.frames:
            assert read_stamps(frame.image) == (frame.number, frame.number)
            assert colour_error(frame.image, frame.number) < 4
        assert seen > (20 if share < 0.1 else 0)

    @pytest.mark.full
    async def test_a_bottleneck_does_not_add_seconds(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A fifth of what the pictures would take, in front of it a queue of two seconds each way."""
        noise = np.random.default_rng(1).integers(16, 235, (30, HEIGHT * 3 // 2, WIDTH), np.uint8)
        narrow = Impairment(delay_s=0.01, bits_per_s=120_000, queue_s=2)
        link = place.link()
        await link.open(no_loss)
        taker = Taker(link)
        with on_sockets(monkeypatch, narrow):
            for number in range(240):
                link.send(RawFrame(noise[number % 30], number, now_ns()))
                await asyncio.sleep(0.03)
        await link.close()
        taker.join()
        late = [frame for frame in taker.frames if frame.number >= 140]
        delays = sorted((at - frame.captured_ns) / 1e9 for frame, at in taker.timed(late))
        assert len(delays) > 5
        assert delays[len(delays) // 2] < 1.5, "a standing queue would make it four"

    @pytest.mark.full
    async def test_what_is_lost_on_a_long_way_is_sent_again(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        link = place.link()
        await link.open(no_loss)
        taker = Taker(link)
        with on_sockets(monkeypatch, Impairment(loss=0.03, delay_s=0.03, jitter_s=0.003)):
            first = 0
            while len(taker.frames) < 60 and first < 2000:
                await send(link, 20, first)
                first += 20
        await link.close()
        taker.join()
        assert len(taker.frames) >= 60
        for frame in taker.frames:
            assert read_stamps(frame.image) == (frame.number, frame.number)


class Recording:
    """A recording of what a link receives, as the live process makes it."""

    def __init__(self, link: WebRtcLink, path: Path) -> None:
        self.shown: list[StyledFrame] = []
        self.gaps = 0
        self._link = link
        self._sink = RecordingSink(path)
        self._sink.open(WIDTH, HEIGHT, 30)
        self._stage: SinkStage | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        user = Chooser(pictures.black(WIDTH, HEIGHT))
        while (frame := self._link.received.take(60)) is not None:
            assert frame.unit is not None
            before = self.shown[-1].unit if self.shown else None
            self.gaps += before is not None and frame.unit.number != before.number + 1
            self.shown.append(frame)
            if self._stage is not None:
                user.give(frame, self._stage)
            elif len(self.shown) == 5:  # in the middle of a stream, far from its key frame
                user.give(frame)
                self._stage = SinkStage(self._sink, user.standing, no_loss, at_once=True)

    @property
    def copied(self) -> int:
        return self._sink.copied

    async def until(self, happened: Callable[[], bool]) -> None:
        """Sends pictures until something has happened."""
        while not happened():
            await send(self._link, 5, self._sent)
            self._sent += 5

    _sent = 0

    async def finish(self) -> None:
        await self._link.close()
        self._thread.join()
        assert self._stage is not None and self._stage.finish() is None


class TestRecordings:
    async def test_received_pictures_go_into_a_file_as_they_came_through_losses_and_back(
        self, place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(rate_control, "PARTS", ((1, 1),))  # a busy machine's pictures stay whole, too
        monkeypatch.setattr(desktop_link, "SILENCE_SECONDS", 60)
        monkeypatch.setattr(sink_stage, "STILL_EVERY_S", 60.0)
        arrive, chance = ice_sockets.RoomyStunProtocol.datagram_received, random.Random(3)

        def lossy(protocol: ice_sockets.RoomyStunProtocol, data: bytes, address: tuple[str, int]) -> None:
            if data[0] not in range(128, 192) or chance.random() > 0.4:
                arrive(protocol, data, address)

        link, path = place.link(), tmp_path / "received.mp4"
        await link.open(no_loss)
        recording = Recording(link, path)
        await recording.until(lambda: recording.copied >= 8)
        gaps = recording.gaps
        monkeypatch.setattr(ice_sockets.RoomyStunProtocol, "datagram_received", lossy)
        await recording.until(lambda: recording.gaps > gaps)
        monkeypatch.setattr(ice_sockets.RoomyStunProtocol, "datagram_received", arrive)
        copied = recording.copied
        await recording.until(lambda: recording.copied >= copied + 8)
        await recording.finish()
        seen, shown = file_pictures(str(path)), {frame.number: frame for frame in recording.shown}
        numbers = [read_stamps(image) for _, image in seen]
        assert numbers == sorted((top, top) for top, _ in numbers), "torn, or a mistaken order"
        same = [
            (at, shown[number].captured_ns / 1e9)
            for (at, image), (number, _) in zip(seen, numbers, strict=True)
            if np.array_equal(image, shown[number].image)
        ]
        assert len(same) >= recording.copied
        first_s = same[0][1] - same[0][0]
        assert [at for at, _ in same] == pytest.approx([at - first_s for _, at in same], abs=0.002)


async def peer(
    place: Place, part: str, track: SlotTrack[RawFrame] | None, **prefer: str
) -> RTCPeerConnection:
    """A plain WHIP or WHEP client, not Overpaint's; with sound beside the picture when it publishes."""
    connection = new_connection()
    if track is None:
        transceiver = connection.addTransceiver("video", direction="recvonly")
    else:
        connection.addTransceiver("audio", direction="sendonly")
        transceiver = connection.addTransceiver(track, direction="sendonly")
    if codec := prefer.get("codec"):
        known = RTCRtpSender.getCapabilities("video").codecs
        transceiver.setCodecPreferences([each for each in known if each.mimeType == f"video/{codec}"])
    await connection.setLocalDescription(await connection.createOffer())
    sdp = str(connection.localDescription.sdp)
    try:
        answer, _, _ = await place.signalling.post_sdp(f"{place.url}/{part}", sdp, place.room.token)
    except OverpaintError:
        await connection.close()
        raise
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    return connection


class TestForeignPeers:
    @pytest.mark.parametrize("codec", few_of(["H264", "VP8"], ["H264"]))
    async def test_a_stranger_publishes_and_another_watches(self, place: Place, codec: str) -> None:
        watching = await peer(place, "whep", None, codec=codec)
        remote = watching.getTransceivers()[0].receiver.track
        track: SlotTrack[RawFrame] = SlotTrack(lambda frame: frame.number * 3000)
        publishing = await peer(place, "whip", track, codec=codec)
        pictures: list[tuple[int, int]] = []

        async def watch() -> None:
            while len(pictures) < 5:
                picture = await remote.recv()
                pictures.append((picture.pts // 3000, read_stamps(to_picture(picture))[0]))

        task = asyncio.create_task(watch())
        number = 0
        while not task.done():
            track.slot.put(RawFrame(stamped(number, WIDTH, HEIGHT), number, now_ns()))
            number += 1
            await asyncio.sleep(0.02)
        await task
        assert [shown for _, shown in pictures] == [stamp for stamp, _ in pictures]
        await asyncio.gather(publishing.close(), watching.close())

    @pytest.mark.full
    async def test_whatever_size_is_published_it_is_fitted(self) -> None:
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            place = Place(WebRtcRoom("tall", WIDTH, HEIGHT, 30, base_url), base_url)
            rooms["tall"] = place.room
            track: SlotTrack[RawFrame] = SlotTrack(lambda frame: frame.number * 3000)
            publishing = await peer(place, "whip", track)
            frame = None
            number = 0
            while frame is None:
                track.slot.put(RawFrame(stamped(number, 180, 320), number, now_ns()))
                number += 1
                frame = await asyncio.to_thread(place.room.incoming.take, 0.05)
            assert (frame.width, frame.height) == (WIDTH, HEIGHT)
            assert frame.image[:HEIGHT, :100].max() < 30, "bars, not a stretched picture"
            await publishing.close()

    @pytest.mark.full
    async def test_ffmpegs_muxer_publishes(self, tmp_path: Path) -> None:
        program = Path(__file__).parents[1] / "helpers" / "ffmpeg_whip.py"
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            room = rooms["obs"] = WebRtcRoom("obs", WIDTH, HEIGHT, 30, base_url)
            arguments = (f"{base_url}/v1/rtc/obs/whip", room.token, str(tmp_path), "320", "180", "1.5")
            publisher = await asyncio.create_subprocess_exec(sys.executable, str(program), *arguments)
            frames = []
            while len(frames) < 20:
                frame = await asyncio.to_thread(room.incoming.take, 10)
                assert frame is not None, "no picture came"
                frames.append(frame)
            assert await asyncio.wait_for(publisher.wait(), 10) == 0
        shown = [read_stamps(frame.image) for frame in frames]
        assert all(top == bottom for top, bottom in shown)
        assert shown == sorted(set(shown))
        assert colour_error(frames[-1].image, shown[-1][0]) < 3

    @pytest.mark.full
    async def test_several_watch_at_once(self, place: Place) -> None:
        link = place.link()
        await link.open(no_loss)
        taker = Taker(link)
        others = [await peer(place, "whep", None) for _ in range(2)]
        sending = asyncio.create_task(send(link, 100))
        for other in others:
            picture = await asyncio.wait_for(other.getTransceivers()[0].receiver.track.recv(), 10)
            assert (picture.width, picture.height) == (WIDTH, HEIGHT)
        await sending
        await asyncio.gather(link.close(), *(other.close() for other in others))
        taker.join()
        assert len(taker.frames) > 50

    async def test_a_newer_publisher_replaces_the_older(self, place: Place) -> None:
        link = place.link()
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        await link.open(told.set_result)
        newer = place.link()
        await newer.open(no_loss)
        taker = Taker(newer)
        assert await asyncio.wait_for(told, 5)
        await send(newer, 10)
        await taker.wait_for(5)
        await asyncio.gather(link.close(), newer.close())
        taker.join()

    async def test_viewers_are_limited(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("overpaint.media.webrtc.media_room.MAX_VIEWERS", 1)
        first = await peer(place, "whep", None)
        with pytest.raises(Exception, match="viewers already"):
            await peer(place, "whep", None)
        await first.close()

    async def test_one_who_never_connects_is_sent_away(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("overpaint.media.webrtc.media_room.CONNECT_SECONDS", 0.2)
        connection = new_connection()
        connection.addTransceiver("video", direction="recvonly")
        await connection.setLocalDescription(await connection.createOffer())
        resource, _ = await place.room.answer_viewer(
            connection.localDescription.sdp, Caller(place.room.token)
        )
        await asyncio.sleep(0.5)
        with pytest.raises(Exception, match="no such"):
            await place.room.close_resource(resource)
        await connection.close()


class TestTheInterface:
    async def offer(self, direction: str = "recvonly") -> str:
        connection = new_connection()
        connection.addTransceiver("video", direction=direction)
        await connection.setLocalDescription(await connection.createOffer())
        sdp = str(connection.localDescription.sdp)
        await connection.close()
        return sdp

    async def test_who_may_not_and_what_is_not_there(self, place: Place) -> None:
        good = {"Authorization": f"Bearer {place.room.token}", "Content-Type": "application/sdp"}
        cases = [
            ("/room/whip", {**good, "Authorization": "Bearer wrong"}, "v=0", 401, "authentication_error"),
            ("/room/whip", {**good, "Authorization": "Basic eA=="}, "v=0", 401, "authentication_error"),
            ("/room/whep", {"Content-Type": "application/sdp"}, "v=0", 401, "authentication_error"),
            ("/nowhere/whip", good, "v=0", 404, "not_found"),
            ("/room/whip", {**good, "Content-Type": "text/plain"}, "v=0", 415, "invalid_request_error"),
            ("/room/whip", good, "", 400, "invalid_request_error"),
            ("/room/whep", good, "hello", 400, "invalid_request_error"),
            ("/room/whip", good, "a" * 70_000, 413, "invalid_request_error"),
        ]
        async with httpx.AsyncClient(base_url=f"{place.base_url}/v1/rtc") as client:
            for path, headers, body, status, kind in cases:
                answer = await client.post(path, content=body, headers=headers)
                assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind), path
                assert place.room.token not in answer.text

    async def test_bytes_that_are_no_text_are_refused(self, place: Place) -> None:
        headers = {"Authorization": f"Bearer {place.room.token}", "Content-Type": "application/sdp"}
        async with httpx.AsyncClient() as client:
            answer = await client.post(f"{place.url}/whip", content=b"\xff\xfe", headers=headers)
        assert answer.status_code == 400

    async def test_a_resource_lives_from_its_answer_to_its_deletion(self, place: Place) -> None:
        key = {"Authorization": f"Bearer {place.room.token}"}
        headers = {**key, "Content-Type": "application/sdp; charset=utf-8"}
        async with httpx.AsyncClient(base_url=place.base_url) as client:
            answer = await client.post("/v1/rtc/room/whep", content=await self.offer(), headers=headers)
            assert answer.status_code == 201
            assert answer.headers["content-type"].startswith("application/sdp")
            assert re.fullmatch(r'"[0-9a-f]{32}"', answer.headers["etag"])
            resource = answer.headers["location"]
            assert (await client.delete(resource)).status_code == 401
            refused = await client.put(resource, content="", headers=key)
            assert (refused.status_code, refused.headers["allow"]) == (405, "DELETE, PATCH")
            assert (await client.delete(resource, headers=key)).status_code == 200
            assert (await client.delete(resource, headers=key)).status_code == 404

    async def test_candidates_may_follow_the_offer(self, place: Place) -> None:
        """RFC 9725, section 4.3: for this ICE session and no other, and without a restart."""
        key = {"Authorization": f"Bearer {place.room.token}"}
        offer = await self.offer()
        bare = "".join(
            line
            for line in offer.splitlines(keepends=True)
            if "candidate" not in line  # nor end-of-candidates
        )
        mid = re.search(r"a=mid:(\S+)", offer)
        assert mid is not None
        part = {"Content-Type": "application/trickle-ice-sdpfrag"}
        fragment = (
            f"a=ice-ufrag:EsAw\r\na=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1\r\nm=video 9 UDP/TLS/RTP/SAVPF 0\r\n"
            f"a=mid:{mid[1]}\r\na=candidate:1 1 udp 2122260223 127.0.0.1 61764 typ host\r\n"
            "a=candidate:2 1 udp 2122260223 hidden.local 61764 typ host\r\n"
            "a=candidate:3 1 tcp 1518280447 192.0.2.78 9 typ host tcptype active\r\na=end-of-candidates\r\n"
        )
        async with httpx.AsyncClient(base_url=place.base_url) as client:
            headers = {**key, "Content-Type": "application/sdp"}
            answer = await client.post("/v1/rtc/room/whep", content=bare, headers=headers)
            assert answer.status_code == 201, answer.text
            assert answer.headers["accept-patch"] == part["Content-Type"]
            resource, tag = answer.headers["location"], {"If-Match": answer.headers["etag"]}
            for status, wrong in (
                (401, part | tag),
                (415, key | tag),
                (428, key | part),
                (412, key | part | {"If-Match": '"another"'}),
                (422, key | part | {"If-Match": "*"}),
            ):
                refused = await client.patch(resource, content=fragment, headers=wrong)
                assert refused.status_code == status, refused.text
            for bad in ("a=candidate:1 1 udp", "a=candidate:1 1 udp 1 192.0.2.1 1 typ host\r\n" * 65):
                assert (
                    await client.patch(resource, content=bad, headers=key | part | tag)
                ).status_code == 400
            taken = await client.patch(resource, content=fragment, headers=key | part | tag)
            assert (taken.status_code, taken.content) == (204, b"") and "etag" not in taken.headers
            (member,) = place.room._members.values()
            known = member.connection.getTransceivers()[0].sender.transport.transport.getRemoteCandidates()
            assert [candidate.ip for candidate in known] == ["127.0.0.1"]
            await client.delete(resource, headers=key)
            gone = await client.patch(resource, content=fragment, headers=key | part | tag)
            assert gone.status_code == 404

    async def test_a_viewers_token_watches_and_does_not_publish(self, place: Place) -> None:
        sdp = {"Content-Type": "application/sdp"}
        whole = {"Authorization": f"Bearer {place.room.token}"}
        async with httpx.AsyncClient(base_url=place.base_url) as client:
            offer = await self.offer("sendonly")
            published = await client.post("/v1/rtc/room/whip", content=offer, headers=whole | sdp)
            key = {"Authorization": f"Bearer {published.headers['overpaint-viewer-token']}"}
            refused = await client.post("/v1/rtc/room/whip", content="v=0", headers=key | sdp)
            assert (refused.status_code, refused.json()["error"]["type"]) == (401, "authentication_error")
            answer = await client.post("/v1/rtc/room/whep", content=await self.offer(), headers=key | sdp)
            assert answer.status_code == 201
            assert (await client.delete(answer.headers["location"], headers=key)).status_code == 200

    async def test_what_may_be_posted_is_told_and_nothing_else_is_taken(self, place: Place) -> None:
        async with httpx.AsyncClient(base_url=f"{place.base_url}/v1/rtc/room") as client:
            for part in ("whip", "whep"):
                answer = await client.options(part)
                assert (answer.status_code, answer.headers["accept-post"]) == (204, "application/sdp")
                for method in ("GET", "PUT", "PATCH"):
                    assert (await client.request(method, part)).status_code == 405

    async def test_peers_are_told_of_ice_servers_and_the_room_asks_them(self) -> None:
        transport, server, heard = await stun_server(answers=False)
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            room = rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url, (server,))
            headers = {"Authorization": f"Bearer {room.token}", "Content-Type": "application/sdp"}
            async with httpx.AsyncClient(timeout=20) as client:
                answer = await client.post(f"{room.url}/whep", content=await self.offer(), headers=headers)
            assert answer.status_code == 201, "a server that does not answer is gone without"
            assert answer.headers["link"] == f'<{server.url}>; rel="ice-server"'
            assert heard.askers
        transport.close()

    async def test_h264_is_chosen_where_both_can(self, place: Place) -> None:
        headers = {"Authorization": f"Bearer {place.room.token}", "Content-Type": "application/sdp"}
        async with httpx.AsyncClient() as client:
            answer = await client.post(f"{place.url}/whep", content=await self.offer(), headers=headers)
        payload = re.search(r"m=video \d+ \S+ (\d+)", answer.text)
        assert payload and f"a=rtpmap:{payload[1]} H264/90000" in answer.text

    async def test_tokens_are_never_logged(self, place: Place, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.DEBUG):
            link = place.link()
            await link.open(no_loss)
            await link.close()
        assert place.room.token not in caplog.text
