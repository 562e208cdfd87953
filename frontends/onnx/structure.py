"""What must hold of a graph before any node is looked at: every tensor has one source, and no node waits for itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import ModelError
from .file import Model


def node_label(node: Any) -> str:
    """What a node is called: by its name, or for want of one by its first output."""
    return str(node.name or next((output for output in node.output if output), ""))


def node_error(model: Model, node: Any, message: str) -> ModelError:
    """`model.onnx: node 'conv1' (Conv): error: …`."""
    return ModelError(f"{model.name}: node '{node_label(node)}' ({node.op_type}): error: {message}")


def ordered_nodes(model: Model) -> list[Any]:
    """The nodes, each after those whose outputs it reads; refuses a graph in which that cannot be."""
    graph = model.proto.graph
    if graph.sparse_initializer:
        raise ModelError(f"{model.name}: error: sparse initializers are not read")
    _refuse_twice(model, "input", (value.name for value in graph.input))
    for what in ("input", "initializer", "output"):
        if any(not value.name for value in getattr(graph, what)):
            raise ModelError(f"{model.name}: error: an {what} of the graph has no name")
    _refuse_twice(model, "initializer", (tensor.name for tensor in graph.initializer))
    given = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    source = _sources(model, given)
    for node in graph.node:
        for name in node.input:
            if name and name not in given and name not in source:
                raise node_error(model, node, f"reads '{name}', which nothing computes")
    for value in graph.output:
        if value.name not in given and value.name not in source:
            raise ModelError(f"{model.name}: error: output '{value.name}' is computed by nothing")
    return _sorted(model, source)


def _refuse_twice(model: Model, what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"{model.name}: error: two {what}s are called '{name}'")
        seen.add(name)


def _sources(model: Model, given: set[str]) -> dict[str, int]:
    """The number of the node that computes each tensor."""
    source: dict[str, int] = {}
    for number, node in enumerate(model.proto.graph.node):
        for name in node.output:
            if name in given:
                raise node_error(model, node, f"writes '{name}', which is an input or initializer")
            if name in source:
                raise node_error(model, node, f"writes '{name}', which another node writes too")
            if name:
                source[name] = number
    return source


def _sorted(model: Model, source: dict[str, int]) -> list[Any]:
    nodes: Sequence[Any] = model.proto.graph.node
    waits_for = [{source[name] for name in node.input if name in source} for node in nodes]
    if all(all(other < number for other in others) for number, others in enumerate(waits_for)):
        return list(nodes)
    state = [0] * len(nodes)  # 0 not seen, 1 being sorted, 2 sorted
    result: list[Any] = []
    for first in range(len(nodes)):
        stack = [first]
        while stack:
            number = stack[-1]
            if state[number] == 0:
                state[number] = 1
                for other in sorted(waits_for[number], reverse=True):
                    if state[other] == 1:
                        raise node_error(
                            model,
                            nodes[number],
                            f"waits for its own result: a cycle through '{node_label(nodes[other])}'",
                        )
                    if state[other] == 0:
                        stack.append(other)
            else:
                stack.pop()
                if state[number] == 1:
                    state[number] = 2
                    result.append(nodes[number])
    return result
