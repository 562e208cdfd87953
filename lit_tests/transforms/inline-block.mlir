// RUN: stepwell-opt %s -p 'inline-block{producer=p consumer=c}' | filecheck %s
// RUN: not stepwell-opt %s -p 'inline-block{producer=c consumer=p}' 2>&1 | filecheck %s --check-prefix=READS

// The body of `p` at the place that `c` reads; the buffer is gone.
// CHECK-LABEL: @mirrored
// CHECK-NOT:     loop.alloc
// CHECK:         loop.block "c" (%[[VI:.*]] : spatial = %i, %[[VJ:.*]] : spatial = %j)
// CHECK-NEXT:        reads(%[[A:.*]] = %x[%[[VI]], -%[[VJ]] + 7])
// CHECK:           %[[S:.*]] = arith.addf %[[A]], %[[A]] : f32
// CHECK-NEXT:      %{{.*}} = arith.mulf %[[S]], %[[S]] : f32
// CHECK-NOT:     loop.block
func.func @mirrored(%x : memref<4x8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4x8xf32>
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "p" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %x[%vi, %vj]) writes(%T[%vi, %vj]) {
        %s = arith.addf %a, %a : f32
        loop.yield %s
      }
    }
  }
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %T[%vi, -%vj + 7]) writes(%y[%vi, %vj]) {
        %s = arith.mulf %a, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}

// READS: error: step 'inline c p': block p reads nothing that block c writes
