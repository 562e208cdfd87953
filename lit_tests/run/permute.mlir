// RUN: stepwell run %s --values

// NumPy's transpose.
// VALUE: swap([[1, 2, 3], [4, 5, 6]]) = [[1, 4], [2, 5], [3, 6]]
func.func @swap(%x : tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = graph.permute_dims %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}
// VALUE: rotate([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[0, 4, 8], [12, 16, 20]], [[1, 5, 9], [13, 17, 21]], [[2, 6, 10], [14, 18, 22]], [[3, 7, 11], [15, 19, 23]]]
func.func @rotate(%x : tensor<2x3x4xi8>) -> tensor<4x2x3xi8> {
  %r = graph.permute_dims %x [2, 0, 1] : tensor<2x3x4xi8> -> tensor<4x2x3xi8>
  func.return %r : tensor<4x2x3xi8>
}
// VALUE: other_rotation([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[0, 12], [1, 13], [2, 14], [3, 15]], [[4, 16], [5, 17], [6, 18], [7, 19]], [[8, 20], [9, 21], [10, 22], [11, 23]]]
func.func @other_rotation(%x : tensor<2x3x4xi8>) -> tensor<3x4x2xi8> {
  %r = graph.permute_dims %x [1, 2, 0] : tensor<2x3x4xi8> -> tensor<3x4x2xi8>
  func.return %r : tensor<3x4x2xi8>
}
// Two in a row: [1, 0, 2] and then [0, 2, 1] are [1, 2, 0].
// VALUE: two([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[[0, 12], [1, 13], [2, 14], [3, 15]], [[4, 16], [5, 17], [6, 18], [7, 19]], [[8, 20], [9, 21], [10, 22], [11, 23]]]
func.func @two(%x : tensor<2x3x4xi8>) -> tensor<3x4x2xi8> {
  %0 = graph.permute_dims %x [1, 0, 2] : tensor<2x3x4xi8> -> tensor<3x2x4xi8>
  %1 = graph.permute_dims %0 [0, 2, 1] : tensor<3x2x4xi8> -> tensor<3x4x2xi8>
  func.return %1 : tensor<3x4x2xi8>
}
// VALUE: images([[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]]) = [[[[0, 6], [1, 7], [2, 8]], [[3, 9], [4, 10], [5, 11]]]]
func.func @images(%x : tensor<1x2x2x3xf64>) -> tensor<1x2x3x2xf64> {
  %r = graph.permute_dims %x [0, 2, 3, 1] : tensor<1x2x2x3xf64> -> tensor<1x2x3x2xf64>
  func.return %r : tensor<1x2x3x2xf64>
}
// VALUE: truth([[True, False], [True, True]]) = [[True, True], [False, True]]
func.func @truth(%x : tensor<2x2xi1>) -> tensor<2x2xi1> {
  %r = graph.permute_dims %x [1, 0] : tensor<2x2xi1> -> tensor<2x2xi1>
  func.return %r : tensor<2x2xi1>
}
// VALUE: keeps_bits([[nan, -0.0], [1e-40, inf]]) = [[nan, 1e-40], [-0.0, inf]]
func.func @keeps_bits(%x : tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = graph.permute_dims %x [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}
// A product with a transposed operand.
// VALUE: product([[1, 2], [3, 4]], [[1, 2], [3, 4]]) = [[5, 11], [11, 25]]
func.func @product(%a : tensor<2x2xf32>, %b : tensor<2x2xf32>) -> tensor<2x2xf32> {
  %t = graph.permute_dims %b [1, 0] : tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.matmul %a, %t : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
