"""How it gets better: passes that stay in their dialect. Every one may be left out."""

TRANSFORMS: dict[str, str] = {
}
"""Pass name -> `"module:CLASS"` within the package, loaded when first used."""
