// RUN: stepwell run %s --values

// Annex F of C11: what the functions give at infinities, zeros, outside of where they are defined, and for NaN.
// VALUE: exp([1000, -1000, inf, -inf, nan, 0, -0.0]) = [inf, 0, inf, 0, nan, 1, 1]
func.func @exp(%x : tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.exp %x : tensor<7xf32>
  func.return %y : tensor<7xf32>
}
// VALUE: log([0, -0.0, -1, inf, nan, 1]) = [-inf, -inf, nan, inf, nan, 0]
func.func @log(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.log %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: sin([0, -0.0, inf, nan]) = [0, -0.0, nan, nan]
func.func @sin(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.sin %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: cos([0, -0.0, -inf, nan]) = [1, 1, nan, nan]
func.func @cos(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.cos %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: tan([0, -0.0, inf, nan]) = [0, -0.0, nan, nan]
func.func @tan(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.tan %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: asin([0, -0.0, 2, nan]) = [0, -0.0, nan, nan]
func.func @asin(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.asin %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: acos([1, 2, -2, nan]) = [0, nan, nan, nan]
func.func @acos(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.acos %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: atan([0, -0.0, nan]) = [0, -0.0, nan]
func.func @atan(%x : tensor<3xf32>) -> tensor<3xf32> {
  %y = graph.atan %x : tensor<3xf32>
  func.return %y : tensor<3xf32>
}
// VALUE: sinh([0, -0.0, inf, -inf, nan, 1000]) = [0, -0.0, inf, -inf, nan, inf]
func.func @sinh(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.sinh %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: cosh([0, -0.0, inf, -inf, nan, -1000]) = [1, 1, inf, inf, nan, inf]
func.func @cosh(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.cosh %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: tanh([0, -0.0, inf, -inf, nan, 50]) = [0, -0.0, 1, -1, nan, 1]
func.func @tanh(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.tanh %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: asinh([0, -0.0, inf, -inf, nan]) = [0, -0.0, inf, -inf, nan]
func.func @asinh(%x : tensor<5xf32>) -> tensor<5xf32> {
  %y = graph.asinh %x : tensor<5xf32>
  func.return %y : tensor<5xf32>
}
// VALUE: acosh([1, 0.5, inf, nan]) = [0, nan, inf, nan]
func.func @acosh(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.acosh %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
// VALUE: atanh([0, -0.0, 1, -1, 2, nan]) = [0, -0.0, inf, -inf, nan, nan]
func.func @atanh(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.atanh %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: sigmoid([inf, -inf, nan, 0, 1000, -1000]) = [1, 0, nan, 0.5, 1, 0]
func.func @sigmoid(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.sigmoid %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: erf([0, -0.0, inf, -inf, nan, 10]) = [0, -0.0, 1, -1, nan, 1]
func.func @erf(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.erf %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
