"""Train plainmark's own encoder: one MiniLM for sentence vectors, reading levels and pairs of a source and an output.

    python -m training.encoder train FIRST --steps 1000                           checkpoints in FIRST, one every ten minutes
    python -m training.encoder train SECOND --steps 750 --from FIRST/last.pt      the second phase, with a falling rate
    python -m training.encoder export SECOND/last.pt                              weights as shipped, eight bits per number
    python -m training.encoder evaluate                                           the figures of docs/encoder-card.md

Needs torch and transformers, unlike plainmark itself. Only data whose licence allows it are read (see `sources`); texts of
the sets on which metrics are correlated with human ratings are left out.
"""
