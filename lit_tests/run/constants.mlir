// RUN: stepwell run %s --values

// By hand: constants of every type come through as they are written.
// VALUE: f32() = [nan, inf, -inf, -0.0, 1e-40, 1.401298464324817e-45, 3.4028234663852886e38, 0.1]
func.func @f32() -> tensor<8xf32> {
  %c = graph.constant #graph.array<[nan, inf, -inf, -0.0, 1.0e-40, 1.0e-45, 3.4028234663852886e+38, 0.1] : tensor<8xf32>>
  func.return %c : tensor<8xf32>
}
// VALUE: f64() = [5e-324, 0.1, -1.7976931348623157e308]
func.func @f64() -> tensor<3xf64> {
  %c = graph.constant #graph.array<[5.0e-324, 0.1, -1.7976931348623157e+308] : tensor<3xf64>>
  func.return %c : tensor<3xf64>
}
// VALUE: f16() = [6e-08, -0.0, 65504, nan]
func.func @f16() -> tensor<4xf16> {
  %c = graph.constant #graph.array<[6.0e-08, -0.0, 65504.0, nan] : tensor<4xf16>>
  func.return %c : tensor<4xf16>
}
// VALUE: bf16() = [1e-40, 3.38e38, -inf]
func.func @bf16() -> tensor<3xbf16> {
  %c = graph.constant #graph.array<[1.0e-40, 3.38e+38, -inf] : tensor<3xbf16>>
  func.return %c : tensor<3xbf16>
}
// VALUE: i64() = [-9223372036854775808, 9223372036854775807]
func.func @i64() -> tensor<2xi64> {
  %c = graph.constant #graph.array<[-9223372036854775808, 9223372036854775807] : tensor<2xi64>>
  func.return %c : tensor<2xi64>
}
// VALUE: i32() = [-2147483648, 2147483647]
func.func @i32() -> tensor<2xi32> {
  %c = graph.constant #graph.array<[-2147483648, 2147483647] : tensor<2xi32>>
  func.return %c : tensor<2xi32>
}
// VALUE: ui64() = [18446744073709551615, 9223372036854775808]
func.func @ui64() -> tensor<2xui64> {
  %c = graph.constant #graph.array<[18446744073709551615, 9223372036854775808] : tensor<2xui64>>
  func.return %c : tensor<2xui64>
}
// VALUE: i8_ui8_i16() = [-128, 127], [255, 0], [-32768]
func.func @i8_ui8_i16() -> (tensor<2xi8>, tensor<2xui8>, tensor<1xi16>) {
  %a = graph.constant #graph.array<[-128, 127] : tensor<2xi8>>
  %b = graph.constant #graph.array<[255, 0] : tensor<2xui8>>
  %c = graph.constant #graph.array<[-32768] : tensor<1xi16>>
  func.return %a, %b, %c : tensor<2xi8>, tensor<2xui8>, tensor<1xi16>
}
// VALUE: truth() = [True, False, True]
func.func @truth() -> tensor<3xi1> {
  %c = graph.constant #graph.array<[true, false, true] : tensor<3xi1>>
  func.return %c : tensor<3xi1>
}
// Folded or computed, it is the same: x - x is not 0 for infinity, x + 0 is not x for -0, max has one rule for NaN.
// VALUE: folded([inf, -0.0, nan]) = [nan, 0, nan], [nan, 0, nan]
func.func @folded(%x : tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = graph.constant #graph.array<[inf, -0.0, nan] : tensor<3xf32>>
  %zero = graph.constant #graph.array<0.0 : tensor<f32>>
  %a = graph.subtract %x, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %b = graph.add %a, %zero : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  %d = graph.subtract %c, %c : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %e = graph.maximum %d, %zero : tensor<3xf32>, tensor<f32> -> tensor<3xf32>
  func.return %b, %e : tensor<3xf32>, tensor<3xf32>
}
