"""One file per reference implementation; `cases(texts)` yields what is done by both."""
