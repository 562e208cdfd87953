// RUN: stepwell run %s --values

// By hand: [1 2 3; 4 5 6] x [1 0; 0 1; 1 1] = [4 5; 10 11], then + [10, 20].
// VALUE: main([[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]], [10, 20]) = [[14, 25], [20, 31]]
func.func @main(%x : tensor<2x3xf32>, %w : tensor<3x2xf32>, %b : tensor<2xf32>) -> tensor<2x2xf32> {
  %m = graph.matmul %x, %w : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  %y = graph.add %m, %b : tensor<2x2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
