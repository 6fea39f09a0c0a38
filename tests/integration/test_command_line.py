"""The command line is a contract: names, fields and exit codes that checks and users rely on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

import overpaint as package
from helpers.processes import overpaint
from helpers.served import say
from overpaint.folders import kernel_dir
from overpaint.ledger import Ledger, ledger_url


def test_keys_are_created_shown_once_listed_masked_and_revoked() -> None:
    created = json.loads(
        overpaint(
            *("keys", "create", "--name", "desk", "--environment", "test", "--account", "studio"),
            *("--credits", "40", "--json"),
        ).stdout
    )
    assert set(created) == {"key", "masked", "name", "environment", "account"}
    assert re.fullmatch(r"ovp_test_\w{43}", created["key"])
    assert created["masked"] == f"ovp_test_…{created['key'][-4:]}"
    added = overpaint("credits", "add", "60", "--key-name", "desk")
    assert added.returncode == 0 and "100" in added.stdout
    listed = overpaint("keys", "list", "--json").stdout
    assert created["key"] not in listed
    assert [(row["name"], row["credits"], row["revoked_at"]) for row in json.loads(listed)] == [
        ("desk", 100, None)
    ]
    assert overpaint("keys", "revoke", "--name", "desk").returncode == 0
    assert json.loads(overpaint("keys", "list", "--json").stdout)[0]["revoked_at"]


def test_the_desktops_own_account_is_listed_as_free_and_nobody_elses_key_gets_it(data_folder: Path) -> None:
    ledger = Ledger(ledger_url(data_folder))
    ledger.mint_local_key()
    ledger.close()
    say("keys", "create", "--name", "shop", "--environment", "live", "--credits", "40")
    here, shop = say("keys", "list").splitlines()
    assert here.startswith("This computer  ovp_live_") and here.endswith("  live  local  free")
    assert shop.endswith("  live  shop  40 credits")
    topped, balance = say("credits", "list").splitlines()
    assert topped.endswith("  +2500  Free on this computer: topped up") and balance == "2500 credits"
    said = json.loads(say("credits", "list", "--key-name", "shop", "--json"))
    [entry] = said["entries"]
    assert (said["credits_remaining"], entry["credits"], entry["reason"]) == (40, 40, "credits added")
    assert overpaint("credits", "list", "--key-name", "nobody").returncode == 1
    refused = overpaint("keys", "create", "--name", "local", "--environment", "live")
    assert refused.returncode == 2 and "--account NAME" in refused.stderr


def test_what_a_prompt_would_do_is_told_without_a_service(data_folder: Path) -> None:
    def told(prompt: str) -> dict[str, object]:
        done = overpaint("understand", prompt, "--json")
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    hat = told("warm watercolour, and give me a red hat, only the person")
    assert list(hat) == [
        "look", "changes", "where", "scene", "clothes", "hair", "material", "not_understood", "hint",
    ]  # fmt: skip
    assert hat == {
        "look": "watercolour",
        "changes": ["warm"],
        "where": "person",
        "scene": None,
        "clothes": None,
        "hair": None,
        "material": None,
        "not_understood": ["red", "hat"],
        "hint": "Ask a computer with a GPU whose service has a generative model (--server).",
    }
    beach = told("a marble statue on a beach at sunset. Red denim jacket, pink hair")
    assert (beach["scene"], beach["clothes"]) == ("beach-sunset", "red denim")
    assert (beach["material"], beach["hair"]) == ("marble", "pink")
    assert beach["not_understood"] == [] and beach["hint"] is None
    venice = told("put me in Venice at sunset")
    assert (venice["look"], venice["changes"]) == (None, [])
    assert venice["hint"] == "Use a photo of Venice as background."
    spoken = overpaint("understand", "put me in Venice").stdout.splitlines()
    assert spoken == [
        "The picture stays as it is.",
        "Not understood: Venice",
        "Use a photo of Venice as background.",
    ]
    assert not any(data_folder.glob("*.json")), "no service was started"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("keys", "revoke", "--name", "nobody"), 1, "nobody"),
        (("stream",), 2, "--source"),
        *(
            pytest.param(*each, marks=pytest.mark.full)
            for each in (
                (("keys", "create", "--name", "desk"), 2, "--environment"),
                (("credits", "add", "5", "--key-name", "nobody"), 1, "nobody"),
                (("credits", "add", "-5", "--key-name", "nobody"), 2, ""),
                (("paint",), 2, "paint"),
                (("serve", "--port", "70000"), 2, "--port"),
                (("looks", "--data-dir", "/dev/null/x"), 2, ""),
            )
        ),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = overpaint(*arguments)
    assert result.returncode == code, result.stderr
    assert words in result.stderr and "Traceback" not in result.stderr


def test_a_data_folder_that_cannot_be_used_is_named() -> None:
    result = overpaint("keys", "list", OVERPAINT_DATA_DIR="/dev/null/nowhere")
    assert result.returncode == 2
    assert "/dev/null/nowhere" in result.stderr and "--data-dir" in result.stderr


def test_looks_are_listed_for_people_and_programs() -> None:
    rows = json.loads(overpaint("looks", "--json").stdout)
    assert len(rows) >= 8
    keys = {"kind", "name", "title", "description", "group", "needs", "own", "live"}
    assert all(set(row) == keys for row in rows)
    assert {"look", "scene"} <= {row["kind"] for row in rows}
    words = overpaint("looks").stdout
    assert all(row["name"] in words and (row["description"] or row["title"]) in words for row in rows)
    assert words.index("Scenes:") > words.index("pencil-sketch")


@pytest.mark.full
def test_listing_looks_loads_neither_qt_nor_the_engine() -> None:
    script = (
        "import sys; from overpaint.cli import run; run(['looks']);"
        "print({'PySide6', 'numba', 'cv2', 'av', 'fastapi'} & set(sys.modules), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert result.stderr.strip() == "set()"


def test_the_doctor_says_what_works_and_how_to_mend_the_rest() -> None:
    findings = json.loads(overpaint("doctor", "--json", QT_LOGGING_RULES="*=false").stdout)
    parts = {finding["part"]: finding for finding in findings}
    assert {"camera output", "display", "cameras", "video codecs", "engine", "nets", "keyring"} <= set(parts)
    assert parts["video codecs"]["verdict"] == "ok"
    assert parts["sandbox"]["text"].startswith("Decoders of pictures, clips and nets are confined in: ")
    assert all(finding["mend"] for finding in findings if finding["verdict"] == "missing")
    words = overpaint("doctor", QT_LOGGING_RULES="*=false")
    assert parts["camera output"]["text"] in words.stdout
    works = all(finding["verdict"] != "missing" for finding in findings)
    assert words.returncode == (0 if works else 1), "a script learns whether Overpaint can do its job"


@pytest.mark.parametrize("backend", ["fail", "null"])
def test_the_doctor_says_where_keys_cannot_be_stored(backend: str) -> None:
    chosen = f"keyring.backends.{backend}.Keyring"
    told = overpaint("doctor", "--json", QT_LOGGING_RULES="*=false", PYTHON_KEYRING_BACKEND=chosen)
    found = next(finding for finding in json.loads(told.stdout) if finding["part"] == "keyring")
    assert found["verdict"] == "warning"
    assert "cannot be stored" in found["text"] and "OVERPAINT_API_KEY" in found["mend"]


def test_the_version() -> None:
    assert overpaint("--version").stdout == f"overpaint {package.__version__}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_the_app_without_a_display_names_the_two_ways_on() -> None:
    clean = {name: "" for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM") if name in os.environ}
    result = overpaint(**clean)
    assert result.returncode == 1
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and "xvfb-run" in lines[0] and "overpaint stream" in lines[0]


@pytest.mark.skipif(sys.platform != "linux", reason="the cache's folder is moved as Linux does it")
@pytest.mark.full
def test_one_process_at_a_time_compiles_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A core that is killed and started again leaves one compiler behind, not one each time."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernel_dir().mkdir(parents=True)
    with FileLock(str(kernel_dir() / "warm.lock")):
        assert overpaint("warm", "--beside").returncode == 0
    assert [path.name for path in kernel_dir().iterdir() if path.name != "warm.lock"] == []
