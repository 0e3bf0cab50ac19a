"""Pages in several steps: the time of reading, and answers so far."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("pages", sa.Column("read", sa.Float(), nullable=True))
    op.add_column("pages", sa.Column("reading_client_seconds", sa.Float(), nullable=True))
    op.add_column("pages", sa.Column("draft", sa.Text(), nullable=True))
