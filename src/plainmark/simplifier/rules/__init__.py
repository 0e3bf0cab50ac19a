"""Rewrite rules: their sources, their features, and the constraints that they must meet."""
