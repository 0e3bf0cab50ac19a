"""French: rules.toml, syllables.py, exceptions.txt and ranks.bin."""
