// RUN: stepwell-opt %s -p 'simplify-indices' | filecheck %s

// What is known of the loops decides divisions, minima, padding and clipping.
// CHECK-LABEL: @decides
// CHECK:         loop.for "o" %[[O:.*]] = 0 to 4 {
// CHECK-NEXT:      loop.for "i" %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        loop.block "copy" (%[[VO:.*]] : spatial = %[[O]], %[[VI:.*]] : spatial = %[[I]])
// CHECK-NEXT:            reads(%{{.*}} = %x[%[[VO]], %[[VI]]])
// CHECK-NEXT:            writes(%y[%[[VO]] * 8 + %[[VI]]]) {
func.func @decides(%x : memref<4x8xf32>, %y : memref<32xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "o" %o = 0 to 4 {
    loop.for "i" %i = 0 to min(8, 32 - %o * 8) {
      loop.block "copy" (%vo : spatial = %o, %vi : spatial = %i)
          reads(%a = %x[(%vo * 8 + %vi) floordiv 8, (%vo * 8 + %vi) mod 8] else 0.0 : f32) writes(%y[%vo * 8 + %vi]) clip {
        loop.yield %a
      }
    }
  }
  func.return
}

// A loop that runs once is its body, one that never runs is nothing, and conditions that hold are left out.
// CHECK-LABEL: @opens
// CHECK-NEXT:    loop.for "i" %[[I:.*]] = 0 to 3 {
// CHECK-NEXT:      loop.block "kept" (%[[V:.*]] : spatial = %[[I]])
// CHECK-NEXT:          reads(%{{.*}} = %x[%[[V]]])
// CHECK-NOT:     loop.for
// CHECK-NOT:     loop.block
func.func @opens(%x : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "once" %q = 2 to 3 {
    loop.for "never" %r = 0 to %q - 2 {
      loop.block "dropped" (%vr : spatial = %r) reads(%a = %x[%vr]) writes(%y[%vr]) {
        loop.yield %a
      }
    }
    loop.for "i" %i = 0 to 3 {
      loop.if (%q - 2 >= 0, 2 - %i >= 0) {
        loop.block "kept" (%vi : spatial = %i, %vq : param = %q) reads(%a = %x[%vi]) writes(%y[%vi]) {
          loop.yield %a
        }
      } else {
        loop.block "other" (%vi : spatial = %i) reads(%a = %x[%vi]) writes(%y[0]) {
          loop.yield %a
        }
      }
    }
  }
  func.return
}

// Below blocks: a guard that holds is left out, and one that never does is the value after `else`.
// CHECK-LABEL: @guards
// CHECK:           %[[A:.*]] = loop.load %x[%i] : f32
// CHECK-NEXT:      %[[B:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %[[C:.*]] = loop.load %x[%i - 1] if (%i - 1 >= 0) else 2.000000e+00 : f32
// CHECK:           loop.store %{{.*}}, %y[%i]
func.func @guards(%x : memref<4xf32>, %y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    %a = loop.load %x[%i] if (%i >= 0, 3 - %i >= 0) else 0.0 : f32
    %b = loop.load %x[%i] if (%i - 4 >= 0) else 1.0 : f32
    %c = loop.load %x[%i - 1] if (%i - 1 >= 0) else 2.0 : f32
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    loop.store %t, %y[%i] if (%i >= 0)
    loop.store %t, %y[%i] if (-1 - %i >= 0)
  }
  func.return
}

// What is not known stays: n may be anything.
// CHECK-LABEL: @keeps
// CHECK:         loop.for "i" %{{.*}} = 0 to min(8, %n) {
// CHECK:             reads(%{{.*}} = %x[%{{.*}} + 1] else 0.000000e+00 : f32)
func.func @keeps(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  loop.for "z" %z = 0 to %n {
    loop.block "zero" (%vz : spatial = %z) reads() writes(%y[%vz]) {
      %c = arith.constant 0.0 : f32
      loop.yield %c
    }
  }
  loop.for "i" %i = 0 to min(8, %n) {
    loop.block "next" (%vi : spatial = %i) reads(%a = %x[%vi + 1] else 0.0 : f32) writes(%y[%vi]) {
      loop.yield %a
    }
  }
  func.return
}

// A sum of no terms is 0: the init happens though what reduces never runs, nor a condition inside of it ever holds.
// CHECK-LABEL: @keeps_inits
// CHECK:         loop.for "k" %{{.*}} = 0 to 0 {
// CHECK-NEXT:      loop.block "empty"
// CHECK:         loop.for "l" %[[L:.*]] = 0 to 4 {
// CHECK-NEXT:      loop.if (%[[L]] - 4 >= 0) {
// CHECK-NEXT:        loop.block "never"
func.func @keeps_inits(%x : memref<4xf32>, %y : memref<f32>, %z : memref<f32>) attributes {outputs_count = 2 : i64} {
  loop.for "k" %k = 0 to 0 {
    loop.block "empty" (%vk : reduce = %k) reads(%a = %x[%vk]) writes(%s = %y[]) init {
      %c = arith.constant 0.0 : f32
      loop.yield %c
    } {
      %t = arith.addf %s, %a : f32
      loop.yield %t
    }
  }
  loop.for "l" %l = 0 to 4 {
    loop.if (%l - 4 >= 0) {
      loop.block "never" (%vl : reduce = %l) reads(%a = %x[%vl]) writes(%s = %z[]) init {
        %c = arith.constant 1.0 : f32
        loop.yield %c
      } {
        %t = arith.addf %s, %a : f32
        loop.yield %t
      }
    }
  }
  func.return
}
