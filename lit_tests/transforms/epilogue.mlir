// RUN: stepwell-opt %s -p 'cache-write{loop="mm/j"},epilogue{writer="mm.out" consumer=add}' | filecheck %s
// RUN: stepwell-opt %s -p 'reorder-loops{block=mm loops=k,i,j},cache-write{loop="mm/j"},epilogue{writer="mm.out" consumer=add}' | filecheck %s --check-prefix=LAST
// RUN: not stepwell-opt %s -p 'epilogue{writer=mm consumer=add}' 2>&1 | filecheck %s --check-prefix=TILE
// RUN: not stepwell-opt %s -p 'cache-write{loop="mm/j"},split-loop{block=add loop=i factor=2},epilogue{writer="mm.out" consumer=add}' 2>&1 | filecheck %s --check-prefix=WHOLE

// CHECK-LABEL: @applies
// CHECK-NOT:     %T
// CHECK:         loop.block "mm.out.add" (%[[VI:.*]] : spatial = %i, %[[VJ:.*]] : spatial = %j)
// CHECK-NEXT:        reads(%[[T:.*]] = %mm_tile[], %[[B:.*]] = %b[%[[VJ]]])
// CHECK-NEXT:        writes(%y[%[[VI]], %[[VJ]]])
// CHECK-NEXT:      %{{.*}} = arith.addf %[[T]], %[[B]] : f32
// CHECK-NOT:     loop.block "add"
// With the sum spread over an outer loop, in its last trip only.
// LAST-LABEL: @applies
// LAST:          loop.if (%k - 5 >= 0) {
// LAST-NEXT:       loop.block "mm.out.add"
// LAST:          } else {
// LAST-NEXT:       loop.block "mm.out" (
// TILE: error: step 'epilogue mm add': block mm updates the buffer: accumulate in a tile first (cache-write)
// WHOLE: error: step 'epilogue mm.out add': block add does not run through all of dim 0 of the buffer, by a loop of its own
func.func @applies(%A : memref<4x6xf32>, %B : memref<6x8xf32>, %b : memref<8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4x8xf32>
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.for "k" %k = 0 to 6 {
        loop.block "mm" (%vi : spatial = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%l = %A[%vi, %vk], %r = %B[%vk, %vj]) writes(%c = %T[%vi, %vj]) init {
          %z = arith.constant 0.0 : f32
          loop.yield %z
        } {
          %p = arith.mulf %l, %r : f32
          %s = arith.addf %c, %p : f32
          loop.yield %s
        }
      }
    }
  }
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "add" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%a = %T[%vi, %vj], %c = %b[%vj]) writes(%y[%vi, %vj]) {
        %s = arith.addf %a, %c : f32
        loop.yield %s
      }
    }
  }
  func.return
}
