// RUN: stepwell-opt %s -p 'pad-loop{block=run loop=i multiple=8}' | filecheck %s
// RUN: stepwell-opt %s -p 'pad-loop{block=max loop=k multiple=4}' | filecheck %s --check-prefix=NEUTRAL
// RUN: not stepwell-opt %s -p 'pad-loop{block=max loop=k multiple=4 value=0}' 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not stepwell-opt %s -p 'pad-loop{block=double loop=j multiple=4}' 2>&1 | filecheck %s --check-prefix=WITHIN
// RUN: stepwell-opt %s -p 'pad-loop{block=max loop=i multiple=4}' | filecheck %s --check-prefix=SPATIAL

// CHECK-LABEL: @run_time
// CHECK:         loop.for "i" %{{.*}} = 0 to ((%n + 7) floordiv 8) * 8 {
// CHECK:             reads(%{{.*}} = %x[%{{.*}}] else 0.000000e+00 : f32)
// CHECK-NEXT:        writes(%y[%{{.*}}]) clip
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

// What is beyond the extent is neutral: the least number for a maximum.
// NEUTRAL-LABEL: @maxima
// NEUTRAL:         loop.for "k" %{{.*}} = 0 to 8 {
// NEUTRAL:             reads(%{{.*}} = %x[%{{.*}}, %{{.*}}] else 0xff800000 : f32)
// NEUTRAL-NOT:         clip
// VALUE: error: step 'pad max/k 4 0': loop k reduces block max: padded with 0, what is beyond the extent is not neutral
// A multiple already: nothing to do.
// SPATIAL-LABEL: @maxima
// SPATIAL-NOT:     else
// SPATIAL-NOT:     clip
func.func @maxima(%x : memref<4x6xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 6 {
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

// The buffer goes on where the loop ends: clipping would not keep what is there.
// WITHIN: error: step 'pad double/j 4': block double writes beyond loop j within its buffer, where clipping does not reach
func.func @stops_within(%m : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "j" %j = 0 to 6 {
    loop.block "double" (%vj : spatial = %j) reads(%a = %m[%vj]) writes(%m[%vj]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}
