"""The newest release is asked for over TLS, in one small request that says nothing of who asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from helpers.release_host import NEWER, ReleaseHost
from overpaint import __version__, cli
from overpaint.errors import UnreachableError, UsageError
from overpaint.settings import Settings, save_settings
from overpaint.updates import newest_release as asking
from overpaint.updates.newest_release import is_newer, newest_release


async def test_a_release_is_read_with_what_is_new_in_each_language(host: ReleaseHost) -> None:
    release = await newest_release(host.url)
    assert (release.version, release.page) == ("99.1.0", "https://example.org/99")
    assert release.new_in("de") == ("Hüte.",)
    assert release.new_in("fr") == ("Hats.",), "English where it has no other"


async def test_the_question_says_nothing_of_who_asks(host: ReleaseHost) -> None:
    await newest_release(host.url)
    (asked,) = host.asked
    assert {name.lower() for name in asked} == {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "user-agent",
    }
    assert asked["User-Agent"] == "overpaint"
    assert __version__ not in str(asked)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"version": "2", "page": "https://x"}',
        b'{"version": "99.0.0; rm", "page": "https://example.org"}',
        b'{"version": "99.0.0", "page": "http://example.org"}',
        b'{"version": "99.0.0", "page": "file:///etc/passwd"}',
        json.dumps({**NEWER, "new": {"en": ["x" * 301]}}).encode(),
        json.dumps({**NEWER, "more": "x" * 70_000}).encode(),
    ],
)
async def test_an_answer_that_is_no_release_is_refused(host: ReleaseHost, body: bytes) -> None:
    host.body = body
    with pytest.raises(UnreachableError, match="no release of Overpaint"):
        await newest_release(host.url)


async def test_a_status_other_than_success_is_no_release(host: ReleaseHost) -> None:
    host.status = 404
    with pytest.raises(UnreachableError, match="no release of Overpaint"):
        await newest_release(host.url)


async def test_a_redirect_is_followed_but_not_out_of_tls(host: ReleaseHost, monkeypatch) -> None:
    host.status, host.headers = 302, {"Location": "http://localhost:1/newest.json"}
    with pytest.raises(UnreachableError, match="no release of Overpaint"):
        await newest_release(host.url)
    host.headers = {"Location": host.url}
    with pytest.raises(UnreachableError, match="there is no answer"):
        await newest_release(host.url)  # for ever
    assert len(host.asked) > 3


async def test_nobody_answers(host: ReleaseHost) -> None:
    host.close()
    with pytest.raises(
        UnreachableError, match="localhost does not say which version is the newest: there is"
    ):
        await newest_release(host.url)


async def test_an_answer_that_does_not_come_is_given_up(host: ReleaseHost, monkeypatch) -> None:
    monkeypatch.setattr(asking, "PATIENCE_S", 0.2)
    host.hold.clear()
    with pytest.raises(UnreachableError, match="there is no answer"):
        await newest_release(host.url)


async def test_a_certificate_that_nobody_vouches_for_is_not_believed(host: ReleaseHost, monkeypatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(UnreachableError, match="does not trust"):
        await newest_release(host.url)
    assert host.asked == []


@pytest.mark.parametrize("address", ["http://example.org/x", "ftp://example.org", "https://", "newest.json"])
async def test_only_an_encrypted_address_is_asked(address: str) -> None:
    with pytest.raises(UsageError, match="is not an address to ask"):
        await newest_release(address)


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_newer("0.10.0", than="0.9.9") and is_newer("1.0.0", than="0.10.3")
    assert not is_newer("0.1.0", than="0.1.0") and not is_newer("0.0.9", than="0.1.0")


def said(folder: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.app, ["version", *words, "--data-dir", str(folder)])
    if result.exception is not None and not isinstance(result.exception, SystemExit | typer.Exit):
        return 1, f"{result.exception} {getattr(result.exception, 'mend', '')}"
    return result.exit_code, result.stdout


def test_the_command_says_the_version_and_asks_nobody(tmp_path: Path) -> None:
    assert said(tmp_path) == (0, f"overpaint {__version__}\n")
    assert json.loads(said(tmp_path, "--json")[1]) == {"version": __version__}


def test_the_command_tells_of_a_newer_version(host: ReleaseHost, tmp_path: Path) -> None:
    save_settings(tmp_path, Settings(releases_address=host.url))
    code, words = said(tmp_path, "--check")
    assert code == 0
    assert words.splitlines() == [
        f"Version 99.1.0 is there; this is {__version__}.",
        "  - Hats.",
        "https://example.org/99",
    ]
    facts = json.loads(said(tmp_path, "--check", "--json")[1])
    assert (facts["newest"], facts["newer"], facts["new"]["de"]) == ("99.1.0", True, ["Hüte."])


def test_the_command_says_that_this_is_the_newest(host: ReleaseHost, tmp_path: Path) -> None:
    host.body = json.dumps({"version": __version__, "page": "https://example.org"}).encode()
    save_settings(tmp_path, Settings(releases_address=host.url))
    assert said(tmp_path, "--check") == (0, f"overpaint {__version__} is the newest version.\n")


def test_a_stranger_who_answers_cannot_write_to_the_terminal(host: ReleaseHost, tmp_path: Path) -> None:
    host.body = json.dumps({**NEWER, "new": {"en": ["\x1b[2Jgone\x07"]}}).encode()
    save_settings(tmp_path, Settings(releases_address=host.url))
    assert "\x1b" not in said(tmp_path, "--check")[1] and "\x07" not in said(tmp_path, "--check")[1]


def test_without_an_address_the_command_says_so(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(asking, "USUAL_ADDRESS", "")
    code, words = said(tmp_path, "--check")
    assert code == 1 and "no address of releases has been published" in words


def test_the_command_says_why_it_does_not_know(host: ReleaseHost, tmp_path: Path) -> None:
    host.close()
    save_settings(tmp_path, Settings(releases_address=host.url))
    code, words = said(tmp_path, "--check")
    assert code == 1 and "Check the connection to the internet" in words
