"""Tables (text, Markdown, LaTeX, CSV, JSON) and self-contained HTML pages."""
