// RUN: stepwell-opt %s -p 'split-loop{block=max loop=k factor=4},rfactor{loop="max/k.inner"}' | filecheck %s
// RUN: not stepwell-opt %s -p 'rfactor{block=mm loop=k}' 2>&1 | filecheck %s --check-prefix=SUM
// RUN: stepwell-opt %s -p 'split-loop{block=mm loop=k factor=2},rfactor{loop="mm/k.inner" reassociates=true}' | filecheck %s --check-prefix=ALLOWED
// RUN: not stepwell-opt %s -p 'rfactor{block=max loop=i}' 2>&1 | filecheck %s --check-prefix=LOOP

// Four maxima of three, then the maximum of these: lanes that do not wait for one another.
// CHECK-LABEL: @maxima
// CHECK:         %[[P:.*]] = loop.alloc "local" : memref<4xf32>
// CHECK-NEXT:      loop.for "k.outer"
// CHECK-NEXT:        loop.for "k.inner"
// CHECK-NEXT:          loop.block "max.partial" (
// CHECK:                   writes(%{{.*}} = %[[P]][
// CHECK:           loop.for "k.inner" %[[L:.*]] = 0 to 4 {
// CHECK-NEXT:        loop.block "max" (%{{.*}} : spatial = %i, %[[V:.*]] : reduce = %[[L]])
// CHECK-NEXT:            reads(%{{.*}} = %[[P]][%[[V]]])
// CHECK-NEXT:            writes(%{{.*}} = %y[
// LOOP: error: step 'rfactor max/i': loop i reduces 0 blocks, not one
func.func @maxima(%x : memref<4x12xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 12 {
      loop.block "max" (%vi : spatial = %i, %vk : reduce = %k) reads(%a = %x[%vi, %vk]) writes(%m = %y[%vi]) init {
        %z = arith.constant 0xff800000 : f32
        loop.yield %z
      } {
        %s = arith.maximumf %m, %a : f32
        loop.yield %s
      }
    }
  }
  func.return
}

// SUM: error: step 'rfactor mm/k': block mm sums floats, which would change its order; allow it by 'reassociates'
// ALLOWED: loop.block "mm.partial"
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
