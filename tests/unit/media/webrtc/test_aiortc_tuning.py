"""Each limit of aiortc that the link lifts, seen from outside: what comes in, what goes out."""

from __future__ import annotations

import asyncio
import queue
import socket
import threading
from importlib import metadata

import av
import numpy as np
import pytest
from aioice import Connection, ice, stun
from aiortc import RTCRtpSender, codecs, rtcpeerconnection, rtcrtpreceiver, rtcrtpsender
from aiortc.codecs import base, depayload, get_encoder
from aiortc.jitterbuffer import JitterFrame
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from aiortc.rtp import RtpPacket

from helpers.numbered_pictures import read_stamps, stamped
from overpaint.errors import LinkError
from overpaint.media import pictures
from overpaint.media.access_units import AccessUnit
from overpaint.media.frames import Picture
from overpaint.media.webrtc import aiortc_tuning, ice_sockets
from overpaint.media.webrtc.aiortc_tuning import CompletedFrame, DecodedFrameSink
from overpaint.media.webrtc.av_frames import to_picture, to_video_frame
from overpaint.media.webrtc.codecs import bits_per_second
from overpaint.media.webrtc.peer import new_connection

WIDTH, HEIGHT = 320, 180
H264 = RTCRtpCodecParameters(mimeType="video/H264", clockRate=90000, payloadType=99)
VP8 = RTCRtpCodecParameters(mimeType="video/VP8", clockRate=90000, payloadType=97)


@pytest.fixture(autouse=True)
def tuned() -> None:
    aiortc_tuning.apply()


def encode(
    encoder: base.Encoder, number: int, key: bool = False, size: tuple[int, int] = (WIDTH, HEIGHT)
) -> bytes:
    """One stamped picture through the encoder and out of its RTP payloads again."""
    codec = VP8 if type(encoder).__name__.startswith("LiveVp8") else H264
    payloads, _ = encoder.encode(to_video_frame(stamped(number, *size), number * 3000), key)
    return b"".join(depayload(codec, payload) for payload in payloads)


def units(data: bytes) -> list[int]:
    """The NAL unit types of an Annex B picture."""
    return [part[0] & 0x1F for part in data.split(b"\x00\x00\x00\x01")[1:]]


