"""The ledger: keys, credits, and answers given once. Safe to use from any thread and process.

Every public method is one transaction. Must not know HTTP.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import URL, Connection, Row, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, IntegrityError

from overpaint.errors import (
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    OverpaintError,
    ProcessError,
    UsageError,
)
from overpaint.ledger import tables
from overpaint.ledger.database import open_database, reading, writing
from overpaint.ledger.keys import CreatedKey, KeyRecord, Purse, key_hash, masked, new_key
from overpaint.wire.service import Environment

LOCAL_KEY_NAME = "This computer"
LOCAL_PURSE = Purse("local", "live")
WELCOME_CREDITS = 2500
ANSWERS_KEPT_MS = 24 * 3600 * 1000
NAME_MAX_CHARACTERS = 100
CREDITS_MAX = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Charge:
    """Credits that were taken.

    Attributes:
        entry: The entry in the books.
        purse: Whose credits.
        amount: How many, positive.
        remaining: The balance after it.
    """

    entry: int
    purse: Purse
    amount: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Idempotency:
    """What makes a repeated request recognisable (protocol decisions, "retries").

    Attributes:
        key_id: The API key that asks.
        route: Method and path.
        value: The ``Idempotency-Key``.
        body_digest: SHA-256 of the request's meaning, hex.
    """

    key_id: int
    route: str
    value: str
    body_digest: str


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Ledger:
    """The books of one service.

    Args:
        url: Database (``ledger_url(folder)`` for SQLite in a data folder).
        now_ms: Clock, milliseconds since 1970 UTC.

    Raises:
        ProcessError: The database cannot be opened (``start_failed``).
    """

    def __init__(self, url: URL | str, now_ms: Callable[[], int] = _now_ms) -> None:
        self._engine = open_database(url)
        self._now_ms = now_ms
        try:
            with writing(self._engine) as connection:
                tables.metadata.create_all(connection)
        except DatabaseError as error:
            self._engine.dispose()
            raise ProcessError(
                f"The ledger cannot be opened: {error.orig}.",
                mend="Check the data folder's disk and permissions, or name another with --data-dir.",
            ) from error

    def close(self) -> None:
        """Closes every connection; idempotent."""
        self._engine.dispose()

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
            raise UsageError(f"“{name}” is the desktop's own key.", mend="Choose another name.")
        purse = Purse(_label(account or name, "account"), environment)
        if credits:
            _check_credits(credits)
        try:
            with writing(self._engine) as connection:
                created = self._insert_key(connection, _label(name, "name"), purse)
                if credits:
                    self._grant(connection, purse, credits, "credits added", "keys create")
                return created
        except IntegrityError as error:
            raise UsageError(
                f"There is already a key named “{name}”.", mend="Revoke it, or choose another name."
            ) from error

    def mint_local_key(self) -> CreatedKey:
        """Makes the desktop's own key anew and revokes the one before it.

        Its account gets a welcome of credits, once ever. What the former key asked for under an
        Idempotency-Key is remembered for the new one: a desktop whose core died asks again, and gets
        the session that it has paid for.
        """
        with writing(self._engine) as connection:
            own = tables.keys.c.name == LOCAL_KEY_NAME
            connection.execute(
                update(tables.keys)
                .where(own, tables.keys.c.revoked_ms.is_(None))
                .values(revoked_ms=self._now_ms())
            )
            created = self._insert_key(connection, LOCAL_KEY_NAME, LOCAL_PURSE)
            connection.execute(
                update(tables.answers)
                .where(tables.answers.c.key.in_(select(tables.keys.c.id).where(own)))
                .values(key=created.record.id)
            )
            welcomed = connection.execute(
                select(tables.entries.c.id).where(
                    tables.entries.c.reason == "welcome",
                    tables.entries.c.reference == LOCAL_PURSE.posting_account,
                )
            ).first()
            if welcomed is None:
                self._grant(connection, LOCAL_PURSE, WELCOME_CREDITS, "welcome", LOCAL_PURSE.posting_account)
            return created

    def find_key(self, secret: str) -> KeyRecord | None:
        """The record of a working key; None when it is unknown or revoked."""
        digest = key_hash(secret)
        with reading(self._engine) as connection:
            row = connection.execute(select(tables.keys).where(tables.keys.c.hash == digest)).first()
        # The index finds by hash, of which a caller controls no prefix; equality is checked in
        # constant time all the same.
        if row is None or not hmac.compare_digest(row.hash, digest) or row.revoked_ms is not None:
            return None
        return _record(row)

    def list_keys(self) -> list[KeyRecord]:
        """Every key, revoked ones too, oldest first."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(tables.keys).order_by(tables.keys.c.id)).all()
        return [_record(row) for row in rows]

    def revoke_key(self, name: str) -> KeyRecord:
        """Revokes a key at once and for good. Raises ``NotFoundError``."""
        with writing(self._engine) as connection:
            record = _working_key(connection, name)
            now_ms = self._now_ms()
            connection.execute(
                update(tables.keys).where(tables.keys.c.id == record.id).values(revoked_ms=now_ms)
            )
            row = connection.execute(select(tables.keys).where(tables.keys.c.id == record.id)).one()
            return _record(row)

    # ---- credits ---------------------------------------------------------------------------------

    def add_credits(self, key_name: str, amount: int) -> int:
        """Grants credits to the account and environment of a key.

        Returns:
            The balance after it.

        Raises:
            NotFoundError: No working key has that name.
            UsageError: The amount is not from 1 to a thousand million.
        """
        _check_credits(amount)
        with writing(self._engine) as connection:
            purse = _working_key(connection, key_name).purse
            self._grant(connection, purse, amount, "credits added", "credits add")
            return _sum(connection, purse.posting_account)

    def balance(self, purse: Purse) -> int:
        """Credits that are left."""
        with reading(self._engine) as connection:
            return _sum(connection, purse.posting_account)

    def charge(self, purse: Purse, amount: int, reason: str, reference: str) -> Charge:
        """Takes credits, or none. Raises ``InsufficientCreditsError``."""
        with writing(self._engine) as connection:
            return self._charge(connection, purse, amount, reason, reference)

    def refund(self, charge: Charge, reason: str) -> int:
        """Gives the credits of a charge back, once.

        Returns:
            The balance after it; unchanged when the charge was given back before.
        """
        credits_account = charge.purse.posting_account
        with writing(self._engine) as connection:
            self._lock_purse(connection, charge.purse)
            before = connection.execute(
                select(tables.entries.c.id).where(tables.entries.c.reverses == charge.entry)
            ).first()
            if before is None:
                reference = connection.execute(
                    select(tables.entries.c.reference).where(tables.entries.c.id == charge.entry)
                ).scalar_one()
                legs = {credits_account: charge.amount, "revenue": -charge.amount}
                self._post(connection, legs, reason, reference, reverses=charge.entry)
            return _sum(connection, credits_account)

    def sell(
        self,
        purse: Purse,
        amount: int,
        reason: str,
        reference: str,
        answer: Callable[[int], str],
        repeat: Idempotency | None = None,
    ) -> tuple[str, bool]:
        """Charges and answers in one transaction; a repeated request gets its first answer again.

        Args:
            purse: Whose credits.
            amount: How many.
            reason: For the books.
            reference: Id of what is sold.
            answer: Makes the answer from the remaining balance; must be quick.
            repeat: What makes the request recognisable; None for one that is not to be remembered.

        Returns:
            The answer, and whether it is the first one (False: nothing was charged now).

        Raises:
            InsufficientCreditsError: Nothing was charged.
            InvalidRequestError: The same Idempotency-Key came with another body.
        """
        with writing(self._engine) as connection:
            if repeat is not None:
                self._lock_purse(connection, purse)
                connection.execute(
                    delete(tables.answers).where(
                        tables.answers.c.created_ms < self._now_ms() - ANSWERS_KEPT_MS
                    )
                )
                first = _first_answer(connection, repeat)
                if first is not None:
                    return first, False
            charge = self._charge(connection, purse, amount, reason, reference)
            text = answer(charge.remaining)
            if repeat is not None:
                connection.execute(
                    insert(tables.answers).values(
                        key=repeat.key_id,
                        route=repeat.route,
                        idempotency_key=repeat.value,
                        body_digest=repeat.body_digest,
                        answer=text,
                        created_ms=self._now_ms(),
                    )
                )
            return text, True

    # ---- inside a transaction --------------------------------------------------------------------

    def _insert_key(self, connection: Connection, name: str, purse: Purse) -> CreatedKey:
        self._lock_purse(connection, purse)
        secret = new_key(purse.environment)
        row = connection.execute(
            insert(tables.keys)
            .values(
                name=name,
                account=purse.account,
                environment=purse.environment,
                hash=key_hash(secret),
                masked=masked(secret),
                created_ms=self._now_ms(),
            )
            .returning(tables.keys)
        ).one()
        return CreatedKey(secret, _record(row))

    def _grant(self, connection: Connection, purse: Purse, amount: int, reason: str, reference: str) -> None:
        self._lock_purse(connection, purse)
        self._post(connection, {purse.posting_account: amount, "grants": -amount}, reason, reference)

    def _charge(
        self, connection: Connection, purse: Purse, amount: int, reason: str, reference: str
    ) -> Charge:
        if amount <= 0:
            raise UsageError("A charge is a positive number of credits.")
        self._lock_purse(connection, purse)
        balance = _sum(connection, purse.posting_account)
        if balance < amount:
            raise InsufficientCreditsError(
                f"This costs {amount} credits and the balance is {balance}.",
                mend="Add credits with: overpaint credits add N --key-name NAME",
            )
        legs = {purse.posting_account: -amount, "revenue": amount}
        entry = self._post(connection, legs, reason, reference)
        return Charge(entry, purse, amount, balance - amount)

    def _post(
        self,
        connection: Connection,
        legs: dict[str, int],
        reason: str,
        reference: str,
        reverses: int | None = None,
    ) -> int:
        """Writes one entry. The only writer of the books."""
        if sum(legs.values()) != 0 or len(legs) < 2:
            raise OverpaintError("An entry's postings must sum to zero.")
        entry = connection.execute(
            insert(tables.entries)
            .values(reason=reason, reference=reference, reverses=reverses, created_ms=self._now_ms())
            .returning(tables.entries.c.id)
        ).scalar_one()
        connection.execute(
            insert(tables.postings),
            [{"entry": entry, "account": name, "amount": amount} for name, amount in legs.items()],
        )
        return int(entry)

    def _lock_purse(self, connection: Connection, purse: Purse) -> None:
        """Makes the balance's row where it is missing, and locks it where the database has row locks."""
        name = purse.posting_account
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(
            dialect.insert(tables.purses)
            .values(posting_account=name, created_ms=self._now_ms())
            .on_conflict_do_nothing()
        )
        connection.execute(
            select(tables.purses).where(tables.purses.c.posting_account == name).with_for_update()
        )


