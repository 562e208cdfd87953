// RUN: stepwell run %s --values

// onnxruntime, on whole numbers.
// VALUE: two([[[[3, 2, -2, -1, 0, 0], [-2, -3, 1, -1, -1, 3], [2, 0, 3, 0, 3, 1], [-1, 0, 1, 2, 3, -2], [-3, -1, 1, 3, 3, 0], [-3, 3, -2, -3, -2, 2]]]], [[[[0, 0, -1], [0, 2, 3], [3, -3, 2]]]]) = [[[[9, -9], [5, 17]]]]
func.func @two(%x : tensor<1x1x6x6xf32>, %w : tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32> {
  %r = graph.conv2d %x, %w dilations [2, 2] : tensor<1x1x6x6xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  func.return %r : tensor<1x1x2x2xf32>
}
// VALUE: different([[[[0, -1, -2, -3, -1, -2, 2], [3, -1, -1, 2, -2, -3, -2], [3, 0, 3, -3, 1, -2, -2], [1, 1, 2, -2, 2, -1, -3], [-3, -3, -3, 1, -2, 0, -2]]]], [[[[2, 2, 2], [-2, 0, 2]]]]) = [[[[-4, -16, -12], [2, 2, -8]]]]
func.func @different(%x : tensor<1x1x5x7xf32>, %w : tensor<1x1x2x3xf32>) -> tensor<1x1x2x3xf32> {
  %r = graph.conv2d %x, %w dilations [3, 2] : tensor<1x1x5x7xf32>, tensor<1x1x2x3xf32> -> tensor<1x1x2x3xf32>
  func.return %r : tensor<1x1x2x3xf32>
}
// VALUE: same_size([[[[2, -3, 1, -3, 1], [-3, 1, 3, -1, 2], [-1, -3, 0, 3, 2], [-2, -2, -2, 0, 1], [1, -2, 2, 3, -2]]]], [[[[-1, 0, 0], [3, 1, 3], [-2, 1, 2]]]]) = [[[[4, -9, 16, -3, 6], [0, -4, 4, 6, 16], [4, 10, -3, 4, -5], [-8, -2, -2, -7, -8], [7, 7, 0, 0, 4]]]]
func.func @same_size(%x : tensor<1x1x5x5xf32>, %w : tensor<1x1x3x3xf32>) -> tensor<1x1x5x5xf32> {
  %r = graph.conv2d %x, %w pads [2, 2, 2, 2] dilations [2, 2] : tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x5x5xf32>
  func.return %r : tensor<1x1x5x5xf32>
}
// VALUE: with_strides([[[[2, 3, 0, 1, 2, -3, 2], [2, 0, 1, 2, 0, -3, 1], [1, -2, 0, -1, -3, 0, -1], [-3, -1, 1, -3, -2, -2, -2], [3, 3, -1, 1, 0, -2, -2], [1, 1, 3, -1, 3, 3, 2], [2, -1, 1, 1, -1, 1, 0]]]], [[[[-3, 0], [1, 2]]]]) = [[[[0, 0], [-2, -5], [2, 6]]]]
func.func @with_strides(%x : tensor<1x1x7x7xf32>, %w : tensor<1x1x2x2xf32>) -> tensor<1x1x3x2xf32> {
  %r = graph.conv2d %x, %w strides [2, 3] pads [0, 1, 1, 0] dilations [2, 3] : tensor<1x1x7x7xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x3x2xf32>
  func.return %r : tensor<1x1x3x2xf32>
}
