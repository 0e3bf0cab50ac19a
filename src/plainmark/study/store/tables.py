"""The tables of a study's database; what must never happen is forbidden here, not only in the program."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


# A version of the definition that participants answered.
revisions = Table(
    "revisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("mode", String(8), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("created", Float, nullable=False),
)

# A participant: a keyed hash, a secret token, and their progress.
participants = Table(
    "participants",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("mode", String(8), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("step", Integer, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("review", String(16), nullable=False),
    Column("recruiter_study", String(80), nullable=False),
    Column("created", Float, nullable=False),
    Column("last_seen", Float, nullable=False),
    Column("finished", Float),
    Column("reason", String(400)),  # of a rejection, for the recruiter
    UniqueConstraint("hash", "mode"),
)

# One trial that some participant must answer.
cells = Table(
    "cells",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("mode", String(8), nullable=False),
    Column("item", String(400), nullable=False),
    Column("arm", String(400), nullable=False),
    Column("replicate", Integer, nullable=False),
    Column("block", Integer, nullable=False),
    Column("block_size", Integer, nullable=False),
    Column("state", String(8), nullable=False),  # free, leased, done
    Column("surplus", Boolean, nullable=False),
    Column("retired", Boolean, nullable=False),
    # The block of the definition; `block` above is the number of the booklet that the cell was planned for.
    Column("block_id", String(40), nullable=False, server_default=text("''")),
    UniqueConstraint("mode", "block_id", "item", "arm", "replicate"),
)
Index("ix_cells_state", cells.c.mode, cells.c.state, cells.c.block)

LIVE = text("state IN ('leased', 'done')")

# A cell that was assigned to a participant.
assignments = Table(
    "assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("cell_id", Integer, ForeignKey("cells.id"), nullable=False),
    Column("item", String(400), nullable=False),
    Column("arm", String(400), nullable=False),
    Column("position", Integer, nullable=False),
    Column("state", String(8), nullable=False),  # leased, done, released, rejected
    Column("leased_until", Float, nullable=False),
    Column("created", Float, nullable=False),
    UniqueConstraint("participant_id", "item"),
)
Index(
    "uq_assignments_live_cell", assignments.c.cell_id, unique=True, sqlite_where=LIVE, postgresql_where=LIVE
)
Index("ix_assignments_lease", assignments.c.state, assignments.c.leased_until)

# A page as it was drawn for one participant, with the order of its texts and options.
pages = Table(
    "pages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("revision_id", Integer, ForeignKey("revisions.id"), nullable=False),
    Column("assignment_id", Integer, ForeignKey("assignments.id", ondelete="CASCADE"), unique=True),
    Column("position", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("part", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("layout", Text, nullable=False),
    Column("opened", Float, nullable=False),
    Column("submitted", Float),
    Column("seconds", Float),
    Column("client_seconds", Float),
    Column("device", String(8)),  # phone, tablet, desktop
    Column("viewport", String(12)),  # width x height in CSS pixels, rounded to tens
    Column("read", Float),  # when the page with the texts was sent, if it is a page of its own
    Column("reading_client_seconds", Float),
    Column("draft", Text),  # answers so far of a page with several steps; empty once it is submitted
    Column("session", Integer, nullable=False, server_default=text("1")),
    Column("about_id", Integer),  # of a later session: the assignment that the page asks about
    UniqueConstraint("participant_id", "position"),
)
Index("uq_pages_about_id_session_step", pages.c.about_id, pages.c.session, pages.c.step, unique=True)

# A later session that a participant has begun.
visits = Table(
    "visits",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("session", Integer, nullable=False),  # from 2
    Column("started", Float, nullable=False),
    Column("last_seen", Float, nullable=False),
    Column("finished", Float),
    UniqueConstraint("participant_id", "session"),
)

answers = Table(
    "answers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("page_id", Integer, ForeignKey("pages.id", ondelete="CASCADE"), nullable=False),
    Column("assignment_id", Integer, ForeignKey("assignments.id", ondelete="CASCADE")),
    Column("revision_id", Integer, ForeignKey("revisions.id"), nullable=False),
    Column("question", String(200), nullable=False),
    Column("target", String(160), nullable=False),
    Column("value", Text, nullable=False),
    Column("shown", Integer),
    Column("asked", Boolean, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    UniqueConstraint("assignment_id", "question"),
    UniqueConstraint("page_id", "question"),
)
Index("ix_answers_participant_id", answers.c.participant_id)

# What was submitted again for a page that was already stored, where it differs; never counted.
resubmissions = Table(
    "resubmissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("page_id", Integer, ForeignKey("pages.id", ondelete="CASCADE"), nullable=False),
    Column("payload", Text, nullable=False),
    Column("created", Float, nullable=False),
)

# Rows of a file that answers were imported from, as they were.
imports = Table(
    "imports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
    Column("format", String(40), nullable=False),
    Column("number", Integer, nullable=False),
    Column("payload", Text, nullable=False),
    UniqueConstraint("format", "number"),
)

# What administrators did; names no participant.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("created", Float, nullable=False),
    Column("action", String(40), nullable=False),
    Column("detail", Text, nullable=False),
    Column("actor", String(80)),  # an administrator's name, or who used the command line
)

# Who withdrew or was purged: a second keyed hash, by which a restored backup leaves them out.
tombstones = Table(
    "tombstones",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("created", Float, nullable=False),
)

# The manifest of backups: what was copied where, and how many of the people in it were removed since.
backups = Table(
    "backups",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("created", Float, nullable=False),
    Column("file", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("participants", Text, nullable=False),  # their ids, as JSON; who withdraws is taken out
    Column("answers", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
