// RUN: stepwell run %s --values

// By hand: the extremum of absolute values and constants is a shape of C that gcc 12 could not take.

// VALUE: max_of_absolute([1.5, -4.0]) = [1.5, 4.0]
// VALUE: max_of_absolute([-0.0, nan]) = [0.0, nan]
func.func @max_of_absolute(%x: tensor<2xf32>) -> tensor<2xf32> {
  %abs = graph.abs %x : tensor<2xf32>
  %c = graph.constant #graph.array<[-2.0, -3.0] : tensor<2xf32>>
  %y = graph.maximum %abs, %c : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// VALUE: extrema_of_zeros([0.0, -0.0, 0.0, -0.0], [-0.0, 0.0, 0.0, -0.0]) = [0.0, 0.0, 0.0, -0.0], [-0.0, -0.0, 0.0, -0.0]
func.func @extrema_of_zeros(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %max = graph.maximum %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %min = graph.minimum %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %max, %min : tensor<4xf32>, tensor<4xf32>
}
