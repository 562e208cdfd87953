// RUN: stepwell run %s --values

// By hand (small) and NumPy (batches): vectors are rows or columns, leading axes broadcast.
// VALUE: vector_matrix([1, 2], [[1, 2, 3], [4, 5, 6]]) = [9, 12, 15]
func.func @vector_matrix(%a : tensor<2xf32>, %b : tensor<2x3xf32>) -> tensor<3xf32> {
  %r = graph.matmul %a, %b : tensor<2xf32>, tensor<2x3xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// VALUE: matrix_vector([[1, 2, 3], [4, 5, 6]], [1, 0, -1]) = [-2, -2]
func.func @matrix_vector(%a : tensor<2x3xf32>, %b : tensor<3xf32>) -> tensor<2xf32> {
  %r = graph.matmul %a, %b : tensor<2x3xf32>, tensor<3xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// VALUE: batches([[[[-2, 3, -2], [3, 2, 2]]], [[[-3, -1, 1], [0, 1, 1]]]], [[[1, -3], [3, 0], [3, -2]], [[-1, 3], [-2, -3], [-1, 1]]]) = [[[[1, 10], [15, -13]], [[-2, -17], [-9, 5]]], [[[-3, 7], [6, -2]], [[4, -5], [-3, -2]]]]
func.func @batches(%a : tensor<2x1x2x3xf32>, %b : tensor<2x3x2xf32>) -> tensor<2x2x2x2xf32> {
  %r = graph.matmul %a, %b : tensor<2x1x2x3xf32>, tensor<2x3x2xf32> -> tensor<2x2x2x2xf32>
  func.return %r : tensor<2x2x2x2xf32>
}
// VALUE: batch_of_vectors([[[-3, 3], [-1, -2]], [[0, 3], [3, 3]]], [1, 2]) = [[3, -5], [6, 9]]
func.func @batch_of_vectors(%a : tensor<2x2x2xf32>, %b : tensor<2xf32>) -> tensor<2x2xf32> {
  %r = graph.matmul %a, %b : tensor<2x2x2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}
// VALUE: outer([[1], [2], [3]], [[4, 5]]) = [[4, 5], [8, 10], [12, 15]]
func.func @outer(%a : tensor<3x1xf32>, %b : tensor<1x2xf32>) -> tensor<3x2xf32> {
  %r = graph.matmul %a, %b : tensor<3x1xf32>, tensor<1x2xf32> -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}
// Sizes that no vector width divides.
// VALUE: odd([[-1, -3, 2, 1, 2, -3, -3], [0, -1, 0, 3, -2, 0, -1], [-1, 2, -2, -1, -3, -2, -2], [1, 1, 0, -2, 2, 2, -2], [-3, -1, -2, 2, 0, 0, -1]], [[0, 3, -2, 2, -3, -1, 3, 3, -3, 2, 2], [0, -1, 3, 3, 1, -1, -2, 3, -2, 0, 1], [-2, -1, 2, -2, 1, 3, 1, 1, 0, 3, -2], [-1, 1, 1, -3, -2, 1, 2, 1, 3, -1, -1], [2, -3, -2, -2, -1, -2, 2, 2, -1, -3, 1], [-3, 1, -2, 3, 1, 3, 1, 2, -1, 2, -3], [-2, -1, 1, 0, 2, 3, -1, -1, 0, 1, 0]]) = [[14, -7, -3, -31, -11, -11, 11, -8, 13, -12, 1], [-5, 11, 3, -8, -7, 5, 5, -3, 13, 2, -6], [9, 5, 11, 11, 2, -14, -17, -8, 1, -4, 8], [4, -2, -11, 13, -2, -8, 5, 14, -15, 0, 1], [4, -3, 0, -11, 0, -3, -4, -11, 17, -15, -5]]
func.func @odd(%a : tensor<5x7xf32>, %b : tensor<7x11xf32>) -> tensor<5x11xf32> {
  %r = graph.matmul %a, %b : tensor<5x7xf32>, tensor<7x11xf32> -> tensor<5x11xf32>
  func.return %r : tensor<5x11xf32>
}
