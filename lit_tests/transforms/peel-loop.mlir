// RUN: stepwell-opt %s -p 'peel-loop{block=run loop=i at="(extent floordiv 8) * 8"},split-loop{block=run loop=i factor=8}' | filecheck %s
// RUN: stepwell-opt %s -p 'peel-loop{block=mm loop=i at=3}' | filecheck %s --check-prefix=CONSTANT
// RUN: not stepwell-opt %s -p 'peel-loop{block=mm loop=k at=3}' 2>&1 | filecheck %s --check-prefix=INIT
// RUN: not stepwell-opt %s -p 'peel-loop{block=mm loop=i at=5}' 2>&1 | filecheck %s --check-prefix=RANGE
// RUN: not stepwell-opt %s -p 'peel-loop{block=mm loop=i at=q}' 2>&1 | filecheck %s --check-prefix=NAME

// The main part is a multiple of 8 for every n, so that the inner loop needs no `min`.
// CHECK-LABEL: @run_time
// CHECK:         loop.for "i.outer" %[[O:.*]] = 0 to (%n floordiv 8) {
// CHECK-NEXT:      loop.for "i.inner" %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        loop.block "run" (%{{.*}} : spatial = %[[O]] * 8 + %[[I]])
// CHECK:         loop.for "i.tail" %[[T:.*]] = 0 to %n - (%n floordiv 8) * 8 {
// CHECK-NEXT:      loop.block "run.tail" (%{{.*}} : spatial = (%n floordiv 8) * 8 + %[[T]])
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

// CONSTANT-LABEL: @sums
// CONSTANT:       loop.for "i" %{{.*}} = 0 to 3 {
// CONSTANT:             loop.block "mm" (
// CONSTANT:       loop.for "i.tail" %[[T:.*]] = 0 to 1 {
// CONSTANT:             loop.block "mm.tail" (%{{.*}} : spatial = %[[T]] + 3,
// INIT: error: step 'peel mm/k 3': loop k reduces block mm, whose init would run again: decompose it first
// RANGE: error: step 'peel mm/i 5': 5 is not within the range of loop i
// NAME: error: step 'peel mm/i q': 'q' names 'q'; an expression may name extent
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
