"""Meanings: what every op does, in NumPy."""
