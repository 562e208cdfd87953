"""What a machine is to the compiler: widths, sizes, flags, and which instructions it has with their C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from xdsl.ir import Attribute, Operation

Instruction = str | tuple[str, str]
"""What an entry is for: an op, `"simd.broadcast"`, or an op on one element type, `("simd.fma", "f32")`."""


def _no_instructions() -> Mapping[Instruction, str]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Target:
    """A machine as data. Passes ask it; none compares its name."""

    name: str
    """What `--target` takes."""
    vector_bits: int
    """Width of a vector register; 0 where the C has no vectors."""
    vector_registers: int
    """How many of them code may hope to keep values in."""
    l1: int
    """Bytes of the data cache nearest to a core."""
    l2: int
    """Bytes of the next one."""
    flags: tuple[str, ...] = ()
    """What the C compiler must be told."""
    needs: frozenset[str] = frozenset()
    """Features without which its code does not run, as Linux lists them in `/proc/cpuinfo`."""
    headers: tuple[str, ...] = ()
    """What the C includes beyond `math.h`, `stddef.h`, `stdint.h` and `string.h`."""
    instructions: Mapping[Instruction, str] = field(default_factory=_no_instructions, hash=False)
    """Instruction -> C, with the operands as `{a}`, `{b}`, … and the vector type as `{type}`."""

    def lanes(self, element_bits: int) -> int:
        """How many elements of this width fit a vector register; 1 where there are none."""
        return max(1, self.vector_bits // element_bits)

    def has(self, op: type[Operation] | Operation | str, element: Attribute | str | None = None) -> bool:
        """Whether the machine does `op`, on elements of this type if one is given."""
        return self.spelling(op, element) is not None

    def spelling(self, op: type[Operation] | Operation | str, element: Attribute | str | None = None) -> str | None:
        """The C of `op`: the entry for this element type, else the entry for the op; None if there is neither."""
        name = op if isinstance(op, str) else op.name
        if element is not None and (template := self.instructions.get((name, str(element)))) is not None:
            return template
        return self.instructions.get(name)
