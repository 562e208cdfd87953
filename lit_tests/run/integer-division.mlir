// RUN: stepwell run %s --values

// By hand: toward zero, by 0 it is 0, and the least integer by -1 wraps to itself.
// VALUE: divide_i32([8, -8, 7, -7, 7, 0, -2147483648, -2147483648], [-3, 3, -2, 2, 0, 0, -1, 1]) = [-2, -2, -3, -3, 0, 0, -2147483648, -2147483648]
func.func @divide_i32(%a : tensor<8xi32>, %b : tensor<8xi32>) -> tensor<8xi32> {
  %y = graph.divide %a, %b : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  func.return %y : tensor<8xi32>
}
// VALUE: divide_i8([-128, -128, 127, 5], [-1, 2, -2, 0]) = [-128, -64, -63, 0]
func.func @divide_i8(%a : tensor<4xi8>, %b : tensor<4xi8>) -> tensor<4xi8> {
  %y = graph.divide %a, %b : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}
// Not by way of floats: 2^53 + 1 has no f64.
// VALUE: divide_i64([9007199254740993, -9223372036854775808, -7, 9223372036854775807], [1, -1, 2, 0]) = [9007199254740993, -9223372036854775808, -3, 0]
func.func @divide_i64(%a : tensor<4xi64>, %b : tensor<4xi64>) -> tensor<4xi64> {
  %y = graph.divide %a, %b : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  func.return %y : tensor<4xi64>
}
// VALUE: divide_ui8([200, 255, 7, 9], [3, 1, 0, 200]) = [66, 255, 0, 0]
func.func @divide_ui8(%a : tensor<4xui8>, %b : tensor<4xui8>) -> tensor<4xui8> {
  %y = graph.divide %a, %b : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}
// VALUE: divide_ui64([18446744073709551615, 18446744073709551615, 1], [3, 18446744073709551615, 0]) = [6148914691236517205, 1, 0]
func.func @divide_ui64(%a : tensor<3xui64>, %b : tensor<3xui64>) -> tensor<3xui64> {
  %y = graph.divide %a, %b : tensor<3xui64>, tensor<3xui64> -> tensor<3xui64>
  func.return %y : tensor<3xui64>
}
