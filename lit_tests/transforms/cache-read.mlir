// RUN: stepwell-opt %s -p 'cache-read{block=conv read=0 phases=2}' | filecheck %s
// RUN: stepwell-opt %s -p 'cache-read{block=conv read=0 form=points}' | filecheck %s --check-prefix=POINTS
// RUN: not stepwell-opt %s -p 'split-loop{block=conv loop=i factor=2},cache-read{block=conv read=0}' 2>&1 | filecheck %s --check-prefix=SPLIT
// RUN: not stepwell-opt %s -p 'cache-read{block=conv read=2}' 2>&1 | filecheck %s --check-prefix=NUMBER

// A window over padding, in steps of two: the copy holds the even and the odd columns apart.
// CHECK-LABEL: @window
// CHECK:         %[[C:.*]] = loop.alloc "global" : memref<2x5xf32>
// CHECK:           loop.block "conv.read" (%[[P:.*]] : spatial = {{.*}}, %[[J:.*]] : spatial = {{.*}})
// CHECK-NEXT:          reads(%{{.*}} = %x[%[[J]] * 2 + %[[P]] - 1] else 0.000000e+00 : f32)
// CHECK-NEXT:          writes(%[[C]][%[[P]], %[[J]]])
// CHECK:           loop.block "conv" (%[[I:.*]] : spatial = {{.*}}, %[[K:.*]] : reduce = {{.*}})
// CHECK-NEXT:          reads(%{{.*}} = %[[C]][(%[[K]] mod 2), %[[I]] + (%[[K]] floordiv 2)], %{{.*}} = %w[%[[K]]])
// POINTS-LABEL: @window
// POINTS:         %[[C:.*]] = loop.alloc "global" : memref<3x4xf32>
// POINTS:           loop.block "conv" (%[[I:.*]] : spatial = {{.*}}, %[[K:.*]] : reduce = {{.*}})
// POINTS-NEXT:          reads(%{{.*}} = %[[C]][%[[K]], %[[I]]], %{{.*}} = %w[%[[K]]])
// SPLIT: error: step 'cache-read conv 0': block conv reads at something else than iterators that are loops
// NUMBER: error: step 'cache-read conv 2': block conv has 2 reads: there is no read 2
func.func @window(%x : memref<8xf32>, %w : memref<3xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 3 {
      loop.block "conv" (%vi : spatial = %i, %vk : reduce = %k)
          reads(%a = %x[%vi * 2 + %vk - 1] else 0.0 : f32, %b = %w[%vk]) writes(%c = %y[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.yield %s
      }
    }
  }
  func.return
}
