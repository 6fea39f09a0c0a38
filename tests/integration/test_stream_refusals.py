"""Bad input gets one clear line and the right exit code, and nothing is lost."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from helpers.clips import person_clip
from helpers.processes import end_all, overpaint
from helpers.small_media import picture
from overpaint.cli import run
from overpaint.media.opener import decoder


@pytest.fixture(autouse=True)
def nothing_left_running(data_folder: Path) -> Iterator[None]:
    yield
    end_all(data_folder)


def stream(*arguments: str, **environment: str) -> tuple[int, str]:
    result = overpaint("stream", *arguments, **environment)
    lines = result.stderr.strip().splitlines()
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(lines) == 1, result.stderr
    return result.returncode, lines[0]


def test_a_missing_file() -> None:
    code, line = stream("--source", "nowhere.mp4", "--prompt", "oil", "--output", "null")
    assert code == 1 and line.startswith("There is no file nowhere.mp4.")


@pytest.mark.full
def test_a_text_file_as_video(tmp_path: Path) -> None:
    notes = tmp_path / "notes.mp4"
    notes.write_text("These are notes.\n" * 100)
    code, line = stream("--source", str(notes), "--prompt", "oil", "--output", "null")
    assert code == 1 and line.startswith("notes.mp4 is not a video or picture")


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="a machine without a camera is certain only in CI")
def test_no_camera() -> None:
    code, line = stream(
        "--source", "camera", "--prompt", "oil", "--output", "null", QT_LOGGING_RULES="*=false"
    )
    assert code == 1 and "camera" in line


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="a machine without v4l2loopback is certain only in CI")
def test_no_virtual_camera() -> None:
    code, line = stream("--source", str(person_clip()), "--prompt", "oil", "--output", "camera")
    assert code == 1 and "no virtual camera" in line


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_a_screen_without_a_display() -> None:
    code, line = stream(
        *("--source", "screen", "--prompt", "oil", "--output", "null"),
        DISPLAY="",
        WAYLAND_DISPLAY="",
        QT_LOGGING_RULES="*=false",
    )
    assert code == 1 and "display" in line


@pytest.mark.full
def test_an_unknown_model() -> None:
    result = overpaint("stream", "--source", "demo", "--prompt", "oil", "--model", "service-realtime-8k")
    assert result.returncode == 2 and "--model" in result.stderr


@pytest.mark.full
def test_no_look_at_all() -> None:
    code, line = stream("--source", "demo", "--output", "null")
    assert code == 2 and line.startswith("A look is missing.")


@pytest.mark.full
def test_an_unknown_look_gets_the_nearest_reading() -> None:
    result = overpaint(
        *("stream", "--source", str(person_clip()), "--prompt", "gorblax ninefold", "--output", "null"),
        *("--seconds", "0.3", "--json"),
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["frames_out"] > 0


@pytest.mark.full
def test_a_reference_that_is_no_picture(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"not a picture")
    code, line = stream("--source", "demo", "--reference", str(photo), "--output", "null")
    assert code == 1 and line.startswith("photo.jpg is not a picture.")


@pytest.mark.full
def test_a_clip_as_backdrop_is_refused_before_anything_starts() -> None:
    code, line = stream("--source", "demo", "--backdrop", str(person_clip()), "--output", "null")
    assert code == 1 and "is a clip: only a photo can stand behind people." in line


@pytest.mark.full
def test_two_photos_for_one_picture(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(picture(form="JPEG"))
    both = ("--backdrop", str(photo), "--reference", str(photo))
    code, line = stream("--source", "demo", *both, "--output", "null")
    assert code == 2 and "--backdrop or --reference" in line


@pytest.mark.full
def test_a_reference_that_cannot_be_decoded_here_is_not_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(picture(form="JPEG"))
    monkeypatch.setattr(decoder, "own_command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"])
    assert run(["stream", "--source", "demo", "--reference", str(photo), "--output", "null"]) == 1
    assert "photo.jpg cannot be used. The picture decoder does not run." in capsys.readouterr().err


@pytest.mark.full
def test_a_recording_into_no_folder(tmp_path: Path) -> None:
    out = tmp_path / "no" / "out.mp4"
    code, line = stream("--source", str(person_clip()), "--prompt", "oil", "--output", str(out))
    assert code == 1 and line.startswith("There is no folder")


@pytest.mark.full
def test_a_server_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    result = overpaint(
        *("stream", "--source", str(person_clip()), "--prompt", "oil", "--output", "null"),
        *("--server", f"http://127.0.0.1:{port}", "--patience", "1"),
        OVERPAINT_API_KEY="ovp_test_" + "a" * 43,
    )
    assert result.returncode == 1 and "Nobody answers" in result.stderr


@pytest.mark.full
def test_a_service_elsewhere_without_encryption_gets_no_key_unless_that_is_allowed(tmp_path: Path) -> None:
    secret = "ovp_test_" + "a" * 43
    elsewhere = ("--server", "http://gpu-box.invalid:8787")
    code, line = stream(
        *("--source", "demo", "--prompt", "oil", "--output", "null", *elsewhere), OVERPAINT_API_KEY=secret
    )
    assert code == 2 and "http://gpu-box.invalid:8787 is not encrypted" in line and "--allow-http" in line
    words = ("transform", str(person_clip()), "--prompt", "oil", "-o", str(tmp_path / "out.mp4"), *elsewhere)
    result = overpaint(*words, OVERPAINT_API_KEY=secret)
    assert result.returncode == 2 and "--allow-http" in result.stderr and secret not in result.stderr
    allowed = overpaint(*words, "--allow-http", OVERPAINT_API_KEY=secret)
    assert allowed.returncode == 1 and "encrypted" not in allowed.stderr, "it was tried"


@pytest.mark.full
def test_no_key_for_a_server_and_no_keyring() -> None:
    code, line = stream(
        *("--source", str(person_clip()), "--prompt", "oil", "--output", "null"),
        *("--server", "https://example.invalid"),
        PYTHON_KEYRING_BACKEND="keyring.backends.fail.Keyring",
    )
    assert code == 1 and "keyring" in line and "OVERPAINT_API_KEY" in line


@pytest.mark.full
def test_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = overpaint("serve", "--port", str(port))
    assert result.returncode == 1
    assert str(port) in result.stderr and len(result.stderr.strip().splitlines()) == 1


@pytest.mark.full
def test_a_balance_that_is_too_low(data_folder: Path) -> None:
    """A key with 24 credits: the stream ends with the reason, and nothing is charged."""
    created = json.loads(
        overpaint(
            *("keys", "create", "--name", "poor", "--environment", "test", "--account", "poor"),
            *("--credits", "24", "--json"),
        ).stdout
    )
    first = overpaint(
        *("stream", "--source", str(person_clip()), "--prompt", "oil", "--output", "null", "--seconds", "0.2")
    )
    assert first.returncode == 0, first.stderr
    from overpaint.processes import roles

    channel = roles.call(data_folder, "core")
    assert channel is not None
    welcome = channel.receive(timeout=5)
    assert welcome is not None
    url = json.loads(welcome)["url"]
    code, line = stream(
        *("--source", str(person_clip()), "--prompt", "oil", "--output", "null", "--server", url),
        OVERPAINT_API_KEY=created["key"],
    )
    channel.close()
    assert code == 1 and "credits" in line.lower()
    listed = json.loads(overpaint("keys", "list", "--json").stdout)
    assert [row["credits"] for row in listed if row["name"] == "poor"] == [24]


@pytest.mark.skipif(sys.platform != "linux", reason="makes a small disk with Linux's tmpfs")
@pytest.mark.full
def test_a_disk_that_another_program_fills_up_while_recording(tmp_path: Path) -> None:
    """The stream ends with the reason; what was recorded can be played."""
    small, kept = tmp_path / "small", tmp_path / "kept.mp4"
    small.mkdir()
    result = subprocess.run(
        [
            *("unshare", "-rm", "sh", "-c"),
            'mount -t tmpfs -o size=90m none "$1"; '
            '(until [ -s "$1/full.mp4" ]; do sleep 0.1; done; sleep 1; '
            'cat /dev/zero > "$1/other") 2>/dev/null & '
            '"$2" -m overpaint stream --source "$3" --prompt oil --output "$1/full.mp4" --seconds 30; '
            'code=$?; cp "$1/full.mp4" "$4"; exit $code',
            *("sh", str(small), sys.executable, str(person_clip()), str(kept)),
        ],
        capture_output=True,
        text=True,
        timeout=80,
    )
    assert result.returncode == 1, result.stderr
    # The last readings of the disk may see it before a write does.
    assert result.stderr.startswith(("The disk is full", "The disk is almost full")), result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    with av.open(str(kept)) as container:
        assert next(container.decode(video=0)).width == 1920
