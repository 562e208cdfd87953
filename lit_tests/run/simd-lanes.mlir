// RUN: stepwell run %s --values

// By hand: lane by lane, and across lanes.
// VALUE: arithmetic([1, 2, nan, -0.0], [3, -4, 1, 0.0]) = [3, -8, nan, -0.0], [3, 2, nan, 0.0], [1, -4, nan, -0.0]
func.func @arithmetic(%x : memref<4xf32>, %z : memref<4xf32>, %p : memref<4xf32>, %h : memref<4xf32>, %l : memref<4xf32>)
    attributes {outputs_count = 3 : i64} {
  %a = simd.load %x[0] : vector<4xf32>
  %b = simd.load %z[0] : vector<4xf32>
  %c = arith.mulf %a, %b : vector<4xf32>
  %d = arith.maximumf %a, %b : vector<4xf32>
  %e = arith.minimumf %a, %b : vector<4xf32>
  simd.store %c, %p[0]
  simd.store %d, %h[0]
  simd.store %e, %l[0]
  func.return
}
// The cheap rule: a > b ? a : b, so the second where one is NaN or both are zeros.
// VALUE: cheap([nan, 1, 0.0, 5], [1, nan, -0.0, 3]) = [1, nan, -0.0, 5], [1, nan, -0.0, 3]
func.func @cheap(%x : memref<4xf32>, %z : memref<4xf32>, %h : memref<4xf32>, %l : memref<4xf32>)
    attributes {outputs_count = 2 : i64} {
  %a = simd.load %x[0] : vector<4xf32>
  %b = simd.load %z[0] : vector<4xf32>
  %d = simd.max %a, %b : vector<4xf32>
  %e = simd.min %a, %b : vector<4xf32>
  simd.store %d, %h[0]
  simd.store %e, %l[0]
  func.return
}
// VALUE: choices([1, nan, 3, 4], [2, 1, 3, -4]) = [1, 1, 3, -4]
func.func @choices(%x : memref<4xf32>, %z : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %a = simd.load %x[0] : vector<4xf32>
  %b = simd.load %z[0] : vector<4xf32>
  %c = simd.compare "olt" %a, %b : vector<4xf32>
  %s = simd.select %c, %a, %b : vector<4xf32>
  simd.store %s, %y[0]
  func.return
}
// From left to right, beginning with 100; the last step has NaN.
// VALUE: sums([1, 2, 3, 4], [1, 2, nan, 4]) = [110, nan]
func.func @sums(%x : memref<4xf32>, %z : memref<4xf32>, %y : memref<2xf32>) attributes {outputs_count = 1 : i64} {
  %i = arith.constant 100.0 : f32
  %a = simd.load %x[0] : vector<4xf32>
  %b = simd.load %z[0] : vector<4xf32>
  %s = simd.reduce "add" %i, %a : vector<4xf32>
  %t = simd.reduce "max" %i, %b : vector<4xf32>
  loop.store %s, %y[0]
  loop.store %t, %y[1]
  func.return
}
// VALUE: shuffled([1, 2, 3, 4], [5, 6, 7, 8]) = [1, 5, 4, 4, 8, 2, 2, 7]
func.func @shuffled(%x : memref<4xi32>, %z : memref<4xi32>, %y : memref<8xi32>) attributes {outputs_count = 1 : i64} {
  %a = simd.load %x[0] : vector<4xi32>
  %b = simd.load %z[0] : vector<4xi32>
  %s = simd.shuffle %a, %b [0, 4, 3, 3] : vector<4xi32>
  %t = simd.shuffle %a, %b [7, 1, 1, 6] : vector<4xi32>
  simd.store %s, %y[0]
  simd.store %t, %y[4]
  func.return
}
// VALUE: numbers([10]) = [10, 11, 12, 13]
func.func @numbers(%x : memref<1xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  %e = loop.load %x[0] : i32
  %b = simd.broadcast %e : vector<4xi32>
  %n = simd.iota : vector<4xi32>
  %s = arith.addi %b, %n : vector<4xi32>
  simd.store %s, %y[0]
  func.return
}
// VALUE: converted([1.9, -1.9, nan, 3e9]) = [1, -1, 0, 2147483647], [1, -1, 0, 2147483648]
func.func @converted(%x : memref<4xf32>, %y : memref<4xi32>, %z : memref<4xf32>) attributes {outputs_count = 2 : i64} {
  %a = simd.load %x[0] : vector<4xf32>
  %i = simd.convert "fptosi" %a : vector<4xf32> to vector<4xi32>
  %f = simd.convert "sitofp" %i : vector<4xi32> to vector<4xf32>
  simd.store %i, %y[0]
  simd.store %f, %z[0]
  func.return
}
