"""Functions over buffers: a module as one Python program, each function written when it is first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import SSAValue

from ...dialects.expr import Expr
from ...dialects.loop import GlobalOp
from ...dialects.origin import located
from ...errors import RunError, VerifyError
from ..numbers import NAMES, quiet
from ..registry import interprets
from . import buffers
from .block import find_inits
from .source import Source

RUNTIME: dict[str, object] = {
    function.__name__: function
    for function in (
        buffers.allocate,
        buffers.check_dim,
        buffers.check_size,
        buffers.fault,
        buffers.outside,
        buffers.quotient,
        buffers.remainder,
        buffers.unset,
        buffers.view,
    )
}
"""What the generated Python calls, besides the names of the formulas."""


class Program:
    """The functions of a module as Python; `call` runs one, `text` is what was written."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.functions = {op.sym_name.data: op for op in module.walk() if isinstance(op, func.FuncOp)}
        self.text = ""
        self._namespace: dict[str, Any] = {**NAMES, **RUNTIME}
        self._callables: dict[str, str] = {}
        self._objects: dict[int, tuple[object, str]] = {}
        self._constants: dict[str, str] = {}
        self._count = 0

    def call(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        """Run a function on plain integers, NumPy scalars and buffers; what it returns."""
        function = self.callee(name)
        with quiet():
            try:
                return self._namespace[function](*arguments)
            except RecursionError as error:
                raise RunError(f"function '{name}' calls itself without end") from error

    def callee(self, name: str) -> str:
        """The Python name of a function, which is written now if it was not yet."""
        known = self._callables.get(name)
        if known is not None:
            return known
        function = self.functions.get(name)
        if function is None:
            raise RunError(f"no function '{name}'; there is {', '.join(sorted(self.functions)) or 'none'}")
        if function.is_declaration:
            raise VerifyError(located(function, f"function '{name}' has no body"))
        python = self._callables[name] = self.fresh(name)
        text = self._write(function, python)
        self.text += text
        try:
            code = compile(text, f"<function {name}>", "exec")
        except (SyntaxError, MemoryError, RecursionError) as error:
            # Python has limits of its own: 100 levels of indentation, 200 of brackets
            reason = error.msg if isinstance(error, SyntaxError) else "an expression"
            raise VerifyError(located(function, f"nested too deeply to be interpreted: {reason}")) from error
        exec(code, self._namespace)
        return python

    def _write(self, function: func.FuncOp, python: str) -> str:
        out = Source(self, find_inits(function))
        for argument in function.args:
            if isinstance(argument.type, IndexType):
                out.know(argument, (0, None))
        header = f"def {python}({', '.join(map(out.define, function.args))}):"
        out.block(function.body.block)
        return "\n".join([header, *out.lines, ""])

    # -- what functions share -------------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """A Python name that nothing else has."""
        self._count += 1
        word = "".join(c if c.isascii() and c.isalnum() else "_" for c in hint)
        return f"v{word}_{self._count}" if word[:1].isdecimal() else f"{word}_{self._count}"

    def object(self, value: object, hint: str) -> str:
        """A name for a Python object; the same one each time."""
        known = self._objects.get(id(value))
        if known is None:
            # the object is kept, so that its number is not given to another one
            known = self._objects[id(value)] = (value, self.fresh(hint))
            self._namespace[known[1]] = value
        return known[1]

    def constant(self, op: GlobalOp, make: Callable[[], object]) -> str:
        """A name for the elements of a global."""
        symbol = op.sym_name.data
        if symbol not in self._constants:
            self._constants[symbol] = self.object(make(), symbol)
        return self._constants[symbol]


@interprets(func.ReturnOp)
def return_(op: func.ReturnOp, out: Source) -> None:
    """The values go back as a tuple."""
    out.line(f"return ({''.join(f'{name}, ' for name in out.names(op.arguments))})")


@interprets(func.CallOp)
def call(op: func.CallOp, out: Source) -> None:
    """Buffers are passed as they are: what the callee writes, the caller sees."""
    name = op.callee.root_reference.data
    callee = out.program.callee(name)
    for argument, parameter in zip(op.arguments, out.program.functions[name].args, strict=True):
        if isinstance(argument.type, IndexType) and _may_be_negative(argument, out):
            dim = repr(parameter.name_hint or "an argument")
            out.line(f"check_dim({out.object(op, 'op')}, {dim}, {out.name(argument)})")
    call = f"{callee}({', '.join(out.names(op.arguments))})"
    if op.results:
        out.line(f"{''.join(f'{out.define(r)}, ' for r in op.results)} = {call}")
    else:
        out.line(call)


def _may_be_negative(index: SSAValue, out: Source) -> bool:
    low, _ = out.range(Expr.atom(index))
    return low is None or low < 0
