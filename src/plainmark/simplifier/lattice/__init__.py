"""The lattice of phrases: monotone decoding with rules that have no nonterminals."""
