"""Migration 4: the reference photo of a transform job. Jobs from before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Adds the column."""
    op.add_column("jobs", sa.Column("photo_name", sa.LargeBinary))
