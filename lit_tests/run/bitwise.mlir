// RUN: stepwell run %s --values

// By hand, bit by bit.
// VALUE: and_i8([12, -1, -128], [10, 5, 127]) = [8, 5, 0]
func.func @and_i8(%a : tensor<3xi8>, %b : tensor<3xi8>) -> tensor<3xi8> {
  %y = graph.bitwise_and %a, %b : tensor<3xi8>, tensor<3xi8> -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}
// VALUE: or_i32([12, -2147483648, 0], [10, 1, -1]) = [14, -2147483647, -1]
func.func @or_i32(%a : tensor<3xi32>, %b : tensor<3xi32>) -> tensor<3xi32> {
  %y = graph.bitwise_or %a, %b : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  func.return %y : tensor<3xi32>
}
// VALUE: xor_ui16([12, 65535, 21845], [10, 255, 43690]) = [6, 65280, 65535]
func.func @xor_ui16(%a : tensor<3xui16>, %b : tensor<3xui16>) -> tensor<3xui16> {
  %y = graph.bitwise_xor %a, %b : tensor<3xui16>, tensor<3xui16> -> tensor<3xui16>
  func.return %y : tensor<3xui16>
}
// VALUE: xor_i64([-1, 9223372036854775807], [1, -1]) = [-2, -9223372036854775808]
func.func @xor_i64(%a : tensor<2xi64>, %b : tensor<2xi64>) -> tensor<2xi64> {
  %y = graph.bitwise_xor %a, %b : tensor<2xi64>, tensor<2xi64> -> tensor<2xi64>
  func.return %y : tensor<2xi64>
}
