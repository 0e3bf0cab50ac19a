"""Train n-gram language models for the simplifier, score texts with them and see how well they know a text."""
