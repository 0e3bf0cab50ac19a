"""The study application: pages for participants and administrators."""
