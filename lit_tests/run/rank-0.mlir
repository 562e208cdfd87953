// RUN: stepwell run %s --values

// By hand: a tensor of rank 0 is one number.
// VALUE: relu(-3) = 0
func.func @relu(%x : tensor<f32>) -> tensor<f32> {
  %y = graph.relu %x : tensor<f32>
  func.return %y : tensor<f32>
}
// VALUE: add(2, 3) = 5
func.func @add(%a : tensor<f32>, %b : tensor<f32>) -> tensor<f32> {
  %y = graph.add %a, %b : tensor<f32>, tensor<f32> -> tensor<f32>
  func.return %y : tensor<f32>
}
// VALUE: sum(7) = 7
func.func @sum(%x : tensor<f32>) -> tensor<f32> {
  %r = graph.sum %x [] : tensor<f32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: all([[1, 2], [3, 4]]) = 10
func.func @all(%x : tensor<2x2xf32>) -> tensor<f32> {
  %r = graph.sum %x [0, 1] : tensor<2x2xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: dot([1, 2, 3], [4, 5, 6]) = 32
func.func @dot(%a : tensor<3xf32>, %b : tensor<3xf32>) -> tensor<f32> {
  %r = graph.matmul %a, %b : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: to_matrix(5) = [[5]]
func.func @to_matrix(%x : tensor<f32>) -> tensor<1x1xf32> {
  %r = graph.reshape %x to <1, 1> : tensor<f32> -> tensor<1x1xf32>
  func.return %r : tensor<1x1xf32>
}
// VALUE: from_matrix([[5]]) = 5
func.func @from_matrix(%x : tensor<1x1xf32>) -> tensor<f32> {
  %r = graph.reshape %x to <> : tensor<1x1xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: repeat(5) = [[5, 5, 5], [5, 5, 5]]
func.func @repeat(%x : tensor<f32>) -> tensor<2x3xf32> {
  %r = graph.broadcast_to %x to <2, 3> : tensor<f32> -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
// VALUE: transpose(5) = 5
func.func @transpose(%x : tensor<f32>) -> tensor<f32> {
  %r = graph.permute_dims %x [] : tensor<f32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: slice(5) = 5
func.func @slice(%x : tensor<f32>) -> tensor<f32> {
  %r = graph.slice %x [] : tensor<f32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: is_nan(nan) = True
func.func @is_nan(%x : tensor<f32>) -> tensor<i1> {
  %y = graph.is_nan %x : tensor<f32> -> tensor<i1>
  func.return %y : tensor<i1>
}
// VALUE: constant() = -0.0
func.func @constant() -> tensor<f32> {
  %y = graph.constant #graph.array<-0.0 : tensor<f32>>
  func.return %y : tensor<f32>
}
