"""Keys in the system's keyring: a real one, none at all, and one that never answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from overpaint import credentials
from overpaint.errors import CredentialError

pytestmark = pytest.mark.process


SERVER = "https://studio.example"


@pytest.fixture(autouse=True)
def no_override(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(credentials.KEY_VARIABLE, raising=False)


def in_a_process(script: str, home: Path, *before: str) -> subprocess.CompletedProcess[str]:
    foreign = ("XDG_", "DBUS", "DISPLAY")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    home.mkdir(mode=0o700, exist_ok=True)
    places = {f"XDG_{part}": str(home / part) for part in ("DATA_HOME", "CONFIG_HOME", "CACHE_HOME")}
    for place in (*places.values(), str(home / "run")):
        Path(place).mkdir(mode=0o700, exist_ok=True)
    return subprocess.run(
        [*before, sys.executable, "-c", script],
        env=clean | places | {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a keyring of the user's own")
def test_a_real_secret_service_keeps_and_replaces(tmp_path: Path) -> None:
    assert shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session"), "run make setup"
    script = (
        "import json\n"
        "from overpaint.credentials import get_key, keyring_name, set_key\n"
        f"server = {SERVER!r}\n"
        "told = [get_key(server)]\n"
        "set_key(server, 'one'); set_key(server + '/', 'two'); set_key('https://other', 'three')\n"
        "told += [get_key(server), get_key(server.upper()), get_key('https://other')]\n"
        "told += [keyring_name()]\n"
        "print(json.dumps(told))\n"
    )
    unlocked = 'echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec "$@"'
    result = in_a_process(script, tmp_path / "home", "dbus-run-session", "--", "bash", "-c", unlocked, "_")
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert told[:4] == [None, "two", "two", "three"]
    kept = b"".join(file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())
    assert b"three" not in kept  # not even there in plain text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a keyring")
def test_without_a_keyring_each_question_is_one_clear_sentence(tmp_path: Path) -> None:
    script = (
        "from overpaint import credentials\n"
        "from overpaint.errors import CredentialError\n"
        "for ask in (credentials.get_key, lambda s: credentials.set_key(s, 'k')):\n"
        "    try:\n"
        f"        ask({SERVER!r})\n"
        "    except CredentialError as error:\n"
        "        print(error.kind, error.line)\n"
    )
    result = in_a_process(script, tmp_path / "home")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert line.startswith("no_keyring The system's keyring is missing or locked.")
        assert "OVERPAINT_API_KEY" in line


def test_the_environment_wins_over_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(credentials.KEY_VARIABLE, "from the environment")
    assert credentials.get_key(SERVER) == "from the environment"


class _Asks(KeyringBackend):
    """A keyring that waits for its user for ever."""

    priority = 1  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        time.sleep(3)
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        time.sleep(3)

    def delete_password(self, service: str, username: str) -> None:
        time.sleep(3)


def test_a_keyring_that_never_answers_does_not_block_for_ever() -> None:
    former = keyring.get_keyring()
    keyring.set_keyring(_Asks())
    try:
        began = time.monotonic()
        with pytest.raises(CredentialError, match="does not answer") as refusal:
            credentials.get_key(SERVER, timeout_s=0.1)
        assert time.monotonic() - began < 2 and refusal.value.kind == "no_keyring"
    finally:
        keyring.set_keyring(former)
