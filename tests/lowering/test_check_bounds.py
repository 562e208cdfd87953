"""`check-bounds`: what an index may be is known at run time only, and C refuses what the interpreters refuse."""

import numpy as np
import pytest
import stepwell
from stepwell.dialects.loop import AssertOp, ForOp, LoadOp

PIPELINES = ("REFERENCE", "OPTIMISED")


def compiled(text, stages, target="native"):
    return stepwell.compile(stepwell.parse(text), target, stages=getattr(stepwell, stages))


def asserted(text, passes="check-bounds"):
    return [op for op in stepwell.apply(passes, stepwell.parse(text)).walk() if isinstance(op, AssertOp)]


GATHER = """
func.func @main(%d : index, %t : memref<3x?xf32>, %n : memref<4xi64>, %y : memref<4x?xf32>)
    attributes {dims = ["d"], outputs_count = 1 : i64} {
  loop.shape %t[3, %d]
  loop.shape %y[4, %d]
  loop.for "i" %i = 0 to 4 { loop.for "j" %j = 0 to %d {
    loop.block "gather" (%vi : spatial = %i, %vj : spatial = %j)
        reads(%g = %n[%vi], %e = %t[%g, %vj]) writes(%y[%vi, %vj]) { loop.yield %e }
  } }
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
@pytest.mark.parametrize("target", ["generic", "native"])
def test_rows_by_number(stages, target):
    gather = compiled(GATHER, stages, target)
    table = np.arange(60, dtype=np.float32).reshape(3, 20)
    np.testing.assert_array_equal(gather(table, np.array([2, 0, 1, 2])), table[[2, 0, 1, 2]])
    # in a flat buffer, a row of -1 at column 19 would still be outside, and one of 3 at column 0 just behind
    for wrong in (3, -1, 2**62, -(2**63)):
        with pytest.raises(stepwell.RunError, match="status 4: an index .* is out of range"):
            gather(table, np.array([0, 0, wrong, 0]))
    # nothing is read where the rows are empty
    assert gather(table[:, :0], np.array([7, -7, 0, 0])).shape == (4, 0)


def test_every_stage_refuses_and_says_where():
    table = np.zeros((3, 2), np.float32)
    for stage in ("graph", "buffers", "scheduled", "flat", "simd", "clean"):
        lowered = stepwell.lower(stepwell.parse(GATHER, name="g.mlir"), stop_after=stage)
        with pytest.raises(stepwell.RunError, match=r"g\.mlir:\d+: error: .*'gather'"):
            stepwell.run(lowered, table, np.array([0, 0, 3, 0]))


COLUMN = """
func.func @main(%t : memref<3x2xf32>, %n : memref<4xi64>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "gather" (%vi : spatial = %i) reads(%g = %n[%vi], %e = %t[1, %g]) writes(%y[%vi]) { loop.yield %e }
  }
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
def test_an_element_of_another_row_is_out_of_range(stages):
    """It would be inside of the flat buffer."""
    gather = compiled(COLUMN, stages)
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.testing.assert_array_equal(gather(table, np.array([1, 0, 0, 1])), table[1, [1, 0, 0, 1]])
    for wrong in (-1, 2):
        with pytest.raises(stepwell.RunError, match="out of range"):
            gather(table, np.array([0, wrong, 0, 0]))


