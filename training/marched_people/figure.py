"""People made up at random: how they look, how they move, and the layers that a camera sees of them.

Knows neither rooms nor nets.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from marched_people import marching as m

SKINS = ((0.86, 0.66, 0.55), (0.74, 0.53, 0.41), (0.6, 0.41, 0.3), (0.45, 0.29, 0.2), (0.3, 0.19, 0.13), (0.2, 0.12, 0.09))
HAIRS = (
    (0.04, 0.035, 0.035), (0.1, 0.065, 0.045), (0.22, 0.13, 0.08), (0.38, 0.18, 0.09), (0.62, 0.47, 0.28),
    (0.5, 0.5, 0.5), (0.78, 0.76, 0.72),
)  # fmt: skip
CLOTHS = (
    (0.03, 0.03, 0.035), (0.07, 0.08, 0.12), (0.85, 0.85, 0.84), (0.4, 0.41, 0.43), (0.12, 0.2, 0.4), (0.5, 0.08, 0.09),
    (0.14, 0.3, 0.18), (0.7, 0.55, 0.2), (0.45, 0.3, 0.5), (0.6, 0.5, 0.42), (0.15, 0.4, 0.45), (0.8, 0.5, 0.45),
)  # fmt: skip

STRAND_POINTS = 7
"""Points of a strand of hair."""


@dataclass(frozen=True, slots=True)
class Layers:
    """What a camera sees of people, over no room.

    Attributes:
        rgb: float32 (H, W, 3), 0..1, gamma-coded as in a picture, times cover.
        own: float32 (H, W, 3), the part of it that the people have without their chairs: what a matte keeps.
        cover: float32 (H, W): share of each pixel that shows people or their chairs.
        classes: float32 (4, H, W): share of each pixel that shows hair, skin, clothes, things worn; their sum is the
            matte.
    """

    rgb: np.ndarray
    own: np.ndarray
    cover: np.ndarray
    classes: np.ndarray

    @property
    def alpha(self) -> np.ndarray:
        """The matte, float32 (H, W): people and what they wear, without their chairs."""
        return np.clip(self.classes.sum(0), 0, 1)

    def over(self, other: "Layers") -> "Layers":
        """These people before others."""
        rest = 1 - self.cover
        share = rest[..., None]
        return Layers(
            self.rgb + other.rgb * share,
            self.own + other.own * share,
            self.cover + other.cover * rest,
            self.classes + other.classes * rest,
        )

    def before(self, room: np.ndarray) -> np.ndarray:
        """These people before a room, float32 (H, W, 3), 0..1."""
        return np.clip(self.rgb + room * (1 - self.cover[..., None]), 0, 1)


@dataclass(frozen=True, slots=True)
class Light:
    """Light on a person: direction to the key light, its colour, and colours from above and below; (3,) each."""

    direction: np.ndarray
    key: np.ndarray
    above: np.ndarray
    below: np.ndarray

    def rows(self) -> np.ndarray:
        """As the kernel takes it."""
        return np.stack([self.direction / np.linalg.norm(self.direction), self.key, self.above, self.below])


def random_light(chance: np.random.Generator, room: np.ndarray | None = None) -> Light:
    """Light from anywhere in front, sometimes from behind; ``room``: mean colour of the room, which fills."""
    side = chance.uniform(-1.2, 1.2)
    direction = np.array([side, chance.uniform(-0.1, 1.0), chance.uniform(-0.3, 1.0)])
    warm = chance.uniform(-0.15, 0.15)
    tint = np.array([1 + warm, 1.0, 1 - warm])
    fill = np.full(3, 0.35) if room is None else 0.15 + 0.6 * room
    strength = chance.uniform(0.3, 1.1)
    return Light(direction, tint * strength, fill * chance.uniform(0.6, 1.3), fill * chance.uniform(0.3, 0.8))


@dataclass(frozen=True, slots=True)
class Look:
    """What makes up one person; see ``marching`` for kinds. Without a name's mention it is drawn by chance."""

    hair: int
    length: float
    volume: float
    beard: float = 0.0
    headphones: float = 0.0
    glasses: float = 0.0
    hood: float = 0.0
    sleeves: float = 1.0
    chair: float = 0.0
    build: float = 1.0
    pattern: int = m.PLAIN
    skin: tuple[float, float, float] = SKINS[1]
    hair_colour: tuple[float, float, float] = HAIRS[2]
    cloth: tuple[float, float, float] = CLOTHS[1]
    second: tuple[float, float, float] = CLOTHS[2]
    thing: tuple[float, float, float] = (0.05, 0.05, 0.055)
    chair_colour: tuple[float, float, float] = (0.06, 0.06, 0.07)
    strands: int = 260
    strand_length: float = 0.03
    hands: str = "down"
    hat: int = m.NO_HAT
    hairline: float = 0.0
    fringe: float = 0.0
    forward: float = 0.0


