"""Ways in: what turns a file or a Python program into a module."""
