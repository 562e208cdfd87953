// RUN: stepwell-opt %s -p inline-elementwise | filecheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-NOT:     loop.alloc
// CHECK:         loop.block "relu" (%[[I:.*]] : spatial = %{{.*}})
// CHECK-NEXT:        reads(%[[A:.*]] = %a[%[[I]]], %[[B:.*]] = %b[%[[I]]])
// CHECK-NEXT:        writes(%y[%[[I]]]) {
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:           arith.maximumf %[[S]],
// CHECK-NOT:     loop.block
// CHECK:         func.return
func.func @chain(%a: memref<8xf32>, %b: memref<8xf32>, %y: memref<8xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "add" (%vi : spatial = %i) reads(%x = %a[%vi], %z = %b[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %z : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "relu" (%vi : spatial = %i) reads(%x = %t[%vi]) writes(%y[%vi]) {
      %zero = arith.constant 0.0 : f32
      %r = arith.maximumf %x, %zero : f32
      loop.yield %r
    }
  }
  func.return
}

// CHECK-LABEL: func.func @chain_of_three(
// CHECK-NOT:     loop.alloc
// CHECK:         loop.block "third"
// CHECK:           arith.addf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.negf
// CHECK-NOT:     loop.block
// CHECK:         func.return
func.func @chain_of_three(%a: memref<8xf32>, %y: memref<8xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  %u = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "first" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %x : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "second" (%vi : spatial = %i) reads(%x = %t[%vi], %z = %a[%vi]) writes(%u[%vi]) {
      %s = arith.mulf %x, %z : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "third" (%vi : spatial = %i) reads(%x = %u[%vi]) writes(%y[%vi]) {
      %s = arith.negf %x : f32
      loop.yield %s
    }
  }
  func.return
}

// Every row reads each element again: it would be computed four times.
// CHECK-LABEL: func.func @keeps_what_is_read_again(
// CHECK:         loop.alloc
// CHECK:         loop.block "double"
// CHECK:         loop.block "broadcast"
func.func @keeps_what_is_read_again(%a: memref<8xf32>, %y: memref<4x8xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "double" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %x : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 4 {
    loop.for "j" %j = 0 to 8 {
      loop.block "broadcast" (%vi : spatial = %i, %vj : spatial = %j) reads(%x = %t[%vj]) writes(%y[%vi, %vj]) {
        loop.yield %x
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @keeps_what_two_read(
// CHECK:         loop.block "double"
// CHECK:         loop.block "first"
// CHECK:         loop.block "second"
func.func @keeps_what_two_read(%a: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>)
    attributes {outputs_count = 2 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "double" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %x : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "first" (%vi : spatial = %i) reads(%x = %t[%vi]) writes(%y[%vi]) {
      loop.yield %x
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "second" (%vi : spatial = %i) reads(%x = %t[-%vi + 7]) writes(%z[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// A padded read has the value after else out of bounds, which the writer would not compute.
// CHECK-LABEL: func.func @keeps_what_is_read_padded(
// CHECK:         loop.block "double"
// CHECK:         loop.block "shift"
func.func @keeps_what_is_read_padded(%a: memref<8xf32>, %y: memref<8xf32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "double" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %x : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "shift" (%vi : spatial = %i) reads(%x = %t[%vi - 1] else 7.0 : f32) writes(%y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// A sum is for its own rule.
// CHECK-LABEL: func.func @keeps_what_is_summed(
// CHECK:         loop.block "double"
// CHECK:         loop.block "sum"
func.func @keeps_what_is_summed(%a: memref<8xf32>, %y: memref<f32>) attributes {outputs_count = 1 : i64} {
  %t = loop.alloc "global" : memref<8xf32>
  loop.for "i" %i = 0 to 8 {
    loop.block "double" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%t[%vi]) {
      %s = arith.addf %x, %x : f32
      loop.yield %s
    }
  }
  loop.for "i" %i = 0 to 8 {
    loop.block "sum" (%vi : reduce = %i) reads(%x = %t[%vi]) writes(%old = %y[]) init {
      %zero = arith.constant 0.0 : f32
      loop.yield %zero
    } {
      %s = arith.addf %old, %x : f32
      loop.yield %s
    }
  }
  func.return
}
