// RUN: stepwell run %s --values

// By hand: by the width or more it is 0, for signed integers too; an amount is read as unsigned; right shifts keep the sign.
// VALUE: left_i8([1, 1, 1, -1, 1, 3], [0, 7, 8, 4, -1, 100]) = [1, -128, 0, -16, 0, 0]
func.func @left_i8(%a : tensor<6xi8>, %b : tensor<6xi8>) -> tensor<6xi8> {
  %y = graph.shift_left %a, %b : tensor<6xi8>, tensor<6xi8> -> tensor<6xi8>
  func.return %y : tensor<6xi8>
}
// VALUE: right_i8([-8, -1, -128, 127, -1, -1], [1, 7, 7, 3, 8, -1]) = [-4, -1, -1, 15, 0, 0]
func.func @right_i8(%a : tensor<6xi8>, %b : tensor<6xi8>) -> tensor<6xi8> {
  %y = graph.shift_right %a, %b : tensor<6xi8>, tensor<6xi8> -> tensor<6xi8>
  func.return %y : tensor<6xi8>
}
// VALUE: right_ui8([248, 255, 128, 255], [1, 7, 8, 255]) = [124, 1, 0, 0]
func.func @right_ui8(%a : tensor<4xui8>, %b : tensor<4xui8>) -> tensor<4xui8> {
  %y = graph.shift_right %a, %b : tensor<4xui8>, tensor<4xui8> -> tensor<4xui8>
  func.return %y : tensor<4xui8>
}
// VALUE: left_ui32([1, 3, 1, 1], [31, 31, 32, 4294967295]) = [2147483648, 2147483648, 0, 0]
func.func @left_ui32(%a : tensor<4xui32>, %b : tensor<4xui32>) -> tensor<4xui32> {
  %y = graph.shift_left %a, %b : tensor<4xui32>, tensor<4xui32> -> tensor<4xui32>
  func.return %y : tensor<4xui32>
}
// VALUE: left_i64([1, 1, -1], [63, 64, 1]) = [-9223372036854775808, 0, -2]
func.func @left_i64(%a : tensor<3xi64>, %b : tensor<3xi64>) -> tensor<3xi64> {
  %y = graph.shift_left %a, %b : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
// VALUE: right_ui64([18446744073709551615, 9223372036854775808, 5], [63, 1, 64]) = [1, 4611686018427387904, 0]
func.func @right_ui64(%a : tensor<3xui64>, %b : tensor<3xui64>) -> tensor<3xui64> {
  %y = graph.shift_right %a, %b : tensor<3xui64>, tensor<3xui64> -> tensor<3xui64>
  func.return %y : tensor<3xui64>
}
// VALUE: right_i16([-32768, -32768, 16384], [15, 16, 14]) = [-1, 0, 1]
func.func @right_i16(%a : tensor<3xi16>, %b : tensor<3xi16>) -> tensor<3xi16> {
  %y = graph.shift_right %a, %b : tensor<3xi16>, tensor<3xi16> -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}
