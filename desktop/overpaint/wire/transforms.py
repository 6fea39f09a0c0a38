"""Messages between window and live process about pictures and clips to restyle.

The queue is the live process's: a window sends intents, and gets the whole list when anything in it
has changed, and in between, in a small message, how far the running ones are. Pictures never travel
here: both sides see the same files.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.media_limits import Kind
from overpaint.wire.messages import LiveMessage, Trouble
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

TransformState = Literal["ready", "waiting", "working", "done", "failed", "cancelled", "interrupted"]
"""ready: brought, not yet ordered, costs nothing. waiting: ordered. interrupted: Overpaint ended while
it was under way, so long ago that asking again might pay twice: the user decides."""

FINISHED: frozenset[TransformState] = frozenset(("done", "failed", "cancelled", "interrupted"))
"""Nothing happens to these any more unless the user wants it."""

TransformStage = Literal["uploading", "restyling", "saving"]

PATHS_MAX = 2000
"""Files and folders in one intent."""

Ids = Annotated[list[str], Field(max_length=20_000)]


# ---- window → live -------------------------------------------------------------------------------


class AddTransforms(LiveMessage):
    """Brings files, and folders with all that is in them; nothing is bought before ``StartTransforms``."""

    type: Literal["add_transforms"] = "add_transforms"
    paths: Annotated[list[str], Field(max_length=PATHS_MAX)]


class StartTransforms(LiveMessage):
    """Orders everything that is ready, for the price that stands in the items."""

    type: Literal["start_transforms"] = "start_transforms"
    prompt: Annotated[str, Field(min_length=1, max_length=PROMPT_MAX_CHARACTERS)]


class CancelTransforms(LiveMessage):
    """Stops items that wait or are under way. What was not begun costs nothing, or comes back."""

    type: Literal["cancel_transforms"] = "cancel_transforms"
    ids: Ids
    begun_too: bool = True
    """Also those that the service has begun, which keep their price; else they go on."""


class RetryTransforms(LiveMessage):
    """Orders finished items once more; the result of one that is paid for is only fetched."""

    type: Literal["retry_transforms"] = "retry_transforms"
    ids: Ids


class MoveTransform(LiveMessage):
    """Moves an item that waits; ``before`` another one, or to the end."""

    type: Literal["move_transform"] = "move_transform"
    id: str
    before: str | None


class RemoveTransforms(LiveMessage):
    """Takes items off the list, but for those under way. Their files stay."""

    type: Literal["remove_transforms"] = "remove_transforms"
    ids: Ids


class ResumeTransforms(LiveMessage):
    """Goes on after ``Transforms.halted``."""

    type: Literal["resume_transforms"] = "resume_transforms"


TransformIntent = (
    AddTransforms
    | StartTransforms
    | CancelTransforms
    | RetryTransforms
    | MoveTransform
    | RemoveTransforms
    | ResumeTransforms
)


# ---- live → window -------------------------------------------------------------------------------


class TransformItem(LiveMessage):
    """A picture or clip of the queue."""

    id: str
    source: str
    """Path."""
    kind: Kind
    state: TransformState
    price: int
    """What it costs, or did; fixed per kind."""
    prompt: str = ""
    charged: int | None = None
    """What was paid; None while that is not known. 0 for what failed."""
    result: str = ""
    """Path, once it is done."""
    trouble: Trouble | None = None
    added_at: datetime
    finished_at: datetime | None = None


class Skipped(LiveMessage):
    """The files of the last addition that were left out, and why."""

    unfit: int = 0
    """Neither pictures nor clips."""
    example: str = ""
    """Name of one of them."""
    empty: int = 0
    """Files without a byte."""
    empty_example: str = ""
    """Name of one of them."""
    known: int = 0
    """On the list already, waiting to be ordered."""
    beyond: int = 0
    """More than fit."""
    limit: int = 0
    """How many fit."""
    unreadable: int = 0
    """Folders that may not be read."""


class Transforms(LiveMessage):
    """The whole list, in the order in which it is worked on; sent when it has changed."""

    type: Literal["transforms"] = "transforms"
    items: list[TransformItem]
    folder: str
    """Where results go."""
    halted: Trouble | None = None
    """Why nothing goes on although items wait: the service, not a file, is the reason."""
    skipped: Skipped | None = None
    went_on: str = ""
    """File that was not cancelled because the service had begun it by then; empty for none."""


class RunningTransform(LiveMessage):
    """The progress of one item."""

    id: str
    stage: TransformStage
    part: float | None = None
    """Of the stage, 0..1; None where nobody knows."""
    seconds_left: int | None = None


class TransformsProgress(LiveMessage):
    """The progress of the running items."""

    type: Literal["transforms_progress"] = "transforms_progress"
    running: list[RunningTransform]
