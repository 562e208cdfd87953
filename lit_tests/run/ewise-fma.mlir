// RUN: stepwell run %s --values

// By hand: a * b + c; infinity times 0 is NaN whatever is added.
// VALUE: main([1, 2, inf, -1, 3], 2, [[10, 20, 30, 40, 50], [-2, -4, 1, 2, nan]]) = [[12, 24, inf, 38, 56], [0, 0, inf, 0, nan]]
func.func @main(%a : tensor<5xf32>, %b : tensor<f32>, %c : tensor<2x5xf32>) -> tensor<2x5xf32> {
  %y = graph.ewise_fma %a, %b, %c : tensor<5xf32>, tensor<f32>, tensor<2x5xf32> -> tensor<2x5xf32>
  func.return %y : tensor<2x5xf32>
}
// VALUE: integers([127, -128], [2, 2], [3, -1]) = [1, -1]
func.func @integers(%a : tensor<2xi8>, %b : tensor<2xi8>, %c : tensor<2xi8>) -> tensor<2xi8> {
  %y = graph.ewise_fma %a, %b, %c : tensor<2xi8>, tensor<2xi8>, tensor<2xi8> -> tensor<2xi8>
  func.return %y : tensor<2xi8>
}
// f16: 255 * 257 = 65535 rounds to infinity before -1 is added.
// VALUE: two_roundings([255, 3], [257, 5], [-1, 2]) = [inf, 17]
func.func @two_roundings(%a : tensor<2xf16>, %b : tensor<2xf16>, %c : tensor<2xf16>) -> tensor<2xf16> {
  %y = graph.ewise_fma %a, %b, %c : tensor<2xf16>, tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}
