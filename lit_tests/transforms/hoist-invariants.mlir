// RUN: stepwell-opt %s -p 'hoist-invariants' | filecheck %s

// CHECK-LABEL: @row_scale
// CHECK-NEXT:    loop.for "i" %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      %[[S:.*]] = loop.load %s[%[[I]]] : f32
// CHECK-NEXT:      %[[D:.*]] = arith.addf %[[S]], %[[S]] : f32
// CHECK-NEXT:      loop.for "j"
// CHECK-NEXT:        %[[X:.*]] = loop.load %x[
// CHECK-NEXT:        %{{.*}} = arith.mulf %[[X]], %[[D]] : f32
func.func @row_scale(%x : memref<4x8xf32>, %s : memref<4xf32>, %y : memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      %a = loop.load %x[%i, %j] : f32
      %b = loop.load %s[%i] : f32
      %d = arith.addf %b, %b : f32
      %c = arith.mulf %a, %d : f32
      loop.store %c, %y[%i, %j]
    }
  }
  func.return
}

// A buffer that the loop writes is read anew each time.
// CHECK-LABEL: @written_inside
// CHECK:         loop.for "k"
// CHECK-NEXT:      loop.load %y[0]
func.func @written_inside(%x : memref<8xf32>, %y : memref<1xf32>) attributes {outputs_count = 1 : i64} {
  %z = arith.constant 0.0 : f32
  loop.store %z, %y[0]
  loop.for "k" %k = 0 to 8 {
    %s = loop.load %y[0] : f32
    %a = loop.load %x[%k] : f32
    %t = arith.addf %s, %a : f32
    loop.store %t, %y[0]
  }
  func.return
}

// The loop may not run at all, and then there is no element 0.
// CHECK-LABEL: @may_be_empty
// CHECK:         loop.for "i"
// CHECK-NEXT:      loop.load %x[0]
func.func @may_be_empty(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = ["n"], outputs_count = 1 : i64} {
  loop.shape %x[%n]
  loop.shape %y[%n]
  loop.for "i" %i = 0 to %n {
    %a = loop.load %x[0] : f32
    loop.store %a, %y[%i]
  }
  func.return
}

// Lanes and tasks have their own copies: only serial loops give anything up.
// CHECK-LABEL: @parallel_stays
// CHECK:         loop.for "i" %{{.*}} parallel {
// CHECK-NEXT:      loop.load %s[0]
func.func @parallel_stays(%s : memref<1xf32>, %y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 parallel {
    %a = loop.load %s[0] : f32
    loop.store %a, %y[%i]
  }
  func.return
}
