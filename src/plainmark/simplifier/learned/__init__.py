"""Small networks of the lattice decoder, which predict what annotators would do, and names and forms in context."""
