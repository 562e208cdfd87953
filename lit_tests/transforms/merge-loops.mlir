// RUN: stepwell-opt %s -p 'merge-loops{first="p/i" second="c/i"}' | filecheck %s
// RUN: not stepwell-opt %s -p 'merge-loops{first="p/j" second="c/j"}' 2>&1 | filecheck %s --check-prefix=BODY

// CHECK-LABEL: @rows
// CHECK:         loop.for "i" %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.block "p" (%{{.*}} : spatial = %[[I]],
// CHECK:           loop.for "j"
// CHECK-NEXT:        loop.block "c" (%{{.*}} : spatial = %[[I]],
// CHECK-NOT:     loop.for "i"
func.func @rows(%x : memref<4x8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
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
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %T[%vi, %vj]) writes(%y[%vi, %vj]) {
        %s = arith.mulf %a, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}

// BODY: error: step 'merge p/j c/j': loops j and j do not stand in one body
