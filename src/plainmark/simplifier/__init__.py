"""A statistical simplifier that can be tuned towards any metric: rules, decoders, learned hints, tuning."""
