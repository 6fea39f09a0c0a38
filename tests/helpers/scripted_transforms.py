"""Lists of transforms as a live process would tell them, with real files behind them."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from helpers import small_media
from helpers.clips import portrait
from overpaint.wire.credits import Charge, ChargeOutcome, ChargeReason, Charges
from overpaint.wire.messages import Trouble
from overpaint.wire.transforms import (
    RunningTransform,
    Skipped,
    TransformItem,
    Transforms,
    TransformsProgress,
    TransformState,
)

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NO_ANSWER = Trouble(
    kind="unreachable",
    sentence="The service at https://studio.example does not answer.",
    mend="Check the address, and that the service runs.",
)


@functools.cache
def gallery() -> Path:
    """A folder with pictures, a clip, and their results; made once a process, and removed with it."""
    made = tempfile.TemporaryDirectory(prefix="overpaint-gallery-")
    gallery.keep = made  # type: ignore[attr-defined]
    folder = Path(made.name)
    face = portrait(480, 320)
    for number, turn in enumerate((0, 25, 60, 110)):
        hue = cv2.cvtColor(face, cv2.COLOR_BGR2HSV)
        hue[..., 0] = (hue[..., 0].astype(int) + turn) % 180
        picture = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)
        cv2.imwrite(str(folder / f"holiday-{number:03}.jpg"), picture)
        styled = cv2.stylization(picture, sigma_s=30, sigma_r=0.4)
        cv2.imwrite(str(folder / f"holiday-{number:03}.look.jpg"), np.asarray(styled, np.uint8))
    (folder / "intro.mp4").write_bytes(small_media.clip(480, 320))
    (folder / "intro.look.mp4").write_bytes(small_media.clip(480, 320))
    return folder


def item(
    name: str = "holiday-000.jpg", state: TransformState = "ready", number: int = 0, **more: object
) -> TransformItem:
    """One item; a finished one has a result of that name in the gallery."""
    source = gallery() / name
    clip = source.suffix == ".mp4"
    fields: dict[str, object] = {
        "id": f"t{number}-{name}",
        "source": str(source),
        "kind": "video" if clip else "image",
        "state": state,
        "price": 20 if clip else 2,
        "prompt": "" if state == "ready" else "pencil sketch",
        "added_at": NOW + timedelta(seconds=number),
    }
    if state == "done":
        result = source.with_name(f"{source.stem}.look{source.suffix}")
        fields |= {"result": str(result), "charged": fields["price"]}
    if state in ("done", "failed", "cancelled", "interrupted"):
        fields["finished_at"] = NOW + timedelta(seconds=number)
    return TransformItem.model_validate(fields | more)


def told(*items: TransformItem, halted: Trouble | None = None, skipped: Skipped | None = None) -> Transforms:
    """The list as a message."""
    folder = str(gallery())
    return Transforms(items=list(items), folder=folder, halted=halted, skipped=skipped)


def batch() -> Transforms:
    """Twelve files that are ready, after one that is done."""
    names = [f"holiday-{number % 4:03}.jpg" for number in range(11)]
    ready = [item(name, "ready", number) for number, name in enumerate([*names, "intro.mp4"])]
    left_out = Skipped(unfit=3, example="notes.txt")
    return told(*ready, item("holiday-003.jpg", "done", 90), skipped=left_out)


def business() -> Transforms:
    """Something in every state."""
    broken = Trouble(
        kind="invalid_request_error",
        sentence="The picture is damaged.",
        mend="Choose another file.",
    )
    return told(
        item("intro.mp4", "working", 1, prompt="starry night"),
        item("holiday-000.jpg", "working", 2),
        item("holiday-001.jpg", "waiting", 3),
        item("holiday-002.jpg", "waiting", 4),
        item("holiday-003.jpg", "done", 5),
        item("holiday-002.jpg", "failed", 6, charged=0, trouble=broken),
        item("holiday-001.jpg", "cancelled", 7, charged=2),
        item("holiday-000.jpg", "done", 8, prompt="a very old japanese woodblock print, warm evening"),
        item("intro.mp4", "done", 9, prompt="ink comic"),
    )


def progress(items: Sequence[TransformItem]) -> TransformsProgress:
    """The clip is in the middle of it; of a picture nobody knows how far it is."""
    clip, picture = (each for each in items if each.state == "working")
    return TransformsProgress(
        running=[
            RunningTransform(id=clip.id, stage="restyling", part=0.62, seconds_left=8),
            RunningTransform(id=picture.id, stage="restyling"),
        ]
    )


def charges() -> Charges:
    """What was charged of late."""
    there = "https://studio.example"
    kinds: list[tuple[ChargeReason, int, str, str, ChargeOutcome]] = [
        ("image", 2, "holiday-003.jpg", there, ""),
        ("video", 20, "intro.mp4", there, ""),
        ("video", 20, "outro.mp4", there, "cancelled"),
        ("video", 20, "gone.mp4", there, "refunded"),
        ("session", 25, "", there, ""),
        ("session", 25, "", "", ""),
        ("topped_up", 2025, "", "", ""),
        ("added", 500, "", "", ""),
    ]
    now = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    return Charges(
        entries=[
            Charge(
                id=str(place),
                at=now - timedelta(hours=place),
                reason=reason,
                credits=credits,
                what=what,
                server=server,
                outcome=outcome,
            )
            for place, (reason, credits, what, server, outcome) in enumerate(kinds)
        ]
    )
