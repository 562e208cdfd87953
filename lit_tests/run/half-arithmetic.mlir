// RUN: stepwell run %s --values

// By hand: f16 has 11 bits, bf16 has 8; each op widens to f32 and rounds once, ties to even.
// 2048 + 1 is a tie, 2048 + 3 too; 65504 + 16 is a tie that rounds up to infinity; 6e-08 is the least f16, and half of it is 0.
// VALUE: add([2048, 2048, 65504, 65504, 1, nan, -0.0], [1, 3, 15, 16, 0.00048828125, 1, -0.0]) = [2048, 2052, 65504, inf, 1, nan, -0.0]
func.func @add(%a : tensor<7xf16>, %b : tensor<7xf16>) -> tensor<7xf16> {
  %y = graph.add %a, %b : tensor<7xf16>, tensor<7xf16> -> tensor<7xf16>
  func.return %y : tensor<7xf16>
}
// VALUE: multiply([5.960464477539063e-08, 5.960464477539063e-08, 256, -256, 3], [0.5, 1.5, 256, 256, 0.333251953125]) = [0, 1.1920928955078125e-07, inf, -inf, 1]
func.func @multiply(%a : tensor<5xf16>, %b : tensor<5xf16>) -> tensor<5xf16> {
  %y = graph.multiply %a, %b : tensor<5xf16>, tensor<5xf16> -> tensor<5xf16>
  func.return %y : tensor<5xf16>
}
// bf16: 256 + 1 is a tie (steps of 2), 256 + 3 too; 3e38 + 3e38 overflows.
// VALUE: add_bf16([256, 256, 3e38, 1, -0.0], [1, 3, 3e38, 0.00390625, 0.0]) = [256, 260, inf, 1, 0.0]
func.func @add_bf16(%a : tensor<5xbf16>, %b : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.add %a, %b : tensor<5xbf16>, tensor<5xbf16> -> tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE: divide_bf16([1, 1, -1, 0, 7], [2, 0, 0, 0, 2]) = [0.5, inf, -inf, nan, 3.5]
func.func @divide_bf16(%a : tensor<5xbf16>, %b : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.divide %a, %b : tensor<5xbf16>, tensor<5xbf16> -> tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE: maximum_f16([nan, 1, -0.0, -inf], [1, nan, 0.0, 5.960464477539063e-08]) = [nan, nan, 0.0, 5.960464477539063e-08]
func.func @maximum_f16(%a : tensor<4xf16>, %b : tensor<4xf16>) -> tensor<4xf16> {
  %y = graph.maximum %a, %b : tensor<4xf16>, tensor<4xf16> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}
// VALUE: relu_bf16([-1, nan, -0.0, 3, inf]) = [0, nan, 0, 3, inf]
func.func @relu_bf16(%x : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.relu %x : tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE: round_f16([0.5, 1.5, 2.5, -0.5]) = [0, 2, 2, -0.0]
func.func @round_f16(%x : tensor<4xf16>) -> tensor<4xf16> {
  %y = graph.round %x : tensor<4xf16>
  func.return %y : tensor<4xf16>
}
