// RUN: stepwell run %s --values

// VALUE: main([-1.0, 2.0, -0.0, nan, inf, -inf]) = [0.0, 2.0, 0.0, nan, inf, 0.0]
func.func @main(%x : tensor<6xf32>) -> tensor<6xf32> {
  %y = graph.relu %x : tensor<6xf32>
  func.return %y : tensor<6xf32>
}
