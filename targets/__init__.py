"""Machines, as data."""

from __future__ import annotations

from importlib import import_module

from ..errors import PipelineError
from .target import Instruction as Instruction
from .target import Target as Target

TARGETS: dict[str, str | Target] = {
    "generic": "targets.generic:GENERIC",
    "c-vector": "targets.c_vector:C_VECTOR",
    "avx2": "targets.avx2:AVX2",
    "avx512": "targets.avx512:AVX512",
}
"""Target name -> `"module:OBJECT"` within the package, loaded when first used, or a target itself."""


def target_named(name: str) -> Target:
    """The target of the table with this name; `native` is the best one for this machine."""
    if name == "native":
        return native()
    if name not in TARGETS:
        raise PipelineError(f"no target '{name}': the targets are {', '.join(TARGETS)} and native")
    entry = TARGETS[name]
    if isinstance(entry, Target):
        return entry
    module, _, variable = entry.partition(":")
    target = getattr(import_module(f"..{module}", __package__), variable)
    assert isinstance(target, Target)
    return target


def native() -> Target:
    """The best target whose code runs on this machine."""
    from . import host

    return host.native()


def runs_here(target: Target) -> bool:
    """Whether this machine has what the code of `target` needs."""
    from . import host

    return host.runs_here(target)
