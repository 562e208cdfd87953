// RUN: stepwell run %s --values

// By hand: the init is written whether or not there is anything to add.
// VALUE: empty([[], []]) = [5, 5]
func.func @empty(%x : memref<2x0xf32>, %y : memref<2xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 { loop.for "k" %k = 0 to 0 {
    loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%e = %x[%vi, %vk]) writes(%s = %y[%vi]) init {
      %z = arith.constant 5.0 : f32
      loop.yield %z
    } {
      %t = arith.addf %s, %e : f32
      loop.yield %t
    }
  } }
  func.return
}
// Two axes reduced, from outside in; the loop between them is not.
// VALUE: interleaved([[[1, 2], [3, 4]], [[10, 20], [30, 40]]]) = [33, 77]
func.func @interleaved(%x : memref<2x2x2xi32>, %y : memref<2xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "k" %k = 0 to 2 { loop.for "i" %i = 0 to 2 { loop.for "l" %l = 0 to 2 {
    loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k, %vl : reduce = %l)
        reads(%e = %x[%vk, %vi, %vl]) writes(%s = %y[%vi]) init {
      %z = arith.constant 0 : i32
      loop.yield %z
    } {
      %t = arith.addi %s, %e : i32
      loop.yield %t
    }
  } } }
  func.return
}
// A triangle: how far the inner loop runs depends on the outer one.
// VALUE: triangle([1, 2, 3, 4]) = [0, 1, 3, 6]
func.func @triangle(%x : memref<4xi32>, %y : memref<4xi32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 { loop.for "k" %k = 0 to %i {
    loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%e = %x[%vk]) writes(%s = %y[%vi]) init {
      %z = arith.constant 0 : i32
      loop.yield %z
    } {
      %t = arith.addi %s, %e : i32
      loop.yield %t
    }
  } }
  func.return
}
// A reduction loop marked vectorized: 37 ones are 37.
// VALUE: vectorized([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) = 37
func.func @vectorized(%x : memref<37xf32>, %y : memref<f32>) attributes {outputs_count = 1 : i64} {
  loop.for "k" %k = 0 to 37 vectorized {
    loop.block "sum" (%vk : reduce = %k) reads(%e = %x[%vk]) writes(%s = %y[]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %t = arith.addf %s, %e : f32
      loop.yield %t
    }
  }
  func.return
}
