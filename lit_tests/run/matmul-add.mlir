// RUN: stepwell run %s --values

// By hand. The product is [[1, 2], [3, 4]] x [[1, 0], [0, 1]], and what is added broadcasts as it says.
// VALUE: row([[1, 2], [3, 4]], [10, 20]) = [[11, 22], [13, 24]]
func.func @row(%a : tensor<2x2xf32>, %v : tensor<2xf32>) -> tensor<2x2xf32> {
  %i = graph.constant #graph.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>
  %m = graph.matmul %a, %i : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.add %m, %v : tensor<2x2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
// Along columns: the length alone does not tell it apart.
// VALUE: column([[1, 2], [3, 4]], [[10], [20]]) = [[11, 12], [23, 24]]
func.func @column(%a : tensor<2x2xf32>, %v : tensor<2x1xf32>) -> tensor<2x2xf32> {
  %i = graph.constant #graph.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>
  %m = graph.matmul %a, %i : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.add %v, %m : tensor<2x1xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
// The sum has a higher rank than the product.
// VALUE: deeper([[1, 2], [3, 4]], [[[[10, 20]]], [[[30, 40]]]]) = [[[[11, 22], [13, 24]]], [[[31, 42], [33, 44]]]]
func.func @deeper(%a : tensor<2x2xf32>, %v : tensor<2x1x1x2xf32>) -> tensor<2x1x2x2xf32> {
  %i = graph.constant #graph.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>
  %m = graph.matmul %a, %i : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.add %m, %v : tensor<2x2xf32>, tensor<2x1x1x2xf32> -> tensor<2x1x2x2xf32>
  func.return %y : tensor<2x1x2x2xf32>
}
// The product is read again: both readers see it as it is.
// VALUE: read_twice([[1, -2], [-3, 4]], [1, 1]) = [[2, -1], [-2, 5]], [[1, 0], [0, 4]]
func.func @read_twice(%a : tensor<2x2xf32>, %v : tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %i = graph.constant #graph.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>
  %m = graph.matmul %a, %i : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.add %m, %v : tensor<2x2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  %z = graph.relu %m : tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}
// Added to itself.
// VALUE: itself([[1, 2], [3, 4]]) = [[2, 4], [6, 8]]
func.func @itself(%a : tensor<2x2xf32>) -> tensor<2x2xf32> {
  %i = graph.constant #graph.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>
  %m = graph.matmul %a, %i : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.add %m, %m : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
