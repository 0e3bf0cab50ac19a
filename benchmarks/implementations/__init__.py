"""One file a reference implementation; `cases(texts)` yields what is done by both."""
