"""Plainmark's list of plain phrases, and the conditions under which each of them can be used."""
