// RUN: stepwell-opt %s | stepwell-opt | filecheck %s
// RUN: stepwell-opt %s --print-op-generic | stepwell-opt | filecheck %s

// CHECK-LABEL: loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>
loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>

// CHECK-LABEL: @control
func.func @control(%n : index, %m : index, %v : i32, %c : i1) {
  // CHECK-NEXT:  loop.for "i" %i = 0 to min(16, %n - 3) {
  // CHECK-NEXT:    loop.for "j" %j = %i * 2 - 1 to %n * %m + 4 parallel {
  // CHECK-NEXT:    }
  loop.for "i" %i = 0 to min(16, %n - 3) {
    loop.for "j" %j = %i * 2 - 1 to %n * %m + 4 parallel {
    }
    // CHECK-NEXT:  loop.for "l.outer" %k = 0 to 8 vectorized {
    loop.for "l.outer" %k = 0 to 8 vectorized {
    }
    // CHECK:       loop.for "u" %u = 4 to 8 unrolled {
    loop.for "u" %u = 4 to 8 unrolled {
    }
    // CHECK:       loop.for "t" %t = 0 to 4 tensorized {
    loop.for "t" %t = 0 to 4 tensorized {
    }
  }
  // CHECK:       %[[R:.*]], %{{.*}} = loop.for "carried" %{{.*}} = 0 to %n iter(%{{.*}} = %v, %{{.*}} = %c) {
  // CHECK-NEXT:    loop.yield %{{.*}}, %{{.*}}
  // CHECK-NEXT:  }
  %r:2 = loop.for "carried" %k = 0 to %n iter(%a = %v, %b = %c) {
    loop.yield %a, %b
  }
  // CHECK-NEXT:  loop.if (%n - 1 >= 0, -%n + 7 >= 0) {
  // CHECK-NEXT:  } else {
  // CHECK-NEXT:    loop.if ((%n floordiv 2) - (%m mod %n) >= 0) {
  // CHECK-NEXT:    }
  // CHECK-NEXT:  }
  loop.if (%n - 1 >= 0, 7 - %n >= 0) {
  } else {
    loop.if (%n floordiv 2 - %m mod %n >= 0) {
    }
  }
  // CHECK-NEXT:  %{{.*}} = loop.if (%n >= 0) -> (i32) {
  // CHECK-NEXT:    loop.yield %v
  // CHECK-NEXT:  } else {
  // CHECK-NEXT:    loop.yield %[[R]]
  // CHECK-NEXT:  }
  %s = loop.if (%n >= 0) -> (i32) {
    loop.yield %v
  } else {
    loop.yield %r#0
  }
  // CHECK-NEXT:  %{{.*}} = loop.while (%{{.*}} = %v) {
  // CHECK-NEXT:    loop.condition %c, %{{.*}}
  // CHECK-NEXT:  } do (%{{.*}}) {
  // CHECK-NEXT:    loop.yield %{{.*}}
  // CHECK-NEXT:  }
  %w = loop.while (%a = %v) {
    loop.condition %c, %a
  } do (%b) {
    loop.yield %b
  }
  func.return
}

