// RUN: stepwell run %s --values

// A sum of no terms is 0: the init does not live inside the reduction loop.
// VALUE: main([[], []], []) = [[0, 0, 0], [0, 0, 0]]
func.func @main(%x : tensor<2x0xf32>, %b : tensor<0xf32>) -> tensor<2x3xf32> {
  %w = graph.constant #graph.array<[] : tensor<0x3xf32>>
  %y = graph.matmul %x, %w : tensor<2x0xf32>, tensor<0x3xf32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
