"""Messages between window and live process about the transform queue: files to restyle.

The live process has the queue. A window sends intents, and gets the whole list after every change, and
small progress messages in between. Pictures do not travel here: both sides access the same files.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.media_limits import Kind
from overpaint.wire.messages import LiveMessage, Trouble
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

TransformState = Literal["ready", "waiting", "working", "done", "failed", "cancelled", "interrupted"]
"""ready: added, not ordered, free of charge. waiting: ordered. interrupted: Overpaint ended during the job,
and its idempotency key may have expired, so that a retry could be charged again: the user decides."""

FINISHED: frozenset[TransformState] = frozenset(("done", "failed", "cancelled", "interrupted"))
"""Final states: an item leaves them only by an intent of the user."""

TransformStage = Literal["uploading", "restyling", "saving"]

PATHS_MAX = 2000
"""Most files and folders in one intent."""

Ids = Annotated[list[str], Field(max_length=20_000)]


# ---- window → live -------------------------------------------------------------------------------


class AddTransforms(LiveMessage):
    """The intent to add files, and the files in folders. Nothing is bought before ``StartTransforms``."""

    type: Literal["add_transforms"] = "add_transforms"
    paths: Annotated[list[str], Field(max_length=PATHS_MAX)]


class StartTransforms(LiveMessage):
    """The intent to order ready items at their shown prices."""

    type: Literal["start_transforms"] = "start_transforms"
    prompt: Annotated[str, Field(min_length=1, max_length=PROMPT_MAX_CHARACTERS)]
    ids: Ids | None = None
    """The items; None for all that are ready."""
    with_photo: bool = False
    """Whether the live picture's present reference photo belongs to the look."""
    image_data: str = ""
    """Base64 of a reference photo of the files' own, which takes the place of that; empty for none."""


class WantTransformPreview(LiveMessage):
    """The intent to see a file in a look before it is ordered; painted on this computer, free of charge.

    A newer one takes its place. One without a file ends what is being painted.
    """

    type: Literal["want_transform_preview"] = "want_transform_preview"
    serial: int
    """Chosen by the window; comes back with the preview."""
    source: str = ""
    """Path; empty for none."""
    kind: Kind = "image"
    prompt: Annotated[str, Field(max_length=PROMPT_MAX_CHARACTERS)] = ""
    with_photo: bool = False
    """As in ``StartTransforms``; here and below."""
    image_data: str = ""


class CancelTransforms(LiveMessage):
    """The intent to cancel waiting and running items. Items that were not begun are free or refunded."""

    type: Literal["cancel_transforms"] = "cancel_transforms"
    ids: Ids
    begun_too: bool = True
    """Whether to cancel items that the service has begun too, which are not refunded; else they go on."""


class RetryTransforms(LiveMessage):
    """The intent to order finished items again. The result of a paid job is only downloaded again."""

    type: Literal["retry_transforms"] = "retry_transforms"
    ids: Ids


class MoveTransform(LiveMessage):
    """The intent to move a waiting item ``before`` another one; None for the end of the queue."""

    type: Literal["move_transform"] = "move_transform"
    id: str
    before: str | None


class RemoveTransforms(LiveMessage):
    """The intent to remove items from the list, except running ones. Their files are kept."""

    type: Literal["remove_transforms"] = "remove_transforms"
    ids: Ids


class ResumeTransforms(LiveMessage):
    """The intent to resume the queue after ``Transforms.halted``."""

    type: Literal["resume_transforms"] = "resume_transforms"


TransformIntent = (
    AddTransforms
    | StartTransforms
    | WantTransformPreview
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
    """Price in credits, fixed per kind."""
    prompt: str = ""
    photo: str = ""
    """Path of the reference photo; empty for none."""
    charged: int | None = None
    """Credits paid; 0 for a failed item, None while unknown."""
    result: str = ""
    """Path of the result; empty until done."""
    trouble: Trouble | None = None
    added_at: datetime
    finished_at: datetime | None = None


class TransformPreview(LiveMessage):
    """The answer to ``WantTransformPreview``."""

    type: Literal["transform_preview"] = "transform_preview"
    serial: int
    picture: str = ""
    """Base64 of a JPEG; empty where there is none."""
    unchanged: bool = False
    """Nothing in the prompt can be done by this computer's engine."""
    trouble: Trouble | None = None
    """Why there is no picture."""


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
    """Files that are on the list already, not yet ordered."""
    beyond: int = 0
    """Files over the limit."""
    limit: int = 0
    """Most unfinished items in the list."""
    unreadable: int = 0
    """Folders without read permission."""


class Transforms(LiveMessage):
    """The whole queue in order; sent when it has changed."""

    type: Literal["transforms"] = "transforms"
    items: list[TransformItem]
    folder: str
    """Folder of the results."""
    halted: Trouble | None = None
    """Why the queue is halted although items wait: an error of the service, not of a file."""
    skipped: Skipped | None = None
    went_on: str = ""
    """File that was not cancelled, because the service had begun it before the request; empty for none."""


class RunningTransform(LiveMessage):
    """The progress of one item."""

    id: str
    stage: TransformStage
    part: float | None = None
    """Progress of the stage, 0..1; None where unknown."""
    seconds_left: int | None = None


class TransformsProgress(LiveMessage):
    """The progress of the running items."""

    type: Literal["transforms_progress"] = "transforms_progress"
    running: list[RunningTransform]
