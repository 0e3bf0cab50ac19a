"""Figures of plainmark alone, one file per subject; `figures(texts)` yields those that take less than a minute."""
