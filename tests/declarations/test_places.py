"""Places that texts name: every file, folder, module and definition in documents and docstrings exists."""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "desktop" / "overpaint"
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
MODULES = sorted(PACKAGE.rglob("*.py"))
DIAGRAMS = sorted((ROOT / "docs" / "diagrams").glob("*.txt"))

ENDINGS = (".py", ".md", ".toml", ".sh", ".svg", ".txt", ".ts", ".yml", ".lock")
ELSEWHERE = {
    "files/",
    "photos/",
    "conversions/",
    "jobs/",
    "backups/",
    "workers/",
    "dist/",
    "shared/",
    "json.py",
    "signal.py",
}
"""Folders of the user's data folder and of builds, what lies beside the repository, and strangers' files."""

PLACEHOLDER = r"[A-Z]{4,}\.\w+$"
"""A name that the reader fills in, as in ``resources/looks/NAME.toml``."""

NO_NOUN = re.compile(r"(What|How|Whether|Where|When|Which|Who|Whoever|From|Everything|Whatever)\b")
"""First words of a line that says no term."""

SAME_IN_TWO_ROOMS = {
    "control.py",
    "framing.py",
    "ledger.py",
    "live.py",
    "looks.py",
    "service.py",
    "webhooks.py",
}
"""Names of files in two rooms that mean the same in both: messages or commands, and what they are about."""

KEPT_AS_THEY_ARE = {"state.py: Phase", "state.py: StandIn", "fetching.py: _Pace"}
"""Classes of modules that are changed for their behaviour alone."""

WORDS_OF_README = 1200


def found(place: str, document: Path) -> bool:
    """Whether a place exists: from the repository, the package, the tests, or beside the document."""
    return any((base / place).exists() for base in (ROOT, PACKAGE, ROOT / "tests", document.parent))


def places(text: str) -> Iterator[str]:
    """Files and folders that a text names between backticks."""
    for token in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        is_file = token.endswith(ENDINGS) and re.fullmatch(r"[\w./-]+", token)
        is_folder = token.endswith("/") and re.fullmatch(r"[a-z_][\w./-]*/", token)
        if (is_file and ("/" in token or token.endswith(".py"))) or is_folder:
            yield token


