// RUN: stepwell run %s --values

// By hand: chains that are fused, with values that others read as well.
// hard-swish: x * clip(x + 3, 0, 6) / 6, x read twice.
// VALUE: hard_swish([-4, -3, 0, 3, 6, nan]) = [-0.0, -0.0, 0, 3, 6, nan]
func.func @hard_swish(%x : tensor<6xf32>) -> tensor<6xf32> {
  %three = graph.constant #graph.array<3.0 : tensor<f32>>
  %zero = graph.constant #graph.array<0.0 : tensor<f32>>
  %six = graph.constant #graph.array<6.0 : tensor<f32>>
  %0 = graph.add %x, %three : tensor<6xf32>, tensor<f32> -> tensor<6xf32>
  %1 = graph.maximum %0, %zero : tensor<6xf32>, tensor<f32> -> tensor<6xf32>
  %2 = graph.minimum %1, %six : tensor<6xf32>, tensor<f32> -> tensor<6xf32>
  %3 = graph.divide %2, %six : tensor<6xf32>, tensor<f32> -> tensor<6xf32>
  %y = graph.multiply %x, %3 : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
// A convolution whose result is clamped for one reader, and not for the other: y + relu(y).
// VALUE: skip([[[[1, -2, 3]]]], [[[[2]]]]) = [[[[4, -4, 12]]]]
func.func @skip(%x : tensor<1x1x1x3xf32>, %w : tensor<1x1x1x1xf32>) -> tensor<1x1x1x3xf32> {
  %y = graph.conv2d %x, %w : tensor<1x1x1x3xf32>, tensor<1x1x1x1xf32> -> tensor<1x1x1x3xf32>
  %r = graph.relu %y : tensor<1x1x1x3xf32>
  %s = graph.add %y, %r : tensor<1x1x1x3xf32>, tensor<1x1x1x3xf32> -> tensor<1x1x1x3xf32>
  func.return %s : tensor<1x1x1x3xf32>
}
// A value that is broadcast by its reader, and one that is summed up.
// VALUE: across([1, 2], [[1], [10]]) = [[3, 5], [30, 50]], [8, 80]
func.func @across(%a : tensor<2xf32>, %b : tensor<2x1xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %one = graph.constant #graph.array<1.0 : tensor<f32>>
  %0 = graph.add %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %1 = graph.add %0, %one : tensor<2xf32>, tensor<f32> -> tensor<2xf32>
  %2 = graph.multiply %1, %b : tensor<2xf32>, tensor<2x1xf32> -> tensor<2x2xf32>
  %3 = graph.sum %2 [1] : tensor<2x2xf32> -> tensor<2xf32>
  func.return %2, %3 : tensor<2x2xf32>, tensor<2xf32>
}
// Each branch of a diamond, joined again.
// VALUE: diamond([1, -2, 0.5]) = [1, 4, 0.25]
func.func @diamond(%x : tensor<3xf32>) -> tensor<3xf32> {
  %n = graph.negate %x : tensor<3xf32>
  %a = graph.abs %n : tensor<3xf32>
  %b = graph.abs %x : tensor<3xf32>
  %y = graph.multiply %a, %b : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