def random_look(chance: np.random.Generator) -> Look:
    """Anybody."""

    def pick(options: tuple) -> tuple[float, float, float]:
        base = np.array(options[int(chance.integers(len(options)))])
        spread = 0.25 if options is CLOTHS else 0.06
        varied = base * chance.uniform(0.75, 1.25) * chance.uniform(1 - spread, 1 + spread, 3)
        return tuple(np.clip(varied + chance.uniform(0, 0.02), 0.01, 0.95))

    kind = int(chance.choice(8, p=(0.08, 0.24, 0.18, 0.12, 0.08, 0.09, 0.08, 0.13)))
    length = {m.LONG: chance.uniform(0.2, 0.36), m.BOB: chance.uniform(0.1, 0.17), m.TAIL: chance.uniform(0.1, 0.25)}
    wild = kind in (m.AFRO, m.CURLY)
    return Look(
        kind,
        length.get(kind, 0.0),
        chance.uniform(0.0, 0.02) + (0.012 if kind == m.CURLY else 0),
        beard=chance.uniform(0.3, 1.2) if chance.random() < 0.2 else 0.0,
        headphones=chance.uniform(0.8, 1.6) if chance.random() < 0.28 else 0.0,
        glasses=chance.uniform(0.6, 1.4) if chance.random() < 0.3 else 0.0,
        hood=chance.uniform(0.6, 1.4) if chance.random() < 0.25 else 0.0,
        sleeves=float(chance.random() < 0.7),
        chair=chance.uniform(0.22, 0.42) if chance.random() < 0.35 else 0.0,
        build=chance.uniform(0.88, 1.2),
        pattern=int(chance.choice(4, p=(0.6, 0.15, 0.13, 0.12))),
        skin=pick(SKINS),
        hair_colour=pick(HAIRS),
        cloth=pick(CLOTHS),
        second=pick(CLOTHS),
        thing=pick(CLOTHS) if chance.random() < 0.4 else (0.05, 0.05, 0.055),
        chair_colour=pick(CLOTHS) if chance.random() < 0.5 else (0.06, 0.06, 0.07),
        strands=int(chance.integers(150, 1500)),
        strand_length=chance.uniform(0.02, 0.06) if wild else chance.uniform(0.012, 0.055),
        hands=str(chance.choice(("down", "one", "both", "chin"), p=(0.55, 0.2, 0.15, 0.1))),
    )


