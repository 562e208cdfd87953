// RUN: stepwell-opt %s -p 'split-loop{block=c loop=i factor=2},compute-at{producer=p loop="c/i.outer"}' | filecheck %s
// RUN: not stepwell-opt %s -p 'compute-at{producer=c loop="p/r"}' 2>&1 | filecheck %s --check-prefix=READ
// RUN: not stepwell-opt %s -p 'split-loop{block=p loop=r factor=2},compute-at{producer=p loop="c/i"}' 2>&1 | filecheck %s --check-prefix=SPLIT

// Two rows of `c` need four rows of `p`; two of them are computed again for the next two.
// CHECK-LABEL: @blurs
// CHECK:         loop.for "i.outer" %[[O:.*]] = 0 to 3 {
// CHECK-NEXT:      loop.for "r" %[[R:.*]] = 0 to 4 {
// CHECK-NEXT:        loop.for "q" %[[Q:.*]] = 0 to 5 {
// CHECK-NEXT:          loop.block "p" (%{{.*}} : spatial = %[[O]] * 2 + %[[R]], %{{.*}} : spatial = %[[Q]])
// CHECK:           loop.for "i.inner"
// CHECK:               loop.block "c"
// READ: error: step 'compute-at c p/r': block c is read by 0 blocks in loop r, not by one
// SPLIT: error: step 'compute-at p c/i': axis 0 of block p is not one loop: compute it there before it is split
func.func @blurs(%x : memref<8x5xf32>, %y : memref<6x5xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<8x5xf32>
  loop.for "r" %r = 0 to 8 {
    loop.for "q" %q = 0 to 5 {
      loop.block "p" (%vr : spatial = %r, %vq : spatial = %q) reads(%a = %x[%vr, %vq]) writes(%T[%vr, %vq]) {
        %s = arith.addf %a, %a : f32
        loop.yield %s
      }
    }
  }
  loop.for "i" %i = 0 to 6 {
    loop.for "j" %j = 0 to 5 {
      loop.block "c" (%vi : spatial = %i, %vj : spatial = %j)
          reads(%a = %T[%vi, %vj], %b = %T[%vi + 2, %vj]) writes(%y[%vi, %vj]) {
        %s = arith.addf %a, %b : f32
        loop.yield %s
      }
    }
  }
  func.return
}
