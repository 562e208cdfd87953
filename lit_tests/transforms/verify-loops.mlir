// RUN: stepwell-opt %s --split-input-file --verify-diagnostics -p verify-loops | filecheck %s

// Rows may run side by side, lanes may be added up, padding may leave the buffer, tails may be cut off.
// CHECK-LABEL: @keeps_what_is_right
// CHECK:         loop.for "i" %{{.*}} parallel
func.func @keeps_what_is_right(%X : memref<5x8xf32>, %S : memref<5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 3 parallel {
    %P = loop.alloc "local" : memref<2xf32>
    loop.for "j" %j = 0 to 2 {
      loop.for "k" %k = 0 to 8 vectorized {
        loop.block "sum" (%vi : param = %i, %vj : spatial = %j, %vk : reduce = %k)
            reads(%x = %X[%vi * 2 + %vj, %vk - 1] else 0.0 : f32) writes(%p = %P[%vj]) init {
          %z = arith.constant 0.0 : f32
          loop.yield %z
        } {
          %t = arith.addf %p, %x : f32
          loop.yield %t
        }
      }
      loop.block "out" (%vi : spatial = %i, %vj : spatial = %j) reads(%p = %P[%vj]) writes(%S[%vi * 2 + %vj]) clip {
        loop.yield %p
      }
    }
  }
  func.return
}

// -----

