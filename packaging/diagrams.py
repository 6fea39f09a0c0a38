"""Diagrams of the documentation: SVG pictures drawn from the texts in ``docs/diagrams``.

A text is a title, boxes and arrows, a line each:

    = Title of the picture
    name COLUMN ROW kind: Title | a line | another line
    name -> other: label

Columns and rows may be fractions. Kinds: ``process``, ``stage``, ``place`` (outside Overpaint). Arrows:
``->``, ``<->``, and ``..>`` (dashed: watches, or takes the place of). ``a ->2 b`` is the second of two arrows
beside each other.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "diagrams"
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN, HEAD = 232, 92, 112, 58, 24, 44
FILLS = {"process": "#e8f0fe", "stage": "#fff6e0", "place": "#f1f1f1"}
STROKES = {"process": "#3367b0", "stage": "#a97a14", "place": "#777777"}
BOX = re.compile(r"(?P<name>\w+) (?P<column>[\d.]+) (?P<row>[\d.]+) (?P<kind>\w+): (?P<text>.+)")
ARROW = re.compile(r"(?P<a>\w+) (?P<how><->|->|\.\.>)(?P<lane>[12]?) (?P<b>\w+)(?:: (?P<label>.+))?")


@dataclass(frozen=True)
class Box:
    """A box, by its upper left corner in pixels."""

    x: float
    y: float
    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Arrow:
    """An arrow between two boxes."""

    a: str
    b: str
    how: str
    lane: int
    label: str


def parse(text: str) -> tuple[str, dict[str, Box], list[Arrow]]:
    """Reads a diagram's text. Raises ``ValueError`` for a line that is none of the three forms."""
    title, boxes, arrows = "", {}, []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("="):
            title = line[1:].strip()
        elif found := ARROW.fullmatch(line):
            arrows.append(
                Arrow(found["a"], found["b"], found["how"], int(found["lane"] or 0), found["label"] or "")
            )
        elif found := BOX.fullmatch(line):
            boxes[found["name"]] = Box(
                MARGIN + float(found["column"]) * (WIDTH + GAP_X),
                MARGIN + HEAD + float(found["row"]) * (HEIGHT + GAP_Y),
                found["kind"],
                tuple(part.strip() for part in found["text"].split("|")),
            )
        else:
            raise ValueError(f"not a line of a diagram: {line}")
    return title, boxes, arrows


def _ends(a: Box, b: Box, lane: int) -> tuple[float, float, float, float]:
    """Where an arrow begins and ends: straight down or across where the boxes face each other."""
    shift = {0: 0, 1: -20, 2: 20}[lane]
    left, right = max(a.x, b.x), min(a.x, b.x) + WIDTH
    top, bottom = max(a.y, b.y), min(a.y, b.y) + HEIGHT
    if left < right:
        x = (left + right) / 2 + 2 * shift
        return (x, a.y + HEIGHT, x, b.y) if b.y > a.y else (x, a.y, x, b.y + HEIGHT)
    y = (top + bottom) / 2 + shift if top < bottom else None
    ax, bx = (a.x + WIDTH, b.x) if b.x > a.x else (a.x, b.x + WIDTH)
    if y is not None:
        return ax, y, bx, y
    return ax, a.y + HEIGHT / 2, bx, b.y + HEIGHT / 2


def _label(x: float, y: float, text: str, crosses: bool) -> list[str]:
    """An arrow's label: above a level one, else on a white ground in its middle."""
    if not text:
        return []
    width = 6.2 * len(text) + 8
    ground = f'<rect x="{x - width / 2:g}" y="{y - 12:g}" width="{width:g}" height="16" fill="#ffffff"/>'
    words = f'<text x="{x:g}" y="{y:g}" font-size="12" text-anchor="middle" fill="#222">{escape(text)}</text>'
    return [ground, words] if crosses else [words]


def draw(text: str) -> str:
    """The SVG of a diagram's text."""
    title, boxes, arrows = parse(text)
    width = max(box.x for box in boxes.values()) + WIDTH + MARGIN
    height = max(box.y for box in boxes.values()) + HEIGHT + MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="#444"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 18}" font-size="18" font-weight="bold" fill="#222">'
        f"{escape(title)}</text>",
    ]
    labels = []
    for arrow in arrows:
        ax, ay, bx, by = _ends(boxes[arrow.a], boxes[arrow.b], arrow.lane)
        begin = ' marker-start="url(#tip)"' if arrow.how == "<->" else ""
        dash = ' stroke-dasharray="6 4"' if arrow.how == "..>" else ""
        out.append(
            f'<path d="M{ax:g} {ay:g} {bx:g} {by:g}" stroke="#444" stroke-width="1.6" fill="none"{dash}'
            f'{begin} marker-end="url(#tip)"/>'
        )
        labels += _label((ax + bx) / 2, ay - 7 if ay == by else (ay + by) / 2 + 4, arrow.label, ay != by)
    for box in boxes.values():
        out.append(
            f'<rect x="{box.x:g}" y="{box.y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
            f'fill="{FILLS[box.kind]}" stroke="{STROKES[box.kind]}" stroke-width="1.5"/>'
        )
        first = box.y + HEIGHT / 2 - (len(box.lines) - 1) * 8.5 + 5
        for at, line in enumerate(box.lines):
            style = 'font-weight="bold" font-size="14"' if at == 0 else 'font-size="12"'
            out.append(
                f'<text x="{box.x + WIDTH / 2:g}" y="{first + at * 17:g}" text-anchor="middle" fill="#222" '
                f"{style}>{escape(line)}</text>"
            )
    return "\n".join([*out, *labels, "</svg>", ""])


def main() -> int:
    """Draws every text; with ``--check`` only says which pictures are not what their text draws."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for source in sorted(FOLDER.glob("*.txt")):
        picture, drawn = source.with_suffix(".svg"), draw(source.read_text("utf-8"))
        if not picture.exists() or picture.read_text("utf-8") != drawn:
            stale.append(picture.name)
            if not check:
                picture.write_text(drawn, "utf-8")
    if check and stale:
        print("run `make diagrams`: " + ", ".join(stale))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
