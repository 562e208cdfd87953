"""Calling compiled C: arrays in every layout and dtype, dims, workspace, statuses, threads, weights."""

import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from stepwell import RunError
from stepwell.runtime import ModelSpec, Program, TensorSpec, load
from stepwell.runtime.cache import Cache
from stepwell.runtime.library import map_weights

ADD = """
#include <stdint.h>
#include <stddef.h>
size_t add_workspace_size(void) { return 0; }
int add_run(const float *a, const float *b, float *y, void *workspace) {
  (void)workspace;
  for (int i = 0; i < 6; i++) y[i] = a[i] + 2 * b[i];
  return 0;
}
"""

PAIRS = """
#include <stdint.h>
#include <stddef.h>
size_t pairs_workspace_size(int64_t n, int64_t m) { return (size_t)(n * m) * sizeof(double); }
int pairs_run(const double *x, const double *w, double *y, double *count, int64_t n, int64_t m, void *workspace) {
  double *t = workspace;
  if (n == 13) return 2;
  if (n == 14) return 77;
  if (((uintptr_t)workspace & 63) != 0) return 3;
  for (int64_t i = 0; i < n; i++) for (int64_t j = 0; j < m; j++) t[i * m + j] = x[i] * w[j];
  for (int64_t i = 0; i < n * m; i++) y[i] = t[i];
  *count = (double)(n * m);
  return 0;
}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("STEPWELL_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def tensor(name, shape, dtype="float32"):
    return TensorSpec(name, dtype, shape)


@pytest.fixture
def add():
    spec = ModelSpec(
        "add",
        "add_run",
        "add_workspace_size",
        (tensor("a", (2, 3)), tensor("b", (2, 3))),
        (tensor("y", (2, 3)),),
    )
    return load(Program(spec, ADD))


@pytest.fixture
def pairs():
    spec = ModelSpec(
        "pairs",
        "pairs_run",
        "pairs_workspace_size",
        (tensor("x", ("n",), "float64"), tensor("w", ("m",), "float64")),
        (tensor("y", ("n * m",), "float64"), tensor("count", (), "float64")),
        ("n", "m"),
        statuses=("fine", "null", "a dim is wrong", "misaligned"),
    )
    return load(Program(spec, PAIRS))


def test_one_output_is_an_array_and_inputs_are_in_order(add):
    a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((2, 3), np.float32)
    result = add(a, b)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, a + 2 * b)
    np.testing.assert_array_equal(add(b, a), b + 2 * a)


def test_by_name(add):
    a, b = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    np.testing.assert_array_equal(add.run({"b": b, "a": a})["y"], a)
    with pytest.raises(RunError, match="no input is called 'c': the inputs are a, b"):
        add.run({"a": a, "b": b, "c": b})
    with pytest.raises(RunError, match="input 'b' is missing"):
        add.run({"a": a})
    with pytest.raises(RunError, match=r"run takes arrays by name \(a, b\)"):
        add.run([a, b])


def test_what_it_takes_and_gives_can_be_read(add, pairs):
    assert [(t.name, t.dtype, t.shape) for t in add.inputs] == [("a", "float32", (2, 3)), ("b", "float32", (2, 3))]
    assert [t.name for t in pairs.outputs] == ["y", "count"]
    assert repr(pairs) == "<Model pairs(x: float64[n], w: float64[m]) -> (y: float64[n * m], count: float64[])>"


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[:, ::2],
        lambda a: a[:, :3],
        lambda a: a.T[:3, :2].T,
        lambda a: a[::-1, 3:0:-1],
        lambda a: np.asfortranarray(a[:, :3]),
        lambda a: a[:, :3].astype(">f4"),
        lambda a: np.frombuffer(b"x" + a[:, :3].tobytes(), np.uint8)[1:].view(np.float32).reshape(2, 3),
        lambda a: a[:, :3].view(type("Subclass", (np.ndarray,), {})),
    ],
    ids=["strided", "rows", "transposed", "reversed", "fortran", "big-endian", "unaligned", "subclass"],
)
def test_arrays_of_any_layout(add, view):
    a = view(np.random.default_rng(0).standard_normal((2, 5), np.float32))
    b = np.zeros((2, 3), np.float32)
    np.testing.assert_array_equal(add(a, b), np.asarray(a))


def test_read_only_arrays(add):
    a = np.ones((2, 3), np.float32)
    a.flags.writeable = False
    np.testing.assert_array_equal(add(a, a), 3 * a)


@pytest.mark.parametrize(
    ("a", "message"),
    [
        (np.ones((2, 3)), "input 'a' has dtype float64: expected float32"),
        (np.ones((2, 3), np.int32), "input 'a' has dtype int32: expected float32"),
        (np.ones((3, 2), np.float32), r"input 'a' has shape \(3, 2\): expected \(2, 3\)"),
        (np.ones(6, np.float32), r"input 'a' has shape \(6,\): expected \(2, 3\)"),
        (np.float32(1), r"input 'a' has shape \(\): expected \(2, 3\)"),
        ("text", "input 'a' has dtype"),
        (None, "input 'a' has dtype object"),
        ([[1], [2, 3]], "input 'a' is no array of float32"),
    ],
)
def test_what_does_not_fit_is_refused(add, a, message):
    with pytest.raises(RunError, match=message):
        add(a, np.ones((2, 3), np.float32))


def test_the_number_of_arrays_is_checked(add):
    with pytest.raises(RunError, match=r"takes 2 arrays, got 1: a: float32\[2, 3\]"):
        add(np.ones((2, 3), np.float32))


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 4), (0, 5), (7, 0), (300, 200), (2, 2)])
def test_dims_come_from_shapes_and_give_shapes(pairs, n, m):
    x, w = np.random.default_rng(1).standard_normal(n), np.arange(m, dtype=float)
    y, count = pairs(x, w)
    np.testing.assert_array_equal(y, np.outer(x, w).ravel())
    assert count.shape == ()
    assert count == n * m


def test_a_status_is_an_error_with_its_meaning(pairs):
    with pytest.raises(RunError, match="model 'pairs' stopped with status 2: a dim is wrong"):
        pairs(np.zeros(13), np.zeros(1))
    with pytest.raises(RunError, match="status 77: which is not one that it documents"):
        pairs(np.zeros(14), np.zeros(1))


COPY = """
#include <stdint.h>
#include <stddef.h>
#include <string.h>
size_t copy_workspace_size({dims}) {{ {use} return 0; }}
int copy_run(const void *x, void *y{more}, void *workspace) {{
  (void)workspace;
  memcpy(y, x, {size});
  return 0;
}}
"""


@pytest.mark.parametrize(
    "dtype",
    [
        "bool",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e5m2",
        "int4",
    ],
)
def test_every_dtype(dtype):
    numpy_dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    x = np.array([0, 1, 1, 0, 1, 0], numpy_dtype)
    spec = ModelSpec(
        "copy", "copy_run", "copy_workspace_size", (tensor("x", (6,), dtype),), (tensor("y", (6,), dtype),)
    )
    program = Program(spec, COPY.format(dims="void", use="", more="", size=x.nbytes))
    y = load(program)(x)
    assert y.dtype == numpy_dtype
    np.testing.assert_array_equal(y, x)


def test_empty_and_scalar_arrays():
    for shape in [(), (0,), (2, 0, 3), (1, 1)]:
        spec = ModelSpec("copy", "copy_run", "copy_workspace_size", (tensor("x", shape),), (tensor("y", shape),))
        x = np.ones(shape, np.float32)
        y = load(Program(spec, COPY.format(dims="void", use="", more="", size=x.nbytes)))(x)
        assert y.shape == shape
        np.testing.assert_array_equal(y, x)


def dynamic(inputs, outputs, dims):
    parameters = ", ".join(f"int64_t d{n}" for n in range(len(dims)))
    use = " ".join(f"(void)d{n};" for n in range(len(dims)))
    more = "".join(f", int64_t d{n}" for n in range(len(dims)))
    source = COPY.format(dims=parameters, use=use, more=more, size="0").replace(
        "(void)workspace;", "(void)workspace; " + use
    )
    return load(Program(ModelSpec("copy", "copy_run", "copy_workspace_size", inputs, outputs, dims), source))


def test_sizes_are_formulas_over_dims_of_any_name():
    model = dynamic(
        (tensor("x", ("n", "the size"), "int8"),),
        (
            tensor(
                "y",
                ("max(n - 4, 0)", "n // 2 + n % 3", "n // (n - n)", "`the size` * 2", "-n * -1", "the size"),
                "int8",
            ),
        ),
        ("n", "the size"),
    )
    assert model(np.zeros((5, 3), np.int8)).shape == (1, 4, 0, 6, 5, 3)


def test_an_input_whose_size_is_a_formula_is_checked():
    model = dynamic(
        (tensor("x", ("n",), "int8"), tensor("z", ("2 * n + 1",), "int8")), (tensor("y", (), "int8"),), ("n",)
    )
    model(np.zeros(3, np.int8), np.zeros(7, np.int8))
    with pytest.raises(RunError, match=r"input 'z' has shape \(8,\): expected \(2 \* n \+ 1,\), which is 7 at axis 0"):
        model(np.zeros(3, np.int8), np.zeros(8, np.int8))


def test_one_dim_has_one_size():
    model = dynamic((tensor("x", ("n",), "int8"), tensor("z", (2, "n"), "int8")), (tensor("y", (), "int8"),), ("n",))
    with pytest.raises(RunError, match="dim 'n' is 3 by axis 0 of 'x', and 4 by axis 1 of 'z'"):
        model(np.zeros(3, np.int8), np.zeros((2, 4), np.int8))
    with pytest.raises(RunError, match=r"input 'z' has shape \(3, 3\): expected \(2, n\)"):
        model(np.zeros(3, np.int8), np.zeros((3, 3), np.int8))


def test_more_arguments_than_python_can_hand_on_are_refused_at_once():
    """Here and not from inside of a call; the C itself has no such limit."""
    inputs = tuple(tensor(f"x{n}", (1,), "int8") for n in range(1023))
    with pytest.raises(RunError, match="1025 arguments, and Python calls C with 1024 at most"):
        dynamic(inputs, (tensor("y", (), "int8"),), ())


def test_a_dim_that_no_input_shows_is_refused_at_once():
    with pytest.raises(RunError, match="no input has dim 'm' as a size"):
        dynamic((tensor("x", ("n",), "int8"),), (tensor("y", ("m",), "int8"),), ("n", "m"))


@pytest.mark.parametrize(
    "size", ["n.real", "f(n)", "n ** 2", "1.5", "n if n else 1", "", "n n", "__import__('os')", "True"]
)
def test_nothing_else_is_a_formula(size):
    with pytest.raises(ValueError, match="is not a size"):
        dynamic((tensor("x", ("n",), "int8"),), (tensor("y", (size,), "int8"),), ("n",))


def test_impossible_sizes_are_refused():
    model = dynamic((tensor("x", ("n",), "int8"),), (tensor("y", ("n - 9",), "int8"),), ("n",))
    with pytest.raises(RunError, match=r"output 'y' would have shape \(-8,\)"):
        model(np.zeros(1, np.int8))
    model = dynamic((tensor("x", ("n",), "int8"),), (tensor("y", ("n * 4000000000 * 4000000000",), "int8"),), ("n",))
    with pytest.raises(RunError, match="no memory for output 'y'"):
        model(np.zeros(3, np.int8))


SCALE = """
#include "scale.h"
size_t scale_workspace_size(void) { return 0; }
int scale_run(const float *x, float *y, const unsigned char *weights, void *workspace) {
  (void)workspace;
  if (((uintptr_t)weights & 63) != 0) return 1;
  for (int i = 0; i < 4; i++) y[i] = x[i] * ((const float *)weights)[i];
  return 0;
}
"""

SCALE_SPEC = ModelSpec(
    "scale", "scale_run", "scale_workspace_size", (tensor("x", (4,)),), (tensor("y", (4,)),), takes_weights=True
)


@pytest.mark.parametrize("kind", ["bytes", "file", "bytes where the cache cannot be written"])
def test_weights_beside_the_source(tmp_path, monkeypatch, kind):
    weights = np.array([1, 2, 3, 4], np.float32).tobytes()
    given = weights
    if kind == "file":
        given = tmp_path / "scale.weights"
        given.write_bytes(weights)
    elif kind != "bytes":
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("STEPWELL_CACHE", str(tmp_path / "file" / "cache"))
    model = load(Program(SCALE_SPEC, SCALE, "#include <stddef.h>\n#include <stdint.h>\n", weights=given))
    np.testing.assert_array_equal(model(np.ones(4, np.float32)), [1, 2, 3, 4])


def test_weights_that_go_while_they_are_looked_for_are_written_again(tmp_path):
    class Emptied(Cache):
        def find(self, name):
            return self.folder / name  # it was there a moment ago

    weights = map_weights(b"weights", Emptied(tmp_path))
    assert bytes(weights[:7]) == b"weights"


def test_weights_that_are_missing_are_an_error():
    header = "#include <stddef.h>\n#include <stdint.h>\n"
    with pytest.raises(RunError, match="needs weights"):
        load(Program(SCALE_SPEC, SCALE, header))
    with pytest.raises(RunError, match=r"nowhere\.weights: error: the weights cannot be read"):
        load(Program(SCALE_SPEC, SCALE, header, weights=Path("nowhere.weights")))


def test_threads_do_not_share_their_workspace(pairs):
    wrong = []

    def call(seed):
        generator = np.random.default_rng(seed)
        for _ in range(30):
            x, w = generator.standard_normal(generator.integers(15, 200)), generator.standard_normal(50)
            if not np.array_equal(pairs(x, w)[0], np.outer(x, w).ravel()):
                wrong.append(seed)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_results_of_two_calls_are_two_arrays(add):
    a = np.ones((2, 3), np.float32)
    one = add(a, a)
    add(2 * a, a)
    np.testing.assert_array_equal(one, 3 * a)
