"""What was sold is remembered beside its charge: sessions, jobs, files, webhooks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from helpers.auditor import trial_balance
from helpers.records import START, job_order, owed, session_record, stored_file
from overpaint.errors import InsufficientCreditsError, InvalidRequestError, NotFoundError, RateLimitedError
from overpaint.ledger import Idempotency, KeyRecord, Ledger, StoredFile, UploadLimit

DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def key(ledger: Ledger) -> KeyRecord:
    return ledger.create_key("shop", "live", credits=100).record


def test_a_session_is_found_by_its_secret_as_it_was_sold(ledger: Ledger, key: KeyRecord) -> None:
    record = session_record(key, 1, prompt="a\0b 🎨", photo_url="https://example.com/ü.jpg")
    assert ledger.sell_session(key.purse, 25, record, str) == ("75", True)
    assert ledger.session(record.secret_digest) == record
    assert ledger.session(bytes(32)) is None


def test_a_session_that_cannot_be_paid_is_not_kept(ledger: Ledger, key: KeyRecord) -> None:
    record = session_record(key, 1)
    with pytest.raises(InsufficientCreditsError):
        ledger.sell_session(key.purse, 101, record, str)
    assert ledger.session(record.secret_digest) is None


def test_a_session_keeps_its_style_seconds_and_first_end(ledger: Ledger, key: KeyRecord) -> None:
    record = session_record(key, 1)
    ledger.sell_session(key.purse, 25, record, str)
    ledger.keep_style("rts_1", "oil", False)
    ledger.keep_seconds("rts_1", 12)
    kept = replace(record, prompt="oil", enhance_prompt=False, seconds=12)
    assert ledger.session(record.secret_digest) == kept
    ledger.end_session("rts_1", "session_closed", 13)
    ledger.end_session("rts_1", "session_expired", 99)
    ledger.keep_style("rts_1", "chalk", True)
    assert ledger.session(record.secret_digest) == replace(kept, ended="session_closed", seconds=13)


def test_a_session_can_be_given_to_another_key(ledger: Ledger, key: KeyRecord) -> None:
    record = session_record(key, 1)
    ledger.sell_session(key.purse, 25, record, str)
    other = ledger.create_key("other", "live", account="shop").record
    ledger.rekey_session("rts_1", other.id, b"n" * 32)
    assert ledger.session(record.secret_digest) is None
    assert ledger.session(b"n" * 32) == replace(record, key_id=other.id, secret_digest=b"n" * 32)
    # One that is over is known by its new secret as over, not as a stranger's.
    ledger.end_session("rts_1", "session_expired", 5)
    ledger.rekey_session("rts_1", key.id, b"o" * 32)
    again = ledger.session(b"o" * 32)
    assert again is not None and again.ended == "session_expired"


def test_the_desktops_sessions_are_its_new_keys(ledger: Ledger) -> None:
    first = ledger.mint_local_key().record
    repeat = Idempotency(first.id, "POST /v1/x", "k", "body")
    ledger.sell_session(first.purse, 25, session_record(first, 1), str, repeat)
    second = ledger.mint_local_key().record
    kept = ledger.session(session_record(first, 1).secret_digest)
    assert kept is not None and kept.key_id == second.id
    assert ledger.revoked([first.id, second.id, 999]) == {first.id}
    assert ledger.first_answer(replace(repeat, key_id=second.id)) == "2475"


def test_sessions_are_forgotten_some_time_after_their_expiry(ledger: Ledger, key: KeyRecord) -> None:
    ledger.sell_session(key.purse, 25, session_record(key, 1), str)
    ledger.drop_sessions(START)
    assert ledger.session(session_record(key, 1).secret_digest) is not None
    ledger.drop_sessions(START + timedelta(milliseconds=1))
    assert ledger.session(session_record(key, 1).secret_digest) is None


def test_a_job_is_charged_kept_and_found(ledger: Ledger, key: KeyRecord) -> None:
    order = job_order(key, 1, prompt="a\0b", webhook_url=None)
    job, new = ledger.sell_job(order, 20)
    assert new and job.order == order and (job.status, job.attempts) == ("processing", 0)
    assert (job.credits_charged, job.credits_remaining, job.retried) == (20, 80, False)
    assert ledger.job("tfm_1") == job
    for unknown in ("tfm_2", "", "tfm_1\0", "ü", "x" * 5000):
        assert ledger.job(unknown) is None and ledger.file(unknown) is None


def test_a_repeated_job_is_the_first_one_for_24_hours(ledger: Ledger, key: KeyRecord, clock: Any) -> None:
    repeat = Idempotency(key.id, "POST /v1/transforms", "k", "body")
    assert ledger.first_answer(repeat) is None
    first, _ = ledger.sell_job(job_order(key, 1), 20, repeat)
    assert first.retried and ledger.first_answer(repeat) == "tfm_1"
    clock.ms += DAY_MS
    assert ledger.sell_job(job_order(key, 2), 20, repeat) == (first, False)
    with pytest.raises(InvalidRequestError, match="another body"):
        ledger.sell_job(job_order(key, 2), 20, replace(repeat, body_digest="other"))
    with pytest.raises(InvalidRequestError, match="another body"):
        ledger.first_answer(replace(repeat, body_digest="other"))
    assert ledger.job("tfm_2") is None and ledger.balance(key.purse) == 80
    clock.ms += 1
    assert ledger.first_answer(repeat) is None
    assert ledger.sell_job(job_order(key, 3), 20, replace(repeat, body_digest="other"))[1]
    assert ledger.balance(key.purse) == 60


def test_a_home_finds_its_own_open_jobs_oldest_first(ledger: Ledger, key: KeyRecord) -> None:
    for number, home in enumerate(["here", "there", "here", "here"]):
        ledger.sell_job(job_order(key, number, home=home), 2)
    ledger.finish_job("tfm_2", stored_file(key.purse, 2), None)
    assert [job.order.id for job in ledger.open_jobs("here")] == ["tfm_0", "tfm_3"]


def test_attempts_are_counted_while_a_job_is_processing(ledger: Ledger, key: KeyRecord) -> None:
    ledger.sell_job(job_order(key, 1), 20)
    ledger.pause_job("tfm_1")
    never = ledger.job("tfm_1")
    assert never is not None and never.attempts == 0
    assert [ledger.begin_job("tfm_1"), ledger.begin_job("tfm_1")] == [1, 2]
    for _ in range(3):
        ledger.pause_job("tfm_1")
        begun = ledger.job("tfm_1")
        assert begun is not None and begun.attempts == 1, "it was begun, however often it was paused"
    assert ledger.begin_job("tfm_1") == 2
    ledger.fail_job("tfm_1", "No.", None)
    for gone in ("tfm_1", "tfm_2"):
        with pytest.raises(NotFoundError):
            ledger.begin_job(gone)


def test_a_finished_job_has_its_file_and_owes_its_webhook(ledger: Ledger, key: KeyRecord) -> None:
    ledger.sell_job(job_order(key, 1), 20)
    output = stored_file(key.purse, 1)
    job = ledger.finish_job("tfm_1", output, owed)
    assert (job.status, job.output, job.credits_charged) == ("succeeded", "fil_1", 20)
    assert ledger.job("tfm_1") == job and ledger.file("fil_1") == output
    assert ledger.deliveries(None, 10) == [owed(job)]
    again = ledger.finish_job("tfm_1", stored_file(key.purse, 2), owed)
    late = ledger.fail_job("tfm_1", "Too late.", owed)
    assert again == late == job and ledger.file("fil_2") is None
    assert len(ledger.deliveries(None, 10)) == 1 and ledger.balance(key.purse) == 80


def test_a_free_job_has_its_file_and_gives_its_credits_back_once(
    ledger: Ledger, key: KeyRecord, database_url: str
) -> None:
    ledger.sell_job(job_order(key, 1), 20)
    job = ledger.finish_job("tfm_1", stored_file(key.purse, 1), owed, free=True)
    assert (job.status, job.output, job.credits_charged, job.credits_remaining) == (
        "succeeded",
        "fil_1",
        0,
        100,
    )
    assert ledger.finish_job("tfm_1", stored_file(key.purse, 2), owed, free=True) == job
    assert trial_balance(database_url)["credits:shop:live"] == 100


def test_a_failed_job_gives_its_credits_back_once(ledger: Ledger, key: KeyRecord, database_url: str) -> None:
    ledger.sell_job(job_order(key, 1), 20)
    ledger.charge(key.purse, 5, "another", "thing")
    job = ledger.fail_job("tfm_1", "The engine gave up.", owed)
    assert (job.status, job.output, job.failure) == ("failed", None, "The engine gave up.")
    assert (job.credits_charged, job.credits_remaining) == (0, 95)
    assert ledger.fail_job("tfm_1", "Again.", owed) == job
    assert ledger.finish_job("tfm_1", stored_file(key.purse, 1), owed) == job
    assert trial_balance(database_url)["credits:shop:live"] == 95
    assert [each.body for each in ledger.deliveries(None, 10)] == ['{"status": "failed", "left": 95}']


def test_a_job_ends_once_whoever_ends_it_at_once(ledger: Ledger, key: KeyRecord, database_url: str) -> None:
    for number in range(4):
        ledger.sell_job(job_order(key, number), 20)

    def end(number: int) -> str:
        job = f"tfm_{number % 4}"
        if number % 8 < 4:
            return ledger.fail_job(job, "No.", owed).status
        return ledger.finish_job(job, stored_file(key.purse, number), owed).status

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(end, range(32)))
    for number in range(4):
        assert len(set(told[number::4])) == 1
    assert len(ledger.deliveries(None, 100)) == 4
    assert trial_balance(database_url)["credits:shop:live"] == 20 + 20 * told[:4].count("failed")


def test_nothing_is_owed_to_nobody(ledger: Ledger, key: KeyRecord) -> None:
    ledger.sell_job(job_order(key, 1, webhook_url=None), 20)
    ledger.sell_job(job_order(key, 2), 20)
    ledger.fail_job("tfm_1", "No.", owed)
    ledger.fail_job("tfm_2", "No.", None)
    assert ledger.deliveries(None, 10) == []


def test_a_webhook_that_cannot_be_written_leaves_the_job_open(ledger: Ledger, key: KeyRecord) -> None:
    ledger.sell_job(job_order(key, 1), 20)

    def broken(job: object) -> Any:
        raise RuntimeError("no webhook")

    with pytest.raises(RuntimeError):
        ledger.fail_job("tfm_1", "No.", broken)
    job = ledger.job("tfm_1")
    assert job is not None and job.status == "processing" and ledger.balance(key.purse) == 80


def test_webhooks_are_due_in_their_order_until_they_are_settled(ledger: Ledger, key: KeyRecord) -> None:
    other = ledger.create_key("other", "test", credits=50).record
    for number, buyer in ((1, key), (2, key), (3, other)):
        ledger.sell_job(job_order(buyer, number), 5)
        at = START + timedelta(seconds=10 - number)
        ledger.fail_job(f"tfm_{number}", "No.", lambda job, at=at: owed(job, at))
    assert ledger.due_deliveries("here", START, 10) == []
    later = START + timedelta(seconds=60)
    assert [each.job for each in ledger.due_deliveries("here", later, 2)] == ["tfm_3", "tfm_2"]
    assert ledger.due_deliveries("there", later, 2) == []

    ledger.settle_delivery("msg_tfm_3", "delivered", None, 204, "")
    ledger.settle_delivery("msg_tfm_3", "given_up", None, 500, "a late attempt of another core")
    ledger.settle_delivery("msg_tfm_2", "pending", later, None, "Nobody answers.\0")
    assert [each.job for each in ledger.due_deliveries("here", later, 9)] == ["tfm_1", "tfm_2"]
    told = {each.job: each for each in ledger.deliveries(None, 10)}
    assert (told["tfm_3"].state, told["tfm_3"].attempts, told["tfm_3"].status) == ("delivered", 1, 204)
    assert (told["tfm_2"].state, told["tfm_2"].next_at, told["tfm_2"].attempts) == ("pending", later, 1)
    assert told["tfm_2"].problem == "Nobody answers.\0"
    assert [each.job for each in ledger.deliveries("other", 10)] == ["tfm_3"]
    assert len(ledger.deliveries(None, 2)) == 2


def test_files_are_kept_until_they_are_dropped(ledger: Ledger, key: KeyRecord) -> None:
    first, second = stored_file(key.purse, 1), stored_file(key.purse, 2, START + timedelta(hours=1))
    for file in (second, first):
        ledger.add_upload(file, UploadLimit(9, 9000), START)
    assert ledger.file("fil_2") == second
    assert ledger.expired_files(START - timedelta(milliseconds=1)) == []
    assert ledger.expired_files(START) == [first]
    assert ledger.expired_files(START + timedelta(days=1)) == [first, second]
    ledger.drop_file("fil_1")
    assert ledger.file("fil_1") is None and ledger.file("fil_2") == second


def test_uploads_are_bounded_by_number_and_size_until_they_expire(ledger: Ledger, key: KeyRecord) -> None:
    limit, tomorrow = UploadLimit(3, 4 * 1234), START + timedelta(days=1)
    test_purse = replace(key.purse, environment="test")
    ledger.sell_job(job_order(key, 1), 20)
    ledger.finish_job("tfm_1", stored_file(key.purse, "output", tomorrow), None)

    def refused(file: StoredFile, limit: UploadLimit = limit, now: datetime = START) -> int:
        with pytest.raises(RateLimitedError) as caught:
            ledger.add_upload(file, limit, now)
        with pytest.raises(RateLimitedError):
            ledger.check_upload(file.purse, file.size, limit, now)
        assert ledger.file(file.id) is None
        return caught.value.retry_after_s

    for number in range(3):
        ledger.add_upload(stored_file(key.purse, number, tomorrow), limit, START)
    ledger.add_upload(stored_file(test_purse, "test", tomorrow), limit, START)
    another = stored_file(key.purse, "another", tomorrow)
    assert refused(another) == 86_400
    assert refused(another, now=tomorrow - timedelta(milliseconds=1)) == 1
    assert refused(another, UploadLimit(9, 4 * 1234 - 1)) == 86_400
    ledger.add_upload(another, UploadLimit(4, 4 * 1234), START)
    ledger.add_upload(stored_file(key.purse, "later", tomorrow + timedelta(days=1)), limit, tomorrow)


def test_a_crowd_of_uploads_gets_no_more_than_its_bound(ledger: Ledger, key: KeyRecord) -> None:
    def add(number: int) -> bool:
        try:
            ledger.add_upload(
                stored_file(key.purse, number, START + timedelta(days=1)), UploadLimit(5, 10**9), START
            )
        except RateLimitedError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(add, range(24))) == 5


def test_secrets_are_drawn_once_and_webhooks_on_demand(ledger: Ledger, database_url: str) -> None:
    urls, shop = ledger.secret("file urls"), ledger.webhook_secret("shop")
    other = Ledger(database_url)
    assert other.secret("file urls") == urls and len(urls) == 32 and other.secret("another") != urls
    assert shop.startswith("whsec_") and other.webhook_secret("shop") == shop
    assert other.webhook_secret("other") != shop
    new = other.webhook_secret("shop", rotate=True)
    assert new != shop and ledger.webhook_secret("shop") == new
    other.close()


def test_the_answers_of_a_revoked_key_are_forgotten(ledger: Ledger, key: KeyRecord) -> None:
    repeat = Idempotency(key.id, "POST /v1/x", "k", "body")
    ledger.sell_session(key.purse, 25, session_record(key, 1), str, repeat)
    ledger.revoke_key("shop")
    assert ledger.first_answer(repeat) is None