CHAIN = """
func.func @main(%t : memref<5xf32>, %n : memref<4xi32>, %m : memref<6xi8>, %y : memref<6xf32>)
    attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 6 {
    loop.block "gather" (%vi : spatial = %i)
        reads(%a = %m[5 - %vi], %b = %n[%a], %e = %t[%a + %b * 2] if (%b >= 0) else 7.0 : f32) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
def test_numbers_of_numbers_against_numpy(stages):
    chain = compiled(CHAIN, stages)
    random = np.random.default_rng(5)
    refused = 0
    for _ in range(400):
        m = random.integers(-1 if random.random() < 0.1 else 0, 5 if random.random() < 0.1 else 4, 6).astype(np.int8)
        n = random.integers(-2, 2, 4).astype(np.int32)
        t = random.standard_normal(5).astype(np.float32)
        expected = []
        for a in m[::-1].tolist():
            inside = 0 <= a < 4
            b = int(n[a]) if inside else 0
            k = a + b * 2
            inside = inside and (b < 0 or k < 5)
            expected.append(None if not inside else 7.0 if b < 0 else t[k])
        if None in expected:
            refused += 1
            with pytest.raises(stepwell.RunError, match="out of range"):
                chain(t, n, m)
        else:
            np.testing.assert_array_equal(chain(t, n, m), np.array(expected, np.float32))
    assert 50 < refused < 350


HOP = """
func.func @main(%n : memref<4xi64>, %y : memref<4xi64>) attributes {outputs_count = 1 : i64} {
  loop.for "c" %c = 0 to 4 {
    loop.block "copy" (%vc : spatial = %c) reads(%e = %n[%vc]) writes(%y[%vc]) { loop.yield %e }
  }
  loop.for "i" %i = 0 to 4 {
    loop.block "hop" (%vi : ordered = %i) reads(%g = %y[%vi], %e = %y[%g]) writes(%y[%vi]) { loop.yield %e }
  }
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
def test_indices_that_the_nest_itself_writes(stages):
    hop = compiled(HOP, stages)
    for numbers in ([1, 2, 3, 0], [3, 3, 0, 1], [0, 9, 0, 0], [2, 0, -1, 0], [1, 0, 2, 4]):
        expected = list(numbers)
        try:
            for i in range(4):
                if not 0 <= expected[i] < 4:
                    raise IndexError
                expected[i] = expected[expected[i]]
        except IndexError:
            with pytest.raises(stepwell.RunError, match="out of range"):
                hop(np.array(numbers))
        else:
            np.testing.assert_array_equal(hop(np.array(numbers)), expected)


LINEAR = """
func.func @main(%d : index, %x : memref<?xf32>, %y : memref<4xf32>)
    attributes {dims = ["d"], outputs_count = 1 : i64} {
  loop.shape %x[%d]
  loop.for "z" %z = 0 to 4 {
    loop.block "zero" (%vz : spatial = %z) reads() writes(%y[%vz]) { %0 = arith.constant 0.0 : f32
      loop.yield %0 }
  }
  loop.for "i" %i = 2 to %d {
    loop.block "copy" (%vi : spatial = %i) reads(%e = %x[%vi]) writes(%y[%vi - 2]) { loop.yield %e }
  }
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
def test_a_dim_that_is_too_large(stages):
    copy = compiled(LINEAR, stages)
    for size in range(7):
        x = np.arange(size, dtype=np.float32)
        np.testing.assert_array_equal(copy(x), np.resize(x[2:], 4) * (np.arange(4) < size - 2) if size > 2 else 0)
    with pytest.raises(stepwell.RunError, match="out of range"):
        copy(np.arange(7, dtype=np.float32))


CALL = """
func.func private @pick(%n : index, %x : memref<4xf32>, %y : memref<1xf32>)
    attributes {outputs_count = 1 : i64, dims = ["n"]} {
  %e = loop.load %x[%n] : f32
  loop.store %e, %y[0]
  func.return
}
func.func @main(%x : memref<4xf32>, %y : memref<1xf32>) attributes {outputs_count = 1 : i64} {
  %k = loop.index NUMBER
  func.call @pick(%k, %x, %y) : (index, memref<4xf32>, memref<1xf32>) -> ()
  func.return
}"""


@pytest.mark.parametrize("stages", PIPELINES)
def test_a_number_that_a_caller_hands_on(stages):
    x = np.arange(4, dtype=np.float32)
    assert compiled(CALL.replace("NUMBER", "3"), stages)(x) == [3]
    for wrong in ("4", "-1"):
        with pytest.raises(stepwell.RunError, match="out of range"):
            compiled(CALL.replace("NUMBER", wrong), stages)(x)


def test_a_value_and_an_assertion_do_not_both_fit_into_c():
    text = """
    func.func private @get(%n : memref<1xi64>, %x : memref<4xf32>) -> f32 {
      %g = loop.load %n[0] : i64
      %k = arith.index_cast %g : i64 to index
      %e = loop.load %x[%k] : f32
      func.return %e : f32
    }
    func.func @main(%n : memref<1xi64>, %x : memref<4xf32>, %y : memref<1xf32>) attributes {outputs_count = 1 : i64} {
      %e = func.call @get(%n, %x) : (memref<1xi64>, memref<4xf32>) -> f32
      loop.store %e, %y[0]
      func.return
    }"""
    with pytest.raises(stepwell.VerifyError, match="'get' returns a value, and asserts something"):
        stepwell.emit(stepwell.parse(text), "generic")
    assert stepwell.run(stepwell.parse(text), np.array([2]), np.arange(4, dtype=np.float32)) == [2]


def test_a_second_run_adds_nothing():
    once = stepwell.apply("check-bounds", stepwell.parse(GATHER))
    assert str(stepwell.apply("check-bounds", once)) == str(once)


def test_a_lowered_module_is_not_checked_again():
    lowered = stepwell.lower(stepwell.parse(GATHER), "generic")
    again = stepwell.lower(lowered, "generic")
    assert sum(isinstance(op, AssertOp) for op in again.walk()) == 1


def test_no_load_moves_to_before_what_protects_it():
    text = """
    func.func @main(%n : memref<1xi64>, %x : memref<4xf32>, %y : memref<8xf32>) {
      %g = loop.load %n[0] : i64
      %k = arith.index_cast %g : i64 to index
      loop.for "i" %i = 0 to 8 {
        loop.assert (%k >= 0, 3 - %k >= 0), "out of range"
        %e = loop.load %x[%k] : f32
        loop.store %e, %y[%i]
      }
      func.return
    }"""
    hoisted = stepwell.apply("hoist-invariants", stepwell.parse(text))
    (load,) = [op for op in hoisted.walk() if isinstance(op, LoadOp) and op.buffer.name_hint == "x"]
    assert isinstance(load.parent_op(), ForOp)


def test_a_loop_that_may_end_the_function_is_not_run_side_by_side():
    parallel = HOP.replace('= 0 to 4 {\n    loop.block "hop"', '= 0 to 4 parallel {\n    loop.block "hop"')
    assert "parallel" in parallel
    assert "parallel" not in str(stepwell.apply("check-bounds", stepwell.parse(parallel)))
    with pytest.raises(stepwell.ScheduleError, match="may end the function"):
        stepwell.apply('check-bounds,set-loop-kind{loop="hop/i" kind=parallel}', stepwell.parse(HOP))


def test_what_is_lowered_from_graph_ops_of_known_sizes_needs_none():
    digits = stepwell.lower(stepwell.load("examples/models/digits.onnx"), "generic", stop_after="buffers")
    assert not [op for op in digits.walk() if isinstance(op, AssertOp)]
