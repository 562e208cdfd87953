// RUN: stepwell-opt %s -p 'decompose-reduction' | filecheck %s
// RUN: stepwell-opt %s -p 'reorder-loops{block=mm loops=k,j},decompose-reduction{block=mm}' | filecheck %s --check-prefix=OUTSIDE
// RUN: not stepwell-opt %s -p 'decompose-reduction{block=copy}' 2>&1 | filecheck %s --check-prefix=NONE

// CHECK-LABEL: @sums
// CHECK:         loop.for "i"
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.block "mm.init" (
// CHECK:             arith.constant 0.000000e+00
// CHECK:           loop.for "k"
// CHECK-NEXT:        loop.block "mm" (
// CHECK-NOT:         init
// OUTSIDE-LABEL: @sums
// OUTSIDE:         loop.for "i"
// OUTSIDE-NEXT:      loop.for "j"
// OUTSIDE-NEXT:        loop.block "mm.init" (
// OUTSIDE:           loop.for "k"
// OUTSIDE-NEXT:        loop.for "j"
// OUTSIDE-NEXT:          loop.block "mm" (
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

// A block without an init is left alone, and refused where it is named.
// CHECK-LABEL: @copies
// CHECK-NOT:     .init
// NONE: error: step 'decompose copy': block copy has no init
func.func @copies(%x : memref<8xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 {
    loop.block "copy" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
