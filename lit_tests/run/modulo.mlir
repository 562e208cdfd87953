// RUN: stepwell run %s --values

// By hand: the sign of the divisor, as Python has it; with fmod the sign of the dividend, as C has it; modulo 0 it is 0.
// VALUE: python_i32([7, -7, 7, -7, 7, -2147483648, 6], [3, 3, -3, -3, 0, -1, -3]) = [1, 2, -2, -1, 0, 0, 0]
func.func @python_i32(%a : tensor<7xi32>, %b : tensor<7xi32>) -> tensor<7xi32> {
  %y = graph.modulo %a, %b : tensor<7xi32>, tensor<7xi32> -> tensor<7xi32>
  func.return %y : tensor<7xi32>
}
// VALUE: fmod_i32([7, -7, 7, -7, 7, -2147483648, -6], [3, 3, -3, -3, 0, -1, 3]) = [1, -1, 1, -1, 0, 0, 0]
func.func @fmod_i32(%a : tensor<7xi32>, %b : tensor<7xi32>) -> tensor<7xi32> {
  %y = graph.modulo %a, %b fmod : tensor<7xi32>, tensor<7xi32> -> tensor<7xi32>
  func.return %y : tensor<7xi32>
}
// VALUE: python_i8([-128, -128, 127, -1], [-1, 3, -2, 127]) = [0, 1, -1, 126]
func.func @python_i8(%a : tensor<4xi8>, %b : tensor<4xi8>) -> tensor<4xi8> {
  %y = graph.modulo %a, %b : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}
// VALUE: ui16([65535, 7, 9, 1], [256, 0, 40000, 65535]) = [255, 0, 9, 1]
func.func @ui16(%a : tensor<4xui16>, %b : tensor<4xui16>) -> tensor<4xui16> {
  %y = graph.modulo %a, %b : tensor<4xui16>, tensor<4xui16> -> tensor<4xui16>
  func.return %y : tensor<4xui16>
}
// fmod of floats is exact, and keeps the sign of a zero. C11, 7.12.10.1 and F.10.7.1.
// VALUE: fmod_f32([5.5, -5.5, 5.5, -6, inf, 1, 1, nan, 1e30], [2, 2, -2, 3, 1, inf, 0, 1, 3]) = [1.5, -1.5, 1.5, -0.0, nan, 1, nan, nan, 0]
func.func @fmod_f32(%a : tensor<9xf32>, %b : tensor<9xf32>) -> tensor<9xf32> {
  %y = graph.modulo %a, %b fmod : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  func.return %y : tensor<9xf32>
}
// VALUE: fmod_f64([5.5, -0.5], [0.1, 0.1]) = [0.0999999999999997, -0.09999999999999998]
func.func @fmod_f64(%a : tensor<2xf64>, %b : tensor<2xf64>) -> tensor<2xf64> {
  %y = graph.modulo %a, %b fmod : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>
  func.return %y : tensor<2xf64>
}
