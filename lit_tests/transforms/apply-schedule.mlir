// RUN: stepwell-opt %s -p 'apply-schedule' | filecheck %s
// RUN: stepwell-opt %s -p 'apply-schedule{print-trace=true}' 2>&1 | filecheck %s --check-prefix=TRACE

// CHECK-LABEL: @sums
// CHECK-NOT:     schedule
// CHECK:         loop.for "i"
// CHECK-NEXT:      loop.for "j.outer" %{{.*}} = 0 to 2 {
// CHECK-NEXT:        loop.for "k" %{{.*}} = 0 to 6 {
// CHECK-NEXT:          loop.for "j.inner" %{{.*}} = 0 to 4 vectorized {
// TRACE:      @sums: split mm/j 4
// TRACE-NEXT: @sums: reorder mm/k mm/j.inner
// TRACE-NEXT: @sums: kind vectorized mm/j.inner
func.func @sums(%A : memref<4x6xf32>, %B : memref<6x8xf32>, %C : memref<4x8xf32>) attributes {outputs_count = 1 : i64, schedule = #loop.schedule<["split mm/j 4", "reorder mm/k mm/j.inner", "kind mm/j.inner vectorized"]>} {
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

// No schedule: nothing is done.
// CHECK-LABEL: @plain
// CHECK:         loop.for "i" %{{.*}} = 0 to 8 {
// CHECK-NEXT:      loop.block "add" (
func.func @plain(%x : memref<8xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 {
    loop.block "add" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
