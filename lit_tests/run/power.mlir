// RUN: stepwell run %s --values

// Annex F of C11 for f32: what any number to the power 0 is, and 1 to any power, even NaN; odd and even powers of -0 and -inf.
// VALUE: power([0, nan, 1, -2, -2, 0, -0.0, -0.0, inf, -inf, -inf, 2, 4], [0, 0, nan, 3, 0.5, -1, -1, -2, -1, 3, 2, -1, 0.5]) = [1, 1, 1, -8, nan, inf, -inf, inf, 0, -inf, inf, 0.5, 2]
func.func @power(%a : tensor<13xf32>, %b : tensor<13xf32>) -> tensor<13xf32> {
  %y = graph.power %a, %b : tensor<13xf32>, tensor<13xf32> -> tensor<13xf32>
  func.return %y : tensor<13xf32>
}
// VALUE~: rounded([1.5, 2.7182817, 10, 0.1], [2.5, 1.5, -0.3, 3.3]) = [2.755676, 4.481689, 0.5011872, 0.0005011873]
func.func @rounded(%a : tensor<4xf32>, %b : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.power %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// By hand: integers wrap; a negative power truncates 1 / x to a whole number.
// VALUE: power_i32([2, -3, 0, 2, 1, -1, -1, 3, 2, 0], [10, 3, 0, -1, -5, -3, -2, 21, 32, 5]) = [1024, -27, 1, 0, 1, -1, 1, 1870418611, 0, 0]
func.func @power_i32(%a : tensor<10xi32>, %b : tensor<10xi32>) -> tensor<10xi32> {
  %y = graph.power %a, %b : tensor<10xi32>, tensor<10xi32> -> tensor<10xi32>
  func.return %y : tensor<10xi32>
}
// VALUE: power_ui8([2, 3, 16, 255], [7, 5, 2, 255]) = [128, 243, 0, 255]
func.func @power_ui8(%a : tensor<4xui8>, %b : tensor<4xui8>) -> tensor<4xui8> {
  %y = graph.power %a, %b : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}
