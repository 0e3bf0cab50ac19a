"""plainmark's own figures, one file a subject; `figures(texts)` yields those that take less than a minute."""
