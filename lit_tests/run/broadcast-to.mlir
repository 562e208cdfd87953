// RUN: stepwell run %s --values

// NumPy's broadcast_to.
// VALUE: rows([1, 2]) = [[1, 2], [1, 2], [1, 2]]
func.func @rows(%x : tensor<2xf32>) -> tensor<3x2xf32> {
  %r = graph.broadcast_to %x to <3, d0> : tensor<2xf32> -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}
// VALUE: columns([[1], [2]]) = [[1, 1, 1], [2, 2, 2]]
func.func @columns(%x : tensor<2x1xi32>) -> tensor<2x3xi32> {
  %r = graph.broadcast_to %x to <d0, 3> : tensor<2x1xi32> -> tensor<2x3xi32>
  func.return %r : tensor<2x3xi32>
}
// VALUE: to_empty([[1]]) = []
func.func @to_empty(%x : tensor<1x1xf32>) -> tensor<0x2xf32> {
  %r = graph.broadcast_to %x to <0, 2> : tensor<1x1xf32> -> tensor<0x2xf32>
  func.return %r : tensor<0x2xf32>
}
// VALUE: middle([[[1, 2]], [[3, 4]]]) = [[[[1, 2], [1, 2]], [[3, 4], [3, 4]]]]
func.func @middle(%x : tensor<2x1x2xui8>) -> tensor<1x2x2x2xui8> {
  %r = graph.broadcast_to %x to <1, d0, 2, d2> : tensor<2x1x2xui8> -> tensor<1x2x2x2xui8>
  func.return %r : tensor<1x2x2x2xui8>
}
