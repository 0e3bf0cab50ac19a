"""Evaluations of what plainmark tells people; part of the repository, not of the installed package."""
