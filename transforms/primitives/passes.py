"""Each primitive as a pass with options: `split-loop{block=matmul loop=i factor=8}`."""

from __future__ import annotations

from dataclasses import MISSING, field, make_dataclass
from typing import Any, ClassVar, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...errors import ScheduleError
from .addresses import blocks_in, quote, split_address
from .declaration import Declaration, Parameter, Primitive
from .steps import Schedule
from .table import PRIMITIVES

_TYPES: dict[str, Any] = {
    "integer": int,
    "index": int | str,
    "number": int | float | str,
    "flag": bool,
    "loops": tuple[str, ...],
    "names": tuple[str, ...],
}


class PrimitivePass(ModulePass):
    """A pass that does one step, in `function` or in every function that has its block."""

    primitive: ClassVar[Primitive]
    opt_level: ClassVar[int] = 0
    licence: ClassVar[frozenset[str]] = frozenset()

    def licence_for(self, module: ModuleOp) -> frozenset[str]:
        """What it may do to a float result: each word of its licence is a flag, without which it keeps every bit."""
        return frozenset(word for word in self.licence if self._option(word))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Do the step."""
        done = False
        for function in [f for f in op.walk() if isinstance(f, func.FuncOp)]:
            if self._option("function") not in (None, function.sym_name.data):
                continue
            for step in self._steps(function):
                Schedule(function).apply(step)
                done = True
        wants_block = self.primitive.every is None or self._block() is not None
        if not done and wants_block:
            if self._block() is None:
                raise ScheduleError(f"pass '{self.name}' needs a block: write block/loop or give the block")
            place = self._option("function")
            where = "in any function" if place is None else f"in function @{place}"
            raise ScheduleError(f"pass '{self.name}': there is no block '{self._block()}' {where}")

    def _steps(self, function: func.FuncOp) -> list[str]:
        """The step for a function: none where it lacks the block, one for each block where none is named."""
        blocks = blocks_in(function)
        label = self._block()
        if label is None and self.primitive.every is not None:
            word = self.primitive.declaration.word
            return [f"{word} {quote(block.label.data)}" for block in blocks if self.primitive.every(block)]
        if label not in [block.label.data for block in blocks]:
            return []
        words = [self.primitive.declaration.word]
        for parameter in self.primitive.declaration.parameters:
            words += self._words(parameter)
        return [" ".join(words)]

    def _words(self, parameter: Parameter) -> list[str]:
        value = self._option(parameter.name)
        if value is None or value is False or value == ():
            return []
        match parameter.kind:
            case "block":
                return [quote(str(value))]
            case "loop":
                return [self._address(str(value))]
            case "loops":
                return [self._address(label) for label in cast("tuple[str, ...]", value)]
            case "names":
                return [quote(name) for name in cast("tuple[str, ...]", value)]
            case "flag":
                return [parameter.name]
            case _:
                return [str(value)]

    def _address(self, loop: str) -> str:
        """A loop as a full address: as given, or with the block of the pass before it."""
        if "/" in loop:
            return loop
        block = self._option("block")
        if block is None:
            raise ScheduleError(f"pass '{self.name}': loop '{loop}' needs a block: write block/loop or give the block")
        return f"{quote(str(block))}/{quote(loop)}"

    def _block(self) -> str | None:
        """The label of the first block that the options name."""
        for name in ("block", *(p.name for p in self.primitive.declaration.parameters)):
            value = self._option(name)
            parameter = next((p for p in self.primitive.declaration.parameters if p.name == name), None)
            if value in (None, ()) or (parameter is not None and parameter.kind not in ("block", "loop", "loops")):
                continue
            first = str(cast("tuple[str, ...]", value)[0] if isinstance(value, tuple) else value)
            if parameter is None or parameter.kind == "block":
                return first
            if "/" in first:
                return split_address(first)[0]
        return None

    def _option(self, name: str) -> object:
        return getattr(self, name, None)


def _documentation(declaration: Declaration) -> str:
    lines = (declaration.does, "", f"Expects: {declaration.expects}", f"Leaves:  {declaration.leaves}")
    return "".join(f"\n    {line}".rstrip(" ") for line in lines) + "\n    "


def pass_of(word: str) -> type[ModulePass]:
    """The pass class of a primitive, its options made from the parameters."""
    primitive = PRIMITIVES[word]
    declaration = primitive.declaration
    required: list[tuple[str, Any, Any]] = []
    optional: list[tuple[str, Any, Any]] = []
    for parameter in declaration.parameters:
        kind: Any = _TYPES.get(parameter.kind, str)
        if parameter.kind == "flag":
            optional.append((parameter.name, bool, field(default=False)))
        elif parameter.kind == "names":
            optional.append((parameter.name, kind, field(default=())))
        elif parameter.optional or primitive.every is not None:
            default = parameter.default or None
            optional.append((parameter.name, kind if default else kind | None, field(default=default)))
        else:
            required.append((parameter.name, kind, field(default=MISSING)))
    names = {parameter.name for parameter in declaration.parameters}
    if "block" not in names and any(p.kind in ("loop", "loops") for p in declaration.parameters):
        optional.append(("block", str | None, field(default=None)))
    optional.append(("function", str | None, field(default=None)))
    words = [part.capitalize() for part in declaration.pass_name.split("-")]
    made = make_dataclass(
        f"{''.join(words)}Pass",
        [*required, *optional],
        bases=(PrimitivePass,),
        namespace={
            "name": declaration.pass_name,
            "primitive": primitive,
            "licence": declaration.licence,
            "__module__": __name__,
            "__doc__": _documentation(declaration),
        },
        frozen=True,
    )
    return cast("type[ModulePass]", made)


SplitLoopPass = pass_of("split")
FuseLoopsPass = pass_of("fuse")
ReorderLoopsPass = pass_of("reorder")
PeelLoopPass = pass_of("peel")
PadLoopPass = pass_of("pad")
MergeLoopsPass = pass_of("merge")
InlineBlockPass = pass_of("inline")
DecomposeReductionPass = pass_of("decompose")
CacheReadPass = pass_of("cache-read")
CacheWritePass = pass_of("cache-write")
EpiloguePass = pass_of("epilogue")
ComputeAtPass = pass_of("compute-at")
RfactorPass = pass_of("rfactor")
ContractBufferPass = pass_of("contract")
SetLoopKindPass = pass_of("kind")
