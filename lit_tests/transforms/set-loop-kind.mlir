// RUN: stepwell-opt %s -p 'set-loop-kind{block=mm loop=j kind=vectorized}' | filecheck %s
// RUN: not stepwell-opt %s -p 'set-loop-kind{block=mm loop=k kind=parallel}' 2>&1 | filecheck %s --check-prefix=REDUCE
// RUN: not stepwell-opt %s -p 'set-loop-kind{block=run loop=i kind=unrolled}' 2>&1 | filecheck %s --check-prefix=EXTENT
// RUN: not stepwell-opt %s -p 'set-loop-kind{block=mm loop=j kind=fast}' 2>&1 | filecheck %s --check-prefix=KIND
// RUN: stepwell-opt %s -p 'set-loop-kind{block=run loop=i kind=parallel}' | filecheck %s --check-prefix=DYNAMIC

// CHECK-LABEL: @sums
// CHECK:         loop.for "i" %{{.*}} = 0 to 4 {
// CHECK-NEXT:      loop.for "j" %{{.*}} = 0 to 8 vectorized {
// CHECK-NEXT:        loop.for "k" %{{.*}} = 0 to 6 {
// REDUCE: error: step 'kind parallel mm/k': k feeds a reduce axis of mm
// KIND: error: step 'kind mm/j fast': 'fast' is no kind: it is one of serial, parallel, vectorized, unrolled
func.func @sums(%A : memref<4x6xf32>, %B : memref<6x8xf32>, %C : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.for "k" %k = 0 to 6 {
        loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%a = %A[%vi, %vk], %b = %B[%vk, %vj]) writes(%c = %C[%vi, %vj]) init {
          %z = arith.constant 0.0 : f32
          loop.yield %z
        } {
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          loop.yield %s
        }
      }
    }
  }
  func.return
}

// DYNAMIC: loop.for "i" %{{.*}} = 0 to %n parallel {
// EXTENT: error: step 'kind unrolled run/i': the extent of loop i is not constant
func.func @run_time(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  loop.for "i" %i = 0 to %n {
    loop.block "run" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
