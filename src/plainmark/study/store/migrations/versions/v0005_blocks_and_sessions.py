"""Several blocks, and later sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_KEY = ["mode", "block_id", "item", "arm", "replicate"]


def upgrade() -> None:
    op.add_column(
        "cells", sa.Column("block_id", sa.String(length=40), nullable=False, server_default=sa.text("''"))
    )
    if op.get_bind().dialect.name == "sqlite":
        _recreate_cells()
    else:
        op.drop_constraint(op.f("uq_cells_mode_item_arm_replicate"), "cells", type_="unique")
        op.create_unique_constraint(op.f("uq_cells_mode_block_id_item_arm_replicate"), "cells", _KEY)
    op.add_column("pages", sa.Column("session", sa.Integer(), nullable=False, server_default=sa.text("1")))
    op.add_column("pages", sa.Column("about_id", sa.Integer(), nullable=True))
    op.create_index("uq_pages_about_id_session_step", "pages", ["about_id", "session", "step"], unique=True)
    op.create_table(
        "visits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("last_seen", sa.Float(), nullable=False),
        sa.Column("finished", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.id"],
            name=op.f("fk_visits_participant_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visits")),
        sa.UniqueConstraint("participant_id", "session", name=op.f("uq_visits_participant_id_session")),
    )


def _recreate_cells() -> None:
    """SQLite cannot change a constraint. Rows are put back under the same name, so that references to them hold again."""
    op.execute("PRAGMA defer_foreign_keys=ON")
    op.execute("CREATE TEMPORARY TABLE cells_before AS SELECT * FROM cells")
    op.drop_index("ix_cells_state", "cells")
    op.drop_table("cells")
    op.create_table(
        "cells",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("item", sa.String(length=400), nullable=False),
        sa.Column("arm", sa.String(length=400), nullable=False),
        sa.Column("replicate", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("block_size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("surplus", sa.Boolean(), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.Column("block_id", sa.String(length=40), nullable=False, server_default=sa.text("''")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cells")),
        sa.UniqueConstraint(*_KEY, name=op.f("uq_cells_mode_block_id_item_arm_replicate")),
    )
    names = "id, mode, item, arm, replicate, block, block_size, state, surplus, retired, block_id"
    op.execute(f"INSERT INTO cells ({names}) SELECT {names} FROM cells_before")  # noqa: S608 - constants
    op.create_index("ix_cells_state", "cells", ["mode", "state", "block"], unique=False)
    op.execute("DROP TABLE cells_before")