class TestBombs:
    @pytest.mark.parametrize("codec", [H264, VP8], ids=["H264", "VP8"])
    def test_a_picture_larger_than_any_screen_is_not_decoded(
        self, codec: RTCRtpCodecParameters, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(aiortc_tuning, "MOST_PIXELS", WIDTH * HEIGHT)
        encoders = [get_encoder(codec) for _ in range(2)]
        large = encode(encoders[0], 1, key=True, size=(WIDTH * 2, HEIGHT * 2))
        small = encode(encoders[1], 2, key=True)
        shown: list[tuple[int, int]] = []
        came: queue.Queue[tuple[RTCRtpCodecParameters, JitterFrame] | None] = queue.Queue()
        for number, data in enumerate((large, small)):
            came.put((codec, JitterFrame(data=data, timestamp=number * 3000)))
        came.put(None)
        sink = DecodedFrameSink(
            lambda picture, _: shown.append((picture.width, picture.height)), lambda: None
        )
        loop = asyncio.new_event_loop()
        try:
            aiortc_tuning.decode_to_sink(loop, came, sink, threading.Event())
        finally:
            loop.close()
        assert shown == [(WIDTH, HEIGHT)]


class TestApplying:
    def test_twice_is_once(self) -> None:
        before = rtcrtpreceiver.JitterBuffer
        aiortc_tuning.apply()
        assert rtcrtpreceiver.JitterBuffer is before

    def test_another_version_is_refused_with_the_way_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(metadata, "version", {"aiortc": "1.16.0", "aioice": "1.0.0"}.get)
        with pytest.raises(LinkError, match=r"aioice 1\.0\.0 is installed") as refusal:
            aiortc_tuning.apply()
        assert "aioice>=0.12,<0.14" in refusal.value.mend

    @pytest.mark.parametrize(
        ("owner", "name"),
        [
            (codecs, "H264Encoder"),
            (rtcrtpreceiver, "TimestampMapper"),
            (rtcrtpsender, "RTP_HISTORY_SIZE"),
            (rtcpeerconnection, "RTCRtpSender"),
            (ice, "get_host_addresses"),
        ],
    )
    def test_something_gone_is_named(self, owner: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(owner, name)
        with pytest.raises(LinkError, match=name):
            aiortc_tuning.apply()


class TestEncoders:
    def test_aiortc_makes_ours(self) -> None:
        assert type(get_encoder(H264)).__name__ == "LiveH264Encoder"
        assert type(get_encoder(VP8)).__name__ == "LiveVp8Encoder"

    def test_the_bitrate_suits_the_size(self) -> None:
        assert bits_per_second(1920, 1080) == 8_000_000
        assert bits_per_second(1280, 720) == pytest.approx(4_000_000, rel=0.02)

    def test_h264_has_a_full_picture_at_first_and_then_only_when_asked(self) -> None:
        encoder = get_encoder(H264)
        pictures = [units(encode(encoder, number, key=number == 310)) for number in range(330)]
        full = [number for number, types in enumerate(pictures) if 5 in types]
        assert full == [0, 310]
        assert {7, 8} <= set(pictures[310]), "parameter sets come with every full picture"

    def test_h264_is_baseline(self) -> None:
        data = encode(get_encoder(H264), 0)
        parameters = next(part for part in data.split(b"\x00\x00\x00\x01")[1:] if part[0] & 0x1F == 7)
        assert parameters[1] == 66

    def test_vp8_has_a_full_picture_at_first_and_then_only_when_asked(self) -> None:
        encoder = get_encoder(VP8)
        pictures = [encode(encoder, number, key=number == 150) for number in range(160)]
        assert [number for number, data in enumerate(pictures) if data[0] & 1 == 0] == [0, 150]

    @pytest.mark.parametrize("codec", [H264, VP8])
    def test_every_picture_comes_out_at_once_with_its_own_time(self, codec: RTCRtpCodecParameters) -> None:
        encoder, decoder = get_encoder(codec), codecs.get_decoder(codec)
        for number, time in enumerate([4_000_000_000, 3, 17, 5]):
            payloads, stamp = encoder.encode(to_video_frame(stamped(number, WIDTH, HEIGHT), time), False)
            assert stamp == time
            data = b"".join(depayload(codec, payload) for payload in payloads)
            (picture,) = decoder.decode(JitterFrame(data, stamp))
            assert isinstance(picture, av.VideoFrame)
            assert picture.pts == time
            assert read_stamps(to_picture(picture)) == (number, number)

    @pytest.mark.parametrize("codec", [H264, VP8])
    def test_the_receivers_estimate_does_not_open_the_encoder_again(
        self, codec: RTCRtpCodecParameters
    ) -> None:
        encoder = get_encoder(codec)
        encode(encoder, 0)
        inside, rate = encoder.codec, encoder.target_bitrate
        encoder.target_bitrate = 100_000
        encode(encoder, 1)
        assert encoder.codec is inside
        assert encoder.target_bitrate == rate == bits_per_second(WIDTH, HEIGHT)

    def test_h264_steps_its_rate_without_a_full_picture(self) -> None:
        encoder = get_encoder(H264)
        noise = np.random.default_rng(1)
        sizes, full = [], []
        for number in range(60):
            encoder.share = 0.5 if number >= 30 else 1.0
            image = noise.integers(16, 235, (HEIGHT * 6, WIDTH * 4), np.uint8)  # 720p
            payloads, _ = encoder.encode(to_video_frame(image, number * 3000), False)
            data = b"".join(depayload(H264, payload) for payload in payloads)
            sizes.append(len(data))
            full.append(5 in units(data))
        assert full == [True] + [False] * 59
        assert sum(sizes[40:]) / 20 < 0.7 * sum(sizes[10:30]) / 20

    @pytest.mark.parametrize("codec", [H264, VP8])
    def test_a_small_share_makes_the_picture_smaller_and_of_the_same_shape(
        self, codec: RTCRtpCodecParameters
    ) -> None:
        encoder, decoder = get_encoder(codec), codecs.get_decoder(codec)
        encoder.share = 0.15
        payloads, stamp = encoder.encode(to_video_frame(stamped(5, WIDTH, HEIGHT), 3000), False)
        data = b"".join(depayload(codec, payload) for payload in payloads)
        (picture,) = decoder.decode(JitterFrame(data, stamp))
        assert (picture.width, picture.height) == (WIDTH // 2, HEIGHT // 2)
        assert read_stamps(pictures.fit(to_picture(picture), WIDTH, HEIGHT)) == (5, 5)

    def test_another_size_begins_afresh(self) -> None:
        encoder = get_encoder(H264)
        encode(encoder, 0)
        assert 5 in units(encode(encoder, 1, size=(160, 96)))

    def test_offers_name_a_level_that_1080p_needs(self) -> None:
        known = RTCRtpSender.getCapabilities("video").codecs
        levels = {codec.parameters["profile-level-id"] for codec in known if codec.mimeType == "video/H264"}
        assert levels == {"42002a", "42e02a"}


FULL_PICTURE = b"\x00\x00\x00\x01\x67"
"""How an H.264 picture begins that needs no other: with its parameter sets."""


def packet(sequence: int, time: int, marker: int = 0, data: bytes = b"") -> RtpPacket:
    made = RtpPacket(payload_type=99, sequence_number=sequence, timestamp=time, marker=marker)
    made._data = data or bytes([sequence % 256])  # type: ignore[attr-defined]
    return made


class TestJitterBuffer:
    def test_the_marker_bit_ends_a_frame(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(16, is_video=True)
        assert buffer.add(packet(1, 100)) == (False, None)
        assert buffer.add(packet(2, 100)) == (False, None)
        _, frame = buffer.add(packet(3, 100, marker=1))
        assert frame is not None and frame.data == bytes([1, 2, 3]) and frame.timestamp == 100

    def test_packets_out_of_order_are_put_in_order(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(16, is_video=True)
        buffer.add(packet(1, 100))
        assert buffer.add(packet(3, 100, marker=1))[1] is None
        _, frame = buffer.add(packet(2, 100))
        assert frame is not None and frame.data == bytes([1, 2, 3])

    def test_a_sender_without_marker_bits_is_served_by_the_next_frame(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(16, is_video=True)
        for sequence in (1, 2, 3):
            assert buffer.add(packet(sequence, 100))[1] is None
        _, frame = buffer.add(packet(4, 200))
        assert frame is not None and frame.data == bytes([1, 2, 3])

    def test_a_frame_after_given_up_packets_says_so(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(16, is_video=True)
        buffer.add(packet(1, 100, marker=1))
        frames = [buffer.add(packet(sequence, sequence * 100, marker=1)) for sequence in range(3, 30)]
        assert any(gave_up for gave_up, _ in frames)
        whole = [frame for _, frame in frames if isinstance(frame, CompletedFrame)]
        assert whole[0].after_loss
        assert not any(frame.after_loss for frame in whole[1:])

    def test_a_packet_that_stays_away_is_given_up_after_a_while(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(512, is_video=True)
        buffer.add(packet(1, 0, marker=1))
        outcomes = []
        for frame in range(1, 19):
            first = 2 * frame + 1  # packet 2 never comes
            outcomes.append(buffer.add(packet(first, frame * 3000)))
            outcomes.append(buffer.add(packet(first + 1, frame * 3000, marker=1)))
        asked = [index for index, (gave_up, _) in enumerate(outcomes) if gave_up]
        assert asked == [26], "once, 0.4 s after the first frame that it holds up"
        whole = [frame for _, frame in outcomes if isinstance(frame, CompletedFrame)]
        assert [frame.timestamp for frame in whole] == [42_000, 45_000, 48_000, 51_000, 54_000]
        assert [frame.after_loss for frame in whole] == [True, False, False, False, False]

    def test_a_packet_sent_again_completes_all_that_it_held_up(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(512, is_video=True)
        buffer.add(packet(1, 0, marker=1))
        for frame in range(1, 5):
            buffer.add(packet(frame + 2, frame * 3000, marker=1))
        _, first = buffer.add(packet(2, 1500, marker=1))
        rest = iter(buffer.pop, None)
        assert [each.timestamp for each in (first, *rest)] == [1500, 3000, 6000, 9000, 12_000]

    def test_after_giving_up_a_full_picture_is_not_held_up_by_what_came_before_it(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(512, is_video=True)
        buffer.add(packet(1, 0, marker=1))
        for frame in range(1, 30):
            buffer.add(packet(10 * frame, frame * 3000))  # of each only one packet of ten comes
        _, frame = buffer.add(packet(400, 90_000, marker=1, data=FULL_PICTURE))
        assert frame is not None and frame.timestamp == 90_000 and frame.after_loss

    def test_a_repeat_that_comes_too_late_changes_nothing(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(512, is_video=True)
        for sequence in range(1, 400):
            buffer.add(packet(sequence, sequence * 3000, marker=1))
        assert buffer.add(packet(5, 15_000, marker=1)) == (False, None)
        assert buffer.add(packet(400, 1_200_000, marker=1))[1] is not None

    def test_a_slow_source_loses_nothing(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(512, is_video=True)
        for number in range(5):
            assert buffer.add(packet(2 * number + 1, number * 90_000)) == (False, None)
            gave_up, frame = buffer.add(packet(2 * number + 2, number * 90_000, marker=1))
            assert frame is not None and not gave_up

    def test_sound_is_buffered_as_before(self) -> None:
        buffer = rtcrtpreceiver.JitterBuffer(16, prefetch=1)
        assert buffer.add(packet(1, 100, marker=1))[1] is None
        assert buffer.add(packet(2, 200))[1] is not None


class TestRepair:
    def test_each_gap_is_asked_for_once_and_not_again_with_the_next(self) -> None:
        gaps = rtcrtpreceiver.NackGenerator()
        asked = [gaps.missing for sequence in (1, 3, 4, 6) if gaps.add(packet(sequence, 0))]
        assert asked == [[2], [5]]

    def test_a_sender_keeps_as_many(self) -> None:
        assert rtcrtpsender.RTP_HISTORY_SIZE == rtcrtpreceiver.RTP_HISTORY_SIZE == 1024


class Decoding:
    """A receiver's decoder thread, fed by hand."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []
        self.units: list[AccessUnit | None] = []
        self.ended = threading.Event()
        self.wants_full_picture = threading.Event()
        self._queue: queue.Queue[tuple[RTCRtpCodecParameters, JitterFrame] | None] = queue.Queue()
        self.busy = threading.Lock()
        sink = DecodedFrameSink(self._deliver, self.ended.set)
        self._loop = asyncio.new_event_loop()
        arguments = (self._loop, self._queue, sink, self.wants_full_picture)
        self._thread = threading.Thread(target=rtcrtpreceiver.decoder_worker, args=arguments)
        self._thread.start()

    def _deliver(self, frame: av.VideoFrame, unit: AccessUnit | None) -> None:
        with self.busy:
            self.pictures.append(to_picture(frame))
            self.units.append(unit)

    def feed(self, data: bytes, after_loss: bool = False) -> None:
        self._queue.put((H264, CompletedFrame(data, 0, after_loss)))

    def finish(self) -> list[int]:
        self._queue.put(None)
        self._thread.join()
        self._loop.close()
        return [read_stamps(picture)[0] for picture in self.pictures]


class TestDecoding:
    def test_pictures_go_to_the_sink_and_it_hears_the_end(self) -> None:
        encoder, thread = get_encoder(H264), Decoding()
        for number in range(5):
            thread.feed(encode(encoder, number))
        assert thread.finish() == [0, 1, 2, 3, 4]
        assert thread.ended.is_set()

    def test_after_a_loss_nothing_is_shown_until_a_full_picture(self) -> None:
        encoder, thread = get_encoder(H264), Decoding()
        for number in range(10):
            data = encode(encoder, number, key=number == 7)
            if number != 3:
                thread.feed(data, after_loss=number == 4)
        assert thread.finish() == [0, 1, 2, 7, 8, 9]
        assert thread.wants_full_picture.is_set()

    def test_a_stream_joined_in_its_middle_asks_for_a_full_picture(self) -> None:
        encoder, thread = get_encoder(H264), Decoding()
        encode(encoder, 0)
        thread.feed(encode(encoder, 1))
        assert thread.finish() == []
        assert thread.wants_full_picture.is_set()

    def test_a_decoder_that_fell_behind_goes_on_with_the_next_full_picture(self) -> None:
        encoder, thread = get_encoder(H264), Decoding()
        with thread.busy:
            for number in range(60):
                thread.feed(encode(encoder, number, key=number == 55))
        shown = thread.finish()
        assert shown[-5:] == [55, 56, 57, 58, 59]
        assert len(shown) < 10, "what was waiting is not shown late"
        assert thread.wants_full_picture.is_set()

    def test_garbage_is_survived(self) -> None:
        encoder, thread = get_encoder(H264), Decoding()
        thread.feed(encode(encoder, 0))
        thread.feed(b"\x00\x00\x00\x01\x65" + bytes(range(200)))
        thread.feed(encode(encoder, 1, key=True))
        shown = thread.finish()
        assert shown[0] == 0 and shown[-1] == 1


class TestTimestamps:
    def test_a_receiver_leaves_them_alone(self) -> None:
        times = rtcrtpreceiver.TimestampMapper()
        assert [times.map(stamp) for stamp in (4_294_967_290, 5, 3)] == [4_294_967_290, 5, 3]

    def test_only_a_senders_own_task_has_no_random_origin(self) -> None:
        assert len({rtcrtpsender.random32() for _ in range(4)}) > 1


class TestSockets:
    async def test_buffers_hold_more_than_a_full_picture(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plain:
            usual = [
                plain.getsockopt(socket.SOL_SOCKET, option) for option in (socket.SO_RCVBUF, socket.SO_SNDBUF)
            ]
        connection = Connection(ice_controlling=True)
        await connection.gather_candidates()
        for protocol in connection._protocols:
            sock = protocol.transport.get_extra_info("socket")
            for option, before in zip((socket.SO_RCVBUF, socket.SO_SNDBUF), usual, strict=True):
                assert sock.getsockopt(socket.SOL_SOCKET, option) > before
        await connection.close()

    async def test_what_the_system_does_not_take_is_not_kept_for_later(self) -> None:
        class Full:
            waiting = 0

            def get_write_buffer_size(self) -> int:
                return self.waiting

            def sendto(self, data: bytes, address: tuple[str, int]) -> None:
                self.waiting += len(data)

        protocol = ice_sockets.RoomyStunProtocol(Connection(ice_controlling=True))
        protocol.transport = transport = Full()
        for _ in range(1000):
            await protocol.send_data(bytes(1200), ("127.0.0.1", 9))
        assert transport.waiting < 70_000

    async def test_consent_is_waited_for_on_a_way_of_more_than_half_a_second(self) -> None:
        """As aioice asks for it: without a repeat."""
        protocol = ice_sockets.RoomyStunProtocol(Connection(ice_controlling=True))
        asked: list[stun.Message] = []

        def send(message: stun.Message, address: tuple[str, int]) -> None:
            answer = stun.Message(message.message_method, stun.Class.RESPONSE, message.transaction_id)
            asked.append(message)
            transaction = protocol.transactions[message.transaction_id]
            asyncio.get_running_loop().call_later(0.7, transaction.response_received, answer, address)

        protocol.send_stun = send
        message = stun.Message(stun.Method.BINDING, stun.Class.REQUEST)
        answer, _ = await protocol.request(message, ("127.0.0.1", 9), retransmissions=0)
        assert answer.transaction_id == message.transaction_id and len(asked) == 2

    def test_loopback_is_the_first_address(self) -> None:
        assert ice_sockets.host_addresses(True, True)[0] == "127.0.0.1"
        assert "127.0.0.1" not in ice_sockets.host_addresses(False, True)

    async def test_two_ends_meet_with_loopback_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ice_sockets, "_plain_host_addresses", lambda use_ipv4, use_ipv6: [])
        here, there = new_connection(), new_connection()
        here.createDataChannel("any")
        up = asyncio.Event()
        there.on("connectionstatechange", lambda: up.set() if there.connectionState == "connected" else None)
        await here.setLocalDescription(await here.createOffer())
        await there.setRemoteDescription(here.localDescription)
        await there.setLocalDescription(await there.createAnswer())
        await here.setRemoteDescription(there.localDescription)
        await asyncio.wait_for(up.wait(), 10)
        await asyncio.gather(here.close(), there.close())
