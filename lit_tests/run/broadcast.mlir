// RUN: stepwell run %s --values

// By hand, and NumPy for the largest.
// VALUE: column([[10], [20]], [1, 2, 3]) = [[11, 12, 13], [21, 22, 23]]
func.func @column(%a : tensor<2x1xf32>, %b : tensor<3xf32>) -> tensor<2x3xf32> {
  %y = graph.add %a, %b : tensor<2x1xf32>, tensor<3xf32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
// Leading axes of size 1 do not make the ranks equal.
// VALUE: leading([[[1, 2, 3]]], [10, 20, 30]) = [[[11, 22, 33]]]
func.func @leading(%a : tensor<1x1x3xf32>, %b : tensor<3xf32>) -> tensor<1x1x3xf32> {
  %y = graph.add %a, %b : tensor<1x1x3xf32>, tensor<3xf32> -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
// VALUE: other_way([1, 2], [[[10], [20]], [[30], [40]]]) = [[[-9, -8], [-19, -18]], [[-29, -28], [-39, -38]]]
func.func @other_way(%a : tensor<2xf32>, %b : tensor<2x2x1xf32>) -> tensor<2x2x2xf32> {
  %y = graph.subtract %a, %b : tensor<2xf32>, tensor<2x2x1xf32> -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}
// VALUE: scalar([1, 2, 3], 4) = [4, 8, 12]
func.func @scalar(%a : tensor<3xf32>, %b : tensor<f32>) -> tensor<3xf32> {
  %y = graph.multiply %a, %b : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
// VALUE: both([[1], [2]], [[10, 20, 30]]) = [[10, 20, 30], [20, 40, 60]]
func.func @both(%a : tensor<2x1xf32>, %b : tensor<1x3xf32>) -> tensor<2x3xf32> {
  %y = graph.multiply %a, %b : tensor<2x1xf32>, tensor<1x3xf32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
// VALUE: with_empty([[1], [2]], [[]]) = [[], []]
func.func @with_empty(%a : tensor<2x1xf32>, %b : tensor<1x0xf32>) -> tensor<2x0xf32> {
  %y = graph.add %a, %b : tensor<2x1xf32>, tensor<1x0xf32> -> tensor<2x0xf32>
  func.return %y : tensor<2x0xf32>
}
// VALUE: four([[[[1], [2], [-3]]], [[[2], [0], [0]]]], [[[1, -1, 3, -3, -2]], [[-1, 0, -1, -3, -3]], [[-3, -3, -2, 3, -2]], [[1, 2, -2, -2, 0]]]) = [[[[1, -1, 3, -3, -2], [2, -2, 6, -6, -4], [-3, 3, -9, 9, 6]], [[-1, 0, -1, -3, -3], [-2, 0, -2, -6, -6], [3, -0.0, 3, 9, 9]], [[-3, -3, -2, 3, -2], [-6, -6, -4, 6, -4], [9, 9, 6, -9, 6]], [[1, 2, -2, -2, 0], [2, 4, -4, -4, 0], [-3, -6, 6, 6, -0.0]]], [[[2, -2, 6, -6, -4], [0, -0.0, 0, -0.0, -0.0], [0, -0.0, 0, -0.0, -0.0]], [[-2, 0, -2, -6, -6], [-0.0, 0, -0.0, -0.0, -0.0], [-0.0, 0, -0.0, -0.0, -0.0]], [[-6, -6, -4, 6, -4], [-0.0, -0.0, -0.0, 0, -0.0], [-0.0, -0.0, -0.0, 0, -0.0]], [[2, 4, -4, -4, 0], [0, 0, -0.0, -0.0, 0], [0, 0, -0.0, -0.0, 0]]]]
func.func @four(%a : tensor<2x1x3x1xf32>, %b : tensor<4x1x5xf32>) -> tensor<2x4x3x5xf32> {
  %y = graph.multiply %a, %b : tensor<2x1x3x1xf32>, tensor<4x1x5xf32> -> tensor<2x4x3x5xf32>
  func.return %y : tensor<2x4x3x5xf32>
}
