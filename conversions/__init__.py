"""How it comes down: passes from one dialect to the next. None may be left out."""

CONVERSIONS: dict[str, str] = {}
"""Pass name -> `"module:CLASS"` within the package, loaded when first used."""
