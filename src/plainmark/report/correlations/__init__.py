"""Correlations of metrics with human ratings: tables, written findings, and a page."""

from .page import render

__all__ = ["render"]