// A loop that reduces cannot be parallel.
// CHECK: error: 'loop.block': loop 'k' is parallel, but block 'sum' adds up over it
func.func @parallel_reduction(%X : memref<4x8xf32>, %S : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 4 parallel {
    loop.for "k" %k = 0 to 8 parallel {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%x = %X[%vi, %vk]) writes(%s = %S[%vi]) init {
        %z = arith.constant 0.0 : f32
        loop.yield %z
      } {
        %t = arith.addf %s, %x : f32
        loop.yield %t
      }
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': block 'copy', read of 'X' at [4] leaves its dims [4], with i = 4
func.func @out_of_bounds(%X : memref<4xf32>, %Y : memref<5xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 5 {
    loop.block "copy" (%vi : spatial = %i) reads(%x = %X[%vi]) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// With no iterations, nothing is out of bounds.
// CHECK-LABEL: @keeps_an_empty_loop
func.func @keeps_an_empty_loop(%X : memref<0xf32>, %Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 0 {
    loop.block "copy" (%vi : spatial = %i) reads(%x = %X[%vi + 7]) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': block 'use', read of 'T': nothing was written there before
func.func @read_too_early(%Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4xf32>
  loop.for "i" %i = 0 to 4 {
    loop.block "use" (%vi : spatial = %i) reads(%t = %T[%vi]) writes(%Y[%vi]) {
      loop.yield %t
    }
    loop.block "make" (%vi : spatial = %i) reads() writes(%T[%vi]) {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  func.return
}

// -----

// What the iteration before has written may be read.
// CHECK-LABEL: @keeps_a_recurrence
func.func @keeps_a_recurrence(%Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4xf32>
  loop.for "t" %t = 0 to 4 {
    loop.if (%t - 1 >= 0) {
      loop.block "use" (%vt : ordered = %t) reads(%p = %T[%vt - 1]) writes(%Y[%vt]) {
        loop.yield %p
      }
    }
    loop.block "make" (%vt : ordered = %t) reads(%p = %T[%vt - 1] else 0.0 : f32) writes(%T[%vt]) {
      loop.yield %p
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': block 'use', read of 'T' at [4]: nothing is written there, with i = 4
func.func @read_beyond_what_is_written(%Y : memref<5xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<5xf32>
  loop.for "i" %i = 0 to 4 {
    loop.block "make" (%vi : spatial = %i) reads() writes(%T[%vi]) {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  loop.for "i" %i = 0 to 5 {
    loop.block "use" (%vi : spatial = %i) reads(%t = %T[%vi]) writes(%Y[%vi]) {
      loop.yield %t
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': block 'sum', read of 'T': nothing was written there before
func.func @sum_without_init(%X : memref<4x8xf32>, %Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  %T = loop.alloc "global" : memref<4xf32>
  loop.for "i" %i = 0 to 4 {
    loop.for "k" %k = 0 to 8 {
      loop.block "sum" (%vi : spatial = %i, %vk : reduce = %k) reads(%x = %X[%vi, %vk]) writes(%s = %T[%vi]) {
        %t = arith.addf %s, %x : f32
        loop.yield %t
      }
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': loop 'i' is parallel, but its iterations meet: block 'pairs', write of 'Y' at [0] with i = 1, block 'pairs', write of 'Y' with i = 0
func.func @iterations_meet(%X : memref<8xf32>, %Y : memref<4xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 parallel {
    loop.block "pairs" (%vi : spatial = %i) reads(%x = %X[%vi]) writes(%Y[%vi floordiv 2]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': loop 'i' is vectorized, but its iterations meet: block 'shift', read of 'Y' at [1] with i = 0, block 'shift', write of 'Y' with i = 1
func.func @lanes_meet(%Y : memref<9xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 8 vectorized {
    loop.block "shift" (%vi : spatial = %i) reads(%y = %Y[%vi + 1]) writes(%Y[%vi]) {
      loop.yield %y
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.store': loop 'i' is parallel, but its iterations meet: write of 'Y' at [8] with i = 1, write of 'Y' with i = 0
func.func @iterations_of_unknown_number_meet(%n : index, %Y : memref<?xf32>) attributes {outputs_count = 1 : i64} {
  loop.shape %Y[%n * 8 + 1]
  %z = arith.constant 0.0 : f32
  loop.for "i" %i = 0 to %n parallel {
    loop.for "j" %j = 0 to 9 {
      loop.store %z, %Y[%i * 8 + %j]
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': loop 't' is parallel, but block 'scan' needs its iterations in order
func.func @ordered(%X : memref<8xf32>, %Y : memref<8xf32>) attributes {outputs_count = 1 : i64} {
  loop.for "t" %t = 0 to 8 parallel {
    loop.block "scan" (%vt : ordered = %t) reads(%x = %X[%vt], %p = %Y[%vt - 1] else 0.0 : f32) writes(%Y[%vt]) {
      %s = arith.addf %p, %x : f32
      loop.yield %s
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': loop 'i' in a loop of the same name
func.func @labels_of_loops() {
  loop.for "i" %i = 0 to 8 {
    loop.for "i" %j = 0 to 8 {
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a second block 'one' in this function
func.func @labels_of_blocks(%Y : memref<2xindex>) attributes {outputs_count = 1 : i64} {
  loop.for "i" %i = 0 to 2 {
    loop.block "one" (%vi : spatial = %i) reads() writes(%Y[%vi]) {
      loop.yield %vi
    }
    loop.block "one" (%vi : spatial = %i) reads() writes(%Y[%vi]) {
      loop.yield %vi
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.store': write of 'w', which is a constant
loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>
func.func @constant() {
  %w = loop.get_global @w : memref<2xf32>
  %z = arith.constant 0.0 : f32
  loop.store %z, %w[0]
  func.return
}

// -----

// CHECK: error: 'loop.load': read of 'X': its dims are not known, the function needs a loop.shape of it
func.func @no_dims(%n : index, %X : memref<?xf32>, %Y : memref<1xf32>) attributes {outputs_count = 1 : i64} {
  %x = loop.load %X[0] : f32
  loop.store %x, %Y[0]
  func.return
}

// -----

// CHECK: error: 'func.return': buffer 't' is handed out of the place where it lives
func.func @escapes() -> memref<2xf32> {
  %t = loop.alloc "local" : memref<2xf32>
  func.return %t : memref<2xf32>
}

// -----

// CHECK: error: 'func.call': takes 't', which is in registers: only accesses may
func.func private @callee(%X : memref<2xf32>) attributes {outputs_count = 1 : i64} {
  func.return
}
func.func @registers() {
  %t = loop.alloc "register" : memref<2xf32>
  func.call @callee(%t) : (memref<2xf32>) -> ()
  func.return
}
