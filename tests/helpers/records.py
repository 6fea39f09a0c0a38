"""What a ledger keeps, made up for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from overpaint.ledger import Delivery, Job, JobOrder, KeyRecord, Purse, SessionRecord, StoredFile

START = datetime(2030, 1, 1, tzinfo=UTC)


def session_record(key: KeyRecord, number: int, **other: Any) -> SessionRecord:
    known: dict[str, Any] = {
        "id": f"rts_{number}",
        "key_id": key.id,
        "secret_digest": number.to_bytes(32, "big"),
        "model": "service-realtime-720p",
        "prompt": "ink",
        "enhance_prompt": True,
        "photo_url": None,
        "expires_at": START,
        "account": key.account,
    }
    return SessionRecord(**known | other)


def job_order(key: KeyRecord, number: int, **other: Any) -> JobOrder:
    known: dict[str, Any] = {
        "id": f"tfm_{number}",
        "key_id": key.id,
        "purse": key.purse,
        "home": "here",
        "model": "service-video-v1",
        "kind": "video",
        "prompt": "ink",
        "input_name": "input.mp4",
        "base_url": "http://127.0.0.1:1",
        "webhook_url": "http://127.0.0.1:2/told",
    }
    return JobOrder(**known | other)


def stored_file(purse: Purse, name: object, expires_at: datetime = START) -> StoredFile:
    return StoredFile(f"fil_{name}", purse, "video/mp4", 1234, expires_at)


def owed(job: Job, next_at: datetime = START) -> Delivery:
    """A webhook call that is owed for a job."""
    return Delivery(
        id=f"msg_{job.order.id}",
        account=job.order.purse.account,
        url=str(job.order.webhook_url),
        body=f'{{"status": "{job.status}", "left": {job.credits_remaining}}}',
        job=job.order.id,
        state="pending",
        attempts=0,
        next_at=next_at,
        status=None,
        problem="",
        created_at=START,
    )
