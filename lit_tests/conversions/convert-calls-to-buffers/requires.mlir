// RUN: stepwell-opt %s -p convert-graph-to-loop,convert-calls-to-buffers | filecheck %s

// What must not be negative is said over the dims arguments, by their place.
// CHECK-LABEL: func.func @main(%m: index, %n: index, %x: memref<?x?xf32>, %y: memref<?xf32>)
// CHECK-SAME:      dims = ["m", "n"]
// CHECK-SAME:      requires = #loop.map<(-(d1 mod 2), d0 - 4)>
func.func @main(%x : tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?xf32, #graph.dims<n>>
    attributes {outputs = ["y"], requires = #graph.dims<-(n mod 2), m - 4>} {
  %y = graph.sum %x [0] : tensor<?x?xf32, #graph.dims<m, n>> -> tensor<?xf32, #graph.dims<n>>
  func.return %y : tensor<?xf32, #graph.dims<n>>
}
