// RUN: stepwell run %s --values

// NumPy in double precision, two passes.
// VALUE~: last([[[4, 0, -6, 0], [4, 0, 2, 6], [0, 0, 0, 2]], [[-4, 6, 6, 4], [-4, -6, -4, 0], [4, 2, 2, -6]]], [1, 2, -1, 0.5]) = [[[1.2602515, 0.2800559, 1.5403075, 0.07001398], [0.44721314, -2.6832788, 0.44721314, 0.6708197], [-0.57734644, -1.1546929, 0.57734644, 0.8660196]], [[-1.6977489, 1.4552133, -0.72760665, 0.12126777], [-0.22941549, -2.294155, 0.22941549, 0.8029542], [0.91132206, 0.7811332, -0.3905666, -0.84622765]]]
func.func @last(%x : tensor<2x3x4xf32>, %s : tensor<4xf32>) -> tensor<2x3x4xf32> {
  %r = graph.layer_norm %x, %s axis 2 epsilon 1.0e-05 : tensor<2x3x4xf32>, tensor<4xf32> -> tensor<2x3x4xf32>
  func.return %r : tensor<2x3x4xf32>
}
// VALUE~: two_axes([[[4, 0, -6, 0], [4, 0, 2, 6], [0, 0, 0, 2]], [[-4, 6, 6, 4], [-4, -6, -4, 0], [4, 2, 2, -6]]], [[0, -1, 0, 2], [-3, -1, -3, 1], [3, 2, 1, -2]], [[1, -3, 0, -2], [-2, -3, -2, 3], [1, 1, -3, 0]]) = [[[1, -2.6536107, 0, -2.6927788], [-5.1175046, -2.6536107, -3.0391681, 4.731947], [-0.039168138, 0.30722123, -3.3463893, -0.69277877]], [[1, -4.364541, 0, -0.18061174], [0.7290824, -1.6354588, 0.7290824, 3], [3.7290823, 1.9096941, -2.545153, 2.7290823]]]
func.func @two_axes(%x : tensor<2x3x4xf32>, %s : tensor<3x4xf32>, %b : tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %r = graph.layer_norm %x, %s, %b axis 1 epsilon 1.0e-03 : tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<2x3x4xf32>
  func.return %r : tensor<2x3x4xf32>
}
// By hand: the mean is far from 0, so that a variance in one pass would be nothing but what cancels.
// VALUE~: far([[80000, 80001, 80002, 80003]], [1, 1, 1, 1], [0, 0, 0, 0]) = [[-1.3416354, -0.4472118, 0.4472118, 1.3416354]]
func.func @far(%x : tensor<1x4xf32>, %s : tensor<4xf32>, %b : tensor<4xf32>) -> tensor<1x4xf32> {
  %r = graph.layer_norm %x, %s, %b axis 1 epsilon 1.0e-05 : tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<1x4xf32>
  func.return %r : tensor<1x4xf32>
}
// f16: squares of 7600 do not fit, so it is computed in f32. By hand: deviations -7600 and 7600.
// VALUE~: f16([[7600, -7600]], [1, 2]) = [[1, -2]]
func.func @f16(%x : tensor<1x2xf16>, %s : tensor<2xf16>) -> tensor<1x2xf16> {
  %r = graph.layer_norm %x, %s axis 1 epsilon 1.0e-05 : tensor<1x2xf16>, tensor<2xf16> -> tensor<1x2xf16>
  func.return %r : tensor<1x2xf16>
}
// VALUE: nan_stays_in_its_row([[nan, 1], [3, 3]], [1, 1], [7, 8]) = [[nan, nan], [7, 8]]
func.func @nan_stays_in_its_row(%x : tensor<2x2xf32>, %s : tensor<2xf32>, %b : tensor<2xf32>) -> tensor<2x2xf32> {
  %r = graph.layer_norm %x, %s, %b axis 1 epsilon 1.0e-05 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}
