"""Icon and version resource of the Windows programs, written beside the bundle before PyInstaller needs them.

Use: describe.py FOLDER writes overpaint.ico, version.txt and version.nsh.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from packaging.version import Version
from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from overpaint import __version__

ROOT = Path(__file__).parents[2]
SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
"""Sides of the icon in pixels, for 100 to 250 % scaling."""

RESOURCE = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004, fileType=0x1),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "The Overpaint developers"),
      StringStruct("FileDescription", "Overpaint"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("LegalCopyright", "GPL-3.0-or-later as a bundle; see THIRD_PARTY_NOTICES.txt"),
      StringStruct("ProductName", "Overpaint"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 0x04B0])]),
  ],
)
"""


def drawn(side: int) -> Image.Image:
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(ROOT / "resources" / "icons" / "overpaint.svg")).render(
        painter, QRectF(0, 0, side, side)
    )
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return Image.open(io.BytesIO(buffer.data().data()))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    largest, *others = [drawn(side) for side in reversed(SIZES)]
    largest.save(folder / "overpaint.ico", sizes=[(side, side) for side in SIZES], append_images=others)
    numbers = tuple([*Version(__version__).release, 0, 0, 0][:4])
    (folder / "version.txt").write_text(RESOURCE.format(numbers=numbers, version=__version__), "utf-8")
    dotted = ".".join(map(str, numbers))
    (folder / "version.nsh").write_text(
        f'!define VERSION "{__version__}"\n!define NUMBERS "{dotted}"\n', "utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
