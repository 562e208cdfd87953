// RUN: stepwell-opt %s -p 'split-loop{block=mm loop=i factor=2},split-loop{block=mm loop=j factor=4},reorder-loops{loops="mm/i.outer","mm/j.outer","mm/k","mm/i.inner","mm/j.inner"},cache-write{loop="mm/j.outer"}' | filecheck %s
// RUN: stepwell-opt %s -p 'reorder-loops{block=mm loops=k,i,j},cache-write{loop="mm/j" scope=local}' | filecheck %s --check-prefix=RELOAD
// RUN: not stepwell-opt %s -p 'decompose-reduction,cache-write{loop="mm/k"}' 2>&1 | filecheck %s --check-prefix=INIT
// RUN: not stepwell-opt %s -p 'split-loop{block=mm loop=i factor=3},reorder-loops{loops="mm/j","mm/k","mm/i.inner"},cache-write{loop="mm/i.outer"}' 2>&1 | filecheck %s --check-prefix=EXTENT

// CHECK-LABEL: @sums
// CHECK:         loop.for "j.outer"
// CHECK-NEXT:      %[[T:.*]] = loop.alloc "register" : memref<2x4xf32>
// CHECK:             loop.block "mm.init"
// CHECK:                 writes(%[[T]][
// CHECK:           loop.for "k"
// CHECK:               loop.block "mm" (
// CHECK:                   writes(%{{.*}} = %[[T]][
// CHECK:             loop.block "mm.out"
// CHECK:                 reads(%{{.*}} = %[[T]][
// CHECK-NEXT:            writes(%C[
// A reduce loop lies around: what is there comes back, but in the first trip.
// RELOAD-LABEL: @sums
// RELOAD:         loop.for "k" %[[K:.*]] = 0 to 6 {
// RELOAD:             %[[T:.*]] = loop.alloc "local" : memref<f32>
// RELOAD-NEXT:        loop.if (-%[[K]] >= 0) {
// RELOAD-NEXT:          loop.block "mm.init" ()
// RELOAD:             } else {
// RELOAD-NEXT:          loop.block "mm.reload" (
// INIT: error: step 'cache-write mm/k': block mm has no init
// EXTENT: error: step 'cache-write mm/i.outer': the extent of loop i.inner in the tile is not constant
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
