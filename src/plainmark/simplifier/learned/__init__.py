"""Small networks of the lattice decoder: they predict what annotators would do, and names and forms in context."""
