"""Names of SSA values from whatever a model calls its tensors."""

from __future__ import annotations

import re

_OTHER = re.compile(r"[^A-Za-z0-9_$.-]")


def value_name(name: str) -> str | None:
    """
    The name as a hint for an SSA value: characters that MLIR has no use for become `_`.

    A hint need not be unique: the printer numbers equal ones. The name itself is kept in the function's `inputs` and
    `outputs` and in the origin of the op.
    """
    if not name:
        return None
    clean = _OTHER.sub("_", name)
    return clean if clean[0].isalpha() else f"v{clean}"
