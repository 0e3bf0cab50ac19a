"""Training of shipped models; part of the repository, not of the installed package."""
