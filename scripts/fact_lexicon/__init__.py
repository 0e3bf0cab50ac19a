"""The selection that make_fact_lexicon.py makes from WordNet and PPDB, and the hand-written lists (hand.toml)."""
