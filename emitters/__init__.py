"""Ways out, as text."""
