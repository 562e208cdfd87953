// RUN: stepwell-opt %s -p convert-graph-to-loop,convert-calls-to-buffers | filecheck %s

// Constants are globals; what is returned is computed in the output; the rest are temporaries.
// CHECK:       loop.global @w : memref<2xf32> = #graph.array<[1.0, 2.0] : tensor<2xf32>>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %x: memref<2xf32>, %output0: memref<2xf32>) attributes {outputs_count = 1 : i64, inputs = ["x"], outputs = ["output0"]} {
// CHECK-NEXT:    %w = loop.get_global @w : memref<2xf32>
// CHECK-NEXT:    %t = loop.alloc "global" : memref<2xf32>
// CHECK-NEXT:    func.call @add(%x, %w, %t) : (memref<2xf32>, memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    func.call @relu(%t, %output0) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    func.return
func.func @main(%x : tensor<2xf32>) -> tensor<2xf32> {
  %w = graph.constant #graph.array<[1.0, 2.0] : tensor<2xf32>>
  %t = graph.add %x, %w : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %y = graph.relu %t : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// A function over buffers is what this makes: one that is there already stays as it is.
// CHECK-LABEL: func.func @loops(%a: memref<2xf32>) {
// CHECK-NEXT:    loop.for "i" %i = 0 to 2 {
func.func @loops(%a : memref<2xf32>) {
  loop.for "i" %i = 0 to 2 {
    loop.block "twice" (%vi : spatial = %i) reads(%x = %a[%vi]) writes(%a[%vi]) {
      %y = arith.addf %x, %x : f32
      loop.yield %y
    }
  }
  func.return
}

// Sizes are passed on; functions of tensors call each other with buffers; the second place of a value is a copy.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    %n: index, %x: memref<?xf32>, %first: memref<?xf32>, %second: memref<?xf32>) attributes {dims = ["n"], outputs_count = 2 : i64, inputs = ["x.1"], outputs = ["first", "second"]} {
// CHECK-NEXT:    loop.shape %x[%n]
// CHECK-NEXT:    loop.shape %first[%n]
// CHECK-NEXT:    loop.shape %second[%n]
// CHECK-NEXT:    func.call @callee(%n, %x, %first) : (index, memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    loop.for "i" %i = 0 to %n {
// CHECK-NEXT:      loop.block "copy" (%vi : spatial = %i)
// CHECK-NEXT:          reads(%{{.*}} = %first[%vi])
// CHECK-NEXT:          writes(%second[%vi])
func.func @caller(%x : tensor<?xf32, #graph.dims<n>>) -> (tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>)
    attributes {inputs = ["x.1"], outputs = ["first", "second"]} {
  %y = func.call @callee(%x) : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
  func.return %y, %y : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>
}

// A size that is an expression is computed for the call.
// CHECK-LABEL: func.func private @callee(
// CHECK:         %[[SIZE:.*]] = loop.alloc "global" [%n * 2] : memref<?xf32>
// CHECK:         %[[N:.*]] = loop.index %n * 2
func.func private @callee(%x : tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %a = graph.concat %x, %x axis 0 : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32, #graph.dims<2 * n>>
  %b = graph.call_tir @tail(%a) dims [2 * n, n] : (tensor<?xf32, #graph.dims<2 * n>>) -> tensor<?xf32, #graph.dims<n>>
  func.return %b : tensor<?xf32, #graph.dims<n>>
}
func.func private @tail(%m : index, %n : index, %x : memref<?xf32>, %y : memref<?xf32>)
    attributes {dims = ["m", "n"], outputs_count = 1 : i64} {
  loop.shape %x[%m]
  loop.shape %y[%n]
  loop.for "i" %i = 0 to %n {
    loop.block "tail" (%vi : spatial = %i, %vn : param = %n) reads(%e = %x[%vi + %vn]) writes(%y[%vi]) {
      loop.yield %e
    }
  }
  func.return
}
