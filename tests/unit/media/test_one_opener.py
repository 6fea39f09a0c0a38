"""Files of strangers have one door: no other module asks a library to open or decode a picture or clip."""

from __future__ import annotations

import ast
from pathlib import Path

import overpaint

PACKAGE = Path(overpaint.__file__).parent

OPENERS = {
    "Image.open": "Pillow with any format",
    "av.open": "FFmpeg with any demuxer",
    "cv2.imread": "OpenCV, which recognises by itself",
    "cv2.imreadmulti": "OpenCV, which recognises by itself",
    "cv2.imdecode": "OpenCV, which recognises by itself",
    "cv2.VideoCapture": "FFmpeg inside OpenCV, with any demuxer",
    "QImageReader": "Qt's image plugins, SVG and PDF among them",
    "QMovie": "Qt's image plugins",
    "QImage.fromData": "Qt's image plugins",
    "QPixmap.fromData": "Qt's image plugins",
    "QMediaPlayer": "FFmpeg inside Qt, with any demuxer",
    "QSvgRenderer": "SVG, which names other files",
    "pillow_heif.open_heif": "libheif",
    "pillow_heif.read_heif": "libheif",
    ".loadFromData": "Qt's image plugins",
    ".imageData": "Qt's image plugins, on what another program put on the clipboard",
    "Image.register_open": "a further format of Pillow",
}
PATHS = {"QImage", "QPixmap", "QIcon"}
"""Classes that read a file when they are given its name."""

ALLOWED = {
    ("media/opener/stills.py", "Image.open"): "the opener",
    ("media/opener/clips.py", "av.open"): "the opener",
    ("engine/scenes/plate.py", "cv2.imdecode"): "the application's own scenes",
    ("media/opener/shipped.py", "cv2.imdecode"): "the application's own pictures",
    ("media/sources/qt_frames.py", "cv2.imdecode"): "a webcam's pictures, which begin as a JPEG does",
    ("media/sinks/media_file.py", "av.open"): "writes, and tries whether what it wrote plays",
    ("media/sinks/replay_buffer.py", "av.open"): "writes",
    ("transforms/clip_transform.py", "av.open"): "writes",
    ("gui/files/images.py", "QImageReader"): "the application's own pictures, with one reader each",
    ("gui/files/images.py", ".imageData"): "an image that is in this process already",
    (
        "gui/files/screen_pictures.py",
        "QImage.fromData",
    ): "the screens, as the desktop's portal has just drawn them",
    ("gui/main.py", "QIcon"): "the application's own icon",
    ("gui/appearance/theme.py", "QSvgRenderer"): "the application's own icons",
    ("gui/appearance/theme.py", "QPixmap"): "the application's own icons",
}


def opened_by(tree: ast.AST) -> list[tuple[int, str]]:
    """The calls of a module that open or decode pictures or clips: line and what is called."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        last = called.rpartition(".")[2]
        found += [
            (node.lineno, name)
            for name in OPENERS
            if called == name or called.endswith(f".{name.lstrip('.')}") or last == name
        ]
        if last in PATHS and any(_is_path(each) for each in node.args):
            found.append((node.lineno, last))
    return found


def _is_path(argument: ast.expr) -> bool:
    words = ast.unparse(argument).lower()
    text = isinstance(argument, ast.Constant | ast.JoinedStr) and not words.isdecimal()
    return text or words.startswith("str(") or any(word in words for word in ("path", "file", "name"))


def test_only_the_opener_opens_pictures_and_clips() -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), name, line)
        for path in PACKAGE.rglob("*.py")
        for line, name in opened_by(ast.parse(path.read_text("utf-8")))
    }
    strange = sorted(each for each in found if each[:2] not in ALLOWED)
    assert not strange, "open it with overpaint.media.opener (or say here why not)"
    needless = set(ALLOWED) - {each[:2] for each in found}
    assert not needless, "these need no leave any more"


def test_the_check_sees_what_it_looks_for() -> None:
    seen = opened_by(
        ast.parse(
            "PIL.Image.open(p)\nav.open(p)\nQtGui.QImage(str(path))\nQImage(str(p))\nmime.imageData()\n"
            "QPixmap(a.name())\nimage.loadFromData(b)\ncv2.imread(p)\nQImage(4, 4, f)\n"
        )
    )
    assert [line for line, _ in seen] == [1, 2, 3, 4, 5, 6, 7, 8]
