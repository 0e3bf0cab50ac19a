"""Our own list of plain phrases, and the conditions on a place under which each of them holds."""
