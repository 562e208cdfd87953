"""C text to a Python callable. Knows no IR."""
