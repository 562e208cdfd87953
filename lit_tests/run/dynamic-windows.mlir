// RUN: stepwell run %s --values

// By hand: images whose size is known only when it runs, batches too.
// VALUE: conv([[[[1, 2, 3], [4, 5, 6]]]]) = [[[[6, 8]]]]
// VALUE: conv([[[[1, 2], [3, 4], [5, 6]]], [[[7, 8], [9, 10], [11, 12]]]]) = [[[[5], [9]]], [[[17], [21]]]]
func.func @conv(%x : tensor<?x1x?x?xf32>) -> tensor<?x1x?x?xf32> {
  %w = graph.constant #graph.array<[[[[1.0, 0.0], [0.0, 1.0]]]] : tensor<1x1x2x2xf32>>
  %y = graph.conv2d %x, %w : tensor<?x1x?x?xf32>, tensor<1x1x2x2xf32> -> tensor<?x1x?x?xf32>
  func.return %y : tensor<?x1x?x?xf32>
}
// VALUE: same([[[[1, 2, 3]]]]) = [[[[3, 6, 5]]]]
// VALUE: same([[[[4]]]]) = [[[[4]]]]
func.func @same(%x : tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32> {
  %w = graph.constant #graph.array<[[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]] : tensor<1x1x3x3xf32>>
  %y = graph.conv2d %x, %w pads [1, 1, 1, 1] : tensor<1x1x?x?xf32>, tensor<1x1x3x3xf32> -> tensor<1x1x?x?xf32>
  func.return %y : tensor<1x1x?x?xf32>
}
// VALUE: pool([[[[1, 2, 3, 4, 5]]]]) = [[[[2, 4, 5]]]]
// VALUE: pool([[[[1, 2, 3, 4]]]]) = [[[[2, 4]]]]
func.func @pool(%x : tensor<1x1x?x?xf32>) -> tensor<1x1x?x?xf32> {
  %y = graph.max_pool2d %x kernel [1, 2] strides [1, 2] ceil_mode : tensor<1x1x?x?xf32> -> tensor<1x1x?x?xf32>
  func.return %y : tensor<1x1x?x?xf32>
}
