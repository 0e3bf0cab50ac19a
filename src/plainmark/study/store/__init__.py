"""A study's database: participants, assignments, pages and answers. Everything in here needs SQLAlchemy."""
