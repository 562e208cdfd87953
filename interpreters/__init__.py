"""
Meanings: what every op does, in NumPy.

- `run.run(module, function, inputs)` runs a function at any level; `Runner` keeps a module to run more than once;
- `register_interpreter` says what the ops of another package do below the level of tensors;
- `numbers` has the meaning of scalar ops, `graph` that of ops on tensors, `loop` that of loops and buffers.

The names load on first use.
"""

from importlib import import_module
from typing import Any

_PLACES = {
    "INTERPRETERS": "registry",
    "Runner": "run",
    "interprets": "registry",
    "register_interpreter": "registry",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'stepwell.interpreters' has no attribute '{name}'")
    return getattr(import_module(f".{_PLACES[name]}", __name__), name)
