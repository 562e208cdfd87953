"""Changing and checking IR: the walker that keeps origins, the verifier with dominance, visitors."""
