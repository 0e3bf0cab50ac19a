"""Stress tests: tables of verdicts, consistency on pairs of texts, and pages."""

from .page import render

__all__ = ["render"]
