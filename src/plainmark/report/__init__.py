"""What people read: tables, and self-contained HTML pages with plots."""
