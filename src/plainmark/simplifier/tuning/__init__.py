"""Tuning the weights of a decoder toward any metric."""
