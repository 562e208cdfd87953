// RUN: stepwell-opt %s --split-input-file --verify-diagnostics | filecheck %s

// What a function says of itself: each attribute has its form, and agrees with the arguments.

// CHECK{LITERAL}: error: 'func.func': 'inputs' is a list of names, found 3 : i64
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {inputs = 3} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'inputs' has 2 names for 1
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {inputs = ["a", "b"]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'outputs' has 1 names for 0
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {outputs = ["a"]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'outputs_count' is for functions over buffers, and this one is over tensors
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {outputs_count = 1 : i64} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'requires' mentions d0, but there are 0 dims
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {requires = #loop.map<(d0)>} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'requires' has expressions over symbols, found #graph.dims<?>
func.func @f(%x : tensor<?xf32, #graph.dims<n>>) attributes {requires = #graph.dims<?>} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'dims' names a dim twice: n, n
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = ["n", "n"]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'dims' names the leading index arguments, found 0 names for 1
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = []} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'dims' is a list of names, found [3 : i64]
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {dims = [3]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'outputs_count' says how many of the 2 buffers are written, found 3 : i64
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {outputs_count = 3 : i64} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'elements' has 1 types for 2 inputs and outputs
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {outputs_count = 1 : i64, elements = [f32]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'elements' says ui8 of a memref<?xf32>
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {outputs_count = 1 : i64, elements = [f32, ui8]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'elements': no array can hold elements of type none
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {outputs_count = 1 : i64, elements = [f32, none]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'elements' needs 'outputs_count'
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {elements = [f32, f32]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'shapes' has 1 shapes for 2 buffers
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {shapes = [#loop.map<(d0)>]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'shapes' mentions d1, but there are 1 dims
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {shapes = [#loop.map<(d1)>, #loop.map<(d0)>]} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'workspace' is one number of bytes, found #loop.map<(d0, 4)>
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {workspace = #loop.map<(d0, 4)>} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'workspace' needs a last argument memref<?xi8>
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {workspace = #loop.map<(d0)>} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'requires' of a function over buffers is a #loop.map over the dims, found #graph.dims<n - 3>
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {requires = #graph.dims<n - 3>, outputs_count = 1 : i64} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'requires' is a #loop.map over the dims, found "n"
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {requires = "n"} {
  func.return
}

// -----

// CHECK{LITERAL}: error: 'func.func': 'layout_free' names argument 3 of 3
func.func @f(%n : index, %x : memref<?xf32>, %y : memref<?xf32>) attributes {layout_free = [3 : i64]} {
  func.return
}

// -----

// CHECK: error: 'func.func': a number of 67 bits: an index has 64
func.func @workspace_beyond(%n : index, %y : memref<?xf32>, %ws : memref<?xi8>)
    attributes {outputs_count = 1 : i64, dims = ["n"], workspace = #loop.map<(d0 * 9223372036854775807 * 16)>} {
  func.return
}
