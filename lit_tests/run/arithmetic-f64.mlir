// RUN: stepwell run %s --values

// By IEEE 754, in double precision.
// VALUE: add([9007199254740992, 1e308, 5e-324, -0.0], [1, 1e308, 5e-324, 0.0]) = [9007199254740992, inf, 1e-323, 0.0]
func.func @add(%a : tensor<4xf64>, %b : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.add %a, %b : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE: divide([1, 1, 0, 5e-324], [3, -0.0, 0, 2]) = [0.3333333333333333, -inf, nan, 0]
func.func @divide(%a : tensor<4xf64>, %b : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.divide %a, %b : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
  func.return %y : tensor<4xf64>
}
// VALUE: multiply([1e-160, 0.1, nan], [1e-160, 3, 1]) = [1e-320, 0.30000000000000004, nan]
func.func @multiply(%a : tensor<3xf64>, %b : tensor<3xf64>) -> tensor<3xf64> {
  %y = graph.multiply %a, %b : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  func.return %y : tensor<3xf64>
}
// VALUE: sqrt([2, -0.0, -1, inf]) = [1.4142135623730951, -0.0, nan, inf]
func.func @sqrt(%x : tensor<4xf64>) -> tensor<4xf64> {
  %y = graph.sqrt %x : tensor<4xf64>
  func.return %y : tensor<4xf64>
}
