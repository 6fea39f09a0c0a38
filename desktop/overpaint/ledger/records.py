"""Records of sessions, jobs, files and webhook calls, as plain values. Must not know the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from overpaint.ledger.keys import Purse
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import JobStatus, RealtimeModel, TransformModel


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A realtime session that was sold; outlives the core's process.

    Attributes:
        id: ``rts_…``.
        key_id: The API key that paid; when it is revoked, the session ends.
        secret_digest: SHA-256 of the session secret.
        model: Realtime model.
        prompt: The current one (changed by ``prompt`` messages).
        enhance_prompt: Of the current prompt.
        photo_url: ``reference_image_url`` as supplied.
        expires_at: UTC.
        ended: Why it is over; None while it is not.
        seconds: Billed so far.
        account: Of the key that paid.
    """

    id: str
    key_id: int
    secret_digest: bytes
    model: RealtimeModel
    prompt: str
    enhance_prompt: bool
    photo_url: str | None
    expires_at: datetime
    ended: str | None = None
    seconds: int = 0
    account: str = ""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that the service keeps for a while: an upload, or the output of a job.

    Attributes:
        id: ``fil_…``; its bytes lie in the file folder under this name.
        purse: Whose it is.
        content_type: Media type, as recognised by its content.
        size: Bytes.
        expires_at: UTC.
    """

    id: str
    purse: Purse
    content_type: str
    size: int
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class UploadLimit:
    """The limits of an account's uploads, in each of its environments.

    Attributes:
        files: How many that have not expired.
        size: Of all of them together, bytes.
    """

    files: int
    size: int


@dataclass(frozen=True, slots=True)
class JobOrder:
    """A transform job as it is sold.

    Attributes:
        id: ``tfm_…``.
        key_id: The API key that pays.
        purse: Whose credits.
        home: The core whose data folder holds the job's input; it alone runs the job.
        model: Transform model.
        kind: What the model takes and gives.
        prompt: What the output should look like.
        input_name: Name of the input within the job folder.
        base_url: Of the service as the caller reached it, for urls that are told later.
        webhook_url: Called at the job's end; None for nobody.
    """

    id: str
    key_id: int
    purse: Purse
    home: str
    model: TransformModel
    kind: Kind
    prompt: str
    input_name: str
    base_url: str
    webhook_url: str | None


@dataclass(frozen=True, slots=True)
class Job:
    """A transform job as it stands.

    Attributes:
        order: What was sold.
        status: Final ones never change again.
        output: Id of the output file; None unless succeeded.
        failure: Why it failed, one sentence; None unless it did.
        attempts: How often it was begun.
        retried: Whether an Idempotency-Key can ask for it again.
        charge: Entry of its charge in the books.
        credits_charged: 0 after they were given back.
        credits_remaining: Balance after the charge, or after the refund.
        created_at: UTC.
    """

    order: JobOrder
    status: JobStatus
    output: str | None
    failure: str | None
    attempts: int
    retried: bool
    charge: int
    credits_charged: int
    credits_remaining: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook call that is owed, or was made.

    Attributes:
        id: ``msg_…``, the ``webhook-id`` of every attempt.
        account: Whose secret signs it.
        url: Where to.
        body: JSON text, the same at every attempt.
        job: Id of the job that it tells of.
        state: ``pending``, ``delivered`` or ``given_up``.
        attempts: How often it was tried.
        next_at: When it is tried next, UTC; None unless pending.
        status: HTTP status of the last attempt; None before, or when nobody answered.
        problem: What was wrong with the last attempt; "" for nothing.
        created_at: UTC.
    """

    id: str
    account: str
    url: str
    body: str
    job: str
    state: str
    attempts: int
    next_at: datetime | None
    status: int | None
    problem: str
    created_at: datetime
