"""Rooms made up at random: bare walls; panels, furniture, plants, lamps out of focus, in colours that skin, hair and clothes have, too.

The photos to learn from show few rooms, and a net that has seen few takes a plant or a curtain behind a head for a part
of it. Knows neither people nor nets.
"""

import cv2
import numpy as np

WOODS_AND_SKINS = np.array(
    [(0.72, 0.5, 0.4), (0.55, 0.36, 0.25), (0.35, 0.2, 0.12), (0.8, 0.64, 0.54), (0.62, 0.42, 0.3), (0.2, 0.12, 0.08)],
    np.float32,
)
GREENS = np.array([(0.2, 0.33, 0.16), (0.1, 0.2, 0.1), (0.4, 0.5, 0.3), (0.3, 0.42, 0.36)], np.float32)


def furnished(chance: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A room, float32 (height, width, 3), RGB, 0..1."""
    corners = (_colour(chance) * chance.uniform(0.8, 1.2, (2, 3, 1))).astype(np.float32)
    room = cv2.resize(corners, (width, height), interpolation=cv2.INTER_LINEAR)
    for _ in range(int(chance.integers(1, 7))):
        _panel(room, chance)
    for _ in range(int(chance.integers(0, 9))):
        _box(room, chance)
    for _ in range(int(chance.integers(0, 4))):
        _plant(room, chance)
    if chance.random() < 0.3:
        middle = (int(chance.integers(width)), int(chance.integers(height * 2 // 3)))
        cv2.circle(room, middle, int(height * chance.uniform(0.03, 0.14)), (1.0, 0.95, 0.85), -1, cv2.LINE_AA)
    room = cv2.GaussianBlur(room, (0, 0), height / 144 * chance.choice((0.4, 1.0, 2.0, 4.0)))
    return np.clip(room, 0, 1)


def _colour(chance: np.random.Generator) -> np.ndarray:
    kind = chance.random()
    if kind < 0.4:
        colour = WOODS_AND_SKINS[int(chance.integers(len(WOODS_AND_SKINS)))] * chance.uniform(0.6, 1.3)
    elif kind < 0.75:
        colour = chance.uniform(0.05, 0.95) * chance.uniform(0.92, 1.08, 3)
    else:
        colour = chance.uniform(0.05, 0.8, 3)
    return np.clip(colour, 0, 1).astype(np.float32)


def _panel(room: np.ndarray, chance: np.random.Generator) -> None:
    """A door, curtain, window or wall's end: from the ceiling down, often behind whoever sits in the middle."""
    height, width = room.shape[:2]
    middle, half = width * chance.uniform(0.1, 0.9), width * chance.uniform(0.02, 0.18)
    left, right = int(max(0, middle - half)), int(min(width, middle + half)) + 1
    low = height if chance.random() < 0.5 else int(height * chance.uniform(0.2, 1))
    part = room[:low, left:right]
    part[:] = _colour(chance) * chance.uniform(0.7, 1.25)
    if chance.random() < 0.3:
        folds = np.sin(np.arange(part.shape[1]) * chance.uniform(0.3, 2)).astype(np.float32)
        part *= (1 + 0.15 * folds)[None, :, None]


def _box(room: np.ndarray, chance: np.random.Generator) -> None:
    """Furniture, pictures, chairs: a box, or the back of a chair."""
    height, width = room.shape[:2]
    w, h = width * chance.uniform(0.04, 0.3), height * chance.uniform(0.05, 0.45)
    middle = (width * chance.random(), height * chance.uniform(0.1, 1.05))
    colour = tuple(float(value) for value in _colour(chance))
    angle = float(chance.normal(0, 4)) if chance.random() < 0.8 else float(chance.uniform(0, 90))
    corners = np.round(cv2.boxPoints((middle, (w, h), angle))).astype(np.int32)
    if chance.random() < 0.7:
        cv2.fillConvexPoly(room, corners, colour, cv2.LINE_AA)
    else:
        cv2.polylines(room, [corners], True, colour, max(1, int(width * chance.uniform(0.005, 0.03))), cv2.LINE_AA)


def _plant(room: np.ndarray, chance: np.random.Generator) -> None:
    height, width = room.shape[:2]
    middle = np.array([width * chance.random(), height * chance.uniform(0.1, 0.95)])
    size = height * chance.uniform(0.06, 0.28)
    base = GREENS[int(chance.integers(len(GREENS)))]
    for _ in range(int(chance.integers(15, 60))):
        place = middle + chance.normal(0, 0.5, 2) * size
        axes = np.maximum(1, size * chance.uniform(0.05, 0.3, 2)).astype(int)
        colour = np.clip(base * chance.uniform(0.4, 1.9), 0, 1)
        cv2.ellipse(
            room, place.astype(int).tolist(), axes.tolist(), float(chance.uniform(0, 180)), 0, 360,
            tuple(float(value) for value in colour), -1, cv2.LINE_AA,
        )  # fmt: skip
    if chance.random() < 0.6:
        pot = np.round(cv2.boxPoints((tuple(middle + (0, size * 0.8)), (size * 0.8, size * 0.6), 0))).astype(np.int32)
        cv2.fillConvexPoly(room, pot, tuple(float(value) for value in _colour(chance)), cv2.LINE_AA)


def bare_wall(
    chance: np.random.Generator, rgb: np.ndarray, cover: np.ndarray, width: int, height: int
) -> np.ndarray:
    """A wall of one colour, lit unevenly; in half of the cases of a colour of somebody's hair or skin.

    Args:
        chance: Decides.
        rgb: A person, float32 (H, W, 3), 0..1.
        cover: float32 (H, W), 0..1: where the colour may be taken from.
        width: Pixels.
        height: Pixels.
    """
    colour = chance.uniform(0.05, 0.9) * chance.uniform(0.75, 1.25, 3)
    places = np.argwhere(cover > 0.9)
    if chance.random() < 0.5 and len(places):
        row, column = places[int(chance.integers(len(places)))]
        colour = rgb[row, column] * chance.uniform(0.8, 1.25) + 0.02
    corners = (colour * chance.uniform(0.8, 1.2, (2, 3, 1))).astype(np.float32)
    return np.clip(cv2.resize(corners, (width, height), interpolation=cv2.INTER_CUBIC), 0, 1)
