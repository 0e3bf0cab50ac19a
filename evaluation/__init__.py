"""Evaluations of what plainmark reports to users; part of the repository, not of the installed package."""
