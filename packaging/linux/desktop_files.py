"""The files of a desktop that are made from the program: icons, man page, shell completions (Linux).

Written into a folder ``share``, by the places of the freedesktop.org icon theme, man(1) and the three shells.
"""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "desktop"), str(Path(__file__).parent)]
os.environ["QT_QPA_PLATFORM"] = "offscreen"

import completions  # noqa: E402
import manual  # noqa: E402
from commands import whole_command  # noqa: E402

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICON = ROOT / "packaging" / "linux" / "icons" / "overpaint.svg"


def write_all(share: Path) -> None:
    """Writes icons, man page and completions."""
    _write_icons(share / "icons" / "hicolor")
    command = whole_command()
    page = share / "man" / "man1" / "overpaint.1.gz"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(gzip.compress(manual.page(command).encode(), mtime=0))
    for place, text in (
        ("bash-completion/completions/overpaint", completions.bash(command)),
        ("zsh/vendor-completions/_overpaint", completions.zsh(command)),
        ("fish/vendor_completions.d/overpaint.fish", completions.fish(command)),
    ):
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text(text, "utf-8")


def _write_icons(theme: Path) -> None:
    from PySide6.QtCore import QSize, Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication([])
    drawing = QSvgRenderer(str(ICON))
    for side in SIZES:
        image = QImage(QSize(side, side), QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        folder = theme / f"{side}x{side}" / "apps"
        folder.mkdir(parents=True, exist_ok=True)
        image.save(str(folder / "overpaint.png"))
    scalable = theme / "scalable" / "apps"
    scalable.mkdir(parents=True, exist_ok=True)
    (scalable / "overpaint.svg").write_bytes(ICON.read_bytes())
    del application


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
