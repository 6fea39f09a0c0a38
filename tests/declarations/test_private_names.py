"""Names inside libraries: each one listed, there, in a tested version, and looked for at the start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from overpaint import private_names
from overpaint.errors import ProcessError
from overpaint.private_names import USES, check_names, check_versions, exists, fits

pytestmark = pytest.mark.process


ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "desktop" / "overpaint"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LISTED = {name for use in USES for name in use.names}
FIND = """
import json
from pathlib import Path
from helpers.private_uses import private_uses
files = sorted(Path(sys.argv[1]).rglob("*.py"))
print(json.dumps({str(file): sorted(set(private_uses(file))) for file in files}))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """Of every module of the package; by a process in which nothing has been replaced yet."""
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n{FIND}"
    done = subprocess.run(
        [sys.executable, "-c", program, PACKAGE], capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_every_private_name_that_is_used_is_listed(found: dict[str, list[str]]) -> None:
    missing = {file: sorted(set(names) - LISTED) for file, names in found.items() if set(names) - LISTED}
    assert missing == {}, "add them to private_names.py, or use something public"


def test_every_listed_name_is_used() -> None:
    text = "".join(
        file.read_text("utf-8") for file in PACKAGE.rglob("*.py") if file.name != "private_names.py"
    )
    unused = [name for name in sorted(LISTED) if name.replace(":", ".").rpartition(".")[2] not in text]
    assert unused == []


@pytest.mark.parametrize("name", sorted(LISTED))
def test_the_installed_library_has_the_name(name: str) -> None:
    assert exists(name)


@pytest.mark.parametrize("use", USES, ids=lambda use: use.library)
def test_the_tested_range_is_the_declared_one(use: private_names.PrivateUse) -> None:
    if use.library == "python":
        assert SpecifierSet(PROJECT["requires-python"]) == SpecifierSet(use.tested)
        return
    declared = {each.name: each for each in map(Requirement, PROJECT["dependencies"])}
    assert declared[use.library].specifier == SpecifierSet(use.tested)
    operators = {each.operator for each in declared[use.library].specifier}
    assert operators in ({"=="}, {">=", "<"}), "a version that is not out yet was not tested"


@pytest.mark.parametrize(
    ("version", "tested", "does"),
    [
        ("1.16.0", "==1.16.0", True),
        ("1.16", "==1.16.0", True),
        ("1.16.1", "==1.16.0", False),
        ("0.38.0", ">=0.38,<0.55", True),
        ("0.54.3", ">=0.38,<0.55", True),
        ("0.55.0", ">=0.38,<0.55", False),
        ("0.37.9", ">=0.38,<0.55", False),
        ("0.55.0rc1", ">=0.38,<0.55", False),
        ("0.9", ">=0.38,<0.55", False),
        ("nonsense", "==1.16.0", False),
    ],
)
def test_a_version_is_compared_by_its_numbers(version: str, tested: str, does: bool) -> None:
    assert fits(version, tested) is does


@pytest.mark.parametrize(
    "name", ["json:there_is_none", "there_is_no_module", "uvicorn.server:Server.no_such"]
)
def test_a_name_that_is_gone_is_missed(name: str) -> None:
    assert not exists(name)


def test_a_missing_name_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import h11

    monkeypatch.delattr(h11.Connection, "their_state")
    with pytest.raises(
        ProcessError, match=r"h11 has no h11\._connection\.Connection\.their_state"
    ) as refusal:
        check_names("h11")
    assert "“h11>=0.16,<0.17”" in refusal.value.mend


def test_what_is_installed_here_was_tested() -> None:
    check_versions()
    check_names(*(use.library for use in USES))


@pytest.mark.parametrize(
    ("library", "command"),
    [
        pytest.param(
            "aiortc",
            ("stream", "--source", "demo", "--prompt", "ink comic", "--output", "null", "--seconds", "1"),
            marks=pytest.mark.full,
        ),
        pytest.param("aioice", ("attend",), marks=pytest.mark.full),
        pytest.param("uvicorn", ("serve", "--port", "0"), marks=pytest.mark.full),
        ("h11", ("serve", "--port", "0")),
    ],
)
def test_a_program_that_would_break_does_not_start(
    library: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    """As after an upgrade of one library by hand: its metadata names a version that nobody tested."""
    strange = tmp_path / "path" / f"{library}-99.0.dist-info"
    strange.mkdir(parents=True)
    (strange / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {library}\nVersion: 99.0\n")
    done = subprocess.run(
        [sys.executable, "-m", "overpaint", *command],
        env=os.environ | {"PYTHONPATH": str(strange.parent)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"{library} 99.0 is installed" in done.stderr
    assert f"Install “{library}" in done.stderr.splitlines()[-1]
