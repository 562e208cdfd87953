// RUN: stepwell run %s --values

// onnxruntime.
// VALUE~: plain([[[[-6, -3, -4, 0], [1, 3, -2, -5], [4, -7, 2, -1]]]]) = [[[[-1.25, -1.5, -2.75], [0.25, -1, -1.5]]]]
func.func @plain(%x : tensor<1x1x3x4xf32>) -> tensor<1x1x2x3xf32> {
  %r = graph.avg_pool2d %x kernel [2, 2] : tensor<1x1x3x4xf32> -> tensor<1x1x2x3xf32>
  func.return %r : tensor<1x1x2x3xf32>
}
// VALUE~: strides([[[[9, 3, -7, -4], [11, 18, 20, -1], [-3, 15, 19, 12], [7, -5, 23, 24]], [[14, 13, -6, 10], [21, 22, 1, 2], [0, 17, 5, 6], [4, 8, -2, 16]]]]) = [[[[10.25, 2], [3.5, 19.5]], [[17.5, 1.75], [7.25, 6.25]]]]
func.func @strides(%x : tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {
  %r = graph.avg_pool2d %x kernel [2, 2] strides [2, 2] : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
  func.return %r : tensor<1x2x2x2xf32>
}
// VALUE~: pads([[[[-7, -4, -5], [0, 1, -6], [-1, -3, -2]]]]) = [[[[-2.5, -3.5, -3.5], [-2.3333333, -3, -3.1666667], [-0.75, -1.8333334, -2.5]]]]
func.func @pads(%x : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.avg_pool2d %x kernel [3, 3] pads [1, 1, 1, 1] : tensor<1x1x3x3xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE~: pads_included([[[[-1, -2, -4], [0, -3, 1], [-5, -6, -7]]]]) = [[[[-0.6666667, -1, -0.8888889], [-1.8888888, -3, -2.3333333], [-1.5555556, -2.2222223, -1.6666666]]]]
func.func @pads_included(%x : tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.avg_pool2d %x kernel [3, 3] pads [1, 1, 1, 1] count_include_pad : tensor<1x1x3x3xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE~: uneven([[[[0, -3, 2], [4, -2, -5], [1, -6, -1], [-4, -7, 3]]]]) = [[[[-0.33333334, 2], [-0.6666667, -1.5], [-1.5, -3], [-2.3333333, 1]]]]
func.func @uneven(%x : tensor<1x1x4x3xf32>) -> tensor<1x1x4x2xf32> {
  %r = graph.avg_pool2d %x kernel [2, 3] strides [1, 2] pads [1, 0, 0, 2] : tensor<1x1x4x3xf32> -> tensor<1x1x4x2xf32>
  func.return %r : tensor<1x1x4x2xf32>
}
// VALUE~: ceil([[[[29, 33, 34, 19, 14, 12, 5], [18, -3, -4, 17, 21, 27, 25], [1, 10, 13, 9, -6, 11, 2], [28, 15, 4, 3, -1, 23, 8], [26, 7, 32, -7, -5, 24, 20], [30, 16, 6, 31, 0, -2, 22]]]]) = [[[[14.555555, 13, 12.333333], [15.111111, 4.6666665, 8.444445], [19.5, 9.5, 9.833333]]]]
func.func @ceil(%x : tensor<1x1x6x7xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.avg_pool2d %x kernel [3, 3] strides [2, 2] ceil_mode : tensor<1x1x6x7xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// VALUE~: ceil_pads_included([[[[8, -6, 16, -2, -3], [10, 13, 5, -4, 4], [7, 17, 15, 6, 11], [2, 1, 9, 0, -5], [-1, 3, 14, 12, -7]]]]) = [[[[2.7777777, 2.4444444, -0.5555556], [5.5555553, 6.888889, 1.3333334], [0.5555556, 4.3333335, 0]]]]
func.func @ceil_pads_included(%x : tensor<1x1x5x5xf32>) -> tensor<1x1x3x3xf32> {
  %r = graph.avg_pool2d %x kernel [3, 3] strides [2, 2] pads [1, 1, 1, 1] ceil_mode count_include_pad : tensor<1x1x5x5xf32> -> tensor<1x1x3x3xf32>
  func.return %r : tensor<1x1x3x3xf32>
}
// By hand: 2x2, a window of 3 with padding 1 and stride 3. The second window would start in the padding, so there is one.
// VALUE: dropped([[[[1, 2], [3, 6]]]]) = [[[[3]]]]
func.func @dropped(%x : tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32> {
  %r = graph.avg_pool2d %x kernel [3, 3] strides [3, 3] pads [1, 1, 1, 1] ceil_mode : tensor<1x1x2x2xf32> -> tensor<1x1x1x1xf32>
  func.return %r : tensor<1x1x1x1xf32>
}
// VALUE: special([[[[nan, 2, inf, 4]]]]) = [[[[nan, inf, inf]]]]
func.func @special(%x : tensor<1x1x1x4xf32>) -> tensor<1x1x1x3xf32> {
  %r = graph.avg_pool2d %x kernel [1, 2] : tensor<1x1x1x4xf32> -> tensor<1x1x1x3xf32>
  func.return %r : tensor<1x1x1x3xf32>
}
// f16: the sum of four does not fit, the mean does.
// VALUE: f16([[[[60000, 60000], [60000, 60000]]]]) = [[[[60000]]]]
func.func @f16(%x : tensor<1x1x2x2xf16>) -> tensor<1x1x1x1xf16> {
  %r = graph.avg_pool2d %x kernel [2, 2] : tensor<1x1x2x2xf16> -> tensor<1x1x1x1xf16>
  func.return %r : tensor<1x1x1x1xf16>
}
