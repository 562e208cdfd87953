// RUN: stepwell run %s --values

// By hand: the choice takes the element as it is, NaN too; all three broadcast.
// VALUE: main([[True], [False]], [1, nan, -0.0], 5) = [[1, nan, -0.0], [5, 5, 5]]
func.func @main(%c : tensor<2x1xi1>, %a : tensor<3xf32>, %b : tensor<f32>) -> tensor<2x3xf32> {
  %y = graph.select %c, %a, %b : tensor<2x1xi1>, tensor<3xf32>, tensor<f32> -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
// VALUE: integers([True, False, True], [-1, -2, -3], [255, 254, 253]) = [-1, 254, -3]
func.func @integers(%c : tensor<3xi1>, %a : tensor<3xi64>, %b : tensor<3xi64>) -> tensor<3xi64> {
  %y = graph.select %c, %a, %b : tensor<3xi1>, tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  func.return %y : tensor<3xi64>
}
// VALUE: truth([True, False], [True, True], [False, False]) = [True, False]
func.func @truth(%c : tensor<2xi1>, %a : tensor<2xi1>, %b : tensor<2xi1>) -> tensor<2xi1> {
  %y = graph.select %c, %a, %b : tensor<2xi1>, tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
  func.return %y : tensor<2xi1>
}
// where(x > 0, x, NaN): a constant that is NaN.
// VALUE: positive([1, 0, -1, nan, inf]) = [1, nan, nan, nan, inf]
func.func @positive(%x : tensor<5xf32>) -> tensor<5xf32> {
  %zero = graph.constant #graph.array<0.0 : tensor<f32>>
  %nan = graph.constant #graph.array<nan : tensor<f32>>
  %c = graph.greater %x, %zero : tensor<5xf32>, tensor<f32> -> tensor<5xi1>
  %y = graph.select %c, %x, %nan : tensor<5xi1>, tensor<5xf32>, tensor<f32> -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}
