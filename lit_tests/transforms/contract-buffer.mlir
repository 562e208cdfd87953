// RUN: stepwell-opt %s -p 'merge-loops{first="p/i" second="c/i"},contract-buffer{block=p loop=i}' | filecheck %s
// RUN: not stepwell-opt %s -p 'contract-buffer{block=p loop=i}' 2>&1 | filecheck %s --check-prefix=OUTSIDE
// RUN: not stepwell-opt %s -p 'contract-buffer{block=c loop=i}' 2>&1 | filecheck %s --check-prefix=OUTPUT

// CHECK-LABEL: @rows
// CHECK-NEXT:    loop.for "i"
// CHECK-NEXT:      %[[T:.*]] = loop.alloc "local" : memref<8xf32>
// CHECK:             writes(%[[T]][%{{.*}}])
// CHECK:             reads(%{{.*}} = %[[T]][%{{.*}}])
// OUTSIDE: error: step 'contract p p/i': the buffer of block p is used outside of loop i, by block c
// OUTPUT: error: step 'contract c c/i': the buffer that block c writes is seen outside of the function
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
