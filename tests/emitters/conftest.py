"""Compiling emitted C as strictly as it promises to compile, and calling it with NumPy arrays."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stepwell.emitters.c import Entry, Source

STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off")
SANITIZED = ("-O0", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all")

Array = np.ndarray[Any, np.dtype[Any]]


def aligned(array: Array) -> Array:
    """A copy of an array that begins at a multiple of 64 bytes."""
    room = np.zeros(array.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Library:
    """Emitted C, compiled and loaded."""

    def __init__(self, source: Source, path: Path):
        self.source = source
        self.library = ctypes.CDLL(str(path))

    def entry(self, function: str) -> Entry:
        return next(entry for entry in self.source.entries if entry.function == function)

    def run(
        self, function: str, inputs: Sequence[Array], outputs: Sequence[Array], dims: Sequence[int] = ()
    ) -> tuple[Array, ...]:
        """Call an entry with fresh outputs like `outputs`, and return them."""
        entry = self.entry(function)
        size = getattr(self.library, entry.workspace_size)
        size.restype, size.argtypes = ctypes.c_size_t, [ctypes.c_int64] * len(dims)
        workspace = aligned(np.zeros(size(*dims), np.uint8))
        weights = None if self.source.weights is None else aligned(np.frombuffer(self.source.weights, np.uint8))
        given, made = [aligned(a) for a in inputs], [aligned(a) for a in outputs]
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*given, *made)]
        extra = [ctypes.c_void_p(weights.ctypes.data)] if entry.takes_weights and weights is not None else []
        arguments = [*pointers, *(ctypes.c_int64(d) for d in dims), *extra, ctypes.c_void_p(workspace.ctypes.data)]
        assert getattr(self.library, entry.run)(*arguments) == 0
        for before, after in zip(inputs, given, strict=True):
            assert np.array_equal(before.view(np.uint8), after.view(np.uint8)), "an input was written"
        return tuple(made)


Build = Callable[..., Library]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Compile a source without a warning, with more flags where given, and load it."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")

    def compile(source: Source, *flags: str) -> Library:
        folder = tmp_path / "-".join(["c", *flags]).replace("/", "_")
        folder.mkdir()
        (folder / f"{source.name}.c").write_text(source.code)
        (folder / f"{source.name}.h").write_text(source.header)
        target = folder / f"{source.name}.so"
        command = [compiler, *STRICT, *(flags or ("-O2",)), *source.flags, "-fPIC", "-shared"]
        done = subprocess.run(
            [*command, f"{source.name}.c", "-o", str(target), "-lm"], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return Library(source, target)

    return compile