@dataclass
class Figure:
    """One person, who moves.

    Args:
        look: What they look like.
        seed: Of strands of hair and of movement.
        place: Metres to the right of the picture's middle, and down from it.
        distance: Metres from the camera.
        lively: How much they move; 0: not at all.
    """

    look: Look
    seed: int
    place: tuple[float, float] = (0.0, 0.0)
    distance: float = 0.75
    lively: float = 1.0
    _phases: np.ndarray = field(init=False)
    _strands: np.ndarray = field(init=False)
    _shades: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        chance = np.random.default_rng(self.seed)
        self._phases = chance.uniform(0, 2 * np.pi, 8)
        self._strands, self._shades = _grow(self.look, chance)

    def see(self, width: int, height: int, light: Light, time_s: float = 0.0, finer: int = 3) -> Layers:
        """The layers of a picture of a size in pixels, of ``finer`` × ``finer`` rays each, at a time."""
        w, h = width * finer, height * finer
        joints, turn = self._pose(time_s)
        camera = np.array([0.0, 0.0, self.distance, 1.25 * h, w / 2, h / 2])
        rgb = np.zeros((h, w, 3), np.float32)
        what, depth = np.zeros((h, w), np.uint8), np.full((h, w), 9, np.float32)
        look = self.look
        palette = np.array(
            [look.second, look.skin, look.hair_colour, look.cloth, look.thing, look.chair_colour, look.hair_colour],
            np.float64,
        )
        m.march(
            np.array([0, h]), np.array([0, w]), camera, light.rows(), joints, turn, self._traits(), palette, rgb, what,
            depth,
        )  # fmt: skip
        brightness = light.key * 0.45 + light.above * 0.6
        return self._with_strands(rgb, what, depth, (joints, turn, camera), brightness, finer)

    def face(self, width: int, height: int, time_s: float, half_width: float) -> tuple[float, float, float]:
        """Column and row of the face's middle in such a picture, and half its width (of ``half_width`` metres), pixels."""
        joints, turn = self._pose(time_s)
        x, y, z = turn @ np.array([0.0, 0.095, 0.06]) + joints[m.NECK]
        scale = 1.25 * height / (self.distance - z)
        return width / 2 + x * scale, height / 2 - y * scale, half_width * scale

    def _traits(self) -> np.ndarray:
        look = self.look
        up = (look.hands in ("one", "both"), look.hands == "both")
        return np.array(
            [
                look.hair, look.length, look.volume, look.beard, look.headphones, look.glasses, look.hood, look.sleeves,
                look.chair, look.build, look.pattern, self.seed % 89, float(up[0]), float(up[1]), look.hat, look.hairline,
                look.fringe, look.forward,
            ]
        )  # fmt: skip

    def _pose(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Joints (11, 3) and the head's axes (3, 3) at a time."""

        def sway(index: int, hertz: float) -> float:
            return self.lively * math.sin(2 * math.pi * hertz * time_s + self._phases[index])

        resting = np.sin(self._phases)
        x = self.place[0] + 0.02 * sway(0, 0.35) - 0.01 * sway(1, 0.8)
        y = -self.place[1] + 0.008 * sway(2, 0.6)
        yaw = 0.25 * resting[3] + 0.25 * sway(3, 0.45)
        roll = 0.1 * resting[4] + 0.07 * sway(4, 0.3)
        nod = 0.1 * resting[5] + 0.08 * sway(5, 0.7)
        build = self.look.build
        joints = np.zeros((11, 3))
        joints[m.NECK] = x, y - 0.09, 0.01 * sway(6, 0.4)
        joints[m.CHEST] = x * 0.8 + self.place[0] * 0.2, y - 0.22, -0.02
        chest = joints[m.CHEST]
        for side, sign in ((0, -1), (1, 1)):
            raised = self.look.hands == "both" or (self.look.hands in ("one", "chin") and side == 0)
            shoulder = chest + (sign * 0.165 * build, -0.035 + 0.008 * sign * resting[6], 0.0)
            if not raised:
                elbow = shoulder + (sign * 0.06, -0.26, 0.02)
                wrist = elbow + (-sign * 0.08, -0.15, 0.16)
                tip = wrist + (-sign * 0.08, -0.02, 0.1)
            elif self.look.hands == "chin":
                elbow = shoulder + (sign * 0.04, -0.2, 0.12)
                wrist = np.array([x + sign * 0.05, y - 0.22, 0.1])
                tip = wrist + (-sign * 0.03, 0.12, -0.02)
            else:
                wave = 0.05 * sway(7, 1.1)
                elbow = shoulder + (sign * 0.1, -0.2, 0.08)
                wrist = elbow + (sign * 0.03 + wave, 0.22, 0.04)
                tip = wrist + (wave * 0.7 + 0.02 * sign, 0.17, 0.01)
            joints[m.SHOULDER_L + side], joints[m.ELBOW_L + side] = shoulder, elbow
            joints[m.WRIST_L + side], joints[m.TIP_L + side] = wrist, tip
        joints[m.CHAIR] = self.place[0] + 0.08 * resting[7], -self.place[1] - 0.42, -0.2
        joints[m.CHAIR, 1] += 0.1 * resting[2]
        return joints, _turned(yaw, nod, roll)

    def _with_strands(
        self,
        rgb: np.ndarray,
        what: np.ndarray,
        depth: np.ndarray,
        pose: tuple[np.ndarray, np.ndarray, np.ndarray],
        brightness: np.ndarray,
        finer: int,
    ) -> Layers:
        """Draws the strands that nothing hides over the rays' answers, and reduces all to the picture's pixels."""
        joints, turn, camera = pose
        cover = (what > 0).astype(np.float32)
        thin, tint = self._drawn(depth, joints, turn, camera)
        share, lit = thin[..., None], np.clip(tint * brightness.astype(np.float32), 0, 1)
        rgb = np.clip(rgb, 0, 1) ** np.float32(1 / 2.2) * (1 - share) + lit ** np.float32(1 / 2.2) * share
        person = np.maximum((what > 0) & (what != m.ROOM), thin)[..., None]
        kinds = [(what == kind) * (1 - thin) for kind in (m.HAIR, m.SKIN, m.CLOTHES, m.THING)]
        kinds[0] = kinds[0] + thin
        # A beard belongs to the face.
        kinds[1] = kinds[1] + (what == m.BEARD) * (1 - thin)
        cover = cover * (1 - thin) + thin
        size = (rgb.shape[1] // finer, rgb.shape[0] // finer)
        planes = [
            cv2.resize(np.asarray(plane, np.float32), size, interpolation=cv2.INTER_AREA)
            for plane in (rgb, rgb * person, cover, *kinds)
        ]
        return Layers(planes[0], planes[1], planes[2], np.stack(planes[3:]))

    def _drawn(
        self, depth: np.ndarray, joints: np.ndarray, turn: np.ndarray, camera: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Cover, float32 (H, W), and colour, float32 (H, W, 3), of the strands."""
        h, w = depth.shape
        thin, tint = np.zeros((h, w), np.uint8), np.zeros((h, w, 3), np.float32)
        if not len(self._strands):
            return thin.astype(np.float32), tint
        points = (self._strands + (0, 0.1, 0)) @ turn.T + joints[m.NECK]
        away = camera[2] - points[..., 2]
        places = np.stack(
            [points[..., 0] / away * camera[3] + camera[4], -points[..., 1] / away * camera[3] + camera[5]], -1
        )
        width = max(1, round(camera[3] * 0.0005 / self.distance))
        middles = (places[:, :-1] + places[:, 1:]) / 2
        at = np.clip(middles, 0, (w - 1, h - 1)).astype(int)
        ray = np.linalg.norm(points - camera[:3], axis=-1)
        seen = (ray[:, :-1] + ray[:, 1:]) / 2 < depth[at[..., 1], at[..., 0]] + 0.004
        fixed = np.round(places * 16).astype(np.int32)
        for strand, shade, visible in zip(fixed, self._shades, seen, strict=True):
            colour = tuple(float(value) * shade for value in self.look.hair_colour)
            for index in np.flatnonzero(visible):
                line = strand[index : index + 2].reshape(1, 2, 2)
                strength = 255 if index < STRAND_POINTS - 3 else 190
                cv2.polylines(thin, line, False, strength, width, cv2.LINE_AA, 4)
                cv2.polylines(tint, line, False, colour, width + 2, cv2.LINE_8, 4)
        return thin.astype(np.float32) * (1 / 255), tint


def _turned(yaw: float, nod: float, roll: float) -> np.ndarray:
    a, b, c = math.cos(yaw), math.cos(nod), math.cos(roll)
    d, e, f = math.sin(yaw), math.sin(nod), math.sin(roll)
    around = np.array([[a, 0, d], [0, 1, 0], [-d, 0, a]])
    down = np.array([[1, 0, 0], [0, b, -e], [0, e, b]])
    aside = np.array([[c, -f, 0], [f, c, 0], [0, 0, 1]])
    return around @ down @ aside


def _grow(look: Look, chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Strands that stand off the hair, (strands, points, 3) in the head's axes, and how light each is."""
    if look.hair == m.BALD or not look.strands:
        return np.zeros((0, STRAND_POINTS, 3)), np.zeros(0)
    traits = np.zeros(m.TRAITS)
    traits[m.HAIR_KIND], traits[m.HAIR_LENGTH], traits[m.HAIR_VOLUME] = look.hair, look.length, look.volume
    traits[m.HAIRLINE], traits[m.FRINGE], traits[m.FORWARD] = look.hairline, look.fringe, look.forward
    found = []
    for _ in range(look.strands * 4):
        low = -look.length * 1.1 if look.hair in (m.LONG, m.BOB) else -0.02
        middle = np.array([0.0, chance.uniform(low, 0.04), -0.02])
        out = chance.normal(size=3)
        out[2] -= 0.4
        out /= np.linalg.norm(out)
        at = middle + out * 0.35
        for _ in range(40):
            near = m.hair(at[0], at[1], at[2], traits)
            if near < 0.0015:
                break
            at = at - out * near * 0.8
        if near < 0.003 and float(np.dot(at - middle, out)) > 0.02:
            found.append(_strand(look, at, out, chance))
        if len(found) == look.strands:
            break
    return np.array(found).reshape(-1, STRAND_POINTS, 3), chance.uniform(0.6, 1.3, len(found))


def _strand(look: Look, root: np.ndarray, out: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    wild = look.hair in (m.AFRO, m.CURLY)
    falls = 0.25 if wild or look.hair in (m.SHORT, m.BUN) else 0.75
    along = out * (1 - falls) + np.array([0, -falls, 0]) + chance.normal(0, 0.55 if wild else 0.25, 3)
    step = look.strand_length * chance.uniform(0.4, 1.3) / (STRAND_POINTS - 1)
    curl = chance.normal(0, 0.9 if wild else 0.25, 3)
    points = [root - out * 0.003]
    for _ in range(STRAND_POINTS - 1):
        along = along / np.linalg.norm(along)
        points.append(points[-1] + along * step)
        along = along + np.cross(along, curl) + (0, -0.12 if not wild else 0, 0)
    return np.array(points)
