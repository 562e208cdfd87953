// RUN: stepwell run %s --values

// By hand: integers wrap; the halves add up in f32 and round once.
// VALUE: i8([[100, 100], [-128, 1]], [[1, 2], [1, -1]]) = [[-56, 100], [-127, -1]]
func.func @i8(%a : tensor<2x2xi8>, %b : tensor<2x2xi8>) -> tensor<2x2xi8> {
  %r = graph.matmul %a, %b : tensor<2x2xi8>, tensor<2x2xi8> -> tensor<2x2xi8>
  func.return %r : tensor<2x2xi8>
}
// VALUE: ui32([[4294967295, 2]], [[1], [3]]) = [[5]]
func.func @ui32(%a : tensor<1x2xui32>, %b : tensor<2x1xui32>) -> tensor<1x1xui32> {
  %r = graph.matmul %a, %b : tensor<1x2xui32>, tensor<2x1xui32> -> tensor<1x1xui32>
  func.return %r : tensor<1x1xui32>
}
// VALUE: i64([[4611686018427387904, 1]], [[2], [5]]) = [[-9223372036854775803]]
func.func @i64(%a : tensor<1x2xi64>, %b : tensor<2x1xi64>) -> tensor<1x1xi64> {
  %r = graph.matmul %a, %b : tensor<1x2xi64>, tensor<2x1xi64> -> tensor<1x1xi64>
  func.return %r : tensor<1x1xi64>
}
// 2048 + 1 + 1: in f16 each 1 would be lost.
// VALUE: f16([[2048, 1, 1]], [[1], [1], [1]]) = [[2050]]
func.func @f16(%a : tensor<1x3xf16>, %b : tensor<3x1xf16>) -> tensor<1x1xf16> {
  %r = graph.matmul %a, %b : tensor<1x3xf16>, tensor<3x1xf16> -> tensor<1x1xf16>
  func.return %r : tensor<1x1xf16>
}
// 40000 + 40000 - 40000 passes through what f16 cannot hold.
// VALUE: f16_large([[40000, 40000, -40000]], [[1], [1], [1]]) = [[40000]]
func.func @f16_large(%a : tensor<1x3xf16>, %b : tensor<3x1xf16>) -> tensor<1x1xf16> {
  %r = graph.matmul %a, %b : tensor<1x3xf16>, tensor<3x1xf16> -> tensor<1x1xf16>
  func.return %r : tensor<1x1xf16>
}
// VALUE: bf16([[256, 1, 1]], [[1], [1], [1]]) = [[258]]
func.func @bf16(%a : tensor<1x3xbf16>, %b : tensor<3x1xbf16>) -> tensor<1x1xbf16> {
  %r = graph.matmul %a, %b : tensor<1x3xbf16>, tensor<3x1xbf16> -> tensor<1x1xbf16>
  func.return %r : tensor<1x1xbf16>
}
// 1 + 2^-52 has no f32.
// VALUE: f64([[1, 2.220446049250313e-16]], [[1], [1]]) = [[1.0000000000000002]]
func.func @f64(%a : tensor<1x2xf64>, %b : tensor<2x1xf64>) -> tensor<1x1xf64> {
  %r = graph.matmul %a, %b : tensor<1x2xf64>, tensor<2x1xf64> -> tensor<1x1xf64>
  func.return %r : tensor<1x1xf64>
}
// VALUE: special([[inf, 1], [nan, 0], [0, 3e38]], [[0, 1], [1, 2]]) = [[nan, inf], [nan, nan], [3e38, inf]]
func.func @special(%a : tensor<3x2xf32>, %b : tensor<2x2xf32>) -> tensor<3x2xf32> {
  %r = graph.matmul %a, %b : tensor<3x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
}
