"""The device and the window that a page was answered on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("pages", sa.Column("device", sa.String(length=8), nullable=True))
    op.add_column("pages", sa.Column("viewport", sa.String(length=12), nullable=True))
