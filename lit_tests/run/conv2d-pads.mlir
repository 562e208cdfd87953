// RUN: stepwell run %s --values

// onnxruntime, on whole numbers; pads are top, left, bottom, right.
// VALUE: same([[[[-2, -1, 3, -3], [0, 3, 0, -1], [0, -2, 1, -3]]]], [[[[0, -3, -3], [-2, 2, -1], [-1, 1, -3]]]]) = [[[[-12, 2, 11, -13], [12, -5, 7, 3], [-7, -14, 12, -5]]]]
func.func @same(%x : tensor<1x1x3x4xf32>, %w : tensor<1x1x3x3xf32>) -> tensor<1x1x3x4xf32> {
  %r = graph.conv2d %x, %w pads [1, 1, 1, 1] : tensor<1x1x3x4xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x3x4xf32>
  func.return %r : tensor<1x1x3x4xf32>
}
// VALUE: begin_only([[[[3, 0, 3], [2, -2, -1], [1, 2, 3]]]], [[[[0, -3], [3, 2]]]]) = [[[[6, 9, 6], [-5, 2, -17], [-4, 13, 15]]]]
func.func @begin_only(%x : tensor<1x1x3x3xf32>, %w : tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.conv2d %x, %w pads [1, 1, 0, 0] : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE: end_only([[[[1, -1, -3], [2, -2, -1], [3, 1, -1]]]], [[[[0, 1], [-3, -2]]]]) = [[[[-3, 5, 3], [-13, -2, 3], [1, -1, 0]]]]
func.func @end_only(%x : tensor<1x1x3x3xf32>, %w : tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.conv2d %x, %w pads [0, 0, 1, 1] : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE: all_different([[[[2, 1, 2], [2, 0, -1], [-1, -2, 3]]]], [[[[-3, -1, -3, 3, 1], [-1, 2, -1, 0, -1], [2, -3, 0, -2, 3], [-2, -1, -3, 0, 0]]]]) = [[[[-5, -4, 6], [3, 11, 2], [8, -9, -5]]]]
func.func @all_different(%x : tensor<1x1x3x3xf32>, %w : tensor<1x1x4x5xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.conv2d %x, %w pads [1, 3, 2, 1] : tensor<1x1x3x3xf32>, tensor<1x1x4x5xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE: with_strides([[[[2, 0, -2, -3, 3], [-2, 2, 3, -1, -3], [1, -1, -3, 3, 3], [-3, 2, -1, -3, 2], [2, -3, -3, -3, 3]]]], [[[[3, 2, 1, -3, -2], [0, 0, -3, -2, 1], [3, -3, 3, -1, -3], [3, 0, 1, -2, 3], [-1, -1, 2, 2, 1]]]]) = [[[[29, -9], [22, -15]]]]
func.func @with_strides(%x : tensor<1x1x5x5xf32>, %w : tensor<1x1x5x5xf32>) -> tensor<1x1x2x2xf32> {
  %r = graph.conv2d %x, %w strides [2, 2] pads [1, 1, 2, 2] : tensor<1x1x5x5xf32>, tensor<1x1x5x5xf32> -> tensor<1x1x2x2xf32>
  func.return %r : tensor<1x1x2x2xf32>
}
// VALUE: larger_than_the_image([[[[-2]]]], [[[[-2, 0, -1], [-3, -1, 2], [-1, -1, 1]]]]) = [[[[2]]]]
func.func @larger_than_the_image(%x : tensor<1x1x1x1xf32>, %w : tensor<1x1x3x3xf32>) -> tensor<1x1x1x1xf32> {
  %r = graph.conv2d %x, %w pads [1, 1, 1, 1] : tensor<1x1x1x1xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x1x1xf32>
  func.return %r : tensor<1x1x1x1xf32>
}
