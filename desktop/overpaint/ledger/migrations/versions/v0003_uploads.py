"""Migration 3: a mark on uploaded files, so that an account's uploads can be counted.

Uploads from before this migration have no mark and are not counted; they expire within a day.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the column, and an index for counting."""
    op.add_column("files", sa.Column("uploaded", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("files_by_account", "files", ["account", "environment", "uploaded"])
