"""Tunes the weights of a decoder towards any metric."""
