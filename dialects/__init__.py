"""What can be said: the vocabularies, one per level of the way down."""

DIALECTS: dict[str, str] = {
    "graph": "dialects.graph:Graph",
    "loop": "dialects.loop:Loop",
    "simd": "dialects.simd:Simd",
}
"""Dialect name -> `"module:OBJECT"` within the package, loaded when first used."""
