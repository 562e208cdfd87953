// RUN: stepwell run %s --values

// By hand, two's complement: the least integer has no opposite and stays itself.
// VALUE: abs_i8([-128, -1, 0, 127]) = [-128, 1, 0, 127]
func.func @abs_i8(%x : tensor<4xi8>) -> tensor<4xi8> {
  %y = graph.abs %x : tensor<4xi8>
  func.return %y : tensor<4xi8>
}
// VALUE: negate_i16([-32768, -1, 0, 32767]) = [-32768, 1, 0, -32767]
func.func @negate_i16(%x : tensor<4xi16>) -> tensor<4xi16> {
  %y = graph.negate %x : tensor<4xi16>
  func.return %y : tensor<4xi16>
}
// VALUE: sign_i32([-2147483648, -1, 0, 2147483647]) = [-1, -1, 0, 1]
func.func @sign_i32(%x : tensor<4xi32>) -> tensor<4xi32> {
  %y = graph.sign %x : tensor<4xi32>
  func.return %y : tensor<4xi32>
}
// VALUE: relu_i64([-9223372036854775808, -1, 0, 9223372036854775807]) = [0, 0, 0, 9223372036854775807]
func.func @relu_i64(%x : tensor<4xi64>) -> tensor<4xi64> {
  %y = graph.relu %x : tensor<4xi64>
  func.return %y : tensor<4xi64>
}
// VALUE: sign_ui8([0, 1, 255]) = [0, 1, 1]
func.func @sign_ui8(%x : tensor<3xui8>) -> tensor<3xui8> {
  %y = graph.sign %x : tensor<3xui8>
  func.return %y : tensor<3xui8>
}
// VALUE: relu_ui16([0, 40000, 65535]) = [0, 40000, 65535]
func.func @relu_ui16(%x : tensor<3xui16>) -> tensor<3xui16> {
  %y = graph.relu %x : tensor<3xui16>
  func.return %y : tensor<3xui16>
}
// VALUE: abs_ui32([0, 3000000000]) = [0, 3000000000]
func.func @abs_ui32(%x : tensor<2xui32>) -> tensor<2xui32> {
  %y = graph.abs %x : tensor<2xui32>
  func.return %y : tensor<2xui32>
}
// VALUE: not_i8([0, -1, 5, -128]) = [-1, 0, -6, 127]
func.func @not_i8(%x : tensor<4xi8>) -> tensor<4xi8> {
  %y = graph.bitwise_not %x : tensor<4xi8>
  func.return %y : tensor<4xi8>
}
// VALUE: not_ui64([0, 18446744073709551615, 1]) = [18446744073709551615, 0, 18446744073709551614]
func.func @not_ui64(%x : tensor<3xui64>) -> tensor<3xui64> {
  %y = graph.bitwise_not %x : tensor<3xui64>
  func.return %y : tensor<3xui64>
}
