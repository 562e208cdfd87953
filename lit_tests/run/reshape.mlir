// RUN: stepwell run %s --values

// NumPy's reshape: row-major order stays.
// VALUE: flat([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
func.func @flat(%x : tensor<2x3x4xi8>) -> tensor<24xi8> {
  %r = graph.reshape %x to <?> : tensor<2x3x4xi8> -> tensor<24xi8>
  func.return %r : tensor<24xi8>
}
// VALUE: across([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17], [18, 19, 20, 21, 22, 23]]
func.func @across(%x : tensor<2x3x4xi8>) -> tensor<4x6xi8> {
  %r = graph.reshape %x to <4, 6> : tensor<2x3x4xi8> -> tensor<4x6xi8>
  func.return %r : tensor<4x6xi8>
}
// VALUE: keeps_the_first([[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]) = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]]
func.func @keeps_the_first(%x : tensor<2x3x4xi8>) -> tensor<2x12xi8> {
  %r = graph.reshape %x to <d0, ?> : tensor<2x3x4xi8> -> tensor<2x12xi8>
  func.return %r : tensor<2x12xi8>
}
// VALUE: ones([1, 2]) = [[[1]], [[2]]]
func.func @ones(%x : tensor<2xf32>) -> tensor<2x1x1xf32> {
  %r = graph.reshape %x to <d0, 1, 1> : tensor<2xf32> -> tensor<2x1x1xf32>
  func.return %r : tensor<2x1x1xf32>
}
// VALUE: without_ones([[[1]], [[2]]]) = [1, 2]
func.func @without_ones(%x : tensor<2x1x1xf32>) -> tensor<2xf32> {
  %r = graph.reshape %x to <d0> : tensor<2x1x1xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// Between a transpose and another: the order that is kept is the new one.
// VALUE: of_a_transpose([[1, 2, 3], [4, 5, 6]]) = [1, 4, 2, 5, 3, 6]
func.func @of_a_transpose(%x : tensor<2x3xf32>) -> tensor<6xf32> {
  %t = graph.permute_dims %x [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %y = graph.reshape %t to <6> : tensor<3x2xf32> -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
