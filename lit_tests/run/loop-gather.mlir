// RUN: stepwell run %s --values

// By hand: rows of a table by number, and one element by a number that was read. A number that is out of range is padding.
// VALUE: rows([[1, 2], [3, 4], [5, 6]], [2, 0, 2, 1]) = [[5, 6], [1, 2], [5, 6], [3, 4]]
func.func @rows(%t : memref<3x2xf32>, %n : memref<4xi64>, %y : memref<4x2xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 { loop.for "j" %j = 0 to 2 {
    loop.block "gather" (%vi : spatial = %i, %vj : spatial = %j)
        reads(%g = %n[%vi], %e = %t[%g, %vj]) writes(%y[%vi, %vj]) {
      loop.yield %e
    }
  } }
  func.return
}
// VALUE: padded([10, 20, 30], [0, -1, 3, 2]) = [10, 7, 7, 30]
func.func @padded(%t : memref<3xi32>, %n : memref<4xi64>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "gather" (%vi : spatial = %i) reads(%g = %n[%vi], %e = %t[%g] else 7 : i32) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  func.return
}
// Negative numbers count from the end.
// VALUE: wrapped([10, 20, 30], [0, -1, -3, 2]) = [10, 30, 10, 30]
func.func @wrapped(%t : memref<3xf32>, %n : memref<4xi64>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "gather" (%vi : spatial = %i) reads(%g = %n[%vi], %e = %t[%g mod 3]) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  func.return
}
