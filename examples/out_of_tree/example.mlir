func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %six = graph.constant #graph.array<6.0 : tensor<f32>>
  %r = graph.relu %x : tensor<4xf32>
  %y = graph.minimum %r, %six : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
