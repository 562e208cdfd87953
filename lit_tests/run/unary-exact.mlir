// RUN: stepwell run %s --values

// By IEEE 754 (sign: NumPy's): signs of zeros, NaN, infinities and numbers below the least normal one; ties of round go to the even number.
// VALUE: negate([1.5, -0.0, 0.0, nan, inf, 1e-40]) = [-1.5, 0.0, -0.0, nan, -inf, -1e-40]
func.func @negate(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.negate %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: abs([-1.5, -0.0, 0.0, nan, -inf, -1e-40]) = [1.5, 0.0, 0.0, nan, inf, 1e-40]
func.func @abs(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.abs %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: sign([-1.5, -0.0, 0.0, nan, -inf, 1e-40]) = [-1, 0, 0, nan, -1, 1]
func.func @sign(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.sign %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: ceil([-0.25, -0.0, 1.5, -1.5, nan, -inf, 8388609, 1e-40]) = [-0.0, -0.0, 2, -1, nan, -inf, 8388609, 1]
func.func @ceil(%x : tensor<8xf32>) -> tensor<8xf32> {
  %y = graph.ceil %x : tensor<8xf32>
  func.return %y : tensor<8xf32>
}
// VALUE: floor([-0.25, -0.0, 1.5, -1.5, nan, inf, 8388609, -1e-40]) = [-1, -0.0, 1, -2, nan, inf, 8388609, -1]
func.func @floor(%x : tensor<8xf32>) -> tensor<8xf32> {
  %y = graph.floor %x : tensor<8xf32>
  func.return %y : tensor<8xf32>
}
// VALUE: round([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, -0.25, 0.49999997, nan, inf]) = [0, 2, 2, -0.0, -2, -2, -0.0, 0, nan, inf]
func.func @round(%x : tensor<10xf32>) -> tensor<10xf32> {
  %y = graph.round %x : tensor<10xf32>
  func.return %y : tensor<10xf32>
}
// VALUE: reciprocal([4, 0.0, -0.0, inf, -inf, nan]) = [0.25, inf, -inf, 0, -0.0, nan]
func.func @reciprocal(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.reciprocal %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: sqrt([4, 0.0, -0.0, inf, -1, nan, 2.25]) = [2, 0, -0.0, inf, nan, nan, 1.5]
func.func @sqrt(%x : tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.sqrt %x : tensor<7xf32>
  func.return %y : tensor<7xf32>
}
// VALUE: relu([-1e-40, 1e-40, -0.0, nan, inf, -inf, 3]) = [0, 1e-40, 0, nan, inf, 0, 3]
func.func @relu(%x : tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.relu %x : tensor<7xf32>
  func.return %y : tensor<7xf32>
}
