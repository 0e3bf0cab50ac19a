"""One file per reference implementation; `cases(texts)` yields the work that both sides do."""
