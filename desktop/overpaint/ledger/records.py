"""Records of sessions, jobs, files and webhook calls, as plain values. Must not know the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from overpaint.ledger.keys import Purse
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import JobStatus, RealtimeModel, TransformModel


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """The record of a realtime session, which outlives the core's process.

    Attributes:
        id: ``rts_…``.
        key_id: The API key that paid; when it is revoked, the session ends.
        secret_digest: SHA-256 of the session secret.
        model: Realtime model.
        prompt: The current one (changed by ``prompt`` messages).
        enhance_prompt: Whether the service expands the current prompt.
        photo_url: ``reference_image_url`` as supplied.
        expires_at: UTC.
        ended: Why it ended; None while it has not.
        seconds: Billed so far.
        account: Account of the key that paid.
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
    """The record of a stored file: an upload, or the output of a job. Files expire.

    Attributes:
        id: ``fil_…``; also its name in the file folder.
        purse: Its owner.
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
    """The upload quota of an account in each environment; only uploads that have not expired count.

    Attributes:
        files: Number of uploads.
        size: Total bytes.
    """

    files: int
    size: int


@dataclass(frozen=True, slots=True)
class JobOrder:
    """The order of a transform job: what was requested, by whom, and which core runs it.

    Attributes:
        id: ``tfm_…``.
        key_id: The API key that pays.
        purse: The purse that pays.
        home: Id of the core that has the job's input in its data folder; no other core runs the job.
        model: Transform model.
        kind: Kind of input and output.
        prompt: What the output should look like.
        input_name: File name of the input in the job's folder.
        photo_name: File name of the decoded reference photo there; None for no photo.
        base_url: The service's address as the caller reached it, from which later URLs are built.
        webhook_url: Called when the job ends; None for no call.
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
    photo_name: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """The record of a transform job.

    Attributes:
        order: What was sold.
        status: ``processing``, or one of the final ``succeeded`` and ``failed``.
        output: Id of the output file; None unless succeeded.
        failure: Why it failed, one sentence; None unless it did.
        attempts: How often it was begun.
        retried: Whether it was ordered with an Idempotency-Key, so that a client may request it again.
        charge: Id of the charge's entry in the books.
        credits_charged: Price; 0 after a refund.
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
    """The record of a webhook call, pending or done.

    Attributes:
        id: ``msg_…``, the ``webhook-id`` of every attempt.
        account: The account whose secret signs it.
        url: Address of the receiver.
        body: JSON text, the same at every attempt.
        job: Id of the job that it is about.
        state: ``pending``, ``delivered`` or ``given_up``.
        attempts: Number of attempts so far.
        next_at: Time of the next attempt, UTC; None unless pending.
        status: HTTP status of the last attempt; None before the first, and without an answer.
        problem: Error of the last attempt; "" for none.
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
