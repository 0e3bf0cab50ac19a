"""What Alembic runs; the connection is the store's own."""

from __future__ import annotations

from alembic import context

attributes = context.config.attributes
connection = attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=attributes.get("metadata"),
    render_as_batch=connection.dialect.name == "sqlite",
)
context.run_migrations()