// CHECK-LABEL: @memory
func.func @memory(%n : index, %x : memref<?x8xf32>, %ws : memref<?xi8>) {
  // CHECK-NEXT:  loop.shape %x[%n * 4, 8]
  loop.shape %x[%n * 4, 8]
  // CHECK-NEXT:  %{{.*}} = loop.alloc "global" [%n * 4, %n * 3 + 1] : memref<?x?xf32>
  %a = loop.alloc "global" [%n * 4, %n * 3 + 1] : memref<?x?xf32>
  // CHECK-NEXT:  %{{.*}} = loop.alloc "local" : memref<16xi64>
  %b = loop.alloc "local" : memref<16xi64>
  // CHECK-NEXT:  %{{.*}} = loop.alloc "register" : memref<2x8xf32>
  %c = loop.alloc "register" : memref<2x8xf32>
  // CHECK-NEXT:  %{{.*}} = loop.view %ws[%n * 64 + 128] sizes [%n] : memref<?x4xf32>
  %v = loop.view %ws[%n * 64 + 128] sizes [%n] : memref<?x4xf32>
  // CHECK-NEXT:  %{{.*}} = loop.view %ws[0] : memref<4xf32>
  %u = loop.view %ws[0] : memref<4xf32>
  // CHECK-NEXT:  %{{.*}} = loop.get_global @w : memref<2xf32>
  %w = loop.get_global @w : memref<2xf32>
  // CHECK-NEXT:  %[[I:.*]] = loop.index %n * 2 + 1
  %i = loop.index %n * 2 + 1
  // CHECK-NEXT:  %[[E:.*]] = loop.load %x[%[[I]], max(0, %n - 3)] : f32
  %e = loop.load %x[%i, max(0, %n - 3)] : f32
  // CHECK-NEXT:  %[[F:.*]] = loop.load %x[%[[I]], 0] if (%n - 1 >= 0) else 5.000000e-01 : f32
  %f = loop.load %x[%i, 0] if (%n - 1 >= 0) else 0.5 : f32
  // CHECK-NEXT:  %[[G:.*]] = loop.remf %[[E]], %[[F]] : f32
  %g = loop.remf %e, %f : f32
  // CHECK-NEXT:  loop.store %[[G]], %x[0, (%[[I]] mod 8)]
  loop.store %g, %x[0, %i mod 8]
  // CHECK-NEXT:  loop.store %[[F]], %x[%n, 0] if (%n - 1 >= 0, -%n + 7 >= 0)
  loop.store %f, %x[%n, 0] if (%n - 1 >= 0, 7 - %n >= 0)
  func.return
}

// CHECK-LABEL: @blocks
func.func @blocks(%X : memref<4x8xf32>, %ids : memref<8xi64>, %S : memref<4xf32>, %I : memref<4xindex>) {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 8 {
      // CHECK:       loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k)
      // CHECK-NEXT:      reads(%x = %X[%vi, %vk])
      // CHECK-NEXT:      writes(%s = %S[%vi]) init {
      // CHECK-NEXT:    %z = arith.constant 0.000000e+00 : f32
      // CHECK-NEXT:    loop.yield %z
      // CHECK-NEXT:  } {
      // CHECK-NEXT:    %t = arith.addf %s, %x : f32
      // CHECK-NEXT:    loop.yield %t
      // CHECK-NEXT:  }
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%x = %X[%vi, %vk]) writes(%s = %S[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %t = arith.addf %s, %x : f32
        loop.yield %t
      }
      // CHECK-NEXT:  loop.block "gather" (%vi_1 : param = %i, %vk_1 : ordered = %k * 2 - 1)
      // CHECK-NEXT:      reads(%g = %ids[%vk_1] else 0 : i64, %x_1 = %X[%vi_1, %g] if (%g - 1 >= 0) else 0.000000e+00 : f32)
      // CHECK-NEXT:      writes(%S[%g] if (-%g + 3 >= 0), %I[%vi_1]) clip {
      // CHECK-NEXT:    loop.yield %x_1, %vi_1
      // CHECK-NEXT:  }
      loop.block "gather" (%vi : param = %i, %vk : ordered = %k * 2 - 1)
          reads(%g = %ids[%vk] else 0 : i64, %x = %X[%vi, %g] if (%g - 1 >= 0) else 0.0 : f32)
          writes(%S[%g] if (3 - %g >= 0), %I[%vi]) clip {
        loop.yield %x, %vi
      }
    }
  }
  func.return
}

// CHECK-LABEL: @assertions
func.func @assertions(%n : index) {
  // CHECK: loop.assert (%n - 1 >= 0, -%n + 7 >= 0), "from 1 to 7"
  loop.assert (%n - 1 >= 0, 7 - %n >= 0), "from 1 to 7"
  // CHECK: loop.assert ((%n mod 2) >= 0), "a \22word\22" attributes {why}
  loop.assert (%n mod 2 >= 0), "a \22word\22" attributes {why}
  func.return
}
