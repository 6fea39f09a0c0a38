"""The studio in a real browser, against the real service: the flow of the specification as the browser that
owns the camera goes through it. The camera is a file, and what a video shows is read from its pixels."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from helpers.browser import Browser, Page, browser, camera_file, program
from helpers.processes import until
from helpers.running_service import HastyClock, RunningService, running_service
from helpers.served import SESSIONS, Served, balance, calling

MODEL = "service-realtime-720p"
RED, GREEN = (200, 40, 40), (40, 160, 60)

pytestmark = [
    pytest.mark.skipif(program() is None, reason="no Chromium on this machine"),
    pytest.mark.timeout(240),
]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera sees red."""
    folder = tmp_path_factory.mktemp("browser")
    picture = np.full((360, 640, 3), RED, np.uint8)
    with browser(folder, camera_file(folder / "camera.mjpeg", picture)) as running:
        yield running


def session(service: Served, name: str, **order: object) -> tuple[httpx.Client, str]:
    """A caller and the secret of a session that it bought."""
    caller = service.caller(name, 25)
    answer = caller.post(SESSIONS, json={"model": MODEL, **order})
    assert answer.status_code == 201, answer.text
    secret: str = answer.json()["client_secret"]["value"]
    return caller, secret


def live(page: Page) -> None:
    """Starts the camera and waits for the restyled picture."""
    page.wait("document.querySelector('#card-buttons button') !== null")
    page.press("#card-buttons button")
    page.wait("document.body.dataset.state === 'live'")


def spread(page: Page, video: str) -> float:
    """How far a video's colour is from grey."""
    colour = page.colour(video)
    return max(colour) - min(colour) if colour else -1.0


def hurried(service: RunningService, name: str, ttl_seconds: int) -> str:
    """The secret of a session for which a minute is a second."""
    order = {"model": MODEL, "ttl_seconds": ttl_seconds}
    headers = {"Authorization": f"Bearer {service.key(name)}"}
    answer = httpx.post(f"{service.url}{SESSIONS}", json=order, headers=headers, trust_env=False)
    secret: str = answer.json()["client_secret"]["value"]
    return secret


@pytest.fixture(scope="module")
def short_lived(hasty: tuple[RunningService, HastyClock], chromium: Browser) -> Page:
    """A page whose session is live, and ends while other tests go on."""
    page = chromium.page(f"{hasty[0].url}/studio#{hurried(hasty[0], 'expiry', 600)}")
    live(page)
    return page


def greener(colour: tuple[float, float, float] | None) -> bool:
    return colour is not None and colour[1] > colour[0] + 30


