"""Questions about IR, answered without touching it."""
