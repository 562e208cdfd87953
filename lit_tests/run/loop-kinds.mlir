// RUN: stepwell run %s --values

// By hand: what a loop is marked as does not change what it computes. 11 elements: a tail for every width.
// VALUE: vectorized([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, nan]) = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, nan]
func.func @vectorized(%x : memref<11xf32>, %y : memref<11xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 11 vectorized {
    loop.block "double" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
// VALUE: unrolled([1, 2, 3]) = [1, 4, 9]
func.func @unrolled(%x : memref<3xi32>, %y : memref<3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 unrolled {
    loop.block "square" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.muli %a, %a : i32
      loop.yield %s
    }
  }
  func.return
}
// VALUE: parallel([[1, 2], [3, 4], [5, 6]]) = [[-1, -2], [-3, -4], [-5, -6]]
func.func @parallel(%x : memref<3x2xf64>, %y : memref<3x2xf64>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 parallel { loop.for "j" %j = 0 to 2 {
    loop.block "negate" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%y[%vi, %vj]) {
      %s = arith.negf %a : f64
      loop.yield %s
    }
  } }
  func.return
}
// Lanes that are not neighbours: every third element, and backwards.
// VALUE: strided([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]) = [24, 21, 18, 15, 12, 9, 6, 3, 0]
func.func @strided(%x : memref<25xf32>, %y : memref<9xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 9 vectorized {
    loop.block "copy" (%vi : spatial = %i) reads(%a = %x[24 - %vi * 3]) writes(%y[%vi]) {
      loop.yield %a
    }
  }
  func.return
}
// A vectorized loop that does not begin at 0; the elements outside of it stay 7.
// VALUE: shifted([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) = [7, 7, 7, 7, 10, 12, 14, 16, 18, 20, 22, 24]
func.func @shifted(%x : memref<12xi32>, %y : memref<12xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "z" %z = 0 to 4 {
    loop.block "fill" (%vz : spatial = %z) reads() writes(%y[%vz]) {
      %0 = arith.constant 7 : i32
      loop.yield %0
    }
  }
  loop.for "i" %i = 4 to 12 vectorized {
    loop.block "double" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addi %a, %a : i32
      loop.yield %s
    }
  }
  func.return
}
