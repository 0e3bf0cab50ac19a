"""Small networks that tell the lattice decoder what annotators would do and which words fit their context."""
