// RUN: stepwell run %s --values

// By hand: reads beyond the edge are padding, writes beyond it are dropped.
// VALUE: neighbours([1, 2, 3, 4]) = [2, 4, 6, 3]
func.func @neighbours(%x : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "sum" (%vi : spatial = %i) reads(%a = %x[%vi - 1] else 0.0 : f32, %b = %x[%vi + 1] else 0.0 : f32) writes(%y[%vi]) {
      %s = arith.addf %a, %b : f32
      loop.yield %s
    }
  }
  func.return
}
// VALUE: clipped([1, 2, 3, 4]) = [2, 3, 4]
func.func @clipped(%x : memref<4xi32>, %y : memref<3xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.block "shift" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi - 1]) clip {
      loop.yield %a
    }
  }
  func.return
}
// A condition of its own: every second element, and 9 between.
// VALUE: guarded([1, 2, 3, 4, 5]) = [9, 2, 9, 4, 9]
func.func @guarded(%x : memref<5xi32>, %y : memref<5xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 5 {
    loop.block "odd" (%vi : spatial = %i) reads(%a = %x[%vi] if (%vi mod 2 - 1 >= 0) else 9 : i32) writes(%y[%vi]) {
      loop.yield %a
    }
  }
  func.return
}
// Tiles of 4 over 6 elements: the second is cut off. What is read there is padding, what is written is dropped.
// VALUE: tiles([1, 2, 3, 4, 5, 6]) = [2, 4, 6, 8, 10, 12]
func.func @tiles(%x : memref<6xf32>, %y : memref<6xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "o" %o = 0 to 2 { loop.for "i" %i = 0 to 4 vectorized {
    loop.block "double" (%vi : spatial = %o * 4 + %i) reads(%a = %x[%vi] else 0.0 : f32) writes(%y[%vi]) clip {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  } }
  func.return
}
// Loops that do not begin at 0, and conditions around a block.
// VALUE: inside([1, 2, 3, 4, 5]) = [0, 2, 0, 4, 0]
func.func @inside(%x : memref<5xi32>, %y : memref<5xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "z" %z = 0 to 5 {
    loop.block "zero" (%vz : spatial = %z) reads() writes(%y[%vz]) {
      %0 = arith.constant 0 : i32
      loop.yield %0
    }
  }
  loop.for "i" %i = 1 to 4 {
    loop.if (%i mod 2 - 1 >= 0) {
      loop.block "copy" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
        loop.yield %a
      }
    }
  }
  func.return
}
