"""Rewrite rules: where they come from, their features, and the constraints that they must meet."""