def _sum(connection: Connection, account: str) -> int:
    total = connection.execute(
        select(func.coalesce(func.sum(tables.postings.c.amount), 0)).where(
            tables.postings.c.account == account
        )
    ).scalar_one()
    return int(total)


def _first_answer(connection: Connection, repeat: Idempotency) -> str | None:
    row = connection.execute(
        select(tables.answers.c.body_digest, tables.answers.c.answer).where(
            tables.answers.c.key == repeat.key_id,
            tables.answers.c.route == repeat.route,
            tables.answers.c.idempotency_key == repeat.value,
        )
    ).first()
    if row is None:
        return None
    if row.body_digest != repeat.body_digest:
        raise InvalidRequestError("Idempotency-Key: was used before with another body.")
    return str(row.answer)


def _working_key(connection: Connection, name: str) -> KeyRecord:
    row = connection.execute(
        select(tables.keys).where(tables.keys.c.name == name, tables.keys.c.revoked_ms.is_(None))
    ).first()
    if row is None:
        raise NotFoundError(
            f"There is no working key named “{name}”.", mend="List them with: overpaint keys list"
        )
    return _record(row)


def _record(row: Row[Any]) -> KeyRecord:
    return KeyRecord(
        id=row.id,
        name=row.name,
        account=row.account,
        environment=row.environment,
        masked=row.masked,
        created_at=_time(row.created_ms),
        revoked_at=None if row.revoked_ms is None else _time(row.revoked_ms),
    )


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _label(text: str, field: str) -> str:
    cleaned = text.strip()
    if not 0 < len(cleaned) <= NAME_MAX_CHARACTERS or not cleaned.isprintable():
        raise UsageError(f"The key's {field} must be 1 to {NAME_MAX_CHARACTERS} printable characters.")
    return cleaned


def _check_credits(amount: int) -> None:
    if not 1 <= amount <= CREDITS_MAX:
        raise UsageError(f"Credits must be from 1 to {CREDITS_MAX}.")
