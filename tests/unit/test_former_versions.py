"""What a released version left opens in this one: keys, balances, settings, presets and lists are the same.

tests/data_folders/VERSION holds a data folder of each version, made by packaging/data_folder.py when it was
released, and in ``expected.json`` what is in it.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.auditor import trial_balance
from overpaint import __version__
from overpaint.folders import data_dir
from overpaint.gui.looks.presets import Preset
from overpaint.gui.window_memory import load_remembered
from overpaint.ledger import Ledger, Purse, ledger_url
from overpaint.session.batch.queue_history import TransformHistory
from overpaint.settings import load_settings
from overpaint.wire.credits import Charge

ROOT = Path(__file__).parents[2]
FORMER = ROOT / "tests" / "data_folders"
VERSIONS = sorted(path.name for path in FORMER.iterdir() if path.is_dir())

# The ledger is copied, and says so, where a later version has altered its tables.
pytestmark = [
    pytest.mark.parametrize("version", VERSIONS),
    pytest.mark.expect_log("is a copy from before"),
]


@pytest.fixture
def folder(version: str, tmp_path: Path) -> Path:
    """A copy of that version's data folder."""
    return data_dir(shutil.copytree(FORMER / version, tmp_path / "left"))


@pytest.fixture
def expected(version: str) -> dict[str, Any]:
    """What that version said is in it."""
    facts: dict[str, Any] = json.loads((FORMER / version / "expected.json").read_text("utf-8"))
    return facts


def test_keys_work_and_balances_are_the_same(folder: Path, expected: dict[str, Any]) -> None:
    url = str(ledger_url(folder))
    assert expected["balances"]["credits:shop:live"] == 525
    for _ in range(2):
        ledger = Ledger(url, migrates=True)
        record = ledger.find_key(expected["key"])
        assert record is not None and record.purse == Purse("shop", "live")
        assert ledger.balance(record.purse) == 525
        ledger.close()
    assert trial_balance(url) == expected["balances"], "every account, to the credit"


def test_the_books_go_on(folder: Path, expected: dict[str, Any]) -> None:
    url = str(ledger_url(folder))
    ledger = Ledger(url, migrates=True)
    assert ledger.add_credits("shop", 5) == 530
    ledger.close()
    assert sum(trial_balance(url).values()) == 0


def test_settings_are_the_same(folder: Path, expected: dict[str, Any]) -> None:
    now = load_settings(folder).model_dump()
    assert {name: now[name] for name in expected["settings"] if name in now} == expected["settings"]


def test_the_window_opens_as_it_was_left(folder: Path, expected: dict[str, Any]) -> None:
    now = load_remembered(folder).model_dump(mode="json")
    former = expected["window"]
    former_habits, habits = former.pop("habits"), now["habits"]
    assert {name: now[name] for name in former} == former
    assert {name: habits[name] for name in former_habits} == former_habits


def test_presets_are_the_same(folder: Path, expected: dict[str, Any]) -> None:
    presets = [
        Preset.model_validate_json(path.read_bytes()) for path in (folder / "presets").glob("*.overpaint")
    ]
    assert {preset.name: preset.prompt for preset in presets} == expected["presets"]


def test_the_lists_of_files_and_charges_are_the_same(folder: Path, expected: dict[str, Any]) -> None:
    history = TransformHistory(folder / "transforms.db")
    entries = history.load()
    history.close()
    assert {entry.item.id: entry.item.result for entry in entries} == expected["transforms"]
    lines = (folder / "charges.jsonl").read_text("utf-8").splitlines()
    assert len([Charge.model_validate_json(line) for line in lines]) == expected["charges"] > 0


def test_a_credit_that_appears_would_be_found(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as books, books:
        last = "SELECT MAX(entry), 'credits:shop:live', 1 FROM postings"
        books.execute(f"INSERT INTO postings (entry, account, amount) {last}")
    with pytest.raises(AssertionError, match="does not balance"):
        trial_balance(ledger_url(folder))


def test_every_version_of_the_changelog_has_left_its_folder(version: str) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert set(released) | {__version__} <= set(VERSIONS), "run `make data-folder`, and keep what it writes"
