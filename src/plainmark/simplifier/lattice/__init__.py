"""The lattice of phrases: monotone decoding with rules without nonterminals."""
