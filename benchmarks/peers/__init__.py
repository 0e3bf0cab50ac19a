"""One file a peer; `cases(texts)` yields what is done by both."""
