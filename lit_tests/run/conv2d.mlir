// RUN: stepwell run %s --values

// onnxruntime, on whole numbers: every bit counts.
// VALUE: plain([[[[1, 3, 2, -1], [-1, -1, -2, -3], [2, -1, -1, 1], [0, 3, 1, 3]], [[1, -1, -1, 3], [1, -2, 2, 2], [-3, -2, 1, -1], [-1, -3, -2, 3]]]], [[[[2, 2, 1], [-3, -1, 0], [3, -2, 0]], [[0, 0, 0], [1, -3, 3], [3, 2, -2]]], [[[0, 0, -1], [-3, 2, -3], [2, -2, 1]], [[-1, -2, 3], [0, 3, -2], [0, -1, 0]]]]) = [[[[20, 9], [-16, -25]], [[0, 23], [-4, 19]]]]
func.func @plain(%x : tensor<1x2x4x4xf32>, %w : tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  %r = graph.conv2d %x, %w : tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32> -> tensor<1x2x2x2xf32>
  func.return %r : tensor<1x2x2x2xf32>
}
// VALUE: bias([[[[-3, 1, -1], [3, -2, -1], [-3, 2, 0]]], [[[-1, 3, 1], [3, 2, 1], [0, -2, 1]]]], [[[[2, 1], [-1, -3]]], [[[2, -3], [2, -2]]]], [10, -20]) = [[[[8, 16], [11, 3]], [[-19, -17], [-18, -17]]], [[[2, 12], [24, 14]], [[-29, -15], [-16, -25]]]]
func.func @bias(%x : tensor<2x1x3x3xf32>, %w : tensor<2x1x2x2xf32>, %b : tensor<2xf32>) -> tensor<2x2x2x2xf32> {
  %r = graph.conv2d %x, %w, %b : tensor<2x1x3x3xf32>, tensor<2x1x2x2xf32>, tensor<2xf32> -> tensor<2x2x2x2xf32>
  func.return %r : tensor<2x2x2x2xf32>
}
// VALUE: one_by_one([[[[-1, -2], [0, -2]], [[-2, -3], [3, -2]], [[-2, 1], [-3, 3]]]], [[[[2]], [[-1]], [[-1]]], [[[-1]], [[2]], [[-1]]]]) = [[[[2, -2], [0, -5]], [[-1, -5], [9, -5]]]]
func.func @one_by_one(%x : tensor<1x3x2x2xf32>, %w : tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32> {
  %r = graph.conv2d %x, %w : tensor<1x3x2x2xf32>, tensor<2x3x1x1xf32> -> tensor<1x2x2x2xf32>
  func.return %r : tensor<1x2x2x2xf32>
}
// VALUE: strides([[[[-2, 1, -3, 2, -1, 3], [-2, -1, 3, 1, -3, -1], [-3, 2, -1, -2, 2, 3], [-3, 0, -1, 2, 3, 0], [2, -1, 1, 0, 2, -3]]]], [[[[-2, -3], [3, 0], [0, 0]]]]) = [[[[-5, 2], [-9, 4]]]]
func.func @strides(%x : tensor<1x1x5x6xf32>, %w : tensor<1x1x3x2xf32>) -> tensor<1x1x2x2xf32> {
  %r = graph.conv2d %x, %w strides [2, 3] : tensor<1x1x5x6xf32>, tensor<1x1x3x2xf32> -> tensor<1x1x2x2xf32>
  func.return %r : tensor<1x1x2x2xf32>
}
// VALUE: whole_image([[[[-3, 2, 2, -3], [1, 0, -1, 0], [3, 1, 0, 2]], [[1, 0, 2, 0], [1, 0, 1, 1], [3, -2, -1, 0]]]], [[[[-1, 1, 2, -2], [-3, 3, 0, 2], [2, 3, -3, -1]], [[3, 0, -1, -2], [-3, -3, 3, -3], [-3, -2, -2, 3]]], [[[-1, -2, -1, 1], [0, -2, -3, -3], [0, -2, 1, 1]], [[-1, 0, -3, 0], [-2, 0, -3, -2], [-1, 0, -3, 3]]]]) = [[[[14]], [[-17]]]]
func.func @whole_image(%x : tensor<1x2x3x4xf32>, %w : tensor<2x2x3x4xf32>) -> tensor<1x2x1x1xf32> {
  %r = graph.conv2d %x, %w : tensor<1x2x3x4xf32>, tensor<2x2x3x4xf32> -> tensor<1x2x1x1xf32>
  func.return %r : tensor<1x2x1x1xf32>
}
// VALUE: rows_only([[[[-1], [-2], [-2], [2], [0]]]], [[[[-2], [0], [-2]]]]) = [[[[6], [0], [4]]]]
func.func @rows_only(%x : tensor<1x1x5x1xf32>, %w : tensor<1x1x3x1xf32>) -> tensor<1x1x3x1xf32> {
  %r = graph.conv2d %x, %w : tensor<1x1x5x1xf32>, tensor<1x1x3x1xf32> -> tensor<1x1x3x1xf32>
  func.return %r : tensor<1x1x3x1xf32>
}
// By hand: NaN and infinity stay where their window is.
// VALUE: special([[[[nan, 1, 2, inf]]]], [[[[1, 1]]]]) = [[[[nan, 3, inf]]]]
func.func @special(%x : tensor<1x1x1x4xf32>, %w : tensor<1x1x1x2xf32>) -> tensor<1x1x1x3xf32> {
  %r = graph.conv2d %x, %w : tensor<1x1x1x4xf32>, tensor<1x1x1x2xf32> -> tensor<1x1x1x3xf32>
  func.return %r : tensor<1x1x1x3xf32>
}
// By hand: integers wrap.
// VALUE: i8([[[[100, 100]]]], [[[[1, 1]]]]) = [[[[-56]]]]
func.func @i8(%x : tensor<1x1x1x2xi8>, %w : tensor<1x1x1x2xi8>) -> tensor<1x1x1x1xi8> {
  %r = graph.conv2d %x, %w : tensor<1x1x1x2xi8>, tensor<1x1x1x2xi8> -> tensor<1x1x1x1xi8>
  func.return %r : tensor<1x1x1x1xi8>
}
// By hand: f16 adds up in f32.
// VALUE: f16([[[[2048, 1, 1]]]], [[[[1, 1, 1]]]]) = [[[[2050]]]]
func.func @f16(%x : tensor<1x1x1x3xf16>, %w : tensor<1x1x1x3xf16>) -> tensor<1x1x1x1xf16> {
  %r = graph.conv2d %x, %w : tensor<1x1x1x3xf16>, tensor<1x1x1x3xf16> -> tensor<1x1x1x1xf16>
  func.return %r : tensor<1x1x1x1xf16>
}
