// RUN: stepwell run %s --values

// NumPy's argmax: the first of several. One block with two writes and an init for each.
// VALUE: main([[3, 9, 9, 1], [-5, -7, -5, -6]]) = [9, -5], [1, 0]
func.func @main(%x : memref<2x4xf32>, %m : memref<2xf32>, %a : memref<2xi64>) attributes {outputs_count = 2 : i64} {
  loop.for "i" %i = 0 to 2 { loop.for "k" %k = 0 to 4 {
    loop.block "argmax" (%vi : spatial = %i, %vk : reduce = %k)
        reads(%e = %x[%vi, %vk]) writes(%best = %m[%vi], %where = %a[%vi]) init {
      %low = arith.constant 0xff800000 : f32
      %none = arith.constant 0 : i64
      loop.yield %low, %none
    } {
      %c = arith.cmpf ogt, %e, %best : f32
      %n = arith.index_cast %vk : index to i64
      %b = arith.select %c, %e, %best : f32
      %w = arith.select %c, %n, %where : i64
      loop.yield %b, %w
    }
  } }
  func.return
}
