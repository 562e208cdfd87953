// RUN: stepwell-opt %s -p infer-shapes --split-input-file --verify-diagnostics | filecheck %s

// CHECK: infer-shapes-refused.mlir:7: error: 'graph.matmul': inner sizes: cannot tell how n * 3 and m * 2 become equal; give the sizes with `shapes=`
func.func @no_solution(%x : tensor<?xf32, #graph.dims<n>>, %y : tensor<?xf32, #graph.dims<m>>) {
  %a = graph.concat %x, %x, %x axis 0 : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  %b = graph.concat %y, %y axis 0 : tensor<?xf32, #graph.dims<m>>, tensor<?xf32, #graph.dims<m>> -> tensor<?xf32>
  %c = graph.matmul %a, %b : tensor<?xf32>, tensor<?xf32> -> tensor<f32>
  func.return
}

// -----

// CHECK: error: 'graph.matmul': inner sizes differ: 3 and 4
func.func @two_numbers(%x : tensor<?xf32>, %a : tensor<3xf32>, %b : tensor<4xf32>) {
  %0 = graph.matmul %x, %a : tensor<?xf32>, tensor<3xf32> -> tensor<f32>
  %1 = graph.matmul %x, %b : tensor<?xf32>, tensor<4xf32> -> tensor<f32>
  func.return
}

// -----

// CHECK: error: 'graph.concat': sizes on axis 0 differ: 3 and 4
func.func @through_a_name(%x : tensor<?x1xf32>, %y : tensor<?x1xf32>, %a : tensor<3x1xf32>, %b : tensor<4x1xf32>) {
  %0 = graph.concat %x, %a axis 1 : tensor<?x1xf32>, tensor<3x1xf32> -> tensor<?x2xf32>
  %1 = graph.concat %y, %b axis 1 : tensor<?x1xf32>, tensor<4x1xf32> -> tensor<?x2xf32>
  %2 = graph.concat %x, %y axis 1 : tensor<?x1xf32>, tensor<?x1xf32> -> tensor<?x2xf32>
  func.return
}

// -----

// Only an empty tensor would do, which nobody means.
// CHECK: error: 'graph.matmul': inner sizes: cannot tell how n and n * 2 become equal; give the sizes with `shapes=`
func.func @only_empty(%x : tensor<?xf32, #graph.dims<n>>) {
  %0 = graph.concat %x, %x axis 0 : tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  %1 = graph.matmul %x, %0 : tensor<?xf32, #graph.dims<n>>, tensor<?xf32> -> tensor<f32>
  func.return
}

// -----

// CHECK: error: 'func.call': @f is called with tensor<?xf32, #graph.dims<n>> and with tensor<?xf32, #graph.dims<m>> as argument 0
func.func private @f(%x : tensor<?xf32>) {
  func.return
}
func.func @called_twice(%x : tensor<?xf32, #graph.dims<n>>, %y : tensor<?xf32, #graph.dims<m>>) {
  %0 = graph.reshape %x to <?> : tensor<?xf32, #graph.dims<n>> -> tensor<?xf32>
  %1 = graph.reshape %y to <?> : tensor<?xf32, #graph.dims<m>> -> tensor<?xf32>
  func.call @f(%0) : (tensor<?xf32>) -> ()
  func.call @f(%1) : (tensor<?xf32>) -> ()
  func.return
}
