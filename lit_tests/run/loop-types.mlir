// RUN: stepwell run %s --values

// By hand: buffers of every element type.
// VALUE: widen([-1, -128, 1]) = [255, 128, 1]
func.func @widen(%x : memref<3xi8>, %y : memref<3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 {
    loop.block "widen" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.extui %a : i8 to i32
      loop.yield %s
    }
  }
  func.return
}
// VALUE: halves([1.5, -0.0, nan], [0.25, 0.0, 1]) = [1.75, 0.0, nan], [1.75, 0.0, nan]
func.func @halves(%x : memref<3xf16>, %z : memref<3xbf16>, %y : memref<3xf16>, %w : memref<3xbf16>)
    attributes {outputs_count = 2 : i64} {
  loop.for "i" %i = 0 to 3 {
    loop.block "add" (%vi : spatial = %i) reads(%a = %x[%vi], %b = %z[%vi]) writes(%y[%vi], %w[%vi]) {
      %c = arith.extf %a : f16 to f32
      %d = arith.extf %b : bf16 to f32
      %s = arith.addf %c, %d : f32
      %e = arith.truncf %s : f32 to f16
      %f = arith.truncf %s : f32 to bf16
      loop.yield %e, %f
    }
  }
  func.return
}
// VALUE: truth([True, False, True], [1, 2, 3], [4, 5, 6]) = [1, 5, 3], [False, True, False]
func.func @truth(%c : memref<3xi1>, %a : memref<3xi64>, %b : memref<3xi64>, %y : memref<3xi64>, %n : memref<3xi1>)
    attributes {outputs_count = 2 : i64} {
  loop.for "i" %i = 0 to 3 {
    loop.block "choose" (%vi : spatial = %i) reads(%d = %c[%vi], %e = %a[%vi], %f = %b[%vi]) writes(%y[%vi], %n[%vi]) {
      %t = arith.constant true
      %s = arith.select %d, %e, %f : i64
      %m = arith.xori %d, %t : i1
      loop.yield %s, %m
    }
  }
  func.return
}
