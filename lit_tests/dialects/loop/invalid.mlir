// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: string literal expected: the label of a loop
func.func @for_no_label() {
  loop.for %i = 0 to 4 {
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': a loop needs a label
func.func @for_empty_label() {
  loop.for "" %i = 0 to 4 {
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': loop 'i' is vectorized, so its extent must be constant
func.func @for_vectorized_extent(%n : index) {
  loop.for "i" %i = 0 to %n vectorized {
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': loop kind 'sideways': must be one of serial, parallel, vectorized, unrolled, tensorized
func.func @for_kind(%n : index) {
  "loop.for"() <{label = "i", kind = "sideways", bounds = #loop.map<(0, 4)>, operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i : index):
  }) : () -> ()
  func.return
}

// -----

// CHECK: error: 'loop.for': loop 'i' carries values, so it must be serial, not parallel
func.func @for_parallel_carries(%v : i32) {
  %r = loop.for "i" %i = 0 to 4 parallel iter(%a = %v) {
    loop.yield %a
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': loop.yield of i64: must be i32 (the loop's results)
func.func @for_yield(%v : i32, %w : i64) {
  %r = loop.for "i" %i = 0 to 4 iter(%a = %v) {
    loop.yield %w
  }
  func.return
}

// -----

// CHECK: error: 'loop.for': 'bounds' uses d1, but there are 1 index operands
func.func @for_position(%n : index) {
  "loop.for"(%n) <{label = "i", kind = "serial", bounds = #loop.map<(0, d1)>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%i : index):
  }) : (index) -> ()
  func.return
}

// -----

// CHECK: error: 'loop.for': index operand 1 is used by no map
func.func @for_unused_operand(%n : index) {
  "loop.for"(%n, %n) <{label = "i", kind = "serial", bounds = #loop.map<(0, d0)>, operandSegmentSizes = array<i32: 0, 2>}> ({
  ^bb0(%i : index):
  }) : (index, index) -> ()
  func.return
}

// -----

// CHECK: error: 'loop.for': bounds has 1 expressions: must be lower and upper
func.func @for_bounds() {
  "loop.for"() <{label = "i", kind = "serial", bounds = #loop.map<(4)>, operandSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i : index):
  }) : () -> ()
  func.return
}

// -----

// CHECK: error: a condition is written '… >= 0'
func.func @if_condition(%n : index) {
  loop.if (%n >= 1) {
  }
  func.return
}

// -----

// CHECK: error: 'loop.if': an if with results needs an else
func.func @if_without_else(%n : index, %v : i32) {
  %r = loop.if (%n >= 0) -> (i32) {
    loop.yield %v
  }
  func.return
}

// -----

// CHECK: error: 'loop.if': loop.yield of i64: must be i32 (the results)
func.func @if_yield(%n : index, %v : i32, %w : i64) {
  %r = loop.if (%n >= 0) -> (i32) {
    loop.yield %v
  } else {
    loop.yield %w
  }
  func.return
}

// -----

// CHECK: error: 'loop.while': the condition must end with loop.condition
func.func @while_condition(%v : i32) {
  loop.while (%a = %v) {
    loop.yield %a
  } do () {
    loop.yield
  }
  func.return
}

// -----

// CHECK: error: 2 names for the 1 values of loop.condition
func.func @while_names(%v : i32, %c : i1) {
  %r = loop.while (%a = %v) {
    loop.condition %c, %a
  } do (%b, %d) {
    loop.yield %b
  }
  func.return
}

// -----

// CHECK: error: 'loop.while': loop.yield of nothing: must be i32 (the carried values)
func.func @while_yield(%v : i32, %c : i1) {
  %r = loop.while (%a = %v) {
    loop.condition %c, %a
  } do (%b) {
    loop.yield
  }
  func.return
}

// -----

// CHECK: error: 'loop.alloc': scope 'stack': must be one of global, local, register
func.func @alloc_scope() {
  %t = loop.alloc "stack" : memref<4xf32>
  func.return
}

// -----

// CHECK: error: 'loop.alloc': 1 sizes for 2 dynamic dims
func.func @alloc_sizes(%n : index) {
  %t = loop.alloc "global" [%n] : memref<?x?xf32>
  func.return
}

// -----

// CHECK: error: 'loop.alloc': a register buffer must have constant dims
func.func @alloc_registers(%n : index) {
  %t = loop.alloc "register" [%n] : memref<?xf32>
  func.return
}

// -----

// CHECK: error: a buffer is a memref, not f32
func.func @alloc_type() {
  %t = loop.alloc "global" : f32
  func.return
}

// -----

// CHECK: error: 'loop.shape': 1 dims for a buffer of rank 2
func.func @shape_rank(%n : index, %x : memref<?x4xf32>) {
  loop.shape %x[%n]
  func.return
}

// -----

// CHECK: error: 'loop.shape': dim 1 of the buffer is 4, but the shape says otherwise
func.func @shape_constant(%n : index, %x : memref<?x4xf32>) {
  loop.shape %x[%n, 5]
  func.return
}

// -----

// CHECK: error: one byte offset expected
func.func @view_offsets(%ws : memref<?xi8>) {
  %t = loop.view %ws[0, 4] : memref<4xf32>
  func.return
}

// -----

// CHECK: error: 'loop.view': 0 sizes for 1 dynamic dims
func.func @view_sizes(%ws : memref<?xi8>) {
  %t = loop.view %ws[0] : memref<?xf32>
  func.return
}

// -----

// CHECK: error: 'loop.view': operand 'workspace' at position 0 does not verify:
func.func @view_of_floats(%ws : memref<4xf32>) {
  %t = loop.view %ws[0] : memref<4xf32>
  func.return
}

// -----

// CHECK: error: 'loop.load': 1 indices for a buffer of rank 2
func.func @load_rank(%x : memref<4x4xf32>) {
  %e = loop.load %x[0] : f32
  func.return
}

// -----

// CHECK: error: the buffer holds f32, not f64
func.func @load_type(%x : memref<4xf32>) {
  %e = loop.load %x[0] : f64
  func.return
}

// -----

// CHECK: error: 'loop.load': a guard or a mask, and a value after else, come together
func.func @load_guard(%n : index, %x : memref<4xf32>) {
  %e = loop.load %x[0] if (%n >= 0) : f32
  func.return
}

// -----

// CHECK: error: buffer %y is not defined before this use
func.func @load_undefined() {
  %e = loop.load %y[0] : f32
  func.return
}

// -----

// CHECK: error: 'loop.store': stores f64 to a buffer of f32
func.func @store_type(%v : f64, %x : memref<4xf32>) {
  loop.store %v, %x[0]
  func.return
}

// -----

// CHECK: error: index expression expected: a number, a variable, min(…), max(…) or (…)
func.func @index_expression() {
  %e = loop.index "four"
  func.return
}

// -----

// CHECK: error: 'loop.index': 2 expressions: must be one
func.func @index_expressions() {
  %e = "loop.index"() <{map = #loop.map<(1, 2)>}> : () -> index
  func.return
}

// -----

// CHECK: error: 'n' is not a position: d0, d1, …
func.func @map_position() {
  %e = "loop.index"() <{map = #loop.map<(n)>}> : () -> index
  func.return
}

// -----

// CHECK: error: 'loop.get_global': no symbol @nowhere in this module
func.func @no_global() {
  %w = loop.get_global @nowhere : memref<2xf32>
  func.return
}

// -----

// CHECK: error: 'loop.get_global': @w is memref<2xf32>, not memref<3xf32>
loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>
func.func @global_type() {
  %w = loop.get_global @w : memref<3xf32>
  func.return
}

// -----

// CHECK: error: 'loop.global': holds 2 elements of f64, not memref<2xf32>
loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf64>>

// -----

// CHECK: error: 'loop.remf': operand 'lhs' at position 0 does not verify:
func.func @remf_of_integers(%a : i32) {
  %r = "loop.remf"(%a, %a) : (i32, i32) -> i32
  func.return
}

// -----

// CHECK: error: 'loop.block': a write is indexed by a reduce iterator
func.func @block_write(%Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : reduce = %i) reads() writes(%y = %Y[%vi]) {
      loop.yield %y
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': an init, but no reduce iterator
func.func @block_init(%Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads() writes(%Y[%vi]) init {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    } {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a block that reduces must name the old element: writes(%old = …)
func.func @block_old(%X : memref<4xf32>, %Y : memref<1xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : reduce = %i) reads(%x = %X[%vi]) writes(%Y[0]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a write indexed by an element read may meet itself: needs an ordered iterator
func.func @block_scatter(%ids : memref<4xi64>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%g = %ids[%vi]) writes(%Y[%g]) {
      %z = arith.constant 0.0 : f32
      loop.yield %z
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a read is indexed by a read of f32: must be an integer
func.func @block_gather(%ids : memref<4xf32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%g = %ids[%vi], %y = %Y[%g]) writes(%Y[%vi]) {
      loop.yield %y
    }
  }
  func.return
}

// -----

// CHECK: error: %y is not an iterator of this block, nor a read to the left
func.func @block_right(%ids : memref<4xi64>, %Y : memref<4xi64>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%g = %ids[%y], %y = %Y[%vi]) writes(%Y[%vi]) {
      loop.yield %y
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a read has 1 indices for a buffer of rank 2
func.func @block_rank(%X : memref<4x4xf32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%x = %X[%vi]) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': the value outside the bounds, 0 : i32, has not the element type
func.func @block_pad(%X : memref<4xf32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%x = %X[%vi] else 0 : i32) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a guarded read needs a value after else
func.func @block_guard(%X : memref<4xf32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%x = %X[%vi] if (%vi - 1 >= 0)) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': a buffer is written twice: use one block for each write
func.func @block_twice(%Y : memref<4xindex>) {
  loop.for "i" %i = 0 to 2 {
    loop.block "b" (%vi : spatial = %i) reads() writes(%Y[%vi], %Y[%vi + 2]) {
      loop.yield %vi, %vi
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': 'loop.load' in the body: only pure scalar ops may stand there
func.func @block_body(%X : memref<4xf32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads() writes(%Y[%vi]) {
      %e = loop.load %X[%vi] : f32
      loop.yield %e
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.block': the body yields (i32), but the writes hold (f32)
func.func @block_yield(%X : memref<4xi32>, %Y : memref<4xf32>) {
  loop.for "i" %i = 0 to 4 {
    loop.block "b" (%vi : spatial = %i) reads(%x = %X[%vi]) writes(%Y[%vi]) {
      loop.yield %x
    }
  }
  func.return
}

// -----

// CHECK: error: 'loop.assert': asserts nothing: it needs a condition
func.func @assert_nothing() {
  loop.assert (), "never"
  func.return
}

// -----

// CHECK: error: string literal expected: what is wrong where a condition does not hold
func.func @assert_message(%n : index) {
  loop.assert (%n >= 0), 7
  func.return
}
