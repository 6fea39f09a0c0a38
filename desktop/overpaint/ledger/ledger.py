"""The ledger: keys, credits, and what was sold. Safe to use from any thread and process.

Every public method is one transaction; what happens in it is in the modules named after what they
keep. Must not know HTTP.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DatabaseError, IntegrityError

from overpaint.errors import ProcessError, UsageError
from overpaint.ledger import answers, books, deliveries, files, jobs, keychain, sessions
from overpaint.ledger.answers import Idempotency
from overpaint.ledger.books import Charge
from overpaint.ledger.database import close_database, open_database, reading, turn, writing
from overpaint.ledger.keys import LOCAL_KEY_NAME, LOCAL_PURSE, CreatedKey, KeyRecord, Purse
from overpaint.ledger.records import Delivery, Job, JobOrder, SessionRecord, StoredFile, UploadLimit
from overpaint.ledger.schema import migrate
from overpaint.wire.service import Environment

WELCOME_CREDITS = 2500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Ledger:
    """The books of one service, and what it remembers of sessions, jobs, files and webhooks.

    Args:
        url: Database (``ledger_url(folder)`` for SQLite in a data folder, or that of a PostgreSQL
            server). Tables are made, or altered to this version's, when it is opened.
        now_ms: Clock, milliseconds since 1970 UTC.
        migrates: Whether tables that are there may be altered; when left out, in SQLite (which is copied
            before) and not on a PostgreSQL server (``schema.migrate``).

    Raises:
        UsageError: The URL is none of a usable database.
        ProcessError: The database cannot be opened, or its tables are not this version's and may or can
            not be altered (``start_failed``).
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
        """Closes every connection, one that a thread still works with as soon as it is done; idempotent."""
        close_database(self._engine)

    def watch(self, changed: Callable[[], None]) -> None:
        """Calls back after each transaction of this object that changed a balance, from its thread.

        What other processes change in the same database is not told here.
        """
        self._watchers = (*self._watchers, changed)

    # ---- keys ------------------------------------------------------------------------------------

    def create_key(
        self, name: str, environment: Environment, account: str | None = None, credits: int = 0
    ) -> CreatedKey:
        """Makes a key, and grants credits to its account.

        Args:
            name: Label; unique among the keys that are not revoked.
            environment: ``live`` or ``test``.
            account: Whose key; an account of the key's own name when left out.
            credits: Granted along with it.

        Raises:
            UsageError: The name is empty, reserved or taken, or the credits are no usable number.
        """
        if name == LOCAL_KEY_NAME:
            raise UsageError("key_name_reserved", name=name)
        purse = Purse(keychain.label(account or name, "account"), environment)
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
        """Makes the desktop's own key anew and revokes the one before it.

        Its account gets a welcome of credits, once ever. What the former key asked for under an
        Idempotency-Key is remembered for the new one, and its sessions are the new one's: a desktop
        whose core died asks again, and gets the session that it has paid for.
        """
        with self._writing() as connection:
            books.lock_purse(connection, LOCAL_PURSE, self._now())
            created = keychain.replace_local(connection, LOCAL_PURSE, self._now())
            reference = LOCAL_PURSE.posting_account
            if not books.granted(connection, "welcome", reference):
                books.grant(connection, LOCAL_PURSE, WELCOME_CREDITS, "welcome", reference, self._now())
            return created

    def find_key(self, secret: str) -> KeyRecord | None:
        """The record of a working key; None when it is unknown or revoked."""
        with reading(self._engine) as connection:
            return keychain.find(connection, secret)

    def list_keys(self) -> list[KeyRecord]:
        """Every key, revoked ones too, oldest first."""
        with reading(self._engine) as connection:
            return keychain.every(connection)

    def revoke_key(self, name: str) -> KeyRecord:
        """Revokes a key at once and for good. Raises ``NotFoundError``."""
        with self._writing() as connection:
            return keychain.revoke(connection, name, self._now())

    def revoked(self, key_ids: Iterable[int]) -> set[int]:
        """Those of some keys that are revoked."""
        with reading(self._engine) as connection:
            return keychain.revoked(connection, key_ids)

    # ---- credits ---------------------------------------------------------------------------------

    def add_credits(self, key_name: str, amount: int) -> int:
        """Grants credits to the account and environment of a key.

        Returns:
            The balance after it.

        Raises:
            NotFoundError: No working key has that name.
            UsageError: The amount is not from 1 to a thousand million.
        """
        books.check_grant(amount)
        with self._writing() as connection:
            purse = keychain.named(connection, key_name).purse
            books.grant(connection, purse, amount, "credits added", "credits add", self._now())
            return books.balance(connection, purse)

    def balance(self, purse: Purse) -> int:
        """Credits that are left."""
        with reading(self._engine) as connection:
            return books.balance(connection, purse)

    def check_balance(self, purse: Purse, amount: int) -> int:
        """Looks whether a purse covers an amount, and takes nothing; only a sale is sure.

        Returns:
            The balance.

        Raises:
            InsufficientCreditsError: It does not.
        """
        balance = self.balance(purse)
        books.check_covered(amount, balance)
        return balance

    def charge(self, purse: Purse, amount: int, reason: str, reference: str) -> Charge:
        """Takes credits, or none. Raises ``InsufficientCreditsError``."""
        with self._writing() as connection:
            return books.charge(connection, purse, amount, reason, reference, self._now())

    def refund(self, charge: Charge, reason: str) -> int:
        """Gives the credits of a charge back, once.

        Returns:
            The balance after it; unchanged when the charge was given back before.
        """
        with self._writing() as connection:
            return books.refund(connection, charge.entry, charge.purse, reason, self._now())

    def first_answer(self, repeat: Idempotency) -> str | None:
        """What a request was answered when it first came, within 24 hours; None when this is the first.

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
        """Charges, keeps and answers in one transaction; a repeated request gets its first answer again.

        Args:
            purse: Whose credits.
            amount: How many.
            record: What is sold.
            answer: Makes the answer from the remaining balance; must be quick.
            repeat: What makes the request recognisable; None for one that is not to be remembered.

        Returns:
            The answer, and whether it is the first one (False: nothing was charged or kept now).

        Raises:
            InsufficientCreditsError: Nothing was charged.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with self._writing() as connection:
            first = self._first_answer(connection, purse, repeat)
            if first is not None:
                return first, False
            charge = books.charge(connection, purse, amount, record.model, record.id, self._now())
            sessions.add(connection, record)
            text = answer(charge.remaining)
            if repeat is not None:
                answers.remember(connection, repeat, text, self._now())
            return text, True

    def session(self, secret_digest: bytes) -> SessionRecord | None:
        """The session of a secret, live or over; None when there is no such one."""
        with reading(self._engine) as connection:
            return sessions.find(connection, secret_digest)

    def rekey_session(self, id: str, key_id: int, secret_digest: bytes) -> None:
        """Gives a session to another key of its buyer, under another secret."""
        with self._writing() as connection:
            sessions.rekey(connection, id, key_id, secret_digest)

    def keep_style(self, id: str, prompt: str, enhance_prompt: bool) -> None:
        """Keeps the current prompt of a session."""
        with self._writing() as connection:
            sessions.change(connection, id, prompt=prompt, enhance_prompt=enhance_prompt)

    def keep_seconds(self, id: str, seconds: int) -> None:
        """Keeps the billed seconds of a session."""
        with self._writing() as connection:
            sessions.change(connection, id, seconds=seconds)

    def end_session(self, id: str, reason: str, seconds: int) -> None:
        """Ends a session for good; the first reason stays."""
        with self._writing() as connection:
            sessions.change(connection, id, ended=reason, seconds=seconds)

    def drop_sessions(self, before: datetime) -> None:
        """Forgets the sessions that expired before an instant."""
        with self._writing() as connection:
            sessions.drop(connection, before)

    # ---- jobs ------------------------------------------------------------------------------------

    def sell_job(self, order: JobOrder, amount: int, repeat: Idempotency | None = None) -> tuple[Job, bool]:
        """Charges for a job and keeps it in one transaction; a repeated request gets the first one's job.

        Returns:
            The job, and whether it is a new one (False: nothing was charged now).

        Raises:
            InsufficientCreditsError: Nothing was charged.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with self._writing() as connection:
            first = self._first_answer(connection, order.purse, repeat)
            former = None if first is None else jobs.find(connection, first)
            if former is not None:
                return former, False
            charge = books.charge(connection, order.purse, amount, order.model, order.id, self._now())
            job = jobs.add(connection, order, charge, repeat is not None, self._now())
            if repeat is not None:
                answers.remember(connection, repeat, order.id, self._now())
            return job, True

    def job(self, id: str) -> Job | None:
        """A job as it stands; None when there is no such one."""
        with reading(self._engine) as connection:
            return jobs.find(connection, id)

    def open_jobs(self, home: str) -> list[Job]:
        """The processing jobs of a home, oldest first."""
        with reading(self._engine) as connection:
            return jobs.unfinished(connection, home)

    def begin_job(self, id: str) -> int:
        """Counts an attempt, and tells how many there were with it.

        Raises:
            NotFoundError: No such job is processing.
        """
        with self._writing() as connection:
            return jobs.begin(connection, id)

    def pause_job(self, id: str) -> None:
        """Takes the last attempt back: the service was stopped on purpose, and runs the job again.

        The first attempt is not taken back: a job that was begun keeps its price when it is cancelled.
        """
        with self._writing() as connection:
            jobs.pause(connection, id)

    def finish_job(self, id: str, output: StoredFile, delivery: Callable[[Job], Delivery] | None) -> Job:
        """Ends a job well, keeps its output and owes its webhook; a job that is final stays as it is.

        Args:
            id: Of the job.
            output: The file, whose bytes lie where they belong.
            delivery: Makes the webhook's call from the final job; None for none.

        Returns:
            The job as it stands then.

        Raises:
            NotFoundError: There is no such job.
        """
        with self._writing() as connection:
            job = jobs.locked(connection, id, self._now())
            if job.status != "processing":
                return job
            files.add(connection, output, uploaded=False)
            job = jobs.succeed(connection, id, output.id)
            return deliveries.owe(connection, job, delivery)

    def fail_job(self, id: str, failure: str, delivery: Callable[[Job], Delivery] | None) -> Job:
        """Ends a job badly, gives its credits back and owes its webhook; otherwise as ``finish_job``."""
        with self._writing() as connection:
            job = jobs.locked(connection, id, self._now())
            if job.status != "processing":
                return job
            return deliveries.owe(connection, jobs.fail(connection, job, failure, self._now()), delivery)

    # ---- files -----------------------------------------------------------------------------------

    def check_upload(self, purse: Purse, size: int, limit: UploadLimit, now: datetime) -> None:
        """Checks that an account may upload so many bytes more. Raises ``RateLimitedError``."""
        with reading(self._engine) as connection:
            files.check_room(connection, purse, size, limit, now)

    def add_upload(self, file: StoredFile, limit: UploadLimit, now: datetime) -> None:
        """Keeps a new upload, if its account may have one more. Raises ``RateLimitedError``."""
        with self._writing() as connection:
            books.lock_purse(connection, file.purse, self._now())  # of two at once, one sees the other
            files.check_room(connection, file.purse, file.size, limit, now)
            files.add(connection, file, uploaded=True)

    def file(self, id: str) -> StoredFile | None:
        """A file that is kept, expired or not; None when there is no such one."""
        with reading(self._engine) as connection:
            return files.find(connection, id)

    def expired_files(self, now: datetime) -> list[StoredFile]:
        """The files whose time is over."""
        with reading(self._engine) as connection:
            return files.expired(connection, now)

    def drop_file(self, id: str) -> None:
        """Forgets a file."""
        with self._writing() as connection:
            files.drop(connection, id)

    # ---- webhooks and secrets --------------------------------------------------------------------

    def secret(self, name: str) -> bytes:
        """32 random bytes of a name, drawn when first asked for and the same ever after."""
        with self._writing() as connection:
            return deliveries.secret(connection, name)

    def webhook_secret(self, account: str, rotate: bool = False) -> str:
        """The secret that signs an account's webhooks (``whsec_…``); a new one when ``rotate``."""
        with self._writing() as connection:
            return deliveries.webhook_secret(connection, account, rotate)

    def due_deliveries(
        self, home: str, now: datetime, limit: int, besides: Collection[str] = ()
    ) -> list[Delivery]:
        """The webhook calls of a home's jobs whose time has come, the longest owed first.

        Args:
            home: The core whose jobs they tell of.
            now: Calls that are due later are left out.
            limit: So many at most.
            besides: Accounts whose calls are left out.
        """
        with reading(self._engine) as connection:
            return deliveries.due(connection, home, now, limit, besides)

    def settle_delivery(
        self, id: str, state: str, next_at: datetime | None, status: int | None, problem: str
    ) -> None:
        """Notes an attempt at a webhook call: its state from now on, and what came of it."""
        with self._writing() as connection:
            deliveries.settle(connection, id, state, next_at, status, problem)

    def deliveries(self, account: str | None, limit: int) -> list[Delivery]:
        """The newest webhook calls, of an account or of all."""
        with reading(self._engine) as connection:
            return deliveries.newest(connection, account, limit)

    # ---- inside a transaction --------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        posted = False
        with self._turn, writing(self._engine) as connection:
            books.posted(connection)  # of a transaction on this connection that was undone
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
        books.lock_purse(connection, purse, self._now())  # so that two at once are one after the other
        return answers.first_answer(connection, repeat, self._now())
