"""A statistical simplifier that can be tuned toward any metric: rules, decoders, learned hints, tuning."""
