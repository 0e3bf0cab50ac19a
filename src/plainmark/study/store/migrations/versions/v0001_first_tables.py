"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
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
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cells")),
        sa.UniqueConstraint(
            "mode", "item", "arm", "replicate", name=op.f("uq_cells_mode_item_arm_replicate")
        ),
    )
    op.create_index("ix_cells_state", "cells", ["mode", "state", "block"], unique=False)

    op.create_table(
        "participants",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("review", sa.String(length=16), nullable=False),
        sa.Column("recruiter_study", sa.String(length=80), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("last_seen", sa.Float(), nullable=False),
        sa.Column("finished", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_participants")),
        sa.UniqueConstraint("hash", "mode", name=op.f("uq_participants_hash_mode")),
        sa.UniqueConstraint("token", name=op.f("uq_participants_token")),
    )
    op.create_table(
        "revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revisions")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("cell_id", sa.Integer(), nullable=False),
        sa.Column("item", sa.String(length=400), nullable=False),
        sa.Column("arm", sa.String(length=400), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("leased_until", sa.Float(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["cell_id"], ["cells.id"], name=op.f("fk_assignments_cell_id")),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.id"],
            name=op.f("fk_assignments_participant_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("participant_id", "item", name=op.f("uq_assignments_participant_id_item")),
    )
    op.create_index("ix_assignments_lease", "assignments", ["state", "leased_until"], unique=False)
    op.create_index(
        "uq_assignments_live_cell",
        "assignments",
        ["cell_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('leased', 'done')"),
        postgresql_where=sa.text("state IN ('leased', 'done')"),
    )

    op.create_table(
        "pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("layout", sa.Text(), nullable=False),
        sa.Column("opened", sa.Float(), nullable=False),
        sa.Column("submitted", sa.Float(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("client_seconds", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_pages_assignment_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participants.id"], name=op.f("fk_pages_participant_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["revision_id"], ["revisions.id"], name=op.f("fk_pages_revision_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pages")),
        sa.UniqueConstraint("assignment_id", name=op.f("uq_pages_assignment_id")),
        sa.UniqueConstraint("participant_id", "position", name=op.f("uq_pages_participant_id_position")),
        sa.UniqueConstraint("token", name=op.f("uq_pages_token")),
    )
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(length=200), nullable=False),
        sa.Column("target", sa.String(length=160), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=True),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignments.id"], name=op.f("fk_answers_assignment_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name=op.f("fk_answers_page_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.id"],
            name=op.f("fk_answers_participant_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["revision_id"], ["revisions.id"], name=op.f("fk_answers_revision_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
        sa.UniqueConstraint("assignment_id", "question", name=op.f("uq_answers_assignment_id_question")),
        sa.UniqueConstraint("page_id", "question", name=op.f("uq_answers_page_id_question")),
    )
    op.create_index("ix_answers_participant_id", "answers", ["participant_id"], unique=False)

    op.create_table(
        "imports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.id"],
            name=op.f("fk_imports_participant_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
        sa.UniqueConstraint("format", "number", name=op.f("uq_imports_format_number")),
    )
    op.create_table(
        "resubmissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["pages.id"], name=op.f("fk_resubmissions_page_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participants.id"],
            name=op.f("fk_resubmissions_participant_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resubmissions")),
    )


def downgrade() -> None:
    op.drop_table("imports")
    op.drop_table("resubmissions")
    op.drop_index("ix_answers_participant_id", "answers")

    op.drop_table("answers")
    op.drop_table("pages")
    op.drop_index(
        "uq_assignments_live_cell",
        "assignments",
        sqlite_where=sa.text("state IN ('leased', 'done')"),
        postgresql_where=sa.text("state IN ('leased', 'done')"),
    )
    op.drop_index("ix_assignments_lease", "assignments")

    op.drop_table("assignments")
    op.drop_table("settings")
    op.drop_table("revisions")
    op.drop_table("participants")
    op.drop_index("ix_cells_state", "cells")

    op.drop_table("cells")
    op.drop_table("audit")