@cache
def definitions(file: Path) -> frozenset[str]:
    """Names that a module defines: ``name``, ``Class``, ``Class.member``."""
    names: set[str] = set()

    def note(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    note(node.body, f"{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            for target in targets:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(name, ast.Name):
                        names.add(prefix + name.id)

    note(ast.parse(file.read_text("utf-8")).body, "")
    return frozenset(names)


def defines(place: str, name: str) -> bool:
    """Whether a module, named from the package or the repository, defines a name."""
    return any(file.exists() and name in definitions(file) for file in (PACKAGE / place, ROOT / place))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_place_that_a_document_names_exists(document: Path) -> None:
    named = {place for place in places(document.read_text("utf-8")) if not re.search(PLACEHOLDER, place)}
    named -= ELSEWHERE
    assert sorted(place for place in named if not found(place, document)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        place, _, anchor = link.partition("#")
        target = document.parent / place if place else document
        if not target.exists():
            broken.append(link)
        elif anchor and target.suffix == ".md":
            heads = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
            if anchor not in slugs:
                broken.append(link)
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_definition_that_a_document_names_is_in_its_file(document: Path) -> None:
    text = document.read_text("utf-8")
    pairs = [*re.findall(r"`([\w/]+\.py)` `([A-Za-z_][\w.]*)`", text)]
    pairs += [(file, name) for name, file in re.findall(r"`([A-Za-z_][\w.]*)` \(`([\w/]+\.py)`", text)]
    assert [f"{name} in {file}" for file, name in pairs if not defines(file, name)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_test_that_a_document_names_is_in_its_file(document: Path) -> None:
    """By its name, or by how its name begins."""
    wrong = []
    for place, name in re.findall(r"`([\w/]+\.py)::(\w+)", document.read_text("utf-8")):
        file = ROOT / "tests" / place.removeprefix("tests/")
        if not file.exists() or not any(known.split(".")[-1].startswith(name) for known in definitions(file)):
            wrong.append(f"{place}::{name}")
    assert wrong == []


@pytest.mark.parametrize("heading", ["## Glossary", "## Where is it?"])
def test_every_row_of_a_table_of_places_names_one(heading: str) -> None:
    name = "architecture.md" if heading == "## Glossary" else "development.md"
    section = (ROOT / "docs" / name).read_text("utf-8").split(heading, 1)[1].split("\n## ", 1)[0]
    head, _, *rows = [line.split("|") for line in section.splitlines() if line.startswith("| ")]
    column = next(number for number, cell in enumerate(head) if cell.strip() in ("place", "where"))
    assert len(rows) >= 20
    assert [row for row in rows if not list(places(row[column]))] == []


def test_the_architecture_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {str(file.parent.relative_to(PACKAGE)) + "/" for file in PACKAGE.rglob("__init__.py")} - {"./"}
    inside = {room for room in rooms if room.startswith("ledger/migrations/")}
    assert sorted(room for room in rooms - inside if f"`{room}`" not in text) == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= WORDS_OF_README


def test_the_diagrams_are_what_their_texts_draw() -> None:
    draw = runpy.run_path(str(ROOT / "packaging" / "diagrams.py"))["draw"]
    assert len(DIAGRAMS) >= 3
    stale = [
        text.name
        for text in DIAGRAMS
        if text.with_suffix(".svg").read_text("utf-8") != draw(text.read_text("utf-8"))
    ]
    assert stale == [], "run `make diagrams`"


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda path: path.stem)
def test_every_place_in_a_diagram_exists(diagram: Path) -> None:
    words = re.findall(r"[\w./]+", diagram.read_text("utf-8"))
    named = {word for word in words if re.fullmatch(r"[a-z_][\w/]*(/|\.py)", word)}
    missing = [place for place in named if not found(place, diagram) and not list(PACKAGE.rglob(place))]
    assert sorted(missing) == []


def test_every_module_that_a_docstring_names_exists() -> None:
    """Dotted names and paths that begin with a room."""
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    missing = []
    for file in MODULES:
        for text in re.findall(r"``([\w./]+)``", file.read_text("utf-8")):
            parts = re.split(r"[./]", text.removesuffix(".py").removeprefix("overpaint.").strip("/"))
            if len(parts) > 1 and parts[0] in rooms and not resolves(parts):
                missing.append(f"{text} in {file.relative_to(PACKAGE)}")
    assert missing == []


def resolves(parts: list[str]) -> bool:
    """Whether dotted parts are a folder, a module, or a definition in a module."""
    for length in range(len(parts), 0, -1):
        place = PACKAGE.joinpath(*parts[:length])
        rest = ".".join(parts[length:])
        if place.is_dir():
            return not rest or rest in definitions(place / "__init__.py")
        if (file := place.with_suffix(".py")).exists():
            return not rest or rest in definitions(file)
    return False


@pytest.mark.parametrize(
    "package", sorted(PACKAGE.rglob("__init__.py")), ids=lambda path: str(path.parent.relative_to(PACKAGE))
)
def test_a_package_names_only_what_is_in_it(package: Path) -> None:
    """Words that head a list ("``name``: what it is") are modules or folders of the package."""
    text = ast.get_docstring(ast.parse(package.read_text("utf-8"))) or ""
    heads = re.findall(r"(?:^|[.:,] )((?:``\w+``,? ?)+):", text, re.MULTILINE)
    named = {name for head in heads for name in re.findall(r"``(\w+)``", head)}
    here = package.parent
    assert sorted(n for n in named if not (here / n).is_dir() and not (here / f"{n}.py").exists()) == []


def test_no_two_modules_share_a_name_unless_it_means_the_same() -> None:
    named_otherwise = {"migrations", "sentences"}  # by revision; by the subject of their sentences
    files = [file for file in MODULES if file.name != "__init__.py"]
    names = [file.name for file in files if not named_otherwise.intersection(file.parts)]
    twins = {name for name in names if names.count(name) > 1}
    assert sorted(twins - SAME_IN_TWO_ROOMS) == []
    assert sorted(SAME_IN_TWO_ROOMS - twins) == [], "no longer twins"


def test_every_module_opens_with_a_noun() -> None:
    """So that the list of modules reads as a list of terms."""
    wrong = []
    for file in MODULES:
        line = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n", 1)[0]
        if not line or not line.endswith((".", ":")) or NO_NOUN.match(line):
            wrong.append(f"{file.relative_to(PACKAGE)}: {line}")
    assert wrong == []


def test_programs_in_texts_import_modules_that_exist() -> None:
    """Tests and tools hand programs to other interpreters as texts, where no checker sees a new name."""
    line = re.compile(r"\b(?:from|import) (overpaint(?:\.\w+)*)(?: import (\w+))?")
    strange: list[str] = []
    seen = 0
    for file in sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "packaging").rglob("*.py")]):
        for module, name in line.findall(file.read_text("utf-8")):
            seen += 1
            place = PACKAGE.parent.joinpath(*module.split("."))
            package = (place / "__init__.py").read_text("utf-8") if place.is_dir() else ""
            known = place.with_suffix(".py").exists() or (
                place.is_dir()
                and (not name or name in package or any(place.glob(f"{name}.py")) or (place / name).is_dir())
            )
            if not known:
                strange.append(f"{file.relative_to(ROOT)}: {module} {name}")
    assert seen > 1000
    assert strange == []


def test_every_class_opens_with_a_noun() -> None:
    """So that a class's first line names a thing, where it has a docstring."""
    wrong = []
    for file in MODULES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            line = (ast.get_docstring(node) or "") if isinstance(node, ast.ClassDef) else ""
            if NO_NOUN.match(line) and f"{file.name}: {node.name}" not in KEPT_AS_THEY_ARE:
                wrong.append(f"{file.relative_to(PACKAGE)}: {node.name}: {line.split(chr(10), 1)[0]}")
    assert wrong == []
