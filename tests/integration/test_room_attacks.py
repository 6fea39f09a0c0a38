"""What somebody with a room's token may not do: real HTTP, real UDP sockets, the packets counted."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from helpers.media_rooms import served
from overpaint.media.links import Caller
from overpaint.media.webrtc.desktop_link import WebRtcRoom
from overpaint.media.webrtc.media_room import MAX_VIEWERS
from overpaint.media.webrtc.peer import new_connection

WIDTH, HEIGHT = 320, 180
SDP = {"Content-Type": "application/sdp"}
FRAGMENT = {"Content-Type": "application/trickle-ice-sdpfrag"}
ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}
"""What a proxy on this host says of a client somewhere else."""
IP_PKTINFO = 8
"""Of Linux: a packet is read together with the address that it was sent to."""


@pytest.fixture
async def room() -> AsyncIterator[WebRtcRoom]:
    rooms: dict[str, WebRtcRoom] = {}
    async with served(rooms) as base_url:
        rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url)
        yield rooms["room"]


@pytest.fixture
async def client(room: WebRtcRoom) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=room.url, timeout=60, trust_env=False) as running:
        yield running


async def offer(direction: str = "recvonly") -> str:
    """An offer without any candidate."""
    connection = new_connection()
    connection.addTransceiver("video", direction=direction)
    await connection.setLocalDescription(await connection.createOffer())
    sdp = str(connection.localDescription.sdp)
    await connection.close()
    return "".join(line for line in sdp.splitlines(keepends=True) if "candidate" not in line)


def candidates(*places: tuple[str, int], kind: str = "host") -> str:
    lines = (
        f"a=candidate:{number} 1 udp 2130706431 {host} {port} typ {kind}"
        + (" raddr 0.0.0.0 rport 9" if kind != "host" else "")
        for number, (host, port) in enumerate(places)
    )
    return "".join(f"{line}\r\n" for line in lines)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


class Target:
    """A UDP port on every loopback address: whoever is hit there, and how often."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self._socket.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        self._socket.bind(("0.0.0.0", 0))
        self.port: int = self._socket.getsockname()[1]
        self.packets = 0
        self.hosts: set[str] = set()

    def read(self) -> None:
        """Counts what has come."""
        with contextlib.suppress(BlockingIOError):
            while True:
                _, parts, _, _ = self._socket.recvmsg(2048, 256)
                self.packets += 1
                self.hosts.update(socket.inet_ntoa(data[8:12]) for _, _, data in parts)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def target() -> Iterator[Target]:
    if sys.platform != "linux":
        pytest.skip("every address of 127.0.0.0/8 is this host's on Linux alone")
    listening = Target()
    yield listening
    listening.close()


