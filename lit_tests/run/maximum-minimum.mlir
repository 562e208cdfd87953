// RUN: stepwell run %s --values

// By hand: NaN in either place gives NaN; of two zeros the larger is +0, the smaller -0, in either order. 17 elements: a tail on every target.
// VALUE: maximum([nan, 1, -0.0, 0.0, inf, -inf, 2, 1e-40, 1, 2, 3, 4, 5, 6, 7, 8, nan], [1, nan, 0.0, -0.0, 1, -1, 2, -1e-40, 2, 1, 2, 5, 4, 7, 6, 9, nan]) = [nan, nan, 0.0, 0.0, inf, -1, 2, 1e-40, 2, 2, 3, 5, 5, 7, 7, 9, nan]
func.func @maximum(%a : tensor<17xf32>, %b : tensor<17xf32>) -> tensor<17xf32> {
  %y = graph.maximum %a, %b : tensor<17xf32>, tensor<17xf32> -> tensor<17xf32>
  func.return %y : tensor<17xf32>
}
// VALUE: minimum([nan, 1, -0.0, 0.0, inf, -inf, 2, 1e-40, 1, 2, 3, 4, 5, 6, 7, 8, nan], [1, nan, 0.0, -0.0, 1, -1, 2, -1e-40, 2, 1, 2, 5, 4, 7, 6, 9, nan]) = [nan, nan, -0.0, -0.0, 1, -inf, 2, -1e-40, 1, 1, 2, 4, 4, 6, 6, 8, nan]
func.func @minimum(%a : tensor<17xf32>, %b : tensor<17xf32>) -> tensor<17xf32> {
  %y = graph.minimum %a, %b : tensor<17xf32>, tensor<17xf32> -> tensor<17xf32>
  func.return %y : tensor<17xf32>
}
// VALUE: maximum_f64([nan, -0.0, 2], [1, 0.0, nan]) = [nan, 0.0, nan]
func.func @maximum_f64(%a : tensor<3xf64>, %b : tensor<3xf64>) -> tensor<3xf64> {
  %y = graph.maximum %a, %b : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  func.return %y : tensor<3xf64>
}
// VALUE: maximum_i8([-128, 127, -1], [127, -128, -2]) = [127, 127, -1]
func.func @maximum_i8(%a : tensor<3xi8>, %b : tensor<3xi8>) -> tensor<3xi8> {
  %y = graph.maximum %a, %b : tensor<3xi8>, tensor<3xi8> -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}
// VALUE: minimum_ui8([200, 100, 255], [100, 200, 0]) = [100, 100, 0]
func.func @minimum_ui8(%a : tensor<3xui8>, %b : tensor<3xui8>) -> tensor<3xui8> {
  %y = graph.minimum %a, %b : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  func.return %y : tensor<3xui8>
}
// VALUE: maximum_ui64([18446744073709551615, 1], [1, 9223372036854775808]) = [18446744073709551615, 9223372036854775808]
func.func @maximum_ui64(%a : tensor<2xui64>, %b : tensor<2xui64>) -> tensor<2xui64> {
  %y = graph.maximum %a, %b : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  func.return %y : tensor<2xui64>
}
