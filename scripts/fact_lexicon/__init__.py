"""What make_fact_lexicon.py selects from WordNet and PPDB, and the lists written by hand (hand.toml)."""
