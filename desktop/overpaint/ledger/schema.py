"""Bringing a database's tables to the newest form, by alembic. Must not know what the tables mean.

Everything happens in one transaction under a lock that all openers share, so that programs that start
at once neither meet half a schema nor make it twice.
"""

from __future__ import annotations

import threading

from sqlalchemy import Engine, inspect, text

from overpaint.errors import ProcessError
from overpaint.ledger.database import writing

_LOCK = 0x6F767061696E74
"""Of PostgreSQL's advisory locks: "ovpaint", in ASCII."""
_BEFORE_MIGRATIONS = "0001"
NEWEST = "0003"
"""The last step, and so the form of a database for which there is nothing to do."""
_alembic = threading.Lock()
"""What a step of alembic works on is one for the whole process, so threads take turns."""


def migrate(engine: Engine) -> None:
    """Makes or alters what is missing; a database that was made before there were migrations is adopted.

    Raises:
        ProcessError: A newer Overpaint made the database (``start_failed``).
        DatabaseError: The database refused.
    """
    if _form(engine) == NEWEST:
        return
    # Loaded only where there is something to do: it would be a twentieth of every start.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "overpaint.ledger:migrations")
    with _alembic, writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        config.attributes["connection"] = connection
        present = set(inspect(connection).get_table_names())
        if "entries" in present and "alembic_version" not in present:
            command.stamp(config, _BEFORE_MIGRATIONS)
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise ProcessError(
                "The ledger was made by a newer Overpaint.", mend="Update Overpaint on this computer."
            ) from error


def _form(engine: Engine) -> str | None:
    """The last step that a database went through; None where it went through none."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        form: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return form
