// RUN: stepwell run %s --values

// By hand: rounded to nearest, ties to even. 2^24 + 1 and 2^53 + 1 are ties.
// VALUE: i32_to_f32([16777217, 16777219, -2147483648, 2147483647]) = [16777216, 16777220, -2147483648, 2147483648]
func.func @i32_to_f32(%x : tensor<4xi32>) -> tensor<4xf32> {
  %y = graph.cast %x : tensor<4xi32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: i64_to_f64([9007199254740993, 9007199254740995, 9223372036854775807]) = [9007199254740992, 9007199254740996, 9223372036854775808]
func.func @i64_to_f64(%x : tensor<3xi64>) -> tensor<3xf64> {
  %y = graph.cast %x : tensor<3xi64> -> tensor<3xf64>
  func.return %y : tensor<3xf64>
}
// VALUE: ui64_to_f32([18446744073709551615, 9223372036854775808, 0]) = [18446744073709551616, 9223372036854775808, 0]
func.func @ui64_to_f32(%x : tensor<3xui64>) -> tensor<3xf32> {
  %y = graph.cast %x : tensor<3xui64> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
// VALUE: ui8_to_f16([255, 128, 0]) = [255, 128, 0]
func.func @ui8_to_f16(%x : tensor<3xui8>) -> tensor<3xf16> {
  %y = graph.cast %x : tensor<3xui8> -> tensor<3xf16>
  func.return %y : tensor<3xf16>
}
// By way of f32 to the halves: 65520 rounds to infinity; 257 is a tie in bf16.
// VALUE: i32_to_f16([65519, 65520, -70000, 2049]) = [65504, inf, -inf, 2048]
func.func @i32_to_f16(%x : tensor<4xi32>) -> tensor<4xf16> {
  %y = graph.cast %x : tensor<4xi32> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}
// VALUE: i32_to_bf16([257, 259, -1]) = [256, 260, -1]
func.func @i32_to_bf16(%x : tensor<3xi32>) -> tensor<3xbf16> {
  %y = graph.cast %x : tensor<3xi32> -> tensor<3xbf16>
  func.return %y : tensor<3xbf16>
}
// f64 -> f32: 1 + 2^-24 is a tie, a little more is not; 1e-45 is nearer to the least f32 than to 0, 5e-46 is not.
// VALUE: f64_to_f32([1.000000059604644775390625, 1.0000000596046449, 1e300, 1e-45, 5e-46, nan, -0.0]) = [1, 1.0000001192092896, inf, 1.401298464324817e-45, 0, nan, -0.0]
func.func @f64_to_f32(%x : tensor<7xf64>) -> tensor<7xf32> {
  %y = graph.cast %x : tensor<7xf64> -> tensor<7xf32>
  func.return %y : tensor<7xf32>
}
// VALUE: f32_to_f16([65519.996, 65520, 1e-8, 3e-8, 1.0009765625, -0.0, nan]) = [65504, inf, 0, 5.960464477539063e-08, 1.0009765625, -0.0, nan]
func.func @f32_to_f16(%x : tensor<7xf32>) -> tensor<7xf16> {
  %y = graph.cast %x : tensor<7xf32> -> tensor<7xf16>
  func.return %y : tensor<7xf16>
}
// Once, not by way of f32: 1 + 2^-8 + 2^-40 is above the tie in bf16, and in f16 1 + 2^-11 + 2^-40 is.
// VALUE: f64_to_bf16([1.0039062500009095, 1.00390625, 1e39]) = [1.0078125, 1, inf]
func.func @f64_to_bf16(%x : tensor<3xf64>) -> tensor<3xbf16> {
  %y = graph.cast %x : tensor<3xf64> -> tensor<3xbf16>
  func.return %y : tensor<3xbf16>
}
// VALUE: f64_to_f16([1.0004882812509095, 1.00048828125, -1e6]) = [1.0009765625, 1, -inf]
func.func @f64_to_f16(%x : tensor<3xf64>) -> tensor<3xf16> {
  %y = graph.cast %x : tensor<3xf64> -> tensor<3xf16>
  func.return %y : tensor<3xf16>
}
// VALUE: f16_to_f64([5.960464477539063e-08, 65504, -inf]) = [5.960464477539063e-08, 65504, -inf]
func.func @f16_to_f64(%x : tensor<3xf16>) -> tensor<3xf64> {
  %y = graph.cast %x : tensor<3xf16> -> tensor<3xf64>
  func.return %y : tensor<3xf64>
}
// VALUE: bf16_to_f32([1e-40, 3.3895313892515355e38, nan]) = [9.183549615799121e-41, 3.3895313892515355e38, nan]
func.func @bf16_to_f32(%x : tensor<3xbf16>) -> tensor<3xf32> {
  %y = graph.cast %x : tensor<3xbf16> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
