"""Rewrite rules for the simplifier: extract them from parallel text, and see how a model ranks them."""