class TestPlaces:
    async def test_offers_that_come_at_once_get_no_more_than_the_viewers_allowed(
        self, room: WebRtcRoom, client: httpx.AsyncClient
    ) -> None:
        sdp = await offer()
        answers = await asyncio.gather(
            *(client.post("/whep", content=sdp, headers=SDP | bearer(room.viewer_token)) for _ in range(24))
        )
        codes = sorted(answer.status_code for answer in answers)
        assert codes == [201] * MAX_VIEWERS + [429] * (24 - MAX_VIEWERS)
        assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 429)
        # A place that was left is another's, and an offer that failed kept none.
        left = next(answer.headers["location"] for answer in answers if answer.status_code == 201)
        origin = room.url.partition("/v1/")[0]
        await client.delete(origin + left, headers=bearer(room.viewer_token))
        broken = sdp.replace("a=mid:0", "a=mid:0\r\na=mid:1")
        for body in (broken.replace("H264", "H26X").replace("VP8", "VP7"), sdp):
            answer = await client.post("/whep", content=body, headers=SDP | bearer(room.viewer_token))
        assert answer.status_code == 201

    async def test_of_publishers_that_come_at_once_the_last_one_publishes_and_no_other_is_left(
        self, room: WebRtcRoom, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        negotiate, delays = room._negotiate, iter([0.5, 0.4, 0.3, 0.2, 0.1, 0.0])

        async def slower_at_first(*arguments: Any) -> None:
            await asyncio.sleep(next(delays))
            await negotiate(*arguments)

        monkeypatch.setattr(room, "_negotiate", slower_at_first)
        sdp = await offer("sendonly")
        answers = await asyncio.gather(
            *(room.answer_publisher(sdp, Caller(room.token, "127.0.0.1")) for _ in range(6))
        )
        assert [member.id for member in room._members.values()] == [answers[-1][0]]


class TestCandidates:
    async def hit(self, room: WebRtcRoom, client: httpx.AsyncClient, target: Target, **headers: str) -> None:
        """Offers 899 loopback addresses, and as many again by PATCH."""
        places = [(f"127.{1 + number // 250}.7.{number % 250 + 1}", target.port) for number in range(899)]
        sdp = await offer()
        kind = "relay" if headers.pop("relay", "") else "host"
        many = [sdp + candidates(*places, kind=kind), sdp + candidates(*places[:30], kind=kind)]
        for body in many:
            answer = await client.post("/whep", content=body, headers=SDP | bearer(room.token) | headers)
            if answer.status_code == 201:
                break
        else:
            answer = await client.post("/whep", content=sdp, headers=SDP | bearer(room.token) | headers)
        resource = room.url.partition("/v1/")[0] + answer.headers["location"]
        match = {"If-Match": answer.headers["etag"]}
        for first in range(0, 899, 50):
            await client.patch(
                resource,
                content=f"a=mid:0\r\n{candidates(*places[first : first + 50], kind=kind)}",
                headers=FRAGMENT | bearer(room.token) | match | headers,
            )
        for _ in range(20):
            await asyncio.sleep(0.1)
            target.read()

    async def test_a_client_of_this_host_cannot_have_every_loopback_address(
        self, room: WebRtcRoom, client: httpx.AsyncClient, target: Target
    ) -> None:
        await self.hit(room, client, target)
        assert target.packets == 0, f"{target.packets} packets to {len(target.hosts)} addresses"

    @pytest.mark.parametrize("relay", ["", "yes"])
    async def test_a_client_elsewhere_has_no_loopback_address_at_all(
        self, room: WebRtcRoom, client: httpx.AsyncClient, target: Target, relay: str
    ) -> None:
        sdp = await offer() + candidates(("127.0.0.1", target.port))
        headers = SDP | bearer(room.token) | ELSEWHERE
        assert (await client.post("/whep", content=sdp, headers=headers)).status_code == 201
        await self.hit(room, client, target, relay=relay, **ELSEWHERE)
        assert target.packets == 0, f"{target.packets} packets to {len(target.hosts)} addresses"

    async def test_one_whose_proxy_does_not_say_where_it_came_from_is_no_client_of_this_host(
        self, room: WebRtcRoom, client: httpx.AsyncClient, target: Target
    ) -> None:
        """As of a tunnel: its connection comes from loopback, but it asked for another name."""
        sdp = await offer() + candidates(("127.0.0.1", target.port))
        headers = SDP | bearer(room.token) | {"Host": "api.example.org"}
        assert (await client.post("/whep", content=sdp, headers=headers)).status_code == 201
        for _ in range(10):
            await asyncio.sleep(0.1)
            target.read()
        assert target.packets == 0

    async def test_a_client_of_this_host_is_met_and_gets_few_packets(
        self, room: WebRtcRoom, client: httpx.AsyncClient, target: Target
    ) -> None:
        sdp = await offer() + candidates(("127.0.0.1", target.port))
        headers = SDP | bearer(room.token)
        assert (await client.post("/whep", content=sdp, headers=headers)).status_code == 201
        for _ in range(20):
            await asyncio.sleep(0.1)
            target.read()
        assert 1 <= target.packets < 40 and target.hosts == {"127.0.0.1"}

    async def test_candidates_are_counted_over_the_offer_and_all_that_follows(
        self, room: WebRtcRoom, client: httpx.AsyncClient
    ) -> None:
        with contextlib.ExitStack() as stack:
            sockets = [
                stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(120)
            ]
            for each in sockets:
                each.bind(("127.0.0.1", 0))
                each.setblocking(False)
            places = [each.getsockname() for each in sockets]
            headers = bearer(room.token)
            sdp = await offer() + candidates(*places[:12])
            answer = await client.post("/whep", content=sdp, headers=SDP | headers)
            resource = room.url.partition("/v1/")[0] + answer.headers["location"]
            headers |= FRAGMENT | {"If-Match": answer.headers["etag"]}
            codes = []
            for place in places[12:]:
                body = f"a=mid:0\r\n{candidates(place)}"
                codes.append((await client.patch(resource, content=body, headers=headers)).status_code)
            assert codes.count(204) >= 30 and codes[-1] == 429, "further ones are refused for good"
            reached = set()
            for _ in range(20):
                await asyncio.sleep(0.1)
                for number, each in enumerate(sockets):
                    with contextlib.suppress(BlockingIOError):
                        reached.add(number if each.recv(2048) else -1)
            assert reached and len(reached) <= 16, sorted(reached)

    @pytest.mark.parametrize("sections", [3, 30])
    async def test_an_offer_has_one_picture_and_one_sound_at_most(
        self, room: WebRtcRoom, client: httpx.AsyncClient, sections: int
    ) -> None:
        """Each section that is not bundled would have sockets of its own."""
        connection = new_connection()
        connection.addTransceiver("video", direction="sendonly")
        connection.addTransceiver("audio", direction="sendonly")
        await connection.setLocalDescription(await connection.createOffer())
        sdp = str(connection.localDescription.sdp)
        await connection.close()
        audio = sdp[sdp.index("m=audio") :] if sdp.index("m=audio") > sdp.index("m=video") else ""
        assert audio
        more = "".join(re.sub(r"a=mid:\S+", f"a=mid:x{number}", audio) for number in range(sections - 2))
        answer = await client.post("/whip", content=sdp + more, headers=SDP | bearer(room.token))
        assert answer.status_code == 400, answer.text
        assert (await client.post("/whip", content=sdp, headers=SDP | bearer(room.token))).status_code == 201


class TestWhoMayEndWhat:
    async def test_a_viewers_token_neither_ends_nor_changes_the_publisher(
        self, room: WebRtcRoom, client: httpx.AsyncClient
    ) -> None:
        answer = await client.post("/whip", content=await offer("sendonly"), headers=SDP | bearer(room.token))
        resource = room.url.partition("/v1/")[0] + answer.headers["location"]
        viewer = bearer(room.viewer_token)
        patch = FRAGMENT | viewer | {"If-Match": answer.headers["etag"]}
        body = f"a=mid:0\r\n{candidates(('127.0.0.1', 50000))}"
        assert (await client.patch(resource, content=body, headers=patch)).status_code == 401
        assert (await client.delete(resource, headers=viewer)).status_code == 401
        assert (
            await client.patch(resource, content=body, headers=patch | bearer(room.token))
        ).status_code == 204
        assert (await client.delete(resource, headers=bearer(room.token))).status_code == 200

    async def test_a_viewer_that_came_with_the_room_token_is_not_ended_by_one_who_only_watches(
        self, room: WebRtcRoom, client: httpx.AsyncClient
    ) -> None:
        sdp = await offer()
        origin = room.url.partition("/v1/")[0]
        own = await client.post("/whep", content=sdp, headers=SDP | bearer(room.token))
        theirs = await client.post("/whep", content=sdp, headers=SDP | bearer(room.viewer_token))
        refused = await client.delete(origin + own.headers["location"], headers=bearer(room.viewer_token))
        assert refused.status_code == 401
        # Whose room it is may send anybody away.
        sent = await client.delete(origin + theirs.headers["location"], headers=bearer(room.token))
        assert sent.status_code == 200
