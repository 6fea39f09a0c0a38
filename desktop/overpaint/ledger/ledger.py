"""The ledger's interface: API keys, credits and sales. Safe to use from any thread and process.

Every public method is one transaction. The statements of each are in the module of its subject
(``keychain``, ``books``, ``sessions``, ``jobs``, ``files``, ``deliveries``). Must not know HTTP.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DatabaseError, IntegrityError

from overpaint.errors import ProcessError, UsageError
from overpaint.ledger import answers, books, deliveries, files, free_account, jobs, keychain, sessions
from overpaint.ledger.answers import Idempotency
from overpaint.ledger.books import Charge, Entry
from overpaint.ledger.database import close_database, open_database, reading, turn, writing
from overpaint.ledger.keys import LOCAL_KEY_NAME, LOCAL_PURSE, CreatedKey, KeyRecord, Purse
from overpaint.ledger.records import Delivery, Job, JobOrder, SessionRecord, StoredFile, UploadLimit
from overpaint.ledger.schema import migrate
from overpaint.wire.service import Environment

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Ledger:
    """The books of one service, and its records of sessions, jobs, files and webhook calls.

    Args:
        url: Database (``ledger_url(folder)`` for SQLite in a data folder, or that of a PostgreSQL
            server). Opening it creates missing tables and applies migrations.
        now_ms: Clock, milliseconds since 1970 UTC.
        migrates: Whether existing tables may be altered. Default: yes for SQLite (which is backed up
            first), no for PostgreSQL (``schema.migrate``).

    Raises:
        UsageError: The URL does not name a supported database.
        ProcessError: The database cannot be opened, or its tables are of another version and may not, or
            cannot, be altered (``start_failed``).
    """

    def __init__(
        self, url: URL | str, now_ms: Callable[[], int] = _now_ms, *, migrates: bool | None = None
    ) -> None:
        self._engine = open_database(url)
        self._turn = turn(self._engine)
        self._now_ms = now_ms
        self._watchers: tuple[Callable[[], None], ...] = ()
        try:
            migrate(self._engine, migrates)
        except ProcessError:
            close_database(self._engine)
            raise
        except DatabaseError as error:
            close_database(self._engine)
            raise ProcessError("ledger_not_opened", reason=str(error.orig)) from error

    def close(self) -> None:
        """Closes every connection; one in use closes when its transaction ends. Idempotent."""
        close_database(self._engine)

    def watch(self, changed: Callable[[], None]) -> None:
        """Registers a callback for each transaction of this object that changed a balance, in its thread.

        Changes that other processes make in the same database are not reported.
        """
        self._watchers = (*self._watchers, changed)

    # ---- keys ------------------------------------------------------------------------------------

    def create_key(
        self, name: str, environment: Environment, account: str | None = None, credits: int = 0
    ) -> CreatedKey:
        """Creates an API key, and grants credits to its account.

        Args:
            name: Label; unique among the keys that are not revoked.
            environment: ``live`` or ``test``.
            account: Owner of the key; by default the account with the key's name.
            credits: Credits to grant.

        Raises:
            UsageError: The name is empty, reserved or taken, or the credits are out of range.
        """
        if name == LOCAL_KEY_NAME:
            raise UsageError("key_name_reserved", name=name)
        purse = Purse(keychain.label(account or name, "account"), environment)
        if purse == LOCAL_PURSE:
            raise UsageError("key_account_reserved", account=purse.account)
        label = keychain.label(name, "name")
        if credits:
            books.check_grant(credits)
        try:
            with self._writing() as connection:
                created = keychain.add(connection, label, purse, self._now())
                if credits:
                    books.grant(connection, purse, credits, "credits added", "keys create", self._now())
                return created
        except IntegrityError as error:
            raise UsageError("key_name_taken", name=name) from error

    def mint_local_key(self) -> CreatedKey:
        """Creates a new API key for the desktop and revokes the previous one.

        Its account is free (``free_account``): it is topped up here and before each of its sales. Sessions
        and remembered idempotent answers move to the new key: a desktop whose core died repeats its request
        and gets the session that it has paid for.
        """
        with self._writing() as connection:
            books.lock_purse(connection, LOCAL_PURSE, self._now())
            created = keychain.replace_local(connection, LOCAL_PURSE, self._now())
            free_account.top_up(connection, created.record.id, LOCAL_PURSE, 0, self._now())
            return created

    def is_free(self, key_id: int) -> bool:
        """Whether what this key buys costs nothing: it is, or was, the desktop's own."""
        with reading(self._engine) as connection:
            return keychain.is_local(connection, key_id)

    def find_key(self, secret: str) -> KeyRecord | None:
        """The record of a valid API key; None when it is unknown or revoked."""
        with reading(self._engine) as connection:
            return keychain.find(connection, secret)

    def list_keys(self) -> list[KeyRecord]:
        """Every key, revoked ones too, oldest first."""
        with reading(self._engine) as connection:
            return keychain.every(connection)

    def revoke_key(self, name: str) -> KeyRecord:
        """Revokes a key immediately and permanently. Raises ``NotFoundError``."""
        with self._writing() as connection:
            return keychain.revoke(connection, name, self._now())

    def revoked(self, key_ids: Iterable[int]) -> set[int]:
        """The revoked ones among some key ids."""
        with reading(self._engine) as connection:
            return keychain.revoked(connection, key_ids)

    # ---- credits ---------------------------------------------------------------------------------

    def add_credits(self, key_name: str, amount: int) -> int:
        """Grants credits to the account and environment of a key.

        Returns:
            The new balance.

        Raises:
            NotFoundError: No valid key has that name.
            UsageError: The amount is not from 1 to 1,000,000,000.
        """
        books.check_grant(amount)
        with self._writing() as connection:
            purse = keychain.named(connection, key_name).purse
            books.grant(connection, purse, amount, "credits added", "credits add", self._now())
            return books.balance(connection, purse)

    def purse(self, key_name: str) -> Purse:
        """The purse of a key; this computer's own for no name. Raises ``NotFoundError``."""
        if not key_name:
            return LOCAL_PURSE
        with reading(self._engine) as connection:
            return keychain.named(connection, key_name).purse

    def balance(self, purse: Purse) -> int:
        """The credit balance of a purse."""
        with reading(self._engine) as connection:
            return books.balance(connection, purse)

    def history(self, purse: Purse, limit: int, *, grants_only: bool = False) -> list[Entry]:
        """The newest entries of a purse, newest first; only what was granted to it, if that is wished."""
        with reading(self._engine) as connection:
            return books.history(connection, purse, limit, grants_only=grants_only)

    def check_balance(self, purse: Purse, amount: int) -> int:
        """Checks that a purse covers an amount now. Holds nothing: another sale may spend it first.

        A free account covers every price: each sale leaves more on it than anything costs.

        Returns:
            The balance.

        Raises:
            InsufficientCreditsError: The balance is lower than the amount.
        """
        balance = self.balance(purse)
        books.check_covered(amount, balance)
        return balance

    def charge(self, purse: Purse, amount: int, reason: str, reference: str) -> Charge:
        """Charges the full amount or nothing. Raises ``InsufficientCreditsError``."""
        with self._writing() as connection:
            return books.charge(connection, purse, amount, reason, reference, self._now())

    def refund(self, charge: Charge, reason: str) -> int:
        """Refunds a charge, at most once.

        Returns:
            The balance after it; unchanged when the charge was refunded before.
        """
        with self._writing() as connection:
            return books.refund(connection, charge.entry, charge.purse, reason, self._now())

    def first_answer(self, repeat: Idempotency) -> str | None:
        """The stored answer of an idempotent request of the last 24 hours; None when there is none.

        Raises:
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with reading(self._engine) as connection:
            return answers.first_answer(connection, repeat, self._now())

    # ---- sessions --------------------------------------------------------------------------------

    def sell_session(
        self,
        purse: Purse,
        amount: int,
        record: SessionRecord,
        answer: Callable[[int], str],
        repeat: Idempotency | None = None,
    ) -> tuple[str, bool]:
        """Sells a session: charge, record and answer in one transaction. Idempotent by ``repeat``.

        Args:
            purse: Pays for it.
            amount: Price in credits.
            record: The session.
            answer: Makes the answer from the remaining balance. Runs while the transaction holds its locks.
            repeat: The request's idempotency key; None for a request without one.

        Returns:
            The answer, and whether this is a new sale (False: the stored answer, nothing was charged).

        Raises:
            InsufficientCreditsError: Nothing was charged.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with self._writing() as connection:
            first = self._first_answer(connection, purse, repeat)
            if first is not None:
                return first, False
            free_account.top_up(connection, record.key_id, purse, amount, self._now())
            charge = books.charge(connection, purse, amount, record.model, record.id, self._now())
            sessions.add(connection, record)
            text = answer(charge.remaining)
            if repeat is not None:
                answers.remember(connection, repeat, text, self._now())
            return text, True

    def session(self, secret_digest: bytes) -> SessionRecord | None:
        """The session with this secret, whether it has ended or not; None when there is none."""
        with reading(self._engine) as connection:
            return sessions.find(connection, secret_digest)

    def rekey_session(self, id: str, key_id: int, secret_digest: bytes) -> None:
        """Transfers a session to another key of the same account, with a new secret."""
        with self._writing() as connection:
            sessions.rekey(connection, id, key_id, secret_digest)

    def keep_style(self, id: str, prompt: str, enhance_prompt: bool) -> None:
        """Stores the current prompt of a session."""
        with self._writing() as connection:
            sessions.change(connection, id, prompt=prompt, enhance_prompt=enhance_prompt)

    def keep_seconds(self, id: str, seconds: int) -> None:
        """Stores the billed seconds of a session."""
        with self._writing() as connection:
            sessions.change(connection, id, seconds=seconds)

    def end_session(self, id: str, reason: str, seconds: int) -> None:
        """Ends a session. A session that has ended keeps its first reason."""
        with self._writing() as connection:
            sessions.change(connection, id, ended=reason, seconds=seconds)

    def drop_sessions(self, before: datetime) -> None:
        """Deletes the sessions that expired before a time."""
        with self._writing() as connection:
            sessions.drop(connection, before)

    # ---- jobs ------------------------------------------------------------------------------------

    def sell_job(self, order: JobOrder, amount: int, repeat: Idempotency | None = None) -> tuple[Job, bool]:
        """Sells a job: charge and record in one transaction. Idempotent by ``repeat``.

        Returns:
            The job, and whether it is new (False: the stored job, nothing was charged).

        Raises:
            InsufficientCreditsError: Nothing was charged.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with self._writing() as connection:
            first = self._first_answer(connection, order.purse, repeat)
            former = None if first is None else jobs.find(connection, first)
            if former is not None:
                return former, False
            free_account.top_up(connection, order.key_id, order.purse, amount, self._now())
            charge = books.charge(connection, order.purse, amount, order.model, order.id, self._now())
            job = jobs.add(connection, order, charge, repeat is not None, self._now())
            if repeat is not None:
                answers.remember(connection, repeat, order.id, self._now())
            return job, True

    def job(self, id: str) -> Job | None:
        """A job in its present state; None when there is none with this id."""
        with reading(self._engine) as connection:
            return jobs.find(connection, id)

    def open_jobs(self, home: str) -> list[Job]:
        """The unfinished jobs of one core (``JobOrder.home``), oldest first."""
        with reading(self._engine) as connection:
            return jobs.unfinished(connection, home)

    def begin_job(self, id: str) -> int:
        """Increments and returns a job's count of attempts.

        Raises:
            NotFoundError: No such job is processing.
        """
        with self._writing() as connection:
            return jobs.begin(connection, id)

    def pause_job(self, id: str) -> None:
        """Decrements a job's count of attempts: the service was stopped on purpose and will run it again.

        The count stays at least 1, because a job that was begun is not refunded when it is cancelled.
        """
        with self._writing() as connection:
            jobs.pause(connection, id)

    def finish_job(
        self, id: str, output: StoredFile, delivery: Callable[[Job], Delivery] | None, free: bool = False
    ) -> Job:
        """Marks a job as succeeded, and stores its output and its webhook call in the same transaction.

        A job that is final stays as it is.

        Args:
            id: Of the job.
            output: The file; its bytes are in the file folder already.
            delivery: Makes the webhook call from the final job; None for no call.
            free: Whether its credits are given back, because the output shows the input as it was.

        Returns:
            The job after it.

        Raises:
            NotFoundError: There is no such job.
        """
        with self._writing() as connection:
            job = jobs.locked(connection, id, self._now())
            if job.status != "processing":
                return job
            files.add(connection, output, uploaded=False)
            job = jobs.succeed(connection, job, output.id, free, self._now())
            return deliveries.owe(connection, job, delivery)

    def fail_job(self, id: str, failure: str, delivery: Callable[[Job], Delivery] | None) -> Job:
        """Marks a job as failed and refunds it; otherwise like ``finish_job``."""
        with self._writing() as connection:
            job = jobs.locked(connection, id, self._now())
            if job.status != "processing":
                return job
            return deliveries.owe(connection, jobs.fail(connection, job, failure, self._now()), delivery)

    # ---- files -----------------------------------------------------------------------------------

    def check_upload(self, purse: Purse, size: int, limit: UploadLimit, now: datetime) -> None:
        """Checks an upload of ``size`` bytes against the account's quota. Raises ``RateLimitedError``."""
        with reading(self._engine) as connection:
            files.check_room(connection, purse, size, limit, now)

    def add_upload(self, file: StoredFile, limit: UploadLimit, now: datetime) -> None:
        """Records an upload within the account's quota. Raises ``RateLimitedError``."""
        with self._writing() as connection:
            books.lock_purse(connection, file.purse, self._now())  # concurrent uploads: check one at a time
            files.check_room(connection, file.purse, file.size, limit, now)
            files.add(connection, file, uploaded=True)

    def file(self, id: str) -> StoredFile | None:
        """The record of a stored file, expired or not; None when there is none with this id."""
        with reading(self._engine) as connection:
            return files.find(connection, id)

    def expired_files(self, now: datetime) -> list[StoredFile]:
        """The files that have expired."""
        with reading(self._engine) as connection:
            return files.expired(connection, now)

    def drop_file(self, id: str) -> None:
        """Deletes the record of a file."""
        with self._writing() as connection:
            files.drop(connection, id)

    # ---- webhooks and secrets --------------------------------------------------------------------

    def secret(self, name: str) -> bytes:
        """A stored secret of 32 random bytes, created when its name is first used."""
        with self._writing() as connection:
            return deliveries.secret(connection, name)

    def webhook_secret(self, account: str, rotate: bool = False) -> str:
        """The signing secret of an account's webhooks (``whsec_…``); ``rotate`` replaces it."""
        with self._writing() as connection:
            return deliveries.webhook_secret(connection, account, rotate)

    def due_deliveries(
        self, home: str, now: datetime, limit: int, besides: Collection[str] = ()
    ) -> list[Delivery]:
        """The webhook calls that are due, the longest overdue first.

        Args:
            home: The core that ran their jobs.
            now: Calls that are due later are left out.
            limit: At most this many.
            besides: Accounts whose calls are left out.
        """
        with reading(self._engine) as connection:
            return deliveries.due(connection, home, now, limit, besides)

    def settle_delivery(
        self, id: str, state: str, next_at: datetime | None, status: int | None, problem: str
    ) -> None:
        """Records the result of an attempt at a webhook call, and when the next one is due."""
        with self._writing() as connection:
            deliveries.settle(connection, id, state, next_at, status, problem)

    def deliveries(self, account: str | None, limit: int) -> list[Delivery]:
        """The newest webhook calls of one account, or of all."""
        with reading(self._engine) as connection:
            return deliveries.newest(connection, account, limit)

    # ---- inside a transaction --------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        posted = False
        with self._turn, writing(self._engine) as connection:
            books.posted(connection)  # clears the mark of a rolled-back transaction on this connection
            yield connection
            posted = books.posted(connection)
        if posted:
            for changed in self._watchers:
                changed()

    def _now(self) -> datetime:
        return _EPOCH + timedelta(milliseconds=self._now_ms())

    def _first_answer(self, connection: Connection, purse: Purse, repeat: Idempotency | None) -> str | None:
        if repeat is None:
            return None
        books.lock_purse(connection, purse, self._now())  # serialises concurrent copies of one request
        return answers.first_answer(connection, repeat, self._now())