class TestTheWholeFlow:
    def test_camera_result_prompt_and_photo(
        self, public: Served, chromium: Browser, short_lived: Page, tmp_path: Path
    ) -> None:
        caller, secret = session(public, "flow", prompt="black and white")
        page = chromium.page(f"{public.url}/studio#{secret}")
        assert secret not in page.run("location.href"), "for nobody who looks over a shoulder"
        assert page.run("document.querySelector('#own').srcObject") is None, "the camera waits for a press"
        live(page)
        assert spread(page, "#own") > 100, "the camera is red"
        until(lambda: 0 <= spread(page, "#result") < 12, 60, "a grey picture")
        page.wait("parseInt(document.querySelector('#billed').textContent) >= 1")
        assert 0 < int(page.run("document.querySelector('#left').textContent").split(":")[0]) < 10
        assert "1280 × 720" in page.run("document.querySelector('#measure').textContent")

        page.press("#prompt")
        page.type("soft light")
        page.key("Enter", 13, "\r")
        page.wait("document.querySelector('#understood').textContent.startsWith('Understood: ')")
        until(lambda: spread(page, "#result") > 60, 60, "colour again")

        page.press("#prompt")
        page.run("document.querySelector('#prompt').select()")
        page.type("put me in Venice with a red hat")
        page.key("Enter", 13, "\r")
        note = "document.querySelector('#not-understood')"
        page.wait(f"{note}.textContent.startsWith('Not understood: Venice, red hat. Nothing changes.')")
        assert page.run("document.querySelector('#understood').textContent") == "Understood: Soft light"
        assert page.run(f"{note}.querySelector('button').textContent") == "Photo as background …"

        photo = tmp_path / "photo.png"
        cv2.imwrite(str(photo), np.full((300, 400, 3), GREEN[::-1], np.uint8))
        page.choose_file("#photo-file", photo)
        page.wait("document.querySelector('#photo-words').textContent.startsWith('In use')")

        page.press("#prompt")
        page.run("document.querySelector('#prompt').select()")
        page.type("like your photo")
        page.key("Enter", 13, "\r")
        until(lambda: greener(page.colour("#result")), 60, "the photo's green")
        page.press("#photo-remove")
        page.wait("document.querySelector('#photo-picture').hidden")
        until(lambda: not greener(page.colour("#result")), 60, "the end of the photo's green")

        page.press("#compare")
        page.wait("getComputedStyle(document.querySelector('#own')).visibility === 'visible'")
        page.press("#leave")
        page.wait("document.body.dataset.state === 'over'")
        assert page.run("document.querySelector('#own').srcObject") is None, "the camera is off"
        page.press("#card-buttons button")
        page.wait("document.body.dataset.state === 'live'")
        assert balance(caller) == 0, "coming back costs nothing"
        assert page.complaints == []
        asked = [url.removeprefix("blob:") for url in page.requests]
        assert [url for url in asked if not url.startswith((public.url, "about:"))] == []
        page.close()

    @pytest.mark.full
    def test_the_keyboard_alone_is_enough(self, public: Served, chromium: Browser) -> None:
        _, secret = session(public, "keyboard")
        page = chromium.page(f"{public.url}/studio#{secret}")
        page.wait("document.querySelector('#card-buttons button') !== null")
        for _ in range(10):
            page.key("Tab", 9)
            if page.run("document.activeElement.closest('#card-buttons') !== null"):
                break
        page.key("Enter", 13, "\r")
        page.wait("document.body.dataset.state === 'live'")
        page.run("document.querySelector('#compare').focus()")
        page.key("Enter", 13, "\r")
        page.run("document.querySelector('#share').focus()")
        before = page.run("document.querySelector('#share').value")
        page.key("ArrowLeft", 37)
        assert page.run("document.querySelector('#share').value") < before
        names = page.run(
            "[...document.querySelectorAll('button, input, select, textarea, video')].filter((each) =>"
            " !each.hidden && !each.labels?.length && !each.textContent.trim() && !each.ariaLabel).length"
        )
        assert names == 0, "everything has a name"
        page.close()

    @pytest.mark.full
    def test_it_speaks_german(self, public: Served, chromium: Browser) -> None:
        page = chromium.page()
        agent = page.run("navigator.userAgent")
        page.call("Network.setUserAgentOverride", userAgent=agent, acceptLanguage="de-DE,de;q=0.9,en;q=0.8")
        page.go(f"{public.url}/studio#nobody-sold-this")
        page.wait("document.querySelector('#card-buttons button') !== null")
        assert page.run("document.documentElement.lang") == "de"
        assert page.run("document.querySelector('#card-buttons button').textContent") == "Kamera starten"
        silent = "[...document.querySelectorAll('[data-say]')].filter((each) => !each.textContent).length"
        assert page.run(silent) == 0 and page.complaints == [
            f"Failed to load resource: the server responded with a status of 401 (Unauthorized) "
            f"{public.url}/studio/session"
        ]
        page.close()

    @pytest.mark.full
    def test_a_look_of_the_gallery_is_a_prompt(self, public: Served, chromium: Browser) -> None:
        _, secret = session(public, "gallery", prompt="soft light")
        page = chromium.page(f"{public.url}/studio#{secret}")
        live(page)
        page.run("document.querySelector('#looks button[data-title=\"Black and white\"]').click()")
        until(lambda: 0 <= spread(page, "#result") < 12, 60, "a grey picture")
        page.close()


