"""Correlations of metrics with human ratings: tables, findings in plain words, and a page."""

from .page import render

__all__ = ["render"]
