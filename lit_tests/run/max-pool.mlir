// RUN: stepwell run %s --values

// onnxruntime. Every element is negative in some: the padding is never the largest.
// VALUE: plain([[[[3, -4, 6, -2], [0, -6, 5, 1], [-1, 7, 8, -7], [2, -3, 4, -5]]]]) = [[[[3, 6, 6], [7, 8, 8], [7, 8, 8]]]]
func.func @plain(%x : tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.max_pool2d %x kernel [2, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE: strides([[[[-1, 19, 2, 15, 23], [26, -7, 17, 29, -4], [21, 6, 8, 25, 5], [24, 28, -6, 9, 10]], [[-3, 3, 22, 27, -5], [11, 16, 12, 31, 4], [18, 7, 32, 20, 0], [1, 30, 13, 14, -2]]]]) = [[[[26, 29], [28, 25]], [[16, 31], [30, 32]]]]
func.func @strides(%x : tensor<1x2x4x5xf32>) -> tensor<1x2x2x2xf32> {
  %r = graph.max_pool2d %x kernel [2, 2] strides [2, 2] : tensor<1x2x4x5xf32> -> tensor<1x2x2x2xf32>
  func.return %r : tensor<1x2x2x2xf32>
}
// VALUE: pads([[[[-1, -2, -0.0], [-3, -4, -5], [-6, -1, -7]]]]) = [[[[-1, -0.0], [-1, -1]]]]
func.func @pads(%x : tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32> {
  %r = graph.max_pool2d %x kernel [3, 3] strides [2, 2] pads [1, 1, 1, 1] : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  func.return %r : tensor<1x1x2x2xf32>
}
// VALUE: uneven_pads([[[[-3, 2, 1, 0], [6, -6, -7, 7], [-4, -1, 3, 5], [4, -5, 8, -2]]]]) = [[[[6, 2, 7, 7], [6, 8, 8, 7], [4, 8, 8, -2]]]]
func.func @uneven_pads(%x : tensor<1x1x4x4xf32>) -> tensor<1x1x3x4xf32> {
  %r = graph.max_pool2d %x kernel [3, 2] strides [2, 1] pads [1, 0, 2, 1] : tensor<1x1x4x4xf32> -> tensor<1x1x3x4xf32>
  func.return %r : tensor<1x1x3x4xf32>
}
// VALUE: dilations([[[[11, 9, 15, 6, 1], [0, -5, 3, -1, 17], [5, -2, 2, 12, -3], [8, 16, 14, -4, 10], [-7, 4, -6, 13, 7]]]]) = [[[[15, 16, 15], [3, 13, 17]]]]
func.func @dilations(%x : tensor<1x1x5x5xf32>) -> tensor<1x1x2x3xf32> {
  %r = graph.max_pool2d %x kernel [2, 2] dilations [3, 2] : tensor<1x1x5x5xf32> -> tensor<1x1x2x3xf32>
  func.return %r : tensor<1x1x2x3xf32>
}
// VALUE: ceil([[[[10, 9, 33, 32, 24, 29, -4], [31, 7, 8, 12, -6, 28, 13], [21, 22, -1, 27, -7, -3, 14], [6, 16, 0, 26, -2, 30, 20], [25, 3, 1, 5, 18, 23, 17], [11, 34, 15, -5, 4, 19, 2]]]]) = [[[[33, 33, 29], [25, 27, 30], [34, 18, 23]]]]
func.func @ceil(%x : tensor<1x1x6x7xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.max_pool2d %x kernel [3, 3] strides [2, 2] ceil_mode : tensor<1x1x6x7xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE: ceil_pads([[[[16, 6, 36, 9, 22, 24, 1], [-6, 10, 40, 26, -3, 33, 12], [0, 34, 2, 25, 38, 27, 39], [5, -4, 4, 41, 28, 7, -7], [29, 20, -2, 31, 8, 35, 14], [15, 37, 18, -1, 17, 23, 13], [19, -5, 21, 3, 30, 32, 11]]]]) = [[[[16, 36, 22, 24], [0, 40, 38, 39], [29, 20, 41, 35], [19, 37, 30, 32]]]]
func.func @ceil_pads(%x : tensor<1x1x7x7xf32>) -> tensor<1x1x4x4xf32> {
  %r = graph.max_pool2d %x kernel [2, 2] strides [2, 2] pads [1, 1, 1, 1] ceil_mode : tensor<1x1x7x7xf32> -> tensor<1x1x4x4xf32>
  func.return %r : tensor<1x1x4x4xf32>
}
// By hand: NaN in a window is its maximum; -inf is larger than the padding.
// VALUE: special([[[[nan, 1, 2, -inf, -inf]]]]) = [[[[nan, 2, 2, -inf]]]]
func.func @special(%x : tensor<1x1x1x5xf32>) -> tensor<1x1x1x4xf32> {
  %r = graph.max_pool2d %x kernel [1, 2] : tensor<1x1x1x5xf32> -> tensor<1x1x1x4xf32>
  func.return %r : tensor<1x1x1x4xf32>
}
// VALUE: i8([[[[-128, -5], [-7, -9]]]]) = [[[[-128, -5, -5], [-7, -5, -5], [-7, -7, -9]]]]
func.func @i8(%x : tensor<1x1x2x2xi8>) -> tensor<1x1x3x3xi8> {
  %r = graph.max_pool2d %x kernel [2, 2] pads [1, 1, 1, 1] : tensor<1x1x2x2xi8> -> tensor<1x1x3x3xi8>
  func.return %r : tensor<1x1x3x3xi8>
}
// VALUE: ui8([[[[200, 5], [7, 255]]]]) = [[[[255]]]]
func.func @ui8(%x : tensor<1x1x2x2xui8>) -> tensor<1x1x1x1xui8> {
  %r = graph.max_pool2d %x kernel [2, 2] : tensor<1x1x2x2xui8> -> tensor<1x1x1x1xui8>
  func.return %r : tensor<1x1x1x1xui8>
}
