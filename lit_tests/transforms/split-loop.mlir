// RUN: stepwell-opt %s -p 'split-loop{block=add loop=i factor=8}' | filecheck %s
// RUN: stepwell-opt %s -p 'split-loop{block=run loop=i factor=8}' | filecheck %s --check-prefix=RUNTIME
// RUN: not stepwell-opt %s -p 'split-loop{block=add loop=i factor=0}' 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not stepwell-opt %s -p 'split-loop{block=add loop=q factor=8}' 2>&1 | filecheck %s --check-prefix=LOOP
// RUN: not stepwell-opt %s -p 'split-loop{block=nope loop=i factor=8}' 2>&1 | filecheck %s --check-prefix=BLOCK
// RUN: not stepwell-opt %s -p 'split-loop{loop=i factor=8}' 2>&1 | filecheck %s --check-prefix=UNNAMED

// (A10) 128 iterations become 16 times 8.
// CHECK-LABEL: @constant
// CHECK:         loop.for "i.outer" %[[O:.*]] = 0 to 16 {
// CHECK-NEXT:      loop.for "i.inner" %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        loop.block "add" (%{{.*}} : spatial = %[[O]] * 8 + %[[I]])
func.func @constant(%x : memref<128xf32>, %y : memref<128xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 128 {
    loop.block "add" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[%vi]) {
      %s = arith.addf %a, %a : f32
      loop.yield %s
    }
  }
  func.return
}

// A pass touches the function that has the block; where the factor does not divide, the inner bound says so.
// CHECK-LABEL: @run_time
// CHECK:         loop.for "i" %{{.*}} = 0 to %n {
// RUNTIME-LABEL: @run_time
// RUNTIME:       loop.for "i.outer" %[[O:.*]] = 0 to ((%n + 7) floordiv 8) {
// RUNTIME-NEXT:    loop.for "i.inner" %{{.*}} = 0 to min(8, %n - %[[O]] * 8) {
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

// ZERO: error: step 'split add/i 0': the factor of loop i must be at least 1, not 0
// LOOP: error: step 'split add/q 8': no loop 'q' around block 'add'; its loops are i
// BLOCK: error: pass 'split-loop': there is no block 'nope' in any function
// UNNAMED: error: pass 'split-loop' needs a block: write block/loop or give the block
