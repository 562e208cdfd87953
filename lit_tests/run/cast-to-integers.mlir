// RUN: stepwell run %s --values

// By hand: toward zero, saturating, NaN is 0.
// VALUE: f32_to_i8([300, nan, inf, -inf, 50, -50, 127.9, -128.9, -0.9, 1e-40]) = [127, 0, 127, -128, 50, -50, 127, -128, 0, 0]
func.func @f32_to_i8(%x : tensor<10xf32>) -> tensor<10xi8> {
  %y = graph.cast %x : tensor<10xf32> -> tensor<10xi8>
  func.return %y : tensor<10xi8>
}
// VALUE: f32_to_ui8([300, nan, inf, -inf, 50, -50, 255.9, -0.9]) = [255, 0, 255, 0, 50, 0, 255, 0]
func.func @f32_to_ui8(%x : tensor<8xf32>) -> tensor<8xui8> {
  %y = graph.cast %x : tensor<8xf32> -> tensor<8xui8>
  func.return %y : tensor<8xui8>
}
// 2147483520 is the largest f32 below 2^31.
// VALUE: f32_to_i32([2147483520, 2147483648, -2147483648, -2147483904, nan, -1.5]) = [2147483520, 2147483647, -2147483648, -2147483648, 0, -1]
func.func @f32_to_i32(%x : tensor<6xf32>) -> tensor<6xi32> {
  %y = graph.cast %x : tensor<6xf32> -> tensor<6xi32>
  func.return %y : tensor<6xi32>
}
// VALUE: f32_to_ui32([4294967040, 4294967296, -1, nan, 3e9]) = [4294967040, 4294967295, 0, 0, 3000000000]
func.func @f32_to_ui32(%x : tensor<5xf32>) -> tensor<5xui32> {
  %y = graph.cast %x : tensor<5xf32> -> tensor<5xui32>
  func.return %y : tensor<5xui32>
}
// VALUE: f64_to_i64([9223372036854774784, 9223372036854775808, -9223372036854775808, -1e300, nan, 4503599627370496.5]) = [9223372036854774784, 9223372036854775807, -9223372036854775808, -9223372036854775808, 0, 4503599627370496]
func.func @f64_to_i64(%x : tensor<6xf64>) -> tensor<6xi64> {
  %y = graph.cast %x : tensor<6xf64> -> tensor<6xi64>
  func.return %y : tensor<6xi64>
}
// VALUE: f64_to_ui64([18446744073709549568, 18446744073709551616, -1, nan, 9223372036854775808]) = [18446744073709549568, 18446744073709551615, 0, 0, 9223372036854775808]
func.func @f64_to_ui64(%x : tensor<5xf64>) -> tensor<5xui64> {
  %y = graph.cast %x : tensor<5xf64> -> tensor<5xui64>
  func.return %y : tensor<5xui64>
}
// VALUE: f16_to_i16([65504, -inf, 1.5, nan]) = [32767, -32768, 1, 0]
func.func @f16_to_i16(%x : tensor<4xf16>) -> tensor<4xi16> {
  %y = graph.cast %x : tensor<4xf16> -> tensor<4xi16>
  func.return %y : tensor<4xi16>
}
// VALUE: bf16_to_i64([3e38, -1.5, 1e10]) = [9223372036854775807, -1, 9999220736]
func.func @bf16_to_i64(%x : tensor<3xbf16>) -> tensor<3xi64> {
  %y = graph.cast %x : tensor<3xbf16> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
