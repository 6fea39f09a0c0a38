"""The end of a program: one sentence and an exit code; what is a bug stays a bug."""

from __future__ import annotations

import ctypes
import sys

import pytest

from overpaint.processes.program import exit_code


@pytest.mark.skipif(sys.platform != "linux", reason="its loader's words")
def test_a_library_that_the_system_lacks_is_named_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> int:
        try:
            ctypes.CDLL("libEGL-of-nobody.so.1")
        except OSError as error:
            raise ImportError(str(error)) from error
        return 0

    assert exit_code(work) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "The system's library libEGL-of-nobody.so.1 is missing. Install the package that has it"
    )


def test_a_module_that_is_not_there_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError):
        exit_code(lambda: int(bool(__import__("overpaint.nothing"))))
