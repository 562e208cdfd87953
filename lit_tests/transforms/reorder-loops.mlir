// RUN: stepwell-opt %s -p 'reorder-loops{block=mm loops=k,i}' | filecheck %s
// RUN: not stepwell-opt %s -p 'split-loop{block=mm loop=k factor=2},reorder-loops{loops="mm/k.inner","mm/k.outer"}' 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: stepwell-opt %s -p 'split-loop{block=mm loop=k factor=2},reorder-loops{loops="mm/k.inner","mm/k.outer" reassociates=true}' | filecheck %s --check-prefix=ALLOWED
// RUN: not stepwell-opt %s -p 'reorder-loops{block=shift loops=j,i}' 2>&1 | filecheck %s --check-prefix=MEET

// The loops named take each other's places; the sum of each element keeps its order.
// CHECK-LABEL: @sums
// CHECK:         loop.for "k"
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.for "i"
// CHECK-NEXT:          loop.block "mm"
// ALLOWED-LABEL: @sums
// ALLOWED:         loop.for "k.inner"
// ALLOWED-NEXT:      loop.for "k.outer"
// ORDER: error: step 'reorder mm/k.inner mm/k.outer': loops k.outer and k.inner reduce block mm: its sum would change its order; allow it by 'reassociates'
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

// MEET: error: step 'reorder shift/j shift/i': iterations of loops i and j may meet in %y, touched by block shift
func.func @shifts(%y : memref<5x5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 4 {
      loop.block "shift" (%vi : spatial = %i, %vj : spatial = %j) reads(%a = %y[%vi, %vj + 1]) writes(%y[%vi + 1, %vj]) {
        loop.yield %a
      }
    }
  }
  func.return
}
