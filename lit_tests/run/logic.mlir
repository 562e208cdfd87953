// RUN: stepwell run %s --values

// By hand: the truth tables.
// VALUE: logical_not([True, False]) = [False, True]
func.func @logical_not(%x : tensor<2xi1>) -> tensor<2xi1> {
  %y = graph.logical_not %x : tensor<2xi1>
  func.return %y : tensor<2xi1>
}
// VALUE: logical_and([True, True, False, False], [True, False, True, False]) = [True, False, False, False]
func.func @logical_and(%a : tensor<4xi1>, %b : tensor<4xi1>) -> tensor<4xi1> {
  %y = graph.logical_and %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
// VALUE: logical_or([True, True, False, False], [True, False, True, False]) = [True, True, True, False]
func.func @logical_or(%a : tensor<4xi1>, %b : tensor<4xi1>) -> tensor<4xi1> {
  %y = graph.logical_or %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
// VALUE: logical_xor([True, True, False, False], [True, False, True, False]) = [False, True, True, False]
func.func @logical_xor(%a : tensor<4xi1>, %b : tensor<4xi1>) -> tensor<4xi1> {
  %y = graph.logical_xor %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
// VALUE: same([True, True, False, False], [True, False, True, False]) = [True, False, False, True]
func.func @same(%a : tensor<4xi1>, %b : tensor<4xi1>) -> tensor<4xi1> {
  %y = graph.equal %a, %b : tensor<4xi1>, tensor<4xi1> -> tensor<4xi1>
  func.return %y : tensor<4xi1>
}
// VALUE: differ([[True], [False]], [True, False]) = [[False, True], [True, False]]
func.func @differ(%a : tensor<2x1xi1>, %b : tensor<2xi1>) -> tensor<2x2xi1> {
  %y = graph.not_equal %a, %b : tensor<2x1xi1>, tensor<2xi1> -> tensor<2x2xi1>
  func.return %y : tensor<2x2xi1>
}
// VALUE: is_nan([nan, inf, -inf, 0, -0.0, 1e-40]) = [True, False, False, False, False, False]
func.func @is_nan(%x : tensor<6xf32>) -> tensor<6xi1> {
  %y = graph.is_nan %x : tensor<6xf32> -> tensor<6xi1>
  func.return %y : tensor<6xi1>
}
// VALUE: is_inf([nan, inf, -inf, 0, 3e38, 1e-40]) = [False, True, True, False, False, False]
func.func @is_inf(%x : tensor<6xf32>) -> tensor<6xi1> {
  %y = graph.is_inf %x : tensor<6xf32> -> tensor<6xi1>
  func.return %y : tensor<6xi1>
}
// VALUE: is_nan_f16([nan, inf, 65504]) = [True, False, False]
func.func @is_nan_f16(%x : tensor<3xf16>) -> tensor<3xi1> {
  %y = graph.is_nan %x : tensor<3xf16> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: is_inf_bf16([nan, -inf, 3e38]) = [False, True, False]
func.func @is_inf_bf16(%x : tensor<3xbf16>) -> tensor<3xi1> {
  %y = graph.is_inf %x : tensor<3xbf16> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
