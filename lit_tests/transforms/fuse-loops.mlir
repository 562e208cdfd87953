// RUN: stepwell-opt %s -p 'fuse-loops{block=p outer=i inner=j}' | filecheck %s
// RUN: not stepwell-opt %s -p 'fuse-loops{block=mm outer=j inner=k}' 2>&1 | filecheck %s --check-prefix=KINDS
// RUN: not stepwell-opt %s -p 'fuse-loops{block=mm outer=i inner=k}' 2>&1 | filecheck %s --check-prefix=ALONE

// CHECK-LABEL: @copies
// CHECK:         loop.for "i.j" %[[F:.*]] = 0 to 32 {
// CHECK-NEXT:      loop.block "p" (%{{.*}} : spatial = (%[[F]] floordiv 8), %{{.*}} : spatial = (%[[F]] mod 8))
// CHECK:         loop.for "i"
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.block "c"
func.func @copies(%x : memref<4x8xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
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

// KINDS: error: step 'fuse mm/j mm/k': loops j and k are spatial and reduce for block mm
// ALONE: error: step 'fuse mm/i mm/k': loops i and k: the second is not all that the first contains
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
