// RUN: stepwell run %s --values

// By hand: constants of the module, one of which is a table that is read by number.
loop.global @weights : memref<2x2xf32> = #graph.array<[[1.0, 2.0], [3.0, 4.0]] : tensor<2x2xf32>>
loop.global @order : memref<2xi64> = #graph.array<[1, 0] : tensor<2xi64>>
// VALUE: main([10, 20]) = [[30, 40], [10, 20]], [[13, 24], [11, 22]]
func.func @main(%x : memref<2xf32>, %y : memref<2x2xf32>, %z : memref<2x2xf32>) attributes {outputs_count = 2 : i64} {
  %w = loop.get_global @weights : memref<2x2xf32>
  %o = loop.get_global @order : memref<2xi64>
  loop.for "i" %i = 0 to 2 { loop.for "j" %j = 0 to 2 {
    loop.block "both" (%vi : spatial = %i, %vj : spatial = %j)
        reads(%n = %o[%vi], %e = %w[%n, %vj], %f = %x[%vj], %g = %x[%n]) writes(%y[%vi, %vj], %z[%vi, %vj]) {
      %m = arith.constant 10.0 : f32
      %p = arith.mulf %e, %m : f32
      %s = arith.addf %e, %f : f32
      %q = arith.maximumf %p, %g : f32
      loop.yield %q, %s
    }
  } }
  func.return
}
