"""Every error that is raised has a sentence with just its parameters; every sentence is said somewhere."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import overpaint
from overpaint.sentences import MODULES, SENTENCES

PACKAGE = Path(overpaint.__file__).parent
OWN_WORDS = {"retry_after_s"}
"""Keywords of the classes themselves."""


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name != "sentences":
            yield path, ast.parse(path.read_text("utf-8"))


def error_classes() -> set[str]:
    """Names of ``OverpaintError`` and all that is made of it."""
    known = {"OverpaintError"}
    bases = [
        (node.name, {base.id for base in node.bases if isinstance(base, ast.Name)})
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    while found := {name for name, named in bases if named & known} - known:
        known |= found
    return known


def raised() -> Iterator[tuple[str, ast.Call]]:
    """Every call that makes an error, with its place."""
    classes = error_classes()
    assert len(classes) > 15
    for path, tree in trees():
        if path == PACKAGE / "errors.py":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def codes(node: ast.expr) -> list[str | None]:
    """The codes that an argument may be; None for one that cannot be read here."""
    if isinstance(node, ast.IfExp):
        return codes(node.body) + codes(node.orelse)
    return [node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None]


def test_every_error_that_is_raised_has_a_sentence_with_its_parameters() -> None:
    wrong = []
    for place, call in raised():
        given = {keyword.arg for keyword in call.keywords} - OWN_WORDS
        for code in codes(call.args[0]):
            if code is None:
                wrong.append(f"{place}: its code cannot be read here")
            elif code not in SENTENCES:
                wrong.append(f"{place}: there is no sentence {code}")
            elif given != SENTENCES[code].params:
                wrong.append(f"{place}: {code} has {sorted(SENTENCES[code].params)}, not {given}")
    assert not wrong


def test_every_sentence_is_said_somewhere() -> None:
    said = {code for _, call in raised() for code in codes(call.args[0])}
    assert sorted(SENTENCES.keys() - said) == []


def test_a_code_means_one_thing() -> None:
    counts = Counter(code for module in MODULES for code in module.SENTENCES)
    assert {code for code, count in counts.items() if count > 1} == set()
    assert counts.keys() == SENTENCES.keys()
    assert not [code for code in counts if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", code)]


def test_no_subject_grows_past_what_one_can_read() -> None:
    files = PACKAGE / "sentences"
    assert {
        each.name for each in files.glob("*.py") if len(each.read_text("utf-8").splitlines()) > 400
    } == set()
