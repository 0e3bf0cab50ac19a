"""One module per metric; the file name is the metric's name."""
