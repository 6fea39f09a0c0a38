"""Reference photos: sent or fetched, of every kind, good or bad, from the first frame on."""

from __future__ import annotations

import asyncio
import base64
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from pillow_heif import register_heif_opener

from helpers.control_client import JOIN, Publisher, create, open_socket, order, photo
from helpers.matrix import few_of
from helpers.running_service import RunningService, running_service
from helpers.scripted_transformer import ScriptedTransformer
from overpaint.core.configuration import ServiceConfig
from overpaint.transforms.pool import WorkerPool


class PhotoServer(ThreadingHTTPServer):
    """A customer's server on loopback: pictures by their path, and how often it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.asked = 0
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, PhotoServer)
        server.asked += 1
        if self.path.startswith("/slow"):
            server.released.wait(20)
        body = server.files.get(self.path.rpartition("/")[2])
        self.send_response(404 if body is None else 200)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body or b"")

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """With real workers, and allowed to fetch from this machine."""
    config = ServiceConfig(allow_private_urls=True)
    folder = tmp_path_factory.mktemp("service")
    with running_service(folder, config=config, transformer=WorkerPool(folder / "workers")) as running:
        yield running


@pytest.fixture
def customer() -> Iterator[PhotoServer]:
    with PhotoServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()


def picture(level: int, form: str, **options: Any) -> bytes:
    """A grey picture file, twice as wide as high."""
    register_heif_opener()
    out = io.BytesIO()
    Image.new("RGB", (128, 64), (level, level, level)).save(out, form, **options)
    return out.getvalue()


async def test_a_new_photo_shows_and_keeps_the_prompt(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert await client.ask("set_image_ack", type="set_image", image_data=photo(200)) == {
                "type": "set_image_ack",
                "success": True,
            }
            await publisher.level(200)
            await client.ask("set_image_ack", type="set_image", image_data=photo(77), prompt="oil")
            await publisher.level(77)
            ack = await client.ask("prompt_ack", type="prompt", prompt="ink")
            assert ack["prompt"] == "ink, expanded, like a photo of 64×64"


@pytest.mark.parametrize(
    ("image_data", "part"),
    [
        ("%%%", "base64"),
        (base64.b64encode(b"hello").decode(), "not a"),
        (photo()[:40] + "=" * (-len(photo()[:40]) % 4), "damaged"),
        ("A" * (12 * 1024 * 1024 - 200), "8 MB"),
        (photo(side=4), "too small"),
    ],
)
async def test_a_bad_photo_is_one_sentence_and_the_style_stays(
    service: RunningService, image_data: str, part: str
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        ack = await client.ask("set_image_ack", type="set_image", image_data=image_data)
        assert ack["success"] is False and part in ack["error"]
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)


async def test_a_photo_is_taken_away_by_an_empty_one_and_does_not_come_back(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        await client.ask("set_image_ack", type="set_image", image_data=photo(170))
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert abs(await publisher.first() - 170) <= 3
            ack = await client.ask("set_image_ack", type="set_image", image_data="")
            assert ack == {"type": "set_image_ack", "success": True}
            await publisher.level(90)
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)


@pytest.mark.parametrize("form", few_of(["PNG", "JPEG", "WEBP", "AVIF", "HEIF", "BMP"], {"JPEG", "HEIF"}))
async def test_a_photo_may_be_of_any_usual_kind(service: RunningService, form: str) -> None:
    data = base64.b64encode(picture(170, form)).decode()
    async with open_socket(create(service)["websocket_url"]) as client:
        ack = await client.ask("set_image_ack", type="set_image", image_data=data)
        assert ack == {"type": "set_image_ack", "success": True}
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert abs(await publisher.first() - 170) <= 3


async def test_a_photo_is_upright_as_its_exif_tells(service: RunningService) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    data = base64.b64encode(picture(170, "JPEG", exif=exif)).decode()
    async with open_socket(create(service)["websocket_url"]) as client:
        await client.ask("set_image_ack", type="set_image", image_data=data)
        ack = await client.ask("prompt_ack", type="prompt", prompt="ink")
        assert ack["prompt"] == "ink, expanded, like a photo of 64×128"


async def test_the_photo_set_at_creation_shows_from_the_first_frame(
    service: RunningService, customer: PhotoServer
) -> None:
    customer.files["a.jpg"] = picture(170, "JPEG")
    session = create(service, prompt="level 90", reference_image_url=f"{customer.url}/a.jpg")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert abs(await publisher.first() - 170) <= 3
            await client.hear("generation_started")
            assert "reference_image_error" not in {each["type"] for each in client.told}
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert abs(await publisher.first() - 170) <= 3
    assert customer.asked == 1


async def test_a_join_waits_for_a_photo_that_is_on_its_way_and_prompts_meanwhile_count(
    service: RunningService, customer: PhotoServer
) -> None:
    customer.files["a.png"] = picture(170, "PNG")
    session = create(service, prompt="level 90", reference_image_url=f"{customer.url}/slow/a.png")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await client.ask("prompt_ack", type="prompt", prompt="ink")
            assert publisher.link.received.take(0.5) is None
            customer.released.set()
            assert await publisher.first() == 170
            ack = await client.ask("prompt_ack", type="prompt", prompt="oil")
            assert ack["prompt"] == "oil, expanded, like a photo of 128×64"


async def test_a_photo_that_is_sent_supersedes_one_that_is_on_its_way(
    service: RunningService, customer: PhotoServer
) -> None:
    customer.files["a.png"] = picture(170, "PNG")
    session = create(service, reference_image_url=f"{customer.url}/slow/a.png")
    async with open_socket(session["websocket_url"]) as client:
        ack = await client.ask("set_image_ack", type="set_image", image_data=photo(77))
        assert ack["success"] is True
        info = await client.ask("rtc_room_info", **JOIN)
        customer.released.set()
        async with Publisher(info) as publisher:
            assert await publisher.first() == 77
            await client.hear("generation_tick")
            await publisher.level(77)


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("missing.png", None, "cannot be"),
        ("text.png", b"hello", "not a"),
        ("cut.png", picture(170, "PNG")[:60], "damaged"),
        ("large.png", b"\x89PNG\r\n\x1a\n" + bytes(8 * 1024 * 1024), "8 MB"),
    ],
)
async def test_a_photo_that_cannot_be_had_is_told_and_the_stream_goes_on(
    service: RunningService, customer: PhotoServer, name: str, content: bytes | None, part: str
) -> None:
    if content is not None:
        customer.files[name] = content
    session = create(service, prompt="level 90", reference_image_url=f"{customer.url}/{name}")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        error = await client.hear("reference_image_error")
        assert part in error["error"] and "127.0.0.1" not in error["error"]
        async with Publisher(info) as publisher:
            assert await publisher.first() == 90
            await client.hear("generation_tick")


async def test_a_photo_on_a_private_address_is_not_fetched(tmp_path: Path, customer: PhotoServer) -> None:
    customer.files["a.png"] = picture(170, "PNG")
    with running_service(tmp_path) as service:
        session = create(service, prompt="level 90", reference_image_url=f"{customer.url}/a.png")
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            assert "cannot be reached" in (await client.hear("reference_image_error"))["error"]
            async with Publisher(info) as publisher:
                assert await publisher.first() == 90
    assert customer.asked == 0


@pytest.mark.parametrize("genuine", [True, False])
async def test_an_uploaded_file_is_a_photo_and_a_forged_url_is_none(tmp_path: Path, genuine: bool) -> None:
    with running_service(tmp_path, transformer=WorkerPool(tmp_path / "workers")) as service:
        key = service.key()
        answer = await asyncio.to_thread(
            httpx.post,
            f"{service.url}/v1/files",
            files={"file": ("a.png", picture(170, "PNG"))},
            headers={"Authorization": f"Bearer {key}"},
        )
        url = answer.json()["url"]
        if not genuine:
            url = url[:-1] + ("A" if url[-1] != "A" else "B")
        session = order(service.url, key, prompt="level 90", reference_image_url=url)
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            if not genuine:
                assert "no file of this service" in (await client.hear("reference_image_error"))["error"]
            async with Publisher(info) as publisher:
                assert await publisher.first() == (170 if genuine else 90)


async def test_a_lost_socket_comes_back_to_its_prompt_its_photo_and_its_seconds(
    service: RunningService,
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        await client.ask("prompt_ack", type="prompt", prompt="ink")
        await client.ask("set_image_ack", type="set_image", image_data=photo(201))
        async with Publisher(info) as publisher:
            await publisher.level(201)
            await client.hear("generation_tick")
            client.socket.transport.abort()
            await asyncio.sleep(0.1)
            await publisher.level(201)  # frames go on while nobody is at the socket
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert await publisher.first() == 201
            assert (await client.hear("generation_tick"))["seconds"] >= 2


class _Stuck(ScriptedTransformer):
    """Never comes to the end of a photo."""

    def __init__(self) -> None:
        super().__init__()
        self.decoding = self.asked = 0

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        self.decoding, self.asked = self.decoding + 1, self.asked + 1
        try:
            await asyncio.Event().wait()
        finally:
            self.decoding -= 1
        return source

    def only(self, number: int) -> bool:
        """Whether a photo came so often, and one at most is decoded."""
        return self.asked >= number and self.decoding <= 1


async def test_a_session_decodes_no_photo_of_a_socket_that_was_replaced(tmp_path: Path) -> None:
    """Whoever opens socket after socket and sends each a photo would fill the memory with them."""
    stuck, rounds = _Stuck(), 5
    with running_service(tmp_path, transformer=stuck) as service:
        session = create(service)
        for number in range(1, rounds + 1):
            async with open_socket(session["websocket_url"]) as client:
                for _ in range(3):
                    await client.say(type="set_image", image_data=photo(200))
                await _comes(partial(stuck.only, number))
        assert stuck.asked == rounds
        async with open_socket(session["websocket_url"]):
            await _comes(lambda: stuck.decoding == 0 and not list(tmp_path.rglob("*.sent")))


async def _comes(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
