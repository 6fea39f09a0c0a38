"""Renderer of resources/slate/slate.png, which the camera shows while there is no styled frame."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QRadialGradient,
)

WIDTH, HEIGHT = 1920, 1080


def main() -> None:
    app = QGuiApplication([])
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QLinearGradient(0, 0, 0, HEIGHT)
    ground.setColorAt(0, QColor("#23252c"))
    ground.setColorAt(1, QColor("#15161a"))
    painter.fillRect(0, 0, WIDTH, HEIGHT, ground)
    glow = QRadialGradient(QPointF(WIDTH / 2, HEIGHT * 0.42), 620)
    glow.setColorAt(0, QColor(255, 138, 76, 46))
    glow.setColorAt(1, QColor(255, 138, 76, 0))
    painter.fillRect(0, 0, WIDTH, HEIGHT, glow)
    # One brush stroke, as the icon has it.
    stroke = QPainterPath(QPointF(760, 500))
    stroke.cubicTo(QPointF(860, 380), QPointF(900, 600), QPointF(1000, 470))
    stroke.cubicTo(QPointF(1060, 395), QPointF(1110, 430), QPointF(1160, 400))
    painter.setPen(QPen(QColor("#ff8a4c"), 40, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPath(stroke)
    painter.setPen(QColor("#f2f2f4"))
    font = QFont("DejaVu Sans")
    font.setPixelSize(56)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.drawText(QRectF(0, 640, WIDTH, 80), Qt.AlignmentFlag.AlignCenter, "Back in a moment")
    font.setPixelSize(30)
    font.setWeight(QFont.Weight.Normal)
    painter.setFont(font)
    painter.setPen(QColor("#9a9ca5"))
    painter.drawText(QRectF(0, 730, WIDTH, 50), Qt.AlignmentFlag.AlignCenter, "The picture is paused")
    painter.end()
    target = Path(__file__).resolve().parents[2] / "resources" / "slate" / "slate.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        raise SystemExit(f"cannot write {target}")
    del app


if __name__ == "__main__":
    main()
