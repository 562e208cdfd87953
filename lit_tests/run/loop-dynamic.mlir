// RUN: stepwell run %s --values

// By hand: extents that are arguments, and sizes that follow from them.
// VALUE: product([[1, 2, 3]], [[1], [2], [3]]) = [[14]]
// VALUE: product([[1], [2]], [[3, 4]]) = [[3, 4], [6, 8]]
// VALUE: product([[], []], []) = [[], []]
func.func @product(%m : index, %k : index, %n : index, %a : memref<?x?xf32>, %b : memref<?x?xf32>, %c : memref<?x?xf32>)
    attributes {dims = ["m", "k", "n"], outputs_count = 1 : i64} {
  loop.shape %a[%m, %k]
  loop.shape %b[%k, %n]
  loop.shape %c[%m, %n]
  loop.for "i" %i = 0 to %m { loop.for "j" %j = 0 to %n { loop.for "k" %l = 0 to %k {
    loop.block "matmul" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %l)
        reads(%x = %a[%vi, %vk], %y = %b[%vk, %vj]) writes(%s = %c[%vi, %vj]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      loop.yield %t
    }
  } } }
  func.return
}
// A temporary of a size that depends on the run; pairs of neighbours, twice as many and one more.
// VALUE: grown([1, 2]) = [1, 1, 2, 2, 0]
// VALUE: grown([]) = [0]
func.func @grown(%n : index, %x : memref<?xi32>, %y : memref<?xi32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n * 2 + 1]
  %t = loop.alloc "global" [%n * 2] : memref<?xi32>
  loop.for "i" %i = 0 to %n * 2 {
    loop.block "repeat" (%vi : spatial = %i) reads(%a = %x[%vi floordiv 2]) writes(%t[%vi]) {
      loop.yield %a
    }
  }
  loop.for "i" %i = 0 to %n * 2 + 1 {
    loop.block "copy" (%vi : spatial = %i) reads(%a = %t[%vi] else 0 : i32) writes(%y[%vi]) {
      loop.yield %a
    }
  }
  func.return
}
// Tiles of 4 of a length that is not known: the last is shorter.
// VALUE: tiled([1, 2, 3, 4, 5, 6]) = [2, 3, 4, 5, 6, 7]
// VALUE: tiled([1, 2, 3, 4]) = [2, 3, 4, 5]
// VALUE: tiled([1]) = [2]
func.func @tiled(%n : index, %x : memref<?xi32>, %y : memref<?xi32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  loop.for "o" %o = 0 to (%n + 3) floordiv 4 {
    loop.for "i" %i = 0 to min(4, %n - %o * 4) {
      loop.block "add" (%vi : spatial = %o * 4 + %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
        %1 = arith.constant 1 : i32
        %s = arith.addi %a, %1 : i32
        loop.yield %s
      }
    }
  }
  func.return
}
