// RUN: stepwell run %s --values

// By hand, modulo 2^n.
// VALUE: add_i8([127, -128, 100], [1, -1, 100]) = [-128, 127, -56]
func.func @add_i8(%a : tensor<3xi8>, %b : tensor<3xi8>) -> tensor<3xi8> {
  %y = graph.add %a, %b : tensor<3xi8>, tensor<3xi8> -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}
// VALUE: subtract_ui8([0, 5, 255], [1, 10, 255]) = [255, 251, 0]
func.func @subtract_ui8(%a : tensor<3xui8>, %b : tensor<3xui8>) -> tensor<3xui8> {
  %y = graph.subtract %a, %b : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  func.return %y : tensor<3xui8>
}
// 300 * 300 = 90000 = 65536 + 24464.
// VALUE: multiply_i16([300, -300, 256], [300, 300, 256]) = [24464, -24464, 0]
func.func @multiply_i16(%a : tensor<3xi16>, %b : tensor<3xi16>) -> tensor<3xi16> {
  %y = graph.multiply %a, %b : tensor<3xi16>, tensor<3xi16> -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}
// A product of two ui16 does not fit a signed int of C.
// VALUE: multiply_ui16([65535, 40000], [65535, 40000]) = [1, 4096]
func.func @multiply_ui16(%a : tensor<2xui16>, %b : tensor<2xui16>) -> tensor<2xui16> {
  %y = graph.multiply %a, %b : tensor<2xui16>, tensor<2xui16> -> tensor<2xui16>
  func.return %y : tensor<2xui16>
}
// VALUE: add_i32([2147483647, -2147483648], [1, -1]) = [-2147483648, 2147483647]
func.func @add_i32(%a : tensor<2xi32>, %b : tensor<2xi32>) -> tensor<2xi32> {
  %y = graph.add %a, %b : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  func.return %y : tensor<2xi32>
}
// VALUE: multiply_i64([9223372036854775807, 4294967296, 3037000500], [2, 4294967296, 3037000500]) = [-2, 0, -9223372036709301616]
func.func @multiply_i64(%a : tensor<3xi64>, %b : tensor<3xi64>) -> tensor<3xi64> {
  %y = graph.multiply %a, %b : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
// VALUE: add_ui32([4294967295, 4000000000], [1, 4000000000]) = [0, 3705032704]
func.func @add_ui32(%a : tensor<2xui32>, %b : tensor<2xui32>) -> tensor<2xui32> {
  %y = graph.add %a, %b : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  func.return %y : tensor<2xui32>
}
// VALUE: subtract_ui64([0, 18446744073709551615], [1, 1]) = [18446744073709551615, 18446744073709551614]
func.func @subtract_ui64(%a : tensor<2xui64>, %b : tensor<2xui64>) -> tensor<2xui64> {
  %y = graph.subtract %a, %b : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  func.return %y : tensor<2xui64>
}
