"""`Source`: the Python text of one function while it is written, with the names of values and what is known of them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, VectorType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.element_types import is_element
from ...dialects.expr import Compound, Expr, Variable
from ...dialects.expr_interval import Interval, interval
from ...dialects.loop import BlockOp, ForOp, YieldOp, buffer_shape
from ...dialects.origin import located
from ...errors import VerifyError
from ..numbers import formula
from ..registry import interpreter_of

if TYPE_CHECKING:
    from .functions import Program

LOOPS_IN_PYTHON = 16
"""Python compiles at most 20 statically nested loops; a few are left for what stands in the innermost."""


@dataclass(frozen=True)
class Place:
    """Where an access goes: the buffer and the flat index as text, and what has to hold for it to be in bounds."""

    buffer: str
    what: str
    address: str
    inside: str
    """A condition as text; empty where the ranges of the indices already say so."""
    indices: str
    dims: str


class Source:
    """
    The body of one Python function, written line by line.

    An interpreter gives every result a name (`assign` or `define`) and refers to operands by `name`, to index
    expressions by `index`, and to elements of buffers by `place`, `read` and `write`.
    """

    def __init__(self, program: Program, inits: dict[Operation, list[BlockOp]]):
        self.program = program
        self.inits = inits
        """Loop or block -> the blocks whose init happens right before it."""
        self.lines: list[str] = []
        self.loops = 0
        """How many Python loops are open here."""
        self._names: dict[SSAValue, str] = {}
        self._ranges: dict[Variable, Interval] = {}
        self._indent = 1

    # -- text -----------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One statement."""
        self.lines.append("    " * self._indent + text)

    @contextmanager
    def under(self, header: str) -> Generator[None]:
        """Statements under a header such as `if x:`."""
        self.line(header)
        self._indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.line("pass")
        self._indent -= 1

    @contextmanager
    def loop(self, op: ForOp) -> Generator[None]:
        """Statements for every value of a loop's variable."""
        lower, upper = op.lower, op.upper
        low, high = self.range(lower)[0], self.range(upper)[1]
        self.know(op.variable, (low, None if high is None else high - 1))
        self.loops += 1
        with self.under(f"for {self.define(op.variable)} in range({self.index(lower)}, {self.index(upper)}):"):
            yield
        self.loops -= 1

    @contextmanager
    def room_for_loop(self, results: Sequence[SSAValue] = ()) -> Generator[None]:
        """
        Statements around one more loop, which give values to `results`.

        Where Python would not allow it, they go into a function of their own: it sees what is around it.
        """
        if self.loops < LOOPS_IN_PYTHON:
            yield
            return
        outer, self.loops = self.loops, 0
        nest = self.fresh("nest")
        with self.under(f"def {nest}():"):
            yield
            self.line(f"return {', '.join(self.names(results)) or 'None'}")
        self.loops = outer
        self.line(f"{', '.join(self.names(results)) or '_'} = {nest}()")

    def object(self, value: object, hint: str) -> str:
        """A name for a Python object."""
        return self.program.object(value, hint)

    # -- values ---------------------------------------------------------------------------------------------------

    def define(self, value: SSAValue) -> str:
        """The name that `value` gets; the same one if it has one already."""
        name = self._names.get(value)
        if name is None:
            name = self._names[value] = self.fresh(value.name_hint or "v")
        return name

    def fresh(self, hint: str) -> str:
        """A name that nothing else has."""
        return self.program.fresh(hint)

    def name(self, value: SSAValue) -> str:
        """The name of a value that was defined."""
        name = self._names.get(value)
        if name is None:
            owner = value.owner
            op = owner if isinstance(owner, Operation) else owner.parent_op()
            assert op is not None
            raise VerifyError(located(op, f"'{value.name_hint or 'a value'}' is used where it is not defined"))
        return name

    def names(self, values: Sequence[SSAValue]) -> list[str]:
        """The names of values that were defined."""
        return [self.name(v) for v in values]

    def assign(self, value: SSAValue, text: str) -> None:
        """Define `value` to be what the expression `text` gives."""
        self.line(f"{self.define(value)} = {text}")

    def assign_all(self, values: Sequence[SSAValue], texts: Sequence[str]) -> None:
        """Define several values at once, so that the new ones may come from the old."""
        if values:
            self.line(f"{', '.join(self.define(v) for v in values)} = {', '.join(texts)}")

    def alias(self, value: SSAValue, name: str) -> None:
        """Let `value` go by a name that is there already."""
        self._names[value] = name

    # -- ops ------------------------------------------------------------------------------------------------------

    def op(self, op: Operation) -> None:
        """Write what `op` does."""
        for type in op.result_types:
            if not is_element(type) and isinstance(type, AnyFloat | IntegerType | VectorType):
                raise VerifyError(located(op, f"no array can hold {type}"))
        interpreter = interpreter_of(op)
        if interpreter is not None:
            interpreter(op, self)
        else:
            self.scalar(op)

    def scalar(self, op: Operation) -> None:
        """Write what an op of `arith`, `math` or another table of formulas computes."""
        if len(op.results) != 1:
            raise VerifyError(located(op, "has no meaning below tensors: register_interpreter gives it one"))
        vector = any(isinstance(t, VectorType) for t in (*op.operand_types, *op.result_types))
        self.assign(op.results[0], formula(op).text(*self.names(op.operands), vector=vector))

    def block(self, block: Block) -> Sequence[SSAValue]:
        """Write all ops of a block but the `loop.yield` at its end; the values that it yields."""
        for op in block.ops:
            if isinstance(op, YieldOp):
                return op.values
            self.op(op)
        return ()

    # -- index expressions ----------------------------------------------------------------------------------------

    def know(self, variable: SSAValue, values: Interval) -> None:
        """Note the range of an index value."""
        self._ranges[variable] = values

    def range(self, e: Expr) -> Interval:
        """What is known of the values of an index expression."""
        return interval(e, self._ranges)

    def index(self, e: Expr) -> str:
        """An index expression over SSA values as Python."""
        text = ""
        for monomial, coefficient in e.terms.items():
            factors = [self._atom(a) for a in monomial.atoms]
            magnitude = abs(coefficient)
            if magnitude != 1:
                factors.append(str(magnitude))
            sign = "-" if coefficient < 0 else ("+" if text else "")
            text += f" {sign} {'*'.join(factors)}" if text else f"{sign}{'*'.join(factors)}"
        if not text:
            return str(e.offset)
        return f"{text} {'-' if e.offset < 0 else '+'} {abs(e.offset)}" if e.offset else text

    def indices(self, exprs: Sequence[Expr]) -> str:
        """Several index expressions as a Python tuple."""
        return f"({''.join(f'{self.index(e)}, ' for e in exprs)})"

    def conditions(self, exprs: Sequence[Expr]) -> str:
        """That every expression is at least zero."""
        return " and ".join(f"{self.index(e)} >= 0" for e in exprs) or "True"

    def _atom(self, atom: Variable) -> str:
        if not isinstance(atom, Compound):
            value = cast(SSAValue, atom)
            name = self.name(value)
            return name if isinstance(value.type, IndexType) else f"int({name})"
        args = [self.index(a) for a in atom.args]
        if atom.kind in ("min", "max"):
            return f"{atom.kind}({', '.join(args)})"
        if (atom.args[1].value or 0) > 0:
            return f"(({args[0]}) {'//' if atom.kind == 'floordiv' else '%'} {args[1]})"
        return f"{'quotient' if atom.kind == 'floordiv' else 'remainder'}({args[0]}, {args[1]})"

    # -- buffers --------------------------------------------------------------------------------------------------

    def shape(self, buffer: SSAValue, op: Operation) -> tuple[Expr, ...]:
        """The dims of a buffer."""
        shape = buffer_shape(buffer)
        if shape is None:
            name = buffer.name_hint or "a buffer"
            raise VerifyError(located(op, f"the dims of '{name}' are not known here: its function needs a loop.shape"))
        return shape

    def place(self, buffer: SSAValue, indices: Sequence[Expr], op: Operation, lanes: int = 1) -> Place:
        """Where `buffer[indices]` is; with `lanes`, that many elements of the last dim from there on."""
        dims = self.shape(buffer, op)
        address = Expr.constant(0)
        inside: list[str] = []
        for position, (index, dim) in enumerate(zip(indices, dims, strict=True)):
            address = address * dim + index
            last = dim - (lanes if position == len(dims) - 1 else 1)
            low, high = self.range(index)
            room = self.range(last)[0]
            below = "" if low is not None and low >= 0 else "0 <= "
            above = "" if high is not None and room is not None and high <= room else f" <= {self.index(last)}"
            if below or above:
                inside.append(f"{below}{self.index(index)}{above}")
        what = buffer.name_hint or "a buffer"
        if isinstance(op, BlockOp):
            what = f"block '{op.label.data}', {what}"
        return Place(
            self.name(buffer),
            what,
            self.index(address),
            " and ".join(inside),
            self.indices(indices),
            self.indices(dims),
        )

    def check(self, place: Place, op: Operation) -> None:
        """Stop with an error unless the place is in its buffer."""
        if place.inside:
            with self.under(f"if not ({place.inside}):"):
                where = f"{self.object(op, 'op')}, {place.what!r}, {place.indices}, {place.dims}"
                self.line(f"raise outside({where})")

    def read(
        self, target: SSAValue, place: Place, op: Operation, guard: Sequence[Expr] = (), pad: str | None = None
    ) -> None:
        """
        Define `target` to be the element at `place`.

        Where the guard does not hold, it is `pad`; with a pad and no guard, the bounds of the buffer are the guard.
        """
        name = self.define(target)
        condition = self.conditions(guard) if guard else place.inside if pad is not None else ""
        if not condition:
            self._read_inside(name, place, op)
            return
        with self.under(f"if {condition}:"):
            self._read_inside(name, place, op, checked=not guard)
        with self.under("else:"):
            self.line(f"{name} = {pad}")

    def _read_inside(self, name: str, place: Place, op: Operation, checked: bool = False) -> None:
        if not checked:
            self.check(place, op)
        self.line(f"{name} = {place.buffer}[{place.address}]")
        where = f"{self.object(op, 'op')}, {place.what!r}, {place.address}, {place.dims}"
        self.line(f"if {name} is None: raise unset({where})")

    def write(self, place: Place, value: str, op: Operation, guard: Sequence[Expr] = (), clip: bool = False) -> None:
        """Set the element at `place`, if the guard holds; with `clip` and no guard, if the place is in its buffer."""
        store = f"{place.buffer}[{place.address}] = {value}"
        if guard:
            with self.under(f"if {self.conditions(guard)}:"):
                self.check(place, op)
                self.line(store)
        elif clip:
            self.line(f"if {place.inside}: {store}" if place.inside else store)
        else:
            self.check(place, op)
            self.line(store)
