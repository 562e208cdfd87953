// RUN: stepwell run %s --values

// By IEEE 754: infinities, NaN, signed zeros, overflow, and results below the least normal number (1.1754944e-38).
// VALUE: add([inf, inf, -0.0, -0.0, 3e38, 1e-40, 16777216], [-inf, 1, -0.0, 0.0, 3e38, 2e-40, 1]) = [nan, inf, -0.0, 0.0, inf, 3e-40, 16777216]
func.func @add(%a : tensor<7xf32>, %b : tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.add %a, %b : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  func.return %y : tensor<7xf32>
}
// VALUE: subtract([inf, 1, 0.0, -0.0, 1.1754944e-38], [inf, nan, 0.0, 0.0, 1.1754942e-38]) = [nan, nan, 0.0, -0.0, 1e-45]
func.func @subtract(%a : tensor<5xf32>, %b : tensor<5xf32>) -> tensor<5xf32> {
  %y = graph.subtract %a, %b : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}
// VALUE: multiply([0.0, -1, 1e-20, 1e-30, 1e30, -0.0], [inf, 0.0, 1e-20, 1e-30, 1e30, -2]) = [nan, -0.0, 1e-40, 0, inf, 0.0]
func.func @multiply(%a : tensor<6xf32>, %b : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.multiply %a, %b : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// VALUE: divide([1, -1, 0, 1, 1e-38, 6, inf], [0.0, 0.0, 0.0, -inf, 4, 3, inf]) = [inf, -inf, nan, -0.0, 2.5e-39, 2, nan]
func.func @divide(%a : tensor<7xf32>, %b : tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.divide %a, %b : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  func.return %y : tensor<7xf32>
}
