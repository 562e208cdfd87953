// RUN: stepwell run %s --values

// By hand: where the highest bit is set, unsigned is not signed.
// VALUE: divide_by_constant([255, 128, 7]) = [25, 12, 0]
func.func @divide_by_constant(%x : tensor<3xui8>) -> tensor<3xui8> {
  %ten = graph.constant #graph.array<10 : tensor<ui8>>
  %y = graph.divide %x, %ten : tensor<3xui8>, tensor<ui8> -> tensor<3xui8>
  func.return %y : tensor<3xui8>
}
// VALUE: to_float([255, 128, 0]) = [255, 128, 0]
func.func @to_float(%x : tensor<3xui8>) -> tensor<3xf32> {
  %y = graph.cast %x : tensor<3xui8> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
// VALUE: largest([[200, 100], [255, 0]]) = [200, 255]
func.func @largest(%x : tensor<2x2xui8>) -> tensor<2xui8> {
  %r = graph.max %x [1] : tensor<2x2xui8> -> tensor<2xui8>
  func.return %r : tensor<2xui8>
}
// A chain that leaves the type and comes back.
// VALUE: scaled([0, 100, 200, 255]) = [0, 51, 102, 130]
func.func @scaled(%x : tensor<4xui8>) -> tensor<4xui8> {
  %half = graph.constant #graph.array<0.51 : tensor<f32>>
  %0 = graph.cast %x : tensor<4xui8> -> tensor<4xf32>
  %1 = graph.multiply %0, %half : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  %2 = graph.cast %1 : tensor<4xf32> -> tensor<4xui8>
  func.return %2 : tensor<4xui8>
}
// VALUE: sum_ui16([65535, 65535, 3]) = 1
func.func @sum_ui16(%x : tensor<3xui16>) -> tensor<ui16> {
  %r = graph.sum %x [0] : tensor<3xui16> -> tensor<ui16>
  func.return %r : tensor<ui16>
}
// VALUE: min_ui32([[4294967295, 2147483648]], [[1, 4294967294]]) = [[1, 2147483648]]
func.func @min_ui32(%a : tensor<1x2xui32>, %b : tensor<1x2xui32>) -> tensor<1x2xui32> {
  %y = graph.minimum %a, %b : tensor<1x2xui32>, tensor<1x2xui32> -> tensor<1x2xui32>
  func.return %y : tensor<1x2xui32>
}
