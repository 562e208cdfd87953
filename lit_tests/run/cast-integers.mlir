// RUN: stepwell run %s --values

// By hand: the low bits of the number; the sign or zeros above.
// VALUE: i32_to_i8([300, -129, 128, -1]) = [44, 127, -128, -1]
func.func @i32_to_i8(%x : tensor<4xi32>) -> tensor<4xi8> {
  %y = graph.cast %x : tensor<4xi32> -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}
// VALUE: i8_to_ui8([-1, -128, 5]) = [255, 128, 5]
func.func @i8_to_ui8(%x : tensor<3xi8>) -> tensor<3xui8> {
  %y = graph.cast %x : tensor<3xi8> -> tensor<3xui8>
  func.return %y : tensor<3xui8>
}
// VALUE: ui8_to_i8([255, 128, 127]) = [-1, -128, 127]
func.func @ui8_to_i8(%x : tensor<3xui8>) -> tensor<3xi8> {
  %y = graph.cast %x : tensor<3xui8> -> tensor<3xi8>
  func.return %y : tensor<3xi8>
}
// VALUE: i8_to_i64([-1, -128, 127]) = [-1, -128, 127]
func.func @i8_to_i64(%x : tensor<3xi8>) -> tensor<3xi64> {
  %y = graph.cast %x : tensor<3xi8> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
// VALUE: ui8_to_i64([255, 128, 127]) = [255, 128, 127]
func.func @ui8_to_i64(%x : tensor<3xui8>) -> tensor<3xi64> {
  %y = graph.cast %x : tensor<3xui8> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
// VALUE: i8_to_ui32([-1, -128, 127]) = [4294967295, 4294967168, 127]
func.func @i8_to_ui32(%x : tensor<3xi8>) -> tensor<3xui32> {
  %y = graph.cast %x : tensor<3xi8> -> tensor<3xui32>
  func.return %y : tensor<3xui32>
}
// VALUE: i64_to_i32([4294967296, 2147483648, -4294967297]) = [0, -2147483648, -1]
func.func @i64_to_i32(%x : tensor<3xi64>) -> tensor<3xi32> {
  %y = graph.cast %x : tensor<3xi64> -> tensor<3xi32>
  func.return %y : tensor<3xi32>
}
// VALUE: ui64_to_i16([18446744073709551615, 32768, 65541]) = [-1, -32768, 5]
func.func @ui64_to_i16(%x : tensor<3xui64>) -> tensor<3xi16> {
  %y = graph.cast %x : tensor<3xui64> -> tensor<3xi16>
  func.return %y : tensor<3xi16>
}
