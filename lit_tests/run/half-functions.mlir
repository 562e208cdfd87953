// RUN: stepwell run %s --values

// NumPy in double precision, rounded to the type.
// VALUE~: exp_f16([-2, -0.5, 0.25, 1, 3]) = [0.1354, 0.6064, 1.284, 2.719, 20.08]
func.func @exp_f16(%x : tensor<5xf16>) -> tensor<5xf16> {
  %y = graph.exp %x : tensor<5xf16>
  func.return %y : tensor<5xf16>
}
// VALUE~: exp_bf16([-2, -0.5, 0.25, 1, 3]) = [0.1357421875, 0.60546875, 1.28125, 2.71875, 20.125]
func.func @exp_bf16(%x : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.exp %x : tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE~: tanh_f16([-2, -0.5, 0.25, 1, 3]) = [-0.964, -0.4622, 0.2449, 0.7617, 0.995]
func.func @tanh_f16(%x : tensor<5xf16>) -> tensor<5xf16> {
  %y = graph.tanh %x : tensor<5xf16>
  func.return %y : tensor<5xf16>
}
// VALUE~: tanh_bf16([-2, -0.5, 0.25, 1, 3]) = [-0.96484375, -0.462890625, 0.2451171875, 0.76171875, 0.99609375]
func.func @tanh_bf16(%x : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.tanh %x : tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE~: sigmoid_f16([-2, -0.5, 0.25, 1, 3]) = [0.1192, 0.3774, 0.562, 0.731, 0.9526]
func.func @sigmoid_f16(%x : tensor<5xf16>) -> tensor<5xf16> {
  %y = graph.sigmoid %x : tensor<5xf16>
  func.return %y : tensor<5xf16>
}
// VALUE~: sigmoid_bf16([-2, -0.5, 0.25, 1, 3]) = [0.119140625, 0.376953125, 0.5625, 0.73046875, 0.953125]
func.func @sigmoid_bf16(%x : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.sigmoid %x : tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
// VALUE~: erf_f16([-2, -0.5, 0.25, 1, 3]) = [-0.995, -0.5205, 0.2764, 0.843, 1]
func.func @erf_f16(%x : tensor<5xf16>) -> tensor<5xf16> {
  %y = graph.erf %x : tensor<5xf16>
  func.return %y : tensor<5xf16>
}
// VALUE~: erf_bf16([-2, -0.5, 0.25, 1, 3]) = [-0.99609375, -0.51953125, 0.275390625, 0.84375, 1]
func.func @erf_bf16(%x : tensor<5xbf16>) -> tensor<5xbf16> {
  %y = graph.erf %x : tensor<5xbf16>
  func.return %y : tensor<5xbf16>
}
