"""Synchronous context-free grammars: decoding with rules that have nonterminals and may reorder phrases."""
