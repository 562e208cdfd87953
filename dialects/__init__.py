"""What can be said: the vocabularies, one per level of the way down."""

DIALECTS: dict[str, str] = {
    "graph": "dialects.graph:Graph",
    "loop": "dialects.loop:Loop",
}
"""Dialect name -> `"module:OBJECT"` within the package, loaded when first used."""
