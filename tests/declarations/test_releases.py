"""Releases: the tree fits its version, installed versions read what a release says, workflows are pinned."""

from __future__ import annotations

import hashlib
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from overpaint import __version__
from overpaint.updates import newest_release

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE: dict[str, Any] = runpy.run_path(str(ROOT / "packaging" / "releases" / "release.py"))

CHANGELOG = f"""# Changelog

## [Unreleased]

- Later.

## [3.1.0], 2027-01-01

### Added

- A `camera` without a driver,
  which **everybody** has.
- {"Long " * 100}

## [3.0.0]

- Before.
"""


def test_everything_in_the_tree_fits_its_version() -> None:
    assert RELEASE["faults"](__version__, ROOT) == []


def test_what_does_not_fit_a_tag_is_named() -> None:
    found = RELEASE["faults"]("9.9.9", ROOT)
    assert len(found) == 5 and "pyproject.toml" in found[0] and "make data-folder" in found[-1]
    with pytest.raises(SystemExit, match="no tag of a release"):
        RELEASE["version_of"]("9.9.9")


def test_installed_versions_read_what_a_release_says(tmp_path: Path) -> None:
    (tmp_path / "overpaint_3.1.0_amd64.deb").write_bytes(b"a package")
    RELEASE["describe"]("3.1.0", "https://example.org/3.1.0", tmp_path, CHANGELOG)
    said = newest_release._Document.model_validate_json((tmp_path / "newest.json").read_bytes())
    assert (said.version, said.page) == ("3.1.0", "https://example.org/3.1.0")
    first, long = said.new["en"]
    assert first == "A camera without a driver, which everybody has."
    assert long.endswith(" …") and len(long) <= 300
    assert "Later" not in str(said.new) and "Before" not in str(said.new)
    assert "A `camera`" in (tmp_path / "notes.md").read_text("utf-8")


def test_checksums_are_of_every_package_and_of_nothing_else(tmp_path: Path) -> None:
    packages = {"a.deb": b"a", "OverpaintSetup.exe": b"b", "overpaint-3.1.0.cdx.json": b"{}"}
    for name, content in packages.items():
        (tmp_path / name).write_bytes(content)
    RELEASE["describe"]("3.1.0", "https://example.org", tmp_path, CHANGELOG)
    lines = (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert packages.keys() | {"newest.json", "sbom.cdx.json"} == sums.keys()
    assert all(sums[name] == hashlib.sha256(content).hexdigest() for name, content in packages.items())


def test_a_version_that_the_changelog_does_not_know_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="says nothing of"):
        RELEASE["describe"]("3.2.0", "https://example.org", tmp_path, CHANGELOG)


def test_the_document_for_installed_versions_stays_small() -> None:
    entries = "\n".join(f"- Entry {number} {'x' * 500}" for number in range(200))
    document = json.dumps({"new": {"en": RELEASE["news"](entries)}})
    assert len(document) < newest_release.LARGEST_BYTES // 4


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_permissions_begin_with_reading(workflow: Path) -> None:
    text = workflow.read_text("utf-8")
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    for action, comment in used:
        if not action.startswith("./"):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), f"{action}: which version is it?"
    assert "\npermissions:\n  contents: read\n\n" in text
    assert "pull_request_target" not in text
    checkouts = text.count("actions/checkout@")
    assert text.count("persist-credentials: false") == checkouts


def test_expressions_reach_a_shell_only_as_variables() -> None:
    """A tag's or branch's name in a script would be run as a part of it."""
    for workflow in WORKFLOWS:
        for block in re.findall(r"run: (?:\|\n((?:          .*\n)+)|(.+))", workflow.read_text("utf-8")):
            assert "${{" not in "".join(block), workflow.name
