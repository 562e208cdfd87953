// RUN: stepwell run %s --values

// By hand: NaN anywhere is the maximum and the minimum; of zeros the maximum is +0, the minimum -0.
// VALUE: max([[nan, 1, 2], [1, nan, 2], [1, 2, nan], [-inf, -inf, -inf]]) = [nan, nan, nan, -inf]
func.func @max(%x : tensor<4x3xf32>) -> tensor<4xf32> {
  %r = graph.max %x [1] : tensor<4x3xf32> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// VALUE: min([[nan, 1, 2], [1, nan, 2], [1, 2, nan], [inf, inf, inf]]) = [nan, nan, nan, inf]
func.func @min(%x : tensor<4x3xf32>) -> tensor<4xf32> {
  %r = graph.min %x [1] : tensor<4x3xf32> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// VALUE: max_zero([[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]]) = [0.0, 0.0, -0.0]
func.func @max_zero(%x : tensor<3x2xf32>) -> tensor<3xf32> {
  %r = graph.max %x [1] : tensor<3x2xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// VALUE: min_zero([[0.0, -0.0], [-0.0, 0.0], [0.0, 0.0]]) = [-0.0, -0.0, 0.0]
func.func @min_zero(%x : tensor<3x2xf32>) -> tensor<3xf32> {
  %r = graph.min %x [1] : tensor<3x2xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// VALUE: sum([[inf, -inf], [inf, 1], [nan, 1], [3e38, 3e38]]) = [nan, inf, nan, inf]
func.func @sum(%x : tensor<4x2xf32>) -> tensor<4xf32> {
  %r = graph.sum %x [1] : tensor<4x2xf32> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// VALUE: prod([[inf, 0], [2, nan], [1e-30, 1e-30]]) = [nan, nan, 0]
func.func @prod(%x : tensor<3x2xf32>) -> tensor<3xf32> {
  %r = graph.prod %x [1] : tensor<3x2xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// 17 elements, the NaN in the tail that is left after whole vectors.
// VALUE: tail([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, nan]) = nan
func.func @tail(%x : tensor<17xf32>) -> tensor<f32> {
  %r = graph.max %x [0] : tensor<17xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
