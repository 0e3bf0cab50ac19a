"""Train n-gram language models for the simplifier and for perplexity, and score texts with them."""
