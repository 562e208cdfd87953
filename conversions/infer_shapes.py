"""Name every dim that is not a number, solve what ops force to be equal, and write every result type again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import gcd, prod
from typing import ClassVar

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp, NoneAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.symbol_table import SymbolTable

from ..dialects.element_types import bytes_of
from ..dialects.expr import Compound, Expr, Variable, as_expr, floordiv
from ..dialects.expr_interval import interval
from ..dialects.graph import Dim, DimsAttr, GraphOp, Solver, Tensor, dims_of, tensor_of
from ..dialects.graph.dims import dim_text, substitute
from ..dialects.origin import located
from ..dialects.signature import REQUIRES, input_names, is_loop_function, requirements
from ..errors import VerifyError
from ..rewriting import walk


@dataclass
class SymbolSolver(Solver):
    """
    Binds symbols so that sizes are equal that an op wants to be equal.

    `age` counts symbols as they come: of two, the younger is bound. With `broadcasts`, two sizes that broadcast and are
    not known to be 1 are taken to be equal. A size and a number that no symbol makes equal, though some sizes do, are a
    requirement of the function.
    """

    bindings: dict[Variable, Expr] = field(default_factory=dict[Variable, Expr])
    age: dict[Variable, int] = field(default_factory=dict[Variable, int])
    broadcasts: bool = False
    postponed: bool = False
    """Whether two sizes broadcast about which nothing was decided."""
    numbers: dict[Expr, int] = field(default_factory=dict[Expr, int])
    """Sizes that have to be a number in every run that succeeds."""

    def resolve(self, size: Dim) -> Dim:
        """A size with all bound symbols replaced."""
        return substitute(size, self.bindings)

    @override
    def same(self, a: Dim, b: Dim, what: str) -> Dim:
        return super().same(self.resolve(a), self.resolve(b), what)

    @override
    def broadcast(self, a: Dim, b: Dim, what: str) -> Dim:
        return super().broadcast(self.resolve(a), self.resolve(b), what)

    @override
    def same_count(self, before: Dim, after: Dim, what: str) -> None:
        a, b = self.resolve(before), self.resolve(after)
        if a is None or b is None or a == b or (as_expr(a) - b).value is not None:
            super().same(a, b, what)
        else:
            self._solve(a, b)

    @override
    def unify(self, a: int | Expr, b: int | Expr, what: str) -> Dim:
        if self._solve(a, b):
            return self.resolve(a)
        for size, number in ((a, b), (b, a)):
            if isinstance(number, int) and isinstance(size, Expr) and _may_be(size, number):
                self.numbers[size] = number
                return number
        raise VerifyException(
            f"{what}: cannot tell how {dim_text(a)} and {dim_text(b)} become equal; give the sizes with `shapes=`"
        )

    @override
    def unify_broadcast(self, a: Dim, b: Dim, what: str) -> Dim:
        if not self.broadcasts or a is None or b is None:
            self.postponed = True
            return super().unify_broadcast(a, b, what)
        return self.unify(a, b, what)

    def _solve(self, a: int | Expr, b: int | Expr) -> bool:
        """Bind the youngest symbol that makes two sizes equal, if one does."""
        difference = as_expr(a) - b
        for symbol in sorted(difference.variables(), key=lambda v: self.age.setdefault(v, len(self.age)), reverse=True):
            solution = _solve(difference, symbol)
            if solution is not None and (solution.value != 0 or 0 in (a, b)):
                self._bind(symbol, solution)
                return True
        return False

    def _bind(self, symbol: Variable, solution: Expr) -> None:
        step = {symbol: solution}
        self.bindings = {bound: value.substitute(step) for bound, value in self.bindings.items()}
        self.bindings[symbol] = solution


def _solve(difference: Expr, symbol: Variable) -> Expr | None:
    """What `symbol` must be for `difference` to be 0, if that is a polynomial and no negative number."""
    factor = difference.coefficient(symbol)
    if factor is None:
        return None
    rest = Expr.atom(symbol) * factor - difference
    solution = floordiv(rest, factor)
    exact = solution * factor == rest and not solution.mentions(symbol)
    return solution if exact and (solution.value is None or solution.value >= 0) else None


def _may_be(size: Expr, number: int) -> bool:
    """Whether a rounded size is seen to be the number for some sizes: of a polynomial, a symbol would have said so."""
    if not any(isinstance(atom, Compound) for monomial in size.terms for atom in monomial.atoms):
        return False
    least, most = interval(size, dict.fromkeys(size.variables(), (0, None)))
    reachable = (least is None or least <= number) and (most is None or number <= most)
    return reachable and (number - size.offset) % gcd(*size.terms.values()) == 0


@dataclass
class _Inference:
    """One function that nothing calls, and the functions that it calls: they share their symbols."""

    symbols: SymbolTable
    solver: SymbolSolver
    called: dict[str, tuple[Attribute, ...]] = field(default_factory=dict[str, tuple[Attribute, ...]])
    active: list[str] = field(default_factory=list[str])
    current: Operation | None = None

    def infer(self, function: FuncOp) -> None:
        """Solve and write the types of this function and of those it calls."""
        self._name_dims(function)
        try:
            self._sweep_until_solved(function)
            if self.solver.postponed:
                self.solver.broadcasts = True
                self._sweep_until_solved(function)
        except VerifyException as error:
            raise VerifyError(located(self.current or function, str(error))) from None
        for name in (function.sym_name.data, *self.called):
            self._write_requirements(self.symbols.lookup(name), function)

    def _write_requirements(self, function: Operation | None, root: FuncOp) -> None:
        """Say on a function that can be called from outside what must hold of the sizes that it is given."""
        if not isinstance(function, FuncOp) or (function is not root and not _is_public(function)):
            return
        known = [e.substitute(self.solver.bindings) for e in requirements(function)]
        differences = [(size - number).substitute(self.solver.bindings) for size, number in self.solver.numbers.items()]
        equal = [each for difference in differences for each in (difference, -difference)]
        needed = _open_requirements([*known, *equal, *self._needs(function, set())])
        if needed:
            function.attributes[REQUIRES] = DimsAttr(needed)
        else:
            function.attributes.pop(REQUIRES, None)

    def _needs(self, function: FuncOp, seen: set[FuncOp]) -> Iterator[Expr]:
        """What must not be negative where this function and those that it calls run."""
        if function in seen:
            return
        seen.add(function)
        yield from (size for type in function.function_type.inputs for size in _expressions(type))
        for op in function.walk():
            yield from (size for result in op.results for size in _expressions(result.type))
            if isinstance(op, GraphOp):
                yield from op.requirements()
            elif isinstance(op, CallOp):
                callee = self.symbols.lookup(op.callee.string_value())
                if isinstance(callee, FuncOp) and not callee.is_declaration:
                    yield from self._needs(callee, seen)

    def _sweep_until_solved(self, function: FuncOp) -> None:
        count = -1
        while len(self.solver.bindings) != count:
            count = len(self.solver.bindings)
            self.called.clear()
            self._sweep(function, [self._resolved(type) for type in function.function_type.inputs.data])

    def _name_dims(self, function: FuncOp) -> None:
        taken = {v for op in function.walk() for type in _types(op) for v in _symbols(type)}
        taken |= {v for type in function.function_type.inputs.data for v in _symbols(type)}
        self._age(function.function_type.inputs.data)
        types: list[Attribute] = []
        for name, type in zip(input_names(function), function.function_type.inputs.data, strict=True):
            if isa(type, Tensor):
                sizes = [
                    Expr.atom(_fresh(f"{name}_{axis}", taken)) if size is None else size
                    for axis, size in enumerate(dims_of(type))
                ]
                type = tensor_of(type.element_type, sizes)
            types.append(type)
        self._age(types)
        _set_arguments(function, types)

    def _age(self, types: Iterable[Attribute]) -> None:
        for type in types:
            for symbol in _symbols(type):
                self.solver.age.setdefault(symbol, len(self.solver.age))

    def _resolved(self, type: Attribute) -> Attribute:
        if not self.solver.bindings or not isa(type, Tensor) or isinstance(type.encoding, NoneAttr):
            return type
        return tensor_of(type.element_type, [self.solver.resolve(size) for size in dims_of(type)])

    def _sweep(self, function: FuncOp, inputs: list[Attribute]) -> None:
        _set_arguments(function, inputs)
        for block in function.body.blocks:
            self._sweep_block(block)
        outputs = function.function_type.outputs.data
        for block in function.body.blocks:
            if isinstance(block.last_op, ReturnOp):
                outputs = block.last_op.arguments.types
        function.function_type = FunctionType.from_lists(list(function.function_type.inputs.data), list(outputs))

    def _sweep_block(self, block: Block) -> None:
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    self._sweep_block(inner)
            self.current = op
            for name, attribute in op.properties.items():
                if isinstance(attribute, DimsAttr):
                    op.properties[name] = attribute.substitute(self.solver.bindings)
            if isinstance(op, GraphOp):
                _set_results(op, [self._resolved(type) for type in op.infer_result_types(self.solver)])
            elif isinstance(op, CallOp):
                self._sweep_call(op)

    def _sweep_call(self, call: CallOp) -> None:
        callee = self.symbols.lookup(call.callee.string_value())
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"{call.callee} is not a function")
        if callee.is_declaration:
            for index, (given, declared) in enumerate(
                zip(call.arguments.types, callee.function_type.inputs.data, strict=True)
            ):
                if self._resolved(given) != self._resolved(declared):
                    raise VerifyException(f"argument {index} is {given}, but {call.callee} takes {declared}")
            return
        name = callee.sym_name.data
        given = tuple(self._resolved(type) for type in call.arguments.types)
        if name in self.active:
            raise VerifyException(f"{call.callee} calls itself")
        before = self.called.setdefault(name, given)
        for index, (one, other) in enumerate(zip(before, given, strict=True)):
            if self._resolved(one) != other:
                raise VerifyException(f"{call.callee} is called with {one} and with {other} as argument {index}")
        self.active.append(name)
        self._sweep(callee, list(given))
        self.active.pop()
        self.current = call
        _set_results(call, list(callee.function_type.outputs.data))


def _expressions(type: Attribute) -> Iterator[Expr]:
    """The sizes of a tensor that depend on a run."""
    if isa(type, Tensor) and not isinstance(type.encoding, NoneAttr):
        yield from (size for size in dims_of(type) if isinstance(size, Expr))


def _open_requirements(exprs: Iterable[Expr]) -> list[Expr]:
    """Those that can be negative, each once; of several that differ by a constant, the least."""
    needed: dict[Expr, Expr] = {}
    for e in exprs:
        slope = e - e.offset
        if slope not in needed or e.offset < needed[slope].offset:
            needed[slope] = e
    return [e for e in needed.values() if not _is_natural(e)]


def _is_natural(e: Expr) -> bool:
    """Whether an expression over sizes is never negative."""
    least, _ = interval(e, dict.fromkeys(e.variables(), (0, None)))
    return least is not None and least >= 0


def _is_public(function: FuncOp) -> bool:
    return function.sym_visibility is None or function.sym_visibility.data == "public"


def _types(op: Operation) -> Iterator[Attribute]:
    yield from (result.type for result in op.results)
    yield from (value for value in op.properties.values() if isinstance(value, DimsAttr))


def _symbols(type: Attribute) -> tuple[Variable, ...]:
    dims = type.encoding if isa(type, Tensor) else type
    return dims.variables() if isinstance(dims, DimsAttr) else ()


def _fresh(name: str, taken: set[Variable]) -> str:
    candidate, number = name, 0
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    taken.add(candidate)
    return candidate


def _set_type(value: SSAValue, type: Attribute) -> None:
    if value.type != type:
        Rewriter.replace_value_with_new_type(value, type)


def _set_results(op: Operation, types: list[Attribute]) -> None:
    for result, type in zip(tuple(op.results), types, strict=True):
        _set_type(result, type)


def _set_arguments(function: FuncOp, types: list[Attribute]) -> None:
    for argument, type in zip(tuple(function.args), types, strict=True):
        _set_type(argument, type)
    function.function_type = FunctionType.from_lists(types, list(function.function_type.outputs.data))


def _roots(module: ModuleOp) -> list[FuncOp]:
    """The functions of tensors with a body that no other calls."""
    functions = [
        op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration and not is_loop_function(op)
    ]
    called = {op.callee.string_value() for f in functions for op in f.walk() if isinstance(op, CallOp)}
    return [f for f in functions if f.sym_name.data not in called]


@dataclass(frozen=True)
class InferShapesPass(ModulePass):
    """
    Name the dims of arguments, solve which of them are equal, and infer every result type from there.

    An anonymous dim of an argument becomes a symbol named after argument and axis. Where an op needs two sizes to be
    equal, a symbol is bound, everywhere. Two sizes that broadcast are taken to be equal, last of all: a symbol stands
    for one size in a run, and the compiled code checks the sizes that it is given.

    Expects: any `graph` program.
    Leaves:  every dim of an argument a number or an expression over symbols, every result type as inferred from them,
        and `requires` on a function that can be called from outside: what must not be negative in a run.
    """

    name = "infer-shapes"
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Infer every function that no other calls, together with those that it calls."""
        symbols = SymbolTable(op)
        for function in _roots(op):
            _Inference(symbols, SymbolSolver()).infer(function)
        _check_sizes(op)


def _check_sizes(module: ModuleOp) -> None:
    """Refuse a tensor that no machine can address; the arithmetic on indices below has 64 bits."""
    for op in walk(module):
        arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
        for value in (*op.results, *arguments):
            type = value.type
            if isa(type, Tensor):
                size = prod(size for size in type.get_shape() if size >= 0) * bytes_of(type.element_type)
                if size >= 1 << 63:
                    raise VerifyError(located(op, f"a size does not fit 64 bits: {type} has {size} bytes"))