class TestWhatGoesWrong:
    def test_an_unknown_secret_is_told(self, public: Served, chromium: Browser) -> None:
        page = chromium.page(f"{public.url}/studio#nobody-sold-this")
        page.wait("document.querySelector('#card-buttons button') !== null")
        page.press("#card-buttons button")
        page.wait("document.querySelector('#card-head').textContent === 'This link is not known'")
        assert page.run("document.querySelector('#own').srcObject") is None
        page.close()

    def test_a_key_has_no_business_here(self, public: Served, chromium: Browser) -> None:
        page = chromium.page(f"{public.url}/studio")
        page.wait("!document.querySelector('#secret-form').hidden")
        page.press("#secret")
        page.type("ovp_live_0123456789")
        page.key("Enter", 13, "\r")
        page.wait("document.querySelector('#card-text').textContent.startsWith('This is an API key')")
        assert page.run("JSON.stringify(sessionStorage)") == "{}"
        page.close()

    @pytest.mark.full
    def test_a_second_window_takes_over_and_the_first_is_told(
        self, public: Served, chromium: Browser
    ) -> None:
        _, secret = session(public, "twice")
        first, second = (chromium.page(f"{public.url}/studio#{secret}") for _ in range(2))
        live(first)
        live(second)
        first.wait("document.querySelector('#card-head').textContent === 'The session was closed'")
        first.close()
        second.close()

    @pytest.mark.full
    def test_the_end_of_its_time(self, short_lived: Page) -> None:
        page = short_lived
        page.wait("document.querySelector('#card-head').textContent === \"The session's time is over\"")
        assert page.run("document.querySelector('#own').srcObject") is None, "the camera is off"
        assert page.run("document.querySelector('#left').textContent") == "0:00"
        page.close()

    @pytest.mark.full
    def test_a_lost_connection_comes_back_by_itself(
        self, hasty: tuple[RunningService, HastyClock], chromium: Browser
    ) -> None:
        service = hasty[0]
        page = chromium.page()
        page.call(
            "Page.addScriptToEvaluateOnNewDocument",
            source="window.sockets = []; window.WebSocket = class extends WebSocket {"
            " constructor(...all) { super(...all); window.sockets.push(this); } };",
        )
        page.go(f"{service.url}/studio#{hurried(service, 'lost', 1800)}")
        live(page)
        page.run("sockets.at(-1).close(3000)")
        page.wait("document.body.dataset.state === 'lost'")
        page.wait("document.body.dataset.state === 'live'")
        assert page.run("sockets.length") == 2
        page.close()


class TestTheRoom:
    @pytest.mark.full
    async def test_ffmpeg_publishes_and_several_browsers_watch(
        self, public: Served, chromium: Browser, tmp_path: Path
    ) -> None:
        from websockets.asyncio.client import connect

        from overpaint.wire.control import RtcJoin, RtcRoomInfo, parse_server

        caller = public.caller("obs", 25)
        bought = caller.post(SESSIONS, json={"model": MODEL, "prompt": "soft light"}).json()
        async with connect(bought["websocket_url"], proxy=None) as socket:
            await socket.send(RtcJoin().model_dump_json())
            while not isinstance(info := parse_server(await socket.recv()), RtcRoomInfo):
                pass  # its place in the queue
            program = Path(__file__).parents[1] / "helpers" / "ffmpeg_whip.py"
            publisher = await asyncio.create_subprocess_exec(
                *(sys.executable, str(program), f"{info.rtc_url}/whip", info.token),
                *(str(tmp_path), "640", "360", "20"),
            )
            try:
                await asyncio.to_thread(self._watch, public, chromium, info.rtc_url, info.token)
            finally:
                with suppress(ProcessLookupError):
                    publisher.kill()
                await publisher.wait()

    def _watch(self, public: Served, chromium: Browser, url: str, token: str) -> None:
        pages = [chromium.page(f"{public.url}/studio") for _ in range(3)]
        for page in pages:
            page.run(
                "(async () => { const { watch, show } = await import('/studio/rooms.js');"
                f" window.peer = await watch('{url}/whep', '{token}');"
                " show(document.querySelector('#result'), peer.stream); })()"
            )
        for page in pages:
            page.wait("peer.frames().then((count) => count > 10)")
            page.wait("document.querySelector('#result').videoWidth === 1280")
            page.close()

    @pytest.mark.full
    def test_ice_servers_that_the_service_names_are_used(self, public: Served, chromium: Browser) -> None:
        _, secret = session(public, "ice")
        page = chromium.page()
        page.call(
            "Page.addScriptToEvaluateOnNewDocument",
            source="window.asked = []; const Plain = RTCPeerConnection, plain = fetch;"
            " window.RTCPeerConnection = class extends Plain {"
            " constructor(all) { super(all); asked.push(JSON.stringify(all.iceServers)); } };"
            " window.fetch = async (...all) => { const answer = await plain(...all);"
            " if (answer.status === 201) { const get = answer.headers.get.bind(answer.headers);"
            " answer.headers.get = (name) => name === 'Link' ? named : get(name); } return answer; };"
            ' const named = \'<stun:127.0.0.1:9>; rel="ice-server", <https://example.org>; rel="help",'
            ' <turn:127.0.0.1:9?transport=tcp>; rel="ice-server"; username="me"; credential="a\\\\"b,c";'
            ' credential-type="password"\';',
        )
        page.go(f"{public.url}/studio#{secret}")
        live(page)
        asked = [json.loads(each) for each in page.run("asked")]
        assert asked[0] == [] and asked[-1] == [
            {"urls": "stun:127.0.0.1:9"},
            {"urls": "turn:127.0.0.1:9?transport=tcp", "username": "me", "credential": 'a"b,c'},
        ]
        page.close()


