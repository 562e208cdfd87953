"""From a model to a module: every node by its function in the operator table, and all that cannot be said, at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects import graph
from ...dialects.origin import node_location
from ...dialects.signature import INPUTS, OUTPUTS, strings
from ...errors import Error, ModelError, UnsupportedError, UnsupportedNode, VerifyError
from ...interpreters.graph import evaluate_op, has_own_value
from ...rewriting import verify_dominance
from ..operations import Operations
from ..shapes import Given, given_shapes
from ..value_names import value_name
from .file import Model, Source, read_model
from .inputs import input_types
from .node import Content, Node, NotSaidError, Result, Sizes
from .operators import OPERATORS
from .sizes import computed_sizes
from .structure import node_label, ordered_nodes
from .weights import Array, array_of, element_type_name, element_type_of


def load(source: Source, shapes: Mapping[str, Any] | None = None, *, name: str | None = None) -> ModuleOp:
    """
    The module of an ONNX model, with one function `main`.

    `shapes` binds dynamic dims: `{"x": (1, 784)}` by input, `{"batch": 7}` by the name of a dim. `name` is what errors
    call the model.
    """
    return _Import(read_model(source, name), given_shapes(shapes or {})).module()


class _Import:
    """A model on its way into a block: what each of its tensors has become, and the nodes that could not be said."""

    def __init__(self, model: Model, shapes: Given):
        self.model = model
        self.shapes = shapes
        self.contents: dict[str, Content] = {}
        self.unsaid: list[UnsupportedNode] = []
        self.lost: set[str] = set()
        """Tensors that depend on a node that could not be said."""
        self.arrays: dict[SSAValue, Array | None] = {}
        """What is known of values that depend on constants only, and None for the others."""
        self.block = Block()
        self.ops = Operations(self._place)

    def module(self) -> ModuleOp:
        proto = self.model.proto.graph
        nodes = ordered_nodes(self.model)
        weights = {tensor.name: tensor for tensor in proto.initializer}
        given = [value for value in proto.input if value.name not in weights or value.name in self.shapes]
        types = input_types(self.model, given, self.shapes)
        for name, type in types.items():
            argument = self.block.insert_arg(type, len(self.block.args))
            argument.name_hint = value_name(name)
            self.contents[name] = argument
        for tensor in weights.values():
            if tensor.name not in types:
                self._weight(tensor)
        for node in nodes:
            self._node(node)
        if self.unsaid:
            count = len(self.unsaid)
            raise UnsupportedError(
                f"{self.model.name}: error: {count} {'node' if count == 1 else 'nodes'} cannot be imported", self.unsaid
            )
        return self._finished([value.name for value in given])

    # -- one tensor, one node -------------------------------------------------------------------------------------

    def _weight(self, tensor: Any) -> None:
        array = array_of(tensor, self.model)
        if array is None:
            reason = f"elements of type {element_type_name(tensor.data_type)}"
            self.unsaid.append(UnsupportedNode(tensor.name, "initializer", reason))
            self.lost.add(tensor.name)
        else:
            self.contents[tensor.name] = array

    def _node(self, proto: Any) -> None:
        if any(name in self.lost for name in proto.input):
            self.lost.update(proto.output)
            return
        node = Node(proto, self.model, [self._content(name) for name in proto.input], self.ops, self._known)
        last = self.block.last_op
        try:
            results = self._results(node)
        except NotSaidError as reason:
            self.unsaid.append(UnsupportedNode(node_label(proto), proto.op_type, str(reason)))
            self.lost.update(proto.output)
            return
        except ModelError:
            raise
        except (Error, VerifyException) as error:
            raise node.error(str(error)) from error
        self._label(node, last, results)

    def _results(self, node: Node) -> Sequence[Content]:
        proto = node.proto
        if proto.domain not in ("", "ai.onnx"):
            node.refuse(f"operators of domain '{proto.domain}' are not known")
        result: Result | None = None
        if any(isinstance(content, Sizes) for content in node.contents):
            result = computed_sizes(node)
        if result is None:
            operator = OPERATORS.get(proto.op_type)
            if operator is None:
                node.refuse("this operator is not in the table (frontends/onnx/operators.py)")
            result = operator(node)
        results = list(result) if isinstance(result, list) else [result]
        self._check_all_said(node, len(results))
        return results

    def _check_all_said(self, node: Node, results: int) -> None:
        for attribute in node.proto.attribute:
            if attribute.name not in node.asked:
                node.refuse(f"attribute '{attribute.name}' is not known")
        for index, content in enumerate(node.contents):
            if content is not None and index not in node.asked:
                node.refuse(f"input {index} ('{node.proto.input[index]}') is not known")
        if node.outputs > results:
            node.refuse(f"output {results} ('{node.proto.output[results]}') is not computed")

    def _label(self, node: Node, last: Any, results: Sequence[Content]) -> None:
        """Give what was made for the node its origin, and the results their names."""
        location = node_location(self.model.name, node_label(node.proto), node.proto.op_type)
        op = self.block.first_op if last is None else last.next_op
        while op is not None:
            op.location = location
            op = op.next_op
        for name, content in zip(node.proto.output, results, strict=False):
            if not name:
                continue
            self.contents[name] = content
            if isinstance(content, SSAValue) and content.name_hint is None:
                content.name_hint = value_name(name)

    # -- values ---------------------------------------------------------------------------------------------------

    def _place(self, op: graph.GraphOp) -> None:
        try:
            op.verify_()
        except VerifyException as error:
            raise VerifyError(f"{op.name}: {error}") from error
        self.block.add_op(op)

    def _content(self, name: str) -> SSAValue | Sizes | None:
        """What a tensor of that name is, an array as a constant; None for the empty name of an absent input."""
        content = self.contents[name] if name else None
        if content is None or isinstance(content, SSAValue | Sizes):
            return content
        constant = self.contents[name] = self._constant(name, content)
        return constant

    def _constant(self, name: str, array: Array) -> SSAValue:
        """An array as a constant, placed where it is first read."""
        op = graph.ConstantOp(array)
        op.location = node_location(self.model.name, name, "initializer")
        op.out.name_hint = value_name(name)
        self.block.add_op(op)
        return op.out

    def _known(self, value: SSAValue) -> Array | None:
        """The array that a value is, if it depends on constants only; computed once, without recursion."""
        stack = [value]
        while stack:
            current = stack[-1]
            if current in self.arrays:
                stack.pop()
                continue
            op = current.owner
            if isinstance(op, graph.ConstantOp):
                self.arrays[current] = op.value.array
            elif not isinstance(op, graph.GraphOp) or not has_own_value(op):
                self.arrays[current] = None
            elif waiting := [operand for operand in op.operands if operand not in self.arrays]:
                stack.extend(waiting)
                continue
            else:
                operands = [array for operand in op.operands if (array := self.arrays[operand]) is not None]
                known = len(operands) == len(op.operands)
                self.arrays[current] = evaluate_op(op, operands)[0] if known else None
            stack.pop()
        return self.arrays[value]

    def _check_declared(self, results: Sequence[SSAValue]) -> None:
        """Refuse an output that the file declares to have elements of another type; one of no type is fine."""
        for value, result in zip(self.model.proto.graph.output, results, strict=True):
            number = value.type.tensor_type.elem_type
            element = graph.type_of_value(result).element_type
            if number and element_type_of(number) != element:
                declared = f"output '{value.name}' is declared {element_type_name(number)}"
                raise ModelError(f"{self.model.name}: error: {declared}, and its elements are {element}")

    def _finished(self, inputs: Sequence[str]) -> ModuleOp:
        outputs = [value.name for value in self.model.proto.graph.output]
        results: list[SSAValue] = []
        for name in outputs:
            content = self._content(name)
            if isinstance(content, Sizes):
                reason = "it is computed from dynamic dims: bind them with shapes="
                raise UnsupportedError(
                    f"{self.model.name}: error: an output cannot be said", [UnsupportedNode(name, "output", reason)]
                )
            assert content is not None, "a graph output has a name"
            results.append(content)
        self._check_declared(results)
        self.block.add_op(ReturnOp(*results))
        for op in reversed(list(self.block.ops)):
            if op.results and not any(result.uses for result in op.results):
                self.block.erase_op(op)
        type = FunctionType.from_lists(self.block.arg_types, [result.type for result in results])
        function = FuncOp("main", type, Region(self.block))
        function.attributes |= {INPUTS: strings(inputs), OUTPUTS: strings(outputs)}
        function.location = node_location(self.model.name, self.model.proto.graph.name, "graph")
        module = ModuleOp([function])
        verify_dominance(module)  # each op was verified when it was made
        return module
