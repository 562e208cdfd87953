// RUN: stepwell-opt %s -p check-bounds | filecheck %s

// An index that is read is asserted before the nest; that of the columns is proved.
// CHECK-LABEL: @gather
// CHECK-SAME:    bounds_checked
// CHECK-NEXT:    loop.for "i" %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[G:.*]] = loop.load %n[%[[I]]] : i64
// CHECK-NEXT:      %[[K:.*]] = arith.index_cast %[[G]] : i64 to index
// CHECK-NEXT:      loop.assert (%[[K]] >= 0, -%[[K]] + 2 >= 0), "block 'gather', read of 't': index 0 leaves its dim of 3"
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for "i"
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        loop.block "gather"
func.func @gather(%t : memref<3x2xf32>, %n : memref<4xi64>, %y : memref<4x2xf32>) {
  loop.for "i" %i = 0 to 4 { loop.for "j" %j = 0 to 2 {
    loop.block "gather" (%vi : spatial = %i, %vj : spatial = %j)
        reads(%g = %n[%vi], %e = %t[%g, %vj]) writes(%y[%vi, %vj]) {
      loop.yield %e
    }
  } }
  func.return
}

// What is proved, padded, clipped, guarded or never reached needs nothing.
// CHECK-LABEL: @needs_none
// CHECK-NOT:     bounds_checked
// CHECK-NOT:     loop.assert
func.func @needs_none(%d : index, %x : memref<?xf32>, %n : memref<4xi64>, %z : memref<0xf32>, %y : memref<4xf32>)
    attributes {dims = ["d"]} {
  loop.shape %x[%d]
  loop.for "i" %i = 0 to min(4, %d) {
    loop.block "proved" (%vi : spatial = %i) reads(%e = %x[%vi]) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  loop.for "k" %k = 0 to 4 {
    loop.block "padded" (%vk : spatial = %k) reads(%g = %n[%vk], %e = %x[%g] else 0.0 : f32) writes(%y[%vk + 1]) clip {
      loop.yield %e
    }
  }
  loop.for "m" %m = 0 to 9 {
    loop.block "points" (%vm : spatial = %m, %vd : param = %d)
        reads(%e = %y[min(%vm mod 6, 6 - %vm mod 6)]) writes(%x[%vm] if (%vd - %vm - 1 >= 0)) {
      loop.yield %e
    }
  }
  loop.for "o" %o = 0 to 0 {
    loop.block "never" (%vo : spatial = %o) reads(%e = %z[%vo + 7]) writes(%y[%vo]) {
      loop.yield %e
    }
  }
  func.return
}

// Of an index that is linear in the loop variable the last value decides, where the loop runs at all.
// CHECK-LABEL: @linear
// CHECK:         loop.shape %x[%d]
// CHECK-NEXT:    loop.if (%d - 3 >= 0) {
// CHECK-NEXT:      loop.assert (-%d + 6 >= 0), "block 'copy', write of 'y': index 0 leaves its dim of 4"
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for "i"
func.func @linear(%d : index, %x : memref<?xf32>, %y : memref<4xf32>) attributes {dims = ["d"]} {
  loop.shape %x[%d]
  loop.for "i" %i = 2 to %d {
    loop.block "copy" (%vi : spatial = %i) reads(%e = %x[%vi]) writes(%y[%vi - 2]) {
      loop.yield %e
    }
  }
  func.return
}

// A nest that writes what it reads an index from has the assertion inside; so no iterations side by side.
// CHECK-LABEL: @moves_its_own_indices
// CHECK-NEXT:    loop.for "i" %{{.*}} = 0 to 4 {
// CHECK-NEXT:      loop.load %n[
// CHECK:           loop.assert
// CHECK-NEXT:      loop.block "hop"
func.func @moves_its_own_indices(%n : memref<4xindex>) {
  loop.for "i" %i = 0 to 4 parallel {
    loop.block "hop" (%vi : ordered = %i) reads(%g = %n[%vi], %e = %n[%g]) writes(%n[%vi]) {
      loop.yield %e
    }
  }
  func.return
}

// The conditions of an access are those of its assertion, and a padded index is read with its padding.
// CHECK-LABEL: @conditions
// CHECK-NEXT:    loop.for "i" %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[G:.*]] = loop.load %n[%[[I]] - 1] if (%[[I]] - 1 >= 0, -%[[I]] + 4 >= 0) else 0 : i64
// CHECK-NEXT:      %[[K:.*]] = arith.index_cast %[[G]] : i64 to index
// CHECK-NEXT:      loop.if (%[[K]] - 1 >= 0) {
// CHECK-NEXT:        loop.assert (-%[[K]] + 2 >= 0)
func.func @conditions(%t : memref<3xf32>, %n : memref<4xi64>, %y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "gather" (%vi : spatial = %i)
        reads(%g = %n[%vi - 1] else 0 : i64, %e = %t[%g] if (%g - 1 >= 0) else 0.0 : f32) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  func.return
}

// Arguments of calls are sizes: not negative, and those of the buffers.
// CHECK-LABEL: @callee
func.func private @callee(%d : index, %x : memref<?xf32>) attributes {dims = ["d"]} {
  loop.shape %x[%d]
  func.return
}
// CHECK-LABEL: @caller
// CHECK:         loop.assert (%a - 1 >= 0), "call of 'callee': 'd' is negative"
// CHECK-NEXT:    loop.assert (%b - %a + 1 >= 0, -%b + %a - 1 >= 0), "call of 'callee': 'x' has not the size that is said"
// CHECK-NEXT:    func.call @callee
// CHECK-NEXT:    func.call @callee
func.func @caller(%a : index, %b : index, %x : memref<?xf32>) attributes {dims = ["a", "b"]} {
  loop.shape %x[%b]
  %less = loop.index %a - 1
  func.call @callee(%less, %x) : (index, memref<?xf32>) -> ()
  func.call @callee(%b, %x) : (index, memref<?xf32>) -> ()
  func.return
}
