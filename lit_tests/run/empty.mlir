// RUN: stepwell run %s --values

// By hand and the ONNX specification: over no elements the sum is 0, the product 1, the maximum the least value there is, the mean 0 / 0.
// VALUE: relu([[], []]) = [[], []]
func.func @relu(%x : tensor<2x0xf32>) -> tensor<2x0xf32> {
  %y = graph.relu %x : tensor<2x0xf32>
  func.return %y : tensor<2x0xf32>
}
// VALUE: sum([[], []]) = [0, 0]
func.func @sum(%x : tensor<2x0xf32>) -> tensor<2xf32> {
  %r = graph.sum %x [1] : tensor<2x0xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// VALUE: sum_keeps([]) = [0]
func.func @sum_keeps(%x : tensor<0xf32>) -> tensor<1xf32> {
  %r = graph.sum %x [0] keepdims : tensor<0xf32> -> tensor<1xf32>
  func.return %r : tensor<1xf32>
}
// VALUE: sum_of_none([[], []]) = []
func.func @sum_of_none(%x : tensor<2x0xf32>) -> tensor<0xf32> {
  %r = graph.sum %x [0] : tensor<2x0xf32> -> tensor<0xf32>
  func.return %r : tensor<0xf32>
}
// VALUE: max([[], []]) = [-inf, -inf]
func.func @max(%x : tensor<2x0xf32>) -> tensor<2xf32> {
  %r = graph.max %x [1] : tensor<2x0xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// VALUE: min([]) = inf
func.func @min(%x : tensor<0xf32>) -> tensor<f32> {
  %r = graph.min %x [0] : tensor<0xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: prod([]) = 1
func.func @prod(%x : tensor<0xf32>) -> tensor<f32> {
  %r = graph.prod %x [0] : tensor<0xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: mean([]) = nan
func.func @mean(%x : tensor<0xf32>) -> tensor<f32> {
  %r = graph.mean %x [0] : tensor<0xf32> -> tensor<f32>
  func.return %r : tensor<f32>
}
// VALUE: max_i32([]) = -2147483648
func.func @max_i32(%x : tensor<0xi32>) -> tensor<i32> {
  %r = graph.max %x [0] : tensor<0xi32> -> tensor<i32>
  func.return %r : tensor<i32>
}
// VALUE: min_ui8([]) = 255
func.func @min_ui8(%x : tensor<0xui8>) -> tensor<ui8> {
  %r = graph.min %x [0] : tensor<0xui8> -> tensor<ui8>
  func.return %r : tensor<ui8>
}
// VALUE: max_f16([]) = -inf
func.func @max_f16(%x : tensor<0xf16>) -> tensor<f16> {
  %r = graph.max %x [0] : tensor<0xf16> -> tensor<f16>
  func.return %r : tensor<f16>
}
// VALUE: concat([1, 2], []) = [1, 2]
func.func @concat(%a : tensor<2xf32>, %b : tensor<0xf32>) -> tensor<2xf32> {
  %r = graph.concat %a, %b axis 0 : tensor<2xf32>, tensor<0xf32> -> tensor<2xf32>
  func.return %r : tensor<2xf32>
}
// VALUE: pad([]) = [7, 7, 7]
func.func @pad(%x : tensor<0xf32>) -> tensor<3xf32> {
  %r = graph.pad %x [1] [2] constant(7.0 : f32) : tensor<0xf32> -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}
// VALUE: slice([1, 2, 3]) = []
func.func @slice(%x : tensor<3xf32>) -> tensor<0xf32> {
  %r = graph.slice %x [2:1] : tensor<3xf32> -> tensor<0xf32>
  func.return %r : tensor<0xf32>
}
// VALUE: reshape([[], []]) = []
func.func @reshape(%x : tensor<2x0xf32>) -> tensor<0x5xf32> {
  %r = graph.reshape %x to <0, 5> : tensor<2x0xf32> -> tensor<0x5xf32>
  func.return %r : tensor<0x5xf32>
}
// VALUE: transpose([[], []]) = []
func.func @transpose(%x : tensor<2x0xf32>) -> tensor<0x2xf32> {
  %r = graph.permute_dims %x [1, 0] : tensor<2x0xf32> -> tensor<0x2xf32>
  func.return %r : tensor<0x2xf32>
}
// VALUE: softmax([[], []]) = [[], []]
func.func @softmax(%x : tensor<2x0xf32>) -> tensor<2x0xf32> {
  %r = graph.softmax %x axis 1 : tensor<2x0xf32> -> tensor<2x0xf32>
  func.return %r : tensor<2x0xf32>
}
// VALUE: matmul([[], []], []) = [[0, 0, 0], [0, 0, 0]]
func.func @matmul(%a : tensor<2x0xf32>, %b : tensor<0x3xf32>) -> tensor<2x3xf32> {
  %r = graph.matmul %a, %b : tensor<2x0xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
// With the bias: the rows are the bias.
// VALUE: bias([[], []], [], [1, 2, 3]) = [[1, 2, 3], [1, 2, 3]]
func.func @bias(%a : tensor<2x0xf32>, %b : tensor<0x3xf32>, %c : tensor<3xf32>) -> tensor<2x3xf32> {
  %m = graph.matmul %a, %b : tensor<2x0xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  %y = graph.add %m, %c : tensor<2x3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
// VALUE: no_rows([], [[1], [2]]) = []
func.func @no_rows(%a : tensor<0x2xf32>, %b : tensor<2x1xf32>) -> tensor<0x1xf32> {
  %r = graph.matmul %a, %b : tensor<0x2xf32>, tensor<2x1xf32> -> tensor<0x1xf32>
  func.return %r : tensor<0x1xf32>
}
