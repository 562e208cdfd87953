"""
Ops that compute one value from others: their C on scalars, and on vectors.

A scalar op is an expression over the names of its operands. A vector op is what the target spells it as, or an
expression of its own where C's vector extension can say it; the others become a helper that goes through the lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from ...errors import VerifyError
from .prelude import Prelude, function
from .types import CType
from .writer import EMITTERS, Writer

F32 = CType(f32)


@dataclass(frozen=True)
class Terms:
    """What an expression is made of: the op, C types, and the texts of the operands (names, or lanes of names)."""

    kind: type[Operation]
    """The op class whose expression it is: that of `op`, or of what `op` does on each lane."""
    op: Operation
    prelude: Prelude
    result: CType
    types: tuple[CType, ...]
    names: tuple[str, ...]

    def call(self, helper: str, *types: CType) -> str:
        """A call of a helper for some types on all operands."""
        return f"{self.prelude.call(helper, *types)}({', '.join(self.names)})"

    def widened(self) -> Terms:
        """The same with halves as f32; the result too, so it must be `narrowed`."""
        names = tuple(
            f"{self.prelude.call('widen', type)}({name})" if type.is_half else name
            for name, type in zip(self.names, self.types, strict=True)
        )
        types = tuple(F32 if type.is_half else type for type in self.types)
        return replace(self, names=names, types=types, result=F32 if self.result.is_half else self.result)

    def narrowed(self, expression: str) -> str:
        """An f32 expression as one of the result's type."""
        return f"{self.prelude.call('narrow', self.result)}({expression})" if self.result.is_half else expression


Spelling = Callable[[Terms], str]
"""The expression of an op."""

SCALAR: dict[type[Operation], Spelling] = {}
"""Op class -> its expression on scalars."""

VECTOR: dict[type[Operation], Spelling] = {}
"""Op class -> its expression on vectors, where it has one."""


def _into(table: dict[type[Operation], Spelling]) -> Callable[..., Callable[[Spelling], Spelling]]:
    """What puts an expression into a table, for some op classes."""

    def for_kinds(*kinds: type[Operation]) -> Callable[[Spelling], Spelling]:
        def register(spelling: Spelling) -> Spelling:
            for kind in kinds:
                table[kind] = spelling
                EMITTERS[kind] = _elementwise
            return spelling

        return register

    return for_kinds


scalar = _into(SCALAR)
"""Put an expression on scalars into the table."""

vector = _into(VECTOR)
"""Put an expression on vectors into the table."""


def through_f32(spelling: Spelling) -> Spelling:
    """An expression on f32 and f64 as one on halves too: they are computed in f32 and rounded."""
    return lambda t: t.narrowed(spelling(t.widened()))


def lane(name: str, type: CType) -> str:
    """One lane of a vector in a loop over `lane`, as a scalar; a scalar is itself."""
    if not type.lanes:
        return name
    return f"({name}[lane] != 0)" if type.is_mask else f"{name}[lane]"


def template(text: str) -> Spelling:
    """The expression `text` with the operands put in."""
    return lambda t: text.format(*t.names)


def by_lanes(t: Terms) -> str:
    """A call of a helper that computes lane by lane what the op is on scalars."""
    letters = "abc"[: len(t.names)]
    symbol = "_".join(["sw", t.kind.name.partition(".")[2], *dict.fromkeys(x.suffix for x in (*t.types, t.result))])

    def make() -> str:
        lanes = tuple(map(lane, letters, t.types))
        inner = replace(t, result=t.result.scalar, types=tuple(type.scalar for type in t.types), names=lanes)
        value = SCALAR[t.kind](inner)
        if t.result.is_mask:
            value = f"-({value})"
        return function(
            t.result.text,
            symbol,
            ", ".join(f"{type.text} {letter}" for letter, type in zip(letters, t.types, strict=True)),
            f"{t.result.text} r;",
            f"for (int lane = 0; lane < {t.result.lanes}; lane++) r[lane] = {value};",
            "return r;",
        )

    return f"{t.prelude.define(symbol, make)}({', '.join(t.names)})"


def _elementwise(op: Operation, out: Writer) -> None:
    """The statement of an op of the tables."""
    (result,) = op.results
    types = tuple(out.type(operand) for operand in op.operands)
    terms = Terms(op.__class__, op, out.prelude, out.type(result), types, tuple(map(out.name, op.operands)))
    if terms.result.lanes == 0:
        if any(type.lanes for type in types):
            raise VerifyError("makes a scalar of vectors")
        out.define(result, SCALAR[op.__class__](terms))
    else:
        spelled = out.spelled(op, result.type, *terms.names)
        out.define(result, spelled or VECTOR.get(op.__class__, by_lanes)(terms))
