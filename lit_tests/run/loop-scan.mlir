// RUN: stepwell run %s --values

// By hand: an ordered iterator reads what the iteration before it wrote.
// VALUE: cumsum([1, 2, 3, 4]) = [1, 3, 6, 10]
func.func @cumsum(%x : memref<4xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "cumsum" (%vi : ordered = %i) reads(%e = %x[%vi], %p = %y[%vi - 1] else 0 : i32) writes(%y[%vi]) {
      %s = arith.addi %p, %e : i32
      loop.yield %s
    }
  }
  func.return
}
// Each row has its own.
// VALUE: rows([[1, 2, 3], [0.5, nan, 1]]) = [[1, 2, 6], [0.5, nan, nan]]
func.func @rows(%x : memref<2x3xf32>, %y : memref<2x3xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 { loop.for "j" %j = 0 to 3 {
    loop.block "cumprod" (%vi : spatial = %i, %vj : ordered = %j)
        reads(%e = %x[%vi, %vj], %p = %y[%vi, %vj - 1] else 1.0 : f32) writes(%y[%vi, %vj]) {
      %s = arith.mulf %p, %e : f32
      loop.yield %s
    }
  } }
  func.return
}
// From the end: the index runs backwards.
// VALUE: backwards([1, 2, 3, 4]) = [10, 9, 7, 4]
func.func @backwards(%x : memref<4xi64>, %y : memref<4xi64>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "cumsum" (%vi : ordered = %i)
        reads(%e = %x[3 - %vi], %p = %y[4 - %vi] else 0 : i64) writes(%y[3 - %vi]) {
      %s = arith.addi %p, %e : i64
      loop.yield %s
    }
  }
  func.return
}
// An element that is written over and over: how many of each number there are.
// VALUE: histogram([2, 0, 2, 2, 1]) = [1, 1, 3]
func.func @histogram(%x : memref<5xi64>, %y : memref<3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "z" %z = 0 to 3 {
    loop.block "zero" (%vz : spatial = %z) reads() writes(%y[%vz]) {
      %0 = arith.constant 0 : i32
      loop.yield %0
    }
  }
  loop.for "i" %i = 0 to 5 {
    loop.block "count" (%vi : ordered = %i) reads(%n = %x[%vi], %c = %y[%n]) writes(%y[%n]) {
      %1 = arith.constant 1 : i32
      %s = arith.addi %c, %1 : i32
      loop.yield %s
    }
  }
  func.return
}
