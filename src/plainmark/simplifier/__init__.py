"""The simplifier that can be tuned toward any metric: rules, language model, decoders."""
