// RUN: stepwell run %s --values

// NumPy, on small whole numbers: exact in any order.
// VALUE: last([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[0, 1, 3], [-2, -7, -5]]
func.func @last(%x : tensor<2x3x4xf32>) -> tensor<2x3xf32> {
  %r = graph.sum %x [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
// VALUE: first([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[-2, -3, 0, 3], [-2, -3, -3, 2], [-2, 3, -1, -2]]
func.func @first(%x : tensor<2x3x4xf32>) -> tensor<3x4xf32> {
  %r = graph.sum %x [0] : tensor<2x3x4xf32> -> tensor<3x4xf32>
  func.return %r : tensor<3x4xf32>
}
// VALUE: middle([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[[1, 1, 1, 1]], [[-7, -4, -5, 2]]]
func.func @middle(%x : tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %r = graph.sum %x [1] keepdims : tensor<2x3x4xf32> -> tensor<2x1x4xf32>
  func.return %r : tensor<2x1x4xf32>
}
// VALUE: outer_two([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [-2, -6, -2]
func.func @outer_two(%x : tensor<2x3x4xf32>) -> tensor<3xf32> {
  %r = graph.sum %x [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// VALUE: all([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[[-10]]]
func.func @all(%x : tensor<2x3x4xf32>) -> tensor<1x1x1xf32> {
  %r = graph.sum %x [0, 1, 2] keepdims : tensor<2x3x4xf32> -> tensor<1x1x1xf32>
  func.return %r : tensor<1x1x1xf32>
}
// VALUE: max_last([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[1, 3, 3], [2, -1, 1]]
func.func @max_last(%x : tensor<2x3x4xf32>) -> tensor<2x3xf32> {
  %r = graph.max %x [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
// VALUE: min_middle([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[-1, -2, -1, -3], [-3, -3, -3, -1]]
func.func @min_middle(%x : tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %r = graph.min %x [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}
// VALUE: prod_first([[[-1, 0, 0, 1], [1, -2, -1, 3], [1, 3, 2, -3]], [[-1, -3, 0, 2], [-3, -1, -2, -1], [-3, 0, -3, 1]]]) = [[1, -0.0, 0, 2], [-3, 2, 2, -3], [-3, 0, -6, -3]]
func.func @prod_first(%x : tensor<2x3x4xf32>) -> tensor<3x4xf32> {
  %r = graph.prod %x [0] : tensor<2x3x4xf32> -> tensor<3x4xf32>
  func.return %r : tensor<3x4xf32>
}
// VALUE: mean_halves([[-12, -12, 12, 0], [8, 0, 4, 4]]) = [-3, 4]
func.func @mean_halves(%x : tensor<2x4xf32>) -> tensor<2xf32> {
  %r = graph.mean %x [1] : tensor<2x4xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// VALUE: long([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36]) = 666
func.func @long(%x : tensor<37xf32>) -> tensor<f32> {
  %r = graph.sum %x [0] : tensor<37xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// Over no axes: the operand itself.
// VALUE: none([1, nan]) = [1, nan]
func.func @none(%x : tensor<2xf32>) -> tensor<2xf32> {
  %r = graph.sum %x [] : tensor<2xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
