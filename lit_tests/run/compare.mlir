// RUN: stepwell run %s --values

// By IEEE 754: any comparison with NaN is false but "not equal"; zeros of either sign are equal.
// VALUE: equal_f32([nan, 0.0, inf, 1, 1e-40], [nan, -0.0, inf, 2, 0]) = [False, True, True, False, False]
func.func @equal_f32(%a : tensor<5xf32>, %b : tensor<5xf32>) -> tensor<5xi1> {
  %y = graph.equal %a, %b : tensor<5xf32>, tensor<5xf32> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: not_equal_f32([nan, 0.0, inf, 1, 1e-40], [nan, -0.0, inf, 2, 0]) = [True, False, False, True, True]
func.func @not_equal_f32(%a : tensor<5xf32>, %b : tensor<5xf32>) -> tensor<5xi1> {
  %y = graph.not_equal %a, %b : tensor<5xf32>, tensor<5xf32> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: less_f32([nan, -0.0, -inf, 1, -1e-40], [1, 0.0, inf, nan, 0]) = [False, False, True, False, True]
func.func @less_f32(%a : tensor<5xf32>, %b : tensor<5xf32>) -> tensor<5xi1> {
  %y = graph.less %a, %b : tensor<5xf32>, tensor<5xf32> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: less_equal_f32([nan, 0.0, inf, 1, 2], [1, -0.0, inf, nan, 1]) = [False, True, True, False, False]
func.func @less_equal_f32(%a : tensor<5xf32>, %b : tensor<5xf32>) -> tensor<5xi1> {
  %y = graph.less_equal %a, %b : tensor<5xf32>, tensor<5xf32> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: greater_f64([nan, 0.0, inf, 1, 2], [1, -0.0, 1, nan, 1]) = [False, False, True, False, True]
func.func @greater_f64(%a : tensor<5xf64>, %b : tensor<5xf64>) -> tensor<5xi1> {
  %y = graph.greater %a, %b : tensor<5xf64>, tensor<5xf64> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: greater_equal_f16([nan, -0.0, -inf, 1, 2], [1, 0.0, -inf, nan, 3]) = [False, True, True, False, False]
func.func @greater_equal_f16(%a : tensor<5xf16>, %b : tensor<5xf16>) -> tensor<5xi1> {
  %y = graph.greater_equal %a, %b : tensor<5xf16>, tensor<5xf16> -> tensor<5xi1>
  func.return %y : tensor<5xi1>
}
// VALUE: less_bf16([1, nan, -inf], [2, 2, inf]) = [True, False, True]
func.func @less_bf16(%a : tensor<3xbf16>, %b : tensor<3xbf16>) -> tensor<3xi1> {
  %y = graph.less %a, %b : tensor<3xbf16>, tensor<3xbf16> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// Signed and unsigned order differ where the highest bit is set.
// VALUE: less_i8([-1, 127, -128], [1, -128, 127]) = [True, False, True]
func.func @less_i8(%a : tensor<3xi8>, %b : tensor<3xi8>) -> tensor<3xi1> {
  %y = graph.less %a, %b : tensor<3xi8>, tensor<3xi8> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: less_ui8([255, 127, 128], [1, 128, 127]) = [False, True, False]
func.func @less_ui8(%a : tensor<3xui8>, %b : tensor<3xui8>) -> tensor<3xi1> {
  %y = graph.less %a, %b : tensor<3xui8>, tensor<3xui8> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: greater_ui64([18446744073709551615, 1, 9223372036854775808], [1, 9223372036854775808, 9223372036854775807]) = [True, False, True]
func.func @greater_ui64(%a : tensor<3xui64>, %b : tensor<3xui64>) -> tensor<3xi1> {
  %y = graph.greater %a, %b : tensor<3xui64>, tensor<3xui64> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
// VALUE: greater_equal_i64([-9223372036854775808, 5, 9223372036854775807], [9223372036854775807, 5, -9223372036854775808]) = [False, True, True]
func.func @greater_equal_i64(%a : tensor<3xi64>, %b : tensor<3xi64>) -> tensor<3xi1> {
  %y = graph.greater_equal %a, %b : tensor<3xi64>, tensor<3xi64> -> tensor<3xi1>
  func.return %y : tensor<3xi1>
}