class TestThePage:
    def test_it_loads_nothing_from_elsewhere(self, public: Served) -> None:
        client = public.client()
        page = client.get("/studio")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy and "*" not in policy
        assert page.headers["permissions-policy"].startswith("camera=(self), microphone=()")
        assert page.headers["referrer-policy"] == "no-referrer"
        assert "style=" not in page.text and "<script>" not in page.text
        assert re.findall(r"(?:src|href)=\"(?!studio/)", page.text) == []

    def test_only_what_belongs_to_it_is_handed_out(self, public: Served) -> None:
        client = public.client()
        assert client.get("/studio/studio.js").headers["content-type"].startswith("text/javascript")
        assert client.get("/studio/looks/ink-comic.webp").headers["content-type"] == "image/webp"
        for path in ("nothing.js", "watch.js", "..%2Fslate%2Fslate.png", "looks/..%2Fink-comic.toml"):
            assert client.get(f"/studio/{path}").status_code == 404, path

    def test_how_long_a_session_lasts_is_told_to_its_secret_alone(self, public: Served) -> None:
        client = public.client()
        caller, secret = session(public, "asked", ttl_seconds=120)
        told = client.get("/studio/session", headers={"Authorization": f"Bearer {secret}"}).json()
        assert 100 < told["expires_in_seconds"] <= 120 and (told["width"], told["height"]) == (1280, 720)
        for headers in ({}, {"Authorization": "Bearer nobody"}, {"Authorization": "Basic eA=="}):
            assert client.get("/studio/session", headers=headers).status_code == 401
        key = caller.headers["authorization"]
        assert client.get("/studio/session", headers={"Authorization": key}).status_code == 401

    def test_what_is_free_on_this_computer_is_not_called_billed(self, tmp_path: Path) -> None:
        facts = []
        with running_service(tmp_path) as service:
            for key in (service.ledger.mint_local_key().key, service.key("payer", 25)):
                with calling(service.url, key) as caller:
                    secret = caller.post(SESSIONS, json={"model": MODEL}).json()["client_secret"]["value"]
                headers = {"Authorization": f"Bearer {secret}"}
                told = httpx.get(f"{service.url}/studio/session", headers=headers, trust_env=False)
                facts.append(told.json()["free"])
        assert facts == [True, False]

    def test_it_is_no_part_of_the_published_interface(self, public: Served) -> None:
        assert not [path for path in public.client().get("/openapi.json").json()["paths"] if "studio" in path]
